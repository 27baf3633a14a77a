"""`santorini bench table SET…`: how well the referee follows games, in pictures and live."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

import structlog

from companion.bench._server_kills import run_server_kills
from companion.bench._table_kills import run_kills
from companion.bench._table_live import run_live, run_soak
from companion.bench._table_many import run_many
from companion.bench._turns import HEAD, Figures, Label, Scored, labels_of, reliability, summary, worst
from companion.bench.sight import find_games
from companion.referee.pictures import follow, line_up
from vision.album import open_album

HELP = "follow labelled picture games as the referee and print turns right, asked and wrong"
EXAMPLE = "santorini bench table tests/data/pictures --live 120 --soak 20 --kills 200"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the sets and what else is to be measured."""
    parser.add_argument(
        "sets", nargs="*", type=Path, metavar="SET", help="a game's folder, or one that holds games"
    )
    parser.add_argument(
        "--kills",
        type=int,
        default=0,
        metavar="N",
        help="also kill the writer and the real server so often",
    )
    parser.add_argument(
        "--live",
        type=float,
        nargs="?",
        const=120.0,
        default=0.0,
        metavar="SECONDS",
        help="play in real time in front of a simulated camera and time decisions (default: 120)",
    )
    parser.add_argument(
        "--fast", action="store_true", help="soak with boards as numbers: no drawing, no reading"
    )
    parser.add_argument(
        "--soak", type=int, default=0, metavar="N", help="play N games on an accelerated clock, print memory"
    )
    parser.add_argument(
        "--cameras", type=int, default=0, metavar="N", help="play at N tables with a camera each, all at once"
    )
    parser.add_argument(
        "--tables",
        type=int,
        default=50,
        metavar="N",
        help="with --cameras: so many without one (default: 50)",
    )
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="with --cameras: for so long (default: 60)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of whatever is left to chance (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Measure what is asked for and print it."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    code = 0
    if args.sets:
        follow_sets(args.sets)
    if args.live:
        print("\n".join(run_live(args.live, args.seed)), flush=True)
    if args.cameras:
        print("\n".join(run_many(args.cameras, args.tables, args.seconds, args.seed)), flush=True)
    if args.soak:
        for line in run_soak(args.soak, args.seed, args.fast):
            print(line, flush=True)
    if args.kills:
        report = run_kills(args.kills, None, args.seed)
        print(report, flush=True)
        server = run_server_kills(args.kills, args.seed)
        print(server)
        code = 1 if report.faults or server.faults else code
    return code


def follow_sets(sets: Sequence[Path]) -> None:
    """Follow every game and print the tables."""
    everything: list[Scored] = []
    total = Figures()
    print(HEAD)
    for folder in find_games(sets):
        scored = follow_game(folder)
        figures = Figures()
        figures.add(scored)
        total.add(scored)
        everything += scored
        print(figures.row(f"{folder.parent.name}/{folder.name}"), flush=True)
    print(total.row("all"))
    print("\n".join(["", *summary(total), "", *reliability(everything), "", *worst(everything)]))


def follow_game(folder: Path) -> list[Scored]:
    """Follow one game as `track` does, and put each decision beside its truth."""
    album = open_album(folder)
    labels: dict[str, Label] = {label.file: label for label in labels_of(folder, line_up(album))}
    unfair = [label.file for label in labels.values() if not label.fair]
    if unfair:
        complain(f"{folder}: the label of {unfair[0]} contradicts the rules; the rest is left out")
    scored = []
    for followed in follow(album, complain):
        label = labels[followed.seen.file]
        if not label.fair:
            break
        scored.append(Scored(folder.name, label, followed))
    return scored


def complain(text: str) -> None:
    """Print a warning."""
    print(f"santorini bench table: {text}", file=sys.stderr)
