"""WLED over USB: the JSON API on a serial line, against a controller that is strict about it."""

from __future__ import annotations

import pytest

from companion.lights.attaching import check_wanted, lamp_for
from companion.lights.config import BadLights
from firmware_bridge.fakes.wled import FakeWled, OverloadedWled
from firmware_bridge.fakes.wled_serial import BootingWled, DeafWled, SerialWled
from firmware_bridge.frames import Picture
from firmware_bridge.lamp import QuietDesk
from firmware_bridge.ports import NoChoice
from firmware_bridge.transport import Transport
from firmware_bridge.wled import Wled, WledLamp
from firmware_bridge.wled_serial import NoAnswer, SerialJson
from tests.firmware_bridge.waiting import wait_for

PICTURE = Picture(((255, 128, 0), (0, 0, 1), *((9, 9, 9),) * 23), 77)
DIGITS = ["FF8000", "000001", *["090909"] * 23]


class Plugs:
    """A dialer that gives one line after the other; the last for ever."""

    def __init__(self, *lines: SerialWled | NoChoice) -> None:
        self.lines = list(lines)

    def dial(self) -> Transport:
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        if isinstance(line, NoChoice):
            raise line
        return line


@pytest.fixture
def wled() -> FakeWled:
    fake = FakeWled()
    fake._server.server_close()
    return fake


def test_shows_pictures_and_goes_off_when_closed(wled: FakeWled) -> None:
    desk, line = QuietDesk(), SerialWled(wled)
    lamp = WledLamp(SerialJson(Plugs(line)), desk)
    lamp.start()
    lamp.show(PICTURE)
    wait_for(lambda: wled.leds == DIGITS)
    assert (wled.on, wled.brightness) == (True, 77)
    assert desk.states[0].detail == "Fake WLED, WLED 0.15.0, 25 LEDs"
    lamp.close()
    assert not wled.on
    assert line.closed
    assert wled.refusals == []


def test_a_controller_that_starts_anew_is_asked_again_on_the_same_line(wled: FakeWled) -> None:
    lamp = WledLamp(SerialJson(Plugs(BootingWled(wled)), patience=0.1), QuietDesk())
    lamp.start()
    lamp.show(PICTURE)
    wait_for(lambda: wled.leds == DIGITS)
    lamp.close()


def test_unplugged_and_plugged_in_again(wled: FakeWled) -> None:
    first, second = SerialWled(wled), SerialWled(wled)
    desk = QuietDesk()
    lamp = WledLamp(
        SerialJson(Plugs(first, NoChoice("no serial port is plugged in", ()), second)), desk, 0.05
    )
    lamp.start()
    lamp.show(PICTURE)
    wait_for(lambda: wled.leds == DIGITS)
    first.unplug()
    wled.power_cut()
    wait_for(lambda: wled.leds == DIGITS)
    assert "waiting" in [state.name for state in desk.states]
    assert first.closed
    lamp.close()


def test_who_does_not_answer_is_named(wled: FakeWled) -> None:
    with pytest.raises(NoAnswer, match="does not answer as WLED does"):
        Wled(SerialJson(Plugs(DeafWled(wled)), patience=0.05)).find()
    with pytest.raises(NoAnswer, match="no serial port"):
        Wled(SerialJson(Plugs(NoChoice("no serial port is plugged in", ())))).find()


def test_survives_refusals() -> None:
    wled = OverloadedWled()
    wled._server.server_close()
    lamp = WledLamp(SerialJson(Plugs(SerialWled(wled)), patience=0.1), QuietDesk(), refresh=0.05)
    lamp.start()
    lamp.show(PICTURE)
    wait_for(lambda: wled.leds == DIGITS)
    lamp.close()


def test_the_words_that_lead_to_it() -> None:
    assert isinstance(lamp_for("wled-usb://auto", QuietDesk()), WledLamp)
    check_wanted("wled-usb:///dev/ttyUSB0")
    with pytest.raises(BadLights):
        check_wanted("wled-usb://")
