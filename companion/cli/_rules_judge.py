"""`santorini rules judge`: answers rule cases, one JSON object a line."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion.cli._lines import input_lines, read_object
from engine.judge import judge

HELP = "answer rule cases: one JSON object a line in, one answer a line out"
EXAMPLE = "santorini rules judge < cases.jsonl"


def configure(parser: argparse.ArgumentParser) -> None:
    """There is nothing to set."""


def answer(line: str) -> dict[str, Any]:
    """Answer one line; what is no case gets an error."""
    case = read_object(line)
    return {"id": None, "error": case} if isinstance(case, str) else judge(case)


def run(args: argparse.Namespace) -> int:
    """Answer every line of standard input."""
    for line in input_lines():
        print(json.dumps(answer(line)), flush=True)
    return 0
