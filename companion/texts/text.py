"""A thing to say: a key and its facts, without a language yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, init=False)
class Text:
    """A sentence before it is said: `Text("ui.your_turn", player="Ada")`."""

    key: str
    facts: tuple[tuple[str, Fact], ...] = field(default=())

    def __init__(self, key: str, /, **facts: Fact) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "facts", tuple(sorted(facts.items())))

    def as_json(self) -> dict[str, object]:
        """Return the form the phone's `say` takes: `{"key": …, "facts": {…}}`."""
        return {"key": self.key, "facts": {name: _fact_json(fact) for name, fact in self.facts}}

    @staticmethod
    def from_json(data: Mapping[str, object]) -> Text:
        """Read what `as_json` wrote."""
        key, facts = data.get("key"), data.get("facts", {})
        if not isinstance(key, str) or not isinstance(facts, Mapping):
            raise ValueError(f"not a text: {data!r}")
        return Text(key, **{str(name): _fact(value) for name, value in facts.items()})


# Words and numbers stand as they are, a Text is said in the same language, a row is joined by commas.
Word = str | int | Text
Fact = str | int | Text | tuple[Word, ...]


def _fact_json(fact: Fact) -> object:
    match fact:
        case Text():
            return fact.as_json()
        case tuple():
            return [_fact_json(word) for word in fact]
        case _:
            return fact


def _word(value: object) -> Word:
    match value:
        case str() | int():
            return value
        case Mapping():
            return Text.from_json(value)
        case _:
            raise ValueError(f"not a fact: {value!r}")


def _fact(value: object) -> Fact:
    if isinstance(value, list | tuple):
        return tuple(_word(word) for word in value)
    return _word(value)
