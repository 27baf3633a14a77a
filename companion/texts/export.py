"""The catalogues as JSON for the phone's `texts.js`."""

from __future__ import annotations

from collections.abc import Iterable

from companion.texts.catalogue import DOMAINS, FALLBACK, catalogue, domain_of
from companion.texts.english import english_card

Exported = dict[str, str | list[str]]


def export(language: str, domains: Iterable[str] = DOMAINS) -> dict[str, object]:
    """Return `{"language": …, "texts": {key: text or [plural forms]}}` with every key of the domains.

    Should a text be missing, the English one stands in, as it does in `say`.
    """
    wanted = set(domains)
    texts: Exported = english_cards() if "cards" in wanted else {}
    for tongue in (FALLBACK, language):
        for key, forms in catalogue(tongue).entries.items():
            if domain_of(key) in wanted:
                texts[key] = forms[0] if len(forms) == 1 else list(forms)
    return {"language": language, "texts": dict(sorted(texts.items()))}


def english_cards() -> Exported:
    """Return the English card of every power that has a name."""
    powers = [key.split(".")[1] for key in catalogue(FALLBACK).entries if key.startswith("power.")]
    cards = {f"card.{power}": english_card(power) for power in sorted(set(powers))}
    return {key: text for key, text in cards.items() if text}
