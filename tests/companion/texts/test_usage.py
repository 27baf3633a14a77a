"""Keys written in the code exist, so a slip of the pen is found before a player finds it."""

import re
from pathlib import Path

import pytest

import companion
from companion.texts.catalogue import FAMILIES
from companion.texts.check import english

ROOT = Path(companion.__file__).parent
FAMILY = "|".join(sorted({family for families in FAMILIES.values() for family in families}))
PYTHON = re.compile(rf"""(?:Text|say)\(\s*(?:"\w\w",\s*)?"((?:{FAMILY})\.[\w.]*)\"""")
PHONE = re.compile(rf"""\bsay\(\s*["'`]((?:{FAMILY})\.[\w.]*)["'`]""")
TEXTS = ROOT / "texts"


def written() -> list[tuple[str, str]]:
    """Every key that stands whole in a call, with its file."""
    found: list[tuple[str, str]] = []
    for path in sorted(ROOT.rglob("*")):
        pattern = {".py": PYTHON, ".js": PHONE}.get(path.suffix)
        if pattern and path.is_file() and TEXTS not in path.parents:
            found += [(str(path.relative_to(ROOT)), key) for key in pattern.findall(path.read_text("utf-8"))]
    return found


def unknown(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    keys = english().keys()
    return [(path, key) for path, key in found if key not in keys]


def test_every_key_in_the_code_has_a_text():
    assert unknown(written()) == []


@pytest.mark.parametrize(
    ("pattern", "line", "key"),
    [
        (PYTHON, 'Text("ui.nonsense", count=2)', "ui.nonsense"),
        (PYTHON, 'say("fr", "ask.nonsense")', "ask.nonsense"),
        (PHONE, "texts.say('phase.nonsense', {x})", "phase.nonsense"),
    ],
)
def test_a_key_without_a_text_would_be_found(pattern, line, key):
    assert pattern.findall(line) == [key]
    assert unknown([("a file", key)]) == [("a file", key)]
