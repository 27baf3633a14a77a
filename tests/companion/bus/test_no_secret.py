"""Nothing on MQTT or on the LEDs depends on what a seat hides."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.bus import messages as m
from companion.bus.outgoing import events, led, state
from companion.bus.topics import STATE, packet
from companion.bus.wording import Wording
from companion.lights.picture import Look, shown
from companion.secrets import Owner, commitment
from companion.table.commands import BringKey, Commit
from companion.table.live import Table
from companion.table.seatview import PublicView
from companion.table.tables import Tables
from tests.companion.bus.conftest import House
from tests.companion.bus.test_sealed import HIDING, hide, opened, wait_tickets
from tests.companion.secrets.canary import Canary, assert_silent, scan
from tests.companion.table.test_secrets import A, B, do, phone_commits

SESSION = "0" * 16


def canary_game(tables: Tables, canary: Canary) -> Table:
    """A game whose hiding seat uses canaries as key and as salt."""
    table = tables.create(HIDING, "canary")
    assert table.submit(A, BringKey(do="key", key=(canary.raw * 2).hex(), seq=0)).ok
    do(table, B, "B1@b4", "B2@d2")
    do(table, A, "A1@a1", "A2@a2")
    commit(table, canary)
    return table


def commit(table: Table, canary: Canary) -> None:
    due = table.view("A").seal_due
    assert due is not None
    salt = canary.raw * 2
    made = commitment(Owner(table.game, "A", due.power, due.start), due.turn, due.value, salt)
    command = Commit(
        do="commit",
        turn=due.turn,
        value=dict(due.value),
        salt=salt.hex(),
        commitment=made,
        seq=table.around.seq_for("A"),
    )
    assert table.submit(A, command).ok


def play(table: Table, canary: Canary) -> None:
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    commit(table, canary)
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    do(table, A, "A1:b1>a1", "A1+b1", "end")
    commit(table, canary)


@pytest.mark.broker
def test_no_byte_on_the_wire_holds_a_secret(house: House) -> None:
    canary = Canary.hatch(random.Random(7), "key and salt")
    with house.witness() as witness:
        witness.subscribe("#")
        table = canary_game(house.tables, canary)
        keys = wait_tickets(house.bus, table)
        seats = [Canary(f"MQTT key of {seat}", bytes.fromhex(key)[:16]) for seat, key in keys.items()]
        with contextlib.closing(house.seat("A", table)) as a:
            a.subscribe("santorini/v1/canary/reply/open")
            opened(a, "canary", "A")
            play(table, canary)
            witness.heard("canary/state", lambda got: got.json["seq"] == table.public().seq)
            witness.heard("/seat/A/state")
    channels = {f"{n} {got.topic}": got.topic.encode() + got.payload for n, got in enumerate(witness.got)}
    topics = {got.topic.removeprefix("santorini/v1/") for got in witness.got}
    # States between two sendings may be joined to one, so kinds are asked for, not numbers.
    assert {
        "canary/state",
        "canary/event",
        "canary/led/ring",
        "canary/reply/open",
        "canary/seat/A/state",
    } <= topics
    assert_silent(channels, [canary, *seats])
    for got in witness.got:
        if "/canary/" in got.topic and "/seat/" not in got.topic:
            for name in (b'"A1"', b'"A2"', b"A1:", b"A2:", b"A1+", b"A1@"):
                assert name not in got.payload, (got.topic, got.payload)


@pytest.mark.broker
def test_a_planted_leak_is_found(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    canary = Canary.hatch(random.Random(8))
    honest = Table.public

    def leaky(table: Table) -> PublicView:
        view = honest(table)
        return replace(view, edition=canary.text)

    monkeypatch.setattr(Table, "public", leaky)
    with house.witness() as witness:
        witness.subscribe("#")
        house.table.camera("ok")
        witness.heard("/state", lambda got: got.json["camera"] == "ok")
        assert scan({"wire": [got.payload for got in witness.got]}, [canary])


# Where the seat hides two workers, and two turns that build on the same space wherever they stand.
STORIES = (
    (("b2", "a1"), ("A1:b2>b3", "A1+c3"), ("A1:b3>b2", "A1+c3")),
    (("d4", "e1"), ("A1:d4>d3", "A1+c3"), ("A1:d3>d4", "A1+c3")),
    (("c5", "e5"), ("A1:c5>c4", "A1+c3"), ("A1:c4>d4", "A1+c3")),
)


def worlds(tables: Tables) -> Iterator[list[PublicView]]:
    """The same public story with different secrets: what everybody sees after every step."""
    for number, (spaces, first, second) in enumerate(STORIES):
        table = hide(tables, f"w{number}", spaces)
        seen = [table.public()]
        for actor, steps in ((A, first), (B, ("B1:b4>b5", "B1+a5")), (A, second)):
            for step in (*steps, "end"):
                do(table, actor, step)
                seen.append(table.public())
            phone_commits(table, random.Random(3))
            seen.append(table.public())
        yield [replace(view, table="t", game="g", commitments=()) for view in seen]


def test_other_secrets_same_story_same_bytes(tables: Tables) -> None:
    def bytes_of(views: list[PublicView]) -> list[Any]:
        made: list[Any] = []
        for before, view in zip([views[0], *views], views, strict=False):
            made.append(packet(STATE, state(view, SESSION, Wording()), table="t").payload)
            made += [event.model_dump_json() for event in events(before, view, Wording())]
            for shape in ("cells", "ring"):
                picture = shown(view, shape, Look())  # type: ignore[arg-type]
                made.append(led(view.seq, picture).model_dump_json())
                made.append(picture.meanings)
        return made

    first, *others = [bytes_of(views) for views in worlds(tables)]
    assert len(first) > 10
    for other in others:
        assert other == first


def test_the_state_has_no_room_for_a_seats_own(tables: Tables) -> None:
    assert not {"secret", "seat", "question", "seal_due", "key_wanted"} & set(m.State.model_fields)
    view = hide(tables).view("A")
    with pytest.raises(TypeError):
        shown(view, "cells", Look())  # type: ignore[arg-type]
