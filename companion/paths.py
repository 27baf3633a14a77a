"""Where the data of this program lives: one folder that can be copied, moved or deleted."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER_MODE = 0o700


def default_data_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Follow the XDG rules: $XDG_DATA_HOME/santorini, else ~/.local/share/santorini."""
    known = os.environ if environ is None else environ
    given = Path(known.get("XDG_DATA_HOME", ""))
    # XDG: a relative path there is to be ignored.
    base = given if given.is_absolute() else Path(known.get("HOME") or Path.home()) / ".local" / "share"
    return base / "santorini"


@dataclass(frozen=True)
class DataFolder:
    """The folder and what lies where in it."""

    root: Path

    @property
    def database(self) -> Path:
        """Games, seats and calibrations."""
        return self.root / "santorini.db"

    @property
    def calibration(self) -> Path:
        """Calibrations written as JSON files, one a table."""
        return self.root / "calibration"

    @property
    def debug(self) -> Path:
        """Pictures kept for looking into a decision, only when asked for."""
        return self.root / "debug"

    def make(self) -> DataFolder:
        """Create the folder, readable by its owner alone."""
        self.root.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        return self


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """Declare --data and --database, the same in every command that keeps something."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=default_data_folder(),
        help="the one folder that holds everything kept (default: %(default)s)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default=None,
        help="keep games in this database instead of a file in DIR, e.g. postgresql://user@host/santorini",
    )


def data_folder(args: argparse.Namespace) -> DataFolder:
    """Give the folder that the options name."""
    return DataFolder(Path(args.data).expanduser())


def database_address(args: argparse.Namespace) -> str | Path:
    """Give what `companion.store.Store.open` wants: the URL if there is one, else the file in the folder."""
    given: str | None = args.database
    return given if given is not None else data_folder(args).database
