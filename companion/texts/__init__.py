"""Every sentence the companion says, in five languages."""

from companion.texts.cards import Card, card
from companion.texts.catalogue import DOMAINS, LANGUAGES, pick_language
from companion.texts.export import export
from companion.texts.putback import put_back
from companion.texts.reasons import reason
from companion.texts.refusals import refusal_text
from companion.texts.say import MissingText, say
from companion.texts.steps import step_text
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
    "put_back",
    "reason",
    "refusal_text",
    "say",
    "step_text",
]
