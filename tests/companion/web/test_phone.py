"""A connection ends when its phone leaves, whatever else happens in the same moment."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket, WebSocketState

from companion.web.fakes import StillTables
from companion.web.hub import Hub
from companion.web.phone import Phone, Room
from companion.web.seating import Device
from tests.companion.web.houses import still_table


class LeavingSocket:
    """A phone that watches a table, and leaves when it is told to."""

    application_state = WebSocketState.CONNECTED

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.leaves = asyncio.Event()
        self.asked = False

    async def accept(self) -> None:
        return None

    async def receive(self) -> dict[str, Any]:
        if not self.asked:
            self.asked = True
            return {"type": "websocket.receive", "text": json.dumps({"ask": "watch", "id": 1, "table": "t1"})}
        await self.leaves.wait()
        return {"type": "websocket.disconnect", "code": 1001}

    async def send_text(self, text: str) -> None:
        self.sent.append(text)

    async def close(self, code: int, reason: str) -> None:
        return None


@pytest.mark.parametrize("ticks", range(8))
def test_a_phone_that_leaves_while_it_is_told_something_is_let_go(ticks: int) -> None:
    async def evening() -> int:
        table = still_table()
        hub, socket = Hub(), LeavingSocket()
        room = Room(StillTables(table), hub, lambda cookie: Device(), time.time)
        talk = asyncio.create_task(Phone(cast("WebSocket", socket), room, None).run())
        async with asyncio.timeout(20):
            while not any('"view"' in text for text in socket.sent):
                await asyncio.sleep(0.01)
        # The view was not acknowledged yet, so the phone is waited for with patience.
        socket.leaves.set()
        for _ in range(ticks):
            await asyncio.sleep(0)
        hub.tell("t1", {"told": {"key": "join.seat_freed", "facts": {"player": "Ada"}}})
        async with asyncio.timeout(20):
            await talk
        hub.tell("t1", {"told": {"key": "join.seat_freed", "facts": {"player": "Ada"}}})
        return len(hub._channels)

    # In a thread of its own: the browser's tests leave a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, evening()).result() == 0
