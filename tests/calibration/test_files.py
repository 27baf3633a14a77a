"""A calibration is on disk whole or not at all, also where the process is killed while it writes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from calibration.files import write_whole

WRITER = """
import itertools, json, pathlib, sys
from calibration.files import write_whole
for number in itertools.count(int(sys.argv[2])):
    write_whole(pathlib.Path(sys.argv[1]), json.dumps({"number": number, "fill": "x" * 5000}))
    print(number, flush=True)
"""


def killed(path: Path, first: int, lines: int) -> int:
    """Run a writer until it has shown so many lines, kill it, and give the last number it had shown."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(first)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        shown += process.stdout.readlines()
    return int([line for line in shown if line.endswith("\n")][-1])


@pytest.mark.slow
def test_killed_while_writing_the_last_one_shown_is_there(tmp_path: Path) -> None:
    path, random, last = tmp_path / "table.json", Random(1), 0
    for _ in range(10):
        last = killed(path, last, random.randrange(1, 12))
        found = json.loads(path.read_text(encoding="utf-8"))
        assert found["number"] in (last, last + 1)
        assert len(found["fill"]) == 5000
        last = found["number"]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.json"
    write_whole(path, "old")

    def full(handle: int) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_whole(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
