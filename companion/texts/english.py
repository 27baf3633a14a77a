"""The English cards: the docstrings of the powers themselves."""

from __future__ import annotations

import re
from functools import cache

from engine.powers import card_text, power_names

# A card line opens with the moment it speaks of; a docstring line that does not is a wrapped one.
MOMENT = re.compile(
    r"(setup|any (move|build|time)|your (move|build|turn)|(start of |end of )?(your|opponent's) turn"
    r"|win condition|lose condition)[^:.]{0,20}:",
    re.IGNORECASE,
)

# What another edition changes stands in brackets in the docstring, and apart from it in the catalogues.
VARIANT = re.compile(r"\s*\((Revised card|2017 edition)[^()]*\)")


@cache
def english_card(power: str) -> str | None:
    """Return the English card of a power, or nothing when there is no such power or no text on it."""
    text = VARIANT.sub("", unwrap(card_text(power))) if power in power_names() else ""
    return text if MOMENT.match(text) else None


def unwrap(docstring: str) -> str:
    """Join wrapped lines; lines that open with a moment stay lines of their own."""
    lines: list[str] = []
    for line in docstring.split("\n"):
        if not line.strip() or not lines or not lines[-1] or MOMENT.match(line):
            lines.append(line.strip())
        else:
            lines[-1] = f"{lines[-1]} {line.strip()}"
    return "\n".join(line for line in lines if line)
