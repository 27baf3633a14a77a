"""The real server, killed in the middle of games: what phones had been shown comes back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.bench._browser import Browser
from companion.bench._calibration_kills import Fitter
from companion.bench._server_kills import Client, run_server_kills


@pytest.mark.slow
def test_killed_twenty_times_no_phone_was_shown_anything_that_is_gone() -> None:
    report = run_server_kills(20, seed=4)
    assert report.faults == [], str(report)
    assert report.kills == 20
    # Every phone is shown its table after every start until its game is over, and one game is too slow
    # to end; how far they play in between is up to the machine.
    assert report.views >= 20 * 3, str(report)
    assert report.tried > report.calibrations >= 3 or report.calibrations >= 4, str(report)


def view(turns: list[str], playing: list[str], height: int = 0) -> dict[str, Any]:
    history = [{"n": n, "seat": "A", "turn": turn} for n, turn in enumerate(turns)]
    return {"history": history, "turn": playing, "board": [{"cell": "a1", "height": height}]}


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (view(["x"], ["y"]), view(["x"], ["y"]), False),
        (view(["x"], ["y"]), view(["x"], ["y", "z"]), False),
        (view(["x"], ["y"]), view(["x", "y z"], []), False),
        (view(["x"], ["y"]), view(["x"], []), True),
        (view(["x"], ["y"]), view([], ["y"]), True),
        (view(["x"], ["y"]), view(["w", "v"], []), True),
        (view(["x"], ["y"]), view(["x"], ["y"], height=1), True),
    ],
)
def test_what_is_gone_is_found_out(before: dict[str, Any], after: dict[str, Any], found: bool) -> None:
    client = Client("t", None, None, random.Random(1))
    client.check(before, first=True)
    client.check(after, first=True)
    assert bool(client.faults) == found


def test_a_calibration_that_is_gone_or_another_is_found_out(tmp_path: Path) -> None:
    fitter = Fitter(Browser(""), "t", tmp_path, [], random.Random(1))
    old, new, older = ({"verdict": "good", "figures": {"off": off}} for off in (1.0, 2.0, 3.0))
    fitter.check(old)
    fitter.kept = [old, new]  # the line was cut while the new one was being kept
    fitter.check(new)
    assert fitter.faults == []
    fitter.check(older)
    fitter.check({"verdict": None, "figures": {}})
    assert len(fitter.faults) == 2
