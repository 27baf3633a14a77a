"""`santorini bench things`: how fast and how faithful lights, buttons and messages are.

Every module `_things_NAME.py` in this folder that has a TITLE, `configure` and `measure` is one part.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from typing import Protocol

import companion.bench as here
from companion.bench._things_figures import Figure, report
from companion.cli.main import UsageError
from firmware_bridge.build import BuildFailed, ToolMissing

HELP = "lights and buttons (real firmware in emulation), messages; exit code 1 when a limit is broken"
EXAMPLE = "santorini bench things --only serial --soak 60"
PREFIX = "_things_"


class Part(Protocol):
    """What a part offers."""

    TITLE: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the part's options."""

    def measure(self, args: argparse.Namespace) -> Iterator[Figure]:
        """Measure."""


def parts() -> dict[str, Part]:
    """Find the parts by their place in this folder."""
    names = (m.name for m in pkgutil.iter_modules(here.__path__) if m.name.startswith(PREFIX))
    found = {name: importlib.import_module(f"{here.__name__}.{name}") for name in sorted(names)}
    return {name.removeprefix(PREFIX): module for name, module in found.items() if hasattr(module, "measure")}


def configure(parser: argparse.ArgumentParser) -> None:
    """Take which part to run, and the parts' own options."""
    parser.add_argument("--only", help=f"one part: {', '.join(parts())}")
    for part in parts().values():
        part.configure(parser)


def run(args: argparse.Namespace) -> int:
    """Measure the parts one after the other."""
    chosen = parts()
    if args.only is not None:
        if args.only not in chosen:
            raise UsageError(f"there is no part '{args.only}'; try: {', '.join(chosen)}")
        chosen = {args.only: chosen[args.only]}
    try:
        kept = [report(part.TITLE, part.measure(args)) for part in chosen.values()]
    except (BuildFailed, ToolMissing) as error:
        print(f"santorini bench things: {error}", file=sys.stderr)
        return 1
    return 0 if all(kept) else 1
