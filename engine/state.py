"""The state of a game at one moment: position, memory, the turn so far and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, NamedTuple

from engine.board import NOWHERE
from engine.events import Built, Event, Moved, Value
from engine.position import K, Position
from engine.steps import Step

if TYPE_CHECKING:
    from engine.rules.power import Power

RAM_CARD = "ram"
"""The card beside the board in the Golden Fleece variant, where memory is concerned."""

Memory = Mapping[str, Mapping[str, Value]]
"""What each card (named by its seat) remembers between turns."""


class Holder(NamedTuple):
    """Somebody who has a power now, and whose card keeps its memory."""

    seat: str
    side: str
    power: Power
    card: str


class Cast(NamedTuple):
    """Who has which power in this turn, sorted by the questions the powers answer."""

    holders: tuple[Holder, ...]
    mover: tuple[Holder, ...]
    due: tuple[Holder, ...]
    may: tuple[Holder, ...]
    interrupts: tuple[Holder, ...]
    cannot: Mapping[type, tuple[Holder, ...]]
    insists: tuple[Holder, ...]
    instead: tuple[Holder, ...]
    shuts: tuple[Holder, ...]
    then: Mapping[type, tuple[Holder, ...]]
    wraps: bool
    forgetful: bool = False


@dataclass(frozen=True)
class Table:
    """What never changes during a game: who sits where with which card, edition and options."""

    seats: tuple[str, ...]
    sides: Mapping[str, str]
    powers: Mapping[str, str | None]
    edition: str
    options: frozenset[str]
    hecate_check: str = "turn"
    golden_fleece: str | None = None
    sexes: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    secretive: frozenset[str] = frozenset()
    decks: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash((self.seats, tuple(self.powers.values()), self.edition, self.options, self.golden_fleece))

    @property
    def revised(self) -> bool:
        """Whether the designer's later texts are played."""
        return "revised_powers" in self.options

    @property
    def strict_supply(self) -> bool:
        """Whether a shape that has run out cannot be built."""
        return "strict_supply" in self.options

    @property
    def later(self) -> bool:
        """Whether the 2017 edition is played."""
        return self.edition == "spinmaster2017"

    def side_of_worker(self, worker: str) -> str:
        """Name the side that owns a worker."""
        return worker[0]

    def female(self, worker: str) -> bool:
        """Whether the figure is the female one: by default those with even numbers."""
        return self.sexes.get(worker, "m" if int(worker[1:]) % 2 else "f") == "f"


class Duty(NamedTuple):
    """A text that whole turns have to keep: always, or only if a once-only power is used."""

    holder: Holder
    always: bool


class Turn(NamedTuple):
    """A turn so far."""

    seat: str
    extra: bool
    cast: Cast
    events: tuple[Event, ...] = ()
    moves: tuple[Moved, ...] = ()
    early: tuple[Built, ...] = ()
    builds: tuple[Built, ...] = ()
    deeds: tuple[Step, ...] = ()
    notes: Mapping[tuple[str, str], Value] = {}
    hero: bool = False
    asked: tuple[str, int] | None = None
    duties: tuple[Duty, ...] = ()
    over: bool = False
    named: int = 0
    veiled: bool = False

    def with_move(self, event: Moved, step: bool = False) -> Turn:
        """Give the turn after one more move, maybe as a step of its own; what was built becomes early."""
        early, builds = self.early, self.builds
        if builds and not event.carried:
            early, builds = early + builds, ()
        events, moves = (*self.events, event), (*self.moves, event)
        asked, named = (None, 1) if step else (self.asked, self.named)
        return Turn(
            self.seat, self.extra, self.cast, events, moves, early, builds, self.deeds, self.notes,
            self.hero, asked, self.duties, self.over, named, self.veiled,
        )  # fmt: skip

    def with_event(self, event: Event) -> Turn:
        """Give the turn after one more thing has happened."""
        return Turn(
            self.seat, self.extra, self.cast, (*self.events, event), self.moves, self.early, self.builds,
            self.deeds, self.notes, self.hero, self.asked, self.duties, self.over, self.named, self.veiled,
        )  # fmt: skip

    def with_deed(self, step: Step, named: int) -> Turn:
        """Give the turn when a step is taken that is neither a move nor a build."""
        return Turn(
            self.seat, self.extra, self.cast, self.events, self.moves, self.early, self.builds,
            (*self.deeds, step), self.notes, self.hero, None, self.duties, self.over, named, self.veiled,
        )  # fmt: skip

    def with_build(self, event: Built) -> Turn:
        """Give the turn after one more build."""
        events, builds = (*self.events, event), (*self.builds, event)
        return Turn(
            self.seat, self.extra, self.cast, events, self.moves, self.early, builds, self.deeds, self.notes,
            self.hero, None, self.duties, self.over, 1, self.veiled,
        )  # fmt: skip

    def key(self) -> tuple[object, ...]:
        """Sum up what the rest of the turn can depend on; detours and the order of builds are forgotten."""
        moves = self.moves
        if self.cast.forgetful:
            summed: tuple[object, ...] = (any(m.rise > 0 for m in moves), any(m.rise for m in moves))
        elif len(moves) > 1:
            firsts = {m.worker: m.start for m in reversed(moves)}
            last = moves[-1]
            rises = (any(m.rise > 0 for m in moves), any(m.rise for m in moves))
            summed = (tuple(firsts.items()), last.worker, last.end, rises)
        else:
            summed = moves
        builds = self.builds if len(self.builds) < 2 else frozenset(self.builds)
        return (summed, self.early, builds, self.deeds, tuple(self.notes.items()), self.hero)


class Secret(NamedTuple):
    """A space that only one seat and the arbiter know."""

    fate: int = NOWHERE
    abyss: int = NOWHERE


class State(NamedTuple, Generic[K]):
    """A game at one moment; between two turns `turn` is None."""

    table: Table
    pos: Position[K]
    memory: Memory
    to_move: str | None
    turn: Turn | None = None
    secrets: Mapping[str, Secret] = {}
    out: tuple[str, ...] = ()
    winner: str | None = None
    losers: tuple[str, ...] = ()
    setup: int | None = None
    unseen: frozenset[str] = frozenset()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move is None

    @property
    def now(self) -> Turn:
        """The turn that is being played; only to be asked for while there is one."""
        if self.turn is None:
            raise RuntimeError("no turn is being played")
        return self.turn

    def at(self, pos: Position[K], turn: Turn | None) -> State[K]:
        """Give the state with another position and turn."""
        return State(
            self.table, pos, self.memory, self.to_move, turn, self.secrets, self.out, self.winner,
            self.losers, self.setup, self.unseen,
        )  # fmt: skip

    def side(self, seat: str) -> str:
        """Name the side of a seat: its team's first seat."""
        return self.table.sides[seat]

    def remember(self, card: str, key: str, value: Value) -> State[K]:
        """Give the state with one memory changed."""
        return self._replace(memory={**self.memory, card: {**self.memory.get(card, {}), key: value}})

    def forget(self, card: str, key: str) -> State[K]:
        """Give the state with one memory gone."""
        kept = {k: value for k, value in self.memory.get(card, {}).items() if k != key}
        return self._replace(memory={**self.memory, card: kept})
