"""Keys written in the code exist, so a slip of the pen is found before a player finds it."""

import re
from pathlib import Path

import pytest

import companion
from companion.texts.catalogue import FAMILIES
from companion.texts.check import english

ROOT = Path(companion.__file__).parent
TEXTS = ROOT / "texts"
FAMILY = "|".join(sorted({family for families in FAMILIES.values() for family in families}))
# A string such as "ui.yes" is a key wherever it stands; one that goes on with a value begins keys.
WHOLE = re.compile(rf"""["'`]((?:{FAMILY})\.[a-z0-9_.]+)["'`]""")
BEGUN = re.compile(rf"""["'`]((?:{FAMILY})\.[a-z0-9_.]*)\$?\{{""")
# Strings that look like keys and are none.
OTHERS: frozenset[str] = frozenset()


def written(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """What a pattern finds in the code of the companion, with the file."""
    paths = [
        p for p in sorted(ROOT.rglob("*")) if p.suffix in (".py", ".js", ".html") and TEXTS not in p.parents
    ]
    return [
        (p.name, key) for p in paths for key in pattern.findall(p.read_text("utf-8")) if key not in OTHERS
    ]


def unknown(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    keys = english().keys()
    return [(path, key) for path, key in found if key not in keys]


def empty(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    keys = english().keys()
    return [(path, start) for path, start in found if not any(key.startswith(start) for key in keys)]


def test_every_key_in_the_code_has_a_text():
    found = written(WHOLE)
    assert unknown(found) == [], "add it with `python -m companion.texts add`"
    assert len(found) > 100


def test_every_beginning_of_keys_in_the_code_has_texts():
    assert empty(written(BEGUN)) == []


@pytest.mark.parametrize(
    "line",
    ['Text("ui.nonsense", count=2)', "say('ui.nonsense', {x})", "t.say(`ui.nonsense`)", '"ui.nonsense": 1'],
)
def test_a_key_without_a_text_would_be_found(line):
    assert WHOLE.findall(line) == ["ui.nonsense"]
    assert unknown([("a file", "ui.nonsense")]) == [("a file", "ui.nonsense")]


@pytest.mark.parametrize("line", ['f"ui.nonsense.{x}"', "`ui.nonsense.${x}`"])
def test_a_beginning_without_texts_would_be_found(line):
    assert BEGUN.findall(line) == ["ui.nonsense."]
    assert empty([("a file", "ui.nonsense.")]) == [("a file", "ui.nonsense.")]
