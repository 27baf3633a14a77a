"""Secrets at a table: sealed on disk, bound by commitments, back with the key, gone without it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from pydantic_core import to_json

from companion.secrets import ChainRecord, Owner, commitment
from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import (
    Actor,
    BringKey,
    Commit,
    EndTurn,
    EnterAgain,
    Rename,
    Resign,
    TakeStep,
    Undo,
)  # fmt: skip
from companion.table.live import Table
from companion.table.tables import Tables

A, B = Actor("A", "seat"), Actor("B", "seat")
KEY, OTHER = "ab" * 32, "cd" * 32
AT_ONCE = Beat(period=1e-6)
HIDING = {"players": [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": None}]}
ABYSS = {"players": [{"seat": "A", "power": "tartarus"}, {"seat": "B", "power": None}]}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "santorini.db"


@pytest.fixture
def store(place: Path) -> Iterator[Store]:
    with Store.open(place) as opened:
        yield opened


def do(table: Table, actor: Actor, *steps: str) -> None:
    for step in steps:
        seq = table.around.seq_for(actor.seat)
        command = EndTurn(do="end", seq=seq) if step == "end" else TakeStep(do="step", step=step, seq=seq)
        reply = table.submit(actor, command)
        assert reply.ok, (step, reply)


def phone_commits(table: Table, chance: random.Random, actor: Actor = A) -> bool:
    """Do what the owner's phone does by itself when a commitment is due."""
    assert actor.seat is not None
    due = table.view(actor.seat).seal_due
    if due is None:
        return False
    salt = chance.randbytes(32)
    owner = Owner(table.game, actor.seat, due.power, due.start)
    made = commitment(owner, due.turn, due.value, salt)
    reply = table.submit(
        actor,
        Commit(
            do="commit",
            turn=due.turn,
            value=dict(due.value),
            salt=salt.hex(),
            commitment=made,
            seq=table.around.seq_for("A"),
        ),
    )
    assert reply.ok, reply
    return True


def hiding(store: Store, seed: int = 1) -> Table:
    """A game in which A has hidden two workers on a1 and a2."""
    table = Tables(store, beat=AT_ONCE).create(HIDING)
    assert table.submit(A, BringKey(do="key", key=KEY, seq=0)).ok
    do(table, B, "B1@b4", "B2@d2")
    do(table, A, "A1@a1", "A2@a2")
    assert phone_commits(table, random.Random(seed))
    return table


def test_without_the_key_nothing_can_be_hidden(store: Store) -> None:
    table = Tables(store, beat=AT_ONCE).create(HIDING)
    do(table, B, "B1@b4", "B2@d2")
    reply = table.submit(A, TakeStep(do="step", step="A1@a1", seq=table.around.seq_for("A")))
    assert reply.say is not None
    assert reply.say.key == "hidden.key_awaited"
    assert not table.submit(B, BringKey(do="key", key=KEY, seq=0)).ok


def test_the_disk_and_the_other_seats_know_nothing(store: Store, place: Path) -> None:
    table = hiding(store)
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    phone_commits(table, random.Random(2))
    for event in store.events(table.game):
        text = to_json(event.payload).decode()
        assert '"a1"' not in text
        assert '"b1"' not in text
        assert "A1:" not in text
    for view in (table.view("B"), table.public()):
        assert all(cell.worker is None or cell.worker.seat == "B" for cell in view.board)
        assert "A1:" not in to_json(asdict(view)).decode()
    assert b"A1:a1>b1" not in place.read_bytes()
    assert b"A1:a1>b1" not in Path(f"{place}-wal").read_bytes()
    own = table.view("A").secret
    assert own is not None
    assert own.workers == {"A1": "b1", "A2": "a2"}


def test_the_others_go_on_only_when_the_seal_is_there(store: Store) -> None:
    table = hiding(store)
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    do(table, B, "B1:b4>b5", "B1+b4")
    reply = table.submit(B, EndTurn(do="end", seq=table.around.seq))
    assert reply.say is not None
    assert reply.say.key == "hidden.checking"
    assert phone_commits(table, random.Random(2))
    do(table, B, "end")


def test_a_commitment_to_something_else_is_refused(store: Store) -> None:
    table = hiding(store)
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    lie = {"workers": {"A1": "e5", "A2": "a2"}}
    made = commitment(Owner(table.game, "A", "hecate"), 1, lie, b"s" * 32)
    salt = (b"s" * 32).hex()
    seq = table.around.seq
    assert not table.submit(A, Commit(do="commit", turn=1, value=lie, salt=salt, commitment=made, seq=seq)).ok
    truth = {"workers": {"A1": "b1", "A2": "a2"}}
    assert not table.submit(
        A, Commit(do="commit", turn=1, value=truth, salt=salt, commitment=made, seq=seq)
    ).ok
    assert not table.submit(
        B, Commit(do="commit", turn=1, value=truth, salt=salt, commitment=made, seq=seq)
    ).ok


def test_a_cancelled_turn_says_what_to_put_back(store: Store) -> None:
    table = hiding(store)
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    phone_commits(table, random.Random(2))
    do(table, B, "B2:d2>c2", "B2+b1", "end")
    notice = table.public().notice
    assert notice is not None
    assert notice.kind == "cancelled"
    assert [(item.kind, item.origin or item.target) for item in notice.put_back] == [("block", "b1")]
    assert table.public().to_move == "A"
    assert not table.submit(B, Undo(do="undo", turns=1, seq=table.around.seq)).ok


@pytest.mark.parametrize("mid_turn", [False, True])
def test_after_a_restart_the_game_waits_for_the_key_and_goes_on(store: Store, mid_turn: bool) -> None:
    table = hiding(store)
    if mid_turn:
        do(table, A, "A1:a1>b1")
    shown = table.public()
    again = Tables(store, beat=AT_ONCE).open(table.game)
    asleep = again.public()
    assert asleep.waiting_for_key == ("A",)
    assert (asleep.board, asleep.history, asleep.to_move) == (shown.board, shown.history, shown.to_move)
    assert again.view("A").key_wanted
    assert not again.view("B").key_wanted
    assert not again.submit(A, TakeStep(do="step", step="A1:a1>b2", seq=10**6)).ok
    wrong = again.submit(A, BringKey(do="key", key=OTHER, seq=0))
    assert wrong.say is not None
    assert wrong.say.key == "hidden.key_wrong"
    assert again.submit(A, BringKey(do="key", key=KEY, seq=0)).ok
    assert again.public().waiting_for_key == ()
    assert again.view("A").secret == table.view("A").secret
    do(again, A, "A1+c1" if mid_turn else "A1:a1>b1")


def test_a_lost_phone_the_secret_is_entered_again_and_the_game_is_not_verifiable(store: Store) -> None:
    table = hiding(store)
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    phone_commits(table, random.Random(2))
    renamed = Rename(do="rename", seat="B", name="Bea", seq=table.around.seq)
    assert table.submit(B, renamed).ok
    again = Tables(store, beat=AT_ONCE).open(table.game)
    on_top = EnterAgain(do="enter_again", key=OTHER, workers={"A1": "b4", "A2": "a2"}, seq=0)
    refused = again.submit(A, on_top)
    assert refused.say is not None
    assert refused.say.key == "hidden.not_there"
    where = {"A1": "b1", "A2": "a2"}
    assert again.submit(A, EnterAgain(do="enter_again", key=OTHER, workers=where, seq=0)).ok
    assert again.public().to_move == "B"
    assert not again.public().verifiable
    assert phone_commits(again, random.Random(3))
    do(again, B, "B1:b4>b5", "B1+b4", "end")
    do(again, A, "A2:a2>a3", "A2+a4", "end")
    assert phone_commits(again, random.Random(4))
    third = Tables(store, beat=AT_ONCE).open(table.game)
    assert third.submit(A, BringKey(do="key", key=OTHER, seq=0)).ok
    assert third.view("A").secret == again.view("A").secret
    assert third.public().board == again.public().board
    assert third.session == again.session, "names, wishes and chains too"
    assert third.session.plan.sitters[1].name == "Bea"


def test_at_the_end_everything_is_revealed_and_every_chain_holds(store: Store) -> None:
    table = hiding(store)
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    phone_commits(table, random.Random(2))
    assert table.public().chains == ()
    assert table.submit(B, Resign(do="resign", seq=table.around.seq)).ok
    view = table.public()
    assert view.result is not None
    assert view.result.winner == "A"
    assert view.result.reveal == {"A": {"A1": "b1", "A2": "a2"}}
    chains = [ChainRecord.from_json(chain) for chain in view.chains]
    assert [len(chain.revealed) for chain in chains] == [2]
    for chain in chains:
        chain.verify()


def test_a_hidden_space_is_bound_once(store: Store) -> None:
    table = Tables(store, beat=AT_ONCE).create(ABYSS)
    assert table.submit(A, BringKey(do="key", key=KEY, seq=0)).ok
    do(table, A, "A1@a1", "A2@a2")
    do(table, B, "B1@b4", "B2@d2")
    do(table, A, "abyss@c3")
    assert phone_commits(table, random.Random(1))
    assert not phone_commits(table, random.Random(1))
    assert table.view("B").secret is None
    assert "c3" not in to_json([t.turn for t in table.view("B").history]).decode()
    own = table.view("A").secret
    assert own is not None
    assert own.abyss == "c3"


class CountingClock:
    """A clock that stands still but for sleeping."""

    def __init__(self) -> None:
        self.now = 0.1

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(seconds, 0.0)


@pytest.mark.parametrize("work", [0.0, 0.01, 0.2])
def test_answers_come_on_the_beat_however_long_the_work_took(work: float) -> None:
    clock = CountingClock()
    beat = Beat(0.25, clock, clock.sleep)
    began = clock()
    clock.now += work
    beat.wait(began)
    assert clock.now == pytest.approx(0.5)


def test_work_that_took_too_long_is_released_on_a_later_beat() -> None:
    clock = CountingClock()
    beat = Beat(0.25, clock, clock.sleep)
    began = clock()
    clock.now += 0.9
    beat.wait(began)
    assert clock.now == pytest.approx(1.0)


def test_a_beat_that_is_met_by_a_hair_is_not_slept_backwards() -> None:
    clock, slept = CountingClock(), list[float]()
    clock.now = 16038.100000000002  # a multiple of the period, and the smallest step more
    Beat(0.05, clock, slept.append).wait(clock.now - 1)
    assert slept == [0.0]
