"""Builds the firmware (and the emulator's runner) into a folder of its own."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FIRMWARE: Final = Path(__file__).parent / "firmware"
EMULATOR: Final = Path(__file__).parent / "emulator"
NEEDED: Final = {"make": "make", "avr-gcc": "gcc-avr avr-libc", "avr-objcopy": "binutils-avr"}
LINKED: Final = ("-lsimavr", "-lelf", "-lutil")


class ToolMissing(Exception):
    """A program is not installed; the text says which package brings it."""


class BuildFailed(Exception):
    """The compiler refused; `output` is what it said."""

    def __init__(self, what: str, output: str) -> None:
        super().__init__(f"{what} did not build:\n{output}")
        self.output = output


@dataclass(frozen=True)
class Options:
    """What is built into the firmware."""

    leds: int = 25
    layout: int = 1
    budget_ma: int = 400
    watchdog: bool = True

    def words(self) -> tuple[str, ...]:
        """Say it to make."""
        return (
            f"LEDS={self.leds}",
            f"LAYOUT={self.layout}",
            f"BUDGET_MA={self.budget_ma}",
            f"WATCHDOG={int(self.watchdog)}",
        )


def need(program: str, packages: str) -> None:
    """Raise ToolMissing unless the program can be started."""
    if shutil.which(program) is None:
        raise ToolMissing(f"{program} is not installed; on Debian: apt install {packages}")


def _run(what: str, command: tuple[str, ...]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildFailed(what, done.stdout + done.stderr)


def firmware(folder: Path, options: Options | None = None) -> Path:
    """Build the firmware into `folder`; give the .hex, with the .elf beside it."""
    for program, packages in NEEDED.items():
        need(program, packages)
    words = (options or Options()).words()
    _run("the firmware", ("make", "-B", "-C", str(FIRMWARE), f"BUILD={folder.resolve()}", *words))
    return folder / "firmware.hex"


def runner(folder: Path) -> Path:
    """Build the program that runs the firmware in simavr."""
    need("gcc", "gcc libsimavr-dev libelf-dev")
    out = folder / "runner"
    sources = tuple(str(source) for source in sorted(EMULATOR.glob("*.c")))
    flags = ("-O2", "-std=gnu11", "-Wall", "-Wextra")
    needs = "the emulator's runner (it needs libsimavr-dev and libelf-dev)"
    _run(needs, ("gcc", *flags, "-I/usr/include/simavr", "-o", str(out), *sources, *LINKED))
    return out


def symbol(elf: Path, name: str) -> int:
    """Find the address of a function in a built firmware."""
    done = subprocess.run(("avr-nm", str(elf)), capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        address, _, found = line.split(maxsplit=2)
        if found == name:
            return int(address, 16)
    raise LookupError(f"no function {name} in {elf}")
