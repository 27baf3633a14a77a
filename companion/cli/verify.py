"""`santorini verify RECORD`: replay a record and check its seals."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.main import UsageError
from companion.table.importing import ImportProblem, record_of_text
from companion.table.recording import verify
from engine.record import Record, RecordError

HELP = "replay the record of a game and check that nothing hidden was changed"
EXAMPLE = "santorini verify game.txt"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the record."""
    parser.add_argument("record", type=Path, metavar="RECORD", help="a record as text or as JSON")


def read(path: Path) -> Record:
    """Read a record of either form; raises UsageError naming the file and what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or 'is not text'}") from error
    try:
        return record_of_text(text)
    except (RecordError, ImportProblem) as error:
        raise UsageError(f"{path}: {error}") from error


def run(args: argparse.Namespace) -> int:
    """Print what was found; the exit code is 0 where everything holds."""
    verdict = verify(read(args.record))
    print("\n".join(verdict.lines))
    print(
        "The record holds: nothing was changed. It cannot prove that nobody peeked."
        if verdict.holds
        else "The record does not hold."
    )
    return 0 if verdict.holds else 1
