"""The runner of the parts: what fails, what was only late, and what both look like in the summary."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.run_parts import APART, MOST_AGAIN, PARTS, ROOT, Part, closing, run, show, together

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


def test_parts_that_keep_one_core_busy_run_two_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    sleep = ("python", "-c", "import time; time.sleep(1.5)")
    wrong = ("python", "-c", "raise SystemExit('planted')")
    parts = [Part(name, words, is_pytest=False) for name, words in (("a", sleep), ("b", sleep), ("c", wrong))]
    begin = time.monotonic()
    found = together(parts, quick=False)
    assert time.monotonic() - begin < 2.9
    assert [result.ok for result in found] == [True, True, False]
    assert "planted" in capsys.readouterr().out


@pytest.mark.parametrize("name", APART)
def test_every_test_that_runs_apart_lies_where_its_part_looks(name: str) -> None:
    (part,) = (part for part in PARTS if part.name == name)
    folders = [ROOT / word for word in part.words if word.startswith("tests")]
    marked = [path for path in (ROOT / "tests").rglob("*.py") if f"mark.{name}" in path.read_text("utf-8")]
    assert marked
    assert not [path for path in marked if not any(path.is_relative_to(folder) for folder in folders)]


def test_every_other_test_lies_where_a_part_looks() -> None:
    folders = [ROOT / word for part in PARTS for word in part.words if word.startswith("tests")]
    files = [*(ROOT / "tests").rglob("test_*.py")]
    assert not [path for path in files if not any(path.is_relative_to(folder) for folder in folders)]
