"""Two seats hide something and a phone is lost: the other seat's secret and its seals stay as they were."""

from __future__ import annotations

import random

import pytest

from companion.secrets import ChainRecord
from companion.store import Store
from companion.table.commands import Actor, BringKey, EnterAgain, Reply, Resign
from companion.table.importing import facts_of
from companion.table.live import Table
from companion.table.recording import verify
from companion.table.session import fold
from companion.table.tables import Tables
from engine.record import Record, format_record, parse_record
from tests.companion.table.test_secrets import AT_ONCE, KEY, OTHER, A, B, do, phone_commits

NEW, NEWER = "ef" * 32, "12" * 32
BOTH = {
    "players": [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": "tartarus"}],
    "options": {"allow_banned": True},
}
AT = {"A1": "b1", "A2": "a2"}


def both_hiding(store: Store) -> Table:
    """A has hidden workers, now on b1 and a2, and bound them twice; B has hidden c3; it is B's turn."""
    table = Tables(store, beat=AT_ONCE).create(BOTH)
    assert table.submit(A, BringKey(do="key", key=KEY, seq=0)).ok
    assert table.submit(B, BringKey(do="key", key=OTHER, seq=0)).ok
    do(table, B, "B1@b4", "B2@d2")
    do(table, A, "A1@a1", "A2@a2")
    do(table, B, "abyss@c3")
    all_commit(table, 1)
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    all_commit(table, 2)
    return table


def all_commit(table: Table, seed: int) -> None:
    for number, actor in enumerate((A, B)):
        phone_commits(table, random.Random(10 * seed + number), actor)


def enter(table: Table, actor: Actor, key: str, **secret: object) -> Reply:
    return table.submit(
        actor, EnterAgain.model_validate({"do": "enter_again", "key": key, "seq": 0, **secret})
    )


def opened_again(store: Store, game: str, *keys: tuple[Actor, str]) -> Table:
    """Restart, and let the phones that are left bring their keys."""
    table = Tables(store, beat=AT_ONCE).open(game)
    for actor, key in keys:
        assert table.submit(actor, BringKey(do="key", key=key, seq=0)).ok
    return table


def go_on(table: Table) -> None:
    """Play a turn each, every phone binding what it has to."""
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    all_commit(table, 3)
    do(table, A, "A2:a2>a3", "A2+a4", "end")
    all_commit(table, 4)


@pytest.mark.parametrize("first", ["the key", "the lost one"])
def test_the_other_seat_keeps_its_secret_and_its_seals(store: Store, first: str) -> None:
    table = both_hiding(store)
    sealed = [entry for entry in table.session.commitments if entry.seat == "B"]
    again = Tables(store, beat=AT_ONCE).open(table.game)
    assert again.public().waiting_for_key == ("A", "B")
    if first == "the key":
        assert again.submit(B, BringKey(do="key", key=OTHER, seq=0)).ok
        assert again.public().waiting_for_key == ("A",)
        assert enter(again, A, NEW, workers=AT).ok
    else:
        assert enter(again, A, NEW, workers=AT).ok
        assert again.public().waiting_for_key == ("B",), "B's phone is still expected"
        assert not again.view("A").key_wanted
        assert again.submit(B, BringKey(do="key", key=OTHER, seq=0)).ok
    assert again.public().waiting_for_key == ()
    assert again.view("B").secret == table.view("B").secret
    assert again.view("A").secret == table.view("A").secret
    assert [entry for entry in again.session.commitments if entry.seat == "B"] == sealed
    assert set(again.session.chain_starts) == {"A"}, "only A cannot be checked"
    all_commit(again, 5)
    go_on(again)
    third = opened_again(store, table.game, (A, NEW), (B, OTHER))
    assert third.session == again.session


def test_both_chains_hold_at_the_end_and_in_the_record(store: Store) -> None:
    table = both_hiding(store)
    again = opened_again(store, table.game, (B, OTHER))
    assert enter(again, A, NEW, workers=AT).ok
    all_commit(again, 5)
    go_on(again)
    assert again.submit(B, Resign(do="resign", seq=again.around.seq_for("B"))).ok
    chains = {chain["owner"]["seat"]: ChainRecord.from_json(chain) for chain in again.public().chains}
    for chain in chains.values():
        chain.verify()
    assert chains["B"].owner.verifiable and not chains["A"].owner.verifiable
    record = record_of(store, table.game, (A, NEW), (B, OTHER))
    verdict = verify(record)
    assert verdict.holds, verdict.lines
    assert any("seat B" in line and "hold" in line and "lost" not in line for line in verdict.lines)
    assert any("seat A" in line and "lost" in line for line in verdict.lines)
    assert fold([(f.type, f.payload) for f in facts_of(record)]).game.over


def record_of(store: Store, game: str, *keys: tuple[Actor, str]) -> Record:
    tables = Tables(store, beat=AT_ONCE)
    table = tables.open(game)
    for actor, key in keys:
        assert table.submit(actor, BringKey(do="key", key=key, seq=0)).ok
    return parse_record(format_record(tables.record(game)))


def test_the_hidden_workers_of_a_seat_that_kept_its_key_are_where_they_were(store: Store) -> None:
    """B's phone is lost, so A's workers have to come from A's own sealed events, undone steps and all."""
    table = both_hiding(store)
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    do(table, A, "A2:a2>a3")
    again = opened_again(store, table.game, (A, KEY))
    assert enter(again, B, NEW, abyss="c3").ok
    secret = again.view("A").secret
    assert secret is not None and secret.workers == AT, "the turn in play begins anew"
    all_commit(again, 5)
    do(again, A, "A2:a2>a3", "A2+a4", "end")
    all_commit(again, 6)
    assert again.public().to_move == "B"
    third = opened_again(store, table.game, (A, KEY), (B, NEW))
    assert third.session == again.session


def test_what_is_entered_wrong_is_asked_for_again(store: Store) -> None:
    table = both_hiding(store)
    again = opened_again(store, table.game, (B, OTHER))
    refused = enter(again, A, NEW, workers={"A1": "b4", "A2": "a2"})
    assert refused.say is not None and refused.say.key == "hidden.not_there"
    assert again.public().waiting_for_key == ("A",) and again.view("A").key_wanted
    assert enter(again, A, NEW, workers=AT).ok
    assert again.public().waiting_for_key == ()


def test_both_phones_lost_and_a_second_one_later(store: Store) -> None:
    table = both_hiding(store)
    again = Tables(store, beat=AT_ONCE).open(table.game)
    assert enter(again, A, NEW, workers=AT).ok
    assert enter(again, B, NEWER, abyss="c3").ok
    assert again.public().waiting_for_key == ()
    assert set(again.session.chain_starts) == {"A", "B"}
    all_commit(again, 5)
    go_on(again)
    third = opened_again(store, table.game, (B, NEWER))
    assert enter(third, A, KEY, workers={"A1": "b1", "A2": "a3"}).ok
    all_commit(third, 7)
    do(third, B, "B1:b5>c5", "B1+b5", "end")
    all_commit(third, 8)
    fourth = opened_again(store, table.game, (A, KEY), (B, NEWER))
    assert fourth.session == third.session
    own = fourth.view("B").secret
    assert own is not None and own.abyss == "c3"
