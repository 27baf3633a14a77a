"""MQTT, lights and buttons from the command line: started with the companion, refused in a sentence."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.main import dispatch
from companion.play.things import BadThings, Things, ThingsWishes, add_things_options, things_of
from companion.store import Store
from companion.table.tables import Tables
from tests.companion.bus.probes import Probe
from tests.companion.lights.test_picture import PLAIN


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with Store.open(tmp_path / "santorini.db") as store:
        yield Tables(store)


def wishes(folder: Path, *words: str) -> ThingsWishes:
    parser = argparse.ArgumentParser()
    add_things_options(parser)
    return things_of(parser.parse_args(words), folder)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--mqtt", "mqtt://"], "--mqtt: "),
        (["--mqtt", "mqtt://broker", "--mqtt-port", "1"], "are for --mqtt local"),
        (["--mqtt-websockets", "9001"], "are for --mqtt local"),
        (["--mqtt", "local", "--mqtt-port", "70000"], "is not a port"),
        (["--mqtt", "local", "--mqtt-language", "xx"], "--mqtt-language: "),
        (["--mqtt-seats"], "wants --mqtt"),
        (["--lights", "http://lamp"], "--lights: "),
        (["--lights", "wled://"], "--lights: "),
        (["--lights", "auto", "--lights-layout", "star"], "--lights: "),
        (["--lights-layout", "ring-20"], "wants --lights"),
    ],
)
def test_a_bad_value_is_one_sentence(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(["play", "--data", str(tmp_path), *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.strip().count("\n") == 0


@pytest.mark.parametrize("words", [["--from", "mqtt://"], ["--from", "mqtts://h:0"], ["--from", "http://h"]])
def test_a_bridge_that_cannot_be_is_one_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(["bridge", *words]) == 2
    assert capsys.readouterr().err.strip().count("\n") == 0


def test_a_map_that_no_table_can_fill_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = tmp_path / "one.json"
    one.write_text('{"format": "santorini-leds-1", "name": "one", "length": 1, "strip": [[0]]}', "utf-8")
    assert dispatch(["bridge", "--from", "mqtt://h", "--map", str(one)]) == 2
    assert "25 or 20" in capsys.readouterr().err


def test_nothing_is_started_unless_asked_for(tables: Tables, tmp_path: Path) -> None:
    things = Things(tables, wishes(tmp_path), tmp_path)
    things.start()
    assert list(things.lines()) == []
    assert not (tmp_path / "mqtt").exists()
    things.stop()


@pytest.mark.broker
def test_all_of_it_is_started_and_stopped_with_the_companion(tables: Tables, tmp_path: Path) -> None:
    table = tables.create(PLAIN)
    words = ("--mqtt", "local", "--mqtt-port", "0", "--mqtt-seats", "--lights", str(tmp_path / "unplugged"))
    things = Things(tables, wishes(tmp_path, *words), tmp_path)
    things.start()
    try:
        assert things.bus is not None
        assert things.bus.broker is not None
        lines = list(things.lines())
        assert [line.split(":")[0] for line in lines] == ["MQTT", "Lights"]
        who = things.bus.broker.address("screen")
        assert who.password is not None
        assert who.password not in "".join(lines)
        assert things.bus.seat_ticket(table.id, "A") is not None
        with Probe(who) as probe:
            probe.subscribe("santorini/#").heard("/state")
            began = time.monotonic()
            things.stop()
            assert time.monotonic() - began < 8
    finally:
        things.stop()


@pytest.mark.broker
def test_a_missing_mosquitto_is_said_in_a_sentence(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("companion.bus.mosquitto.PATHS", ())
    things = Things(tables, wishes(tmp_path, "--mqtt", "local"), tmp_path)
    with pytest.raises(BadThings, match="apt install mosquitto"):
        things.start()
    things.stop()
