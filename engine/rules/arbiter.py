"""Tries committed steps on the truth: carries them out, silently finds another way, or cancels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from engine.events import Event
from engine.position import Seen, Truth
from engine.rules.reasons import tries
from engine.rules.search import after
from engine.rules.undo import undo_texts
from engine.state import State
from engine.steps import Step
from engine.telling import Entry


class Deedlike(Protocol):
    """A step and its seat."""

    @property
    def seat(self) -> str:
        """The seat."""

    @property
    def step(self) -> Step:
        """The step."""


class Arbitrated(NamedTuple):
    """What came of a turn's steps: the truth, the mover's knowledge, what stands and what does not."""

    truth: State[Truth]
    plan: State[Seen]
    entries: tuple[Entry, ...]
    cancelled: Step | None = None
    cancelled_at: int | None = None
    cut_short: bool = False
    undo: tuple[str, ...] = ()


def consequences_of(before: State[Any], later: State[Any]) -> tuple[Event, ...]:
    """List the events between two states that the step itself does not name."""
    turn = later.now
    return turn.events[len(before.now.events) + turn.named :]


def arbitrate(
    truth: State[Truth], deeds: Sequence[Deedlike], plan: State[Seen], *, at_once: bool = False
) -> Arbitrated:
    """Carry out steps in order on the truth until one is in conflict with a secret or the game ends."""
    entries: list[Entry] = []
    stray: tuple[Step, int] | None = None
    for number, deed in enumerate(deeds):
        if truth.over:
            break
        next_ = truly(truth, deed)
        if next_ is not None:
            entries.append(Entry(deed.seat, deed.step, consequences_of(truth, next_)))
            truth = next_
        elif deed.seat != truth.now.seat:
            entries.append(Entry(deed.seat, deed.step, (), True))
            stray = (deed.step, number)
            truth = truth._replace(turn=truth.now._replace(asked=None))
        else:
            return _conflict(truth, deeds, number, plan, entries)
    if stray is not None:
        return Arbitrated(truth, plan, tuple(entries), stray[0], stray[1])
    return Arbitrated(truth, plan, tuple(entries))


def truly(truth: State[Truth], deed: Deedlike) -> State[Truth] | None:
    """Carry out one step on the truth if it is legal there."""
    for attempt in tries(truth, deed.seat):
        if attempt.offer.step == deed.step:
            next_ = after(truth, attempt)
            if not isinstance(next_, str):
                return next_
    return None


def _conflict(
    truth: State[Truth], deeds: Sequence[Deedlike], number: int, plan: State[Seen], entries: list[Entry]
) -> Arbitrated:
    """Cancel a step and everything of the mover behind it."""
    deed = deeds[number]
    entries.append(Entry(deed.seat, deed.step, (), True))
    return Arbitrated(
        truth, plan, tuple(entries), deed.step, number, True, undo_texts(truth, deeds[number:], plan)
    )
