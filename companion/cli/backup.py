"""`santorini backup`: games, seats and calibrations in one file, and back."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from companion.cli.main import UsageError
from companion.paths import add_data_options, data_folder, database_address
from companion.store.backup import Contents, make_backup, restore_backup
from companion.store.errors import StoreError

HELP = "put games, seats and calibrations into one file, or bring them back from it"
EXAMPLE = "santorini backup evening.tar.gz    and back: santorini backup --restore evening.tar.gz"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the file, the direction and where the data is."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the backup; a new file unless --restore is given"
    )
    parser.add_argument("--restore", action="store_true", help="bring everything back into an empty folder")
    add_data_options(parser)


def run(args: argparse.Namespace) -> int:
    """Make or restore a backup and say what is in it."""
    folder, address, file = data_folder(args), database_address(args), Path(args.file).expanduser()
    try:
        if args.restore:
            print(f"restored {_counted(restore_backup(file, folder, address))} from {file}")
        else:
            print(f"{_counted(make_backup(file, folder, address, datetime.now(UTC)))} are in {file}")
            print("Secrets in it stay sealed; their keys are on the players' phones.")
    except StoreError as error:
        raise UsageError(str(error)) from error
    return 0


def _counted(contents: Contents) -> str:
    return (
        f"{contents.games} game{'' if contents.games == 1 else 's'} and "
        f"{contents.calibrations} calibration file{'' if contents.calibrations == 1 else 's'}"
    )
