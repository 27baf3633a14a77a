"""A seat's own display, all the way: switched on, asked for on a phone, let in by a real broker."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.bus.mosquitto import Listening
from companion.bus.sealed import channel
from companion.play.things import Things, ThingsWishes
from companion.secrets import FrameOpener, SeatKey
from companion.secrets.errors import SecretError
from companion.secrets.frames import frame_bytes
from tests.companion.bus.probes import Probe
from tests.companion.web.browsing import Home, Phones, eventually, started, stopped
from tests.companion.web.test_secrets import placed
from tests.companion.web.test_things import open_device

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EXAMPLE = Path(__file__).parents[3] / "docs" / "seat_in_terminal.py"


@dataclass
class Connected:
    """A companion with its private broker."""

    home: Home
    things: Things


@pytest.fixture
def connected(tmp_path: Path) -> Iterator[Connected]:
    made: list[Things] = []
    wishes = ThingsWishes(mqtt="local", listening=Listening(port=0))
    home = started(tmp_path, things=lambda tables: made.append(Things(tables, wishes, tmp_path)) or made[0])
    try:
        made[0].start()
        yield Connected(home, made[0])
    finally:
        made[0].stop()
        stopped(home)


def asked(page: Page) -> str:
    """Ask for a ticket on a phone, and read it off the page."""
    open_device(page)
    page.click("#make-ticket")
    expect(page.locator("#ticket")).to_be_visible()
    ticket = page.input_value("#ticket")
    for _ in range(page.locator("dialog[open]").count()):
        page.keyboard.press("Escape")
    return ticket


def in_terminal(ticket: str) -> subprocess.Popen[str]:
    """Begin the example client with a ticket."""
    client = subprocess.Popen(
        [sys.executable, str(EXAMPLE), "--once"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert client.stdin is not None
    client.stdin.write(ticket)
    client.stdin.close()
    client.stdin = None
    return client


def test_a_ticket_from_the_page_opens_the_seats_sealed_line(connected: Connected, phones: Phones) -> None:
    home, bus = connected.home, connected.things.bus
    assert bus is not None and bus.broker is not None
    ada, ben = placed(home, phones)
    name = home.tables.all()[0].id
    host = phones.phone()
    host.goto(home.host_address())
    switch = host.locator(f"input[data-devices={name}]")
    expect(switch).not_to_be_checked()
    switch.check()
    eventually(host, lambda: name in bus.links and bus.links[name].lines is not None)

    with Probe(bus.broker.hub, "witness") as witness:
        witness.subscribe("santorini/#")
        ticket = asked(ada)
        with in_terminal(ticket) as client:
            shown, complaint = client.communicate(timeout=60)
        assert client.returncode == 0, complaint
        assert "Seat A: " in shown and "'A1': 'a1'" in shown and "'A2': 'e5'" in shown
        assert {len(got.payload) for got in witness.on("/seat/A/state")} == {frame_bytes()}

        with in_terminal(asked(ben)) as client:
            shown, complaint = client.communicate(timeout=60)
        assert client.returncode == 0, complaint
        assert "Seat B: " in shown and "Hidden" not in shown

        # Asking again makes the old ticket worthless: its key opens no frame of the new line.
        newer = asked(ada)
        with in_terminal(newer) as client:
            shown, complaint = client.communicate(timeout=60)
        assert client.returncode == 0 and "'A1': 'a1'" in shown, complaint
        opening = bytes.fromhex(witness.on("/seat/A/open")[-1].json["opening"])
        frame = witness.on("/seat/A/state")[-1].payload

        def opener(paper: str) -> FrameOpener:
            return FrameOpener(SeatKey.from_hex(json.loads(paper)["key"]), channel(name, "A"), opening)

        assert opener(newer).open(frame).content
        with pytest.raises(SecretError):
            opener(ticket).open(frame)
