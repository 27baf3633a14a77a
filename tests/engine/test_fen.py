"""Positions as FEN, and the positions after one turn."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from companion.cli.main import main
from engine.fen import FenError, format_fen, parse_fen
from engine.successors import next_fens
from tests.engine.checking_fen import normal, same, sample

START = "0000000000000000000000000/1/mortal:B2,D4/mortal:B4,D2"
EXAMPLES = [
    (START, 80, "0100000000000000000000000/2/mortal:C5,B2/mortal:B4,D2"),
    ("2300000000000000000000000/1/mortal:A5,E1/mortal:C2,C1", 28,
     "2300000000000000000000000/2/#mortal:B5,E1/mortal:C2,C1"),
    ("4444424444444444443044442/2/mortal:A4,D2/mortal:E2,E1", 1,
     "4444424444444444443044442/2/#mortal:A4,D2/mortal:E2,E1"),
    ("0000000000011000000000000/1/athena:C4,E1/mortal:A5,A1", 71,
     "0000000000021000000000000/2/athena[^]:C3,E1/mortal:A5,A1"),
    ("0000000000011000000000000/2/athena[^]:C4,E1/mortal:C2,A1", 50,
     "0000000000111000000000000/1/athena[^]:C4,E1/mortal:A2,C2"),
    ("0000000000000000000000000/1/atlas:C3,E1/mortal:A5,A1", 156,
     "0000000000000000000000004/2/atlas:C3,D1/mortal:A5,A1"),
    ("0000000000000000000000000/1/morpheus[1]:C3,E1/mortal:A5,A1", 411,
     "0200000000000000000000000/2/morpheus[0]:C4,E1/mortal:A5,A1"),
    ("0000000000000100000000000/1/clio[1|B3,D3]:C3,E1/mortal:A5,A1", 78,
     "0100000000000100000000000/2/clio[0|B5,B3,D3]:C4,E1/mortal:A5,A1"),
    ("0000000000000000000000000/2/mortal:A5,A1/europa[C2]:C3,E1", 488,
     "0000000000000000000000001/1/mortal:A5,A1/europa[D2]:C3,D1"),
    ("0000000000000000000000000/1/mortal:C3/aeolus[n]:A1,E1", 54,
     "0000000000001000000000000/2/mortal:B4/aeolus[n]:A1,E1"),
    ("0000000000000000000000000/1/apollo:C3,E1/selene[C4]:C4,A1", 74,
     "0100000000000000000000000/2/apollo:C4,E1/selene[C3]:C3,A1"),
    ("0000000000000000000000000/1/bia:C1,E1/mortal:C3,A5", 46,
     "0000000000010000000000000/2/bia:C2,E1/mortal:A5"),
    ("0000000000000000000000000/1/jason:A5,C3/mortal:E1,A1", 135,
     "0000000000000000000000010/2/jason[x]:A5,C3,C1/mortal:A1,E1"),
    ("4444000003000000000000000/1/chronus:D3,A1/mortal:E1,C1", 57,
     "4444000004000000000000000/2/#chronus:D4,A1/mortal:C1,E1"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "count", "among"), EXAMPLES, ids=[e[0] for e in EXAMPLES])
def test_example(fen: str, count: int, among: str) -> None:
    found = next_fens(fen)
    assert len(found) == len(set(found)) == count
    assert found == sorted(found) and among in found


def test_every_position_of_the_sample() -> None:
    wrong = [row["fen"] for row in sample() if not same(next_fens(row["fen"]), row["next"])]
    assert wrong == []


def test_a_position_reads_and_writes_alike() -> None:
    for row in sample():
        assert normal(format_fen(parse_fen(row["fen"]))) == normal(row["fen"])


@pytest.mark.parametrize(
    ("fen", "same_as"),
    [
        ("00000.00000.00000.00000.00000/1/mortal:D4,b2/mortal:b4,d2", START),
        ("/1/mortal:16,8/mortal:D2,B4", START),
        ("0000000000011000000000000/2/athena:C4,E1/-mortal:C2,A1", EXAMPLES[4][0]),
    ],
)
def test_other_ways_to_write_a_position(fen: str, same_as: str) -> None:
    assert format_fen(parse_fen(fen)) == format_fen(parse_fen(same_as))


@pytest.mark.parametrize(
    ("fen", "field"),
    [
        ("", "fen"),
        ("000/1/mortal:A1/mortal:B1", "heights"),
        ("0000000050000000000000000/1/mortal:A1/mortal:B1", "heights"),
        ("/3/mortal:A1/mortal:B1", "turn"),
        ("/1/zork:A1/mortal:B1", "player one"),
        ("/1/mortal:A1/hecate:B1", "player two"),
        ("/1/mortal:A6/mortal:B1", "player one"),
        ("/1/mortal:25/mortal:B1", "player one"),
        ("/1/mortal:A1,A1/mortal:B1", "player one"),
        ("/1/mortal:A1,B1/mortal:B1", "player two"),
        ("4000000000000000000000000/1/mortal:A5,D4/mortal:B4,D2", "player one"),
        ("/1/hermes:A1,B1,C1/mortal:B5", "player one"),
        ("/1/pan[x]:A1/mortal:B1", "player one"),
        ("/1/selene[C3]:A1/mortal:B1", "player one"),
        ("/1/clio[2|A1,A2]:A3/mortal:B1", "player one"),
        ("/1/aeolus[up]:A3/mortal:B1", "player one"),
        ("/1/#pan:A1/#mortal:B1", "player two"),
        ("/1/hades:A1,B1/pan:C1,D1", "players"),
        ("/2/eros/bia", "turn"),
        ("/1/-mortal:A1/pan:B1", "player one"),
    ],
)
def test_what_is_wrong_is_named(fen: str, field: str) -> None:
    with pytest.raises(FenError) as caught:
        next_fens(fen)
    assert caught.value.field == field and "\n" not in str(caught.value)


def test_two_players_with_the_same_tokens() -> None:
    both = "0000000000000000000000000/1/europa[C2]:C3,E1/europa[D4]:A5,A1"
    found = next_fens(both)
    assert all(fen.endswith("/europa[D4]:A1,A5") or "/europa[D4]:A5,A1" in fen for fen in found)
    assert not any("D4" in fen.split("/")[2] for fen in found)
    assert any("europa[D2]" in fen.split("/")[2] for fen in found)
    coins = "1000000000000000000000000/1/clio[1|B3,D3]:C3,E1/clio[2|A5]:C5,A1"
    after = next_fens(coins)
    assert after and all(fen.startswith("1") and "clio[2|A5]" in fen.split("/")[3] for fen in after)
    assert any("clio[0|C4,B3,D3]" in fen.split("/")[2] for fen in after)
    winds = "0000000000000000000000000/1/aeolus[n]:C3/aeolus[s]:A1,E1"
    spaces = {fen.split("/")[2].rpartition(":")[2] for fen in next_fens(winds)}
    assert spaces == {"B4", "D4", "B3", "D3", "B2", "D2"}
    assert {fen.split("/")[3] for fen in next_fens(winds)} == {"aeolus[s]:A1,E1"}


def test_placing() -> None:
    assert len(next_fens("/1/mortal/mortal")) == 300
    assert len(next_fens("/2/mortal:C3,B2/mortal:")) == 253
    assert len(next_fens("/1/selene/mortal")) == 600
    assert "0000000000000000000000000/2/mortal/bia:A1,B1" in next_fens("/1/mortal/bia")
    assert "0000000000000000000000000/1/mortal:C3,D3/bia:A1,B1" in next_fens("/2/mortal/bia:A1,B1")
    for fen in next_fens("/1/eros/mortal"):
        one, two = fen.split("/")[2].partition(":")[2].split(",")
        assert {one[0], two[0]} == {"A", "E"} or {one[1], two[1]} == {"1", "5"}


def test_a_won_position_has_no_next() -> None:
    assert next_fens("2300000000000000000000000/2/#mortal:B5,E1/mortal:C2,C1") == []


def test_lines_in_lines_out(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps({"fen": START}), "", "{", "[]", '{"fen": 5}', '{"fen": "x"}', "\xff", "[" * 9999]
    text = "\n".join([*lines, '{"fen": "/1/mortal/mortal"}']).encode("latin-1")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["rules", "next"]) == 0
    found: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [len(one.get("next", ())) for one in found] == [80, 0, 0, 0, 0, 0, 0, 300]
    assert [bool(one.get("error")) for one in found] == [False, *[True] * 6, False]
