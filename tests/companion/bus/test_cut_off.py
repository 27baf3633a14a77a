"""A table that is closed while the broker is out of reach: nothing of it stays behind for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.bus import Bus
from companion.bus.mosquitto import Listening, LocalBroker
from companion.table.tables import Tables
from tests.companion.bus.conftest import PLAIN, options
from tests.companion.bus.probes import Probe, until
from tests.companion.web.network import Network, sleepy_network

pytestmark = pytest.mark.broker
RETAINED = ("/state", "/health", "/led/cells", "/led/ring", "/availability")


@dataclass
class CutOff:
    """A companion whose cable to a broker of somebody else's has been cut, and a witness at the broker."""

    tables: Tables
    bus: Bus
    cable: Network
    broker: LocalBroker
    witness: Probe


@pytest.fixture
def cut_off(tables: Tables, tmp_path: Path) -> Iterator[CutOff]:
    tables.create(PLAIN, "t1")
    broker = LocalBroker(tmp_path, Listening(port=0))
    broker.start()
    hub = broker.hub
    with sleepy_network(f"mqtt://{hub.host}:{hub.port}") as cable:
        bus = Bus(tables, f"mqtt://{hub.user}:{hub.password}@127.0.0.1:{cable.port}", tmp_path, options())
        bus.start()
        try:
            with Probe(hub, "witness") as witness:
                witness.subscribe("santorini/#", "homeassistant/#")
                for ending in RETAINED:
                    witness.heard(ending)
                cable.cut()
                witness.heard("/availability", lambda got: got.payload == b"offline")
                yield CutOff(tables, bus, cable, broker, witness)
        finally:
            bus.stop()
            broker.stop()


def test_it_is_taken_away_when_the_broker_is_back(cut_off: CutOff) -> None:
    cut_off.tables.close("t1")
    until(lambda: "t1" not in cut_off.bus.links)
    cut_off.cable.mend()
    for ending in ("/config", *RETAINED):
        cut_off.witness.heard(ending, lambda got: got.payload == b"")
    with Probe(cut_off.broker.hub, "later") as later:
        later.subscribe("santorini/#", "homeassistant/#").silent()
        assert not later.got


def test_a_new_table_of_the_same_name_is_not_taken_away(cut_off: CutOff) -> None:
    cut_off.tables.close("t1")
    until(lambda: "t1" not in cut_off.bus.links)
    table = cut_off.tables.create(PLAIN, "t1")
    until(lambda: "t1" in cut_off.bus.links)
    cut_off.cable.mend()
    cut_off.witness.heard("/state", lambda got: got.payload != b"" and got.json["game"] == table.game)
    with Probe(cut_off.broker.hub, "later") as later:
        later.subscribe("santorini/#")
        for ending in RETAINED:
            assert later.heard(ending).payload != b""
        assert later.heard("/availability").payload == b"online"


def test_a_companion_that_stops_meanwhile_does_not_wait(cut_off: CutOff) -> None:
    cut_off.tables.close("t1")
    until(lambda: "t1" not in cut_off.bus.links)
    cut_off.bus.stop()
    assert cut_off.bus._thread is not None
    cut_off.bus._thread.join(30)
    assert not cut_off.bus._thread.is_alive()
