"""The English cards: the docstrings of the powers themselves."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from functools import cache
from types import ModuleType

import engine.powers

# A card line opens with the moment it speaks of; a docstring line that does not is a wrapped one.
_MOMENT = re.compile(
    r"(setup|any (move|build|time)|your (move|build|turn)|(start of |end of )?(your|opponent's) turn"
    r"|win condition|lose condition)[^:.]{0,20}:",
    re.IGNORECASE,
)


@cache
def english_card(power: str) -> str | None:
    """Return the English card of a power, or nothing when there is no such power."""
    if power not in power_modules():
        return None
    return card_in(importlib.import_module(f"engine.powers.{power}"))


@cache
def power_modules() -> frozenset[str]:
    """Return the names of the modules under engine/powers, without importing them."""
    return frozenset(entry.name for entry in pkgutil.iter_modules(engine.powers.__path__))


def card_in(module: ModuleType) -> str | None:
    """Return the card text on top of a power's module: the docstring of the class that opens with a moment."""
    for each in vars(module).values():
        if inspect.isclass(each) and each.__module__ == module.__name__:
            text = unwrap(each.__doc__ or "")
            if _MOMENT.match(text):
                return text
    return None


def unwrap(docstring: str) -> str:
    """Join wrapped lines; paragraphs and lines that open with a moment stay lines of their own."""
    lines: list[str] = []
    for line in inspect.cleandoc(docstring).split("\n"):
        if not line.strip() or not lines or not lines[-1] or _MOMENT.match(line):
            lines.append(line.strip())
        else:
            lines[-1] = f"{lines[-1]} {line.strip()}"
    return "\n".join(line for line in lines if line)
