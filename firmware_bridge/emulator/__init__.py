"""The real firmware on an emulated chip (simavr): its serial line is a pty, its pins are events."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from firmware_bridge.build import symbol

PATIENCE: Final = 60.0


class EmulatorError(Exception):
    """The emulator ended, or what was awaited did not come; the text holds the last events."""


@dataclass(frozen=True)
class Waveform:
    """One picture as it left the pin: colours in red, green, blue; the range of every pulse in ns.

    `line_us` is the chip's own time from the frame's first bit on the line to the last bit on the pin.
    """

    at_us: int
    wall: float
    bits: int
    colours: bytes
    line_us: int
    zero_high: tuple[int, int]
    one_high: tuple[int, int]
    zero_low: tuple[int, int]
    one_low: tuple[int, int]


def _waveform(event: dict[str, Any]) -> Waveform:
    sent = bytes.fromhex(event["bytes"])
    # WS2812: green first.
    colours = b"".join(bytes((sent[n + 1], sent[n], sent[n + 2])) for n in range(0, len(sent) - 2, 3))
    pulses = {name: (event[name][0], event[name][1]) for name in ("t0h", "t1h", "t0l", "t1l")}
    return Waveform(
        event["us"],
        event["wall"] / 1e9,
        event["bits"],
        colours,
        event["line_us"],
        pulses["t0h"],
        pulses["t1h"],
        pulses["t0l"],
        pulses["t1l"],
    )


class Emulator:
    """A running chip. Events are kept in order; `wait` takes them out."""

    def __init__(self, runner: Path, elf: Path, *, real_time: bool = True) -> None:
        self._elf = elf
        words = [str(runner), str(elf)] + ([] if real_time else ["--free"])
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._events: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, name="emulator", daemon=True)
        self._reader.start()
        self.port: str = self.wait("port")["path"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it: the runner quits when its stdin closes."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(5)
        if self._process.stdout is not None:
            self._process.stdout.close()

    @property
    def pid(self) -> int:
        """The runner's process."""
        return self._process.pid

    # --- what is done to the chip

    def press(self, button: int) -> None:
        """Push a button cleanly and keep it down."""
        self._tell(f"pin {button} 0")

    def release(self, button: int) -> None:
        """Let a button go."""
        self._tell(f"pin {button} 1")

    def bounce(self, button: int, microseconds: Iterable[int]) -> None:
        """Toggle a button after each of these times."""
        self._tell(f"edges {button} {' '.join(map(str, microseconds))}")

    def reset(self) -> None:
        """Push the reset button."""
        self._tell("reset")

    def hang(self) -> None:
        """Send the program into an endless loop with interrupts off, where only the watchdog helps."""
        self._tell(f"jump {symbol(self._elf, '__stop_program'):x}")

    def unplug(self) -> None:
        """Pull the USB cable; the chip runs on."""
        self._tell("unplug")
        self.wait("unplugged")

    def plug(self) -> str:
        """Put the cable back; the port has another name now."""
        self._tell("plug")
        self.port = self.wait("port")["path"]
        return self.port

    def slip_ms(self) -> float:
        """How far the chip fell behind real time at worst."""
        self._tell("slip")
        return float(self.wait("slip")["us"]) / 1000

    # --- what the chip does

    def wait(
        self, name: str, fits: Callable[[dict[str, Any]], bool] | None = None, patience: float = PATIENCE
    ) -> dict[str, Any]:
        """Give the next event of this name (that fits), dropping what comes before it."""
        end = time.monotonic() + patience
        seen: list[dict[str, Any]] = []
        while (left := end - time.monotonic()) > 0:
            try:
                event = self._events.get(timeout=left)
            except queue.Empty:
                break
            if event is None:
                raise EmulatorError(f"the emulator has ended; last: {seen[-3:]}")
            seen.append(event)
            if event["event"] == name and (fits is None or fits(event)):
                return event
        raise EmulatorError(f"no '{name}' within {patience} s; last: {seen[-3:]}")

    def picture(self, fits: Callable[[Waveform], bool] | None = None, patience: float = PATIENCE) -> Waveform:
        """Give the next picture on the LED pin (that fits)."""
        event = self.wait("leds", lambda e: fits is None or fits(_waveform(e)), patience)
        return _waveform(event)

    def pictures(self) -> tuple[Waveform, ...]:
        """Give the pictures that have come until now, dropping other events."""
        found = []
        while not self._events.empty():
            event = self._events.get()
            if event is not None and event["event"] == "leds":
                found.append(_waveform(event))
        return tuple(found)

    def _tell(self, command: str) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(command + "\n")
            pipe.flush()
        except (OSError, ValueError) as error:
            raise EmulatorError(f"the emulator has ended, cannot '{command}'") from error

    def _read(self) -> None:
        out = self._process.stdout
        assert out is not None
        for line in out:
            self._events.put(json.loads(line))
        self._events.put(None)
