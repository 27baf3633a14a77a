"""`santorini play` as a process of its own: up, reachable, a live game, and down again."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

pytestmark = pytest.mark.slow

SCRIPT = Path(sys.executable).parent / "santorini"


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    words = [str(SCRIPT), "play", "--bind", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "data")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    address = ""
    for line in process.stdout:
        if found := re.search(r"Watch:\s+(http://\S+)", line):
            address = found[1]
        if "Stop with" in line:
            break
    assert address
    yield process, address
    if process.poll() is None:
        process.kill()
        process.wait()
    process.stdout.close()


@pytest.mark.slow
def test_it_shows_a_live_game_and_stops_cleanly(companion: tuple[subprocess.Popen[str], str]) -> None:
    process, address = companion
    began = time.monotonic()
    with urllib.request.urlopen(address, timeout=5) as answer:
        assert answer.status == 200
    with connect(address.replace("http", "ws") + "/ws") as socket:
        socket.send(json.dumps({"ask": "watch", "id": 1, "table": "practice"}))
        while "view" not in (message := json.loads(socket.recv(timeout=5))):
            pass
    assert message["view"]["phase"] == "play"
    assert time.monotonic() - began < 5
    stopping = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == 0
    assert time.monotonic() - stopping < 2.5


def test_it_stops_cleanly_while_the_practice_table_is_being_set_up(
    companion: tuple[subprocess.Popen[str], str],
) -> None:
    process, _ = companion
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == 0
    assert process.stdout is not None
    assert process.stdout.read().strip() == "Stopping; everything is kept."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--camera", "nowhere/at/all"], "--camera: "),
        (["--camera", "17"], "--camera: there is no camera 17"),
        (["--camera", "http://"], "--camera: "),
        (["--port", "70000"], "not a port"),
        (["--mqtt", "http://broker"], "--mqtt: "),
        (["--sideways"], "unrecognized"),
    ],
)
def test_a_bad_value_is_one_sentence_and_exit_code_2(words: list[str], said: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(SCRIPT), "play", "--data", str(tmp_path), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.strip().count("\n") == 0


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = [str(SCRIPT), "play", "--bind", "127.0.0.1", "--port", port, "--data", str(tmp_path)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert port in done.stderr
