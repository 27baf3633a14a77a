"""The desk of a table: pictures to the lamp, presses to the table with the table's own rights."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.lights.attaching import check_wanted, lamp_for, lights_for
from companion.lights.buttons import Meaning, Panel, matters
from companion.lights.config import BadLights, LightsConfig, layout_named, load_config, parse_config
from companion.lights.desk import NO, YES, TableDesk
from companion.lights.picture import Look, shown
from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import COMMAND, Actor, BringKey, TakeStep, Undo
from companion.table.live import Table
from companion.table.seatview import ContentSeen, Difference
from companion.table.tables import Tables
from firmware_bridge.bridge import Bridge
from firmware_bridge.lamp import ButtonPress, FakeLamp, LinkState, QuietDesk
from firmware_bridge.wled import WledLamp
from tests.companion.lights.test_picture import PLAIN, take

# Two seconds on a quiet machine; a lamp that does not answer would be waited for longer.
AT_ONCE = 8.0
HIDING = {"players": [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": None}]}


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with Store.open(tmp_path / "santorini.db") as store:
        yield Tables(store, beat=Beat(period=1e-6))


def started(tables: Tables) -> Table:
    table = tables.create(PLAIN)
    for seat, steps in (("A", ("A1@b2", "A2@d4")), ("B", ("B1@b4", "B2@d2"))):
        for step in steps:
            take(table, seat, step)
    return table


def soon(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def desk(tables: Tables) -> Iterator[TableDesk]:
    made = TableDesk(tables, "cells", LightsConfig())
    yield made
    made.close()


def test_it_follows_the_newest_table_and_goes_dark_without_one(tables: Tables, desk: TableDesk) -> None:
    lamp = FakeLamp()
    desk.attach(lamp)
    soon(lambda: bool(lamp.pictures))
    assert set(lamp.pictures[-1].colours) == {(0, 0, 0)}
    table = started(tables)
    soon(lambda: lamp.pictures[-1] == shown(table.public(), "cells", Look()).picture)
    newer = tables.create(PLAIN)
    soon(lambda: lamp.pictures[-1] == shown(newer.public(), "cells", Look()).picture)
    tables.close(newer.id)
    tables.close(table.id)
    soon(lambda: set(lamp.pictures[-1].colours) == {(0, 0, 0)})


def test_a_picture_that_has_not_changed_is_not_sent_again(tables: Tables, desk: TableDesk) -> None:
    table, lamp = started(tables), FakeLamp()
    desk.attach(lamp)
    soon(lambda: bool(lamp.pictures))
    table.camera("ok")
    table.camera("hand")
    time.sleep(0.05)
    assert len(lamp.pictures) == 1


def test_presses_do_what_the_screen_could(tables: Tables, desk: TableDesk) -> None:
    table, lamp = started(tables), FakeLamp()
    desk.attach(lamp)
    take(table, "A", "A1:b2>b3")
    desk.pressed(ButtonPress(0, True))
    soon(lambda: lamp.beeps == [NO])
    take(table, "A", "A1+b2")
    desk.pressed(ButtonPress(0, False))
    desk.pressed(ButtonPress(7, True))
    desk.pressed(ButtonPress(0, True))
    soon(lambda: lamp.beeps == [NO, YES])
    assert table.public().to_move == "B"
    desk.pressed(ButtonPress(1, True))
    soon(lambda: table.public().undo is not None)
    assert table.public().to_move == "B", "the others have to agree"
    desk.pressed(ButtonPress(0, True))
    soon(lambda: table.public().to_move == "A")
    desk.pressed(ButtonPress(2, True))
    soon(lambda: table.public().players[0].hint_level == "next")
    desk.pressed(ButtonPress(2, True))
    soon(lambda: table.public().players[0].hint_level == "legal")


WHOLE = ("A1:b2>b3", "A1+b2")
TWINS: dict[str, tuple[Meaning, tuple[str, ...], dict[str, object]]] = {
    "end the turn": ("confirm", WHOLE, {"do": "end"}),
    "end it too early": ("confirm", WHOLE[:1], {"do": "end"}),
    "undo steps": ("undo", WHOLE, {"do": "undo", "turns": 0}),
    "undo a turn": ("undo", (*WHOLE, "end"), {"do": "undo", "turns": 1}),
    "hint": ("hint", (), {"do": "hint_level", "seat": "A", "level": "next"}),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_button_does_what_the_command_of_a_phone_does(tables: Tables, name: str) -> None:
    meaning, steps, command = TWINS[name]
    pressed, told = started(tables), started(tables)
    for table in (pressed, told):
        for step in steps:
            take(table, "A", step)
    by_button = Panel(pressed).press(meaning)
    by_phone = told.submit(
        Actor(None, "screen"), COMMAND.validate_python({**command, "seq": told.public().seq})
    )
    assert (by_button.ok, by_button.say) == (by_phone.ok, by_phone.say)
    same = {"table": "t", "game": "g"}
    assert replace(pressed.public(), **same) == replace(told.public(), **same)  # type: ignore[arg-type]


def test_next_moves_the_focus_among_what_waits(tables: Tables) -> None:
    table = started(tables)
    take(table, "A", "A1:b2>b3")
    take(table, "A", "A1+b2")
    take(table, "A", "end")
    assert table.submit(Actor("A", "seat"), Undo(do="undo", turns=1, seq=table.public().seq)).ok
    table.surround(sync=(Difference("c3", ContentSeen(0, ""), ContentSeen(1, "")),))
    panel = Panel(table)
    assert matters(table.public()) == ("undo", "sync", "turn")
    assert panel.focus(table.public()) == "undo"
    for focus in ("sync", "turn", "undo"):
        reply = panel.press("next")
        assert reply.ok
        assert reply.say is not None
        assert panel.focus(table.public()) == focus
    assert panel.press("confirm").ok
    assert table.public().to_move == "A", "the undo was agreed to"
    assert matters(table.public()) == ("sync", "turn")


def test_a_press_never_speaks_for_a_seat_that_hides_something(tables: Tables) -> None:
    table = tables.create(HIDING)
    owner = Actor("A", "seat")
    assert table.submit(owner, BringKey(do="key", key="ab" * 32, seq=0)).ok
    for step in ("B1@b4", "B2@d2"):
        take(table, "B", step)
    for step in ("A1@a1", "A2@a2"):
        assert table.submit(owner, TakeStep(do="step", step=step, seq=table.view("A").seq)).ok
    take(table, "A", "A1:a1>b1")
    take(table, "A", "A1+c1")
    before = table.session.game
    panel = Panel(table)
    assert not panel.press("confirm").ok
    assert table.session.game == before


def test_a_fault_at_the_table_does_not_end_the_lights(
    tables: Tables, desk: TableDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, lamp = started(tables), FakeLamp()
    desk.attach(lamp)
    soon(lambda: bool(lamp.pictures))
    honest = Table.public
    monkeypatch.setattr(Table, "public", lambda table: 1 / 0)
    table.camera("ok")
    time.sleep(0.05)
    monkeypatch.setattr(Table, "public", honest)
    take(table, "A", "A1:b2>b3")
    soon(lambda: lamp.pictures[-1] == shown(table.public(), "cells", Look()).picture)


def test_it_remembers_how_the_lamp_is(desk: TableDesk) -> None:
    desk.link_changed(LinkState("waiting", "no serial port is plugged in"))
    assert desk.link.name == "waiting"


# ---- what the owner says -------------------------------------------------------------------------------


def test_without_a_file_everything_is_as_usual(tmp_path: Path) -> None:
    assert load_config(tmp_path) == LightsConfig()


def test_the_file_maps_buttons_and_looks(tmp_path: Path) -> None:
    (tmp_path / "lights.toml").write_text(
        'brightness = 40\npalette = "bright"\nlayout = "ring-20"\n[buttons]\n3 = "confirm"\n', "utf-8"
    )
    config = load_config(tmp_path)
    assert (config.look.brightness, config.look.palette.name, config.layout) == (40, "bright", "ring-20")
    assert config.buttons == {3: "confirm"}


@pytest.mark.parametrize(
    "found",
    [
        {"colour": 1},
        {"palette": "grey"},
        {"brightness": 256},
        {"brightness": True},
        {"layout": 25},
        {"buttons": "confirm"},
        {"buttons": {"0": "launch"}},
        {"buttons": {"x": "undo"}},
        {"buttons": {"16": "undo"}},
    ],
)
def test_what_cannot_be_is_said(found: dict[str, object]) -> None:
    with pytest.raises(BadLights):
        parse_config(found)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "lights.toml").write_text("brightness = ", "utf-8")
    with pytest.raises(BadLights, match=r"lights\.toml"):
        load_config(tmp_path)


def test_a_lamp_that_does_not_answer_is_not_waited_for(tables: Tables, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        lights = lights_for(tables, f"wled://127.0.0.1:{deaf.getsockname()[1]}", None, tmp_path)
        lights.start()
        time.sleep(0.1)
        began = time.monotonic()
        lights.stop()
        assert time.monotonic() - began < AT_ONCE


def test_words_lead_to_lamps_or_to_a_sentence(tables: Tables, tmp_path: Path) -> None:
    assert isinstance(lamp_for("wled://lamp.local", QuietDesk()), WledLamp)
    assert isinstance(lamp_for("auto", QuietDesk()), Bridge)
    assert isinstance(lamp_for("/dev/ttyUSB0", QuietDesk()), Bridge)
    for wrong in ("http://lamp", "wled://", "mqtt://lamp"):
        with pytest.raises(BadLights):
            check_wanted(wrong)
    check_wanted("auto")
    for layout in ("star", str(tmp_path)):
        with pytest.raises(BadLights):
            layout_named(layout)
    lights = lights_for(tables, str(tmp_path / "nothing"), None, tmp_path)
    lights.start()
    began = time.monotonic()
    lights.stop()
    assert time.monotonic() - began < AT_ONCE
