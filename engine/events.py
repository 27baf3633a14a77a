"""Events: what happened. A forced worker has not moved; the rulebook says so too."""

from __future__ import annotations

from typing import Final, NamedTuple

Value = bool | int | str | None | tuple[str, ...]
"""What can be remembered."""


class Moved(NamedTuple):
    """A worker changed space by its own move."""

    worker: str
    start: int
    end: int
    rise: int
    way: int
    carried: bool = False
    kind: str = "moved"


class Forced(NamedTuple):
    """A power changed a worker's space."""

    worker: str
    start: int
    end: int
    kind: str = "forced"


class Placed(NamedTuple):
    """A worker was put on the board."""

    worker: str
    cell: int
    kind: str = "placed"


class Removed(NamedTuple):
    """A worker left the game."""

    worker: str
    cell: int
    kind: str = "removed"


class Built(NamedTuple):
    """A piece was put on a space; level is the number of blocks below it."""

    worker: str
    cell: int
    dome: bool
    level: int
    kind: str = "built"

    @property
    def completes(self) -> bool:
        """Whether the piece finished a complete tower."""
        return self.dome and self.level == 3


class Unbuilt(NamedTuple):
    """Blocks were taken from a space."""

    cell: int
    blocks: int
    kind: str = "unbuilt"


class Laid(NamedTuple):
    """A token was put on a space (or, for arrows, given a direction); NOWHERE is its card."""

    token: str
    at: int
    kind: str = "laid"


class Lifted(NamedTuple):
    """A token left its space."""

    token: str
    cell: int
    kind: str = "lifted"


class Remembered(NamedTuple):
    """A card's lasting memory changed."""

    card: str
    key: str
    value: Value
    kind: str = "remembered"


class Noted(NamedTuple):
    """A fact about this turn was fixed for a card."""

    card: str
    key: str
    value: Value
    kind: str = "noted"


class Asked(NamedTuple):
    """A seat may now answer with a step of its own."""

    seat: str
    about: int
    kind: str = "asked"


class Used(NamedTuple):
    """A once-only power was used."""

    card: str
    kind: str = "used"


class Began(NamedTuple):
    """A turn began; first its facts are fixed, then effects at the start happen."""

    seat: str
    kind: str = "began"


class Started(NamedTuple):
    """The effects at the start of a turn happen now."""

    seat: str
    kind: str = "started"


class Closing(NamedTuple):
    """The compulsory effects at the end of a turn happen now."""

    seat: str
    kind: str = "closing"


class Ended(NamedTuple):
    """The turn is over; only bookkeeping follows."""

    seat: str
    kind: str = "ended"


class Won(NamedTuple):
    """A seat's condition for winning holds, made by a move to a space (or NOWHERE)."""

    seat: str
    cell: int
    worker: str = ""
    kind: str = "won"


class Lost(NamedTuple):
    """A seat loses by itself."""

    seat: str
    kind: str = "lost"


Event = (
    Moved | Forced | Placed | Removed | Built | Unbuilt | Laid | Lifted | Remembered | Noted | Asked | Used
    | Began | Started | Closing | Ended | Won | Lost
)  # fmt: skip

STAGES: Final = ("notice", "loss", "win", "removal", "transfer", "slide", "answer")
"""In which order reactions to one event are taken: by their kind, never by their card."""
