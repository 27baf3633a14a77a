from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

LEAKS = sorted(Path(__file__).parent.glob("leaks*.py"))
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_every_leak_is_refused_and_nothing_else() -> None:
    marked = {
        (path.name, n)
        for path in LEAKS
        for n, line in enumerate(path.read_text().splitlines(), 1)
        if line.endswith("# leak")
    }
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--no-error-summary",
        "--no-pretty",
        *(str(path.relative_to(ROOT)) for path in LEAKS),
    ]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line for line in result.stdout.splitlines() if ": error:" in line]
    pattern = re.compile(r"tests/typing/(leaks\w*\.py):(\d+):")
    refused = {(found[1], int(found[2])) for line in lines if (found := pattern.match(line))}
    assert len(marked) > 30
    assert refused == marked, result.stdout
