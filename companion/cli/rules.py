"""`santorini rules WHAT`: the rules engine on the command line."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from typing import Final

from companion.cli.main import Command, Parser

HELP = "judge cases, list next positions, count or play turns; without a word, list them"
EXAMPLE = "santorini rules judge < cases.jsonl"
PACKAGE: Final = "companion.cli"
PREFIX: Final = "_rules_"


def names() -> tuple[str, ...]:
    """Name the sub-commands: the modules beside this one whose name begins with the prefix."""
    found = pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__)
    return tuple(sorted(m.name.removeprefix(PREFIX) for m in found if m.name.startswith(PREFIX)))


def load(name: str) -> Command:
    """Import a sub-command."""
    command: Command = importlib.import_module(f"{PACKAGE}.{PREFIX}{name}")
    return command


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the sub-command and everything behind it."""
    parser.add_argument("words", nargs=argparse.REMAINDER, help="the sub-command and its own options")


def run(args: argparse.Namespace) -> int:
    """Hand over to the sub-command's own module."""
    words: list[str] = args.words
    if not words or words[0] in ("-h", "--help"):
        rows = "\n".join(f"  {name:10} {load(name).HELP.splitlines()[0]}" for name in names())
        print(f"usage: santorini rules WHAT …\n\n{rows}")
        return 0
    if words[0] not in names():
        print(f"santorini rules: there is no '{words[0]}'; try: {', '.join(names())}", file=sys.stderr)
        return 2
    command = load(words[0])
    parser = Parser(
        prog=f"santorini rules {words[0]}", description=command.HELP, epilog=f"example: {command.EXAMPLE}"
    )
    command.configure(parser)
    return command.run(parser.parse_args(words[1:]))
