"""Lines that must not type-check: each would let a secret out. The test beside it sees every one fail."""

# ruff: noqa: F841
from __future__ import annotations

from engine.game import Game
from engine.legal import complete_turns, forward, may_end, next_steps, why_not
from engine.position import Position, Seen, Truth
from engine.rules.flow import begin_turn
from engine.state import State
from engine.steps import Step
from engine.view import PublicView, View, begun, observe, observe_public


def publish(view: PublicView) -> None:
    """Stands for everything that leaves the process for everybody."""


def send(view: View) -> None:
    """Stands for everything that leaves the process for one seat."""


def show(position: Position[Seen]) -> None:
    """Stands for a picture of the board on a phone."""


def allowed(game: Game, step: Step) -> None:
    """Nothing here is a leak: the test checks that these lines pass."""
    view = observe(game, "A")
    publish(observe_public(game))
    send(view)
    show(view.position)
    show(observe_public(game).position)
    next_steps(view)


def leaks(game: Game, step: Step, truth: State[Truth], seen: State[Seen]) -> None:
    """Every line marked so has to be refused."""
    publish(game)  # leak
    publish(game.truth)  # leak
    publish(observe(game, "A"))  # leak
    send(game)  # leak
    send(game.truth)  # leak
    send(observe_public(game))  # leak
    show(game.truth.pos)  # leak
    show(truth.pos)  # leak
    next_steps(game)  # leak
    next_steps(truth)  # leak
    next_steps(game.truth)  # leak
    may_end(game)  # leak
    why_not(truth, step)  # leak
    forward(truth, step)  # leak
    complete_turns(truth)  # leak
    View("A", truth, observe(game, "A").secret, (), "", (), game.setup)  # leak
    PublicView(truth, (), "", (), game.setup)  # leak
    begun(truth)  # leak
    seen = truth  # leak
    seen = begin_turn(truth, "A")  # leak
    known: Position[Seen] = truth.pos  # leak
    view: View = observe_public(game)  # leak
