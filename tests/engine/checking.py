"""Compares an answer of the judge with what a case expects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent.parent / "data" / "rules"
UNORDERED = ("domes", "out", "whirlpool", "coin", "discard")
DEFAULTS: dict[str, Any] = {
    "moved_up": False, "bank": 0, "hero_used": False, "marked": None, "reserve": [], "coins_left": 3,
    "extra_turns": 0, "stolen": False, "discard": [], "deck": [], "by": None,
}  # fmt: skip


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text().splitlines() if line.strip()]


def _same(key: str, wanted: Any, found: Any) -> bool:
    if key in UNORDERED and isinstance(wanted, list):
        return sorted(wanted) == sorted(found or [])
    return bool(wanted == found)


def _told(text: str) -> tuple[list[str], list[str]]:
    """Split a record into its steps in order and its consequences without order."""
    steps: list[str] = []
    inside: list[str] = []
    depth = 0
    for word in text.replace("[", " [ ").replace("]", " ] ").split():
        if word in "[]":
            depth = int(word == "[")
        else:
            (inside if depth else steps).append(word)
    return steps, sorted(inside)


def differences(expect: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """List where an answer is not what was expected."""
    if "error" in answer:
        return [f"error: {answer['error']}"]
    found: list[str] = []
    after = answer.get("after") or {}
    for key, wanted in expect.items():
        match key:
            case "verdict" | "at" | "winner" | "loser":
                ok = answer[key] == wanted
            case "reason":
                ok = answer[key] in (wanted if isinstance(wanted, list) else [wanted])
            case "told":
                ok = all(_told(wanted[s]) == _told(answer["told"][s]) for s in wanted)
            case "next":
                ok = set(wanted) == set(answer["next"] or [])
            case "next_includes":
                ok = set(wanted) <= set(answer["next"] or [])
            case "next_excludes":
                ok = not set(wanted) & set(answer["next"] or [])
            case "memory" | "secrets":
                ok = all(
                    _same(k, v, after.get(key, {}).get(seat, {}).get(k, DEFAULTS.get(k)))
                    for seat, facts in wanted.items()
                    for k, v in facts.items()
                )
            case "tokens":
                ok = all(_same(k, v, after["tokens"].get(k)) for k, v in wanted.items())
            case _:
                ok = _same(key, wanted, after.get(key))
        if answer.get("winner") and key in ("workers", "tokens", "memory", "secrets", "out"):
            ok = True
        if not ok:
            got = answer.get(key, after.get(key))
            found.append(f"{key}: wanted {wanted}, got {got}")
    return found
