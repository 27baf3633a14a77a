"""From a view's key and facts to what travels: only the facts that the text itself names, worded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from companion.bus.messages import Said
from companion.table.seatview import Say
from companion.texts import Text, say
from companion.texts.catalogue import FALLBACK
from companion.texts.say import PLACEHOLDER, lookup

LOG: Final = structlog.get_logger("bus")


@dataclass(frozen=True)
class Wording:
    """Words what the bus sends in one language."""

    language: str = FALLBACK

    def say(self, said: Say) -> Said:
        """Word a text."""
        return self.words(said.key, said.facts)

    def words(self, key: str, facts: Mapping[str, Any]) -> Said:
        """Word a key with its facts; a fact that the text does not name stays here."""
        text = _text(key, facts)
        named = self._named(key, facts)
        plain = {name: self._fact(fact) for name, fact in text.facts if name in named}
        return Said(key=key, facts=plain, text=say(self.language, text))

    def _named(self, key: str, facts: Mapping[str, Any]) -> frozenset[str]:
        count = facts.get("count")
        template = lookup(FALLBACK, key, count if isinstance(count, int) else None)
        return frozenset(PLACEHOLDER.findall(template or ""))

    def _fact(self, fact: object) -> str | int:
        match fact:
            case str() | int():
                return fact
            case Text():
                return say(self.language, fact)
            case tuple():
                return ", ".join(str(self._fact(word)) for word in fact)
            case _:
                return str(fact)


def _text(key: str, facts: Mapping[str, Any]) -> Text:
    """Read a text; a fact that cannot be said is left out, since the rest of the state matters more."""
    kept: dict[str, Any] = {}
    for name, fact in facts.items():
        try:
            Text.from_json({"key": key, "facts": {name: fact}})
        except ValueError:
            LOG.warning("a fact cannot be said", key=key, fact=name)
            continue
        kept[name] = fact
    return Text.from_json({"key": key, "facts": kept})
