"""`santorini bench SUBJECT`: measure speed, accuracy and endurance."""

from __future__ import annotations

import argparse

from companion.cli.main import dispatch

HELP = "measure speed, accuracy and endurance; without a subject, list them"
EXAMPLE = "santorini bench rules"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the subject and everything behind it."""
    parser.add_argument("words", nargs=argparse.REMAINDER, help="the subject and its own options")


def run(args: argparse.Namespace) -> int:
    """Hand over to the subject's own module."""
    return dispatch(args.words, "companion.bench", "santorini bench")
