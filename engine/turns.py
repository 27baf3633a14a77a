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
from engine.rules.again import OnceMore
from engine.rules.look import Look, built, moved
from engine.rules.search import Search, Try, after, offers, owes
from engine.state import Cast, State
from engine.steps import Build, Move


class Bundle(NamedTuple):
    """Turns that differ in their last build alone; without a worker one turn that ends as it is.

    `dry` are steps that come before that build and have not been taken for real.
    """

    state: State[Seen]
    worker: str = ""
    blocks: int = 0
    domes: int = 0
    dry: tuple[Try, ...] = ()

    @property
    def ready(self) -> State[Seen]:
        """The state before the last build."""
        state = self.state
        for attempt in self.dry:
            next_ = after(state, attempt)
            if isinstance(next_, str):
                raise RuntimeError(f"{attempt.offer.step} was taken to be legal: {next_}")
            state = next_
        return state

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


def _once_more(cast: Cast) -> OnceMore | None:
    """Give the card that lets a worker build once more, if it is the only one that offers anything then."""
    closing = [h.power for h in cast.may[1:] if h.power.acts is None or "" in h.power.acts]
    return closing[0] if len(closing) == 1 and isinstance(closing[0], OnceMore) else None


def _moves_say_it_all(cast: Cast) -> bool:
    """Whether a move that does not win leaves a build owed and nothing else to choose."""
    building = any(h.power.acts is None or "build" in h.power.acts for h in cast.may[1:])
    closing = any("" in (h.power.acts or ()) for h in cast.may[1:])
    winning = all(h.power.stage == "win" for h in cast.then.get(Moved, ()))
    return winning and not building and (not closing or _once_more(cast) is not None)


def _last_move(cast: Cast) -> int:
    """Name the number of moves after which no card offers another one; 0 when there is none."""
    cards = [h.power for h in cast.may[1:]]
    winning = all(h.power.stage == "win" for h in cast.then.get(Moved, ()))
    return cards[0].moves_at_most if winning and len(cards) == 1 and not cards[0].hero else 0


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
        self.once = _once_more(turn.cast) if self.plain else None
        self.dry = self.plain and not self.barred and not turn.duties and _moves_say_it_all(turn.cast)
        plainly = self.plain and not self.barred and not turn.duties and self.last == 1
        self.last_move = _last_move(turn.cast) if plainly else 0
        self.single = len(turn.cast.may) == 1
        self.search: Search[Seen] = Search()
        self.seen: set[object] = set()
        self.final: dict[tuple[object, ...], bool] = {}
        self.walking: State[Seen] | None = None
        self.others: dict[str, tuple[int, ...]] = {}
        self.past: tuple[object, ...] = ()
        self.rest = deque([begun])
        self.next = self.rest.popleft if broad or self.walks else self.rest.pop

    def run(self) -> Iterator[Bundle]:
        """Give bundle after bundle."""
        while self.rest:
            now = self.next()
            base = Look(now, now.now.cast.may[0])
            if self._is_complete(now, base):
                yield Bundle(now)
            if now.now.over:
                continue
            if self.dry and base.due.kind == "move":
                yield from self._moves(now, base)
            elif self.plain and self._is_last(now, base):
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
        first = self.once is not None and base.due.kind == "build" and not self.barred
        if base.due.kind not in ("", "build") or (len(now.now.builds) + 1 < self.last and not first):
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
        if self.walking is not now:
            self.walking = now
            self.others = {w: tuple(c for v, c in pos.workers.items() if v != w) for w in pos.workers}
            risen = any(m.rise for m in now.now.moves)
            self.past = (risen, pos.up1, pos.up2, pos.up3, pos.domes, now.now.builds)
        rise = pos.level(step.end) - pos.level(step.start)
        return (step.worker, step.end, rise, self.others[step.worker], self.past)

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
            elif isinstance(step, Move) and len(now.now.moves) + 1 == self.last_move and not offer.along:
                yield from self._moved_on(now, base, attempt)
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
        if not self._ends(now, worker, blocks, domes):
            self._really(now, worker, blocks, domes)
        elif self.once is None or now.now.builds:
            yield Bundle(now, worker, blocks, domes)
        elif special:
            self._really(now, worker, blocks, domes)
        else:
            yield from self._twice(now, base, worker, (blocks, domes), ())

    def _moves(self, now: State[Seen], base: Look[Seen]) -> Iterator[Bundle]:
        """Give the builds after every move that changes a space and nothing else; take others for real."""
        pos, free = now.pos, base.free
        for worker in base.due.workers:
            start = pos.workers[worker]
            high = pos.at_most(min(pos.level(start) + 1, 3))
            open_ = (free | 1 << start) & ~base.shut
            for end in cells_in(base.near(start) & free & high):
                attempt = Try(now.now.cast.may[0], moved(worker, start, end, False))
                yield from self._moved(now, base, attempt, base.near(end) & open_)
        for attempt in () if self.single else offers(now, False, base, now.now.cast.may[1:]):
            self._take(now, attempt)

    def _moved(self, now: State[Seen], base: Look[Seen], attempt: Try, spaces: int) -> Iterator[Bundle]:
        """Give the builds after one move; take it for real where more may come of it."""
        step, up3 = attempt.offer.step, now.pos.up3
        assert isinstance(step, Move)
        if spaces & now.pos.tokens.lying or not self._only_moves(now, base, attempt, spaces):
            self._take(now, attempt)
        elif spaces:
            masks = (spaces & ~up3, spaces & up3)
            yield from self._twice(now, base, step.worker, masks, (attempt,))

    def _moved_on(self, now: State[Seen], base: Look[Seen], attempt: Try) -> Iterator[Bundle]:
        """Give the builds after the last move that a card allows."""
        step, pos, turn = attempt.offer.step, now.pos, now.now
        assert isinstance(step, Move)
        rise = pos.level(step.end) - pos.level(step.start)
        firsts = tuple((m.worker, m.start) for m in turn.moves)[:1]
        rises = (rise > 0 or any(m.rise > 0 for m in turn.moves), rise or any(m.rise for m in turn.moves))
        key = (step.worker, step.end, firsts, rises, turn.early, turn.deeds, turn.hero)
        if key not in self.seen:
            self.seen.add(key)
            open_ = (base.free | 1 << step.start) & ~base.shut
            yield from self._moved(now, base, attempt, base.near(step.end) & open_)

    def _only_moves(self, now: State[Seen], base: Look[Seen], attempt: Try, spaces: int) -> bool:
        """Whether nothing follows from a move, and a build of that worker is all that is owed after it."""
        step = attempt.offer.step
        assert isinstance(step, Move)
        event = base.moving(step.worker, step.start, step.end)
        if event.rise > 0 and now.pos.up3 >> step.end & 1:
            return False
        cast = now.now.cast
        if Moved in cast.cannot and base.forbidden(event):
            return False
        if len(cast.then[Moved]) > 1 and self._heard(now, base, event):
            return False
        turn = now.now
        key = ("moved", step.worker, len(turn.early), len(turn.builds), turn.hero, turn.deeds)
        if key not in self.final and spaces:
            self.final[key] = self._ends_by_a_build(after(now, attempt), step.worker, spaces)
        return self.final.get(key, True)

    def _heard(self, now: State[Seen], base: Look[Seen], event: Moved) -> bool:
        """Whether anything comes of a move for a card that wins by moves."""
        pos = now.pos.with_workers({**now.pos.workers, event.worker: event.end})
        for holder in now.now.cast.then[Moved]:
            if holder.power.id:
                there = base.of(holder)
                there.pos = pos
                if any(True for _ in holder.power.then(there, event)):
                    return True
        return False

    def _ends_by_a_build(self, one: State[Seen] | str, worker: str, spaces: int) -> bool:
        """Whether a build of a worker is owed, and nothing after it."""
        if isinstance(one, str) or Look(one, one.now.cast.may[0]).due != ("build", (worker,)):
            return False
        cell = cells_in(spaces)[0]
        two = after(one, one_build(one, worker, cell, bool(one.pos.up3 >> cell & 1)))
        return not isinstance(two, str) and owes(two) is None

    def _twice(
        self, now: State[Seen], base: Look[Seen], worker: str, masks: tuple[int, int], dry: tuple[Try, ...]
    ) -> Iterator[Bundle]:
        """Give one worker's builds together, and behind each the second ones that a card allows."""
        blocks, domes = masks
        yield Bundle(now, worker, blocks, domes, dry)
        if self.once is None:
            return
        spaces, up3 = blocks | domes, now.pos.up3
        for mask, dome in ((blocks, False), (domes, True)):
            for cell in cells_in(mask):
                first = Built(worker, cell, dome, base.level(cell))
                if more := self.once.again(first) & spaces & ~(1 << cell if dome else 0):
                    high = up3 | (1 << cell if first.level == 2 else 0)
                    way = (*dry, one_build(now, worker, cell, dome))
                    yield Bundle(now, worker, more & ~high, more & high, way)

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
