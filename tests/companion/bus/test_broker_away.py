"""The broker dies, comes back, is deaf or was never there: the game goes on."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.bus import Bus, NotInstalled, mosquitto
from companion.bus.mosquitto import BrokerFailed, Listening, LocalBroker
from companion.table.tables import Tables
from tests.companion.bus.conftest import PLAIN, House, options
from tests.companion.bus.probes import Probe
from tests.companion.table.playing import play_some

pytestmark = pytest.mark.broker
# Two seconds on a quiet machine; whatever waits for a broker waits for ten at least.
AT_ONCE = 8.0


def test_killed_in_mid_game_it_comes_back_with_everything(house: House) -> None:
    with house.probe("screen") as probe:
        probe.subscribe("santorini/#").heard("/state")
        play_some(house.table, seed=1, steps=3)
        pid = house.broker.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        play_some(house.table, seed=2, steps=6)
        seq = house.table.public().seq
        probe.wait(lambda: probe.disconnects > 0)
    deadline = time.monotonic() + 30
    while house.bus.links[house.table.id].connects < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert house.broker.restarts == 1
    with house.probe("screen") as probe:
        probe.subscribe("santorini/#")
        assert probe.heard("/state").json["seq"] == seq
        assert probe.heard("/availability").payload == b"online"
        play_some(house.table, seed=3, steps=1)
        probe.heard("/state", lambda got: got.json["seq"] > seq)


def test_events_of_the_absence_are_told_afterwards(house: House) -> None:
    name = f"santorini-{house.table.id}-{house.bus.session}"
    with house.witness() as witness:
        witness.subscribe("santorini/#").heard("/health")
        with Probe(house.broker.hub, name):
            play_some(house.table, seed=1, steps=12)
        turns = [(turn.n, turn.turn) for turn in house.table.public().history]
        assert len(turns) >= 2
        last = turns[-1][1]
        witness.heard("/event", lambda got: got.json["kind"] == "turn" and got.json["turn"] == last)
        # An event whose arrival was not confirmed is told again, under the same name.
        told = {got.json["id"]: got.json for got in witness.on("/event")}.values()
        assert [event["turn"] for event in told if event["kind"] == "turn"] == [turn for _, turn in turns]


def test_without_any_broker_the_game_goes_on_and_it_stops_at_once(tables: Tables, tmp_path: Path) -> None:
    table = tables.create(PLAIN)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        bus = Bus(tables, f"mqtt://127.0.0.1:{nobody.getsockname()[1]}", tmp_path, options())
        began = time.monotonic()
        bus.start()
        assert time.monotonic() - began < AT_ONCE
        play_some(table, seed=1, steps=10)
        began = time.monotonic()
        bus.stop()
        assert time.monotonic() - began < AT_ONCE


def test_a_deaf_broker_holds_up_nobody(tables: Tables, tmp_path: Path) -> None:
    table = tables.create(PLAIN)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        bus = Bus(tables, f"mqtt://u:p@127.0.0.1:{deaf.getsockname()[1]}", tmp_path, options())
        bus.start()
        began = time.monotonic()
        play_some(table, seed=1, steps=10)
        assert time.monotonic() - began < AT_ONCE
        began = time.monotonic()
        bus.stop()
        assert time.monotonic() - began < AT_ONCE


def test_a_frozen_broker_holds_up_nobody(house: House) -> None:
    with house.probe("screen") as probe:
        probe.subscribe("santorini/#").heard("/state")
    pid = house.broker.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    play_some(house.table, seed=1, steps=5)
    began = time.monotonic()
    house.bus.stop()
    assert time.monotonic() - began < AT_ONCE
    assert house.table.public().seq > 3


COMPANION = """
import sys, time
from pathlib import Path
from companion.bus import Bus
from companion.store import Store
from companion.table.tables import Tables
with Store.open(Path(sys.argv[2]) / "x.db") as store:
    tables = Tables(store)
    tables.create({"players": [{"seat": "A"}, {"seat": "B"}]}, "gone")
    bus = Bus(tables, sys.argv[1], Path(sys.argv[2]))
    bus.start()
    time.sleep(200)
"""


@pytest.mark.slow
def test_a_companion_that_is_killed_is_offline_by_its_last_will(house: House, tmp_path: Path) -> None:
    hub = house.broker.hub
    where = f"mqtt://{hub.user}:{hub.password}@{hub.host}:{hub.port}"
    with house.probe("screen") as probe:
        probe.subscribe("santorini/v1/gone/#")
        with subprocess.Popen([sys.executable, "-c", COMPANION, where, str(tmp_path)]) as other:
            probe.heard("gone/availability", lambda got: got.payload == b"online", 60)
            other.kill()
        probe.heard("gone/availability", lambda got: got.payload == b"offline")


LEAVES_BROKER = """
import sys, time
from pathlib import Path
from companion.bus.mosquitto import Listening, LocalBroker
broker = LocalBroker(Path(sys.argv[1]), Listening(port=0))
broker.start()
print(broker.pid, flush=True)
time.sleep(200)
"""


@pytest.mark.slow
def test_the_private_broker_goes_with_a_companion_that_is_killed(tmp_path: Path) -> None:
    words = [sys.executable, "-c", LEAVES_BROKER, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        pid = int(other.stdout.readline())
        other.kill()
    deadline = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def test_tables_that_open_and_close_come_and_go(house: House) -> None:
    with house.probe("screen") as probe:
        probe.subscribe("santorini/#")
        second = house.tables.create(PLAIN, "second")
        probe.heard("second/state")
        house.tables.close(second.id)
        probe.heard("second/availability", lambda got: got.payload in (b"", b"offline"))
        probe.heard("second/led/ring", lambda got: got.payload == b"")
    with house.probe("screen") as late:
        late.subscribe("santorini/#").heard("/health")
        late.silent()
        assert not [topic for topic in late.topics() if "second" in topic]


def test_a_table_whose_name_is_no_topic_is_played_without(house: House) -> None:
    odd = house.tables.create(PLAIN, "a/+ #")
    second = house.tables.create(PLAIN, "second")
    with house.probe("screen") as probe:
        probe.subscribe("santorini/#").heard("second/state")
    assert odd.id not in house.bus.links
    assert second.id in house.bus.links


def test_a_taken_port_and_a_missing_program_are_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        broker = LocalBroker(tmp_path, Listening(port=taken.getsockname()[1]))
        with pytest.raises(BrokerFailed, match="cannot be used for MQTT"):
            broker.start()
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("companion.bus.mosquitto.PATHS", ())
    with pytest.raises(NotInstalled, match="apt install mosquitto"):
        LocalBroker(tmp_path, Listening(port=0)).start()


def test_a_port_that_is_taken_at_the_last_moment_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        honest, first = mosquitto.free_port, [taken.getsockname()[1]]
        monkeypatch.setattr(mosquitto, "free_port", lambda: first.pop() if first else honest())
        broker = LocalBroker(tmp_path, Listening(port=honest()))
        broker.start()
        assert broker.hub.port != taken.getsockname()[1]
        broker.stop()
        assert not (tmp_path / "mqtt" / "mosquitto.pid").exists()


def test_websockets_are_there_when_asked_for(tables: Tables, tmp_path: Path) -> None:
    import paho.mqtt.client as mqtt
    from paho.mqtt.enums import CallbackAPIVersion

    from companion.bus.mosquitto import free_port

    tables.create(PLAIN)
    bus = Bus(tables, "local", tmp_path, options(listening=Listening(port=0, websockets=free_port())))
    bus.start()
    try:
        assert bus.broker is not None
        who, port = bus.broker.address("screen"), bus.broker.listening.websockets
        assert port is not None
        got: list[str] = []
        # The foreign client id is to be ignored here as well.
        client = mqtt.Client(CallbackAPIVersion.VERSION2, "control", transport="websockets")
        client.username_pw_set(who.user, who.password)
        client.on_connect = lambda c, *_: c.subscribe("santorini/#")
        client.on_message = lambda _c, _d, message: got.append(message.topic)
        with Probe(bus.broker.address("control")) as control:
            client.connect("127.0.0.1", port)
            client.loop_start()
            time.sleep(0.3)
            assert control.disconnects == 0
        deadline = time.monotonic() + 30
        while not any(topic.endswith("/state") for topic in got) and time.monotonic() < deadline:
            time.sleep(0.02)
        client.disconnect()
        client.loop_stop()
        assert any(topic.endswith("/state") for topic in got)
    finally:
        bus.stop()
