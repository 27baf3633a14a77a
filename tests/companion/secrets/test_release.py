"""When an answer comes says nothing about a secret: two worlds on a real clock, compared by distribution."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import Actor, Command, TakeStep
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.bus.test_sealed import hide

pytestmark = pytest.mark.slow
PERIOD = 0.06
ASKED = 24
# Two samples of 24 from one distribution are further apart than this once in some 300,000 times.
APART = 0.75
START = 0.25
"""Where in the beat everything is asked: who listens would choose the moment, too."""
WORK = 0.4 * PERIOD
SPACES = (("a1", "e5"), ("c5", "e1"))


class HastyBeat(Beat):
    """A planted leak: every answer is released as soon as it is known."""

    def wait(self, began: float) -> None:
        """Do not wait."""


def telling_work(table: Table, actor: Actor, command: Command) -> None:
    """Take longer where the first hidden worker stands on a1, as judging a step might."""
    if table.view("A").secret.workers["A1"] == "a1":  # type: ignore[union-attr]
        time.sleep(WORK)


def distance(one: Sequence[float], two: Sequence[float]) -> float:
    """Kolmogorov and Smirnov's: the largest difference between two distributions."""
    return max(
        abs(sum(x <= at for x in one) / len(one) - sum(x <= at for x in two) / len(two))
        for at in (*one, *two)
    )


def phases(folder: Path, beat: Beat) -> tuple[list[float], list[float]]:
    """Ask both worlds the same in turns; give where in the beat the answers came, 0 to 1."""
    came: tuple[list[float], list[float]] = ([], [])
    with Store.open(folder / "santorini.db") as store:
        worlds = [hide(Tables(store, beat=beat), f"w{n}", spaces) for n, spaces in enumerate(SPACES)]
        for table in worlds:
            table.staff(telling_work)
        for _ in range(ASKED):
            for table, found in zip(worlds, came, strict=True):
                # Refused, so that it can be asked again: it is not B's turn.
                step = TakeStep(do="step", step="B1:b4>b5", seq=table.view("B").seq)
                time.sleep(((START - time.monotonic() / PERIOD) % 1) * PERIOD)
                assert not table.submit(Actor("B", "seat"), step).ok
                found.append(time.monotonic() / PERIOD % 1)
    return came


def test_answers_come_alike_whatever_is_hidden(tmp_path: Path) -> None:
    one, two = phases(tmp_path, Beat(PERIOD))
    assert distance(one, two) < APART, (one, two)


def test_answers_at_once_are_told_apart(tmp_path: Path) -> None:
    one, two = phases(tmp_path, HastyBeat(PERIOD))
    assert distance(one, two) > APART, (one, two)


def test_the_distance_of_distributions() -> None:
    assert distance([0.1, 0.2], [0.1, 0.2]) == 0
    assert distance([0.1, 0.2], [0.3, 0.4]) == 1
    assert distance([0.1, 0.3], [0.2, 0.4]) == 0.5
