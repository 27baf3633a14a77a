"""What is to be expected between two looks, and what misreading a cell costs: few numbers, in logarithms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Odds:
    """What is to be expected between two looks (natural logarithms), and what misreading a cell costs."""

    nothing: float = math.log(0.06)
    turn: float = math.log(0.75)
    prefix: float = -17.0
    """A picture taken turn by turn shows a turn to its end."""
    illegal: float = math.log(0.08 / 1200)
    otherwise: float = -19.0
    declined: float = -0.7
    """A turn ends that might go on: few leave a power unused."""
    taken: float = -4.0
    """A block is lawfully taken away: few do."""
    climbs: float = 1.5
    """A worker climbs: most do when they can."""
    falls: float = -1.0
    """For every level that a worker steps down."""
    higher: float = 0.75
    """For every level that a piece is put on: towers grow where there are some."""
    height_off: float = 8.0
    third_off: float = 6.0
    """A third block is missed more easily than any other: what is below it looks much the same."""
    further: float = 1.0
    """For every level beyond the first that a tower is read wrong."""
    top_off: float = 9.5
    together: float = 0.25
    """What a misreading costs of its price beside another that goes with it."""
    dazzle: float = 8.0
    """By so much a likelihood is too sure of workers and domes in full view: they are small."""
    again: float = 3.0
    """A tower that was read wrong is likely to be read so again, the less so the longer it goes on."""
    cured: float = 1.5
    """An eye that erred at a tower and reads it the same way now is hardly right this time."""
    more: float = -2.0
    """For every deed beyond three that hands did together."""
    carried: float = -5.0
    """Somebody else's worker was moved."""
    vanished: float = -10.0
    """A piece is gone, or stands for none that could be there."""
    proxy: float = -9.0
    """A complete tower was taken off for its pieces; its dome stands for it."""
    idle: float = -4.0
    """Something was put on the board though no worker of the mover went anywhere."""
    most: int = 14


ALBUM: Final = Odds()
"""Pictures taken turn by turn."""
LIVE: Final = Odds(
    nothing=math.log(0.3),
    turn=math.log(0.4),
    prefix=math.log(0.2 / 16),
    illegal=math.log(0.06 / 1200),
    otherwise=-13.0,
    climbs=0.0,
    falls=0.0,
    higher=0.0,
    height_off=7.5,
    third_off=7.0,
    further=8.0,
    top_off=16.0,
    again=0.4,
    carried=-3.0,
    vanished=-7.0,
)
"""A camera that looks on all the time: moved, not yet built is as common as a finished turn."""
