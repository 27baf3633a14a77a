"""From a reason code of the rules and its facts to the sentence that fits them best."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.texts.catalogue import FALLBACK, catalogue
from companion.texts.say import PLACEHOLDER
from companion.texts.text import Fact, Text

# Facts whose value may choose a sentence of its own: kind="talus" chooses `reason.occupied.talus`.
SELECTING = ("kind", "rise", "what", "power")
# Variants that need no such value, only their facts.
NEUTRAL = frozenset(["direction", "levels", "only_space", "pair", "plain", "power", "space", "what"])


def reason(code: str, facts: Mapping[str, Fact] | None = None) -> Text:
    """Return the most telling sentence for a code: `reason("too_high", {"space": "a3", …})`.

    `reason.CODE` is the plain sentence, `reason.CODE.VARIANT` one for certain facts. Chosen is the one that
    uses most of the facts given; a variant named like a fact's value (`kind="talus"`) comes before all.
    """
    known = dict(facts or {})
    code, _, power = code.partition(":")
    if power:
        known["power"] = power
    for each in (f"{code}.{power}", code):
        fitting = [key for key in _candidates(each) if _fits(key, each, known)]
        if fitting:
            key = max(_merit(key, each, known) for key in fitting)[-1]
            return Text(key, **_wanted(key, known))
    return Text("reason.unknown")


def _fits(key: str, code: str, facts: Mapping[str, Fact]) -> bool:
    variant = _variant(key, code)
    return placeholders(key) <= facts.keys() and (
        variant in NEUTRAL or not variant or _chosen(variant, facts)
    )


def _chosen(variant: str, facts: Mapping[str, Fact]) -> bool:
    return variant in {str(facts[name]) for name in SELECTING if name in facts}


def _merit(key: str, code: str, facts: Mapping[str, Fact]) -> tuple[bool, int, str]:
    return _chosen(_variant(key, code), facts), len(placeholders(key)), key


def _variant(key: str, code: str) -> str:
    return key.removeprefix(f"reason.{code}").removeprefix(".")


def _wanted(key: str, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    return {name: _named(name, facts[name]) for name in placeholders(key)}


def _named(name: str, fact: Fact) -> Fact:
    """Say a power or a direction by its name, not by its id."""
    family = {"power": "power.{}.name", "other": "power.{}.name", "direction": "term.direction.{}"}.get(name)
    return Text(family.format(fact.lower())) if family and isinstance(fact, str) else fact


@cache
def _candidates(code: str) -> tuple[str, ...]:
    plain = f"reason.{code}"
    keys = catalogue(FALLBACK).entries
    return tuple(sorted(key for key in keys if key == plain or _is_variant(key, plain)))


def _is_variant(key: str, plain: str) -> bool:
    return key.startswith(f"{plain}.") and "." not in key.removeprefix(f"{plain}.")


@cache
def placeholders(key: str) -> frozenset[str]:
    """Return the names of the facts a text uses."""
    forms = catalogue(FALLBACK).entries.get(key, ())
    return frozenset(name for form in forms for name in PLACEHOLDER.findall(form))
