"""Every leak that other games of hidden information really had, tried here: nothing of it gets out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import to_json

from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import Actor, BringKey, EndTurn, Redo, Reply, TakeStep, Undo, Why
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.table.test_secrets import phone_commits

A, B, HOST, SCREEN = Actor("A", "seat"), Actor("B", "seat"), Actor(None, "host"), Actor(None, "screen")
FLAT = ("00000", "00000", "00000", "00000", "00000")
RANDOM_HEX = re.compile(rb"[0-9a-f]{64}")
NEAR, FAR = ("c3", "a5"), ("d5", "e1")
"""Where the hidden workers stand in the two worlds: beside the other's worker on b2, and far from it."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "santorini.db") as opened:
        yield opened


def against(store: Store, hidden: tuple[str, str], board: tuple[str, ...] = FLAT, power: Any = None) -> Table:
    """The other seat is to move and knows nothing of two hidden workers."""
    workers = {"A1": hidden[0], "A2": hidden[1], "B1": "b2", "B2": "e4"}
    position = {"board": list(board), "domes": [], "workers": workers, "to_move": "B"}
    players = [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": power}]
    plan = {"players": players, "options": {"allow_banned": True}, "opening": {"position": position}}
    table = Tables(store, beat=Beat(period=1e-6)).create(plan)
    assert table.submit(A, BringKey(do="key", key="ab" * 32, seq=0)).ok
    assert phone_commits(table, random.Random(1))
    return table


def plays(table: Table, *steps: str) -> list[Reply]:
    """Let the other seat play and end its turn."""
    replies = [table.submit(B, TakeStep(do="step", step=s, seq=table.view("B").seq)) for s in steps]
    if table.public().to_move == "B" and table.view("B").prompt is not None:
        replies.append(table.submit(B, EndTurn(do="end", seq=table.view("B").seq)))
    return replies


def told(table: Table) -> bytes:
    """All that the other seat and a spectator are shown, without the names of game and table."""
    text = b"\n".join(to_json(asdict(view)) for view in (table.view("B"), table.public()))
    for name in (table.game, table.id):
        text = text.replace(name.encode(), b"*")
    return RANDOM_HEX.sub(b"#" * 64, text)


def worlds(store: Store, **more: Any) -> tuple[Table, Table]:
    near, far = against(store, NEAR, **more), against(store, FAR, **more)
    assert near.view("A").secret != far.view("A").secret
    return near, far


def test_legal_moves_and_their_preview_know_nothing(store: Store) -> None:
    near, far = worlds(store)
    for table in (near, far):
        prompt = table.view("B").prompt
        assert prompt is not None and "B1:b2>c3" in {step.step for step in prompt.steps}
    assert told(near) == told(far)
    # Trying a step out before the turn ends is answered as if nobody stood there.
    replies = [
        table.submit(B, TakeStep(do="step", step="B1:b2>c3", seq=table.view("B").seq))
        for table in (near, far)
    ]
    assert [(r.ok, r.say, r.seq) for r in replies[:1]] == [(r.ok, r.say, r.seq) for r in replies[1:]]
    assert told(near) == told(far)


def test_counters_know_nothing(store: Store) -> None:
    near, far = worlds(store)
    before = told(near)
    for table in (near, far):
        assert all(reply.ok for reply in plays(table, "B2:e4>e5", "B2+d4"))
    assert told(near) == told(far) != before
    assert near.public().supply == far.public().supply
    assert near.public().seq == far.public().seq


@pytest.mark.parametrize("power", [None, "hera", "athena", "pan"])
@pytest.mark.parametrize("board", [FLAT, ("00000", "00000", "00200", "00000", "00000")])
def test_reasons_know_nothing(store: Store, power: str | None, board: tuple[str, ...]) -> None:
    """The wording of a refusal, with the powers that speak of climbing, descending and the edge."""
    near, far = worlds(store, power=power, board=board)
    for cell in (column + row for row in "12345" for column in "abcde"):
        why = Why(do="why", cell=cell, origin="b2", seq=0)
        assert near.submit(B, why) == far.submit(B, why), cell


def test_which_hidden_worker_was_met_is_not_told(store: Store) -> None:
    one, two = against(store, ("c3", "a5")), against(store, ("a5", "c3"))
    for table in (one, two):
        plays(table, "B1:b2>c3", "B1+c4")
        assert table.public().notice is not None
    assert told(one) == told(two)
    assert b'"A1"' not in told(one) and b'"A2"' not in told(one)


def test_who_only_watches_is_shown_what_everybody_knows(store: Store) -> None:
    near, far = worlds(store)
    for table in (near, far):
        plays(table, "B2:e4>e5", "B2+d4")
        own, public = table.view("A"), table.public()
        assert own.prompt is not None and own.secret is not None
        # Even that there is a next step, and how many, would tell where somebody may stand.
        assert public.prompt is None and not hasattr(public, "secret")
    assert told(near) == told(far)
    for actor in (SCREEN, HOST):
        why = Why(do="why", cell="c3", origin="b2", seq=0)
        assert near.submit(actor, why) == far.submit(actor, why)


def test_what_was_undone_is_no_ones_to_see_or_to_play_again(store: Store) -> None:
    table = against(store, NEAR)
    plays(table, "B2:e4>e5", "B2+d4")
    before = told(table)
    step = table.view("A").prompt
    assert step is not None
    assert table.submit(A, TakeStep(do="step", step=step.steps[0].step, seq=table.view("A").seq)).ok
    assert table.submit(A, Undo(do="undo", turns=0, seq=table.view("A").seq)).ok
    assert told(table) == before
    for actor in (B, HOST, SCREEN):
        seq = table.around.seq_for(actor.seat)
        assert not table.submit(actor, Redo(do="redo", seq=seq)).ok
    assert told(table) == before


def test_the_list_of_games_knows_nothing(store: Store) -> None:
    tables = worlds(store)
    for table in tables:
        plays(table, "B2:e4>e5", "B2+d4")
    one, two = (replace(line, game="", table="", created=0) for line in Tables(store).saved())
    assert one == two


def test_taking_back_is_no_way_to_ask_again(store: Store) -> None:
    """An answer that used the secret stands: else one could try space after space."""
    for table in worlds(store):
        plays(table, "B1:b2>c3", "B1+c4")
        assert table.public().to_move == "A"
        for actor in (B, HOST, SCREEN):
            seq = table.around.seq_for(actor.seat)
            for turns in (0, 1, 2):
                assert not table.submit(actor, Undo(do="undo", turns=turns, seq=seq)).ok
            assert table.public().to_move == "A" and table.public().undo is None


def test_a_win_is_none_before_the_secret_was_asked(store: Store) -> None:
    """Up to the third level, where a hidden worker stands or does not: won only where nobody does."""
    high = ("00000", "00000", "00300", "02000", "00000")
    near, far = worlds(store, board=high)
    for table in (near, far):
        plays(table, "B1:b2>c3")
    assert near.public().phase != "over" and near.public().notice is not None
    assert near.public().result is None and near.public().to_move == "A"
    assert far.public().phase == "over" and far.public().result is not None
