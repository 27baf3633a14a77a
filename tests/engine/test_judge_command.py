from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest

from companion.cli.main import dispatch
from engine.judge import judge
from tests.engine.checking import cases, differences

JUNK: list[Any] = [
    None, 0, -3, 4.5, "", "x", "A", "e9", "a1", "N", True, [], {}, ["a1"], {"A": 1}, ["44444"] * 5, [[]],
    "A1:a1>a2", "apollo", {"power": 1, "ram": 3}, {"A1": "a1"},
]  # fmt: skip


def judged(
    lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[Any]:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    assert dispatch(["rules", "judge"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_broken_line_is_named_and_the_next_one_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = cases("cases.jsonl")[0]
    answers = judged(['{"id": "cut', "[1]", "", json.dumps(case)], monkeypatch, capsys)
    assert [sorted(a) for a in answers[:2]] == [["error", "id"]] * 2
    assert answers[2]["id"] == case["id"] and differences(case["expect"], answers[2]) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": [{"seat": "A", "power": "zorro"}, {"seat": "B", "power": None}]}, "'zorro' is no power"),
        ({"position": {"board": ["00000"] * 4}}, "board: must be five strings"),
        ({"position": {"board": ["00000"] * 4 + ["00004"], "to_move": "A"}}, "row '00004'"),
        ({"position": {"board": ["00000"] * 5, "to_move": "Z"}}, "'Z' is no seat"),
        ({"play": "A1:b3>c4"}, "play: must be a list"),
        ({"edition": "first"}, "edition: 'first'"),
        ({"memory": {"A": {"bank": -1}}}, "memory.A.bank"),
        ({"secrets": {"A": {"fate": "e5"}}}, "secrets.A.fate"),
    ],
)
def test_what_is_no_case_gets_an_error(change: dict[str, Any], message: str) -> None:
    case = {**cases("cases.jsonl")[0], **change}
    if "position" in change:
        case["position"] = {"to_move": "A", **change["position"]}
    assert message in judge(case)["error"]


def test_a_worker_on_a_dome_and_a_token_off_the_board_are_named() -> None:
    case = cases("cases.jsonl")[0]
    position = {**case["position"], "domes": ["b3"]}
    assert judge({**case, "position": position})["error"] == "workers.A1: stands on the dome of b3"
    position = {**case["position"], "tokens": {"talus": "f7"}}
    assert judge({**case, "position": position})["error"] == "tokens.talus: 'f7' is no space of the board"


def spoiled(case: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Put junk somewhere into a case."""
    case = json.loads(json.dumps({k: v for k, v in case.items() if k != "expect"}))
    inside: Any = case
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = chance.choice(keys)
        if chance.random() < 0.4 or not isinstance(inside[key], (dict, list)) or not inside[key]:
            inside[key] = json.loads(json.dumps(chance.choice(JUNK)))
            return case
        inside = inside[key]


def test_junk_never_stops_the_judge() -> None:
    chance = random.Random(5)
    everything = [*cases("cases.jsonl"), *cases("own.jsonl")]
    for _ in range(600):
        case = spoiled(chance.choice(everything), chance)
        answer = judge(case)
        assert "error" in answer or answer["verdict"], case
        json.dumps(answer)


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ({"tokens": {"whirlpool": ["a5", "b5", "c5"]}}, "tokens.whirlpool"),
        ({"tokens": {"coin": ["a5", "b5", "c5", "d5"]}}, "tokens.coin"),
        ({"tokens": {"talus": "c3"}}, "talus"),
        ({"out": "B"}, "position.out"),
        ({"out": ["A"]}, "position.out"),
        ({"out": ["D"]}, "position.out"),
    ],
)
def test_what_cannot_stand_or_be_out_is_named(position: dict[str, Any], field: str) -> None:
    board = {"board": ["00000"] * 5, "workers": {"A1": "a1", "B1": "c3"}, "to_move": "A"}
    players = [{"seat": seat, "power": None} for seat in "ABC"]
    answer = judge({"id": "x", "players": players, "position": {**board, **position}, "play": []})
    assert answer["error"].startswith(f"{field}: ")
