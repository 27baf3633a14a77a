"""What the LEDs show for what is known in public."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_type_hints

import pytest

from companion.lights.palette import PALETTES, SAFE, TOGETHER, Palette
from companion.lights.picture import Look, index, picture_of, shape_of, shown
from companion.lights.simulated import lights_seen
from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import Actor, EndTurn, TakeStep
from companion.table.live import Table
from companion.table.seatview import ContentSeen, Difference, Notice, PublicView, PutBack, Result, Say
from companion.table.tables import Tables
from firmware_bridge.frames import Colour
from firmware_bridge.layouts import LAYOUTS, RING, UNDER, LayoutError, load
from tests.companion.table.playing import play_some

PLAIN = {
    "players": [
        {"seat": "A", "power": None, "colour": "blue"},
        {"seat": "B", "power": None, "colour": "pink"},
    ]
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "santorini.db") as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    table = Tables(store, beat=Beat(period=1e-6)).create(PLAIN)
    for seat, steps in (("A", ("A1@b2", "A2@d4")), ("B", ("B1@b4", "B2@d2"))):
        for step in steps:
            take(table, seat, step)
    return table


def take(table: Table, seat: str, step: str) -> None:
    seq = table.view(seat).seq
    command = EndTurn(do="end", seq=seq) if step == "end" else TakeStep(do="step", step=step, seq=seq)
    reply = table.submit(Actor(seat, "seat"), command)
    assert reply.ok, (step, reply)


def said(view: PublicView) -> dict[str, str]:
    """What each lit space says."""
    names = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]
    meanings = shown(view, "cells", Look()).meanings
    return {name: meaning for name, meaning in zip(names, meanings, strict=True) if meaning}


def test_where_the_seat_to_move_may_go(table: Table) -> None:
    lit = said(table.public())
    prompt = table.public().prompt
    assert prompt is not None
    goes = {step.cells[-1] for step in prompt.steps if step.kind == "move"}
    assert {cell for cell, meaning in lit.items() if meaning == "go"} == goes
    assert {cell for cell, meaning in lit.items() if meaning == "mover"} == {"b2", "d4"}


def test_where_it_may_build_and_where_it_came_from(table: Table) -> None:
    take(table, "A", "A1:b2>b3")
    lit = said(table.public())
    assert lit["b2"] == "build"
    assert lit["c3"] == "build"
    assert lit["b3"] == "mover"
    take(table, "A", "A1+c3")
    take(table, "A", "end")
    lit = said(table.public())
    assert lit["b3"] == "last"
    assert lit["b4"] == lit["d2"] == "mover"


def test_a_seat_that_wants_no_hints_gets_none(table: Table) -> None:
    view = table.public()
    quiet = tuple(replace(player, hint_level="next") for player in view.players)
    assert set(said(replace(view, players=quiet)).values()) == {"mover", "last"} - (
        set() if view.history and view.history[-1].turn else {"last"}
    )


def test_illegal_shows_nothing_but_what_goes_where(table: Table) -> None:
    back = (
        PutBack("worker", "worker", "e5", "b2", "put.worker_back", {}),
        PutBack("block", "block", "c3", None, "put.block_off", {}),
    )
    view = replace(table.public(), notice=Notice("illegal", "reason.too_high", {}, back))
    assert said(view) == {"e5": "take", "b2": "put", "c3": "take"}
    ring = shown(view, "ring", Look())
    assert {"take", "put"} <= set(ring.meanings)


def test_camera_and_table_differ(table: Table) -> None:
    difference = Difference("c3", ContentSeen(1, ""), ContentSeen(2, ""))
    assert said(replace(table.public(), sync=(difference,))) == {"c3": "differ"}


def test_the_winner_shines(table: Table) -> None:
    view = replace(table.public(), result=Result("B", Say("end.wins", {"player": "B"}), {}))
    lit = said(view)
    assert len(lit) == 25
    assert {cell for cell, meaning in lit.items() if meaning == "win"} == {"b4", "d2"}
    assert said(replace(view, result=Result(None, Say("end.draw"), {}))) == {}


def test_a_paused_game_is_dim(table: Table) -> None:
    view = table.public()
    bright, dim = (picture_of(v, UNDER) for v in (view, replace(view, paused=True)))
    assert dim.brightness * 4 == bright.brightness
    assert dim.colours == bright.colours


def test_the_ring_points_at_a_space_from_four_sides(table: Table) -> None:
    difference = Difference("d2", ContentSeen(1, ""), ContentSeen(2, ""))
    meanings = shown(replace(table.public(), sync=(difference,)), "ring", Look()).meanings
    assert [led for led, meaning in enumerate(meanings) if meaning == "differ"] == [3, 6, 11, 18]
    turn = picture_of(table.public(), RING).colours
    assert all(any(colour) for colour in turn), "the rest glows in the colour to move"


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_shows_whole_games(table: Table, name: str) -> None:
    layout = LAYOUTS[name]
    for seed in range(4):
        play_some(table, seed, 5)
        picture = picture_of(table.public(), layout)
        assert len(layout.place(picture).colours) == layout.length


def test_a_map_of_ones_own_shows_25_or_20() -> None:
    ends = ", ".join(f"[{2 * n}, {2 * n + 1}]" for n in range(25))
    layout = load(f'{{"format": "santorini-leds-1", "name": "twice", "length": 50, "strip": [{ends}]}}')
    assert shape_of(layout) == "cells"
    with pytest.raises(LayoutError, match="25 or 20"):
        shape_of(load('{"format": "santorini-leds-1", "name": "few", "length": 1, "strip": [[0]]}'))


def test_only_the_public_view_is_taken(table: Table) -> None:
    assert get_type_hints(shown)["view"] is PublicView
    assert get_type_hints(picture_of)["view"] is PublicView
    assert get_type_hints(lights_seen)["view"] is PublicView
    for view in (table.view("A"), table.session, None):
        with pytest.raises(TypeError):
            shown(view, "cells", Look())  # type: ignore[arg-type]


def test_the_page_gets_places_and_colours(table: Table) -> None:
    seen = lights_seen(table.public(), "cells")
    assert len(seen["leds"]) == 25
    assert seen["leds"][index("b2")]["meaning"] == "mover"
    assert (seen["leds"][index("e1")]["x"], seen["leds"][index("e1")]["y"]) == (0.9, 0.1)
    ring = lights_seen(table.public(), "ring")
    places = [(led["x"], led["y"]) for led in ring["leds"]]
    assert len(set(places)) == 20
    assert places[0] == (0.1, 0.0)
    assert places[5] == (1.0, 0.1)
    assert places[10] == (0.9, 1.0)
    assert places[15] == (0.0, 0.9)


# ---- colours -------------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes 2009, full severity: how linear light is seen without one kind of cone.
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
APART = 20.0


def seen_as(colour: Colour, kind: str) -> tuple[float, float, float]:
    """A colour in CIE L*a*b* as somebody sees it; LEDs are linear in their numbers."""
    light = [part / 255 for part in colour]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in BLINDNESS[kind]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089

    def curve(t: float) -> float:
        return float(t ** (1 / 3)) if t > 0.008856 else 7.787 * t + 16 / 116

    return 116 * curve(y) - 16, 500 * (curve(x) - curve(y)), 200 * (curve(y) - curve(z))


def distance(palette: Palette, one: str, other: str, kind: str) -> float:
    first, second = (seen_as(palette.meanings[name], kind) for name in (one, other))  # type: ignore[index]
    return float(sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5)


@pytest.mark.parametrize("kind", BLINDNESS)
def test_colours_that_are_lit_together_are_told_apart_by_everybody(kind: str) -> None:
    for one, other in TOGETHER:
        assert distance(SAFE, one, other, kind) > APART, (one, other, distance(SAFE, one, other, kind))


def test_the_measure_of_colours_can_fail() -> None:
    red_green = Palette("bad", {**SAFE.meanings, "go": (0, 120, 0), "build": (190, 60, 0)}, {})
    assert min(distance(red_green, "go", "build", kind) for kind in BLINDNESS) < APART


def test_every_palette_has_every_meaning_and_every_colour_of_workers() -> None:
    for palette, other in itertools.product(PALETTES.values(), repeat=2):
        assert set(palette.meanings) == set(other.meanings)
    assert {"blue", "grey", "white", "tan", "purple", "pink"} <= set(SAFE.workers)
