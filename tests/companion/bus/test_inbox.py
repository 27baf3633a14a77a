"""Anything may come in: it is answered in the declared form; only an accepted command moves the game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from companion.bus.incoming import LARGEST, Heard, Inbox
from companion.bus.messages import Problem, Reply
from companion.bus.topics import COMMANDS
from companion.lights.buttons import BUTTONS
from companion.store import Store
from companion.table.beat import Beat
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.bus.conftest import PLAIN

SESSION = "ab" * 8
SHARED = [HealthCheck.function_scoped_fixture]
FEW = settings(max_examples=150, deadline=None, database=None, suppress_health_check=SHARED)
FIELDS = ("schema", "transaction", "session", "seq", "step", "turns", "yes", "button", "more")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Store.open(tmp_path / "x.db") as store:
        yield Tables(store, beat=Beat(period=1e-6)).create(PLAIN, "t1")


def inbox(table: Table) -> Inbox:
    return Inbox(table, SESSION, BUTTONS, lambda seat, opening: False)


anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(), inner, max_size=4),
    max_leaves=8,
)
topics = some.sampled_from(
    [*(f"cmd/{verb}" for verb in COMMANDS), "cmd/nothing", "button", "seat/A/open", "seat/Z/open"]
).map(lambda rest: f"santorini/v1/t1/{rest}")


@FEW
@given(topic=topics, payload=some.binary(max_size=LARGEST + 100), retained=some.booleans())
def test_random_bytes_move_nothing(table: Table, topic: str, payload: bytes, retained: bool) -> None:
    door, before = inbox(table), table.public()
    packet = door.take(Heard(topic, payload, retained), "t1")
    assert packet is not None
    assert not Reply.model_validate_json(packet.payload).ok
    assert table.public() == before
    assert sum(door.refused.values()) == 1


@FEW
@given(
    topic=topics,
    fields=some.dictionaries(some.sampled_from(FIELDS), anything, max_size=3),
)
def test_a_message_that_is_almost_right(table: Table, topic: str, fields: dict[str, Any]) -> None:
    door, before = inbox(table), table.public()
    good: dict[str, Any] = {"schema": 1, "transaction": "t", "session": SESSION, "seq": before.seq}
    good["step"] = before.prompt.steps[0].step if before.prompt else "A1@a1"
    packet = door.take(Heard(topic, json.dumps(good | fields).encode()), "t1")
    assert packet is not None
    reply = Reply.model_validate_json(packet.payload)
    if not reply.ok:
        assert table.public().board == before.board
        assert table.public().history == before.history
    assert (door.accepted, sum(door.refused.values())) == ((1, 0) if reply.ok else (0, 1))


def test_every_refusal_is_answered_and_counted_under_its_own_name(table: Table) -> None:
    door = inbox(table)
    seen = table.public().seq

    def asked(rest: str, payload: bytes, *, retained: bool = False) -> Reply:
        packet = door.take(Heard(f"santorini/v1/t1/{rest}", payload, retained), "t1")
        assert packet is not None
        return Reply.model_validate_json(packet.payload)

    def command(transaction: str, **more: Any) -> bytes:
        usual = {"schema": 1, "transaction": transaction, "session": SESSION, "seq": seen, "step": "A1@a1"}
        return json.dumps(usual | more).encode()

    assert asked("cmd/step", command("first")).ok
    after, messages = table.public(), 1
    for rest, payload, problem in (
        ("cmd/nothing", command("a"), "unknown"),
        ("cmd/step", b"x" * (LARGEST + 1), "oversized"),
        ("cmd/step", b"\xff", "encoding"),
        ("cmd/step", b"{}", "wrong_schema"),
        ("cmd/step", command("first", step="A2@a2"), "replayed"),
        ("cmd/step", command("b", session="0" * 16), "replayed"),
        ("cmd/step", command("c", step="A2@a2"), "out_of_order"),
        ("cmd/step", command("d", seq=after.seq + 1), "out_of_order"),
        ("cmd/step", command("e", seq=after.seq, step="A1@z9"), "refused"),
        ("seat/A/open", b'{"schema": 1, "transaction": "f", "opening": "' + b"00" * 16 + b'"}', "refused"),
    ):
        counted = door.refused[problem]
        reply = asked(rest, payload)
        assert (reply.ok, reply.problem) == (False, problem), payload
        assert reply.say is not None and reply.say.text
        assert door.refused[problem] == counted + 1
        messages += 1
    assert asked("cmd/step", command("g", seq=after.seq), retained=True).problem == "retained"
    assert asked("cmd/step", command("first")).repeated
    assert set(door.refused) == {*get_args(Problem), "repeated"}
    assert (door.accepted, sum(door.refused.values())) == (1, messages + 1)
    assert table.public() == after
