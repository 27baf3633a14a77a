"""A game: its setup plus its steps. Everything else is worked out from them, the same way every time."""

from __future__ import annotations

from engine.beside import beside_the_turn, set_up
from engine.match import Game, Outcome
from engine.opening import Opening
from engine.refusal import GAME_OVER, MUST_PLACE, WRONG_WORKER, Refusal
from engine.rules.arbiter import Deed
from engine.setup import Setup
from engine.steps import Agree, Draw, End, Pass, Proxy, Resign, Step
from engine.turning import commit, end_turn, next_turn, pass_turn, take_step
from engine.view import project, waiting_for_card


class ReplayError(ValueError):
    """A recorded step is refused; carries its number and the refusal."""

    def __init__(self, number: int, refusal: Refusal) -> None:
        super().__init__(f"step {number} is refused: {refusal.code}")
        self.number = number
        self.refusal = refusal


def begin(setup: Setup, opening: Opening | None = None) -> Game:
    """Begin a game; raise SetupError when the line-up is not allowed."""
    setup.allowed()
    table = setup.table()
    opening = opening or Opening()
    truth = opening.state(setup, table)
    game = Game(setup, opening, (), table, truth, truth, project(truth, None))
    return game if truth.setup is not None else next_turn(game, truth)


def replay(game: Game, deeds: list[tuple[str, Step]]) -> Game:
    """Play recorded steps; raise ReplayError at the first one that is refused."""
    for number, (seat, step) in enumerate(deeds):
        outcome = attempt(game, seat, step)
        if isinstance(outcome, Refusal):
            raise ReplayError(number, outcome)
        game = outcome.game
    return game


def undone(game: Game, count: int = 1) -> Game:
    """Give the game without its last steps."""
    kept = game.deeds[: len(game.deeds) - count]
    return replay(begin(game.setup, game.opening), [(d.seat, d.step) for d in kept])


def attempt(game: Game, seat: str, step: Step) -> Outcome | Refusal:
    """Try a step of a seat: an accepted game with what happened, or the reason why not."""
    if game.over:
        return Refusal(GAME_OVER)
    if seat not in game.table.seats:
        return Refusal(WRONG_WORKER)
    if isinstance(step, (Resign, Agree, Proxy, Draw)):
        return beside_the_turn(game, seat, step)
    if game.truth.setup is not None:
        return set_up(game, seat, step)
    if waiting_for_card(game.truth):
        return Refusal(MUST_PLACE, {"card": waiting_for_card(game.truth) or ""})
    if isinstance(step, End):
        return end_turn(game, seat)
    if isinstance(step, Pass):
        return pass_turn(game, seat)
    return take_step(game, seat, step)


__all__ = ["Deed", "Game", "Outcome", "ReplayError", "attempt", "begin", "commit", "replay", "undone"]
