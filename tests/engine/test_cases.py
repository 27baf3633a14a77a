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


def test_ids_are_unique() -> None:
    found = [case["id"] for case in [*cases("cases.jsonl"), *cases("own.jsonl")]]
    assert len(found) == len(set(found))
