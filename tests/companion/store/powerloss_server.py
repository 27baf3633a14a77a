"""A small server whose every write and sync is noted: python -m … FOLDER TURNS LEVEL."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from random import Random

import sqlalchemy as sa

from companion.bench._table_kills import _Table
from companion.store import Store
from companion.store.database import connect
from companion.store.migrate import upgrade
from companion.store.upcast import Upcasters

DATABASE = "santorini.db"
SHOWN = "shown"


def main(folder: Path, turns: int, level: str) -> None:
    database = connect(folder / DATABASE)

    def on_checkout(connection: sa.PoolProxiedConnection, *_: object) -> None:
        connection.execute(f"PRAGMA synchronous={level}")
        # Rarely in real life, often here: the log is written back to the database.
        connection.execute("PRAGMA wal_autocheckpoint=20")

    sa.event.listen(database.writer, "checkout", on_checkout)
    upgrade(database)
    screen = os.open(folder / SHOWN, os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def play(table: _Table) -> None:
        for _ in range(turns):
            lines = [json.dumps(list(vars(thing).values())) + "\n" for thing in table.turn()]
            os.write(screen, "".join(lines).encode())

    with Store(database, Upcasters()) as store:
        tables = [_Table(store, f"table-{n}", Random(n)) for n in range(3)]
        players = [threading.Thread(target=play, args=(table,)) for table in tables]
        for player in players:
            player.start()
        for player in players:
            player.join()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
