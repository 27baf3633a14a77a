"""`santorini rules next`: lists the positions after one turn, one JSON object a line."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion.cli._lines import input_lines, read_object
from engine.fen import FenError
from engine.successors import next_fens

HELP = "list the positions after one complete turn: lines with a FEN in, lines with FENs out"
EXAMPLE = "santorini rules next < fens.jsonl"


def configure(parser: argparse.ArgumentParser) -> None:
    """There is nothing to set."""


def answer(line: str) -> dict[str, Any]:
    """Answer one line; what is no position gets an error."""
    asked = read_object(line)
    if isinstance(asked, str):
        return {"fen": None, "error": asked}
    fen = asked.get("fen")
    if not isinstance(fen, str):
        return {"fen": None, "error": "fen: must be a text"}
    try:
        return {"fen": fen, "next": next_fens(fen)}
    except FenError as error:
        return {"fen": fen, "error": str(error)}


def run(args: argparse.Namespace) -> int:
    """Answer every line of standard input."""
    for line in input_lines():
        print(json.dumps(answer(line), separators=(",", ":")), flush=True)
    return 0
