"""The table as one power sees it while it answers a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Generic

from engine.board import AHEAD, ALL, AROUND, CELLS, NEAR, NEAR_AROUND, NOWHERE, cells_in, near_any, way_from
from engine.events import Event, Moved, Remembered, Value
from engine.position import K, Position
from engine.refusal import DOME, NO_PIECE, NOT_NEIGHBOUR, OCCUPIED, TOO_HIGH, WRONG_PIECE, WRONG_SPACE
from engine.rules.names import workers_of
from engine.rules.power import Due, Offer
from engine.rules.supply import left_of
from engine.state import Holder, State, Table, Turn
from engine.steps import build, move

Flaw = Callable[[int], str | None]


@cache
def moved(worker: str, start: int, end: int, hero: bool) -> Offer:
    """Give the one plain offer of a move."""
    return Offer(move(worker, start, end), (), None, hero)


@cache
def built(worker: str, cell: int, dome: bool, hero: bool) -> Offer:
    """Give the one plain offer of a build."""
    return Offer(build(worker, cell, dome), (), None, hero)


class Look(Generic[K]):
    """What a power is asked about: the state, its holder and the words the cards use."""

    __slots__ = ("_due", "_shut", "curious", "holder", "pos", "state", "turn")

    def __init__(self, state: State[K], holder: Holder, curious: bool = False) -> None:
        self.state: State[K] = state
        self.pos: Position[K] = state.pos
        self.turn: Turn = state.now
        self.holder = holder
        self.curious = curious
        self._shut = -1
        self._due: Due | None = None

    def of(self, holder: Holder) -> Look[K]:
        """The same table as another power sees it."""
        other = Look(self.state, holder, self.curious)
        other._shut, other._due = self._shut, self._due
        return other

    def as_if_done(self) -> Look[K]:
        """The same table as if the turn owed nothing any more."""
        self._due = Due()
        return self

    # ---- who -------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """What never changes."""
        return self.state.table

    @property
    def mine(self) -> bool:
        """Whether this is the holder's own turn."""
        return self.turn.seat == self.holder.seat

    @property
    def against(self) -> bool:
        """Whether this is an opponent's turn."""
        return self.state.table.sides[self.turn.seat] != self.holder.side

    def binds(self, worker: str) -> bool:
        """Whether a worker is an opponent's, in an opponent's turn."""
        return worker[0] != self.holder.side and self.against

    def own(self, worker: str) -> bool:
        """Whether a worker belongs to the holder's side."""
        return worker[0] == self.holder.side

    @property
    def workers(self) -> dict[str, int]:
        """The holder's workers and their spaces."""
        side = self.holder.side
        return {w: c for w, c in self.pos.workers.items() if w[0] == side}

    @property
    def crew(self) -> dict[str, int]:
        """The workers that act in this turn: the mover's own, in an extra turn the opponents'."""
        side, extra = self.state.table.sides[self.turn.seat], self.turn.extra
        if not extra:
            return {w: c for w, c in self.pos.workers.items() if w[0] == side}
        return {w: c for w, c in self.pos.workers.items() if w[0] != side and not self.shut >> c & 1}

    @property
    def rivals(self) -> dict[str, int]:
        """The opponents' workers that a power of the mover can see."""
        side, shut = self.holder.side, self.shut
        return {w: c for w, c in self.pos.workers.items() if w[0] != side and not shut >> c & 1}

    @property
    def hiding(self) -> frozenset[str]:
        """The opposing sides whose workers the mover cannot see."""
        return self.state.unseen - {self.holder.side}

    def names_of(self, side: str) -> tuple[str, ...]:
        """The workers of an opposing side that can be named."""
        if side in self.hiding:
            return workers_of(self.table, side)
        return tuple(w for w in self.rivals if w[0] == side)

    @property
    def unmoved(self) -> dict[str, int]:
        """The mover's workers that made no move in this turn."""
        moved = {m.worker for m in self.turn.moves}
        return {w: c for w, c in self.crew.items() if w not in moved}

    @property
    def moved(self) -> tuple[str, ...]:
        """The worker that moved last, if it is still there."""
        moves = self.turn.moves
        return (moves[-1].worker,) if moves and moves[-1].worker in self.pos.workers else ()

    # ---- where -----------------------------------------------------------------------------------

    @property
    def shut(self) -> int:
        """The spaces that count, for the mover, as holding nothing but a dome."""
        if self._shut < 0:
            ram = self.pos.tokens.ram
            shut = 1 << ram if ram >= 0 else 0
            for holder in self.turn.cast.shuts:
                shut |= holder.power.shuts(self if holder is self.holder else Look(self.state, holder))
            self._shut = shut
        return self._shut

    @property
    def blocked(self) -> int:
        """The occupied spaces."""
        return self.pos.standing | self.pos.domes | self.shut

    @property
    def free(self) -> int:
        """The unoccupied spaces."""
        return ALL & ~self.blocked

    def near(self, cell: int) -> int:
        """The neighbours of a space for the mover's own moves and builds."""
        return NEAR_AROUND[cell] if self.turn.cast.wraps else NEAR[cell]

    def ahead(self, cell: int, way: int) -> int:
        """The next space in a direction, or NOWHERE; nothing wraps here."""
        return AHEAD[cell][way] if way != NOWHERE else NOWHERE

    def level(self, cell: int) -> int:
        """The number of blocks on a space."""
        return self.pos.level(cell)

    def cell(self, worker: str) -> int:
        """The space of a worker, or NOWHERE."""
        return self.pos.workers.get(worker, NOWHERE)

    def beside(self, workers: Iterable[int]) -> int:
        """All neighbours of these spaces."""
        return near_any(tuple(workers))

    def is_near_own(self, cell: int) -> bool:
        """Whether a space neighbours one of the holder's workers."""
        return bool(NEAR[cell] & self.standing_of(self.workers))

    def standing_of(self, workers: dict[str, int]) -> int:
        """The spaces of these workers."""
        mask = 0
        for cell in workers.values():
            mask |= 1 << cell
        return mask

    def blocker(self, cell: int) -> str:
        """Say why an occupied space is occupied."""
        return DOME if self.pos.domes >> cell & 1 else OCCUPIED

    # ---- memory ----------------------------------------------------------------------------------

    def memory(self, key: str, default: Value = None) -> Value:
        """What the card remembers."""
        return self.state.memory.get(self.holder.card, {}).get(key, default)

    def number(self, key: str, default: int = 0) -> int:
        """A number the card remembers."""
        value = self.memory(key, default)
        return int(value) if isinstance(value, (int, bool)) else default

    def names(self, key: str) -> tuple[str, ...]:
        """A list of names the card remembers."""
        value = self.memory(key, ())
        return value if isinstance(value, tuple) else ()

    def remember(self, key: str, value: Value) -> Remembered:
        """Let the card remember something."""
        return Remembered(self.holder.card, key, value)

    def token(self, name: str) -> int:
        """Where a token lies: on the table, unless the card keeps its own apart."""
        apart = self.memory("apart")
        return apart if isinstance(apart, int) else int(getattr(self.pos.tokens, name))

    def note(self, key: str) -> Value:
        """A fact fixed for this turn."""
        return self.turn.notes.get((self.holder.card, key))

    # ---- what is owed ----------------------------------------------------------------------------

    @property
    def due(self) -> Due:
        """What the turn still owes."""
        if self._due is None:
            due = Due()
            for holder in self.turn.cast.due:
                due = holder.power.due(self.of(holder), due)
            self._due = due
        return self._due

    @property
    def opening(self) -> bool:
        """Whether nothing has been done in this turn."""
        turn = self.turn
        return not (turn.moves or turn.builds or turn.deeds)

    @property
    def closing(self) -> bool:
        """Whether the turn owes nothing any more."""
        return not self.due.kind

    # ---- offers ----------------------------------------------------------------------------------

    def moves(
        self,
        workers: Iterable[str],
        *,
        onto: int | None = None,
        climb: int = 1,
        wrong: Flaw | None = None,
        hero: bool = False,
    ) -> Iterator[Offer]:
        """Offer the moves of workers to unoccupied spaces (or to `onto`) that are not too high."""
        open_ = ~self.blocked if onto is None else onto
        for worker in workers:
            start = self.pos.workers[worker]
            high = self.pos.at_most(min(self.pos.level(start) + climb, 3))
            near = self.near(start)
            for cell in cells_in(near & open_ & high & ALL):
                if wrong is None or not wrong(cell):
                    yield moved(worker, start, cell, hero)
                elif self.curious:
                    yield Offer(move(worker, start, cell), (), wrong(cell), hero)
            if self.curious:
                yield from self._flawed_moves(worker, start, open_, high, wrong, onto is None)

    def _flawed_moves(
        self, worker: str, start: int, open_: int, high: int, wrong: Flaw | None, anywhere: bool
    ) -> Iterator[Offer]:
        """Name the moves that are not offered, each with its flaw."""
        near = self.near(start)
        for cell in CELLS:
            if not near >> cell & 1:
                flaw = NOT_NEIGHBOUR
            elif not open_ >> cell & 1:
                flaw = self.blocker(cell)
            elif not high >> cell & 1:
                flaw = (wrong(cell) if wrong is not None else None) or TOO_HIGH
            else:
                continue
            if anywhere or open_ >> cell & 1:
                yield Offer(move(worker, start, cell), (), flaw)

    def building(self, worker: str) -> int:
        """The spaces on which a worker may build as anybody may."""
        return self.near(self.pos.workers[worker]) & self.free

    def builds(
        self,
        workers: Iterable[str],
        *,
        only: int = ALL,
        along: tuple[Event, ...] = (),
        hero: bool = False,
    ) -> Iterator[Offer]:
        """Offer the normal builds of workers (a block, on level 3 a dome), maybe only on some spaces."""
        free, up3 = self.free, self.pos.up3
        strict = self.table.strict_supply
        for worker in workers:
            spaces = self.building(worker)
            for cell in cells_in(spaces if self.curious else spaces & only):
                dome = bool(up3 >> cell & 1)
                flaw = None if only >> cell & 1 else WRONG_SPACE
                flaw = flaw or (self.out_of(cell, dome) if strict else None)
                if flaw is None and not along:
                    yield built(worker, cell, dome, hero)
                elif flaw is None or self.curious:
                    yield Offer(build(worker, cell, dome), along, flaw, hero)
            if self.curious:
                yield from self._flawed_builds(worker, free, hero)

    def _flawed_builds(self, worker: str, free: int, hero: bool) -> Iterator[Offer]:
        """Name the builds that are not offered, each with its flaw."""
        near = self.near(self.pos.workers[worker])
        for cell in CELLS:
            if not near >> cell & 1:
                flaw = NOT_NEIGHBOUR
            elif not free >> cell & 1:
                flaw = self.blocker(cell)
            else:
                yield Offer(build(worker, cell, not self.pos.up3 >> cell & 1), (), WRONG_PIECE, hero)
                continue
            for dome in (False, True):
                yield Offer(build(worker, cell, dome), (), flaw, hero)

    def domes(
        self, workers: Iterable[str], *, within: int | None = None, hero: bool = False
    ) -> Iterator[Offer]:
        """Offer domes whatever the level, next to workers or within given spaces."""
        for worker in workers:
            space = self.near(self.pos.workers[worker]) if within is None else within
            for cell in cells_in(space & self.free):
                flaw = self.out_of(cell, True) if self.table.strict_supply else None
                if flaw is None or self.curious:
                    yield Offer(build(worker, cell, True), (), flaw, hero)
            if self.curious:
                for cell in cells_in(ALL & ~(space & self.free)):
                    flaw = self.blocker(cell) if space >> cell & 1 else NOT_NEIGHBOUR
                    yield Offer(build(worker, cell, True), (), flaw, hero)

    def out_of(self, cell: int, dome: bool) -> str | None:
        """Say that the shape for a space has run out, if it has."""
        shape = 3 if dome else self.pos.level(cell)
        return NO_PIECE if left_of(self.state, shape, self.holder.card) <= 0 else None

    # ---- events ----------------------------------------------------------------------------------

    def moving(self, worker: str, start: int, end: int) -> Moved:
        """Describe a move before it is made."""
        way = way_from(start, end, self.turn.cast.wraps)
        return Moved(worker, start, end, self.level(end) - self.level(start), way)

    def step_ahead(self, cell: int, way: int) -> int:
        """The next space for the mover, who may cross the edges."""
        return (AROUND if self.turn.cast.wraps else AHEAD)[cell][way]

    def forbidden(self, event: Event) -> str | None:
        """Name the reason why an event is forbidden, if it is."""
        for holder in self.turn.cast.cannot.get(type(event), ()):
            code = holder.power.cannot(self.of(holder), event)
            if code:
                return code if isinstance(code, str) else f"cannot:{holder.power.id}"
        return None
