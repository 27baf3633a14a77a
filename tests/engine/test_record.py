"""Records are read as they were written, replay to the same game, and name what is wrong with them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import attempt, begin
from engine.record import (
    Accepted,
    Bound,
    Record,
    RecordError,
    Shown,
    Taken,
    TakenBack,
    entries_of,
    format_record,
    parse_record,
    record_of,
    replayed,
)  # fmt: skip
from engine.recordjson import record_from_json, record_to_json
from engine.setup import Setup
from engine.steps import Resign
from tests.engine.playing import play_out

LINE_UPS: list[tuple[tuple[str | None, ...], dict[str, Any]]] = [
    ((None, None), {}),
    (("apollo", "minotaur"), {}),
    (("hecate", "apollo"), {}),
    (("chaos", "athena"), {}),
    (("gaea", "demeter"), {}),
    (("dionysus", None), {}),
    (("tartarus", "artemis"), {}),
    (("morpheus", "prometheus"), {"options": frozenset({"strict_supply"})}),
    (("apollo", "athena", "pan"), {}),
    (("artemis", "athena", "pan", "atlas"), {}),
    ((None, None), {"golden_fleece": "atlas"}),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("powers", "more"), LINE_UPS)
def test_a_record_replays_to_the_same_game(
    powers: tuple[str | None, ...], more: dict[str, Any], seed: int
) -> None:
    game = play_out(Setup.of(*powers, **more), seed, length=120)
    record = record_of(game, {"A": "Ada Lovelace", "B": "Ben"}, seed)
    text = format_record(record)
    again = parse_record(text)
    assert format_record(again) == text
    assert replayed(again).to_json() == game.to_json()
    data = json.loads(json.dumps(record_to_json(record)))
    assert record_to_json(record_from_json(data)) == data
    assert replayed(record_from_json(data)).to_json() == game.to_json()


def test_what_happens_around_the_turns_is_kept() -> None:
    game = play_out(Setup.of(None, None), 5, length=12)
    opening = {"position": {"board": ["00000"] * 5, "workers": {"A1": "a1", "B1": "e5"}, "to_move": "B"}}
    entries = (
        *entries_of(game),
        TakenBack(2),
        Bound("A", 0, "a" * 64, "b" * 64),
        Accepted(opening),
        Taken("B", (("B", Resign()),)),
        Shown("A", 0, "c" * 64, {"abyss": "c3"}),
    )
    record = Record(game.setup, entries, result="A")
    assert parse_record(format_record(record)).entries[-5:] == entries[-5:]
    assert replayed(record).winner == "A"


def test_a_resignation_is_a_line_of_its_own() -> None:
    game = play_out(Setup.of(None, None), 5, length=12)
    outcome = attempt(game, "B", Resign())
    text = format_record(record_of(outcome.game))  # type: ignore[union-attr]
    assert "...\n" in text
    assert "B: resign" in text
    assert text.endswith("result A\n")
    assert replayed(parse_record(text)).winner == "A"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (("[santorini 1]", "[santorini 9]"), "does not begin with"),
        (("[edition roxley2016]", "[edition 1984]"), "edition"),
        (("[player A apollo]", "[player A zorro]"), "zorro"),
        (("A: A1@", "A: A1#"), "is no step"),
        (("[edition", "[colour"), "no part of a header"),
        (("A: A1@", "A: B1@"), "refused"),
        (("A: A1@", "C: A1@"), "no seat C"),
        (("A: A1@", "dance\nA: A1@"), "'dance' is no line"),
        (("A: A1@", "undo 3\nA: A1@"), "cannot be taken back"),
        (("A: A1@", "board []\nA: A1@"), "must be an object"),
        (("A: A1@", "commit A 0 12 34\nA: A1@"), "hexadecimal"),
    ],
)
def test_a_broken_record_is_named(change: tuple[str, str], found: str) -> None:
    text = format_record(record_of(play_out(Setup.of("apollo", None), 1, length=10)))
    broken = text.replace(*change, 1)
    assert broken != text
    with pytest.raises(RecordError, match=found):
        replayed(parse_record(broken))


def test_a_step_that_cannot_be_is_named_by_its_line_in_the_text() -> None:
    record = record_of(play_out(Setup.of(None, None), 3))
    lines = format_record(record).replace("\n1 A: ", "\n\n1 A: ").splitlines()
    at = next(number for number, line in enumerate(lines, 1) if line.startswith("2 B: "))
    broken = [*lines[: at - 1], "2 B: B1:a1>e5 B1+e4", *lines[at:]]
    with pytest.raises(RecordError, match=f"line {at}: B1:a1>e5 is refused"):
        replayed(parse_record("\n".join(broken)))
    with pytest.raises(RecordError, match=f"line {len(lines)}: the result"):
        replayed(parse_record("\n".join([*lines[:-1], "result C"])))


def test_in_json_lines_are_counted_among_the_entries() -> None:
    data = record_to_json(record_of(play_out(Setup.of(None, None), 3)))
    entries = [*data["entries"][:2], "1 A: A1:a1>e5", *data["entries"][3:]]
    with pytest.raises(RecordError, match=r"^line 3: A1:a1>e5 is refused"):
        replayed(record_from_json({**data, "entries": entries}))
    with pytest.raises(RecordError, match=r"^line 2: 'dance' is no line"):
        record_from_json({**data, "entries": [data["entries"][0], "dance"]})


@pytest.mark.parametrize(
    ("data", "says"),
    [({"some": "thing"}, "schema is missing"), ({"schema": 7}, "schema must be 1, not 7")],
)
def test_another_json_file_is_called_no_record(data: dict[str, Any], says: str) -> None:
    with pytest.raises(RecordError, match=f"^this is no record that can be read: {says}$"):
        record_from_json(data)


def test_a_false_result_is_named() -> None:
    text = format_record(record_of(play_out(Setup.of(None, None), 1, length=10)))
    with pytest.raises(RecordError, match="the result is not"):
        replayed(parse_record(text + "result B\n"))


@given(st.text(max_size=300) | st.text(alphabet='[]santorini 1ABpedgk:@+^>~{}\n"abcde12345', max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for begun in ("", "[santorini 1]\n[player A -]\n[player B -]\n"):
        try:
            replayed(parse_record(begun + text))
        except RecordError as error:
            assert error.problem


def test_an_empty_record_is_a_game_that_has_not_begun() -> None:
    setup = Setup.of(None, None)
    assert replayed(parse_record(format_record(record_of(begin(setup))))).to_json() == begin(setup).to_json()
