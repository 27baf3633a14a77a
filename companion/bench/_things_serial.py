"""The serial half of `santorini bench things`: the real firmware on an emulated chip."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.bench._things_figures import Figure
from firmware_bridge import build
from firmware_bridge.emulator import Emulator
from firmware_bridge.emulator.soak import Soak, percentile, soak, through_bridge

TITLE: Final = "serial: 25 LEDs at 115,200 baud, the real firmware in simavr, kept to real time"
TO_PINS_MS: Final = 20.0
RATE: Final = 30.0
TIMING_NS: Final = 150  # WS2812B: every pulse within this of 400, 800, 850 and 450 ns


def configure(parser: argparse.ArgumentParser) -> None:
    """Take how long to run."""
    parser.add_argument("--soak", type=float, default=60.0, metavar="S", help="seconds of pictures (60)")
    parser.add_argument("--seed", type=int, default=1, help="random pictures (1)")


def measure(args: argparse.Namespace) -> Iterator[Figure]:
    """Build, run, count."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runner, elf = build.runner(folder), build.firmware(folder).with_suffix(".elf")
        with Emulator(runner, elf) as chip:
            yield from figures(soak(chip, args.soak, per_second=RATE, seed=args.seed))
            times = through_bridge(chip, max(20, round(2.5 * args.soak)))
    for share, limit in ((0.50, None), (0.95, TO_PINS_MS)):
        name = _share("Bridge.show in another thread to pins", share)
        yield Figure(name, 1000 * percentile(times, share), "ms", most=limit)


def figures(result: Soak) -> Iterator[Figure]:
    """Say what came of a soak, with its limits."""
    yield Figure("pictures sent", result.sent)
    yield Figure("pictures that did not reach the pins bit by bit", result.lost, most=0)
    yield Figure("pictures a second", result.rate, least=0.98 * RATE, digits=1)
    yield Figure("frames the board had to refuse", result.damaged, most=0)
    yield Figure("frames said twice", result.retries, most=0)
    for share, limit in ((0.50, None), (0.95, TO_PINS_MS), (0.99, None), (1.0, None)):
        yield Figure(
            _share("LED change to pins", share), 1000 * percentile(result.to_pins, share), "ms", most=limit
        )
    line = tuple(wave.line_us / 1000 for wave in result.waves)
    name = "of it line and firmware, in the chip's own time, p95"
    yield Figure(name, percentile(line, 0.95), "ms", most=TO_PINS_MS)
    rest = tuple(1000 * whole - part for whole, part in zip(result.to_pins, line, strict=False))
    yield Figure("the rest: this machine, its load, the emulator, p95", percentile(rest, 0.95), "ms")
    yield Figure("button edges made", result.presses_made)
    yield Figure("button edges not heard", result.presses_made - result.presses_heard, most=0)
    for share in (0.50, 0.95):
        name = _share("button edge to host, 10 ms of it debounce", share)
        yield Figure(name, 1000 * percentile(result.to_host, share), "ms")
    yield Figure("worst pulse, from the data sheet's middle", worst_pulse(result), "ns", most=TIMING_NS)
    yield Figure("worst slip of the emulator behind real time", 1000 * result.slip, "ms")


def _share(name: str, share: float) -> str:
    return f"{name}, {'slowest' if share == 1.0 else f'p{round(100 * share)}'}"


def worst_pulse(result: Soak) -> float:
    """The pulse farthest from what WS2812B LEDs want, in ns."""
    pulses = (
        (pulse, middle)
        for wave in result.waves
        for pulse, middle in (
            (wave.zero_high, 400),
            (wave.one_high, 800),
            (wave.zero_low, 850),
            (wave.one_low, 450),
        )
    )
    return max((abs(end - middle) for pulse, middle in pulses for end in pulse if end), default=float("inf"))
