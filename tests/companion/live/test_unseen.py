"""What the board cannot show is asked for on the right phone at the right time, and only then."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import BringKey, Redo, Undo
from companion.table.tables import Tables
from tests.companion.live.sitting import HOST, SEAT, Sitting, changed
from tests.companion.table.test_secrets import phone_commits

pytestmark = pytest.mark.slow

WORKERS = {"A1": "b2", "A2": "d4", "B1": "b4", "B2": "d2"}
FLAT = ["00000"] * 5
HIGH = ["00000", "00000", "00310", "00000", "00000"]
"""A complete tower but for its dome on c3."""
Sit = Callable[..., Sitting]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    with Store.open(tmp_path / "santorini.db") as store:
        tables = Tables(store, beat=Beat(1e-6))

        def begin(*powers: str | None, to_move: str = "A", board: list[str] = FLAT, **more: Any) -> Sitting:
            players = [{"seat": seat, "power": power} for seat, power in zip("AB", powers, strict=True)]
            workers = more.pop("workers", WORKERS)
            position = {"board": board, "domes": [], "workers": workers, "to_move": to_move}
            opening = {"position": position, "memory": more.pop("memory", {})}
            plan = {"players": players, "options": {"allow_banned": True}, **more}
            if more.pop("placing", False):
                return Sitting(tables.create(plan))
            return Sitting(tables.create({**plan, "opening": opening}))

        yield begin


def steps(table: Sitting, seat: str) -> set[str]:
    """The steps that a seat's phone offers."""
    prompt = table.table.view(seat).prompt
    return {offer.step for offer in prompt.steps} if prompt is not None else set()


def ends(table: Sitting, seat: str) -> bool:
    prompt = table.table.view(seat).prompt
    return prompt is not None and prompt.may_end


@pytest.mark.parametrize(("power", "token"), [("aeolus", "wind"), ("siren", "song")])
def test_a_direction_is_asked_for_in_the_setup_on_its_own_phone(sit: Sit, power: str, token: str) -> None:
    table = sit(power, None, placing=True)
    assert {step.partition("@")[0] for step in steps(table, "A")} == {token}
    assert table.table.view("A").now.key == f"ask.{token}" and not steps(table, "B")
    table.tap("A", f"{token}@NE")
    assert not any(step.startswith(token) for step in steps(table, "A") | steps(table, "B"))


def test_the_wind_may_turn_after_the_turn_on_the_board_and_not_before(sit: Sit) -> None:
    table = sit("aeolus", None)
    assert not any(step.startswith("wind") for step in steps(table, "A"))
    table.hands("A1:b2>c3")
    assert not any(step.startswith("wind") for step in steps(table, "A"))
    table.hands("A1+c4")
    assert "wind@S" in steps(table, "A") and not steps(table, "B") and not table.turns
    table.tap("A", "wind@S", "end")
    assert table.turns == ["A1:b2>c3 A1+c4 wind@S"]


def test_the_wind_that_is_left_alone_is_declined_by_the_next_move(sit: Sit) -> None:
    table = sit("aeolus", None)
    table.hands("A1:b2>c3 A1+c4")
    table.change(b4="0", b3="0B")
    assert table.turns == ["A1:b2>c3 A1+c4"] and table.so_far == ("B1:b4>b3",)
    assert not any(step.startswith("wind") for step in steps(table, "A"))


def test_a_mark_is_asked_for_when_the_board_has_shown_the_rest(sit: Sit) -> None:
    table = sit("adonis", None)
    assert not any(step.startswith("mark") for step in steps(table, "A"))
    table.hands("A1:b2>c3 A1+c4")
    assert {"mark@B1", "mark@B2"} == steps(table, "A") and ends(table, "A") and not steps(table, "B")
    now = table.table.view("A").now
    assert (now.key, now.facts["power"]["key"]) == ("phase.end_power", "power.adonis.name")
    table.tap("A", "mark@B2", "end")
    assert table.turns == ["A1:b2>c3 A1+c4 mark@B2"]


@pytest.mark.parametrize(("power", "token"), [("europa", "talus@c4"), ("charybdis", "whirlpool@e5")])
def test_a_token_is_asked_for_when_the_board_has_shown_the_rest(sit: Sit, power: str, token: str) -> None:
    table = sit(power, None)
    table.hands("A1:b2>c3")
    assert token not in steps(table, "A")
    table.hands("A1+c4")
    assert token in steps(table, "A") and not steps(table, "B") and not table.turns
    table.tap("A", token, "end")
    assert table.turns == [f"A1:b2>c3 A1+c4 {token}"]


@pytest.mark.parametrize("power", ["europa", "charybdis"])
def test_a_token_that_is_left_alone_is_declined_by_the_next_move(sit: Sit, power: str) -> None:
    table = sit(power, None)
    table.hands("A1:b2>c3 A1+c4")
    table.change(b4="0", b3="0B")
    assert table.turns == ["A1:b2>c3 A1+c4"] and table.so_far == ("B1:b4>b3",)


def test_the_bank_goes_on_as_long_as_pieces_lie_on_the_card(sit: Sit) -> None:
    """Nobody is asked how many pieces lie there: the card is counted, and the rest is on the board."""
    table = sit("morpheus", None, memory={"A": {"bank": 1}})
    table.hands("A1:b2>c3")
    assert ends(table, "A") and "A1+c4" in steps(table, "A") and not table.turns
    assert table.table.view("A").now.key == "phase.end_power"
    for _ in range(2):
        table.hands("A1+c4")
    assert table.turns == ["A1:b2>c3 A1+c4 A1+c4"], "the card is empty, so the turn is over"


@pytest.mark.parametrize("bank", [2, 4, 9])
def test_a_full_bank_is_built_from_piece_by_piece_without_a_question(sit: Sit, bank: int) -> None:
    table = sit("morpheus", None, memory={"A": {"bank": bank}})
    table.hands("A1:b2>c3")
    for count, piece in enumerate(("A1+c4", "A1+b3", "A1+c4"), 1):
        table.hands(piece)
        assert (
            table.table.view("A").question is None
            and len(table.so_far or table.turns[0].split()) == 1 + count
        )
    table.change(b4="0", b5="0B")
    assert table.turns == ["A1:b2>c3 A1+c4 A1+b3 A1+c4"]


def test_a_bank_that_is_saved_up_ends_on_the_phone_or_by_the_next_move(sit: Sit) -> None:
    table = sit("morpheus", None, memory={"A": {"bank": 1}})
    table.hands("A1:b2>c3")
    table.change(b4="0", b3="0B")
    assert table.turns == ["A1:b2>c3"] and table.so_far == ("B1:b4>b3",)


GAEA: dict[str, Any] = {"board": HIGH, "to_move": "B", "memory": {"A": {"reserve": ["A3", "A4"]}}}
GAEA["workers"] = {"A1": "e5", "A2": "a5", "B1": "b2", "B2": "e1"}


def test_the_owner_of_waiting_workers_is_asked_at_a_dome_of_the_other(sit: Sit) -> None:
    table = sit("gaea", None, **GAEA)
    table.hands("B1:b2>c2")
    assert not steps(table, "A")
    table.change(c3="3dome")
    assert "A3@b4" in steps(table, "A") and table.table.view("A").now.key == "phase.place_extra"
    assert not table.turns, "the turn waits for the answer"
    table.tap("A", "A3@b4")
    table.change(b4="0A")
    assert table.table.public().notice is None


def test_the_waiting_worker_may_simply_be_put_on_the_board(sit: Sit) -> None:
    table = sit("gaea", None, **GAEA)
    table.change(b2="0", c2="0B", c3="3dome")
    assert not table.turns
    table.change(b4="0A")
    assert table.table.public().board[16].worker is not None


def test_declining_to_place_is_the_next_players_move(sit: Sit) -> None:
    table = sit("gaea", None, **GAEA)
    table.change(b2="0", c2="0B", c3="3dome")
    table.change(e5="0", e4="0A")
    assert table.turns == ["B1:b2>c2 B1^c3"] and not any("@" in step for step in steps(table, "A"))


def test_a_card_is_asked_for_after_a_turn_with_a_dome_and_hands_wait_for_it(sit: Sit) -> None:
    memory = {"A": {"face_up": "athena", "deck": [], "discard": []}}
    table = sit("chaos", None, board=HIGH, workers=GAEA["workers"] | {"A1": "b2", "B1": "e5"}, memory=memory)
    assert not any(step.startswith("card") for step in steps(table, "A") | steps(table, "B"))
    table.change(b2="0", c2="0A", c3="3dome")
    assert len(table.turns) == 1
    assert any(step.startswith("card") for step in steps(table, "A") | steps(table, "B"))
    assert [table.table.view(seat).now.key for seat in "AB"] == ["ask.chaos"] * 2
    card = min(step for step in steps(table, "A") if step.startswith("card"))
    table.tap("A", card)
    assert not any(step.startswith("card") for step in steps(table, "A") | steps(table, "B"))
    table.change(e5="0", e4="0B", e3="1")
    assert len(table.turns) >= 2


# ---- hidden workers ------------------------------------------------------------------------------------


def hidden(sit: Sit) -> Sitting:
    """Hecate's workers stand on c4 and e1 and on nobody's board; B is to move."""
    workers = {"A1": "c4", "A2": "e1", "B1": "b4", "B2": "d2"}
    table = sit("hecate", None, to_move="B", workers=workers)
    assert table.table.submit(SEAT["A"], BringKey(do="key", key="ab" * 32, seq=0)).ok
    assert phone_commits(table.table, random.Random(1))
    table.show(table.board)
    return table


def test_against_a_secret_no_turn_is_said_to_end_by_the_next_players_move(sit: Sit) -> None:
    table = hidden(sit)
    table.hands("B1:b4>b5 B1+b4", looks=6)
    assert table.so_far == ("B1:b4>b5", "B1+b4") and not table.table.public().provisional
    assert table.table.view("B").now.key == "phase.confirm_secret"
    table.tap("B", "end")
    assert table.table.public().to_move == "A" and not table.table.public().provisional


def test_a_turn_that_a_hidden_worker_prevents_is_put_back_like_any_other(sit: Sit) -> None:
    table = hidden(sit)
    start = table.board
    table.hands("B1:b4>b5 B1+c4", looks=6)
    assert table.turns == [] and table.so_far == ("B1:b4>b5", "B1+c4")
    table.tap("B", "end")
    notice = table.table.public().notice
    assert notice is not None and notice.kind == "cancelled" and notice.put_back
    after = table.board
    table.show(after, looks=4)
    notice = table.table.public().notice
    assert notice is not None and notice.kind == "cancelled", "what is not put back yet is still on the list"
    assert [thing.key for thing in notice.put_back] == ["put.blocks_off"]
    table.show(changed(after, c4="0"))
    assert table.table.public().notice is None
    assert start != table.board and table.table.public().sync is None


def test_a_hidden_seat_never_has_its_turn_taken_by_sight(sit: Sit) -> None:
    table = hidden(sit)
    table.hands("B1:b4>b5 B1+b4")
    table.tap("B", "end")
    table.change(c3="1")
    assert len(table.turns) == 1 and table.so_far == ()


def test_an_undo_past_an_answer_from_a_secret_is_refused_before_it_is_asked_for(sit: Sit) -> None:
    table = hidden(sit)
    table.hands("B1:b4>b5 B1+b4")
    assert table.table.public().may_undo, "the turn in play may be taken back"
    table.tap("B", "end")
    assert not table.table.public().may_undo and not table.table.view("B").may_undo
    assert table.table.view("B").undo_barred, "said before it is asked for"
    reply = table.table.submit(HOST, Undo(do="undo", turns=1, seq=table.table.around.seq))
    assert not reply.ok and reply.say is not None and reply.say.key == "undo.secret"


def test_any_number_of_turns_is_taken_back_and_played_again_with_its_list(sit: Sit) -> None:
    table = sit(None, None)
    start, turns = table.board, ["A1:b2>c3 A1+c4", "B1:b4>b3 B1+b4", "A1:c3>c2 A1+c3", "B1:b3>a3 B1+b3"]
    for turn in turns:
        table.hands(turn)
    after = table.board
    assert table.undo(4).ok and table.turns == []
    table.show(after)
    notice = table.table.public().notice
    assert notice is not None and len(notice.put_back) >= 4
    table.show(start)
    assert table.table.public().notice is None
    for _ in turns:
        assert table.table.submit(HOST, Redo(do="redo", seq=table.table.around.seq)).ok
    assert table.turns == turns and not table.table.public().may_redo
    table.show(start)
    notice = table.table.public().notice
    assert notice is not None and len(notice.put_back) >= 4
    table.show(after)
    assert table.table.public().notice is None
