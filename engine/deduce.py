"""Where a hidden thing can still be: every secret that fits everything everybody has been told.

A hypothesis is a whole game with some secret. News strikes out those that would have been told otherwise;
a turn in secret replaces each by all that could have come of it. Nothing here sees the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Final

from engine.board import ALL, CELLS, NEAR, NOWHERE, cells_in, mask_of, near_any
from engine.events import Forced, Moved, Placed
from engine.game import attempt, begin
from engine.match import Game, Outcome
from engine.news import Beside, HiddenTurn, News, OpenTurn, SetUp
from engine.opening import Opening
from engine.position import Position, Seen
from engine.rules.names import workers_of
from engine.rules.reasons import take, tries
from engine.rules.search import after, owes
from engine.rules.setting import setup_steps
from engine.setup import Setup
from engine.state import Secret, State
from engine.steps import (
    Build,
    End,
    Force,
    Lay,
    Mark,
    Move,
    Place,
    Remove,
    Step,
    StepSyntaxError,
    Swap,
    parse_step,
)
from engine.telling import TurnRecord
from engine.turning import commit
from engine.view import seen_position


@dataclass(frozen=True)
class Deduction:
    """All games that everybody must still think possible, one for each secret; none: nothing is known."""

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
    """Begin with the one game in which nothing has been hidden yet.

    Nothing is deduced where two sides hide their workers (the same card twice): each side's turns would then
    say as much about the other's, and only both together could be followed.
    """
    game = begin(setup, opening)
    return Deduction((game,) if len(game.table.hidden) < 2 else ())


def learn(known: Deduction, news: News) -> Deduction:
    """Give what is possible after the news."""
    return Deduction(_distinct(_learnt(known.games, news)))


def _learnt(games: Iterable[Game], news: News) -> Iterator[Game]:
    """Follow hypotheses that differ in a secret space alone together: it matters only where it is entered."""
    together: dict[object, list[Game]] = {}
    for game in games:
        together.setdefault(_key(game)[1:], []).append(game)
    bare = {key: _with_secrets(alike[0], {}) for key, alike in together.items()}
    for key, next_ in _followed(bare, news):
        entered = _entered(next_)
        for game in together[key]:
            if all(secret.abyss not in entered for secret in game.truth.secrets.values()):
                yield _with_secrets(next_, {**game.truth.secrets, **next_.truth.secrets})


def _followed(games: Mapping[object, Game], news: News) -> Iterator[tuple[object, Game]]:
    """Give what hypotheses become, with the key of each; nothing where the news contradicts it."""
    if isinstance(news, HiddenTurn):
        yield from _hidden_turns(games, news)
        return
    for key, game in games.items():
        for next_ in _after(game, news):
            yield key, next_


def _with_secrets(game: Game, secrets: Mapping[str, Secret]) -> Game:
    """Give a hypothesis with other secret spaces."""
    truth, between = game.truth._replace(secrets=secrets), game.between._replace(secrets=secrets)
    return replace(game, truth=truth, between=between)


def _entered(game: Game) -> set[int]:
    """List the spaces that a worker came to in the newest turn of a hypothesis."""
    found: set[int] = set()
    record = game.records[-1] if game.records and game.truth.setup is None else TurnRecord("")
    standing = [entry for entry in record.entries if not entry.cancelled]
    for thing in (*(part for e in standing for part in (e.step, *e.events)), *record.closing):
        match thing:
            case Move(end=cell) | Force(end=cell) | Place(cell=cell):
                found.add(cell)
            case Moved(end=cell) | Forced(end=cell) | Placed(cell=cell):
                found.add(cell)
            case _:
                continue
    return found


def _after(game: Game, news: SetUp | Beside | OpenTurn) -> Iterator[Game]:
    """Give what one hypothesis becomes; nothing where the news contradicts it."""
    match news:
        case SetUp(seat, None):
            yield from _set_up(game, seat)
        case SetUp(seat, step) | Beside(seat, step):
            if step is not None:
                yield from _stepped(game, seat, step)
        case OpenTurn():
            for variant in _named(game, news):
                yield from _open_turn(variant, news)


def _set_up(game: Game, seat: str) -> Iterator[Game]:
    """Give all that can have been done in secret; spaces of a token differ in nothing else."""
    steps = setup_steps(game.truth)
    laid = [step for step in steps if isinstance(step, Lay)]
    for step in laid[:1] or steps:
        for next_ in _stepped(game, seat, step):
            secrets = next_.truth.secrets
            for lay in laid:
                secret = secrets[seat]._replace(**{lay.token: lay.cell})
                yield _with_secrets(next_, {**secrets, seat: secret})
            if not laid:
                yield next_


def _stepped(game: Game, seat: str, step: Step) -> Iterator[Game]:
    """Take a step where it is possible."""
    outcome = attempt(game, seat, step)
    if isinstance(outcome, Outcome):
        yield outcome.game


def _named(game: Game, news: OpenTurn) -> Iterator[Game]:
    """Tell hidden workers apart in every way where a step calls one by name; else the hypothesis as it is."""
    hidden = game.table.hidden
    called = [step for deed in news.pending for step in called_workers(deed.step) if step[0] in hidden]
    if not called:
        yield game
        return
    side = called[0][0]
    cells = [cell for worker, cell in game.truth.pos.workers.items() if worker[0] == side]
    open_ = {worker: cell for worker, cell in game.truth.pos.workers.items() if worker[0] != side}
    for names in permutations(workers_of(game.table, side), len(cells)):
        workers = dict(sorted({**open_, **dict(zip(names, cells, strict=True))}.items()))
        truth, between = (
            state._replace(pos=state.pos.with_workers(workers)) for state in (game.truth, game.between)
        )
        yield replace(game, truth=truth, between=between)


def called_workers(step: Step) -> tuple[str, ...]:
    """Name the workers that a step speaks of by name alone, not by their space."""
    match step:
        case Swap(other=worker) | Remove(worker=worker) | Mark(worker=worker):
            return (worker,)
        case _:
            return ()


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
        if told == news.told and not result.over and _shown(result) == news.board:
            yield result


def _shown(game: Game) -> Position[Seen]:
    """Give what everybody sees on the board in a hypothesis."""
    return seen_position(game.truth.pos, game.table.hidden)


def _all_steps(game: Game, news: OpenTurn) -> Iterator[Game]:
    """Take the steps of a turn one by one, where nothing is deferred."""
    for deed in news.pending:
        outcome = attempt(game, deed.seat, deed.step)
        if not isinstance(outcome, Outcome):
            return
        game = outcome.game
    yield from _stepped(game, news.seat, news.step)


def _hidden_turns(games: Mapping[object, Game], news: HiddenTurn) -> Iterator[tuple[object, Game]]:
    """Give all that a turn in secret can have done that would have been told like this.

    Of several ways to the same places only one is played through: nothing that is kept tells them apart.
    """
    built, seen = _built(news.told), set[object]()
    for name, game in games.items():
        if game.over or game.truth.turn is None or game.plan.now.seat != news.seat:
            continue
        memory, plain = _memory(game), not news.replies and not _reacts(game)
        apart = name if game.table.secretive - game.table.hidden else None
        for steps, done in _ways(game, news.seat, built):
            key = (memory, _places(done.pos, game, memory), apart)
            if plain and key in seen:
                continue
            seen.add(key)
            for next_ in _played(game, news, steps):
                yield name, next_


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


def _key(game: Game) -> tuple[object, ...]:
    """Sum a hypothesis up, its secret spaces first."""
    truth, memory = game.truth, _memory(game)
    secrets = tuple(sorted(truth.secrets.items()))
    return (secrets, _places(truth.pos, game, memory), memory, truth.to_move, truth.setup)


def _memory(game: Game) -> str:
    """Write down what the cards remember in a hypothesis."""
    facts = ((card, sorted(facts.items(), key=str)) for card, facts in game.truth.memory.items())
    return str(sorted(facts))


def _places(pos: Position[Any], game: Game, memory: str) -> object:
    """Give the hidden places; the workers are told apart only where a card remembers one by name."""
    hidden = {w: c for w, c in pos.workers.items() if w[0] in game.table.hidden}
    named = any(f"'{worker}'" in memory for worker in hidden)
    return tuple(sorted(hidden.items())) if named else tuple(sorted(hidden.values()))
