"""lights.toml in the data folder: brightness, palette, layout, and what each button means."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.lights.buttons import BUTTONS, MEANINGS, Meaning
from companion.lights.palette import PALETTES
from companion.lights.picture import BRIGHTNESS, Look, shape_of
from firmware_bridge.layouts import LAYOUTS, Layout, LayoutError, read

NAME: Final = "lights.toml"
KNOWN: Final = ("brightness", "palette", "layout", "buttons")


class BadLights(ValueError):
    """The lights cannot be as they are described; the text is one sentence for the user."""


@dataclass(frozen=True)
class LightsConfig:
    """How lights look and what buttons mean."""

    look: Look = field(default_factory=Look)
    layout: str = "under-25"
    buttons: Mapping[int, Meaning] = field(default_factory=lambda: dict(BUTTONS))


def load_config(folder: Path) -> LightsConfig:
    """Read lights.toml, or take what is usual where there is none."""
    path = folder / NAME
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return LightsConfig()
    except (OSError, ValueError) as error:
        raise BadLights(f"{path} cannot be read: {error}") from error
    try:
        return parse_config(found)
    except BadLights as error:
        raise BadLights(f"{path}: {error}") from error


def parse_config(found: Mapping[str, Any]) -> LightsConfig:
    """Check what lights.toml says."""
    unknown = sorted(set(found) - set(KNOWN))
    if unknown:
        raise BadLights(f"there is no '{unknown[0]}'; known are {', '.join(KNOWN)}")
    palette, layout = found.get("palette", "safe"), found.get("layout", "under-25")
    brightness = found.get("brightness", BRIGHTNESS)
    if palette not in PALETTES:
        raise BadLights(f"palette is one of {', '.join(PALETTES)}, not {palette!r}")
    if not isinstance(brightness, int) or isinstance(brightness, bool) or not 0 <= brightness <= 255:
        raise BadLights(f"brightness is 0 to 255, not {brightness!r}")
    if not isinstance(layout, str):
        raise BadLights(f"layout is a name or a file, not {layout!r}")
    return LightsConfig(Look(PALETTES[palette], brightness), layout, _buttons(found.get("buttons")))


def _buttons(found: object) -> Mapping[int, Meaning]:
    if found is None:
        return dict(BUTTONS)
    if not isinstance(found, dict):
        raise BadLights('buttons is a list like [buttons] 0 = "confirm"')
    meant: dict[int, Meaning] = {}
    for number, meaning in found.items():
        chosen = next((m for m in MEANINGS if m == meaning), None)
        if not number.isdecimal() or int(number) > 15 or chosen is None:
            raise BadLights(
                f"button {number} = {meaning!r}: numbers are 0 to 15, meanings {', '.join(MEANINGS)}"
            )
        meant[int(number)] = chosen
    return meant


def layout_named(name: str) -> Layout:
    """Find a layout by its name, or read a map from a file; BadLights when neither can be drawn."""
    try:
        layout = LAYOUTS[name] if name in LAYOUTS else read(Path(name).expanduser())
        shape_of(layout)
    except LayoutError as error:
        known = ", ".join(LAYOUTS)
        raise BadLights(f"'{name}' is neither a layout ({known}) nor an LED map: {error}") from error
    return layout
