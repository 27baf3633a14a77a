"""`santorini bench rules`: how fast the rules answer, and random games over every pair of powers."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.bench._rules_soak import soak
from companion.bench._rules_speed import ask_everywhere, deduce_everywhere, text_rate, turn_rates
from companion.cli.main import UsageError

HELP = "time legal steps, explanations, lists of turns and positions as text; --soak plays random games"
EXAMPLE = "santorini bench rules --sample tests/data/rules/turns-sample.jsonl"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take what is to be measured and how much of it."""
    parser.add_argument("--pairs", type=int, default=300, metavar="N", help="pairs of powers (default: 300)")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="for each rate (default: 1)")
    parser.add_argument(
        "--sample",
        type=Path,
        default=Path("tests/data/rules/turns-sample.jsonl"),
        metavar="FILE",
        help="lines with a FEN for the rate of positions as text",
    )
    parser.add_argument("--soak", action="store_true", help="play random games instead, checking everything")
    parser.add_argument("--games", type=int, default=20_000, metavar="N", help="games of the soak")
    parser.add_argument("--steps", type=int, default=1_000_000, metavar="N", help="steps of the soak")
    parser.add_argument("--seed", type=int, default=1, help="of whatever is left to chance (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    if args.soak:
        figures = soak(args.games, args.steps, args.seed)
        print(f"soak: {figures.games} games, {figures.steps} steps, {figures.cancelled} cancellations")
        print(f"      {figures.finished} finished, {figures.reloads} reloads, {figures.modes}")
        return 0
    if not args.sample.is_file():
        raise UsageError(f"--sample: there is no file {args.sample}")
    if args.pairs < 1:
        raise UsageError("--pairs: must be at least 1")
    print("processor time of one process")
    listing, explaining = ask_everywhere(args.pairs, args.seed)
    print(listing.row("legal next steps"))
    print(explaining.row("explain"))
    learning, warning = deduce_everywhere(args.pairs, args.seed)
    print(learning.row("deduction after a turn"))
    print(warning.row("threats"))
    for row in turn_rates(args.seconds):
        print(row, flush=True)
    lines = [line for line in args.sample.read_text().splitlines() if line.strip()]
    text_rate(lines)
    print(text_rate(lines))
    return 0
