"""`santorini bench store`: how long an event takes to be on disk, and what kills leave behind."""

from __future__ import annotations

import argparse

from companion.bench._store_appends import run_appends
from companion.bench._table_kills import run_kills

HELP = "time to disk of an event, and a comparison of shown and stored after kill -9"
EXAMPLE = "santorini bench store --appends 1000 --kills 200"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the counts and the database."""
    parser.add_argument(
        "--appends", type=int, default=500, metavar="N", help="appends to time (default: 500)"
    )
    parser.add_argument("--kills", type=int, default=20, metavar="N", help="kills (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills (default: 1)")
    parser.add_argument(
        "--database", metavar="URL", default=None, help="an empty PostgreSQL database instead"
    )


def run(args: argparse.Namespace) -> int:
    """Measure and print; exit code 1 if anything that was shown is gone."""
    if args.appends:
        print(run_appends(args.appends, args.database))
    if not args.kills:
        return 0
    report = run_kills(args.kills, args.database, args.seed)
    print(report)
    return 1 if report.faults else 0
