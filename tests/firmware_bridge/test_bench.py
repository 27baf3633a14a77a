"""`santorini bench things`: prints its figures and fails when a limit is broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.bench import things
from companion.bench._things_figures import Figure, report
from companion.bench._things_serial import figures
from companion.cli.main import main
from firmware_bridge.emulator import Waveform
from firmware_bridge.emulator.soak import Soak, percentile
from firmware_bridge.frames import Status

WAVE = Waveform(0, 0.0, 600, bytes(75), 8000, (375, 375), (750, 750), (875, 875), (500, 500))
GOOD = Soak(300, 300, 10.0, (0.01,) * 300, (0.02,) * 100, 100, 100, Status(1), 0, 0.001, (WAVE,) * 300)


@pytest.mark.firmware
def test_prints_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "things", "--only", "serial", "--soak", "1"]) in (0, 1)
    out = capsys.readouterr().out
    assert "pictures sent                                              30" in out
    assert "LED change to pins, p95" in out


def test_good_run_keeps_every_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert report("x", figures(GOOD))
    assert "BROKEN" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "worse",
    [
        {"correct": 299},
        {"seconds": 11.0},
        {"retries": 1},
        {"status": Status(1, overruns=1)},
        {"to_pins": (0.01,) * 280 + (0.03,) * 20},
        {"presses_heard": 99},
        {"waves": (*GOOD.waves, replace(WAVE, one_high=(750, 1000)))},
        {"waves": (replace(WAVE, line_us=21_000),)},
    ],
    ids=lambda worse: next(iter(worse)),
)
def test_broken_limit_is_said(worse: dict[str, object], capsys: pytest.CaptureFixture[str]) -> None:
    assert not report("x", figures(replace(GOOD, **worse)))  # type: ignore[arg-type]
    assert capsys.readouterr().out.count("BROKEN") == 1


def test_exit_code_follows_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        TITLE = "broken"

        def configure(self, parser: object) -> None:
            pass

        def measure(self, args: object) -> list[Figure]:
            return [Figure("x", 2, most=1)]

    monkeypatch.setattr(things, "parts", lambda: {"broken": Broken()})
    assert main(["bench", "things"]) == 1
    assert main(["bench", "things", "--only", "other"]) == 2


def test_percentile() -> None:
    values = tuple(float(n) for n in range(100))
    assert (percentile(values, 0.5), percentile(values, 0.95), percentile(values, 1.0)) == (50.0, 95.0, 99.0)
