"""From the word behind --lights to a lamp at work: a board, a WLED lamp, or whatever is plugged in."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final, Protocol

from companion.lights.config import BadLights, LightsConfig, layout_named, load_config
from companion.lights.desk import OpenTables, TableDesk
from companion.lights.picture import shape_of
from firmware_bridge.bridge import Bridge
from firmware_bridge.desks import PlacedLamp
from firmware_bridge.dialing import PortDialer
from firmware_bridge.lamp import Desk, Lamp
from firmware_bridge.layouts import Layout
from firmware_bridge.wled import PlainHttp, WledError, WledLamp
from firmware_bridge.wled_serial import SCHEME, SerialJson

WLED: Final = "wled://"
AUTO: Final = "auto"
PATIENCE: Final = 1.0


class StartableLamp(Lamp, Protocol):
    """A lamp that works in a thread of its own."""

    def start(self) -> None:
        """Begin."""


def lamp_for(wanted: str, desk: Desk) -> StartableLamp:
    """Make the lamp that a word names; BadLights when there can be none."""
    if wanted.startswith(WLED):
        try:
            return WledLamp(PlainHttp(f"http://{wanted.removeprefix(WLED)}"), desk)
        except WledError as error:
            raise BadLights(str(error)) from error
    if wanted.startswith(SCHEME):
        name = wanted.removeprefix(SCHEME)
        return WledLamp(SerialJson(PortDialer(None if name == AUTO else name)), desk)
    return Bridge(PortDialer(None if wanted == AUTO else wanted), desk)


def check_wanted(wanted: str) -> None:
    """Refuse a word that can never lead to a lamp; one that is only unplugged is waited for."""
    if "://" in wanted and not wanted.startswith((WLED, SCHEME)):
        raise BadLights(f"'{wanted}' is neither a serial port, wled://host, wled-usb://port nor auto")
    if wanted == SCHEME:
        raise BadLights("wled-usb:// wants auto or a serial port behind it")
    if wanted.startswith(WLED) and len(wanted) == len(WLED):
        raise BadLights("wled:// wants the lamp's name behind it, such as wled://wled.local")


class Lights:
    """Lights and buttons of this process's newest table."""

    def __init__(self, tables: OpenTables, wanted: str, layout: Layout, config: LightsConfig) -> None:
        self._desk = TableDesk(tables, shape_of(layout), config)
        self._lamp = lamp_for(wanted, self._desk)
        self._layout = layout

    def start(self) -> None:
        """Light up."""
        self._lamp.start()
        self._desk.attach(PlacedLamp(self._lamp, self._layout))

    def stop(self) -> None:
        """Go dark; a lamp that does not answer is not waited for."""
        self._desk.close()
        closing = threading.Thread(target=self._lamp.close, name="lights-closing", daemon=True)
        closing.start()
        closing.join(PATIENCE)


def lights_for(tables: OpenTables, wanted: str, layout: str | None, folder: Path) -> Lights:
    """Make the lights from the words of the command line and lights.toml."""
    config = load_config(folder)
    return Lights(tables, wanted, layout_named(layout or config.layout), config)
