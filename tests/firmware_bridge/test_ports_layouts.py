"""Ports by their lasting names, and LED maps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import layouts, ports
from firmware_bridge.frames import Picture
from firmware_bridge.layouts import LAYOUTS, LayoutError, ring_of
from firmware_bridge.ports import NoChoice, Port

NANO = "usb-1a86_USB_Serial-if00-port0"
UNO = "usb-Arduino__www.arduino.cc__0043_754-if00"


@pytest.fixture
def by_id(tmp_path: Path) -> Path:
    folder = tmp_path / "by-id"
    folder.mkdir()
    for number, name in enumerate((NANO, UNO)):
        device = tmp_path / f"ttyUSB{number}"
        device.write_text("")
        (folder / name).symlink_to(device)
    return folder


def test_lists_what_is_plugged_in(by_id: Path) -> None:
    found = ports.find(by_id)
    assert [port.about for port in found] == ["1a86 USB Serial", "Arduino  www.arduino.cc  0043 754"]
    assert found[0].device.endswith("ttyUSB0")
    (by_id / UNO).unlink()
    (by_id / UNO).symlink_to(by_id / "gone")
    assert len(ports.find(by_id)) == 1, "a link to nothing is no port"


def test_takes_the_only_port_but_never_guesses_among_several(by_id: Path) -> None:
    with pytest.raises(NoChoice, match=f"say which with --port.*{NANO}, {UNO}"):
        ports.choose(None, by_id)
    (by_id / UNO).unlink()
    assert ports.choose(None, by_id).path == str(by_id / NANO)
    (by_id / NANO).unlink()
    with pytest.raises(NoChoice, match="no serial port is plugged in"):
        ports.choose(None, by_id)


def test_takes_a_port_by_part_of_its_name_or_by_path(by_id: Path) -> None:
    assert ports.choose("Arduino", by_id).path == str(by_id / UNO)
    assert ports.choose(str(by_id / NANO), by_id).about == "1a86 USB Serial"
    assert ports.choose("/dev/ttyS9", by_id) == Port("/dev/ttyS9", "/dev/ttyS9")
    with pytest.raises(NoChoice, match="matches 'usb'"):
        ports.choose("usb", by_id)


def test_no_folder_means_no_ports(tmp_path: Path) -> None:
    assert ports.find(tmp_path / "none") == ()
    assert isinstance(ports.find(), tuple)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
def test_every_led_has_one_place_of_its_own(layout: layouts.Layout) -> None:
    places = [place for places in layout.strip for place in places]
    assert sorted(places) == list(range(layout.length))


def test_snake_turns_at_the_end_of_a_row() -> None:
    colours = tuple((n, 0, 0) for n in range(25))
    strip = [colour[0] for colour in LAYOUTS["under-25-snake"].place(Picture(colours)).colours]
    assert strip[:10] == [0, 1, 2, 3, 4, 9, 8, 7, 6, 5]
    assert strip[20:] == [20, 21, 22, 23, 24]


def test_ring_points_at_a_square_from_four_sides() -> None:
    assert ring_of(0, 0) == (0, 5, 14, 19)
    assert ring_of(4, 0) == (4, 5, 10, 19)
    assert ring_of(2, 3) == (2, 8, 12, 16)
    for led in range(20):
        assert sum(led in ring_of(column, row) for column in range(5) for row in range(5)) == 5


def test_wrong_number_of_colours_is_refused() -> None:
    with pytest.raises(LayoutError, match="ring-20 has 20 LEDs, the picture 25"):
        LAYOUTS["ring-20"].place(Picture(((0, 0, 0),) * 25))


def own(**changes: Any) -> str:
    base: dict[str, Any] = {
        "format": layouts.FORMAT,
        "name": "mine",
        "length": 6,
        "strip": [[0], [2, 3], [5]],
    }
    return json.dumps({key: value for key, value in {**base, **changes}.items() if value is not None})


def test_own_map_places_colours_and_leaves_the_rest_dark(tmp_path: Path) -> None:
    (tmp_path / "map.json").write_text(own())
    layout = layouts.read(tmp_path / "map.json")
    red, green, blue, dark = (9, 0, 0), (0, 9, 0), (0, 0, 9), (0, 0, 0)
    assert layout.place(Picture((red, green, blue), 7)) == Picture((red, dark, green, green, dark, blue), 7)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("[]", "not an LED map"),
        (own(format="x"), "not an LED map"),
        (own(extra=1), "unknown entries: extra"),
        (own(name=None), '"name"'),
        (own(length="6"), '"length"'),
        (own(length=True), '"length"'),
        (own(strip=None), '"strip" must list'),
        (own(strip=[[0], 1]), "entry 1 must list places from 0 to 5"),
        (own(strip=[[0], [6]]), "entry 1 must list places"),
        (own(strip=[[0], [0]]), "entry 1 names a place twice"),
        (own(strip=[[1, 1]]), "entry 0 names a place twice"),
    ],
)
def test_bad_map_says_where(text: str, why: str) -> None:
    with pytest.raises(LayoutError, match=why):
        layouts.load(text)


def test_unreadable_map(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="cannot read"):
        layouts.read(tmp_path / "none.json")
    (tmp_path / "latin").write_bytes(b"\xff\xfe")
    with pytest.raises(LayoutError, match="cannot read"):
        layouts.read(tmp_path / "latin")
