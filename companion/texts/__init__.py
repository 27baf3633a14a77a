"""Every sentence the companion says, in five languages."""

from companion.texts.cards import Card, card
from companion.texts.catalogue import DOMAINS, LANGUAGES, pick_language
from companion.texts.export import export
from companion.texts.reasons import reason
from companion.texts.say import MissingText, say
from companion.texts.text import Fact, Text

__all__ = [
    "DOMAINS",
    "LANGUAGES",
    "Card",
    "Fact",
    "MissingText",
    "Text",
    "card",
    "export",
    "pick_language",
    "reason",
    "say",
]
