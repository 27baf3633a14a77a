"""What cards remember, as JSON both ways; every key has its kind, unknown keys are dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.cards import CARDS
from engine.events import Value
from engine.setup import RAM_CARD, SEATS, SetupError
from engine.state import Memory

_WORKER: Final = re.compile(r"[A-D][1-9]")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_flag(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def _is_worker(value: Any) -> bool:
    return isinstance(value, str) and bool(_WORKER.fullmatch(value))


def _is_card(value: Any) -> bool:
    return isinstance(value, str) and value in CARDS and CARDS[value].kind == "simple"


def _is_list_of(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(test(v) for v in value)


KEYS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "moved_up": (_is_flag, "must be true or false"),
    "hero_used": (_is_flag, "must be true or false"),
    "stolen": (_is_flag, "must be true or false"),
    "bank": (_is_count, "must be a number of pieces"),
    "coins_left": (lambda v: _is_count(v) and v <= 3, "must be 0 to 3"),
    "extra_turns": (_is_count, "must be a number of turns"),
    "marked": (lambda v: v is None or _is_worker(v), "must be a worker or null"),
    "by": (lambda v: v is None or _is_worker(v), "must be a worker or null"),
    "reserve": (_is_list_of(_is_worker), "must be a list of workers"),
    "face_up": (lambda v: v is None or _is_card(v), "must be a simple god or null"),
    "deck": (_is_list_of(_is_card), "must be a list of simple gods"),
    "discard": (_is_list_of(_is_card), "must be a list of simple gods"),
}
"""What may be remembered, how it is recognised, and what to say when it is something else."""


def memory_to_json(memory: Memory) -> dict[str, Any]:
    """Write what the cards remember."""
    return {
        card: {key: list(value) if isinstance(value, tuple) else value for key, value in facts.items()}
        for card, facts in memory.items()
    }


def memory_from_json(data: Mapping[str, Any]) -> dict[str, dict[str, Value]]:
    """Read what the cards remember; raise SetupError naming the field that is wrong."""
    memory: dict[str, dict[str, Value]] = {}
    for card, facts in data.items():
        if card not in (*SEATS, RAM_CARD):
            raise SetupError(f"memory.{card}", "is no seat")
        if not isinstance(facts, dict):
            raise SetupError(f"memory.{card}", "must be an object")
        memory[card] = {key: _read(card, key, value) for key, value in facts.items() if key in KEYS}
    return memory


def _read(card: str, key: str, value: Any) -> Value:
    """Read one value."""
    test, problem = KEYS[key]
    if not test(value):
        raise SetupError(f"memory.{card}.{key}", problem)
    read: Value = tuple(value) if isinstance(value, list) else value
    return read
