"""Counts of turns, as two other programs have them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli.main import main
from engine.fast import base_turns, is_plain
from engine.fen import parse_fen
from engine.perft import _counted, count_turns
from engine.successors import next_fens

TABLE = Path(__file__).parent.parent / "data" / "rules" / "PERFT.md"
ROW = re.compile(r"\| `(\S+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| (\d+)/(\d+)/(\d+) \|")
ROWS = [
    (row[0], [int(n.replace(",", "")) for n in row[1:4]], [int(n) for n in row[4:]])
    for row in ROW.findall(TABLE.read_text())
]


def test_the_table_is_there() -> None:
    assert len(ROWS) == 23


@pytest.mark.parametrize(("fen", "counts", "wins"), ROWS, ids=[row[0] for row in ROWS])
def test_one_and_two_turns(fen: str, counts: list[int], wins: list[int]) -> None:
    assert [count_turns(fen, depth) for depth in (1, 2)] == list(zip(counts[:2], wins[:2], strict=True))
    assert _counted(fen, 1) == (counts[0], wins[0])


@pytest.mark.slow
def test_three_turns() -> None:
    for fen, counts, wins in ROWS:
        assert count_turns(fen, 3) == (counts[2], wins[2])


def test_the_quick_list_is_the_list() -> None:
    for fen, counts, _ in ROWS:
        state = parse_fen(fen)
        assert is_plain(state)
        turns = base_turns(state.pos, state.to_move or "")
        assert len(turns) == len(set(turns)) == counts[0] == len(next_fens(fen))


def test_with_powers_positions_are_counted() -> None:
    fen = "0000000000000000000000000/1/atlas:C3,E1/mortal:A5,A1"
    assert count_turns(fen, 1) == (156, 0)
    assert count_turns(fen, 2)[0] == sum(len(next_fens(one)) for one in next_fens(fen))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "perft", "--fen", ROWS[0][0], "--depth", "2"]) == 0
    assert capsys.readouterr().out == "6176\n"
    assert main(["rules", "perft", "--fen", "x", "--depth", "2"]) == 2
    assert "4" in capsys.readouterr().err
    assert main(["rules", "perft", "--fen", ROWS[0][0], "--depth", "-1"]) == 2


@pytest.mark.parametrize(
    ("fen", "field"),
    [
        ("", "fen"),
        ("5000000000000000000000000/1/mortal:B2/mortal:B4", "heights"),
        ("4000000000000000000000000/1/mortal:A5/mortal:B4", "player one"),
        ("/1/mortal:A1/mortal:Z9", "player two"),
        ("/1/europa[Z9]:A1/mortal:B1", "player one"),
        ("/1/zorro:A1/mortal:B1", "player one"),
        ("/1/hades:A1/pan:C1", "players"),
        ("/4/mortal:A1/mortal:C1", "turn"),
    ],
)
def test_what_cannot_be_counted_is_named(fen: str, field: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "perft", "--fen", fen, "--depth", "1"]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert printed.err.startswith(f"santorini rules perft: --fen: {field}: ")
