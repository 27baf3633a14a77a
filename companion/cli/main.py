"""Parses the command line and hands over to the command's own module."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Final, NoReturn, Protocol

COMMANDS: Final[tuple[str, ...]] = ()
"""Names of the commands; each is a module `companion.cli.<name>` (a `_` behind a name Python reserves)."""


class Command(Protocol):
    """What a command module offers."""

    HELP: str
    EXAMPLE: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do the work and return the exit code."""


class UsageError(Exception):
    """A bad value: one clear sentence for the user, exit code 2."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line."""
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(2)


def load(name: str) -> Command:
    """Import the module of one command, only when it is asked for."""
    module: Command = importlib.import_module(f"companion.cli.{name}")
    return module


def parser_for(name: str) -> Parser:
    """Build the parser of one command."""
    command = load(name)
    parser = Parser(
        prog=f"santorini {name}",
        description=command.HELP,
        epilog=f"example: {command.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.configure(parser)
    return parser


def overview() -> str:
    """List the commands with a line each."""
    rows = "\n".join(f"  {name:10} {load(name).HELP.splitlines()[0]}" for name in COMMANDS)
    return f"usage: santorini COMMAND …\n\n{rows}\n\n`santorini COMMAND --help` shows an example of each."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, or 2 for a bad value."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help"):
        print(overview())
        return 0
    name = words[0]
    if name not in COMMANDS:
        print(f"santorini: there is no command '{name}'; try: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    try:
        return load(name).run(parser_for(name).parse_args(words[1:]))
    except UsageError as error:
        print(f"santorini {name}: {error}", file=sys.stderr)
        return 2
