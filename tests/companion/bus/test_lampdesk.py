"""A lamp on another machine: it shows a table over MQTT and its buttons press."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from companion.bus.address import BadAddress, BrokerAddress
from companion.bus.lampdesk import MqttDesk
from companion.lights.picture import Look, shown
from firmware_bridge.lamp import ButtonPress, FakeLamp
from tests.companion.bus.conftest import PLAIN, House
from tests.companion.table.playing import play_some

pytestmark = pytest.mark.broker


def soon(done: Callable[[], bool], within: float = 30) -> None:
    deadline = time.monotonic() + within
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def desk(house: House, said: list[str]) -> Iterator[MqttDesk]:
    made = MqttDesk(house.broker.address("lights"), "cells", said.append)
    yield made
    made.close()


def test_it_shows_the_table_and_presses(house: House, desk: MqttDesk, said: list[str]) -> None:
    lamp = FakeLamp()
    desk.pressed(ButtonPress(0, True))
    desk.attach(lamp)
    soon(lambda: bool(lamp.pictures))
    play_some(house.table, seed=1, steps=5)
    wanted = shown(house.table.public(), "cells", Look()).picture
    soon(lambda: lamp.pictures[-1] == wanted)
    with house.probe("control") as probe:
        probe.subscribe("santorini/#").heard("/health")
        desk.pressed(ButtonPress(2, True))
        desk.pressed(ButtonPress(2, False))
        probe.heard("/reply/button")
        probe.silent("/reply/button")
        assert len(probe.on("/reply/button")) == 1, "letting go and presses without a broker are not sent"
    assert any("connected" in line for line in said)


def test_it_comes_back_after_the_broker_did_and_goes_dark_without_the_companion(
    house: House, desk: MqttDesk
) -> None:
    lamp = FakeLamp()
    desk.attach(lamp)
    soon(lambda: bool(lamp.pictures))
    pid = house.broker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    play_some(house.table, seed=1, steps=5)
    wanted = shown(house.table.public(), "cells", Look()).picture
    soon(lambda: lamp.pictures[-1] == wanted)
    second = house.tables.create(PLAIN, "second")
    soon(lambda: desk._followed == "second")
    house.tables.close(second.id)
    soon(lambda: set(lamp.pictures[-1].colours) == {(0, 0, 0)})


def test_a_named_table_is_the_only_one_that_is_followed(house: House) -> None:
    where = replace(house.broker.address("lights"), path=house.table.id)
    desk, lamp = MqttDesk(where, "ring", lambda line: None), FakeLamp()
    desk.attach(lamp)
    try:
        soon(lambda: bool(lamp.pictures))
        assert len(lamp.pictures[-1].colours) == 20
        house.tables.create(PLAIN, "second")
        house.table.camera("ok")
        time.sleep(0.2)
        assert desk._followed == house.table.id
    finally:
        desk.close()


@pytest.mark.parametrize("text", ["", "mqtt://", "http://h", "mqtt://h:0", "mqtt://h:port", "mqtt://[", "h"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        BrokerAddress.parse(text)


def test_a_password_may_come_from_the_environment() -> None:
    aside = {"SANTORINI_MQTT_PASSWORD": "aside"}
    assert BrokerAddress.parse("mqtt://me@host", aside).password == "aside"
    assert BrokerAddress.parse("mqtt://me:own@host", aside).password == "own"
    assert BrokerAddress.parse("mqtt://me@host", {}).password is None


def test_an_address_keeps_its_password_to_itself() -> None:
    found = BrokerAddress.parse("mqtts://me:p%40ss%3A@host/t1")
    assert (found.user, found.password, found.port, found.secure, found.path) == (
        "me",
        "p@ss:",
        8883,
        True,
        "t1",
    )
    assert "p@ss" not in f"{found} {found!r}"
