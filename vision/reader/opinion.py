"""A second opinion: a small network looks at every pile that the search has read or thought of."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

import cv2
import numpy as np

from calibration.view import Light
from vision.reader.crops import SEATS, Bytes, planes_of
from vision.reading import DOME, Content

LOG: Final = logging.getLogger(__name__)
WEIGHTS: Final = Path(__file__).with_name("opinion.onnx")
HEIGHTS: Final = 4
Rows = Mapping[Content, float]


class Opinion(Protocol):
    """Says how likely each content of some cells is, by nothing but how their crops look."""

    def rows(self, crops: Bytes, views: Light, sides: Sequence[str]) -> list[Rows]:
        """For every crop, the logarithm of each content's chance."""


@dataclass(frozen=True, eq=False)
class Network:
    """The shipped network, run by OpenCV on the processor."""

    net: cv2.dnn.Net
    busy: Lock = field(default_factory=Lock)

    def rows(self, crops: Bytes, views: Light, sides: Sequence[str]) -> list[Rows]:
        """For every crop, the logarithm of each content's chance."""
        if not len(crops):
            return []
        # several tables may read at once, but OpenCV keeps one picture's state in the network
        with self.busy:
            self.net.setInput(planes_of(crops, views))
            answer = np.asarray(self.net.forward(), dtype=np.float32)
        return [as_row(row, sides) for row in answer]


def as_row(out: Light, sides: Sequence[str]) -> Rows:
    """The network's nine numbers as contents: four heights, then nothing, a dome, and workers by seat."""
    heights = logarithms(out[:HEIGHTS])
    tops = logarithms(out[HEIGHTS : HEIGHTS + 2 + len(sides)])
    return {
        Content(height, top): float(heights[height] + tops[place])
        for place, top in enumerate(("", DOME, *sides))
        for height in range(HEIGHTS)
    }


def logarithms(out: Light) -> Light:
    """Logarithms of chances that sum to one."""
    less = out - out.max()
    return np.asarray(less - np.log(np.exp(less).sum()), dtype=np.float32)


@lru_cache(maxsize=1)
def shipped_network() -> Network | None:
    """The network that comes with the program, one for all readers; None where it cannot be loaded."""
    return network_from(WEIGHTS)


def network_from(path: Path) -> Network | None:
    """Load a network; without one the reader goes by its own model alone."""
    try:
        return Network(cv2.dnn.readNetFromONNX(str(path)))
    except cv2.error as error:
        LOG.warning("no second opinion: %s cannot be read (%s)", path.name, error.err)
        return None


def knows(sides: Sequence[str]) -> bool:
    """Whether the network has places for all these seats' workers."""
    return len(sides) <= SEATS
