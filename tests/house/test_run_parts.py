"""The runner of the parts: what fails, what was only late, and what both look like in the summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run_parts import MOST_AGAIN, Part, closing, run, show

pytestmark = pytest.mark.slow
LATE = """
from pathlib import Path
def test_late():
    seen = Path(__file__).with_suffix(".seen")
    before = seen.exists()
    seen.touch()
    assert before
def test_fine():
    pass
"""


def part(folder: Path, text: str) -> Part:
    (folder / "test_planted.py").write_text(text, encoding="utf-8")
    return Part("planted", (str(folder),))


def test_what_fails_once_is_run_again_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(part(tmp_path, LATE), quick=False)
    assert (found.ok, found.passed, found.failed, found.again) == (True, 2, 0, 1)
    show(part(tmp_path, LATE), found, 1.0)
    said = capsys.readouterr().out
    assert "1 of them only when run once more" in said
    assert "FAILED" in said and "test_late" in said
    assert " 2 passed, 1 rerun in " in closing([found], 1.0)


def test_what_fails_twice_has_failed(tmp_path: Path) -> None:
    found = run(part(tmp_path, "def test_wrong():\n    assert 1 == 2\n"), quick=False)
    assert (found.ok, found.passed, found.failed) == (False, 0, 1)
    assert "once more" in found.output


def test_many_failures_get_no_second_chance(tmp_path: Path) -> None:
    many = LATE + "".join(f"def test_wrong_{n}():\n    assert False\n" for n in range(MOST_AGAIN))
    found = run(part(tmp_path, many), quick=False)
    assert (found.ok, found.failed, found.again) == (False, MOST_AGAIN + 1, 0)
    assert "once more" not in found.output
