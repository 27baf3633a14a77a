"""The guards find nothing here, and do find a planted fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.house import guards
from tests.house.guards import Fault

ROOT = Path(__file__).resolve().parents[2]
Guard = Callable[[Path], list[Fault]]

PLANTED: list[tuple[Guard, str, str]] = [
    (guards.import_directions, "engine/rogue.py", "import numpy\n"),
    (guards.import_directions, "engine/rogue.py", "from companion import cli\n"),
    (guards.import_directions, "vision/rogue.py", "def late() -> None:\n    import engine.game\n"),
    (guards.import_directions, "calibration/rogue.py", "from vision.reading import Reading\n"),
    (guards.import_directions, "firmware_bridge/rogue.py", "import engine\n"),
    (guards.power_names_outside, "engine/rogue.py", 'WHO = "apollo"\n'),
    (guards.power_names_outside, "companion/rogue.py", "# as with Hecate\n"),
    (guards.power_names_outside, "engine/powers/apollo_.py", "# Medusa too\n"),
    (guards.lengths, "engine/rogue.py", "\n".join(f"a{n} = {n}" for n in range(401))),
    (guards.lengths, "engine/rogue.py", "def long() -> None:\n" + "    pass\n" * 50),
    (guards.lock_addresses, "requirements.lock", "thing @ https://example.org/thing.whl\n"),
    (guards.lock_addresses, "requirements.lock", "thing>=1\n"),
    (guards.lock_addresses, "requirements.lock", "./thing\n"),
    (guards.locks_agree, "requirements.lock", "numpy==0.1\n"),
    (
        guards.unexplained_dependencies,
        "pyproject.toml",
        '[project]\ndependencies=["left-pad"]\n[project.optional-dependencies]\n[dependency-groups]\n',
    ),
    (guards.machine_paths, "docs/rogue.md", "see /home/somebody/x\n"),
]
GUARDS = sorted({entry[0] for entry in PLANTED}, key=lambda guard: guard.__name__)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.__name__)
def test_the_house_is_in_order(guard: Guard) -> None:
    assert guard(ROOT) == []


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("docs/decisions/0001-dependencies.md", "tests/data/rules/power-names.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for package in guards.PACKAGES:
        (tmp_path / package / "powers").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("guard", "place", "text"), PLANTED, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_planted_fault_is_found(copy: Path, guard: Guard, place: str, text: str) -> None:
    assert guard(copy) == []
    (copy / place).write_text(text, encoding="utf-8")
    assert guard(copy) != []


def test_every_exception_has_a_reason_and_a_place() -> None:
    for section in ("may_name_powers", "long"):
        for place, reason in guards.exceptions(section).items():
            assert len(reason) > 10, place
