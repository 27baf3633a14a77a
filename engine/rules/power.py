"""The questions that a power's card may answer; every power is a subclass in `engine.powers`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from engine.board import ALL
from engine.events import Built, Event, Moved
from engine.steps import Step

if TYPE_CHECKING:
    from engine.rules.look import Look
    from engine.rules.sketch import QuickTurn, Sketch
    from engine.state import Holder, State, Table


class Offer(NamedTuple):
    """A step somebody may take, what else happens with it, and what speaks against it."""

    step: Step
    along: tuple[Event, ...] = ()
    flaw: str | None = None
    hero: bool = False
    blind: bool = False


class Due(NamedTuple):
    """What the turn still owes ("move", "build", "place", "must:…" or nothing) and from whom."""

    kind: str = ""
    workers: tuple[str, ...] = ()

    def only(self, *workers: str) -> Due:
        """Owe the same from these workers alone."""
        return Due(self.kind, workers)


DONE = Due()


class Power:
    """No card: a power answers none of the questions unless its own file says so."""

    id: ClassVar[str] = ""
    hero: ClassVar[bool] = False
    workers: ClassVar[int] = 2
    reserve: ClassVar[int] = 0
    places: ClassVar[str] = ""
    declares: ClassVar[str] = ""
    hides_workers: ClassVar[bool] = False
    wraps: ClassVar[bool] = False
    interrupts: ClassVar[bool] = False
    late: ClassVar[bool] = False
    targets: ClassVar[bool] = False
    misses: ClassVar[str] = "nothing"
    sums_up_moves: ClassVar[bool] = False  # At the end of a turn looks at its moves alone.
    builds_at_most: ClassVar[int] = 0  # After so many builds in a turn no step is offered (0: who knows).
    moves_at_most: ClassVar[int] = 0  # After so many moves in a turn no step is offered (0: who knows).
    forgetful: ClassVar[bool] = False  # Who moved last, and from where, does not matter in the own turn.
    displaces: ClassVar[bool] = False  # A move of the card makes way for itself.
    acts: ClassVar[tuple[str, ...] | None] = None  # While what is owed ("": nothing) steps are offered.
    at_home: ClassVar[bool] = False  # Says nothing in the turns of others.
    unsettles: ClassVar[bool] = False  # Takes workers or blocks away once nothing is owed.
    takes: ClassVar[bool] = False
    at_end: ClassVar[bool] = False
    draws: ClassVar[bool] = False
    personal: ClassVar[bool] = True
    if_possible: ClassVar[bool] = False
    by_rising: ClassVar[bool] = False
    forces_late: ClassVar[bool] = False
    bars: ClassVar[tuple[type, ...]] = (Moved, Built)
    stage: ClassVar[str] = "answer"
    hears: ClassVar[tuple[type, ...]] = ()
    forgets: ClassVar[tuple[str, ...]] = ()
    tokens: ClassVar[tuple[str, ...]] = ()

    def ground(self, table: Table, free: int, placed: tuple[int, ...]) -> int:
        """Setup: on which spaces may the next worker be put, seeing where the others stand?"""
        return ALL

    def owning(self, state: State[Any], seat: str, me: Holder) -> State[Any]:
        """Whose is the power from this turn on? Remembers it."""
        return state

    def roster(self, state: State[Any], holders: tuple[Holder, ...], me: Holder) -> tuple[Holder, ...]:
        """Who has which power in the turn that begins?"""
        return holders

    def afterwards(self, state: State[Any], card: str) -> State[Any]:
        """What changes on the card after a turn, whoever has the power?"""
        return state

    def due(self, t: Look[Any], due: Due) -> Due:
        """What does the turn still owe?"""
        return due

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """What may be done now?"""
        return ()

    def cannot(self, t: Look[Any], event: Event) -> bool | str:
        """Is this event forbidden, and with which reason?"""
        return False

    def insists(self, t: Look[Any]) -> bool:
        """Has the turn kept the text?"""
        return True

    def heading(self, t: Look[Any]) -> int:
        """Towards which spaces does a worker keep the text?"""
        return 0

    def flat(self, t: Look[Any]) -> bool:
        """Is every further move of this turn a level one?"""
        return False

    def instead(self, t: Look[Any], event: Event) -> Event | None:
        """What happens instead of this win?"""
        return event

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """What follows from this event?"""
        return ()

    def quickly(self, s: Sketch) -> list[QuickTurn] | None:
        """Which turns are there, where no other card and no token matters? None: ask step by step."""
        return None

    def shuts(self, t: Look[Any]) -> int:
        """Which spaces count as holding nothing but a dome?"""
        return 0

    @classmethod
    def answers(cls, question: str) -> bool:
        """Whether the card says anything on a question."""
        return getattr(cls, question) is not getattr(Power, question)
