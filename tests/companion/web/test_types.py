"""The types of the pages' modules, written in their comments, checked by TypeScript's compiler."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.web.house import STATIC

HERE = Path(__file__).parent
COMPILER = Path(sys.prefix) / "types" / "node_modules" / "typescript" / "bin" / "tsc"
pytestmark = pytest.mark.slow


def checked(project: Path) -> subprocess.CompletedProcess[str]:
    """Run the compiler; it is never left out, so what is missing is a failure."""
    assert COMPILER.exists(), "TypeScript is missing: `./test` without --quick installs it (npm ci)"
    words = ["node", str(COMPILER), "--pretty", "false", "-p", str(project)]
    return subprocess.run(words, capture_output=True, text=True, timeout=280, check=False)


def test_every_module_keeps_to_its_types() -> None:
    done = checked(HERE)
    assert done.returncode == 0, done.stdout


FAULTS = {
    "TS2322": '/** @type {number} */ export const planted = "three";',
    "TS2345": "export const argument = new Taps().tap(3);",
    "TS2339": "export const misspelt = new Taps().knock;",
    "TS7006": "export function untyped(loose) { return loose; }",
}


def test_planted_faults_are_found(tmp_path: Path) -> None:
    whole = (STATIC / "js" / "taps.js").read_text("utf-8")
    (tmp_path / "taps.js").write_text("\n".join([whole, *FAULTS.values()]), "utf-8")
    options = json.loads((HERE / "tsconfig.json").read_text("utf-8")) | {"include": ["*.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options), "utf-8")
    done = checked(tmp_path)
    assert done.returncode != 0
    assert {name for name in FAULTS if f"error {name}:" in done.stdout} == set(FAULTS)


def test_the_compiler_is_pinned_and_no_address_is_kept() -> None:
    lock = json.loads((HERE / "types" / "package-lock.json").read_text("utf-8"))
    wanted = json.loads((HERE / "types" / "package.json").read_text("utf-8"))["devDependencies"]
    for name, package in lock["packages"].items():
        if name:
            assert package["integrity"].startswith("sha512-") and "resolved" not in package
            assert wanted[name.removeprefix("node_modules/")] == package["version"]
