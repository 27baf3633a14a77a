"""Random play: the positions and events a picture game shows (pure Python)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

SIDE = 5
CELLS = range(SIDE * SIDE)
Json = dict[str, Any]


def name(cell: int) -> str:
    """Return the cell's name: 0 is a1, 24 is e5."""
    return "abcde"[cell % SIDE] + str(cell // SIDE + 1)


def index(cell: str) -> int:
    """Return the number of a named cell."""
    return "abcde".index(cell[0]) + SIDE * (int(cell[1]) - 1)


def distance(one: int, other: int) -> int:
    """Return the number of king's moves between two cells."""
    return max(abs(one % SIDE - other % SIDE), abs(one // SIDE - other // SIDE))


def around(cell: int) -> list[int]:
    """Return the up to eight neighbours of a cell."""
    return [other for other in CELLS if distance(cell, other) == 1]


@dataclass(frozen=True)
class Position:
    """What stands on the board; workers are named A1 (male), A2 (female), ..."""

    heights: tuple[int, ...] = (0,) * (SIDE * SIDE)
    domes: frozenset[int] = frozenset()
    workers: dict[str, int] = field(default_factory=dict)

    def at(self, cell: int) -> str | None:
        """Return the worker on a cell."""
        return next((worker for worker, place in self.workers.items() if place == cell), None)

    def free(self, cell: int) -> bool:
        """Return whether a block or a worker may come onto the cell."""
        return cell not in self.domes and self.at(cell) is None

    def moved(self, places: dict[str, int]) -> Position:
        """Return the position with some workers elsewhere."""
        return replace(self, workers={**self.workers, **places})

    def raised(self, cell: int, by: int = 1) -> Position:
        """Return the position with one block more (or fewer) on a cell."""
        heights = list(self.heights)
        heights[cell] += by
        return replace(self, heights=tuple(heights))

    def built(self, cell: int, what: str) -> Position:
        """Return the position after a block or a dome was put on a cell."""
        if what == "dome":
            return replace(self, domes=self.domes | {cell})
        return self.raised(cell)


@dataclass(frozen=True)
class Frame:
    """One picture: its event, what its label says, and what is really shown."""

    event: str
    label: Position
    shown: Position
    follows: int | None
    turn: Json | None = None
    note: Json | str | None = None
    hand: Json | None = None


def builds_of(position: Position, worker: str, god: str) -> Iterator[tuple[int, str]]:
    """Yield what the worker may build next: (cell, block or dome)."""
    for cell in around(position.workers[worker]):
        if position.free(cell):
            yield cell, "block" if position.heights[cell] < 3 else "dome"
            if god == "atlas" and position.heights[cell] < 3:
                yield cell, "dome"


def moves_of(position: Position, worker: str, god: str) -> Iterator[int]:
    """Yield the cells a worker may move to without winning."""
    here = position.workers[worker]
    for cell in around(here):
        other = position.at(cell)
        swaps = god == "apollo" and other is not None and other[0] != worker[0]
        if cell in position.domes or (other is not None and not swaps):
            continue
        if position.heights[cell] <= min(2, position.heights[here] + 1):
            yield cell


def weigh_build(position: Position, cell: int, what: str) -> float:
    """Prefer tall towers: random play alone would leave a flat board."""
    if what == "dome":
        return 6.0 if position.heights[cell] == 3 else 0.25
    return (1.0, 4.5, 9.0)[position.heights[cell]]


def choose_build(
    position: Position, worker: str, god: str, rng: random.Random, but: int | None = None
) -> tuple[int, str] | None:
    """Pick what to build, on any cell but one."""
    choices = [choice for choice in builds_of(position, worker, god) if choice[0] != but]
    weights = [weigh_build(position, *choice) for choice in choices]
    return rng.choices(choices, weights)[0] if choices else None


def move(position: Position, worker: str, to: int, god: str) -> tuple[Position, Json]:
    """Move one worker; return the position and what happened besides."""
    here, other = position.workers[worker], position.at(to)
    if other is not None:
        return position.moved({worker: to, other: here}), {"swap": other}
    after, beyond = position.moved({worker: to}), 2 * to - here
    straight = 0 <= beyond < len(CELLS) and distance(to, beyond) == 1
    victim = after.at(beyond) if straight else None
    if god != "bia" or victim is None or victim[0] == worker[0]:
        return after, {}
    left = {name_: place for name_, place in after.workers.items() if name_ != victim}
    return replace(after, workers=left), {"removed_worker": victim}


def extra(
    position: Position, worker: str, god: str, rng: random.Random, first: int
) -> tuple[Position, list[Any], Json]:
    """Apply what a power adds after the build on a first cell."""
    if god == "demeter" and rng.random() < 0.6:
        second = choose_build(position, worker, god, rng, but=first)
        if second:
            return position.built(*second), [[name(second[0]), second[1]]], {}
    if god == "ares" and rng.random() < 0.35:
        mate = worker[0] + ("2" if worker[1] == "1" else "1")
        near = around(position.workers[mate]) if mate in position.workers else []
        take = [cell for cell in near if position.free(cell) and position.heights[cell]]
        if take:
            cell = rng.choice(take)
            return position.raised(cell, -1), [], {"removed_block": name(cell)}
    return position, [], {}


def turn(position: Position, player: str, god: str, rng: random.Random) -> tuple[Position, Json] | None:
    """Play one random legal turn, or return None when the player is stuck."""
    steps = [(w, to) for w in position.workers if w[0] == player for to in moves_of(position, w, god)]
    heights = position.heights
    weights = [
        1 + 3 * heights[to] + 4 * max(0, heights[to] - heights[position.workers[w]]) for w, to in steps
    ]
    while steps:
        pick = rng.choices(range(len(steps)), weights)[0]
        worker, to = steps.pop(pick)
        weights.pop(pick)
        start = position.workers[worker]
        after, besides = move(position, worker, to, god)
        build = choose_build(after, worker, god, rng)
        if build is None:
            continue
        done, more, rest = extra(after.built(*build), worker, god, rng, build[0])
        told = {"player": player, "worker": worker, "from": name(start), "to": name(to), "god": god.title()}
        told["up"] = position.heights[to] - position.heights[start]
        told["builds"] = [[name(build[0]), build[1]], *more]
        return done, {**told, **besides, **rest}
    return None


def far_cells(position: Position, worker: str) -> list[int]:
    """Return free cells two steps away that are low enough to stand on."""
    here = position.workers[worker]
    return [c for c in CELLS if distance(here, c) == 2 and position.free(c) and position.heights[c] < 3]


def break_rule(
    position: Position, player: str, kind: str, rng: random.Random
) -> tuple[Position, Json] | None:
    """Play one turn that breaks the named rule, or return None when impossible here."""
    worker = rng.choice([w for w in position.workers if w[0] == player])
    here = position.workers[worker]
    targets = list(moves_of(position, worker, ""))
    if kind == "move2":
        targets = far_cells(position, worker)
    if kind == "climb2":
        near = [cell for cell in around(here) if position.free(cell)]
        targets = [cell for cell in near if position.heights[cell] - position.heights[here] >= 2]
    if not targets:
        return None
    to = rng.choice(targets)
    after = spoil(position.moved({worker: to}), worker, kind, rng)
    told = {"player": player, "kind": kind, "worker": worker, "from": name(here), "to": name(to)}
    return (after, told) if after else None


def spoil(after: Position, worker: str, kind: str, rng: random.Random) -> Position | None:
    """Finish a rule-breaking turn: build, and break the rule if the move did not."""
    build = choose_build(after, worker, "", rng)
    if kind == "build_far":
        far = far_cells(after, worker)
        return after.raised(rng.choice(far)) if far else None
    if kind == "dome_low":
        low = [cell for cell in around(after.workers[worker]) if after.free(cell) and after.heights[cell] < 3]
        return after.built(rng.choice(low), "dome") if low else None
    if build is None:
        return None
    after = after.built(*build)
    if kind == "double_build":
        second = choose_build(after, worker, "", rng)
        return after.built(*second) if second else None
    if kind == "two_workers":
        mate = next((w for w in after.workers if w[0] == worker[0] and w != worker), None)
        targets = list(moves_of(after, mate, "")) if mate else []
        return after.moved({mate: rng.choice(targets)}) if mate and targets else None
    return after


KINDS = ("climb2", "move2", "double_build", "build_far", "dome_low", "two_workers")
# what breaks a rule without a power may be lawful, or break another rule, with one
ALLOWED = {"atlas": "dome_low", "demeter": "double_build"}


def tableau(players: int) -> Position:
    """Return the known set-up for calibration."""
    heights = [0] * len(CELLS)
    heights[10:15] = [0, 1, 2, 3, 3]
    two = {"A1": "a1", "A2": "b1", "B1": "d1", "B2": "e1"}
    places = two if players == 2 else {"A1": "a1", "B1": "c1", "C1": "e1"}
    return Position(tuple(heights), frozenset({14}), {w: index(c) for w, c in places.items()})


def placed(players: int, rng: random.Random) -> Position:
    """Return a start position: two workers a player, mostly near the middle."""
    cells = rng.sample(range(len(CELLS)), 2 * players)
    names = [player + number for player in "ABC"[:players] for number in "12"]
    return Position(workers=dict(zip(names, cells)))


def hand_over(
    before: Position, after: Position, told: Json, rng: random.Random
) -> tuple[Position, Json, str]:
    """Return what is shown under a hand, what it holds and where, and the note."""
    worker, choice = told["worker"], rng.random()
    build = told["builds"][0]
    if choice < 0.3:
        return before, {"cell": told["to"], "holds": None}, "empty hand over the board"
    if choice < 0.55:
        lifted = {w: c for w, c in before.workers.items() if w != worker}
        shown = replace(before, workers=lifted)
        return shown, {"cell": told["to"], "holds": worker}, f"worker {worker} in the hand"
    cell = index(build[0])
    moved = "swap" not in told and "removed_worker" not in told and choice < 0.8
    shown = before.moved({worker: index(told["to"])}) if moved else before
    piece = "dome" if build[1] == "dome" else f"L{before.heights[cell] + 1}"
    note = f"{piece} in the hand over {build[0]}; mover {'already' if moved else 'not'} moved"
    return shown, {"cell": build[0], "holds": piece}, note if moved else note + " yet"


def opening(players: int, with_tableau: bool, rng: random.Random) -> list[Frame]:
    """Return the frames before the first turn."""
    frames = [Frame("empty", Position(), Position(), None)]
    if with_tableau:
        frames.append(Frame("tableau", tableau(players), tableau(players), None))
    start = placed(players, rng)
    return [*frames, Frame("placed", start, start, None)]


def game(gods: list[str], plan: list[str], with_tableau: bool, seed: int) -> list[Frame] | None:
    """Play the plan (turn, hand, illegal, bump, light); None when a player gets stuck."""
    rng = random.Random(seed)
    frames = opening(len(gods), with_tableau, rng)
    stable, mover = len(frames) - 1, 0
    for event in plan:
        now, player = frames[stable].label, "ABC"[mover]
        coming = turn(now, player, gods[mover], rng)
        if coming is None:
            return None
        if event == "turn":
            frames.append(Frame("turn", coming[0], coming[0], stable, coming[1]))
            stable, mover = len(frames) - 1, (mover + 1) % len(gods)
        elif event == "hand":
            shown, hand, note = hand_over(now, *coming, rng)
            frames.append(Frame("hand", now, shown, stable, None, note, hand))
        elif event == "illegal":
            tries = (break_rule(now, player, rng.choice(KINDS), rng) for _ in range(40))
            broken = next(t for t in tries if t and t[1]["kind"] != ALLOWED.get(gods[mover]))
            frames.append(Frame("illegal", broken[0], broken[0], stable, broken[1]))
        else:
            frames.append(Frame(event, now, now, stable))
            stable = len(frames) - 1
    return frames


def plan_of(turns: int, extras: list[str], rng: random.Random) -> list[str]:
    """Mix hands, illegal turns, a bump and a light change into the turns."""
    plan = ["turn"] * turns
    for event in extras:
        plan.insert(rng.randrange(2, len(plan)), event)
    return plan


def variety(frames: list[Frame]) -> int:
    """Count what makes pictures worth reading: tall towers, domes, workers above the ground."""
    boards = [frame.label for frame in frames]
    tall = sum(height >= 2 for board in boards for height in board.heights)
    above = sum(2 * board.heights[cell] for board in boards for cell in board.workers.values())
    return tall + above + 2 * sum(len(board.domes) for board in boards)


def any_game(gods: list[str], plan: list[str], with_tableau: bool, seed: int, tries: int = 12) -> list[Frame]:
    """Return the most varied of a few random games which get through the plan."""
    games = (game(gods, plan, with_tableau, seed * 1000 + k) for k in range(1000))
    return max(itertools.islice((g for g in games if g), tries), key=variety)
