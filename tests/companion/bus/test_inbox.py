"""Anything may come in: it is answered in the declared form; only an accepted command moves the game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from companion.bus.incoming import LARGEST, Heard, Inbox
from companion.bus.messages import Reply
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
