"""Why something is not allowed: a reason code and the facts behind it, never a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

GAME_OVER: Final = "game_over"
SYNTAX: Final = "syntax"
SPENT: Final = "spent"
WRONG_WORKER: Final = "wrong_worker"
MUST_MOVE: Final = "must_move"
MUST_BUILD: Final = "must_build"
MUST_PLACE: Final = "must_place"
NO_POWER: Final = "no_power"
NOT_NEIGHBOUR: Final = "not_neighbour"
OFF_BOARD: Final = "off_board"
OCCUPIED: Final = "occupied"
DOME: Final = "dome"
OWN_START: Final = "own_start"
TOO_HIGH: Final = "too_high"
WRONG_PIECE: Final = "wrong_piece"
NO_PIECE: Final = "no_piece"
WRONG_SPACE: Final = "wrong_space"
CANNOT: Final = "cannot"
MUST: Final = "must"
DEAD_END: Final = "dead_end"

ORDER: Final = (
    GAME_OVER, SYNTAX, SPENT, WRONG_WORKER, MUST_MOVE, MUST_BUILD, MUST_PLACE, NO_POWER,
    NOT_NEIGHBOUR, OFF_BOARD, OCCUPIED, DOME, OWN_START, TOO_HIGH, WRONG_PIECE, NO_PIECE,
    WRONG_SPACE, CANNOT, MUST, DEAD_END,
)  # fmt: skip
"""Every reason code in the order in which reasons are preferred; cannot and must carry ":power"."""


def rank(code: str) -> int:
    """Place a code in the order of preference."""
    return ORDER.index(code.partition(":")[0])


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is wrong with a step, as a code and the facts to word it with."""

    code: str
    facts: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def power(self) -> str | None:
        """The power whose text forbids or demands, if any."""
        return self.code.partition(":")[2] or None
