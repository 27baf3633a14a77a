"""The documents cannot drift: bytes, kinds, pins, layouts, options."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import fields
from pathlib import Path

from companion.cli.main import parser_for
from firmware_bridge.frames import BY_KIND, Reason, Status
from firmware_bridge.layouts import LAYOUTS, load
from firmware_bridge.link import Timing
from tests.firmware_bridge.vectors import declared_good

ROOT = Path(__file__).parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text("utf-8")
HARDWARE = (ROOT / "docs" / "hardware.md").read_text("utf-8")
FIRMWARE = ROOT / "firmware_bridge" / "firmware"


def test_every_example_is_a_vector_and_every_kind_has_one() -> None:
    shown = dict(re.findall(r"^    (\S.*?) {2,}((?:[0-9a-f]{2} )+00)$", PROTOCOL, re.MULTILINE))
    vectors = {v["name"]: v for v in declared_good()}
    assert len(shown) >= 10
    for name, wire in shown.items():
        assert bytes.fromhex(wire).hex() == vectors[name]["wire"], name
    assert {vectors[name]["code"] for name in shown} == set(BY_KIND)


def test_every_kind_is_in_the_table() -> None:
    rows = re.findall(r"^\| ([0-9A-F]{2}) (\w+) \|", PROTOCOL, re.MULTILINE)
    assert {int(code, 16): name for code, name in rows} == {k: b.__name__ for k, b in BY_KIND.items()}


def test_reasons_and_counters_are_named() -> None:
    for reason in Reason:
        assert f"{reason.value} {reason.name.lower()}" in PROTOCOL
    counters = re.search(r"nine counters of 2: ([^|]*) \|", PROTOCOL)
    assert counters is not None
    names = [name.strip().replace(" ", "_").lower() for name in counters[1].split(",")]
    assert names == [field.name for field in fields(Status)][1:]


def test_times_are_those_of_the_code() -> None:
    timing = Timing()
    assert f"Hello every {timing.hello_every * 1000:.0f} ms" in PROTOCOL
    assert f"unchanged, after {timing.retry * 1000:.0f} ms" in PROTOCOL
    assert timing.tries == 8
    assert "after eight times" in PROTOCOL
    link = (FIRMWARE / "link.h").read_text("utf-8")
    assert "LINK_SILENCE 5000" in link
    assert "After 5 s without a frame" in PROTOCOL
    assert "LINK_PRESS_AGAIN 100" in link
    assert "every 100 ms until" in PROTOCOL


def test_pins_are_those_of_the_firmware() -> None:
    board = (FIRMWARE / "board.h").read_text("utf-8")
    for pin, port in (("D8", "STRIP_PIN PB0"), ("D9", "BUZZER_PIN PB1"), ("D13", "LIFE_PIN PB5")):
        assert port in board
        assert pin in HARDWARE
    assert "BUTTON_FIRST PD2" in board
    assert "D2, D3, D4, D5" in HARDWARE


def test_wiring_picture_is_a_picture_and_shown() -> None:
    assert "](wiring.svg)" in HARDWARE
    root = ET.parse(ROOT / "docs" / "wiring.svg").getroot()
    words = " ".join(root.itertext())
    for pin in ("5V", "GND", "D8", "D9", "D2", "D3", "D4", "D5", "330"):
        assert pin in words


def test_layouts_and_map_are_those_of_the_code() -> None:
    for name in LAYOUTS:
        assert f"`{name}`" in HARDWARE
    example = re.search(r'^    (\{"format".*\})$', HARDWARE, re.MULTILINE)
    assert example is not None
    assert load(example[1]).length == 50


def test_every_option_in_the_documents_exists() -> None:
    commands = ("bridge", "play")
    known = {word for name in commands for a in parser_for(name)._actions for word in a.option_strings}
    used = set(re.findall(r"--[a-z]+", HARDWARE))
    assert used <= known, used - known
