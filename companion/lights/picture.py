"""What the LEDs show, computed from the public view and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from companion.lights.palette import DARK, SAFE, Meaning, Palette
from companion.table.seatview import PublicView
from firmware_bridge.frames import Colour, Picture
from firmware_bridge.layouts import SIDE, Layout, LayoutError, ring_of

Shape = Literal["cells", "ring"]
CELLS: Final = SIDE * SIDE
RING: Final = 4 * SIDE
BRIGHTNESS: Final = 120
GOING: Final = ("move", "force", "swap", "place")
"""Kinds of steps that bring a worker to a space."""
LEGAL: Final = ("legal", "explain", "threats")
_CELL: Final = re.compile(r"(?<![a-z])([a-e][1-5])")


@dataclass(frozen=True)
class Look:
    """How the owner wants the lights."""

    palette: Palette = SAFE
    brightness: int = BRIGHTNESS


@dataclass(frozen=True)
class Shown:
    """A picture and what each LED says, for a screen that shows the LEDs."""

    picture: Picture
    meanings: tuple[str, ...]


@dataclass(frozen=True)
class Lit:
    """One space that is lit: what for, and in which colour."""

    meaning: str
    colour: Colour


def shape_of(layout: Layout) -> Shape:
    """Say whether a layout has an LED for every space or a ring; LayoutError for anything else."""
    match layout.leds:
        case 25:
            return "cells"
        case 20:
            return "ring"
        case other:
            raise LayoutError(f"the LED map '{layout.name}' has {other} LEDs; the table draws 25 or 20")


def picture_of(
    view: PublicView, layout: Layout, palette: Palette = SAFE, brightness: int = BRIGHTNESS
) -> Picture:
    """Give the picture for a layout, still in its logical order."""
    return shown(view, shape_of(layout), Look(palette, brightness)).picture


def shown(view: PublicView, shape: Shape, look: Look) -> Shown:
    """Give picture and meanings for a shape."""
    # A seat's view must never get here, not even past a type checker.
    if type(view) is not PublicView:
        raise TypeError(f"lights are made from the public view, not from {type(view).__name__}")
    lit = lit_spaces(view, look.palette)
    match shape:
        case "cells":
            leds: list[Lit | None] = [lit.get(cell) for cell in range(CELLS)]
        case "ring":
            leds = _ring(view, lit, look.palette)
        case _:
            assert_never(shape)
    colours = tuple(led.colour if led else DARK for led in leds)
    brightness = look.brightness // 4 if view.paused else look.brightness
    return Shown(Picture(colours, brightness), tuple(led.meaning if led else "" for led in leds))


def lit_spaces(view: PublicView, palette: Palette) -> Mapping[int, Lit]:
    """Say which spaces are lit; what matters more replaces what matters less."""
    if view.result is not None:
        return dict(_won(view, palette))
    if view.notice is not None and view.notice.put_back:
        return dict(_put_back(view, palette))
    if view.sync is not None:
        return {index(d.cell): _lit("differ", palette) for d in view.sync}
    return dict(_last_move(view, palette)) | dict(_mover(view, palette)) | dict(_legal(view, palette))


def index(cell: str) -> int:
    """Turn a1 … e5 into 0 … 24."""
    return SIDE * (int(cell[1]) - 1) + "abcde".index(cell[0])


def _lit(meaning: Meaning, palette: Palette) -> Lit:
    return Lit(meaning, palette.of(meaning))


def _won(view: PublicView, palette: Palette) -> Iterator[tuple[int, Lit]]:
    """The winners' workers stand in white on a board of their colour."""
    winner = next((p for p in view.players if view.result and p.seat == view.result.winner), None)
    if winner is None:
        return
    team = {player.seat for player in view.players if player.team == winner.team}
    for number, space in enumerate(view.board):
        own = space.worker is not None and space.worker.seat in team
        yield number, _lit("win", palette) if own else Lit("winner", palette.worker(winner.colour))


def _put_back(view: PublicView, palette: Palette) -> Iterator[tuple[int, Lit]]:
    """Where a piece has to be taken from, and where it goes."""
    for thing in view.notice.put_back if view.notice else ():
        if thing.origin is not None:
            yield index(thing.origin), _lit("take", palette)
    for thing in view.notice.put_back if view.notice else ():
        if thing.target is not None:
            yield index(thing.target), _lit("put", palette)


def _last_move(view: PublicView, palette: Palette) -> Iterator[tuple[int, Lit]]:
    """The spaces that the last turn touched, until the next one begins; then those of the turn under way."""
    words = view.turn or ((view.history[-1].turn,) if view.history else ())
    for cell in _CELL.findall(" ".join(words)):
        yield index(cell), _lit("last", palette)


def _mover(view: PublicView, palette: Palette) -> Iterator[tuple[int, Lit]]:
    """The workers of the seat to move that stand openly."""
    colour = _colour_to_move(view, palette)
    for number, space in enumerate(view.board):
        if colour is not None and space.worker is not None and space.worker.seat == view.to_move:
            yield number, Lit("mover", colour)


def _colour_to_move(view: PublicView, palette: Palette) -> Colour | None:
    return next((palette.worker(p.colour) for p in view.players if p.seat == view.to_move), None)


def _legal(view: PublicView, palette: Palette) -> Iterator[tuple[int, Lit]]:
    """Where the seat to move may go or build, if it wants to be shown."""
    prompt = view.prompt
    level = next((p.hint_level for p in view.players if prompt and p.seat == prompt.seat), "off")
    if prompt is None or level not in LEGAL:
        return
    goes = [s for s in prompt.steps if s.kind in GOING]
    others = [s for s in prompt.steps if s.kind not in GOING]
    # A space that can be gone to as well as built on is shown as one to go to: that is asked first.
    for steps, meaning in ((others, "build"), (goes, "go")):
        for step in steps:
            if step.cells:
                yield index(step.cells[-1]), Lit(meaning, palette.of("go" if meaning == "go" else "build"))


def _ring(view: PublicView, lit: Mapping[int, Lit], palette: Palette) -> list[Lit | None]:
    """Each lit space points at itself from four sides; the rest glows faintly in the colour to move."""
    glow = _colour_to_move(view, palette) if view.result is None else None
    rest = Lit("mover", _faint(glow)) if glow else None
    leds: list[Lit | None] = [rest] * RING
    for number, light in sorted(lit.items(), key=lambda item: _rank(item[1])):
        # Workers of the seat to move are everywhere; the glow says it already.
        if light.meaning in ("mover", "last") and _crowded(lit):
            continue
        for led in ring_of(number % SIDE, number // SIDE):
            leds[led] = light
    return leds


RANK: Final = ("winner", "last", "mover", "build", "go", "win", "differ", "take", "put")


def _rank(light: Lit) -> int:
    return RANK.index(light.meaning)


def _crowded(lit: Mapping[int, Lit]) -> bool:
    return any(light.meaning in ("go", "build") for light in lit.values())


def _faint(colour: Colour) -> Colour:
    red, green, blue = (part // 8 for part in colour)
    return red, green, blue
