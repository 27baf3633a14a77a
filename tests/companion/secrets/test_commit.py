"""Commit and reveal: vectors, every way to cheat, and the phones' JavaScript against the same cases."""

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.secrets import (
    Broken,
    ChainRecord,
    Malformed,
    NotCanonical,
    Owner,
    canonical,
    commitment,
    verify_records,
)
from companion.secrets.commit import Published, link, origin, publish
from tests.companion.secrets.make_vectors import VECTORS, vectors

HERE = Path(__file__).parent
KNOWN: dict[str, Any] = json.loads(VECTORS.read_text())


def test_the_vectors_are_those_their_script_writes() -> None:
    assert vectors() == KNOWN


@pytest.mark.parametrize("case", KNOWN["canonical"], ids=lambda case: case["json"])
def test_canonical_form(case: dict[str, str]) -> None:
    assert canonical(json.loads(case["json"])).decode() == case["canonical"]


@pytest.mark.parametrize("text", KNOWN["refused"])
def test_values_without_canonical_form(text: str) -> None:
    with pytest.raises(NotCanonical):
        canonical(json.loads(text))


@pytest.mark.parametrize("value", [{1: "a"}, b"bytes", {"a": {1, 2}}, float("nan"), object()])
def test_values_that_are_no_json(value: object) -> None:
    with pytest.raises(NotCanonical):
        canonical(value)


def test_commitments() -> None:
    for case in KNOWN["commitments"]:
        owner = Owner(**case["owner"])
        found = commitment(owner, case["turn"], case["value"], bytes.fromhex(case["salt"]))
        assert found == case["commitment"]


def test_a_salt_is_32_bytes() -> None:
    with pytest.raises(Malformed, match="31"):
        commitment(Owner("g", "A", "hecate"), 0, {}, bytes(31))


def test_chains_hold_and_are_rebuilt() -> None:
    for chain in KNOWN["chains"]:
        record = ChainRecord.from_json(chain)
        record.verify()
        assert record.to_json() == chain
        again: list[Published] = []
        for secret in record.revealed:
            value = commitment(record.owner, secret.turn, secret.value, bytes.fromhex(secret.salt))
            again.append(publish(record.owner, again, value))
        assert tuple(again) == record.published


def test_a_chain_that_starts_later_makes_the_game_not_verifiable() -> None:
    whole, later = map(ChainRecord.from_json, KNOWN["chains"])
    assert verify_records([whole])
    assert not verify_records([whole, later])
    assert verify_records([])


Chain = dict[str, Any]


def _swap_published(chain: Chain) -> None:
    chain["published"][0], chain["published"][1] = chain["published"][1], chain["published"][0]


def _relink(chain: Chain) -> None:
    """Make the links fit again behind a changed commitment, as a cheating server could."""
    owner = Owner(**chain["owner"])
    previous = origin(owner)
    for entry in chain["published"]:
        previous = entry["link"] = link(previous, entry["turn"], entry["commitment"])


def _replace_commitment(chain: Chain) -> None:
    chain["published"][1]["commitment"] = "0" * 64
    _relink(chain)


SPOILED: dict[str, tuple[Callable[[Chain], None], int, str]] = {
    "another value": (lambda c: c["revealed"][1]["value"]["workers"].update(A1="b1"), 1, "commitment"),
    "another salt": (lambda c: c["revealed"][2].update(salt="ab" * 32), 2, "commitment"),
    "salt in capitals": (lambda c: c["revealed"][0].update(salt=c["revealed"][0]["salt"].upper()), 0, "salt"),
    "short salt": (lambda c: c["revealed"][0].update(salt="ab"), 0, "salt"),
    "value without a form": (lambda c: c["revealed"][0]["value"].update(x=0.5), 0, "commitment"),
    "another game": (lambda c: c["owner"].update(game="vector-2"), 0, "link"),
    "another seat": (lambda c: c["owner"].update(seat="B"), 0, "link"),
    "another power": (lambda c: c["owner"].update(power="moerae"), 0, "link"),
    "commitment changed": (lambda c: c["published"][1].update(commitment="0" * 64), 1, "link"),
    "commitment no hash": (lambda c: c["published"][1].update(commitment="\ud800"), 1, "link"),
    "commitment changed and relinked": (_replace_commitment, 1, "commitment"),
    "entry left out": (lambda c: c["published"].pop(1), 1, "turn"),
    "entries swapped": (_swap_published, 0, "turn"),
    "last entry left out": (lambda c: c["published"].pop(), 2, "extra"),
    "last secret not revealed": (lambda c: c["revealed"].pop(), 2, "missing"),
    "nothing revealed": (lambda c: c["revealed"].clear(), 0, "missing"),
    "secrets swapped": (lambda c: c["revealed"].reverse(), 0, "turn"),
}


def _spoil(name: str) -> tuple[Chain, int, str]:
    change, turn, why = SPOILED[name]
    chain = copy.deepcopy(KNOWN["chains"][0])
    change(chain)
    return chain, turn, why


@pytest.mark.parametrize("name", SPOILED)
def test_every_way_to_cheat_is_found_and_named(name: str) -> None:
    chain, turn, why = _spoil(name)
    with pytest.raises(Broken) as caught:
        ChainRecord.from_json(chain).verify()
    assert (caught.value.turn, caught.value.why) == (turn, why)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.pop("owner"),
        lambda c: c["owner"].update(start=-1),
        lambda c: c["owner"].update(game=3),
        lambda c: c.update(published={}),
        lambda c: c["published"][0].update(turn=True),
        lambda c: c["published"][0].pop("link"),
        lambda c: c["revealed"][0].update(value="c3"),
    ],
)
def test_a_record_that_is_none(change: Callable[[Chain], None]) -> None:
    chain = copy.deepcopy(KNOWN["chains"][0])
    change(chain)
    with pytest.raises(Malformed):
        ChainRecord.from_json(chain)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_the_canonical_form_reads_back_and_is_its_own_form(value: object) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text


def _random_json(random_: random.Random, depth: int = 3) -> object:
    kinds = "nbisslo" if depth else "nbis"
    letters = 'aZ9"\\/\b\n\x1f\x7fé€\u2028\ufb33😀\uffff'
    text = "".join(random_.choices(letters, k=random_.randrange(6)))
    match random_.choice(kinds):
        case "n":
            return None
        case "b":
            return random_.random() < 0.5
        case "i":
            return random_.choice([0, -1, 7, 2**53 - 1, random_.randrange(-(10**9), 10**9)])
        case "s":
            return text
        case "l":
            return [_random_json(random_, depth - 1) for _ in range(random_.randrange(4))]
        case _:
            return {text + str(n): _random_json(random_, depth - 1) for n in range(random_.randrange(5))}


def test_the_phones_compute_the_same(tmp_path: Path) -> None:
    random_ = random.Random(20)
    values = [_random_json(random_) for _ in range(400)]
    spoiled = [dict(zip(("record", "turn", "why"), _spoil(name))) for name in SPOILED]
    cases = {
        "values": [{"json": json.dumps(v), "canonical": canonical(v).decode()} for v in values],
        "spoiled": spoiled,
    }
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    node = shutil.which("node")
    assert node is not None, "install nodejs: the phones' code is checked with it"
    script = [node, str(HERE / "check_commit.mjs"), str(VECTORS), str(tmp_path / "cases.json")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["failures"] == []
    assert report["checks"] > 400 + len(SPOILED) + 100
