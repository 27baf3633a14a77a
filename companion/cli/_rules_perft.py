"""`santorini rules perft`: counts sequences of complete turns."""

from __future__ import annotations

import argparse
import sys

from engine.fen import FenError
from engine.perft import count_turns

HELP = "count the sequences of so many complete turns from a position"
EXAMPLE = "santorini rules perft --fen 0000000000000000000000000/1/mortal:B2,D4/mortal:B4,D2 --depth 3"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the position and the depth."""
    parser.add_argument("--fen", required=True, help="the position to start from")
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="how many turns")
    parser.add_argument("--wins", action="store_true", help="also print how many of them win")


def run(args: argparse.Namespace) -> int:
    """Print the number."""
    if args.depth < 0:
        print(f"santorini rules perft: --depth: {args.depth} is less than 0", file=sys.stderr)
        return 2
    try:
        turns, wins = count_turns(args.fen, args.depth)
    except FenError as error:
        print(f"santorini rules perft: --fen: {error}", file=sys.stderr)
        return 2
    print(f"{turns} {wins}" if args.wins else turns)
    return 0
