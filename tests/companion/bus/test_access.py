"""Who gets what from the private broker, judged by what is delivered: its return codes say nothing."""

from __future__ import annotations

import contextlib
import stat
import time

import pytest

from companion.bus.address import BrokerAddress
from tests.companion.bus.conftest import House
from tests.companion.bus.probes import A_WHILE, Probe

pytestmark = pytest.mark.broker
PUBLIC = {"availability", "state", "led/cells", "led/ring", "health"}
ENDS = {
    "screen": PUBLIC,
    "control": PUBLIC,
    "homeassistant": PUBLIC,
    "lights": {"availability", "led/cells", "led/ring"},
}


def ends(house: House, probe: Probe) -> set[str]:
    return {topic.removeprefix(house.topic("")) for topic in probe.topics()}


@pytest.mark.parametrize("name", ENDS)
def test_everybody_gets_what_their_role_reads_and_nothing_else(house: House, name: str) -> None:
    with house.witness() as witness, house.probe(name) as probe:
        witness.subscribe("santorini/#").heard("/state")
        probe.subscribe("#", "santorini/v1/+/+", "santorini/v1/+/seat/#", "$SYS/#")
        probe.wait(lambda: ends(house, probe) >= ENDS[name])
        time.sleep(A_WHILE)
        assert ends(house, probe) == ENDS[name]


def test_nobody_is_let_in_without_or_with_a_wrong_password(house: House) -> None:
    here = house.broker.address("screen")
    for who in (
        BrokerAddress(here.host, here.port),
        BrokerAddress(here.host, here.port, "screen", "guess"),
        BrokerAddress(here.host, here.port, "companion", "guess"),
        BrokerAddress("127.0.0.1", house.broker.hub.port, "screen", here.password),
    ):
        with Probe(who) as probe:
            assert probe.code not in (0, None)
    own = house.broker.hub
    with Probe(BrokerAddress(here.host, here.port, own.user, own.password)) as probe:
        assert probe.code != 0, "the companion's own user must not be known where others connect"


@pytest.mark.parametrize("forger", ["screen", "lights", "homeassistant", "control"])
def test_a_forged_message_reaches_nobody(house: House, forger: str) -> None:
    ends = (
        "state",
        "event",
        "led/cells",
        "availability",
        "health",
        "reply/end",
        "seat/A/state",
        "seat/A/open",
    )
    with house.witness() as witness, house.probe(forger) as probe:
        witness.subscribe("santorini/#", "homeassistant/#").heard("/health")
        for rest in ends:
            probe.publish(house.topic(rest), b"forged", retain=True)
        probe.publish(f"homeassistant/device/santorini_{house.table.id}/config", b"forged", retain=True)
        probe.publish("santorini/v1/other/new/topic", b"forged")
        # The broker takes them in order: when the last, allowed one is there, the others would be as well.
        allowed = "last" if forger != "screen" else None
        probe.publish(house.topic("button"), b"last")
        if allowed:
            witness.heard("/button")
        else:
            time.sleep(0.3)
        assert not [got for got in witness.got if got.payload == b"forged"]


@pytest.mark.parametrize("name", ["screen", "lights", "homeassistant"])
def test_who_may_not_command_moves_nothing(house: House, name: str) -> None:
    before = house.table.public()
    with house.witness() as witness, house.probe(name) as probe:
        witness.subscribe("santorini/#").heard("/health")
        probe.publish(house.topic("cmd/step"), house.command("x", step="A1@a1"))
        witness.silent("/reply/step")
    assert house.table.public() == before


def test_a_last_will_on_a_foreign_topic_is_never_carried_out(house: House) -> None:
    with house.probe("control") as witness:
        witness.subscribe("santorini/#").heard("/availability")
        with house.probe("screen", will=(house.topic("availability"), b"offline")) as probe:
            probe.drop()
        witness.silent("/availability", 0.6)
        assert [got.payload for got in witness.on("/availability")] == [b"online"]


def test_a_foreign_client_id_takes_nothing_over(house: House) -> None:
    with house.probe("control", client_id="mine", clean=False) as victim:
        victim.subscribe("santorini/#").heard("/health")
        ids = ("control", f"santorini-{house.table.id}-{house.bus.session}")
        for client_id in ids:
            with house.probe("screen", client_id=client_id, clean=False) as thief:
                time.sleep(0.2)
                assert not thief.got, "a session of somebody else's was handed over"
        house.table.camera("ok")
        victim.heard("/state", lambda got: got.json["camera"] == "ok")
        assert victim.disconnects == 0
        assert house.bus.links[house.table.id].connects == 1


def test_a_seat_hears_its_own_line_only(house: House) -> None:
    tickets = {seat: house.bus.seat_ticket(house.table.id, seat) for seat in "AB"}
    assert all(tickets.values())
    with contextlib.closing(house.seat("A")) as a, contextlib.closing(house.seat("B")) as b:
        for probe in (a, b):
            probe.subscribe("#", "santorini/v1/+/seat/+/state")
        opening = {"schema": 1, "transaction": "o1", "opening": "00" * 16}
        b.publish(house.topic("seat/A/open"), opening)
        time.sleep(0.2)
        assert not b.on("/reply/open"), "B must not open A's line"
        a.publish(house.topic("seat/A/open"), opening)
        a.heard("seat/A/state")
        b.silent("seat/A/state")
        assert not b.on("seat/A/state")


def test_files_with_passwords_are_their_owners_alone(house: House) -> None:
    folder = house.folder / "mqtt"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        if path.suffix in (".json", ".passwords", ".access", ".conf"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert house.broker.address("screen").password not in (folder / "users.passwords").read_text()
