"""The running companion: store, tables, web server and cameras, started in order and stopped in reverse."""

from __future__ import annotations

import random
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self
from urllib.parse import urlsplit

import structlog

from companion.live.practice import NAME as PRACTICE
from companion.live.practice import Practice
from companion.paths import DataFolder
from companion.play.greeting import address_of
from companion.play.pictures import forget_pictures, remember_folder
from companion.play.things import Things, ThingsWishes
from companion.secrets import forbid_core_dumps
from companion.store import Store
from companion.table.hinting import Hinter
from companion.table.tables import Tables
from companion.web.app import create_app
from companion.web.authority import SecurePort, secure_port
from companion.web.codes import HostCode
from companion.web.eyes import Eyes
from companion.web.house import Deps
from companion.web.ports import NotPossible
from companion.web.seating import Seating
from companion.web.server import WebServer, bind
from companion.web.shelf import Shelf

LOG = structlog.get_logger("companion")
NO_CAMERA: Final = "none"
"""What the user says for a table that is played by taps."""


def names_here() -> frozenset[str]:
    """Name this computer as a browser may: other names are not ours."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local"})


class Running(Protocol):
    """Something that was started and has to be stopped."""

    def stop(self) -> None:
        """Stop it."""


@dataclass(frozen=True)
class Wishes:
    """What the user asked for on the command line."""

    data: DataFolder
    database: str | Path
    bind: str = "0.0.0.0"
    port: int = 8000
    camera: str | None = None
    things: ThingsWishes = field(default_factory=ThingsWishes)
    seed: int | None = None
    https: int | None = None
    debug: Path | None = None


class Companion:
    """Everything that runs, as one context."""

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self._running: list[Running] = []
        self.address = ""
        self.host_link = ""
        self.notes: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _start(self) -> None:
        forbid_core_dumps()
        wishes = self._wishes
        wishes.data.make()
        taken = bind(wishes.bind, wishes.port)
        store = Store.open(wishes.database)
        self._running.append(_Closing(store))
        if wishes.debug is not None:
            remember_folder(store, wishes.debug)
        tables = self._tables(store)
        port: int = taken.getsockname()[1]
        self.address = address_of(wishes.bind, port)
        host_code = HostCode(wishes.data.root / "host-code")
        self.host_link = f"{self.address}/#host={host_code.read()}"
        hinter = Hinter(tables)
        hinter.start()
        self._running.append(hinter)
        practice = self._practice(tables) if wishes.camera is None else None
        offered = None if wishes.camera == NO_CAMERA else wishes.camera
        eyes = Eyes(wishes.data.calibration, offered, debug=wishes.debug)
        self._running.append(eyes)
        if practice is not None:
            eyes.lend(practice)
        if offered is not None:
            self._resume(tables, eyes, offered)
        https = self._https()
        seating = Seating(store, time.time)
        things = Things(tables, wishes.things, wishes.data.root)
        deps = Deps(
            tables,
            Shelf(tables, lambda game: forget_pictures(store, game)),
            seating,
            host_code,
            address=self.address,
            names=names_here(),
            cameras=eyes,
            secure_address=https.address if https else None,
            certificate=https.authority if https else None,
            devices=things,
            keeps_pictures=wishes.debug is not None,
        )
        server = WebServer(create_app(deps), taken, also=(https.taken, https.keys) if https else None)
        server.start()
        self._running.append(server)
        self._running.append(things)
        things.start()
        self.notes = (*things.lines(), *([f"Https: {https.address} (docs/phones.md)"] if https else []))
        if practice is not None:
            practice.start()

    def _tables(self, store: Store) -> Tables:
        """Open the games that were running; the practice table only where it is played."""
        tables = Tables(store)
        tables.reopen()
        if self._wishes.camera is not None:
            tables.close(PRACTICE)
        return tables

    def _resume(self, tables: Tables, eyes: Eyes, source: str) -> None:
        """Let the camera go on with the newest game, where it was set up for it before."""
        for table in tables.all()[-1:]:
            try:
                eyes.resume(table, source)
            except NotPossible as refused:
                LOG.warning("camera not resumed", table=table.id, why=refused.key)

    def _https(self) -> SecurePort | None:
        """Take the second port, where it is wanted."""
        wishes = self._wishes
        if wishes.https is None:
            return None
        shown = urlsplit(self.address).hostname or "127.0.0.1"
        return secure_port(wishes.data.root / "tls", wishes.bind, wishes.https, (shown, "localhost"))

    def _practice(self, tables: Tables) -> Practice:
        """Make the practice table; it plays once the server is up."""
        practice = Practice(tables, random.Random(self._wishes.seed), debug=self._wishes.debug)
        self._running.append(practice)
        return practice

    def _stop(self) -> None:
        """Stop everything, the last started first."""
        while self._running:
            self._running.pop().stop()


class _Closing:
    """Stops a store by closing it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def stop(self) -> None:
        """Write what is left and close."""
        self._store.close()
