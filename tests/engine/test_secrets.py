"""Two truths that differ only in another seat's secret, its history included, look the same to outsiders."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import engine.view
from engine.board import CELLS
from engine.explain import explain
from engine.game import Game, Outcome, attempt, begin
from engine.legal import complete_turns, may_end, next_steps, why_not, why_not_end
from engine.position import Position
from engine.rules.setting import current
from engine.setup import Setup
from engine.steps import Build, End, Lay, Move, Place, Resign, Step, move, parse_step
from engine.threats import threats
from engine.view import observe, observe_public

pytestmark = pytest.mark.slow

RIVALS = (
    "apollo", "artemis", "bia", "charybdis", "demeter", "europa", "gaea", "hermes", "medusa", "minotaur",
    "nemesis", "odysseus", "persephone", "poseidon", "siren", "triton", None,
)  # fmt: skip
TURNS = 14
HINTED = 12


class Twins:
    """Two games that only the seat with the secret can tell apart."""

    def __init__(self, setup: Setup, owner: str, seed: int) -> None:
        self.games = (begin(setup), begin(setup))
        self.owner = owner
        self.chance = random.Random(seed)
        self.compared = 0

    def outsiders(self) -> list[str]:
        return [seat for seat in self.games[0].table.seats if seat != self.owner]

    def compare(self) -> None:
        """Everything an outsider can ask is the same for both."""
        one, other = self.games
        assert observe_public(one) == observe_public(other)
        for seat in self.outsiders():
            views = (observe(one, seat), observe(other, seat))
            assert views[0] == views[1]
            assert repr(views[0].state.pos) == repr(views[1].state.pos)
            assert next_steps(views[0]) == next_steps(views[1])
            if views[0].state.turn is not None:
                assert may_end(views[0]) == may_end(views[1])
                assert why_not_end(views[0]) == why_not_end(views[1])
                for step in self.guesses(one, seat):
                    assert why_not(views[0], step) == why_not(views[1], step)
        if self.compared % HINTED == 0:
            self.compare_hints()
        self.compared += 1

    def compare_hints(self) -> None:
        """What may have been played, and who threatens what, are the same too."""
        one, other = self.games
        seat = self.outsiders()[0]
        views = (observe(one, seat), observe(other, seat))
        assert threats(views[0], 200, 20) == threats(views[1], 200, 20)
        if views[0].state.turn is not None and one.to_move == seat:
            prices = [{(h, ""): self.chance.random() for h in range(4)} for _ in CELLS]
            assert explain(views[0], prices, effort=60) == explain(views[1], prices, effort=60)

    def guesses(self, game: Game, seat: str) -> list[Step]:
        """Steps that somebody fishing for the secret would try."""
        view = observe(game, seat)
        mine = [w for w in view.position.workers if w[0] == seat]
        if not mine or not next_steps(view):
            return []
        worker = self.chance.choice(mine)
        start, goal = view.position.workers[worker], self.chance.choice(CELLS)
        return [move(worker, start, goal), Build(worker, goal, False), Build(worker, goal, True)]

    def both(self, seat: str, steps: tuple[Step, Step]) -> bool:
        """Take a step in both; False when the outcome tells them apart, as the rules may."""
        results = tuple(attempt(game, seat, step) for game, step in zip(self.games, steps, strict=True))
        assert all(isinstance(r, Outcome) for r in results), (seat, steps, results)
        one, other = (r for r in results if isinstance(r, Outcome))
        self.games = (one.game, other.game)
        return self.shown(one) == self.shown(other)

    def shown(self, outcome: Outcome) -> tuple[object, ...]:
        """What outsiders are told of an outcome."""
        told = [outcome.told(seat) for seat in self.outsiders()]
        return outcome.cancelled, outcome.cancelled_at, outcome.undo, outcome.game.over, told


def owner_turns(twins: Twins) -> tuple[tuple[Step, ...], tuple[Step, ...]] | None:
    """Choose a turn of the secret workers for each, with the same build in the open."""
    found: list[dict[tuple[int, bool], list[tuple[Step, ...]]]] = []
    for game in twins.games:
        turns: dict[tuple[int, bool], list[tuple[Step, ...]]] = {}
        for steps, state in complete_turns(observe(game, twins.owner)):
            builds = [s for s in steps if isinstance(s, Build)]
            if state.winner is None and len(builds) == 1:
                turns.setdefault((builds[0].cell, builds[0].dome), []).append(steps)
        found.append(turns)
    shared = sorted(set(found[0]) & set(found[1]))
    if not shared:
        return None
    build = twins.chance.choice(shared)
    return twins.chance.choice(found[0][build]), twins.chance.choice(found[1][build])


def choose(twins: Twins, seat: str) -> Step | None:
    view = observe(twins.games[0], seat)
    steps: list[Step] = list(next_steps(view))
    if view.state.turn is not None and may_end(view):
        steps.append(End())
    return twins.chance.choice(steps) if steps else None


def secret_steps(twins: Twins) -> tuple[Step, Step]:
    """Choose another secret for each game in the setup."""
    views = [observe(game, twins.owner) for game in twins.games]
    first, second = (list(next_steps(view)) for view in views)
    return twins.chance.choice(first), twins.chance.choice(second)


def run(twins: Twins) -> None:
    while not twins.games[0].over and len(twins.games[0].records) < TURNS:
        game = twins.games[0]
        twins.compare()
        seat = game.to_move or ""
        if game.truth.setup is not None and current(game.truth).seat == twins.owner and _secret(game):
            assert twins.both(seat, secret_steps(twins))
            continue
        if seat == twins.owner and game.table.hidden and game.truth.setup is None:
            if (turns := owner_turns(twins)) is None:
                return
            for pair in zip(turns[0], turns[1], strict=False):
                if not twins.both(seat, pair):
                    return
                twins.compare()
            if not twins.both(seat, (End(), End())):
                return
            continue
        step = choose(twins, seat)
        if step is None or not twins.both(seat, (step, step)):
            return
    if not twins.games[0].over:
        twins.compare()


def _secret(game: Game) -> bool:
    return current(game.truth).kind in ("fate", "abyss") or bool(game.table.hidden)


def setups(secret: str) -> list[Setup]:
    options = frozenset({"allow_banned"})
    two = [Setup.of(secret, rival, options=options) for rival in RIVALS]
    checked = [replace(setup, hecate_check="action") for setup in two[::3]]
    if secret == "tartarus":
        return [*two, *checked]
    return [*two, *checked, Setup.of("bia", secret, "harpies"), Setup.of("apollo", secret, "medusa")]


@pytest.mark.parametrize("secret", ["hecate", "moerae", "tartarus"])
def test_outsiders_cannot_tell_two_secrets_apart(secret: str) -> None:
    compared = 0
    for number, setup in enumerate(setups(secret)):
        owner = next(p.seat for p in setup.players if p.power == secret)
        for seed in range(2):
            twins = Twins(setup, owner, 100 * number + seed)
            run(twins)
            compared += twins.compared
    assert compared > 500


def _leaky(pos: Position[Any], hidden: frozenset[str]) -> Position[Any]:
    return pos


def test_a_leaked_worker_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.view, "seen_position", _leaky)
    with pytest.raises(AssertionError):
        for seed in range(20):
            run(Twins(Setup.of("hecate", None), "A", seed))


def test_a_leaked_space_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    project = engine.view.project

    def leaky(truth: Any, side: str | None) -> Any:
        return project(truth, side)._replace(secrets=truth.secrets)

    monkeypatch.setattr(engine.view, "project", leaky)
    monkeypatch.setattr("engine.turning.project", leaky)
    monkeypatch.setattr("engine.beside.project", leaky)
    with pytest.raises(AssertionError):
        for seed in range(20):
            run(Twins(Setup.of("tartarus", None), "A", seed))


def test_secrets_of_the_setup_are_not_told() -> None:
    game = begin(Setup.of(None, "moerae"))
    outcome = attempt(game, "B", Lay("fate", 7))
    assert isinstance(outcome, Outcome)
    assert outcome.told("A") == "" and outcome.told("B") == "fate@c2"
    assert observe(outcome.game, "A").secret.fate == -1
    assert observe(outcome.game, "B").secret.fate == 7


def test_hidden_workers_are_not_in_the_public_view() -> None:
    game = begin(Setup.of("hecate", None))
    for seat, step in (
        ("B", Place("B1", 0)),
        ("B", Place("B2", 1)),
        ("A", Place("A1", 12)),
        ("A", Place("A2", 13)),
    ):
        outcome = attempt(game, seat, step)
        assert isinstance(outcome, Outcome)
        game = outcome.game
    assert set(observe_public(game).position.workers) == {"B1", "B2"}
    assert set(observe(game, "A").position.workers) == {"A1", "A2", "B1", "B2"}
    mine = next(s for s in next_steps(observe(game, "A")) if isinstance(s, Move))
    outcome = attempt(game, "A", mine)
    assert isinstance(outcome, Outcome)
    assert outcome.told("B") == "" and observe(outcome.game, "B").telling == ""


def test_who_leaves_shows_the_secret() -> None:
    game = begin(Setup.of("moerae", None, None))
    texts = "fate@b2|A1@a1 A2@a2 A3@a3|B1@e1 B2@e2|C1@e4 C2@e5"
    for text, seat in zip(texts.split("|"), "AABC", strict=True):
        for word in text.split():
            outcome = attempt(game, seat, parse_step(word))
            assert isinstance(outcome, Outcome)
            game = outcome.game
    assert observe(game, "B").revealed == {}
    left = attempt(game, "A", Resign())
    assert isinstance(left, Outcome) and not left.game.over
    assert observe(left.game, "B").revealed["A"].fate == 6
    assert observe_public(left.game).revealed["A"].fate == 6
