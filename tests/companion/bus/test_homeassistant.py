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
        states = len(ha.on("/state"))
        ha.publish("homeassistant/status", b"online")
        assert ha_faults(ha.heard("/config").json) == []
        ha.wait(lambda: len(ha.on("/state")) > states)
        # Only a birth is followed by a config and the whole state anew.
        states = len(ha.on("/state"))
        ha.publish("homeassistant/status", b"offline")
        ha.publish("homeassistant/status", b"\xff")
        ha.silent("/state")
        assert len(ha.on("/state")) == states


def test_many_tables_do_not_answer_a_birth_in_the_same_moment(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, drawn = house.bus._habits.chance, list[float]()
    honest = chance.uniform
    monkeypatch.setattr(chance, "uniform", lambda *ends: drawn.append(honest(*ends)) or drawn[-1])
    for number in range(8):
        house.tables.create(PLAIN, f"many{number}")
    with house.probe("homeassistant") as ha:
        # Who has told its health is listening already.
        ha.subscribe("homeassistant/#", "santorini/v1/+/health")
        ha.wait(lambda: len({got.topic for got in ha.on("/health")}) >= 9)
        drawn.clear()
        ha.publish("homeassistant/status", b"online")
        ha.wait(lambda: len(drawn) >= 9)
        ha.wait(lambda: len({got.topic for got in ha.on("/config")}) >= 9)
    # Every table waits for a time of its own, drawn when the birth is heard.
    assert len(set(drawn)) == len(drawn)
    assert all(0 <= delay <= house.bus._habits.birth_delay for delay in drawn)
    assert max(drawn) - min(drawn) > house.bus._habits.birth_delay / 4


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
