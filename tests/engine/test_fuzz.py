"""Whatever is read, the answer is a value or an error that names what is wrong; never anything else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import _rules_judge, _rules_next
from engine.fen import FenError, format_fen, parse_fen
from engine.judge import judge
from engine.opening import Opening
from engine.record import RecordError, format_record, parse_record, replayed
from engine.recordjson import record_from_json, record_to_json
from engine.setup import Setup, SetupError
from engine.steps import StepSyntaxError, format_step, parse_step, parse_turn
from engine.successors import next_fens
from tests.engine.checking import cases
from tests.engine.checking_fen import sample
from tests.engine.golden import FOLDER

QUICK = settings(max_examples=150, deadline=None, derandomize=True)
SLOW = settings(max_examples=60, deadline=None, derandomize=True)
CASES = cases("cases.jsonl")
FENS = [row["fen"] for row in sample() if len(row["next"]) < 60]
RECORDS = [path.read_text() for path in sorted(FOLDER.glob("*.txt"))]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.floats() | st.text(max_size=6) | st.sampled_from(
        ["A", "A1", "B2", "c3", "hecate", "apollo", "00000", "A1:b2>c3", "N", "setup", "wind@NE"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=6,
)  # fmt: skip


def scarred(text: str, chance: random.Random, alphabet: str) -> str:
    """Damage a text in a few places."""
    letters = list(text)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(letters) + 1)
        match chance.randrange(4):
            case 0:
                letters[at:at] = [chance.choice(alphabet)]
            case 1:
                del letters[at : at + chance.randint(1, 3)]
            case 2:
                letters[at : at + 1] = [chance.choice(alphabet)]
            case _:
                letters[at:at] = letters[at : at + chance.randint(1, 9)]
    return "".join(letters)


def grafted(value: Any, chance: random.Random, scion: Any) -> Any:
    """Put something else, or nothing, somewhere into JSON data."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        rest = {k: v for k, v in value.items() if k != key}
        return rest if chance.random() < 0.1 else {**rest, key: grafted(value[key], chance, scion)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], grafted(value[at], chance, scion), *value[at + 1 :]]
    return scion


def named(error: Exception) -> None:
    """An error is one line and says where it is."""
    text = str(error)
    assert text and "\n" not in text and ":" in text


# ---- notation ------------------------------------------------------------------------------------------


@QUICK
@given(st.text(max_size=12) | st.text("ABCDabcde12345:>~+^@x<->card ", max_size=12))
def test_steps(text: str) -> None:
    try:
        step = parse_step(text)
    except StepSyntaxError as error:
        assert str(error) == text
        return
    assert parse_step(format_step(step)) == step


@QUICK
@given(st.text("ABab12:>~+^@[]x<> ", max_size=40))
def test_turns(text: str) -> None:
    try:
        steps = parse_turn(text)
    except StepSyntaxError:
        return
    assert parse_turn(" ".join(format_step(step) for step in steps)) == steps


# ---- FEN -----------------------------------------------------------------------------------------------


def read_fen(text: str) -> None:
    try:
        state = parse_fen(text)
    except FenError as error:
        named(error)
        return
    assert format_fen(parse_fen(format_fen(state))) == format_fen(state)


@QUICK
@given(st.text(max_size=60) | st.text("01234/#mortal:[]A1,^x", max_size=60))
def test_any_text_as_a_position(text: str) -> None:
    read_fen(text)


@QUICK
@given(st.integers(0, 1 << 30))
def test_damaged_positions(seed: int) -> None:
    chance = random.Random(seed)
    text = scarred(chance.choice(FENS), chance, "01234567/#-:[]|,ABCDEabcde^xnsmortal ")
    read_fen(text)
    try:
        found = next_fens(text)
    except FenError as error:
        named(error)
        return
    assert found == sorted(set(found))


# ---- cases of the judge --------------------------------------------------------------------------------


@QUICK
@given(JSON)
def test_anything_as_a_case(value: Any) -> None:
    answer = judge(value if isinstance(value, dict) else {"id": value})
    assert "error" in answer


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 30), JSON)
def test_damaged_cases(seed: int, scion: Any) -> None:
    chance = random.Random(seed)
    case = grafted(chance.choice(CASES), chance, scion)
    answer = judge(case if isinstance(case, dict) else {"id": case})
    assert "verdict" in answer or answer["error"]
    json.dumps(answer)


@pytest.mark.parametrize("answer", [_rules_judge.answer, _rules_next.answer])
@QUICK
@given(line=st.text(max_size=40) | JSON.map(json.dumps))
def test_any_line(answer: Callable[[str], dict[str, Any]], line: str) -> None:
    found = answer(line)
    assert "error" in found and "\n" not in found["error"]


# ---- setups, openings, records -------------------------------------------------------------------------


@QUICK
@given(st.integers(0, 1 << 30), JSON)
def test_damaged_setups(seed: int, scion: Any) -> None:
    chance = random.Random(seed)
    data = grafted(Setup.of("apollo", "chaos").to_json(), chance, scion)
    try:
        Setup.from_json(data if isinstance(data, dict) else {})
    except SetupError as error:
        named(error)


@QUICK
@given(st.integers(0, 1 << 30), JSON)
def test_damaged_openings(seed: int, scion: Any) -> None:
    chance = random.Random(seed)
    case = chance.choice(CASES)
    data = {key: case[key] for key in ("position", "memory", "secrets") if key in case}
    broken = grafted(data, chance, scion)
    try:
        Opening.from_json(broken if isinstance(broken, dict) else {})
    except SetupError as error:
        named(error)


@QUICK
@given(st.text(max_size=80) | st.text("[]santorini 12:AB+c4>\n;undo", max_size=80))
def test_any_text_as_a_record(text: str) -> None:
    try:
        parse_record(text)
    except (RecordError, SetupError) as error:
        named(error)


@SLOW
@given(st.integers(0, 1 << 30))
def test_damaged_records(seed: int) -> None:
    chance = random.Random(seed)
    text = scarred(chance.choice(RECORDS), chance, "[]ABCabcde12345:>+^~@x \n;undo-")
    try:
        record = parse_record(text)
        replayed(record)
    except (RecordError, SetupError) as error:
        named(error)
        return
    assert parse_record(format_record(record)) == record


@SLOW
@given(st.integers(0, 1 << 30), JSON)
def test_damaged_records_as_json(seed: int, scion: Any) -> None:
    chance = random.Random(seed)
    data = grafted(record_to_json(parse_record(chance.choice(RECORDS))), chance, scion)
    try:
        replayed(record_from_json(data if isinstance(data, dict) else {}))
    except (RecordError, SetupError) as error:
        named(error)
