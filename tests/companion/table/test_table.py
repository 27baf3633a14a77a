"""A table keeps everything before it shows it, and comes back from disk as it was."""

from __future__ import annotations

import pytest

from companion.store import Store
from companion.table.commands import (
    Actor,
    AnswerEnd,
    AnswerUndo,
    OfferEnd,
    Pause,
    Redo,
    Rename,
    Resign,
    Resume,
    SetHints,
    TakeStep,
    Undo,
    Why,
)  # fmt: skip
from companion.table.live import Table
from companion.table.session import fold
from companion.table.tables import NoSuchGameError, Tables
from engine.setup import SetupError
from tests.companion.table.playing import HOST, PLAIN, A, B, do, placed, play_some


def test_a_turn_by_taps(table: Table) -> None:
    view = table.view("A")
    assert view.to_move == "A"
    assert view.prompt is not None
    assert view.now.key == "phase.move"
    assert table.view("B").prompt is None
    do(table, A, "A1:b2>b3")
    assert table.view("A").now.key == "phase.build"
    assert table.view("B").turn == ("A1:b2>b3",)
    do(table, A, "A1+b2", "end")
    assert table.view("B").now.key == "phase.move"
    assert [t.turn for t in table.public().history][-1] == "A1:b2>b3 A1+b2"
    assert table.public().board[6].height == 1


def test_what_is_not_legal_says_why(table: Table) -> None:
    reply = table.submit(A, TakeStep(do="step", step="A1:b2>d5", seq=table.around.seq))
    assert not reply.ok
    assert reply.say is not None
    assert reply.say.key.startswith("reason.not_neighbour")
    reply = table.submit(A, TakeStep(do="step", step="what?", seq=table.around.seq))
    assert reply.say is not None
    assert reply.say.key == "reason.syntax"
    assert table.view("A").turn == ()


def test_tapping_a_dark_space_says_why(table: Table) -> None:
    before = table.around.seq
    reply = table.submit(A, Why(do="why", cell="b4", origin="b2", seq=0))
    assert reply.ok
    assert reply.say is not None
    assert reply.say.key.startswith("reason.")
    assert table.around.seq == before


def test_a_step_out_of_turn_or_out_of_date_is_refused(table: Table) -> None:
    reply = table.submit(B, TakeStep(do="step", step="B1:b4>b5", seq=table.around.seq))
    assert reply.say is not None
    assert reply.say.key == "error.not_your_turn"
    reply = table.submit(A, TakeStep(do="step", step="A1:b2>b3", seq=0))
    assert reply.say is not None
    assert reply.say.key == "error.too_late"


def test_what_touches_no_piece_makes_no_tap_stale(table: Table) -> None:
    seq = table.around.seq
    table.camera("hand")
    assert table.submit(A, TakeStep(do="step", step="A1:b2>b3", seq=seq)).ok


def test_own_steps_are_taken_back_at_once_and_played_again(table: Table) -> None:
    do(table, A, "A1:b2>b3")
    assert table.submit(A, Undo(do="undo", turns=0, seq=table.around.seq)).ok
    assert table.view("A").turn == ()
    assert table.view("A").may_redo
    assert table.submit(A, Redo(do="redo", seq=table.around.seq)).ok
    assert table.view("A").turn == ("A1:b2>b3",)


def test_a_turn_is_taken_back_when_the_other_agrees(table: Table) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    assert table.submit(A, Undo(do="undo", turns=1, seq=table.around.seq)).ok
    asked = table.view("B").undo
    assert asked is not None
    assert asked.asked_by == "A"
    assert not table.submit(A, AnswerUndo(do="undo_answer", yes=True, seq=table.around.seq)).ok
    assert table.submit(B, AnswerUndo(do="undo_answer", yes=True, seq=table.around.seq)).ok
    assert table.view("A").to_move == "A"
    assert table.public().board[6].height == 0


def test_the_table_asks_for_a_turn_and_takes_steps_back_at_once(table: Table) -> None:
    screen = Actor(None, "screen")
    do(table, A, "A1:b2>b3")
    assert table.submit(screen, Undo(do="undo", turns=0, seq=table.around.seq)).ok
    assert table.view("A").turn == ()
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    assert table.submit(screen, Undo(do="undo", turns=1, seq=table.around.seq)).ok
    asked = table.public().undo
    assert asked is not None
    assert (asked.asked_by, table.public().to_move) == ("A", "B")
    assert not table.submit(A, AnswerUndo(do="undo_answer", yes=True, seq=table.around.seq)).ok
    assert table.submit(B, AnswerUndo(do="undo_answer", yes=True, seq=table.around.seq)).ok
    assert table.view("A").to_move == "A"


def test_a_refused_request_changes_nothing(table: Table) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    table.submit(A, Undo(do="undo", turns=1, seq=table.around.seq))
    assert table.submit(B, AnswerUndo(do="undo_answer", yes=False, seq=table.around.seq)).ok
    assert table.view("A").undo is None
    assert table.view("A").to_move == "B"


def test_many_turns_are_taken_back_by_the_host(table: Table) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    do(table, A, "A1:b3>c3")
    assert table.submit(HOST, Undo(do="undo", turns=2, seq=table.around.seq)).ok
    assert table.view("A").to_move == "B"
    assert table.submit(HOST, Undo(do="undo", turns=1, seq=table.around.seq)).ok
    assert table.view("A").to_move == "A"
    for _ in range(2):
        assert table.submit(A, Redo(do="redo", seq=table.around.seq)).ok
    assert table.view("A").to_move == "A"
    assert len(table.public().history) == 4


def test_the_end_by_resigning_by_agreement_and_pausing(store: Store) -> None:
    tables = Tables(store)
    first, second = placed(tables.create(PLAIN)), placed(tables.create(PLAIN))
    assert first.submit(A, Pause(do="pause", seq=first.around.seq)).ok
    assert not first.submit(A, TakeStep(do="step", step="A1:b2>b3", seq=first.around.seq)).ok
    assert first.submit(B, Resume(do="resume", seq=first.around.seq)).ok
    assert first.submit(A, Resign(do="resign", seq=first.around.seq)).ok
    result = first.public().result
    assert result is not None
    assert result.winner == "B"
    assert second.submit(A, OfferEnd(do="offer_end", seq=second.around.seq)).ok
    assert not second.submit(A, AnswerEnd(do="answer_end", yes=True, seq=second.around.seq)).ok
    assert second.submit(B, AnswerEnd(do="answer_end", yes=True, seq=second.around.seq)).ok
    result = second.public().result
    assert result is not None
    assert result.winner is None
    assert {row.state for row in tables.saved()} == {"over"}


def test_names_and_hint_levels(table: Table) -> None:
    assert table.submit(A, Rename(do="rename", seat="A", name="Ann", seq=table.around.seq)).ok
    assert not table.submit(A, Rename(do="rename", seat="B", name="Ann", seq=table.around.seq)).ok
    assert table.submit(HOST, SetHints(do="hint_level", seat="B", level="off", seq=table.around.seq)).ok
    players = {p.seat: p for p in table.public().players}
    assert players["A"].name == "Ann"
    assert players["B"].hint_level == "off"


def test_the_state_is_on_disk_before_anybody_hears_of_it(store: Store) -> None:
    table = placed(Tables(store).create(PLAIN))
    seen: list[tuple[int, int]] = []
    table.subscribe(lambda: seen.append((len(store.events(table.game)), len(table.session.game.deeds))))
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    assert seen
    assert all(kept == deeds + 1 for kept, deeds in seen)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_comes_back_from_disk_as_it_was(store: Store, seed: int) -> None:
    powers = [("apollo", "athena"), ("demeter", "minotaur"), (None, None)][seed % 3]
    plan = {"players": [{"seat": s, "power": p} for s, p in zip("AB", powers)]}
    tables = Tables(store)
    table = tables.create(plan)
    play_some(table, seed, 60)
    shown = [table.view("A").board, table.view("B").history, table.public().result]
    tables.close(table.id)
    again = Tables(store).open(table.game)
    assert [again.view("A").board, again.view("B").history, again.public().result] == shown
    kept = fold((event.type, event.payload) for event in store.events(table.game))
    assert kept.game.to_json() == table.session.game.to_json()


def test_tables_are_found_listed_and_deleted(store: Store) -> None:
    tables = Tables(store)
    table = tables.create(PLAIN)
    assert tables.get(table.id) is table
    assert [row.game for row in tables.saved()] == [table.game]
    assert tables.delete(table.game)
    assert not tables.delete(table.game)
    assert tables.get(table.id) is None
    with pytest.raises(NoSuchGameError):
        tables.open(table.game)
    with pytest.raises(SetupError):
        tables.create({"players": [{"seat": "A", "power": "zorro"}, {"seat": "B"}]})


def test_running_games_are_opened_again(store: Store) -> None:
    game = Tables(store).create(PLAIN).game
    assert [table.game for table in Tables(store).reopen()] == [game]


def test_another_game_on_the_same_table_takes_everybody_along(store: Store) -> None:
    tables = Tables(store)
    table = placed(tables.create(PLAIN))
    told: list[str] = []
    table.subscribe(lambda: told.append(table.game))
    first, seq = table.game, table.around.seq
    tables.create_again(table, PLAIN)
    assert tables.get(table.id) is table
    assert table.game != first
    assert told == [table.game]
    assert table.around.seq > seq
    assert table.public().phase == "setup"
    placed(table)
    assert len(store.events(table.game)) == 5


def test_what_is_left_in_the_box_is_shown_and_a_lone_dome_gives_its_blocks_back(store: Store) -> None:
    position = {"board": ["32000", "00000", "00000", "00000", "00000"], "domes": ["a5"], "to_move": "A"}
    workers = {"A1": "b2", "A2": "d4", "B1": "b4", "B2": "d2"}
    plan = {
        "players": [{"seat": "A"}, {"seat": "B"}],
        "edition": "spinmaster2017",
        "opening": {"position": position | {"workers": workers}},
    }
    table = Tables(store).create(plan)
    assert table.public().supply == {"level1": 20, "level2": 16, "level3": 13, "dome": 17}
    step = TakeStep(do="step", step="proxy@a5", seq=table.around.seq)
    assert table.submit(A, step).ok
    assert table.view("B").supply == {"level1": 21, "level2": 17, "level3": 14, "dome": 17}
