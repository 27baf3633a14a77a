"""The WLED adapter against a controller that is strict about its documentation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge.fakes.wled import FakeWled, OverloadedWled, Refused, RouterInstead
from firmware_bridge.frames import Picture
from firmware_bridge.lamp import QuietDesk
from firmware_bridge.wled import PlainHttp, Wled, WledError, WledLamp, calls
from tests.firmware_bridge.waiting import wait_for

PICTURE = Picture(((255, 128, 0), (0, 0, 1), *((9, 9, 9),) * 23), 77)
DIGITS = ["FF8000", "000001", *["090909"] * 23]


@pytest.fixture
def wled() -> Iterator[FakeWled]:
    with FakeWled() as fake:
        yield fake


def test_shows_pictures_and_goes_off_when_closed(wled: FakeWled) -> None:
    desk = QuietDesk()
    lamp = WledLamp(PlainHttp(wled.url), desk)
    lamp.start()
    lamp.show(PICTURE)
    wait_for(lambda: wled.leds == DIGITS)
    assert (wled.on, wled.brightness) == (True, 77)
    assert desk.states[0].detail == "Fake WLED, WLED 0.15.0, 25 LEDs"
    lamp.close()
    assert not wled.on
    assert wled.refusals == []
    assert desk.states[-1].name == "closed"


def test_zero_brightness_is_dark_without_switching_off(wled: FakeWled) -> None:
    api = Wled(PlainHttp(wled.url))
    api.show(Picture(PICTURE.colours, 0))
    assert wled.leds == ["000000"] * 25
    assert wled.on
    api.close()


def test_picture_comes_back_after_a_power_cut(wled: FakeWled) -> None:
    lamp = WledLamp(PlainHttp(wled.url), QuietDesk(), refresh=0.1)
    lamp.start()
    lamp.show(PICTURE)
    wait_for(lambda: wled.leds == DIGITS)
    wled.power_cut()
    wait_for(lambda: wled.leds == DIGITS)
    lamp.close()
    assert wled.refusals == []


def test_long_strips_are_sent_in_parts() -> None:
    with FakeWled(600) as wled:
        api = Wled(PlainHttp(wled.url))
        colours = tuple((n % 256, n // 256, 7) for n in range(600))
        api.show(Picture(colours, 255))
        assert wled.leds == [bytes(colour).hex().upper() for colour in colours]
        assert [len(call["seg"]["i"]) - 1 for call in wled.calls if "seg" in call] == [256, 256, 88]
        api.close()


def test_wrong_device_says_what_it_found() -> None:
    with RouterInstead() as router:
        desk = QuietDesk()
        lamp = WledLamp(PlainHttp(router.url), desk)
        lamp.start()
        wait_for(lambda: bool(desk.states))
        lamp.close()
    assert desk.states[0].name == "waiting"
    assert "no WLED" in desk.states[0].detail
    assert "Router login" in desk.states[0].detail


def test_nobody_at_the_address_then_somebody() -> None:
    with FakeWled() as wled:
        pass
    desk = QuietDesk()
    lamp = WledLamp(PlainHttp(wled.url), desk)
    lamp.start()
    wait_for(lambda: bool(desk.states))
    assert desk.states[0].name == "waiting"
    lamp.close()


def test_survives_refusals() -> None:
    with OverloadedWled() as wled:
        desk = QuietDesk()
        lamp = WledLamp(PlainHttp(wled.url), desk, refresh=0.05)
        lamp.start()
        lamp.show(PICTURE)
        wait_for(lambda: "waiting" in [state.name for state in desk.states])
        wait_for(lambda: wled.leds == DIGITS)
        lamp.close()
    assert "refused" in next(state.detail for state in desk.states if state.name == "waiting")


def test_too_large_a_picture_is_named() -> None:
    with FakeWled(20) as wled:
        desk = QuietDesk()
        lamp = WledLamp(PlainHttp(wled.url), desk)
        lamp.show(PICTURE)
        lamp.start()
        wait_for(lambda: any("20 LEDs, the picture 25" in state.detail for state in desk.states))
        lamp.close()


@pytest.mark.parametrize("url", ["https://x", "ftp://x", "http://", ""])
def test_address_that_is_none(url: str) -> None:
    with pytest.raises(WledError, match="no address"):
        PlainHttp(url)


@pytest.mark.parametrize(
    "state",
    [
        {"on": True, "seg": {"id": 0, "i": ["FF0000"]}},
        {"seg": {"id": 0, "i": ["ff0000"]}},
        {"seg": {"id": 0, "i": ["FF0000"] * 257}},
        {"brightness": 3},
        {"bri": 256},
        {"on": 1},
        {"seg": {"id": 0, "colour": []}},
        {"seg": {"start": 0, "stop": 26}},
    ],
)
def test_fake_is_strict(state: dict[str, object]) -> None:
    wled = FakeWled()
    wled.take({"on": True})
    with pytest.raises(Refused):
        wled.take(state)
    wled._server.server_close()


def test_fake_does_not_light_what_is_off() -> None:
    wled = FakeWled()
    with pytest.raises(Refused, match="off"):
        wled.take({"seg": {"id": 0, "i": ["FF0000"]}})
    wled._server.server_close()


def test_calls_never_mix_switching_on_with_colours() -> None:
    for call in calls(PICTURE):
        assert not ("on" in call and "seg" in call)
