"""The LEDs as data, for a page that draws them where they would lie."""

from __future__ import annotations

from typing import TypedDict

from companion.lights.picture import Look, Shape, shown
from companion.table.seatview import PublicView
from firmware_bridge.layouts import SIDE


class LedSeen(TypedDict):
    """One LED: where it lies (0 to 1, from the left and from below), its colour, and what it says."""

    x: float
    y: float
    colour: str
    meaning: str


class LightsSeen(TypedDict):
    """All LEDs of a shape."""

    shape: Shape
    seq: int
    brightness: int
    leds: list[LedSeen]


def lights_seen(view: PublicView, shape: Shape, look: Look | None = None) -> LightsSeen:
    """Give what the LEDs show, ready to be sent as JSON."""
    seen = shown(view, shape, look or Look())
    leds: list[LedSeen] = [
        {"x": x, "y": y, "colour": bytes(colour).hex(), "meaning": meaning}
        for (x, y), colour, meaning in zip(places(shape), seen.picture.colours, seen.meanings, strict=True)
    ]
    return {"shape": shape, "seq": view.seq, "brightness": seen.picture.brightness, "leds": leds}


def places(shape: Shape) -> list[tuple[float, float]]:
    """Say where the LEDs of a shape lie."""
    middles = [(number + 0.5) / SIDE for number in range(SIDE)]
    if shape == "cells":
        return [(x, y) for y in middles for x in middles]
    back = middles[::-1]
    near, right = [(x, 0.0) for x in middles], [(1.0, y) for y in middles]
    return near + right + [(x, 1.0) for x in back] + [(0.0, y) for y in back]
