"""A running server around tables that stand still."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from companion.store import Store
from companion.store.games import GameRow, create_game
from companion.web.app import create_app
from companion.web.codes import HostCode
from companion.web.fakes import NoGames, StillTable, StillTables, public_view, seat_view
from companion.web.house import Deps
from companion.web.ports import Cameras, Games, Tables
from companion.web.seating import Seating
from companion.web.server import WebServer, bind


@dataclass
class Clock:
    """A clock that a test moves; without a push it is the real one."""

    ahead: float = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@dataclass
class Made:
    """A server's parts, for a test to look at."""

    deps: Deps
    store: Store
    table: StillTable
    clock: Clock
    address: str = ""
    extra: dict[str, object] = field(default_factory=dict)

    def code(self, seat: str) -> str:
        return self.deps.seating.offer(self.table.game, seat)[0]


def still_table(name: str = "t1", game: str = "g1", **changes: object) -> StillTable:
    both = {"table": name, "game": game, **changes}
    return StillTable({s: seat_view(s, **both) for s in "AB"}, public_view(**both), name)


def make(
    folder: Path,
    table: StillTable | None = None,
    tables: Tables | None = None,
    games: Games | None = None,
    cameras: Cameras | None = None,
    tries: tuple[int, float] = (1000, 60.0),
    known: bool = False,
) -> Made:
    store = Store.open(folder / "s.db")
    table = table or still_table()
    if not known:
        store.write(create_game(GameRow(table.game, table.id, 0, "running", "")))
    clock = Clock()
    deps = Deps(
        tables or StillTables(table),
        games or NoGames(),
        Seating(store, clock),
        HostCode(folder / "host-code"),
        cameras=cameras,
        clock=clock,
        tries=tries,
    )
    return Made(deps, store, table, clock)


@contextmanager
def serving(made: Made) -> Iterator[Made]:
    with WebServer(create_app(made.deps), bind("127.0.0.1", 0)) as server:
        made.address = f"http://127.0.0.1:{server.port}"
        yield made
    made.store.close()
