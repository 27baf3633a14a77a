"""One WebSocket of one phone: the newest view out, commands in, garbage counted."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

import structlog
from pydantic import ValidationError
from pydantic_core import to_json
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from companion.table.commands import COMMAND, Actor
from companion.web.codes import Rate
from companion.web.hub import Channel, Frame, Hub, Watcher
from companion.web.messages import INCOMING, Do, Ping, Seen, Watch
from companion.web.ports import Json, Table, Tables
from companion.web.seating import Device
from companion.web.speaking import speaker

FAULTS = 20
OUTBOX = 200
PATIENCE = 20.0
UNSEEN = 2
MESSAGES = (80, 2.0)
NOTHING: Json = {"key": None, "facts": {}}
log = structlog.get_logger("web")


@dataclass(frozen=True)
class Room:
    """What a connection needs to know of the house."""

    tables: Tables
    hub: Hub
    device: Callable[[str | None], Device]
    clock: Callable[[], float]
    patience: float = PATIENCE


class Gone(Exception):
    """The connection has to end; carries the close code and why."""

    def __init__(self, code: int, key: str) -> None:
        super().__init__(key)
        self.code = code
        self.key = key


class Phone:
    """The conversation with one phone."""

    def __init__(self, socket: WebSocket, room: Room, cookie: str | None) -> None:
        self.socket = socket
        self.cookie = cookie
        self.room = room
        self.outbox: deque[str] = deque()
        self.wake = asyncio.Event()
        self.channel: Channel | None = None
        self.watcher: Watcher | None = None
        self.speaker: Actor | None = None
        self.unseen: deque[tuple[int, float]] = deque()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.faults = 0
        self.sign: str | None = None
        self.rate = Rate(room.clock, *MESSAGES)

    async def run(self) -> None:
        """Talk until the phone leaves, misbehaves or stops reading."""
        self.loop = asyncio.get_running_loop()
        await self.socket.accept()
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            await self._end(next(iter(done)).exception())
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._leave()

    async def _end(self, why: BaseException | None) -> None:
        match why:
            case None | WebSocketDisconnect():
                return
            case Gone():
                log.info("phone dropped", why=why.key)
                await self._close(why.code, why.key)
            case _:
                log.error("phone failed", error=type(why).__name__, exc_info=why)
                await self._close(1011, "error.unknown")

    async def _close(self, code: int, key: str) -> None:
        # A phone that does not read does not answer a close either: do not wait for it.
        if self.socket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
                async with asyncio.timeout(1.0):
                    await self.socket.close(code, key)

    def say(self, message: Json) -> None:
        """Put a small message in the outbox; called from any thread."""
        if len(self.outbox) < OUTBOX:
            self.outbox.append(to_json(message).decode())
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.wake.set)

    # in

    async def _read(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message.get("code", 1000))
            await self._hear(message.get("text"))

    async def _hear(self, text: str | None) -> None:
        try:
            if text is None or not self.rate.allow(""):
                raise ValueError("binary, or too many messages")
            heard = INCOMING.validate_json(text)
        except ValueError:  # pydantic's ValidationError is one
            self._fault(None, "error.bad_message")
            return
        match heard:
            case Watch():
                self._watch(heard)
            case Ping():
                self.say({"id": heard.id, "pong": True})
            case Seen():
                self._seen(heard.seq)
            case Do():
                await self._do(heard)
            case _:
                assert_never(heard)

    def _fault(self, number: int | None, key: str) -> None:
        self.faults += 1
        if self.faults >= FAULTS:
            raise Gone(4400, "error.too_fast")
        self.say({"id": number, "reply": {"ok": False, "key": key, "facts": {}}})

    def _watch(self, heard: Watch) -> None:
        table = self.room.tables.get(heard.table)
        if table is None:
            self._fault(heard.id, "error.not_found")
            return
        found = speaker(self.room.device(self.cookie), table, heard.seat)
        if found is None:
            self._fault(heard.id, "error.not_allowed")
            return
        self._leave()
        self.speaker = found
        if heard.screen and self.sign is None:
            self.sign = self.room.hub.signs.of(self.cookie)
        sign = self.sign if heard.screen else None
        self.watcher = Watcher(found.seat, self.say, lambda: self.room.device(self.cookie), sign)
        self.watcher.changed = self.wake
        self.channel = self.room.hub.join(table, self.watcher)
        self.unseen.clear()
        self.say({"id": heard.id, "reply": {"ok": True} | NOTHING | ({"sign": sign} if sign else {})})

    def _seen(self, seq: int) -> None:
        # By place, not by size: a new game at the table counts from the beginning.
        if seq in [sent for sent, _ in self.unseen]:
            while self.unseen.popleft()[0] != seq:
                pass
        self.wake.set()

    async def _do(self, heard: Do) -> None:
        table = self._table()
        if table is None or self.speaker is None:
            self._fault(heard.id, "error.bad_message")
            return
        if self.room.tables.get(table.id) is None:
            self._fault(heard.id, "error.not_found")
            return
        self._still_seated()
        actor = Actor(None, "host") if heard.as_host else self.speaker
        if heard.as_host and not self.room.device(self.cookie).host:
            self._fault(heard.id, "settings.host_only")
            return
        if actor.role == "screen":
            # Who only watches has the public view and nothing to say; buttons on the table come another way.
            self._fault(heard.id, "settings.host_only")
            return
        try:
            command = COMMAND.validate_python(heard.command)
        except ValidationError:
            self._fault(heard.id, "error.bad_message")
            return
        reply = await asyncio.to_thread(table.submit, actor, command)
        text: Json = {"key": reply.say.key, "facts": reply.say.facts} if reply.say else NOTHING
        self.say({"id": heard.id, "reply": {"ok": reply.ok, "seq": reply.seq} | text})

    def _table(self) -> Table | None:
        return self.channel.table if self.channel else None

    def _leave(self) -> None:
        if self.channel is not None and self.watcher is not None:
            self.room.hub.leave(self.channel, self.watcher)
        self.channel = self.watcher = None

    # out

    async def _write(self) -> None:
        sent: Frame | None = None
        told: Watcher | None = None
        while True:
            await self._until_woken()
            self.wake.clear()
            while self.outbox:
                await self._send(self.outbox.popleft())
            if self.channel is None or len(self.unseen) >= UNSEEN:
                continue
            self._still_seated()
            frame = await self.channel.frame(self.watcher.seat if self.watcher else None)
            # What is the same is not sent again: even that something happened may be somebody's secret.
            if frame != sent or told is not self.watcher:
                sent, told = frame, self.watcher
                self.unseen.append((frame.seq, self.room.clock()))
                await self._send(frame.text)

    def _still_seated(self) -> None:
        """Put out a phone whose seat was given away: it gets no further view of it."""
        table, seated = self._table(), self.speaker
        if table is None or seated is None or seated.seat is None:
            return
        if speaker(self.room.device(self.cookie), table, seated.seat) != seated:
            raise Gone(4401, "join.signed_out")

    async def _until_woken(self) -> None:
        if not self.unseen:
            await self.wake.wait()
            return
        left = self.unseen[0][1] + self.room.patience - self.room.clock()
        try:
            # Not wait_for: before Python 3.12 it may swallow the end of a connection that is woken just then.
            async with asyncio.timeout(max(0.0, left)):
                await self.wake.wait()
        except TimeoutError:
            raise Gone(4408, "error.offline") from None

    async def _send(self, text: str) -> None:
        try:
            async with asyncio.timeout(self.room.patience):
                await self.socket.send_text(text)
        except TimeoutError:
            raise Gone(4408, "error.offline") from None
