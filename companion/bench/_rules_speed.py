"""How fast the rules answer: legal steps and explanations, turns listed, positions as text."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from companion.bench._plain_turns import Plain, plain_positions, plain_turns
from engine.board import CELLS, cells_in
from engine.cards import CARDS
from engine.deduce import deduction, learn
from engine.explain import Content, explain
from engine.fast import base_turns, quick_turns
from engine.fen import parse_fen
from engine.game import Outcome, attempt, begin
from engine.legal import may_end, next_steps
from engine.match import Game
from engine.news import news_of
from engine.position import Seen
from engine.setup import Setup
from engine.state import State
from engine.steps import End, Step
from engine.successors import next_fens
from engine.threats import threats
from engine.turns import Bundle, turns
from engine.view import View, begun, observe, observe_public

STEPS: Final = 60
SECRETIVE: Final = ("hecate", "moerae", "tartarus")
SIMPLE: Final = tuple(card.id for card in CARDS.values() if card.kind == "simple")
MIDDLE_GAMES: Final = (
    "1211211300021103101010100/2/mortal:D4,B2/mortal:B5,D2",
    "0012021211000010110201222/1/mortal:A5,C4/mortal:E3,C2",
    "0010011000031001013000000/1/mortal:C2,E1/mortal:C3,E3",
    "0001101113020110121000330/1/mortal:C4,E1/mortal:D5,C2",
    "0111000010111010102000100/1/mortal:B2,D2/mortal:C5,A4",
    "0011011222110210021000100/2/mortal:C4,D4/mortal:A4,C2",
    "1011111102110120210001101/1/mortal:B4,D2/mortal:C4,D3",
    "0020001101101110121111101/1/mortal:D4,B2/mortal:E3,C2",
)


@dataclass
class Times:
    """Seconds of processor time that something took, many times."""

    taken: list[float] = field(default_factory=list)

    def of(self, work: Callable[[], Any]) -> Any:
        """Do something and note how long it took."""
        start = time.process_time()
        result = work()
        self.taken.append(time.process_time() - start)
        return result

    def at(self, share: float) -> float:
        """The time that this share of them did not exceed, in milliseconds."""
        ordered = sorted(self.taken)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1e3

    def row(self, name: str) -> str:
        """Write them in one line."""
        figures = "  ".join(f"p{round(share * 100)} {self.at(share):.2f} ms" for share in (0.5, 0.95, 0.99))
        return f"{name:24} {len(self.taken):6} times  {figures}  most {self.at(1.0):.2f} ms"


# ---- questions of a game -------------------------------------------------------------------------------


def ask_everywhere(count: int, seed: int) -> tuple[Times, Times]:
    """Play random games of pairs of powers and time every list of steps, and explanations of whole turns."""
    listing, explaining = Times(), Times()
    chance = random.Random(seed)
    pairs = [(a, b) for a in CARDS for b in CARDS if a != b]
    for first, second in chance.sample(pairs, min(count, len(pairs))):
        _play(Setup.of(first, second, options=frozenset({"allow_banned"})), chance, listing, explaining)
    return listing, explaining


def deduce_everywhere(count: int, seed: int) -> tuple[Times, Times]:
    """Play random games with a secret and time what is deduced from every turn, and threats."""
    learning, warning = Times(), Times()
    chance = random.Random(seed)
    pairs = [(a, b) for a in SECRETIVE for b in CARDS if b not in SECRETIVE]
    for pair in chance.sample(pairs, min(count, len(pairs))):
        first, second = chance.sample(pair, 2)
        game = begin(Setup.of(first, second, options=frozenset({"allow_banned"})))
        known = deduction(game.setup)
        for _ in range(STEPS):
            if game.over or game.to_move is None:
                break
            before, game = game, _stepped_at_random(game, chance)
            news = None if game.over else news_of(before, game)
            if news is not None:
                known = learning.of(partial(learn, known, news))
                warning.of(partial(threats, observe_public(game)))
    return learning, warning


def _stepped_at_random(game: Game, chance: random.Random) -> Game:
    """Take any step."""
    seat = game.to_move or ""
    view = observe(game, seat)
    steps = [*next_steps(view), *([End()] if view.state.turn is not None and may_end(view) else [])]
    step = chance.choice(steps)
    outcome = attempt(game, seat, step)
    if not isinstance(outcome, Outcome):
        raise RuntimeError(f"{step} is refused: {outcome}")
    return outcome.game


def _play(setup: Setup, chance: random.Random, listing: Times, explaining: Times) -> None:
    """Play one game at random."""
    game = begin(setup)
    begin_view: View | None = None
    for _ in range(STEPS):
        if game.over or game.to_move is None:
            return
        view = observe(game, game.to_move)
        turn = view.state.turn
        if turn is not None and not (turn.moves or turn.builds or turn.deeds):
            begin_view = view
        steps: list[Step] = list(listing.of(partial(next_steps, view)))
        ends = turn is not None and may_end(view)
        if ends and begin_view is not None and chance.random() < 0.3:
            costs = _costs(view, chance)
            explaining.of(partial(explain, begin_view, costs))
        step = End() if ends and (not steps or chance.random() < 0.5) else chance.choice(steps)
        outcome = attempt(game, game.to_move, step)
        if not isinstance(outcome, Outcome):
            raise RuntimeError(f"{step} is refused: {outcome}")
        game = outcome.game


def _costs(view: View, chance: random.Random) -> list[dict[Content, float]]:
    """See the board of a view, in an unsteady light."""
    pos = view.position
    rows = []
    for cell in CELLS:
        top = "dome" if pos.domes >> cell & 1 else (pos.worker_at(cell) or "")[:1]
        if top in view.state.table.hidden:
            top = ""
        level = pos.level(cell)
        rows.append(
            {
                (h, other): abs(h - level) * chance.uniform(1, 6) + (other != top) * chance.uniform(2, 12)
                for h in range(4)
                for other in ("", "dome", "A", "B")
            }
        )
    return rows


# ---- turns listed --------------------------------------------------------------------------------------


def rate(work: Callable[[Any], Sequence[Any]], given: Sequence[Any], seconds: float = 1.0) -> float:
    """Count how many things are listed in a second of processor time."""
    listed = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for one in given:
            listed += len(work(one))
    return listed / spent


def _plain(state: State[Seen]) -> Plain:
    """Write a position for the generators that know the base rules alone."""
    pos, side = state.pos, state.to_move
    heights = tuple(4 if pos.domes >> cell & 1 else pos.level(cell) for cell in CELLS)
    mine = tuple(cell for worker, cell in pos.workers.items() if worker[0] == side)
    theirs = tuple(cell for worker, cell in pos.workers.items() if worker[0] != side)
    return Plain(heights, mine, theirs)


def listed(state: State[Seen]) -> list[tuple[Bundle, int, bool]]:
    """List every complete turn the cards allow: the way to the last build, and where what is built."""
    found: list[tuple[Bundle, int, bool]] = []
    for bundle in turns(begun(state)):
        if not bundle.worker:
            found.append((bundle, -1, False))
        found += [(bundle, cell, False) for cell in cells_in(bundle.blocks)]
        found += [(bundle, cell, True) for cell in cells_in(bundle.domes)]
    return found


def with_power(fen: str, power: str) -> str:
    """Give the player to move a power."""
    fields = fen.split("/")
    at = 1 + int(fields[1])
    fields[at] = fields[at].replace("mortal", power)
    return "/".join(fields)


def turn_rates(seconds: float) -> Iterator[str]:
    """Compare the lists of turns with special-purpose generators in the same run."""
    states = [parse_fen(fen) for fen in MIDDLE_GAMES]
    boards = [_plain(state) for state in states]
    numbers = rate(lambda b: plain_turns(list(b.heights), list(b.workers), list(b.others)), boards, seconds)
    engine = rate(lambda s: base_turns(s.pos, s.to_move), states, seconds)
    speeds = f"special-purpose {numbers / 1e6:.2f} M/s, engine {engine / 1e6:.2f} M/s"
    yield f"turns of the base game: {speeds}, ratio {engine / numbers:.2f}"
    yield "turns of the simple gods against the same special-purpose generator:"
    slowest = ("", 0.0)
    for name in SIMPLE:
        given = [parse_fen(with_power(fen, name)) for fen in MIDDLE_GAMES]
        speed = rate(lambda s: quick_turns(s) or [], given, seconds / 2)
        slowest = max(slowest, (name, numbers / speed), key=lambda pair: pair[1])
        yield f"  {name:12} {speed / 1e6:.2f} M/s, {numbers / speed:.2f} times slower"
    yield f"  slowest: {slowest[0]}, {slowest[1]:.2f} times"
    yield from _in_any_company(boards, seconds)


def _in_any_company(boards: Sequence[Plain], seconds: float) -> Iterator[str]:
    """Time turns as the rules list them when other cards and tokens may have a say: with states."""
    plain = rate(plain_positions, boards, seconds)
    yield f"turns with positions: special-purpose {plain / 1e6:.2f} M/s; listed step by step, for any card:"
    for name in ("mortal", "hermes"):
        given = [parse_fen(with_power(fen, name)) for fen in MIDDLE_GAMES]
        speed = rate(listed, given, seconds / 2)
        yield f"  {name:12} {speed / 1e6:.2f} M/s, {plain / speed:.2f} times slower"


def text_rate(lines: Sequence[str]) -> str:
    """Time positions answered as text, lines in and lines out."""
    start = time.process_time()
    count = 0
    for line in lines:
        fen = json.loads(line)["fen"]
        answer = next_fens(fen)
        count += len(answer)
        json.dumps({"fen": fen, "next": answer}, separators=(",", ":"))
    spent = time.process_time() - start
    return f"positions as text: {count} in {spent:.2f} s, {count / spent:.0f} a second"
