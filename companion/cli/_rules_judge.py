"""`santorini rules judge`: answers rule cases, one JSON object a line."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from engine.judge import judge

HELP = "answer rule cases: one JSON object a line in, one answer a line out"
EXAMPLE = "santorini rules judge < cases.jsonl"


def configure(parser: argparse.ArgumentParser) -> None:
    """There is nothing to set."""


def answer(line: str) -> dict[str, Any]:
    """Answer one line; what is no case gets an error."""
    try:
        case = json.loads(line)
    except ValueError as error:
        return {"id": None, "error": f"line: no JSON ({error})"}
    return judge(case) if isinstance(case, dict) else {"id": None, "error": "line: must be an object"}


def run(args: argparse.Namespace) -> int:
    """Answer every line of standard input."""
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(line), ensure_ascii=False), flush=True)
    return 0
