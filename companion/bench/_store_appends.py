"""Times appends: alone, with fifty tables at once, and with SQLite's weaker setting for comparison."""

from __future__ import annotations

import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from companion.store import NewEvent, Store
from companion.store.games import GameRow, create_game

TABLES: Final = 50


@dataclass(frozen=True)
class Timing:
    """How long appends of one kind took, in milliseconds each, and how many were done in a second."""

    name: str
    milliseconds: tuple[float, ...]
    seconds: float

    def at(self, share: float) -> float:
        """Give a quantile."""
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def __str__(self) -> str:
        rate = len(self.milliseconds) / self.seconds
        return f"{self.name:34} p50 {self.at(0.5):7.2f} ms   p99 {self.at(0.99):7.2f} ms   {rate:7.0f}/s"


def run_appends(count: int, address: str | None = None) -> str:
    """Time them all in one run and give the lines to print."""
    with tempfile.TemporaryDirectory(prefix="santorini-appends-") as folder:
        kinds = (("FULL", 1), ("NORMAL", 1), ("FULL", TABLES), ("NORMAL", TABLES))
        timings = [
            _timed(address or str(Path(folder) / f"{level}-{tables}.db"), level, tables, count)
            for level, tables in (kinds if address is None else (("server", 1), ("server", TABLES)))
        ]
    lines = [str(timing) for timing in timings]
    if address is None:
        ratio = timings[0].at(0.5) / timings[1].at(0.5)
        lines.append(f"{'FULL : NORMAL at p50, one table':34} {ratio:.1f} : 1")
    return "\n".join(lines)


def _timed(address: str, level: str, tables: int, count: int) -> Timing:
    name = f"synchronous={level}, {tables} table{'s' if tables > 1 else ''}"
    with Store.open(address) as store:
        if level == "NORMAL":
            _weaken(store)
        games = [f"{level}-{tables}-{n}" for n in range(tables)]
        for game in games:
            store.write(create_game(GameRow(game, game, 1)))
        took: list[float] = []
        each = -(-count // tables)
        players = [threading.Thread(target=_play, args=(store, game, each, took)) for game in games]
        started = time.perf_counter()
        for player in players:
            player.start()
        for player in players:
            player.join()
        return Timing(name, tuple(took), time.perf_counter() - started)


def _weaken(store: Store) -> None:
    """Set what this program does not use, to show what its own choice costs."""

    def on_checkout(connection: sa.PoolProxiedConnection, *_: object) -> None:
        connection.execute("PRAGMA synchronous=NORMAL")

    sa.event.listen(store.database.writer, "checkout", on_checkout)


def _play(store: Store, game: str, count: int, took: list[float]) -> None:
    for n in range(count):
        event = NewEvent("step", {"step": "A1:b2>c3", "n": n}, n)
        started = time.perf_counter()
        store.append(game, [event], expected=n)
        took.append((time.perf_counter() - started) * 1000)
