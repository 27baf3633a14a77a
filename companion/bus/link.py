"""One table's own connection to the broker: it comes back by itself, and the game never waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal

import aiomqtt
import structlog

from companion.bus import messages as m
from companion.bus.address import BrokerAddress
from companion.bus.homeassistant import discovery
from companion.bus.incoming import Heard, Inbox
from companion.bus.outgoing import events, led, state
from companion.bus.sealed import BEAT, SeatLines
from companion.bus.topics import (
    AVAILABILITY,
    BIRTH,
    DISCOVERY,
    EVENT,
    HEALTH,
    LED,
    SEAT_STATE,
    SHAPES,
    STATE,
    Packet,
    UndeclaredError,
    declared,
    packet,
    removal,
    subscriptions,
)  # fmt: skip
from companion.bus.wording import Wording
from companion.lights.buttons import BUTTONS, Meaning
from companion.lights.picture import Look, Shape, shown
from companion.table.live import Table
from companion.table.seatview import PublicView

LOG: Final = structlog.get_logger("bus")
FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 15.0
WAITING_EVENTS: Final = 200
PATIENCE: Final = 10.0


@dataclass(frozen=True)
class Habits:
    """What all tables of a bus share; randomness and delays are given."""

    session: str
    wording: Wording = field(default_factory=Wording)
    look: Look = field(default_factory=Look)
    buttons: Mapping[int, Meaning] = field(default_factory=lambda: dict(BUTTONS))
    chance: Random = field(default_factory=Random)
    birth_delay: float = 5.0
    beat: float = BEAT
    keepalive: int = 20


class TableLink:
    """Runs in the bus's event loop; `changed` may be called from any thread."""

    def __init__(self, table: Table, address: BrokerAddress, habits: Habits, *, sealed: bool) -> None:
        self.table, self._address, self._habits = table, address, habits
        self.lines = SeatLines(table.id) if sealed else None
        self.inbox = Inbox(table, habits.session, habits.buttons, self._open_seat, habits.wording)
        self._loop = asyncio.get_running_loop()
        self._dirty, self._born = asyncio.Event(), asyncio.Event()
        self._leaving: Literal["", "stop", "remove"] = ""
        self._hurried = False
        self._seen: PublicView | None = None
        self._events: deque[Packet] = deque(maxlen=WAITING_EVENTS)
        self._retained: dict[str, Packet] = {}
        self._unsubscribe = table.subscribe(self.changed)
        self.connects = 0

    def _open_seat(self, seat: str, opening: bytes) -> bool:
        return self.lines is not None and self.lines.open(seat, opening)

    def changed(self) -> None:
        """Note that the table has changed; returns at once."""
        # The loop may have been closed since; then nobody is left to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._dirty.set)

    def leave(self, how: Literal["stop", "remove"]) -> None:
        """Say goodbye: `stop` goes offline, `remove` also takes away what is retained."""
        self._unsubscribe()
        self._leaving = how
        self._dirty.set()

    def hurry(self) -> None:
        """Begin no new try to take away what is retained: there is no time, or a new table of this name."""
        self._hurried = True
        self._dirty.set()

    @property
    def _gives_up(self) -> bool:
        """Whether a goodbye that did not arrive is left at that; what is retained would stay for ever."""
        return self._leaving == "stop" or (self._leaving == "remove" and self._hurried)

    async def run(self) -> None:
        """Connect, talk, and begin again, until told to leave."""
        pause = FIRST_PAUSE
        while True:
            connects = self.connects
            try:
                async with self._client() as client:
                    self.connects += 1
                    await self._converse(client)
                    return
            except* (aiomqtt.MqttError, OSError) as problems:
                LOG.warning("no broker", broker=str(self._address), problem=str(problems.exceptions[0]))
            if self._gives_up:
                return
            pause = FIRST_PAUSE if self.connects > connects else min(LONGEST_PAUSE, 2 * pause)
            await self._rest(pause * (0.5 + self._habits.chance.random()))

    async def _rest(self, seconds: float) -> None:
        """Wait before the next try; changes meanwhile only count as one."""
        end = time.monotonic() + seconds
        while not self._gives_up and (left := end - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._dirty.wait()
            if self._leaving:
                self._dirty.clear()
            else:
                await self._look()

    def _client(self) -> aiomqtt.Client:
        offline = packet(AVAILABILITY, m.Availability(state="offline"), table=self.table.id)
        client = aiomqtt.Client(
            self._address.host,
            self._address.port,
            username=self._address.user,
            password=self._address.password,
            identifier=f"santorini-{self.table.id}-{self._habits.session}",
            will=aiomqtt.Will(offline.topic, offline.payload, offline.qos, offline.retain),
            clean_session=True,
            keepalive=self._habits.keepalive,
            timeout=PATIENCE,
            max_queued_incoming_messages=1000,
            tls_context=self._address.tls(),
        )
        client.pending_calls_threshold = 1000
        return client

    # --- one connection

    async def _converse(self, client: aiomqtt.Client) -> None:
        """Talk until told to leave or the line breaks."""
        self._retained.clear()
        if self._leaving == "remove":
            await self._goodbye(client)
            return
        await self._send(client, packet(AVAILABILITY, m.Availability(state="online"), table=self.table.id))
        for address, qos in subscriptions(self.table.id):
            await client.subscribe(address, qos)
        async with asyncio.TaskGroup() as group:
            others = [group.create_task(self._hear(client)), group.create_task(self._introduce(client))]
            if self.lines is not None:
                others.append(group.create_task(self._beat(client, self.lines)))
            await self._tell(client)
            for task in others:
                task.cancel()
        await self._goodbye(client)

    async def _send(self, client: aiomqtt.Client, ready: Packet) -> None:
        if not declared(ready):
            raise UndeclaredError(ready.topic)
        try:
            # Not the client's own time limit: in Python 3.11 `wait_for` may swallow a cancellation.
            async with asyncio.timeout(PATIENCE):
                await client.publish(ready.topic, ready.payload, ready.qos, ready.retain, timeout=math.inf)
        except TimeoutError:
            raise aiomqtt.MqttError("the broker does not answer") from None

    async def _tell(self, client: aiomqtt.Client) -> None:
        """Send every change: the newest state, the LEDs, what happened."""
        self._dirty.set()
        while True:
            await self._dirty.wait()
            if self._leaving:
                return
            for ready in await self._look():
                if self._retained.get(ready.topic) != ready:
                    await self._send(client, ready)
                    self._retained[ready.topic] = ready
            while self._events:
                await self._send(client, self._events[0])
                self._events.popleft()

    async def _look(self) -> Sequence[Packet]:
        """Look at the table; note what happened, and give what is to be retained."""
        self._dirty.clear()
        view, packets = await asyncio.to_thread(self._made)
        if self._seen is not None:
            for event in events(self._seen, view, self._habits.wording):
                self._events.append(packet(EVENT, event, table=self.table.id))
        self._seen = view
        return packets

    def _made(self) -> tuple[PublicView, list[Packet]]:
        """Make what is retained, from the public view; in a thread, because the table may be busy."""
        view, name = self.table.public(), self.table.id
        packets = [packet(STATE, state(view, self._habits.session, self._habits.wording), table=name)]
        shapes: tuple[Shape, ...] = ("cells", "ring")
        for shape in shapes:
            frame = led(view.seq, shown(view, shape, self._habits.look))
            packets.append(packet(LED, frame, table=name, shape=shape))
        if self.lines is not None:
            for seat in self.lines.seats:
                self.lines.keep(seat, self.table.view(seat), self._habits.wording)
        return view, [*packets, self._health()]

    def _health(self) -> Packet:
        health = m.Health(
            session=self._habits.session,
            accepted=self.inbox.accepted,
            refused=dict(self.inbox.refused),
            connects=self.connects,
        )
        return packet(HEALTH, health, table=self.table.id)

    async def _hear(self, client: aiomqtt.Client) -> None:
        """Answer what comes in, one after the other."""
        async for message in client.messages:
            topic, content = str(message.topic), message.payload
            if topic == BIRTH.address:
                if content == b"online":
                    self._born.set()
                continue
            heard = Heard(topic, content, bool(message.retain))
            reply = await asyncio.to_thread(self.inbox.take, heard, self.table.id)
            if reply is not None:
                await self._send(client, reply)
            self._dirty.set()

    async def _introduce(self, client: aiomqtt.Client) -> None:
        """Introduce the table to Home Assistant, and again whenever that has started."""
        hello = packet(DISCOVERY, discovery(self.table.id), table=self.table.id)
        await self._send(client, hello)
        while True:
            await self._born.wait()
            self._born.clear()
            # Not all devices in the same moment: it has enough to do when it starts.
            await asyncio.sleep(self._habits.chance.uniform(0, self._habits.birth_delay))
            await self._send(client, hello)
            self._retained.pop(STATE.filter({"table": self.table.id}), None)
            self._dirty.set()

    async def _beat(self, client: aiomqtt.Client, lines: SeatLines) -> None:
        """Send a frame to every open seat on the beat, whether or not anything has changed."""
        while True:
            await asyncio.sleep(self._habits.beat - time.monotonic() % self._habits.beat)
            for seat, frame in lines.frames():
                ready = packet(SEAT_STATE, m.Frame(content=frame), table=self.table.id, seat=seat)
                await self._send(client, ready)

    async def _goodbye(self, client: aiomqtt.Client) -> None:
        name = self.table.id
        await self._send(client, packet(AVAILABILITY, m.Availability(state="offline"), table=name))
        if self._leaving == "remove":
            for topic in (DISCOVERY, STATE, HEALTH, AVAILABILITY):
                await self._send(client, removal(topic, table=name))
            for shape in SHAPES:
                await self._send(client, removal(LED, table=name, shape=shape))
