"""Home Assistant: introduced when connected and after its birth, pressed once, taken away cleanly."""

from __future__ import annotations

import json

import pytest

from companion.bus.topics import BUTTON
from tests.companion.bus.conftest import PLAIN, House
from tests.companion.bus.test_declaration import ha_faults

pytestmark = pytest.mark.broker


def config(house: House) -> str:
    return f"homeassistant/device/santorini_{house.table.id}/config"


def test_it_is_introduced_again_after_its_birth(house: House) -> None:
    with house.probe("homeassistant") as ha:
        ha.subscribe("homeassistant/#", "santorini/#").heard("/state")
        assert not any(got.retained for got in ha.on("/config")), "nothing is retained"
        told = len(ha.on("/config"))
        states = len(ha.on("/state"))
        ha.publish("homeassistant/status", b"online")
        ha.wait(lambda: len(ha.on("/config")) > told)
        assert ha_faults(ha.heard("/config").json) == []
        ha.wait(lambda: len(ha.on("/state")) > states)
        told = len(ha.on("/config"))
        ha.publish("homeassistant/status", b"offline")
        ha.publish("homeassistant/status", b"\xff")
        ha.silent("/config")
        assert len(ha.on("/config")) == told


def test_many_tables_do_not_answer_a_birth_in_the_same_moment(house: House) -> None:
    for number in range(8):
        house.tables.create(PLAIN, f"many{number}")
    with house.probe("homeassistant") as ha:
        ha.subscribe("homeassistant/#", "santorini/+/+/availability")
        ha.wait(lambda: len(ha.on("/availability")) >= 9)
        ha.publish("homeassistant/status", b"online")
        ha.wait(lambda: len({got.topic for got in ha.on("/config")}) == 9)
        times = sorted(got.at for got in ha.on("/config"))
        assert times[-1] - times[0] > 0.05, "the delay is random up to 0.2 s here, 5 s in earnest"


def test_its_buttons_press_and_a_closed_table_leaves_nothing(house: House) -> None:
    with house.probe("homeassistant") as ha:
        ha.subscribe("homeassistant/#", "santorini/#").heard("/state")
        ha.publish("homeassistant/status", b"online")
        component = ha.heard("/config").json["components"]["undo"]
        assert component["command_topic"] == BUTTON.filter({"table": house.table.id})
        press = {"schema": 1, "transaction": "ha-1", "button": "undo"}
        ha.publish(component["command_topic"], json.dumps(press))
        assert ha.heard("/reply/button").json["transaction"] == "ha-1"
        house.tables.close(house.table.id)
        ha.heard("/config", lambda got: got.payload == b"")
        for ending in ("/state", "/led/cells", "/led/ring"):
            ha.heard(ending, lambda got: got.payload == b"")
    with house.probe("homeassistant") as later:
        later.subscribe("homeassistant/device/#", "santorini/#").silent()
        assert not later.got
