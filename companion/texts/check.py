"""What is wrong with the catalogues: missing, uneven, or still English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from companion.texts.allowed import LATIN_IN_RUSSIAN, SAME_IN_ENGLISH
from companion.texts.catalogue import LANGUAGES, Catalogue, catalogue
from companion.texts.english import english_card
from companion.texts.say import PLACEHOLDER

Forms = tuple[str, ...]
Entries = Mapping[str, Forms]


@cache
def powers() -> tuple[str, ...]:
    """Return the ids of all powers that have a name."""
    keys = catalogue("en").entries
    return tuple(sorted({key.split(".")[1] for key in keys if key.startswith("power.")}))


def english() -> dict[str, tuple[str, ...]]:
    """Return the English texts, cards included."""
    cards = {f"card.{power}": english_card(power) for power in powers()}
    return {**catalogue("en").entries, **{key: (text,) for key, text in cards.items() if text}}


def faults() -> list[str]:
    """Return one line for everything that is wrong, in any language."""
    original = english()
    found: list[str] = []
    for language in LANGUAGES:
        found += [f"{language}: {fault}" for fault in language_faults(catalogue(language), original)]
    return found


def language_faults(texts: Catalogue, original: Entries) -> Iterator[str]:
    """Compare one language with English."""
    entries = dict(original) if texts.language == "en" else texts.entries
    yield from (f"{key} is missing" for key in sorted(original.keys() - entries.keys()))
    # An English card may still be unwritten; its translations are not strays.
    strays = entries.keys() - original.keys() - {f"card.{power}" for power in powers()}
    yield from (f"{key} is not in English" for key in sorted(strays))
    for key in sorted(entries.keys() & original.keys()):
        yield from entry_faults(texts, key, entries[key], original[key])


def entry_faults(texts: Catalogue, key: str, forms: Forms, original: Forms) -> Iterator[str]:
    """Look at one text beside its English one."""
    if (len(forms) > 1) != (len(original) > 1):
        yield f"{key} has {len(forms)} forms, English {len(original)}"
    elif len(forms) not in (1, texts.plurals):
        yield f"{key} has {len(forms)} plural forms, not {texts.plurals}"
    if facts_of(forms) != facts_of(original):
        yield f"{key} uses {sorted(facts_of(forms))}, English {sorted(facts_of(original))}"
    if any(form != form.strip() or "  " in form for form in forms):
        yield f"{key} has stray blanks"
    yield from foreign_faults(texts.language, key, forms, original)


def foreign_faults(language: str, key: str, forms: Forms, original: Forms) -> Iterator[str]:
    """Find English left over by accident."""
    if language != "en" and forms == original and not may_be_same(language, key, forms):
        yield f"{key} is the same as in English: {forms[0]!r}"
    if language == "ru":
        latin = {word for form in forms for word in latin_words(form)} - LATIN_IN_RUSSIAN
        if latin:
            yield f"{key} has Latin words: {sorted(latin)}"


def may_be_same(language: str, key: str, forms: tuple[str, ...]) -> bool:
    """Say whether a text may equal the English one: no words in it, a proper name, or a listed case."""
    wordless = not any(re.search(r"[^\W\d_]", PLACEHOLDER.sub("", form)) for form in forms)
    proper = key.startswith("power.") and key.endswith(".name")
    return wordless or proper or key in SAME_IN_ENGLISH.get(language, frozenset())


def facts_of(forms: Iterable[str]) -> set[str]:
    """Return the names of the facts used in any form."""
    return {name for form in forms for name in PLACEHOLDER.findall(form)}


def latin_words(text: str) -> list[str]:
    """Return words in Latin letters, except places of facts and names of spaces such as b2."""
    words = re.findall(r"[A-Za-z]\w*", PLACEHOLDER.sub("", text))
    return [word for word in words if not re.fullmatch("[a-e][1-5]?", word)]
