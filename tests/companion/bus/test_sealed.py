"""Sealed seats: only the seat's own device can read them, and nobody else learns anything from a frame."""

from __future__ import annotations

import contextlib
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from companion.bus import Bus
from companion.bus.sealed import SeatLines, channel, packed, seat_state, unpacked
from companion.bus.wording import Wording
from companion.secrets import FrameOpener, SeatKey
from companion.secrets.errors import Replayed, Tampered
from companion.secrets.frames import frame_bytes
from companion.table.commands import BringKey
from companion.table.live import Table
from companion.table.seatview import StepOffered
from companion.table.tables import Tables
from tests.companion.bus.conftest import BEAT, PLAIN, House, options
from tests.companion.bus.probes import Probe
from tests.companion.table.test_secrets import A, B, do, phone_commits

HIDING = {"players": [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": None}]}


def hide(tables: Tables, name: str | None = None, spaces: tuple[str, str] = ("a1", "a2")) -> Table:
    """A game in which A has hidden two workers."""
    table = tables.create(HIDING, name)
    assert table.submit(A, BringKey(do="key", key="ab" * 32, seq=0)).ok
    do(table, B, "B1@b4", "B2@d2")
    do(table, A, *(f"A{number}@{space}" for number, space in enumerate(spaces, 1)))
    assert phone_commits(table, random.Random(1))
    return table


def opened(probe: Probe, table: str, seat: str, transaction: str = "o1") -> bytes:
    """Begin a session as the seat's device does."""
    opening = random.Random(transaction).randbytes(16)
    message = {"schema": 1, "transaction": transaction, "opening": opening.hex()}
    probe.publish(f"santorini/v1/{table}/seat/{seat}/open", message)
    assert probe.heard("/reply/open").json["ok"]
    return opening


@pytest.mark.broker
def test_the_seats_device_reads_its_secret_and_nobody_elses(house: House) -> None:
    table = hide(house.tables, "hidden")
    tickets = wait_tickets(house.bus, table)
    with contextlib.closing(house.seat("A", table)) as a, contextlib.closing(house.seat("B", table)) as b:
        lines = {}
        for seat, probe in (("A", a), ("B", b)):
            probe.subscribe(f"santorini/v1/hidden/seat/{seat}/state", "santorini/v1/hidden/reply/open")
            opening = opened(probe, "hidden", seat)
            lines[seat] = FrameOpener(SeatKey.from_hex(tickets[seat]), channel("hidden", seat), opening)
        frame = a.heard("/seat/A/state").payload
        state = unpacked(lines["A"].open(frame).content)
        assert state["secret"]["workers"] == {"A1": "a1", "A2": "a2"}
        assert unpacked(lines["B"].open(b.heard("/seat/B/state").payload).content)["secret"] is None
        with pytest.raises((Replayed, Tampered)):
            lines["B"].open(frame)
        with pytest.raises(Replayed):
            lines["A"].open(frame)


def wait_tickets(bus: Bus, table: Table) -> dict[str, str]:
    """Hand a ticket to every seat, once the table's connection is there."""
    deadline = time.monotonic() + 30
    while table.id not in bus.links and time.monotonic() < deadline:
        time.sleep(0.01)
    found = {}
    for seat in table.seats:
        ticket = bus.seat_ticket(table.id, seat)
        assert ticket is not None
        assert ticket.key not in repr(ticket)
        found[seat] = ticket.key
    return found


@pytest.mark.broker
def test_frames_have_one_size_and_one_beat_whatever_happens(house: House) -> None:
    table = hide(house.tables, "hidden")
    wait_tickets(house.bus, table)
    with house.witness() as witness, contextlib.closing(house.seat("A", table)) as a:
        witness.subscribe("santorini/v1/hidden/seat/#", "santorini/v1/hidden/reply/open")
        a.subscribe("santorini/v1/hidden/reply/open")
        opened(a, "hidden", "A")
        witness.heard("/seat/A/state")
        for step in ("A1:a1>b1", "A1+c1", "end"):
            do(table, A, step)
            time.sleep(2 * BEAT)
        phone_commits(table, random.Random(2))
        before = len(witness.on("/seat/A/state"))
        witness.wait(lambda: len(witness.on("/seat/A/state")) >= before + 6)
        frames = witness.on("/seat/A/state")
        assert {len(got.payload) for got in frames} == {frame_bytes()}
        assert len({got.payload for got in frames}) == len(frames)
        # A loaded machine may leave beats out; what happened must never add a frame.
        assert 6 <= len(frames) <= (frames[-1].at - frames[0].at) / BEAT + 2


@pytest.mark.broker
def test_it_is_off_unless_asked_for(tables: Tables, tmp_path: Path) -> None:
    table = tables.create(PLAIN)
    bus = Bus(tables, "local", tmp_path, options())
    bus.start()
    try:
        assert bus.seat_ticket(table.id, "A") is None
        bus.seal_seats(table.id, True)
        deadline = time.monotonic() + 30
        while bus.seat_ticket(table.id, "A") is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert bus.seat_ticket(table.id, "A") is not None
        assert bus.seat_ticket(table.id, "D") is None, "nobody sits there"
    finally:
        bus.stop()


def test_a_key_is_for_one_game_and_a_new_one_ends_the_old(tables: Tables) -> None:
    table = hide(tables)
    lines = SeatLines(table.id)
    first = SeatKey(lines.key("A", table.game))
    lines.keep("A", table.view("A"), Wording())
    assert lines.open("A", bytes(16))
    assert not lines.open("B", bytes(16))
    opener = FrameOpener(first, channel(table.id, "A"), bytes(16))
    ((seat, frame),) = lines.frames()
    assert seat == "A"
    assert unpacked(opener.open(frame).content)["seat"] == "A"
    lines.key("A", table.game)
    assert list(lines.frames()) == [], "the old device's session is over"
    lines.open("A", bytes(16))
    lines.keep("A", replace(table.view("A"), game="another"), Wording())
    assert list(lines.frames()) == []
    assert lines.seats == ()


def test_a_state_that_is_too_long_is_cut_not_lost(tables: Tables) -> None:
    table = tables.create(PLAIN)
    view = table.view("A")
    assert view.prompt is not None
    chance = random.Random(1)
    steps = tuple(
        StepOffered(f"A1:{chance.randbytes(12).hex()}", "move", "A1", ("a1", "b2")) for _ in range(400)
    )
    crowded = replace(view, prompt=replace(view.prompt, steps=steps))
    assert len(packed(seat_state(crowded, Wording()))) > 4096
    lines = SeatLines(table.id)
    key = SeatKey(lines.key("A", table.game))
    lines.keep("A", crowded, Wording())
    lines.open("A", bytes(16))
    ((_, frame),) = lines.frames()
    state = unpacked(FrameOpener(key, channel(table.id, "A"), bytes(16)).open(frame).content)
    assert state["cut"] is True
    assert 0 < len(state["steps"]) < 400


def test_what_is_no_frames_content_is_said() -> None:
    for junk in (b"", b"junk", packed.__doc__.encode() if packed.__doc__ else b""):
        with pytest.raises(ValueError, match=r"."):
            unpacked(junk)
