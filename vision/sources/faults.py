"""Fakes of cameras, each named for its fault; for tests and for trying out what the product does about it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from vision.reading import Picture
from vision.sources.base import SourceError

GREY: Final = 128


def plain_picture(number: int, size: tuple[int, int] = (64, 36)) -> Picture:
    """Make a small picture that shows its number as its brightness."""
    return np.full((size[1], size[0], 3), number % 256, np.uint8)


class HealthyGrabber:
    """Gives numbered pictures as fast as `gap` says; the other fakes break it in one way each."""

    def __init__(self, gap: float = 0.0) -> None:
        self.opened = 0
        self.grabbed = 0
        self._gap = gap
        self._pause = threading.Event()

    @property
    def name(self) -> str:
        """Name the fake after its class."""
        return type(self).__name__

    @property
    def notes(self) -> tuple[str, ...]:
        """Nothing to add."""
        return ()

    def open(self) -> None:
        """Count the connection."""
        self.opened += 1

    def grab(self) -> None:
        """Wait for the gap and count the picture."""
        self._pause.wait(self._gap)
        self.grabbed += 1

    def picture(self) -> Picture | None:
        """Make the picture that was grabbed."""
        return plain_picture(self.grabbed)

    def later(self) -> Callable[[], Picture | None] | None:
        """Only now."""
        return None

    def wake(self) -> None:
        """End the wait."""
        self._pause.set()

    def close(self) -> None:
        """Nothing is held open."""


class DyingGrabber(HealthyGrabber):
    """Dies after so many pictures, every time it was opened."""

    def __init__(self, after: int, gap: float = 0.0) -> None:
        super().__init__(gap)
        self._after = after
        self._left = 0

    def open(self) -> None:
        """Live again, for a while."""
        super().open()
        self._left = self._after

    def grab(self) -> None:
        """Die when the time has come."""
        if self._left == 0:
            raise SourceError("the cable was pulled")
        self._left -= 1
        super().grab()


class UnreachableGrabber(HealthyGrabber):
    """Cannot be opened the first `refusals` times."""

    def __init__(self, refusals: int, gap: float = 0.0) -> None:
        super().__init__(gap)
        self._refusals = refusals

    def open(self) -> None:
        """Refuse, until the last refusal is used up."""
        super().open()
        if self.opened <= self._refusals:
            raise SourceError("the connection was refused")


class SurprisingGrabber(HealthyGrabber):
    """Raises what nobody expected, the first time it was opened."""

    def grab(self) -> None:
        """Surprise once."""
        if self.opened == 1:
            raise ZeroDivisionError("a driver's own fault")
        super().grab()


class BurstGrabber(HealthyGrabber):
    """Sends pictures in bursts of five, as Wi-Fi does."""

    def grab(self) -> None:
        """Wait only before every fifth picture."""
        if self.grabbed % 5 == 0 and self.grabbed:
            self._pause.wait(self._gap)
        self.grabbed += 1

    def later(self) -> Callable[[], Picture | None] | None:
        """Keep the number."""
        number = self.grabbed
        return lambda: plain_picture(number)


class GarbageGrabber(HealthyGrabber):
    """Sends garbage for every second picture."""

    def picture(self) -> Picture | None:
        """Fail to decode the odd pictures."""
        return None if self.grabbed % 2 else super().picture()


class HangingGrabber(HealthyGrabber):
    """Sends one picture and then hangs in the driver."""

    def grab(self) -> None:
        """Hang at the second picture until woken."""
        if self.grabbed >= 1:
            self._pause.wait()
        super().grab()


class FakeCapture:
    """Stands for `cv2.VideoCapture`: remembers the properties, numbers the pictures."""

    def __init__(self, pictures: int = 1_000_000, offers: Callable[[int], bool] = lambda prop: True) -> None:
        self.values: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}
        self.written: list[tuple[int, float]] = []
        self.released = False
        self._left = pictures
        self._offers = offers
        self._number = 0

    def isOpened(self) -> bool:
        """Tell that the device is there."""
        return not self.released

    def grab(self) -> bool:
        """Number the next picture; False when there is none left."""
        self._number += 1
        self._left -= 1
        return self._left >= 0

    def retrieve(self) -> tuple[bool, Any]:
        """Make the picture."""
        return True, plain_picture(self._number)

    def get(self, prop: int) -> float:
        """Read a property."""
        return self.values.get(prop, 0.0)

    def set(self, prop: int, value: float) -> bool:
        """Write a property, if the device offers it."""
        if not self._offers(prop):
            return False
        self.values[prop] = value
        self.written.append((prop, value))
        return True

    def release(self) -> None:
        """Let go."""
        self.released = True


class StubbornCapture(FakeCapture):
    """A camera that offers no lock of its automatic controls."""

    def __init__(self) -> None:
        autos = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
        super().__init__(offers=lambda prop: prop not in autos)


class AbsentCapture(FakeCapture):
    """A device that is not there."""

    def isOpened(self) -> bool:
        """Tell that there is nothing."""
        return False


class FailingCapture(FakeCapture):
    """A driver that raises in the middle of a stream."""

    def grab(self) -> bool:
        """Raise what OpenCV raises."""
        raise cv2.error("V4L2: the device went away")
