"""Keys written in the code exist, so a slip of the pen is found before a player finds it."""

import ast
import re
from pathlib import Path

import pytest

import companion
from companion.texts.catalogue import FAMILIES
from companion.texts.check import english, facts_of

ROOT = Path(companion.__file__).parent
TEXTS = ROOT / "texts"
FAMILY = "|".join(sorted({family for families in FAMILIES.values() for family in families}))
# A string such as "ui.yes" is a key wherever it stands; one that goes on with a value begins keys.
WHOLE = re.compile(rf"""["'`]((?:{FAMILY})\.[a-z0-9_.]+)["'`]""")
BEGUN = re.compile(rf"""["'`]((?:{FAMILY})\.[a-z0-9_.]*)\$?\{{""")
# Strings that look like keys and are none.
OTHERS: frozenset[str] = frozenset()


# A call on the phone with its key whole, and its facts in plain sight or none at all.
SAID = re.compile(
    rf"""\b(?:t|say)\(\s*["'`]((?:{FAMILY})\.[a-z0-9_.]+)["'`]\s*(?:,\s*\{{([^{{}}]*)\}}\s*)?\)"""
)


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


def python_calls(source: str) -> list[tuple[str, set[str]]]:
    """Every `Text("key", fact=…)` with its facts; calls with `**` cannot be judged from outside."""
    calls: list[tuple[str, set[str]]] = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text"):
            continue
        match node.args:
            case [ast.Constant(value=str(key))] if all(word.arg for word in node.keywords):
                calls.append((key, {str(word.arg) for word in node.keywords}))
            case _:
                pass
    return calls


def phone_calls(source: str) -> list[tuple[str, set[str]]]:
    """Every `say("key", {fact, other: …})` with its facts; a spread cannot be judged from outside."""
    calls = [(key, facts) for key, facts in SAID.findall(source) if "..." not in facts]
    return [(key, set(re.findall(r"(?:^|,)\s*(\w+)", facts))) for key, facts in calls]


def lacking(calls: list[tuple[str, set[str]]]) -> list[tuple[str, list[str]]]:
    texts = english()
    return [
        (key, sorted(facts_of(texts[key]) - facts))
        for key, facts in calls
        if facts_of(texts.get(key, ())) - facts
    ]


def test_every_call_gives_the_facts_its_text_wants():
    read = {".py": python_calls, ".js": phone_calls}
    paths = [p for p in sorted(ROOT.rglob("*")) if p.suffix in read and p.name != "texts.js"]
    calls = [(p.name, call) for p in paths for call in read[p.suffix](p.read_text("utf-8"))]
    assert [(name, found) for name, call in calls if (found := lacking([call]))] == []
    assert len(calls) > 50


@pytest.mark.parametrize(
    ("read", "line", "faults"),
    [
        (python_calls, 'Text("step.move_to")', [("step.move_to", ["space"])]),
        (python_calls, 'Text("step.move", space="a1")', [("step.move", ["from"])]),
        (python_calls, 'Text("step.move", **facts)', []),
        (phone_calls, 'say("step.move_to")', [("step.move_to", ["space"])]),
        (phone_calls, 't.say("step.move", {space: name(a, b)})', [("step.move", ["from"])]),
        (phone_calls, 't.say("ui.turn_of", {player})', []),
        (phone_calls, 't.say("ui.turn_of", {...facts})', []),
    ],
)
def test_a_call_that_lacks_a_fact_would_be_found(read, line, faults):
    assert lacking(read(line)) == faults
