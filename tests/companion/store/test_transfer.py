"""Export and import as JSON lines, between both kinds of database; damaged files import nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.secrets import Place, SeatKey, seal, unseal
from companion.store import BadExport, NewEvent, Store, private_to
from companion.store.games import (
    GameRow,
    create_game,
    games,
    set_setting,
    setting,
)
from companion.store.seats import SeatRow, holds, offer, pair, save_seat, seats
from companion.store.transfer import export_lines, import_lines
from tests.companion.secrets.canary import Canary, assert_silent

pytestmark = pytest.mark.slow

KEY = SeatKey(bytes(range(32)))
CANARY = Canary.hatch(Random(5))


def fill(store: Store) -> None:
    store.write(create_game(GameRow("g2", "table 2", 2000, "paused", "Ładny wieczór 😀")))
    box = seal(KEY, Place("g1", "A", 2), {"abyss": CANARY.text})
    sealed = NewEvent("chosen", box, 1001, private_to("A"))
    store.append("g1", [NewEvent("step", {"n": 1, "f": 0.1, "t": "\x00\ud800"}, 1000), sealed], 0)
    store.append("g2", [NewEvent("step", {"n": n}, n) for n in range(12)], 0)
    store.write(save_seat(SeatRow("g1", "A", "Ania", "pl", "threats")))
    store.write(offer("g1", "A", "a code", expires=9000))
    store.write(pair("a code", "a token", now=1000))
    store.write(set_setting("language", "it"))


def test_everything_goes_there_and_back(store: Store, tmp_path: Path) -> None:
    fill(store)
    lines = store.read(export_lines())
    with Store.open(tmp_path / "second.db") as second:
        assert second.write(import_lines(lines)) == len(lines) - 2
        assert second.read(export_lines()) == lines
        assert second.events("g1") == store.events("g1")
        assert second.events("g2") == store.events("g2")
        assert second.read(games()) == store.read(games())
        assert second.read(seats("g1")) == store.read(seats("g1"))
        assert second.read(holds("a token")) == store.read(holds("a token"))
        assert second.read(setting("language")) == "it"
        assert unseal(KEY, Place("g1", "A", 2), second.events("g1")[1].payload) == {"abyss": CANARY.text}


def test_from_a_file_to_postgresql(tmp_path: Path, postgres_url: str) -> None:
    with Store.open(tmp_path / "first.db") as first, Store.open(postgres_url) as second:
        first.write(create_game(GameRow("g1", "table 1", 1000)))
        fill(first)
        lines = first.read(export_lines())
        second.write(import_lines(lines))
        assert second.read(export_lines()) == lines
        second.append("g2", [NewEvent("step", {}, 1)], 12)


def test_secrets_codes_and_tokens_are_not_in_the_file(store: Store) -> None:
    fill(store)
    text = "\n".join(store.read(export_lines()))
    assert_silent({"export": text}, [CANARY])
    for secret in ("a code", "a token", bytes(range(32)).hex()):
        assert secret not in text


def _without(number: int) -> Callable[[list[str]], object]:
    return lambda lines: lines.pop(number)


def _changed(kind: str, /, **changes: object) -> Callable[[list[str]], object]:
    def change(lines: list[str]) -> None:
        number = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == kind)
        lines[number] = json.dumps({**json.loads(lines[number]), **changes})

    return change


SPOILED: dict[str, tuple[Callable[[list[str]], object], str]] = {
    "empty": (lambda lines: lines.clear(), "line 1: this is not a santorini-games file"),
    "no header": (_without(0), "this is not a santorini-games file"),
    "later version": (_changed("header", version=2), "this is not a santorini-games file of version 1"),
    "cut off": (_without(-1), "the end is missing"),
    "cut in a line": (lambda lines: lines.__setitem__(3, lines[3][:20]), "line 4: this is not JSON"),
    "a list": (lambda lines: lines.__setitem__(3, "[]"), "line 4: this is not an object"),
    "a row is missing": (_without(1), "rows were exported"),
    "an event is missing": (
        lambda lines: lines.pop(_first(lines, "event")),
        "event 1 of game 'g1' is missing",
    ),
    "unknown kind": (_changed("seat", kind="chair"), "'chair' is not known"),
    "unknown field": (_changed("seat", colour="red"), "the fields of a seat are game, seat, name"),
    "wrong type": (_changed("game", created="yesterday"), "'created' of this game has the wrong type"),
    "a boolean for a number": (_changed("event", at=True), "'at' of this event has the wrong type"),
    "null": (_changed("game", title=None), "'title' of this game has the wrong type"),
    "no such game": (_changed("seat", game="gx"), "this seat is there already or does not fit"),
}


def _first(lines: list[str], kind: str) -> int:
    return next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == kind)


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_file_imports_nothing(how: str, tmp_path: Path) -> None:
    change, message = SPOILED[how]
    with Store.open(tmp_path / "first.db") as first, Store.open(tmp_path / "second.db") as second:
        first.write(create_game(GameRow("g1", "table 1", 1000)))
        fill(first)
        lines = list(first.read(export_lines()))
        change(lines)
        with pytest.raises(BadExport) as caught:
            second.write(import_lines(lines))
        assert message in str(caught.value)
        assert len(second.read(export_lines())) == 2


def test_games_that_are_there_are_not_overwritten(store: Store) -> None:
    fill(store)
    lines = store.read(export_lines())
    with pytest.raises(BadExport, match="there already"):
        store.write(import_lines(lines))
    assert store.read(export_lines()) == lines
