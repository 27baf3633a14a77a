"""Parses the command line and hands over to the command's own module."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from typing import Final, NoReturn, Protocol

from companion.cli._waiting import waiting

PACKAGE: Final = "companion.cli"
NOT_COMMANDS: Final = ("main",)
TALKATIVE: Final = frozenset({"play", "bridge", "calibrate", "capture", "bench"})  # they show what they do


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


def names(package: str = PACKAGE) -> tuple[str, ...]:
    """Name the commands: every module in the package's folder that has no underscore in front."""
    found = pkgutil.iter_modules(importlib.import_module(package).__path__)
    return tuple(sorted(m.name for m in found if not m.name.startswith("_") and m.name not in NOT_COMMANDS))


def load(name: str, package: str = PACKAGE) -> Command:
    """Import the module of one command, only when it is asked for."""
    module: Command = importlib.import_module(f"{package}.{name}")
    return module


def parser_for(name: str, package: str = PACKAGE, prog: str = "santorini") -> Parser:
    """Build the parser of one command."""
    command = load(name, package)
    parser = Parser(
        prog=f"{prog} {name}",
        description=command.HELP,
        epilog=f"example: {command.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.configure(parser)
    return parser


def overview(package: str = PACKAGE, prog: str = "santorini") -> str:
    """List the commands with a line each."""
    rows = "\n".join(f"  {name:10} {load(name, package).HELP.splitlines()[0]}" for name in names(package))
    return f"usage: {prog} COMMAND …\n\n{rows}\n\n`{prog} COMMAND --help` shows an example of each."


def dispatch(words: Sequence[str], package: str = PACKAGE, prog: str = "santorini") -> int:
    """Run the command that the words name; a bad value is one sentence and exit code 2."""
    if not words or words[0] in ("-h", "--help"):
        print(overview(package, prog))
        return 0
    name = words[0]
    if name not in names(package):
        print(f"{prog}: there is no command '{name}'; try: {', '.join(names(package))}", file=sys.stderr)
        return 2
    try:
        args = parser_for(name, package, prog).parse_args(words[1:])
        with contextlib.nullcontext() if name in TALKATIVE else waiting(sys.stderr):
            return load(name, package).run(args)
    except UsageError as error:
        print(f"{prog} {name}: {error}", file=sys.stderr)
        return 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run `santorini` with the words of the command line."""
    try:
        return dispatch(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # Ctrl-C while modules are still being loaded
        return 130
    except BrokenPipeError:  # whoever read along, such as `head`, has had enough
        # Python flushes once more at its end, and would complain then
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
