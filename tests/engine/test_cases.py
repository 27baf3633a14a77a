from __future__ import annotations

from typing import Any

import pytest

from engine.judge import judge
from tests.engine.checking import cases, differences


@pytest.mark.parametrize(
    "case", [*cases("cases.jsonl"), *cases("own.jsonl")], ids=lambda case: str(case["id"])
)
def test_case(case: dict[str, Any]) -> None:
    given = {key: value for key, value in case.items() if key not in ("note", "expect")}
    assert differences(case["expect"], judge(given)) == []


def test_what_was_reasoned_from_the_texts_alone() -> None:
    wrong = {
        case["id"]: found
        for case in cases("examined.jsonl")
        if (found := differences(case["expect"], judge({k: v for k, v in case.items() if k != "expect"})))
    }
    assert wrong == {}


def test_ids_are_unique() -> None:
    found = [case["id"] for name in ("cases", "own", "examined") for case in cases(f"{name}.jsonl")]
    assert len(found) == len(set(found))
