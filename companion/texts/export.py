"""The catalogues as JSON for the phone's `texts.js`."""

from __future__ import annotations

from collections.abc import Iterable

from companion.texts.catalogue import DOMAINS, FALLBACK, catalogue, domain_of
from companion.texts.english import english_card

Exported = dict[str, str | list[str]]


def export(language: str, domains: Iterable[str] = DOMAINS) -> dict[str, object]:
    """Return `{"language": …, "texts": {key: text or [plural forms]}}` with every key of the domains."""
    wanted = set(domains)
    texts: Exported = {
        key: forms[0] if len(forms) == 1 else list(forms)
        for key, forms in sorted(catalogue(language).entries.items())
        if domain_of(key) in wanted
    }
    if language == FALLBACK and "cards" in wanted:
        texts |= english_cards()
    return {"language": language, "texts": texts}


def english_cards() -> Exported:
    """Return the English card of every power that has a name."""
    powers = [key.split(".")[1] for key in catalogue(FALLBACK).entries if key.startswith("power.")]
    cards = {f"card.{power}": english_card(power) for power in sorted(set(powers))}
    return {key: text for key, text in cards.items() if text}
