"""Runs every part of the tests, a line with its time for each, and closes with pytest's own kind of line."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
APART = ("browser", "broker", "firmware", "pictures")
CORES = 2
MOST_AGAIN = 3
"""So many failed tests of a part are run once more, alone; more than that is no accident of the clock."""
UNMARKED = " and ".join(f"not {name}" for name in APART)


@dataclass(frozen=True)
class Part:
    """One line of the report: a command, or a pytest selection."""

    name: str
    words: tuple[str, ...]
    is_pytest: bool = True
    is_quick: bool = False
    workers: int = 0


@dataclass(frozen=True)
class Result:
    """What came of a part."""

    ok: bool
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    output: str = ""
    again: int = 0
    """Tests that passed only when they were run once more."""


PARTS = (
    Part("format", ("ruff", "format", "--check", "."), is_pytest=False, is_quick=True),
    Part("lint", ("ruff", "check", "."), is_pytest=False, is_quick=True),
    Part("types", ("mypy",), is_pytest=False, is_quick=True),
    Part("house", ("tests/house", "tests/typing", "-m", UNMARKED), is_quick=True),
    Part("engine", ("tests/engine", "-m", UNMARKED), is_quick=True, workers=2),
    Part(
        "sight",
        ("tests/calibration", "tests/vision", "tests/renders", "-m", UNMARKED),
        is_quick=True,
        workers=2,
    ),
    Part("serial", ("tests/firmware_bridge", "-m", UNMARKED), is_quick=True, workers=2),
    Part("companion", ("tests/companion", "-m", UNMARKED), is_quick=True, workers=2),
    Part("pictures", ("tests/calibration", "tests/companion", "tests/vision", "-m", "pictures"), workers=2),
    Part("firmware", ("tests/companion/lights", "tests/firmware_bridge", "-m", "firmware"), workers=2),
    Part("broker", ("tests/companion/bus", "tests/companion/lights", "-m", "broker"), workers=2),
    Part("browser", ("tests/companion/web", "-m", "browser"), workers=3),
)


def command(part: Part, report: Path, quick: bool) -> list[str]:
    """Spell out the command of a part."""
    if not part.is_pytest:
        return [str(BIN / part.words[0]), *part.words[1:]]
    words = [word for word in part.words if not word.startswith("tests/") or (ROOT / word).is_dir()]
    if quick:
        words = [f"({word}) and not slow" if word == UNMARKED else word for word in words]
    spread = ["-n", str(part.workers)] if part.workers else []
    return [sys.executable, "-m", "pytest", *words, *spread, f"--junit-xml={report}"]


def counts(report: Path) -> tuple[int, int, int]:
    """Read passed, failed and skipped from pytest's report."""
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    total = sum(int(s.get("tests", 0)) for s in suites)
    failed = sum(int(s.get("failures", 0)) + int(s.get("errors", 0)) for s in suites)
    skipped = sum(int(s.get("skipped", 0)) for s in suites)
    return total - failed - skipped, failed, skipped


def run(part: Part, quick: bool) -> Result:
    """Run one part to its end; a few failed tests get a second chance, and are named all the same."""
    if not part.is_pytest:
        return run_once(part, quick)
    with tempfile.TemporaryDirectory() as memory:
        part = replace(part, words=(*part.words, "-o", f"cache_dir={memory}"))
        first = run_once(part, quick)
        if not 0 < first.failed <= MOST_AGAIN:
            return first
        alone = (*part.words, "--last-failed", "--last-failed-no-failures=none")
        second = run_once(replace(part, words=alone, workers=0), quick)
    output = f"{first.output}\n---- once more, alone ----\n{second.output}"
    if not second.ok or second.passed != first.failed:
        return replace(first, output=output)
    return Result(True, first.passed + second.passed, 0, first.skipped, output, second.passed)


def run_once(part: Part, quick: bool) -> Result:
    """Run one part as it is."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run(
            command(part, report, quick), cwd=ROOT, capture_output=True, text=True, check=False
        )
        output = done.stdout + done.stderr
        if not part.is_pytest:
            return Result(done.returncode == 0, output=output)
        if done.returncode == 5:  # nothing collected: this part is not built yet
            return Result(True, output="empty")
        if not report.exists():
            return Result(False, failed=1, output=output)
        passed, failed, skipped = counts(report)
        may_skip = os.environ.get("CI") != "true"
        return Result(done.returncode == 0 and (may_skip or not skipped), passed, failed, skipped, output)


def closing(results: list[Result], seconds: float) -> str:
    """Word the summary as pytest does."""
    failed = sum(r.failed or (not r.ok) for r in results)
    words = [f"{failed} failed"] if failed else []
    words.append(f"{sum(r.passed for r in results)} passed")
    skipped = sum(r.skipped for r in results)
    words += [f"{skipped} skipped"] if skipped else []
    again = sum(r.again for r in results)
    words += [f"{again} rerun"] if again else []
    return f" {', '.join(words)} in {seconds:.2f}s ".center(78, "=")


def show(part: Part, result: Result, seconds: float) -> None:
    """Print the line of a part, and all it said where it failed."""
    mark = "ok" if result.ok else "FAILED"
    tests = f"{result.passed:5} passed" if part.is_pytest else " " * 12
    extra = f", {result.skipped} skipped" if result.skipped else ""
    extra += f", {result.again} of them only when run once more" if result.again else ""
    print(f"{part.name:10} {mark:6} {seconds:7.1f} s {tests}{extra}", flush=True)
    if not result.ok or result.again:
        print(result.output, flush=True)


def timed(part: Part, quick: bool) -> Result:
    """Run a part and print its line."""
    start = time.monotonic()
    result = run(part, quick)
    if result.output != "empty":
        show(part, result, time.monotonic() - start)
    return result


def together(parts: list[Part], quick: bool) -> list[Result]:
    """Run parts that keep one core busy each, two at a time."""
    with ThreadPoolExecutor(CORES) as pool:
        return [*pool.map(lambda part: timed(part, quick), parts)]


def main(words: list[str]) -> int:
    """Run the parts asked for: all of them, the quick ones, or those named."""
    quick = "--quick" in words
    named = [word for word in words if not word.startswith("-")]
    chosen = [p for p in PARTS if (p.name in named if named else p.is_quick or not quick)]
    begin = time.monotonic()
    results = [*together([p for p in chosen if not p.workers], quick)]
    results += [timed(part, quick) for part in chosen if part.workers]
    print(closing(results, time.monotonic() - begin), flush=True)
    return 0 if results and all(r.ok for r in results) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
