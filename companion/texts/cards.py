"""The card of a power as a phone shows it: name, line below it, text, and what another edition changes."""

from __future__ import annotations

from dataclasses import dataclass

from companion.texts.say import lookup, say
from companion.texts.text import Text


@dataclass(frozen=True)
class Card:
    """A power card in one language."""

    power: str
    name: str
    title: str
    lines: tuple[str, ...]
    variants: tuple[str, ...]


def power_name(power: str) -> Text:
    """Return the name of a power, ready to stand as a fact in another text."""
    return Text(f"power.{power}.name")


def card(language: str, power: str) -> Card:
    """Return the card of a power; `variants` say how the 2017 and the revised texts differ."""
    keys = [f"card.{power}.{variant}" for variant in ("2017", "revised")]
    return Card(
        power,
        say(language, f"power.{power}.name"),
        say(language, f"power.{power}.title"),
        tuple(say(language, f"card.{power}").split("\n")),
        tuple(say(language, key) for key in keys if lookup("en", key) is not None),
    )
