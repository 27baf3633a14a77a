"""Two desks that need no table: lines of JSON, and a running light for trying a new wiring."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final, Protocol

from firmware_bridge.frames import Beep, Colour, Picture
from firmware_bridge.lamp import ButtonPress, Lamp, LinkState
from firmware_bridge.layouts import Layout, LayoutError

MAX_LINE: Final = 65_536


class PictureError(ValueError):
    """A line that is no picture; the text says why."""


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """Read lines of bounded length; what is not UTF-8 becomes text that nobody accepts."""
    while piece := stream.readline(MAX_LINE + 2):
        yield piece.decode("utf-8", "replace")
        while len(piece) > MAX_LINE and not piece.endswith(b"\n"):
            piece = stream.readline(MAX_LINE + 2)  # the rest of a line that was refused already


class PlacedLamp:
    """A lamp that is given logical pictures and shows them on a strip."""

    def __init__(self, lamp: Lamp, layout: Layout) -> None:
        self._lamp, self._layout = lamp, layout

    def show(self, picture: Picture) -> None:
        """Place and show; LayoutError when the sizes differ."""
        self._lamp.show(self._layout.place(picture))

    def beep(self, beep: Beep) -> None:
        """Pass on."""
        self._lamp.beep(beep)

    def close(self) -> None:
        """Pass on."""
        self._lamp.close()


def parse_colour(text: object) -> Colour:
    """Read `ff8000`."""
    if not isinstance(text, str) or len(text) != 6:
        raise PictureError(f"a colour is six hex digits, not {text!r}")
    try:
        red, green, blue = bytes.fromhex(text)
    except ValueError as error:
        raise PictureError(f"a colour is six hex digits, not {text!r}") from error
    return red, green, blue


def parse_line(line: str) -> Picture | Beep:
    """Read {"colours": ["ff0000", …], "brightness": 120} or {"beep": [880, 150]}."""
    if len(line) > MAX_LINE:
        raise PictureError(f"a line of {len(line)} characters instead of at most {MAX_LINE}")
    try:
        found = json.loads(line)
    except ValueError as error:
        raise PictureError("not JSON") from error
    match found:
        case {"colours": list(colours), **rest} if set(rest) <= {"brightness"}:
            return Picture(tuple(map(parse_colour, colours)), _byte(rest.get("brightness", 255)))
        case {"beep": [int(hertz), int(milliseconds)], **rest} if not rest:
            return Beep(hertz, milliseconds)
        case _:
            raise PictureError('neither {"colours": […], "brightness": n} nor {"beep": [hertz, ms]}')


def _byte(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 255:
        raise PictureError(f"brightness is 0 to 255, not {value!r}")
    return value


class LineDesk:
    """Takes pictures as lines of JSON and writes presses and states as lines of JSON."""

    def __init__(self, lines: Iterable[str], write: Callable[[str], object]) -> None:
        self._lines, self._write = lines, write
        self._done = threading.Event()
        self.refused = 0

    def attach(self, lamp: Lamp) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, args=(lamp,), name="line-desk", daemon=True).start()

    def pressed(self, press: ButtonPress) -> None:
        """Write the press."""
        self._say({"button": press.button, "down": press.down})

    def link_changed(self, state: LinkState) -> None:
        """Write the state."""
        self._say({"link": state.name, "detail": state.detail})

    def wait(self) -> None:
        """Return when the lines have ended."""
        self._done.wait()

    def close(self) -> None:
        """Nothing: the lines belong to the caller."""

    def _read(self, lamp: Lamp) -> None:
        for line in self._lines:
            if line.strip():
                self._take(lamp, line)
        self._done.set()

    def _take(self, lamp: Lamp, line: str) -> None:
        try:
            match parse_line(line):
                case Picture() as picture:
                    lamp.show(picture)
                case Beep() as beep:
                    lamp.beep(beep)
        except (ValueError, LayoutError) as error:
            self.refused += 1
            self._say({"refused": str(error), "count": self.refused})

    def _say(self, what: dict[str, object]) -> None:
        self._write(json.dumps(what) + "\n")


class Stop(Protocol):
    """Something that can be waited for, such as `threading.Event`."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait, and say whether it has happened."""

    def set(self) -> None:
        """Let it happen."""


def demo_picture(number: int, leds: int) -> Picture:
    """One LED after the other lights up, in red, green, blue in turn: shows order, colours and dead LEDs."""
    colours = [(0, 0, 0)] * leds
    colours[number % leds] = ((120, 0, 0), (0, 120, 0), (0, 0, 120))[number // leds % 3]
    return Picture(tuple(colours), 255)


class DemoDesk(LineDesk):
    """A running light; a press beeps and is written."""

    def __init__(self, leds: int, write: Callable[[str], object], stop: Stop, beat: float = 0.2) -> None:
        super().__init__((), write)
        self._leds, self._stop, self._beat = leds, stop, beat
        self._lamp: Lamp | None = None

    def attach(self, lamp: Lamp) -> None:
        """Begin to run."""
        self._lamp = lamp
        threading.Thread(target=self._run, args=(lamp,), name="demo-desk", daemon=True).start()

    def pressed(self, press: ButtonPress) -> None:
        """Beep, a different tone for every button."""
        super().pressed(press)
        if press.down and self._lamp is not None:
            self._lamp.beep(Beep(600 + 150 * press.button, 80))

    def close(self) -> None:
        """Stop running."""
        self._stop.set()

    def _run(self, lamp: Lamp) -> None:
        number = 0
        while not self._stop.wait(self._beat):
            lamp.show(demo_picture(number, self._leds))
            number += 1
        self._done.set()
