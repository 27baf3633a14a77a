"""The guards: each takes the root of a tree and returns the faults it finds there."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("engine", "vision", "calibration", "firmware_bridge", "companion")
MAY_IMPORT = {
    "engine": set[str](),
    "calibration": set[str](),
    "vision": {"calibration"},
    "firmware_bridge": set[str](),
    "companion": {"engine", "vision", "calibration", "firmware_bridge"},
}
MOST_LINES_IN_A_FILE = 400
MOST_LINES_IN_A_FUNCTION = 50
EXCEPTIONS = Path(__file__).parent / "exceptions.toml"


@dataclass(frozen=True)
class Fault:
    """One thing out of order: where, and what."""

    place: str
    what: str


def sources(root: Path, packages: tuple[str, ...] = PACKAGES) -> Iterator[Path]:
    """Every Python file of the packages."""
    for package in packages:
        yield from sorted((root / package).rglob("*.py"))


def exceptions(section: str) -> dict[str, str]:
    """The visible list of exceptions: place and reason."""
    return dict(tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8")).get(section, {}))


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Top-level names that a file imports, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.split(".")[0]


def is_allowed_import(package: str, name: str) -> bool:
    """Whether a package may import the name."""
    if name == package or name in sys.stdlib_module_names:
        return True
    if name in PACKAGES:
        return name in MAY_IMPORT[package]
    return package != "engine"


def import_directions(root: Path) -> list[Fault]:
    """Imports that run against the direction of the house."""
    found = []
    for path in sources(root):
        package = path.relative_to(root).parts[0]
        for line, name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            if not is_allowed_import(package, name):
                found.append(Fault(f"{path.relative_to(root)}:{line}", f"{package} must not import {name}"))
    return found


def power_names(root: Path) -> set[str]:
    """Ids of all powers, as the power table has them."""
    table = json.loads((root / "tests/data/rules/power-names.json").read_text(encoding="utf-8"))
    return set(table)


RULE_OPTION = "hecate_check"
"""The rules name an option after a power; the option's name is no special case for that power."""


def may_name_powers(relative: Path, name: str) -> bool:
    """Whether a file may use the name of that power."""
    if relative.parent == Path("engine/powers") and relative.stem == name:
        return True
    places = exceptions("may_name_powers")
    return any(relative.as_posix() == place or relative.as_posix().startswith(place) for place in places)


def power_names_outside(root: Path) -> list[Fault]:
    """Names of gods and heroes outside their own file."""
    pattern = re.compile(rf"(?<![A-Za-z])({'|'.join(sorted(power_names(root)))})(?![A-Za-z])", re.IGNORECASE)
    found = []
    for path in sources(root):
        relative = path.relative_to(root)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in pattern.finditer(line.replace(RULE_OPTION, "")):
                if not may_name_powers(relative, match.group().lower()):
                    found.append(Fault(f"{relative}:{number}", f"names {match.group()}"))
    return found


def lengths(root: Path) -> list[Fault]:
    """Files and functions that are too long."""
    known = exceptions("long")
    found = []
    for path in sources(root):
        relative = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        if (count := len(text.splitlines())) > MOST_LINES_IN_A_FILE and relative not in known:
            found.append(Fault(relative, f"{count} lines"))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                place = f"{relative}:{node.name}"
                if size > MOST_LINES_IN_A_FUNCTION and place not in known:
                    found.append(Fault(place, f"{size} lines"))
    return found


def lock_addresses(root: Path) -> list[Fault]:
    """Addresses, local paths and unpinned lines in the lock files."""
    found = []
    for name in ("requirements.lock", "requirements-dev.lock"):
        for number, line in enumerate((root / name).read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"://|@ |^-|file:|^\s*/|^\.", line):
                found.append(Fault(f"{name}:{number}", f"an address or path: {line.strip()}"))
            elif re.match(r"[a-z]", line) and "==" not in line:
                found.append(Fault(f"{name}:{number}", f"not pinned: {line.strip()}"))
    return found


def pins(path: Path) -> dict[str, str]:
    """Names and versions that a lock file pins (several versions of one name are joined)."""
    found: dict[str, str] = {}
    for match in re.finditer(
        r"(?m)^([A-Za-z0-9_.-]+)(?:\[[^]]*\])?==([^ ;\\]+)", path.read_text(encoding="utf-8")
    ):
        found[match[1]] = f"{found[match[1]]}|{match[2]}" if match[1] in found else match[2]
    return found


def locks_agree(root: Path) -> list[Fault]:
    """Versions in which what is run differs from what is tested."""
    run, dev = pins(root / "requirements.lock"), pins(root / "requirements-dev.lock")
    return [
        Fault("requirements.lock", f"{name} {version} is tested as {dev.get(name)}")
        for name, version in run.items()
        if dev.get(name) != version
    ]


def unexplained_dependencies(root: Path) -> list[Fault]:
    """Dependencies without their line of reason."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    reasons = (root / "docs/decisions/0001-dependencies.md").read_text(encoding="utf-8").lower()
    groups = [*project["project"]["optional-dependencies"].values(), *project["dependency-groups"].values()]
    wanted = [*project["project"]["dependencies"], *(name for group in groups for name in group)]
    names = sorted({re.split(r"[\[<>=!~ ]", name)[0].lower() for name in wanted})
    return [
        Fault("docs/decisions/0001-dependencies.md", f"no reason for {n}") for n in names if n not in reasons
    ]


PRIVATE = re.compile(
    r"(?<![\w.])/(?:work|root|home/\w+|tmp/brief)/|files\.pythonhosted|pypi\.org|registry\.npmjs"
)


def machine_paths(root: Path) -> list[Fault]:
    """Paths of one machine and registry hosts anywhere in what is shipped."""
    found = []
    endings = {".py", ".md", ".toml", ".lock", ".js", ".html", ".css", ".c", ".h", ".sh", ".json", ".po", ""}
    for path in sorted(p for p in root.rglob("*") if p.is_file() and p.suffix in endings):
        parts = path.relative_to(root).parts
        if (
            (parts[0].startswith(".") and parts[0] != ".ci")
            or "__pycache__" in parts
            or parts[:2] == ("tests", "house")
        ):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if match := PRIVATE.search(line):
                found.append(Fault(f"{path.relative_to(root)}:{number}", f"names {match.group()}"))
    return found
