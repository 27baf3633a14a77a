"""The desk of a table in this process: pictures go to the lamp, presses go to the table."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Final, Protocol

import structlog

from companion.lights.buttons import Panel, PublicTable
from companion.lights.config import LightsConfig
from companion.lights.picture import Shape, shown
from firmware_bridge.frames import Beep, Picture
from firmware_bridge.lamp import ButtonPress, Lamp, LinkState

LOG: Final = structlog.get_logger("lights")
YES: Final = Beep(1200, 60)
NO: Final = Beep(300, 200)


class OpenTable(PublicTable, Protocol):
    """A table that tells when it changes."""

    @property
    def id(self) -> str:
        """The table's name."""

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener after every change."""


class OpenTables(Protocol):
    """The tables of this process."""

    def all(self) -> tuple[OpenTable, ...]:
        """List the open tables, the newest last."""

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener when a table opens or closes."""


class TableDesk:
    """Follows the newest open table. All work is done in one thread of its own."""

    def __init__(self, tables: OpenTables, shape: Shape, config: LightsConfig) -> None:
        self._tables, self._shape, self._config = tables, shape, config
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._presses: queue.SimpleQueue[ButtonPress] = queue.SimpleQueue()
        self._lamp: Lamp | None = None
        self._table: OpenTable | None = None
        self._panel: Panel | None = None
        self._leave: list[Callable[[], None]] = []
        self._thread: threading.Thread | None = None
        self.link = LinkState("searching")

    # --- the Desk

    def attach(self, lamp: Lamp) -> None:
        """Begin to give pictures to this lamp."""
        self._lamp = lamp
        self._leave.append(self._tables.on_change(self._wake.set))
        self._wake.set()
        self._thread = threading.Thread(target=self._work, name="lights-desk", daemon=True)
        self._thread.start()

    def pressed(self, press: ButtonPress) -> None:
        """Note the press; it is done in the desk's own thread."""
        self._presses.put(press)
        self._wake.set()

    def link_changed(self, state: LinkState) -> None:
        """Remember how the lamp is, and log it."""
        self.link = state
        LOG.info("lamp", state=state.name, detail=state.detail)

    def wait(self) -> None:
        """Return when the desk was closed."""
        self._stop.wait()

    def close(self) -> None:
        """Stop following."""
        self._stop.set()
        self._wake.set()
        for leave in self._leave:
            leave()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2)

    # --- the work

    def _work(self) -> None:
        """The edge of the thread: a fault at one table must not leave the lights dark for good."""
        last: Picture | None = None
        while not self._stop.is_set():
            self._wake.wait()
            self._wake.clear()
            try:
                self._follow()
                self._press_all()
                last = self._show(last)
            except Exception:
                LOG.exception("lights go on after a fault")

    def _follow(self) -> None:
        """Turn to the newest table."""
        tables = self._tables.all()
        table = tables[-1] if tables else None
        if table is self._table:
            return
        self._table, self._panel = table, Panel(table) if table else None
        while len(self._leave) > 1:
            self._leave.pop()()
        if table is not None:
            self._leave.append(table.subscribe(self._wake.set))

    def _press_all(self) -> None:
        while True:
            try:
                press = self._presses.get_nowait()
            except queue.Empty:
                return
            meaning = self._config.buttons.get(press.button)
            if not press.down or meaning is None or self._panel is None or self._lamp is None:
                continue
            self._lamp.beep(YES if self._panel.press(meaning).ok else NO)

    def _show(self, last: Picture | None) -> Picture | None:
        """Show the table, unless the lamp shows it already."""
        if self._lamp is None or self._stop.is_set():
            return last
        if self._table is None:
            leds = 25 if self._shape == "cells" else 20
            picture = Picture(((0, 0, 0),) * leds, 0)
        else:
            picture = shown(self._table.public(), self._shape, self._config.look).picture
        if picture != last:
            self._lamp.show(picture)
        return picture
