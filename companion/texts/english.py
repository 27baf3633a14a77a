"""The English cards: the docstrings of the powers themselves."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from functools import cache

import engine.powers

# A card line opens with the moment it speaks of; a docstring line that does not is a wrapped one.
_KEYWORD = re.compile(
    r"(Setup|Any \w+|Your \w+|(Start of |End of |Opponent's |Win |Lose )[\w' ]+|Revised|2017)[^:.]{0,30}:"
)


@cache
def english_card(power: str) -> str | None:
    """Return the English card of a power, or nothing when there is no such power."""
    if not re.fullmatch(r"[a-z]+", power) or power not in power_modules():
        return None
    module = importlib.import_module(f"engine.powers.{power}")
    return unwrap(module.__doc__ or "") or None


@cache
def power_modules() -> frozenset[str]:
    """Return the names of the modules under engine/powers, without importing them."""
    return frozenset(entry.name for entry in pkgutil.iter_modules(engine.powers.__path__))


def unwrap(docstring: str) -> str:
    """Join wrapped lines; paragraphs and lines that open with a keyword stay lines of their own."""
    paragraphs = inspect.cleandoc(docstring).split("\n\n")
    return "\n\n".join(_joined(paragraph) for paragraph in paragraphs).strip()


def _joined(paragraph: str) -> str:
    lines: list[str] = []
    for line in paragraph.split("\n"):
        if lines and not _KEYWORD.match(line):
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line.strip())
    return "\n".join(lines)
