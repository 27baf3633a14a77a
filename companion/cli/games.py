"""`santorini games`: the games of a data folder; one of them as a record, or a record as one of them."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.cli.main import UsageError
from companion.cli.verify import read
from companion.paths import add_data_options, data_folder, database_address
from companion.secrets import KeyMissing
from companion.store import Store
from companion.store.errors import StoreError
from companion.table.importing import ImportProblem, import_record
from companion.table.live import milliseconds
from companion.table.recording import NotYetError
from companion.table.session import CorruptGameError
from companion.table.tables import NoSuchGameError, Tables
from engine.record import RecordError, format_record
from engine.recordjson import record_to_json

HELP = "list the games kept, write one as a record, or take a record in"
EXAMPLE = "santorini games --export g0123456789ab --out game.txt    and: santorini games --import game.txt"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take what is to be done; without anything the games are listed."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--export", metavar="GAME", help="write the record of this game")
    what.add_argument("--import", dest="record", type=Path, metavar="RECORD", help="take a record in")
    parser.add_argument("--json", action="store_true", help="export as JSON instead of as text")
    parser.add_argument("--out", type=Path, metavar="FILE", help="export to this new file, not the screen")
    add_data_options(parser)


def run(args: argparse.Namespace) -> int:
    """Do what is asked; a problem is one sentence."""
    data_folder(args)
    try:
        with Store.open(database_address(args)) as store:
            if args.record is not None:
                print(f"taken in as {import_record(store, read(args.record), milliseconds)}")
            elif args.export is not None:
                _write(_record(Tables(store), args.export, args.json), args.out)
            else:
                _list(Tables(store))
    except (StoreError, RecordError, ImportProblem) as error:
        raise UsageError(str(error)) from error
    return 0


def _record(tables: Tables, game: str, as_json: bool) -> str:
    """Write a game as its record."""
    try:
        record = tables.record(game)
    except NoSuchGameError:
        raise UsageError(f"there is no game {game}; `santorini games` lists them") from None
    except (NotYetError, KeyMissing):
        raise UsageError(f"{game} hides something: its record is told on its table, after the end") from None
    except CorruptGameError as error:
        raise UsageError(f"{game}: {error}") from error
    if as_json:
        return json.dumps(record_to_json(record), ensure_ascii=False, indent=1) + "\n"
    return format_record(record)


def _write(text: str, out: Path | None) -> None:
    """Write to the screen or to a new file."""
    if out is None:
        sys.stdout.write(text)
        return
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{out}: {error.strerror}") from error


def _list(tables: Tables) -> None:
    """Write a line a game, the newest first."""
    for line in tables.saved():
        print(f"{line.game}  {line.state:8} {line.title}")
