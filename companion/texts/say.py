"""Turn a key and its facts into a sentence."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

import structlog

from companion.texts.catalogue import FALLBACK, LANGUAGES, catalogue
from companion.texts.english import english_card
from companion.texts.text import Fact, Text

PLACEHOLDER = re.compile(r"\{(\w+)\}")
STRICT = "SANTORINI_STRICT_TEXTS"
_log = structlog.get_logger(__name__)
_told: set[tuple[str, str]] = set()


class MissingText(KeyError):
    """A key has no text, or a text wants a fact nobody gave."""

    def __init__(self, language: str, key: str, what: str) -> None:
        super().__init__(f"{key} ({language}): {what}")
        self.language, self.key, self.what = language, key, what


def say(language: str, text: Text | str, facts: Mapping[str, Fact] | None = None) -> str:
    """Say a text in a language: `say("fr", Text("ui.your_turn"))` or `say("fr", "ui.your_turn", {…})`."""
    key, known = (text.key, dict(text.facts)) if isinstance(text, Text) else (text, dict(facts or {}))
    return fill(language, key, _template(language, key, known), known)


def fill(language: str, key: str, template: str, facts: Mapping[str, Fact]) -> str:
    """Put the facts into their places."""

    def place(found: re.Match[str]) -> str:
        name = found.group(1)
        if name in facts:
            return _fact(language, facts[name])
        _complain(language, key, f"fact '{name}' is not given")
        return "…"

    return PLACEHOLDER.sub(place, template)


def _template(language: str, key: str, facts: Mapping[str, Fact]) -> str:
    count = facts.get("count")
    number = count if isinstance(count, int) else None
    for tongue in (language, FALLBACK):
        found = lookup(tongue, key, number)
        if found is not None:
            return found
        _complain(tongue, key, "no text")
    return key


def lookup(language: str, key: str, count: int | None = None) -> str | None:
    """Return the template of a key, without falling back to another language."""
    if language not in LANGUAGES:
        return None
    found = catalogue(language).form(key, count)
    if found is None and language == FALLBACK and key.startswith("card."):
        return english_card(key.removeprefix("card."))
    return found


def _fact(language: str, fact: Fact) -> str:
    match fact:
        case Text():
            return say(language, fact)
        case tuple():
            return ", ".join(_fact(language, word) for word in fact)
        case _:
            return str(fact)


def _complain(language: str, key: str, what: str) -> None:
    if os.environ.get(STRICT) == "1":
        raise MissingText(language, key, what)
    if (language, key) not in _told:
        _told.add((language, key))
        _log.warning("text missing", language=language, key=key, what=what)
