"""From a move at the table to the LED pin of the real firmware, and from its button back to the table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.lights.attaching import lights_for
from companion.lights.picture import picture_of
from companion.store import Store
from companion.table.beat import Beat
from companion.table.live import Table
from companion.table.tables import Tables
from firmware_bridge import build
from firmware_bridge.emulator import Emulator, Waveform
from firmware_bridge.layouts import UNDER
from tests.companion.lights.test_picture import PLAIN, take

pytestmark = [pytest.mark.firmware, pytest.mark.slow]
DIM = 40  # so dark that the power budget lets the bytes pass as they are


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with Store.open(tmp_path / "santorini.db") as store:
        yield Tables(store, beat=Beat(period=1e-6))


def pins(table: Table) -> bytes:
    """What has to leave the pin: each colour times brightness, as the board scales it."""
    picture = picture_of(table.public(), UNDER, brightness=DIM)
    return b"".join(bytes(part * picture.brightness // 255 for part in colour) for colour in picture.colours)


def like(wanted: bytes) -> Callable[[Waveform], bool]:
    """Whether a picture is that one; the board may round by one."""
    return lambda wave: (
        len(wave.colours) == len(wanted)
        and all(abs(found - part) <= 1 for found, part in zip(wave.colours, wanted, strict=True))
    )


def test_a_move_lights_the_pins_and_a_button_takes_it_back(tables: Tables, tmp_path: Path) -> None:
    table = tables.create(PLAIN)
    for seat, steps in (("A", ("A1@b2", "A2@d4")), ("B", ("B1@b4", "B2@d2"))):
        for step in steps:
            take(table, seat, step)
    (tmp_path / "lights.toml").write_text(f"brightness = {DIM}\n", "utf-8")
    runner, elf = build.runner(tmp_path), build.firmware(tmp_path).with_suffix(".elf")
    with Emulator(runner, elf) as chip:
        lights = lights_for(tables, chip.port, None, tmp_path)
        lights.start()
        try:
            chip.picture(like(pins(table)))
            take(table, "A", "A1:b2>b3")
            chip.picture(like(pins(table)))
            chip.press(1)
            deadline = time.monotonic() + 30
            while table.public().turn:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            chip.picture(like(pins(table)))
        finally:
            lights.stop()
        chip.picture(lambda wave: not any(wave.colours))
