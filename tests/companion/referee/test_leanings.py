"""What people lean to where several turns are possible."""

from companion.referee.boards import costs_of, standing
from companion.referee.decisions import Candidate
from companion.referee.fakes import SureEye, drawn
from companion.referee.leanings import leaning
from companion.referee.legal import legal_candidates
from companion.referee.odds import ALBUM, LIVE
from companion.referee.tracking import view_of
from engine.refusal import Refusal
from engine.steps import format_step
from tests.companion.referee.positions import game

BOARD = ["00000", "01000", "00100", "00020", "00000"]


def leanings(worker: str) -> dict[str, float]:
    """The leaning to every turn of the first player's, with worker A1 on a cell."""
    start = game(board=BOARD, workers={"A1": worker, "A2": "a5", "B1": "e1", "B2": "e5"})
    here = standing(view_of(start))
    costs = costs_of(SureEye().look(drawn(here)))
    turns = [c for c in legal_candidates(view_of(start), costs, 400) if c.ends]
    return {" ".join(map(format_step, c.steps)): leaning(c, here, ALBUM) for c in turns}


def test_people_climb_stay_high_and_build_on_what_stands() -> None:
    low, high = leanings("b2"), leanings("b4")
    assert low["A1:b2>c3 A1+c4"] > low["A1:b2>b3 A1+c4"]
    assert high["A1:b4>c3 A1+b3"] > high["A1:b4>b3 A1+a3"]
    assert high["A1:b4>c3 A1+d2"] > high["A1:b4>c3 A1+b4"] > high["A1:b4>c3 A1+b3"]


def test_unlawful_turns_are_leant_to_alike_and_beginnings_are_not() -> None:
    start = game(board=BOARD, workers={"A1": "b3", "A2": "a5", "B1": "e1", "B2": "e5"})
    here = standing(view_of(start))
    costs = costs_of(SureEye().look(drawn(here)))
    turn = next(c for c in legal_candidates(view_of(start), costs, 400) if c.ends and len(c.steps) == 2)
    unlawful = Candidate(turn.steps, turn.board, False, refusal=Refusal("no_power", {}))
    beginning = Candidate(turn.steps, turn.board, False)
    assert leaning(unlawful, here, ALBUM) == leaning(turn, here, ALBUM)
    assert leaning(beginning, here, ALBUM) == 0.0
    assert leaning(turn, here, LIVE) == 0.0
