"""Every way a game can end is told as what it was."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.table.ending import how
from companion.table.session import Session
from companion.texts import LANGUAGES, Text, say
from engine.game import Game, attempt, begin
from engine.match import Outcome
from engine.opening import Opening, position_from_json, secrets_from_json
from engine.setup import Setup
from engine.steps import parse_step

FLAT = ["00000"] * 5
HIGH = ["00000", "00300", "00200", "00000", "00000"]
TOWERS = ["30300", "00000", "30300", "00000", "30000"]
FOUR = {"domes": ["a1", "a3", "a5", "c5"]}


def played(
    powers: tuple[str | None, ...],
    board: list[str],
    workers: str,
    steps: str,
    secrets: dict[str, Any] | None = None,
    **more: Any,
) -> Game:
    """Play the steps of A's turn from a position."""
    stand = dict(word.split("@") for word in workers.split())
    pos = position_from_json({"board": board, "domes": [], "workers": stand, **more})
    setup = Setup.of(*powers)
    game = begin(setup, Opening(pos, "A", {}, secrets_from_json(secrets or {})))
    for step in steps.split():
        if game.over:
            break
        outcome = attempt(game, "A", parse_step(step))
        assert isinstance(outcome, Outcome), (step, outcome)
        game = outcome.game
    assert game.over
    return game


CASES = {
    "end.how.up": played((None, None), HIGH, "A1@c3 A2@a1 B1@e5 B2@e1", "A1:c3>c4"),
    "end.how.pan": played(("pan", None), HIGH, "A1@c3 A2@a1 B1@e5 B2@e1", "A1:c3>b3"),
    "end.how.chronus": played(
        ("chronus", None), TOWERS, "A1@b2 A2@e4 B1@e5 B2@d5", "A1:b2>b3 A1^c3 end", **FOUR
    ),
    "end.how.resigned": played((None, None), FLAT, "A1@c3 A2@a1 B1@e5 B2@e1", "resign"),
    "end.how.abyss": played(
        (None, "tartarus"), FLAT, "A1@c3 A2@a1 B1@e5 B2@e1", "A1:c3>c4 A1+b5 end", {"B": {"abyss": "c4"}}
    ),
    "end.how.moerae": played(
        (None, "moerae"), HIGH, "A1@c3 A2@a1 B1@e5 B2@e1", "A1:c3>c4 end", {"B": {"fate": "c3"}}
    ),
    "end.how.stuck": played(
        (None, None),
        ["00020", "00022", "00000", "00022", "00020"],
        "A1@c3 A2@a1 B1@e1 B2@e5",
        "A1:c3>c2 A1+b2 end",
    ),
}


@pytest.mark.parametrize("key", CASES)
def test_the_end_is_told_as_what_it_was(key: str) -> None:
    session = SimpleNamespace(game=CASES[key], plan=SimpleNamespace(sitters=()))
    told = how(cast(Session, session))
    assert told.key == key
    facts = {name: str(fact) for name, fact in told.facts.items()}
    assert all(say(language, Text(told.key, **facts)) for language in LANGUAGES)
