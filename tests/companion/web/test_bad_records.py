"""What is wrong with a record is said in every language, by the kind of fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.store import Store
from companion.table.tables import Tables
from companion.texts import LANGUAGES, Text, say
from companion.web.ports import NotPossible
from companion.web.shelf import Shelf
from engine.record import Fault

HEAD = "[santorini 1]\n[player A - Ada]\n[player B - Ben]\n"
PLACED = HEAD + "A: A1@b2 A2@d4\nB: B1@c3 B2@d2\n"
HIDING = "[santorini 1]\n[player A hecate Ada]\n[player B - Ben]\n"
AS_JSON = {"schema": 1, "setup": {"players": [{"seat": "A"}, {"seat": "B"}]}, "entries": []}
BAD: dict[str, str] = {
    "line": HEAD + "somebody moved something\n",
    "start": "[player A - Ada]\n[player B - Ben]\n",
    "setup": "[santorini 1]\n[player A apollo Ada]\n[player B apollo Ben]\n",
    "field": json.dumps(AS_JSON | {"names": 3}),
    "seat": HEAD + "C: C1@b2\n",
    "step": PLACED + "1 A: A1:b2>b5 A1+b4\n",
    "undo": PLACED + "undo 99\n",
    "board": PLACED + "board " + json.dumps({"position": {"board": ["99999"] * 5}}) + "\n",
    "result": PLACED + "result A\n",
    "json": '{"schema": 1,',
    "secret": HIDING,
    "there": "[santorini 1]\n[game g1]\n[player A - Ada]\n[player B - Ben]\n",
}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Store.open(tmp_path / "santorini.db") as store:
        yield Shelf(Tables(store))


def refused(shelf: Shelf, record: str) -> dict[str, Any]:
    with pytest.raises(NotPossible) as caught:
        shelf.take_in(record)
    assert caught.value.key == "error.bad_record"
    what: dict[str, Any] = caught.value.facts["what"]
    return what


@pytest.mark.parametrize("code", sorted(BAD))
def test_every_fault_has_its_sentence_in_every_language(shelf: Shelf, code: str) -> None:
    if code == "there":
        shelf.take_in(BAD[code])
    what = refused(shelf, BAD[code])
    assert what["key"] == f"error.record.{code}"
    said = {say(language, Text("error.bad_record", what=Text.from_json(what))) for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)
    assert all(what["facts"].get("what", "") in sentence for sentence in said)


def test_no_kind_of_fault_is_forgotten() -> None:
    assert set(get_args(Fault)) <= set(BAD)
