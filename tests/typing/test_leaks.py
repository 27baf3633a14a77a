from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

LEAKS = Path(__file__).parent / "leaks.py"
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_every_leak_is_refused_and_nothing_else() -> None:
    marked = {n for n, line in enumerate(LEAKS.read_text().splitlines(), 1) if line.endswith("# leak")}
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--no-error-summary",
        "--no-pretty",
        str(LEAKS.relative_to(ROOT)),
    ]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line for line in result.stdout.splitlines() if ": error:" in line]
    refused = {int(found[1]) for line in lines if (found := re.match(r"tests/typing/leaks\.py:(\d+):", line))}
    assert len(marked) > 20
    assert refused == marked, result.stdout
