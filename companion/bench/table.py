"""`santorini bench table SET…`: how well the referee follows games, in pictures and live."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from companion.bench._games import BAD_GAME, BAD_LABELS, Faults, GameError
from companion.bench._server_kills import run_server_kills
from companion.bench._table_kills import run_kills
from companion.bench._table_live import run_live, run_soak
from companion.bench._table_many import run_many
from companion.bench._turns import HEAD, Figures, Label, Scored, labels_of, reliability, summary, worst
from companion.bench.sight import find_games
from companion.referee.pictures import LineUp, follow, line_up
from vision.album import Album, open_album

HELP = (
    "follow labelled picture games as the referee and print turns right, asked and wrong;"
    " without any arguments play live, soak and kill for some minutes"
)
EXAMPLE = "santorini bench table tests/data/pictures --live 120 --soak 20 --kills 200"


@dataclass(frozen=True)
class Usual:
    """What is measured when nothing is asked for: a few minutes' worth."""

    live: float = 60.0
    soak: int = 2
    kills: int = 5

    @property
    def told(self) -> str:
        """Say what comes, and how to ask for more."""
        return (
            f"nothing was asked for, so: --live {self.live:.0f} --soak {self.soak} --kills {self.kills}"
            " (some minutes); SET… scores labelled picture games; --help says the rest"
        )


USUAL: Final = Usual()


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
    """Measure what is asked for and print it; 1 where something was lost or could not be scored."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    if not (args.sets or args.live or args.cameras or args.soak or args.kills):
        print(USUAL.told, flush=True)
        args.live, args.soak, args.kills = USUAL.live, USUAL.soak, USUAL.kills
    code = follow_sets(args.sets) if args.sets else 0
    if args.live:
        print("\n".join(run_live(args.live, args.seed)), flush=True)
    if args.cameras:
        print("\n".join(run_many(args.cameras, args.tables, args.seconds, args.seed)), flush=True)
    if args.soak:
        for line in run_soak(args.soak, args.seed, args.fast):
            print(line, flush=True)
    return max(code, kill(args.kills, args.seed)) if args.kills else code


def kill(times: int, seed: int) -> int:
    """Kill the writer and the real server so often; 1 where anything that had been shown was lost."""
    report = run_kills(times, None, seed)
    print(report, flush=True)
    server = run_server_kills(times, seed)
    print(server)
    return 1 if report.faults or server.faults else 0


def follow_sets(sets: Sequence[Path]) -> int:
    """Follow every game and print the tables; 1 where a game, or a picture of one, is missing from them."""
    everything: list[Scored] = []
    total, faults = Figures(), Faults("santorini bench table")
    print(HEAD)
    for folder in find_games(sets):
        try:
            scored, missing = follow_game(folder, faults)
        except GameError as error:
            faults.add(f"{error}; the game is left out")
            continue
        figures = Figures()
        for count in (figures, total):
            count.add(scored, missing)
        everything += scored
        print(figures.row(f"{folder.parent.name}/{folder.name}"), flush=True)
    print(total.row("all"))
    if missing_ := total.counts["not read"]:
        print(f"pictures that could not be read, counted as wrong: {missing_}")
    print("\n".join(["", *summary(total), "", *reliability(everything), "", *worst(everything)]))
    return faults.code


def follow_game(folder: Path, faults: Faults) -> tuple[list[Scored], list[Label]]:
    """Follow one game as `track` does, and put each decision beside its truth; and what could not be read."""
    try:
        album = open_album(folder)
        lined = line_up(album)
    except BAD_GAME as error:
        raise GameError(f"{folder}: {error}") from error
    labels = labels_by_file(folder, album, lined, faults)
    scored = []
    try:
        for followed in follow(album, faults.note):
            label = labels.get(followed.seen.file)
            if label is not None and not label.fair:
                break
            if label is not None:
                scored.append(Scored(folder.name, label, followed))
    except BAD_GAME as error:
        faults.add(f"{folder}: {error}")
    read = {item.label.file for item in scored}
    missing = [label for name, label in labels.items() if label.fair and name not in read]
    if missing:
        names = ", ".join(label.file for label in missing)
        faults.add(f"{folder}: not read and counted as wrong: {names}")
    return scored, missing


def labels_by_file(folder: Path, album: Album, lined: LineUp, faults: Faults) -> dict[str, Label]:
    """Read the labels of the pictures of a game; raise GameError where none can be used."""
    try:
        labels = {label.file: label for label in labels_of(folder, lined) if label.file in album.files}
    except BAD_LABELS as error:
        raise GameError(f"{folder / 'labels.json'}: {error!r} is missing or wrong") from error
    lacking = ", ".join(name for name in album.files if name not in labels)
    if lacking:
        faults.add(f"{folder / 'labels.json'}: no label for {lacking}, which is left out")
    unfair = next((label.file for label in labels.values() if not label.fair), None)
    if unfair is not None:
        faults.note(f"{folder}: the label of {unfair} contradicts the rules; the rest is left out")
    return labels
