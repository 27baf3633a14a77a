"""What the README says to type works."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.strip()
    for block in re.findall(r"```sh\n(.*?)```", README, flags=re.S)
    for line in block.splitlines()
    if line.strip()
]
NOT_HERE = {
    "./test --quick": "it would run itself",
    "./play --camera 0": "needs a camera; the simulated table stands for it",
}


def test_there_are_commands_and_every_exception_is_real() -> None:
    assert len(COMMANDS) >= 5
    assert set(NOT_HERE) <= set(COMMANDS)


def test_every_link_leads_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", README)
    assert targets
    assert ["".join(target) for target in targets if not (ROOT / "".join(target)).exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in NOT_HERE])
def test_the_commands_run(command: str, tmp_path: Path) -> None:
    words = command.split()
    if words[0] == "./play":
        starts_and_stops([*words, "--bind", "127.0.0.1", "--port", "0", "--data", str(tmp_path)])
        return
    words[0] = words[0].replace(".venv/bin", str(Path(sys.executable).parent))
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def starts_and_stops(words: list[str]) -> None:
    """Run until it says how to stop it, then stop it that way."""
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.stdout.close()


@pytest.mark.parametrize("needed", ["play", "test", ".ci/run", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"])
def test_the_house_has_its_rooms(needed: str) -> None:
    assert (ROOT / needed).is_file()


@pytest.mark.parametrize("package", ["companion", "vision", "firmware_bridge", "engine", "calibration"])
def test_tests_mirror_the_packages(package: str) -> None:
    assert (ROOT / "tests" / package).is_dir()
