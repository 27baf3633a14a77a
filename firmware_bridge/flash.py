"""Puts the firmware onto a board: build, then avrdude."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from firmware_bridge import build

Bootloader: TypeAlias = Literal["new", "old"]
BAUD: Final[dict[Bootloader, int]] = {"new": 115_200, "old": 57_600}


@dataclass(frozen=True)
class Ran:
    """A command's end."""

    code: int
    output: str


Runner: TypeAlias = Callable[[tuple[str, ...]], Ran]


class FlashFailed(Exception):
    """avrdude could not write; `output` is what it said."""

    def __init__(self, output: str) -> None:
        last = [line for line in output.splitlines() if line.strip()]
        super().__init__(f"avrdude could not write: {last[-1] if last else 'no output'}")
        self.output = output


def run(command: tuple[str, ...]) -> Ran:
    """Run a command and keep what it says."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)
    return Ran(done.returncode, done.stdout + done.stderr)


def command(port: str, image: Path, bootloader: Bootloader) -> tuple[str, ...]:
    """The avrdude call for an Arduino Nano or Uno."""
    speed = str(BAUD[bootloader])
    return (
        "avrdude",
        "-p",
        "m328p",
        "-c",
        "arduino",
        "-P",
        port,
        "-b",
        speed,
        "-D",
        "-U",
        f"flash:w:{image}:i",
    )


def options_for(options: build.Options, bootloader: Bootloader) -> build.Options:
    """The old bootloader never stops a running watchdog and would restart for ever: build without."""
    return replace(options, watchdog=False) if bootloader == "old" else options


def flash(port: str, options: build.Options, bootloader: Bootloader, runner: Runner = run) -> str:
    """Build and write; give avrdude's words, FlashFailed when it could not."""
    build.need("avrdude", "avrdude")
    with tempfile.TemporaryDirectory() as folder:
        image = build.firmware(Path(folder), options_for(options, bootloader))
        done = runner(command(port, image, bootloader))
    if done.code:
        raise FlashFailed(done.output)
    return done.output
