"""Latest picture only; a source that dies, sends garbage or hangs says so and goes on."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from vision.sources.base import Phase
from vision.sources.faults import (
    BurstGrabber,
    DyingGrabber,
    GarbageGrabber,
    HangingGrabber,
    HealthyGrabber,
    SurprisingGrabber,
    UnreachableGrabber,
)
from vision.sources.latest import Backoff, LatestSource

FAST = Backoff(first=0.01, longest=0.05)


def wait_until(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.005)
    return False


def test_a_slow_consumer_gets_the_newest_picture_and_no_queue() -> None:
    source = LatestSource(HealthyGrabber(gap=0.005), max_fps=1000)
    try:
        assert source.newer(0, 2.0) is not None
        time.sleep(0.3)
        now = source.latest()
        assert now is not None
        assert time.monotonic() - now.at < 0.1
        assert now.number > 10
    finally:
        source.close()


def test_pictures_beyond_the_wanted_rate_are_not_decoded() -> None:
    source = LatestSource(HealthyGrabber(gap=0.005), max_fps=10)
    try:
        time.sleep(0.65)
        state = source.state
    finally:
        source.close()
    assert 3 <= state.frames <= 9
    assert state.skipped > state.frames


def test_a_dying_source_reconnects_counts_and_says_so() -> None:
    grabber = DyingGrabber(after=3, gap=0.05)
    source = LatestSource(grabber, max_fps=10_000, backoff=Backoff(first=0.2, longest=0.2))
    try:
        assert wait_until(lambda: source.state.phase == "lost")
        assert "the cable was pulled; trying again in 0.2 s" in source.state.says
        assert wait_until(lambda: grabber.opened >= 2 and source.state.phase == "live")
        assert source.state.reconnects >= 1
        frame = source.latest()
        assert frame is not None and frame.number > 3
    finally:
        source.close()


def test_an_unreachable_source_is_tried_with_growing_waits() -> None:
    grabber = UnreachableGrabber(refusals=4)
    source = LatestSource(grabber, backoff=FAST)
    try:
        assert source.newer(0, 5.0) is not None
    finally:
        source.close()
    assert grabber.opened == 5
    assert [Backoff(1.0, 10.0).wait(n) for n in (1, 2, 3, 4, 5, 60)] == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_a_surprise_in_a_driver_is_logged_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    source = LatestSource(SurprisingGrabber(gap=0.01), backoff=Backoff(first=0.1, longest=0.1))
    try:
        assert wait_until(lambda: "ZeroDivisionError" in source.state.says)
        assert source.newer(0, 5.0) is not None
    finally:
        source.close()
    assert "camera source failed" in caplog.text


def test_the_last_picture_of_a_burst_is_seen_not_the_first() -> None:
    source = LatestSource(BurstGrabber(gap=0.4), max_fps=5)
    try:
        assert source.newer(0, 2.0) is not None
        time.sleep(0.2)
        frame = source.latest()
        assert frame is not None
        assert int(frame.picture[0, 0, 0]) % 5 == 0
        again = source.latest()
        assert again is not None and again.number == frame.number
    finally:
        source.close()


def test_garbage_is_skipped_and_counted() -> None:
    source = LatestSource(GarbageGrabber(gap=0.002), max_fps=10_000)
    try:
        assert wait_until(lambda: source.state.frames >= 5)
        state = source.state
        frame = source.latest()
    finally:
        source.close()
    assert frame is not None and int(frame.picture[0, 0, 0]) % 2 == 0
    assert state.undecodable >= 4


def test_a_hanging_source_is_called_silent_and_closes_at_once() -> None:
    now = [0.0]
    source = LatestSource(HangingGrabber(), clock=lambda: now[0])
    assert source.newer(0, 5.0) is not None
    phases: list[Phase] = [source.state.phase]
    now[0] = 4.0
    phases.append(source.state.phase)
    began = time.monotonic()
    source.close()
    assert phases == ["live", "silent"]
    assert time.monotonic() - began < 1.5
    assert source.state.phase == "closed"


def test_closing_twice_is_fine_and_keeps_the_last_picture() -> None:
    source = LatestSource(HealthyGrabber(gap=0.005))
    assert source.newer(0, 5.0) is not None
    source.close()
    source.close()
    assert source.latest() is not None
    assert source.newer(10_000, 0.01) is None
