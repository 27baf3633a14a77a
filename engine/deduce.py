"""Where a hidden thing can still be: every secret that fits everything everybody has been told.

A hypothesis is a whole game with some secret. News strikes out those that would have been told otherwise;
a turn in secret replaces each by all that could have come of it. Nothing here sees the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.board import ALL, CELLS, NEAR, NOWHERE, cells_in, mask_of, near_any
from engine.events import Moved
from engine.game import attempt, begin
from engine.match import Game, Outcome
from engine.news import Beside, HiddenTurn, News, OpenTurn, SetUp
from engine.opening import Opening
from engine.position import Position, Seen
from engine.rules.reasons import take, tries
from engine.rules.search import after, owes
from engine.rules.setting import setup_steps
from engine.setup import Setup
from engine.state import State
from engine.steps import Build, End, Move, Step, StepSyntaxError, parse_step
from engine.turning import commit


@dataclass(frozen=True)
class Deduction:
    """All games that everybody must still think possible, one for each secret."""

    games: tuple[Game, ...]

    @property
    def cells(self) -> int:
        """The spaces where something hidden can be."""
        return mask_of([cell for game in self.games for cell in hidden_cells(game)])

    @property
    def sure(self) -> int:
        """The spaces where something hidden is in every case."""
        left = ALL if self.games else 0
        for game in self.games:
            left &= mask_of(hidden_cells(game))
        return left


NEAR_TWICE: Final = tuple(near_any(cells_in(NEAR[cell])) | NEAR[cell] for cell in CELLS)
"""The spaces from which a worker can be next to a space after one move."""


def hidden_workers(game: Game) -> tuple[int, ...]:
    """List the spaces of hidden workers in one hypothesis."""
    return tuple(cell for worker, cell in game.truth.pos.workers.items() if worker[0] in game.table.hidden)


def hidden_cells(game: Game) -> tuple[int, ...]:
    """List the spaces of everything hidden in one hypothesis."""
    found = list(hidden_workers(game))
    for secret in game.truth.secrets.values():
        if secret.abyss != NOWHERE:
            found.append(secret.abyss)
        if secret.fate != NOWHERE:
            found += [secret.fate + step for step in (0, 1, 5, 6)]
    return tuple(found)


def deduction(setup: Setup, opening: Opening | None = None) -> Deduction:
    """Begin with the one game in which nothing has been hidden yet."""
    return Deduction((begin(setup, opening),))


def learn(known: Deduction, news: News) -> Deduction:
    """Give what is possible after the news."""
    if isinstance(news, HiddenTurn):
        return Deduction(_distinct(_hidden_turns(known.games, news)))
    return Deduction(_distinct(game for before in known.games for game in _after(before, news)))


def _after(game: Game, news: News) -> Iterator[Game]:
    """Give what one hypothesis becomes; nothing where the news contradicts it."""
    match news:
        case SetUp(seat, None):
            for step in setup_steps(game.truth):
                yield from _stepped(game, seat, step)
        case SetUp(seat, step) | Beside(seat, step):
            if step is not None:
                yield from _stepped(game, seat, step)
        case OpenTurn():
            yield from _open_turn(game, news)
        case HiddenTurn():
            yield from _hidden_turns((game,), news)


def _stepped(game: Game, seat: str, step: Step) -> Iterator[Game]:
    """Take a step where it is possible."""
    outcome = attempt(game, seat, step)
    if isinstance(outcome, Outcome):
        yield outcome.game


def _open_turn(game: Game, news: OpenTurn) -> Iterator[Game]:
    """Carry the declared turn out on this hypothesis and compare what would have been told."""
    if game.over or game.truth.turn is None or game.plan.now.seat != news.plan.now.seat:
        return
    count = len(game.records)
    if game.deferred and isinstance(news.step, End):
        declared = replace(game, plan=news.plan, pending=news.pending, current=news.current)
        results: Iterable[Game] = (commit(declared).game,)
    else:
        results = _all_steps(game, news)
    for result in results:
        told = result.records[count].told(None, result.table) if len(result.records) > count else None
        if told == news.told and not result.over:
            yield result


def _all_steps(game: Game, news: OpenTurn) -> Iterator[Game]:
    """Take the steps of a turn one by one, where nothing is deferred."""
    for deed in news.pending:
        outcome = attempt(game, deed.seat, deed.step)
        if not isinstance(outcome, Outcome):
            return
        game = outcome.game
    yield from _stepped(game, news.seat, news.step)


def _hidden_turns(games: Iterable[Game], news: HiddenTurn) -> Iterator[Game]:
    """Give all that a turn in secret can have done that would have been told like this.

    Of several ways to the same places only one is played through: nothing that is kept tells them apart.
    """
    built, seen = _built(news.told), set[object]()
    for game in games:
        if game.over or game.truth.turn is None or game.plan.now.seat != news.seat:
            continue
        memory, plain = _memory(game), not news.replies and not _reacts(game)
        for steps, done in _ways(game, news.seat, built):
            key = (memory, _places(done.pos, game, memory))
            if plain and key in seen:
                continue
            seen.add(key)
            yield from _played(game, news, steps)


def _built(told: str) -> tuple[int, bool] | None:
    """Read the space and piece that were built."""
    for word in told.replace("[", " ").replace("]", " ").split():
        try:
            step = parse_step(word)
        except StepSyntaxError:
            continue
        if isinstance(step, Build):
            return step.cell, step.dome
    return None


def _reacts(game: Game) -> bool:
    """Whether some power does something when a worker has moved."""
    return any(holder.power.id for holder in game.plan.now.cast.then.get(Moved, ()))


def _ways(
    game: Game, seat: str, built: tuple[int, bool] | None
) -> Iterator[tuple[tuple[Step, ...], State[Seen]]]:
    """List a move and a build in secret that fit what was built, and where they lead."""
    if built is None:
        return
    cell, dome = built
    # Where nothing reacts to a move, a worker builds from the space it moved to.
    reacting = _reacts(game)
    if not reacting and not NEAR_TWICE[cell] & mask_of(list(hidden_workers(game))):
        return
    for trial in tries(game.plan, seat):
        step = trial.offer.step
        if not isinstance(step, Move) or not (reacting or NEAR[step.end] >> cell & 1):
            continue
        moved = after(game.plan, trial)
        if isinstance(moved, str):
            continue
        where = moved.pos.workers.get(step.worker, NOWHERE)
        if where == NOWHERE or not NEAR[where] >> cell & 1:
            continue
        build = Build(step.worker, cell, dome)
        done = take(moved, seat, build)
        if done is not None and owes(done) is None:
            yield (step, build), done


def _played(game: Game, news: HiddenTurn, steps: tuple[Step, ...]) -> Iterator[Game]:
    """Play one way through, with what others did in the turn, and compare what would have been told."""
    count = len(game.records)
    deeds = [(news.seat, step) for step in steps] + [(d.seat, d.step) for d in news.replies]
    for seat, step in (*deeds, (news.seat, End())):
        outcome = attempt(game, seat, step)
        if not isinstance(outcome, Outcome):
            return
        game = outcome.game
    closed = len(game.records) > count and not game.over
    if closed and game.records[count].told(None, game.table) == news.told:
        yield game


def _distinct(games: Iterable[Game]) -> tuple[Game, ...]:
    """Leave out hypotheses that differ in nothing that can matter."""
    found: dict[object, Game] = {}
    for game in games:
        found.setdefault(_key(game), game)
    return tuple(found.values())


def _key(game: Game) -> object:
    """Sum a hypothesis up."""
    truth, memory = game.truth, _memory(game)
    secrets = tuple(sorted(truth.secrets.items()))
    return (_places(truth.pos, game, memory), memory, secrets, truth.to_move, truth.setup)


def _memory(game: Game) -> str:
    """Write down what the cards remember in a hypothesis."""
    facts = ((card, sorted(facts.items(), key=str)) for card, facts in game.truth.memory.items())
    return str(sorted(facts))


def _places(pos: Position[Any], game: Game, memory: str) -> object:
    """Give the hidden places; the workers are told apart only where a card remembers one by name."""
    hidden = {w: c for w, c in pos.workers.items() if w[0] in game.table.hidden}
    named = any(f"'{worker}'" in memory for worker in hidden)
    return tuple(sorted(hidden.items())) if named else tuple(sorted(hidden.values()))
