"""All complete turns of a position, in bundles: a state, the worker that builds last, and where it may.

Which builds only end a turn is told by what the cards declare: when they offer steps, what they hear, what
they bar. Where nothing but the piece itself can come of a build, its spaces stay a mask; everything else is
carried out for real. Turns that lead to the same state are listed once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from engine.board import cells_in
from engine.events import Built, Closing, Ended, Moved
from engine.position import Seen
from engine.rules.look import Look, built
from engine.rules.search import Search, Try, after, offers, owes
from engine.state import Cast, State
from engine.steps import Build, Move


class Bundle(NamedTuple):
    """Turns that differ in their last build alone; without a worker one turn that ends as it is."""

    state: State[Seen]
    worker: str = ""
    blocks: int = 0
    domes: int = 0

    @property
    def number(self) -> int:
        """The number of turns."""
        return (self.blocks.bit_count() + self.domes.bit_count()) if self.worker else 1


def builds_say_it_all(cast: Cast) -> bool:
    """Whether nothing but the piece itself comes of a build that ends a turn, whatever its space."""
    then = cast.then
    if then.get(Built) or then.get(Closing) or cast.interrupts:
        return False
    return all(holder.power.sums_up_moves for holder in then.get(Ended, ()))


def last_build(cast: Cast) -> int:
    """Name the number of builds after which no card offers a step any more; 0 when there is none."""
    last = 1
    for power in (holder.power for holder in cast.may[1:]):
        if power.acts is None or "" in power.acts:
            if not power.builds_at_most:
                return 0
            last = max(last, power.builds_at_most)
    return last


def turns(begun: State[Seen], *, broad: bool = False) -> Iterator[Bundle]:
    """Go through the turns that can follow a state within a turn; broad: those with few steps first."""
    return _Lister(begun, broad).run()


class _Lister:
    """One walk through the turns of a position."""

    def __init__(self, begun: State[Seen], broad: bool) -> None:
        turn, table = begun.now, begun.table
        at_end = any(duty.holder.power.at_end for duty in turn.duties)
        self.last = last_build(turn.cast)
        self.plain = self.last and builds_say_it_all(turn.cast) and not at_end and not table.strict_supply
        self.walks = turn.cast.forgetful and len(turn.cast.then.get(Moved, ())) == 1
        self.barred = Built in turn.cast.cannot
        self.single = len(turn.cast.may) == 1
        self.search: Search[Seen] = Search()
        self.seen: set[object] = set()
        self.final: dict[tuple[object, ...], bool] = {}
        self.rest = deque([begun])
        self.next = self.rest.popleft if broad else self.rest.pop

    def run(self) -> Iterator[Bundle]:
        """Give bundle after bundle."""
        while self.rest:
            now = self.next()
            base = Look(now, now.now.cast.may[0])
            if self._is_complete(now, base):
                yield Bundle(now)
            if now.now.over:
                continue
            if self.plain and self._is_last(now, base):
                yield from self._last(now, base)
            else:
                for attempt in self.search.tries(now, base):
                    self._take(now, attempt)

    def _is_complete(self, now: State[Seen], base: Look[Seen]) -> bool:
        """Whether the turn may end here."""
        if now.winner is None and base.due.kind:
            return False
        return not now.now.duties or owes(now, base=base) is None

    def _is_last(self, now: State[Seen], base: Look[Seen]) -> bool:
        """Whether the next build is the last step of the turn."""
        if base.due.kind not in ("", "build") or len(now.now.builds) + 1 < self.last:
            return False
        return bool(now.now.moves or now.now.builds or base.due.kind) and self.search.keeps(now)

    def _take(self, now: State[Seen], attempt: Try) -> None:
        """Take one step and come back to what follows it."""
        walk = self._walk(now, attempt) if self.walks else None
        if walk in self.seen:
            return
        next_ = after(now, attempt)
        if isinstance(next_, str):
            return
        if walk is not None:
            self.seen.add(walk)
        first_build = not now.now.builds and isinstance(attempt.offer.step, Build)
        if not self.single and not first_build:  # Where one way leads to a state, only one build does, too.
            key = (next_.pos.key(), next_.now.key(), next_.winner)
            if key in self.seen:
                return
            self.seen.add(key)
        self.rest.append(next_)

    def _walk(self, now: State[Seen], attempt: Try) -> object:
        """Sum up where a plain move leads, without making it, so that it need not be made again."""
        step, offer, pos = attempt.offer.step, attempt.offer, now.pos
        if not isinstance(step, Move) or offer.along or offer.hero or offer.blind:
            return None
        rises = pos.level(step.end) - pos.level(step.start), any(m.rise for m in now.now.moves)
        places = tuple({**pos.workers, step.worker: step.end}.values())
        return (places, rises, pos.up1, pos.up2, pos.up3, pos.domes, now.now.builds)

    def _last(self, now: State[Seen], base: Look[Seen]) -> Iterator[Bundle]:
        """Where builds end the turn, give them together; take everything else for real."""
        owed = base.due.workers if base.due.kind else ()
        spaces = {worker: base.building(worker) for worker in owed}
        masks = {worker: (free & ~now.pos.up3, free & now.pos.up3) for worker, free in spaces.items()}
        for attempt in () if self.single else offers(now, False, base, now.now.cast.may[1:]):
            step, offer = attempt.offer.step, attempt.offer
            if isinstance(step, Build) and not (offer.along or offer.hero or offer.flaw):
                blocks, domes = masks.get(step.worker, (0, 0))
                bit = 1 << step.cell
                masks[step.worker] = (blocks, domes | bit) if step.dome else (blocks | bit, domes)
            else:
                self._take(now, attempt)
        for worker, (blocks, domes) in masks.items():
            yield from self._bundled(now, base, worker, blocks, domes)

    def _bundled(
        self, now: State[Seen], base: Look[Seen], worker: str, blocks: int, domes: int
    ) -> Iterator[Bundle]:
        """Give one worker's builds together; those that are more than a piece are taken for real."""
        if self.barred:
            blocks = sum(1 << c for c in cells_in(blocks) if not self._forbidden(base, worker, c, False))
            domes = sum(1 << c for c in cells_in(domes) if not self._forbidden(base, worker, c, True))
        lying = now.pos.tokens.lying
        special = (blocks | domes) & lying
        if special:
            self._really(now, worker, blocks & lying, domes & lying)
            blocks, domes = blocks & ~lying, domes & ~lying
        if not blocks and not domes:
            return
        if self._ends(now, worker, blocks, domes):
            yield Bundle(now, worker, blocks, domes)
        else:
            self._really(now, worker, blocks, domes)

    def _forbidden(self, base: Look[Seen], worker: str, cell: int, dome: bool) -> bool:
        """Whether a card forbids a build."""
        return base.forbidden(Built(worker, cell, dome, base.level(cell))) is not None

    def _really(self, now: State[Seen], worker: str, blocks: int, domes: int) -> None:
        """Take builds for real."""
        for mask, dome in ((blocks, False), (domes, True)):
            for cell in cells_in(mask):
                self._take(now, one_build(now, worker, cell, dome))

    def _ends(self, now: State[Seen], worker: str, blocks: int, domes: int) -> bool:
        """Whether a build of a worker leaves nothing owed: what is owed does not depend on the space."""
        turn = now.now
        key = (worker, len(turn.moves), len(turn.early), len(turn.builds), turn.hero, turn.deeds)
        if key not in self.final:
            cell = cells_in(blocks or domes)[0]
            one = after(now, one_build(now, worker, cell, not blocks))
            self.final[key] = not isinstance(one, str) and owes(one) is None
        return self.final[key]


def one_build(now: State[Seen], worker: str, cell: int, dome: bool) -> Try:
    """Give the offer of a plain build."""
    return Try(now.now.cast.may[0], built(worker, cell, dome, False))
