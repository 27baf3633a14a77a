"""Random games over every pair of powers and every mode, with everything checked that must always hold."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Final

from engine.cards import CARDS
from engine.events import Built, Unbuilt
from engine.game import Game, Outcome, attempt, begin
from engine.legal import may_end, next_steps
from engine.setup import SEATS, Setup
from engine.steps import Build, End, Step, Unbuild, format_step
from engine.view import observe

LENGTH: Final = 60
"""Steps after which a random game is left unfinished."""
OPTIONS: Final = ("revised_powers", "placement_sets_turn_order", "strict_supply")
MODES: Final = ("three", "four", "fleece", "later", "hidden")


class SoakError(AssertionError):
    """Something that must always hold does not; carries the game to play it again."""

    def __init__(self, problem: str, game: Game) -> None:
        super().__init__(f"{problem}: {json.dumps(game.to_json())}")
        self.problem = problem
        self.game = game


@dataclass
class Figures:
    """What a soak went through."""

    games: int = 0
    steps: int = 0
    finished: int = 0
    cancelled: int = 0
    reloads: int = 0
    modes: dict[str, int] = field(default_factory=dict)


def pairs() -> tuple[tuple[str, str], ...]:
    """List every pair of powers, both the same included."""
    return tuple(combinations_with_replacement(CARDS, 2))


def pair_setups() -> Iterator[tuple[str, Setup]]:
    """Set up every pair of powers in both seats, with the banned ones."""
    options = frozenset({"allow_banned"})
    for first, second in pairs():
        yield "pairs", Setup.of(first, second, options=options)
        if first != second:
            yield "pairs", Setup.of(second, first, options=options)


def mode_setups(chance: random.Random) -> Iterator[tuple[str, Setup]]:
    """Set up, for ever, tables of the other modes: three, four, Golden Fleece, 2017, secrets."""
    fleeces = [c.id for c in CARDS.values() if c.golden_fleece]
    while True:
        mode = chance.choice(MODES)
        options = frozenset({"allow_banned", *(o for o in OPTIONS if chance.random() < 0.3)})
        check = chance.choice(("turn", "action"))
        if mode == "fleece":
            fleece = fleeces[chance.randrange(len(fleeces))]
            yield mode, Setup.of(None, None, golden_fleece=fleece, options=options)
            continue
        count = {"three": 3, "four": 4}.get(mode, 2)
        last = 30 if mode == "later" else 55
        pool = [c.id for c in CARDS.values() if count in c.player_counts and c.number <= last]
        powers = [chance.choice(pool) for _ in range(count)]
        if mode == "hidden":
            powers[chance.randrange(2)] = chance.choice(("hecate", "moerae", "tartarus"))
        edition = "spinmaster2017" if mode == "later" else "roxley2016"
        yield mode, Setup.of(*powers, options=options, edition=edition, hecate_check=check)


def choices(game: Game, seat: str) -> list[Step]:
    """List what a seat may do, ending the turn included."""
    view = observe(game, seat)
    steps: list[Step] = list(next_steps(view))
    return [*steps, End()] if view.state.turn is not None and may_end(view) else steps


def play(setup: Setup, seed: int, figures: Figures, length: int = LENGTH) -> Game:
    """Play one random game and check it on the way."""
    chance = random.Random(seed)
    game = begin(setup)
    saved = chance.randrange(1, length)
    for number in range(length):
        if game.over:
            break
        seat = chance.choice(game.waiting)
        steps = choices(game, seat)
        if not steps:
            if seat == game.waiting[0]:
                raise SoakError(f"nothing to do for {seat}", game)
            continue
        step = steps[chance.randrange(len(steps))]
        outcome = attempt(game, seat, step)
        if not isinstance(outcome, Outcome):
            raise SoakError(f"{format_step(step)} of {seat} was offered and refused ({outcome.code})", game)
        figures.steps += 1
        figures.cancelled += outcome.cancelled is not None
        game = outcome.game
        check(game)
        if number == saved:
            game = reloaded(game, figures)
    figures.games += 1
    figures.finished += game.over
    conserved(game)
    return reloaded(game, figures) if saved >= len(game.deeds) else game


def reloaded(game: Game, figures: Figures) -> Game:
    """Save and load a game; nothing may change."""
    text = json.dumps(game.to_json())
    again = Game.from_json(json.loads(text))
    figures.reloads += 1
    if json.dumps(again.to_json()) != text or again.truth != game.truth or again.records != game.records:
        raise SoakError("saved and loaded it is another game", game)
    return again


def check(game: Game) -> None:
    """Raise SoakError unless pieces and workers are where they can be, and none appeared or vanished."""
    pos = game.truth.pos
    if pos.up2 & ~pos.up1 or pos.up3 & ~pos.up2:
        raise SoakError("a block floats", game)
    cells = list(pos.workers.values())
    if len(set(cells)) != len(cells):
        raise SoakError("two workers on a space", game)
    if pos.standing & pos.domes:
        raise SoakError("a worker on a dome", game)
    if pos.tokens.lying & pos.domes & ~pos.tokens.coins:
        raise SoakError("a token under a dome", game)
    for worker in pos.workers:
        if worker[0] not in SEATS:
            raise SoakError(f"a stranger: {worker}", game)
    reserve = [w for facts in game.truth.memory.values() for w in _names(facts.get("reserve"))]
    if set(reserve) & set(pos.workers):
        raise SoakError("a worker both on its card and on the board", game)


def conserved(game: Game) -> None:
    """Raise SoakError unless the board holds exactly the pieces that the record put there."""
    blocks = domes = 0
    for record in game.records:
        events = [*record.closing]
        for entry in (e for e in record.entries if not e.cancelled):
            events += entry.events
            if isinstance(entry.step, Build):
                blocks, domes = blocks + (not entry.step.dome), domes + entry.step.dome
            blocks -= isinstance(entry.step, Unbuild)
        for event in events:
            if isinstance(event, Built):
                blocks, domes = blocks + (not event.dome), domes + event.dome
            elif isinstance(event, Unbuilt):
                blocks -= event.blocks
    pos = game.between.pos
    if (blocks, domes) != (sum(pos.heights), pos.domes.bit_count()):
        raise SoakError(f"recorded {blocks} blocks and {domes} domes", game)


def _names(value: object) -> tuple[str, ...]:
    """Read a remembered list of workers."""
    return value if isinstance(value, tuple) else ()


def soak(games: int, steps: int, seed: int, tell: Callable[[str], None] = print) -> Figures:
    """Play every pair in both seats, then other modes and pairs until so many games and steps are reached."""
    figures = Figures()
    chance = random.Random(seed)
    others = mode_setups(chance)
    while figures.games < games or figures.steps < steps:
        for mode, setup in pair_setups():
            for name, table in ((mode, setup), next(others)):
                play(table, chance.randrange(1 << 30), figures)
                figures.modes[name] = figures.modes.get(name, 0) + 1
            if figures.games % 500 == 0:
                tell(f"{figures.games} games, {figures.steps} steps, {figures.cancelled} cancellations")
            if figures.games >= games and figures.steps >= steps:
                break
    return figures
