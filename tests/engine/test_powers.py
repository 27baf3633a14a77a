from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import engine
from engine.cards import BANNED, CARDS, NOT_RECOMMENDED
from engine.powers import card_text, power, power_names

ENGINE = Path(engine.__file__).parent
MAY_NAME_POWERS = {"cards.py", "fen.py"}


def test_every_power_has_its_file() -> None:
    assert set(power_names()) == set(CARDS)
    assert len(CARDS) == 55


@pytest.mark.parametrize("name", CARDS)
def test_a_power_is_a_card_and_a_few_lines(name: str) -> None:
    module = inspect.getsourcefile(type(power(name)))
    assert module is not None
    text = Path(module).read_text()
    assert len(text.splitlines()) < 110
    assert card_text(name).startswith(
        ("Setup", "Your", "Start of", "End of", "Opponent", "Any", "Win Condition", "Lose Condition")
    )
    assert power(name).hero == (CARDS[name].kind == "hero")
    assert ("Revised card" in card_text(name) or "revised card" in card_text(name)) == CARDS[name].revised


def test_no_power_is_named_outside_its_own_file() -> None:
    for path in ENGINE.rglob("*.py"):
        if path.name in MAY_NAME_POWERS or path.parent.name == "powers":
            names = set(CARDS) - {path.stem} if path.parent.name == "powers" else set()
        else:
            names = set(CARDS)
        words = set(re.findall(r"[a-z]+", _code_only(path).lower()))
        assert not words & names, (path.name, words & names)


def _code_only(path: Path) -> str:
    """Give the names and strings of a module's code, docstrings and option names left out."""
    tree = ast.parse(path.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    words = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
    words += [n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
    words += [
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs
    ]
    return " ".join(words).replace("hecate_check", "")


def test_the_lists_of_pairs() -> None:
    assert len(BANNED) == 25 and len(NOT_RECOMMENDED) == 25
    assert not BANNED & NOT_RECOMMENDED
    assert {name for pair in BANNED | NOT_RECOMMENDED for name in pair} <= set(CARDS)
