"""Positions and games for the referee's tests."""

from __future__ import annotations

from engine.game import Game, Outcome, attempt, begin
from engine.opening import Opening
from engine.setup import Setup
from engine.steps import End, parse_turn

FLAT = ["00000"] * 5
WORKERS = {"A1": "b2", "A2": "d4", "B1": "b4", "B2": "d2"}


def game(
    *powers: str | None,
    board: list[str] | None = None,
    domes: list[str] | None = None,
    workers: dict[str, str] | None = None,
    to_move: str = "A",
    **more: object,
) -> Game:
    setup = Setup.of(*(powers or (None, None)), options=frozenset({"allow_banned"}))
    position = {
        "board": board or FLAT,
        "domes": domes or [],
        "workers": workers or WORKERS,
        "to_move": to_move,
        **more,
    }
    return begin(setup, Opening.from_json({"position": position}))


def play(start: Game, turn: str, end: bool = True) -> Game:
    seat = start.to_move or ""
    for step in parse_turn(turn):
        outcome = attempt(start, seat, step)
        assert isinstance(outcome, Outcome), (turn, outcome)
        start = outcome.game
    if end and not start.over:
        outcome = attempt(start, seat, End())
        assert isinstance(outcome, Outcome), (turn, outcome)
        start = outcome.game
    return start
