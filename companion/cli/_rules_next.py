"""`santorini rules next`: lists the positions after one turn, one JSON object a line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from engine.fen import FenError
from engine.successors import next_fens

HELP = "list the positions after one complete turn: lines with a FEN in, lines with FENs out"
EXAMPLE = "santorini rules next < fens.jsonl"


def configure(parser: argparse.ArgumentParser) -> None:
    """There is nothing to set."""


def answer(line: str) -> dict[str, Any]:
    """Answer one line; what is no position gets an error."""
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"fen": None, "error": f"line: no JSON ({error})"}
    if not isinstance(asked, dict):
        return {"fen": None, "error": "line: must be an object"}
    fen = asked.get("fen")
    if not isinstance(fen, str):
        return {"fen": None, "error": "fen: must be a text"}
    try:
        return {"fen": fen, "next": next_fens(fen)}
    except FenError as error:
        return {"fen": fen, "error": str(error)}


def answers(lines: Iterable[str]) -> Iterator[str]:
    """Answer every line that is not empty."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer(line), separators=(",", ":"))


def run(args: argparse.Namespace) -> int:
    """Answer every line of standard input."""
    for text in answers(sys.stdin):
        print(text, flush=True)
    return 0
