"""`santorini bridge`: its words, its desks, and the whole chain from a line of JSON to the pins."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.cli import bridge as command
from companion.cli.main import main
from firmware_bridge import ports
from firmware_bridge.desks import (
    MAX_LINE,
    DemoDesk,
    LineDesk,
    PictureError,
    PlacedLamp,
    demo_picture,
    lines_of,
    parse_line,
)
from firmware_bridge.emulator import Emulator
from firmware_bridge.fakes.bootloader import FakeBootloader
from firmware_bridge.fakes.wled import FakeWled
from firmware_bridge.frames import Beep, Picture
from firmware_bridge.lamp import ButtonPress, FakeLamp, LinkState
from firmware_bridge.layouts import LAYOUTS
from tests.firmware_bridge.waiting import wait_for


def test_reads_pictures_and_beeps() -> None:
    assert parse_line('{"colours": ["ff8000", "000001"], "brightness": 9}') == Picture(
        ((255, 128, 0), (0, 0, 1)), 9
    )
    assert parse_line('{"colours": []}') == Picture((), 255)
    assert parse_line('{"beep": [880, 150]}') == Beep(880, 150)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        '{"colours": "ff0000"}',
        '{"colours": ["ff00"]}',
        '{"colours": ["gg0000"]}',
        '{"colours": ["ff 000"]}',
        '{"colours": [1]}',
        '{"colours": [], "brightness": 256}',
        '{"colours": [], "brightness": true}',
        '{"colours": [], "secret": 1}',
        '{"beep": [880]}',
        '{"beep": [880, 50], "also": 1}',
        '{"colours": [' + '"ff0000",' * 9000 + '"ff0000"]}',
    ],
)
def test_refuses_other_lines(line: str) -> None:
    with pytest.raises(PictureError):
        parse_line(line)


def test_line_desk_counts_what_it_refuses_and_goes_on() -> None:
    written: list[str] = []
    lamp = FakeLamp()
    lines = ["{", '{"beep": [880, 9999]}', '{"colours": ["ff0000"]}', "", '{"beep": [880, 50]}']
    good = json.dumps({"colours": ["0000ff"] * 20})
    desk = LineDesk([*lines, good], written.append)
    desk.attach(PlacedLamp(lamp, LAYOUTS["ring-20"]))
    desk.wait()
    assert lamp.pictures == [Picture(((0, 0, 255),) * 20)]
    assert lamp.beeps == [Beep(880, 50)]
    assert [json.loads(line)["count"] for line in written] == [1, 2, 3]
    desk.pressed(ButtonPress(2, True))
    desk.link_changed(LinkState("up", "fine"))
    assert [json.loads(line) for line in written[3:]] == [
        {"button": 2, "down": True},
        {"link": "up", "detail": "fine"},
    ]


def test_demo_runs_over_every_led_in_three_colours() -> None:
    lit = [demo_picture(number, 25) for number in range(75)]
    assert [p.colours.index(max(p.colours)) for p in lit] == list(range(25)) * 3
    assert all(sum(map(any, picture.colours)) == 1 for picture in lit)
    assert len({max(picture.colours) for picture in lit}) == 3


def test_demo_beeps_on_a_press_and_stops() -> None:
    lamp, written = FakeLamp(), []
    desk = DemoDesk(25, written.append, threading.Event(), beat=0.001)
    desk.attach(lamp)
    wait_for(lambda: len(lamp.pictures) > 3)
    desk.pressed(ButtonPress(1, True))
    desk.pressed(ButtonPress(1, False))
    assert lamp.beeps == [Beep(750, 80)]
    desk.close()
    desk.wait()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--layout", "round"], "there is no layout 'round'; try: under-25"),
        (["--map", "/nowhere/map.json"], "cannot read /nowhere/map.json"),
        (["--from", "space"], "pictures cannot come from 'space'; try: stdin"),
        (["--wled", "https://x"], "no address like http://wled.local"),
        (["dance"], "invalid choice: 'dance'"),
    ],
)
def test_bad_value_is_one_sentence_and_exit_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["bridge", *words])
    except SystemExit as stop:
        code = int(str(stop.code))
    assert code == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_lists_ports(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(ports, "find", lambda: (ports.Port("/by-id/usb-x", "/dev/ttyUSB0", "Nano"),))
    assert main(["bridge", "ports"]) == 0
    assert "/by-id/usb-x\n    Nano (now /dev/ttyUSB0)" in capsys.readouterr().out
    monkeypatch.setattr(ports, "find", lambda: ())
    assert main(["bridge", "ports"]) == 0
    assert "no serial port is plugged in" in capsys.readouterr().out


def test_flash_without_a_board_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ports.list_ports, "comports", list)
    monkeypatch.setattr(ports.choose, "__defaults__", (tmp_path,))
    assert main(["bridge", "flash"]) == 2
    assert "no serial port is plugged in" in capsys.readouterr().err


@pytest.mark.firmware
def test_flash_writes_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with FakeBootloader() as board:
        assert main(["bridge", "flash", "--port", board.port, "--layout", "ring-20"]) == 0
    out = capsys.readouterr().out
    assert "building for 20 LEDs" in out
    assert "done" in out


@pytest.mark.firmware
def test_flash_of_too_many_leds_shows_the_compilers_words(capsys: pytest.CaptureFixture[str]) -> None:
    with FakeBootloader() as board:
        assert main(["bridge", "flash", "--port", board.port, "--leds", "81"]) == 1
        assert board.left_alone
    assert "LEDS must be 1 to 80" in capsys.readouterr().err


def test_wled_from_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeWled() as wled:
        outer, inner = os.pipe()
        monkeypatch.setattr(sys, "stdin", os.fdopen(outer))
        os.write(inner, b'\xff\xfe\n{"colours": ["102030"' + b', "102030"' * 24 + b"]}\n")
        done = threading.Thread(target=main, args=(["bridge", "--wled", wled.url],))
        done.start()
        wait_for(lambda: wled.leds == ["102030"] * 25)
        os.close(inner)
        done.join(60)
        sys.stdin.close()
        assert not wled.on
    assert wled.refusals == []
    assert '"refused": "not JSON"' in capsys.readouterr().out


def test_lines_are_bounded_and_never_break_the_reader() -> None:
    stream = io.BytesIO(b'{"a": 1}\n\xff\n' + b"x" * 500_000 + b'\n{"beep": [880, 50]}\nlast')
    lines = list(lines_of(stream))
    assert [len(line) <= MAX_LINE + 2 for line in lines] == [True] * 5
    assert lines[3:] == ['{"beep": [880, 50]}\n', "last"]
    for line in lines[:3]:
        with pytest.raises(PictureError):
            parse_line(line)


@pytest.mark.firmware
def test_whole_chain_as_its_own_process(chip: Emulator) -> None:
    words = [sys.executable, "-c", "from companion.cli import main; raise SystemExit(main())"]
    process = subprocess.Popen(
        [*words, "bridge", "--port", chip.port, "--layout", "under-25-snake"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    with process:
        colours = [f"{n + 1:02x}0000" for n in range(25)]
        process.stdin.write(json.dumps({"colours": colours, "brightness": 255}) + "\n")
        process.stdin.flush()
        wave = chip.picture(lambda w: any(w.colours))
        assert list(wave.colours[::3])[:10] == [1, 2, 3, 4, 5, 10, 9, 8, 7, 6]
        chip.press(0)
        found: dict[str, object] = {}
        while "button" not in found:
            found = json.loads(process.stdout.readline())
        assert found == {"button": 0, "down": True}
        process.stdin.close()
        assert process.wait(60) == 0
    assert chip.picture().colours == bytes(75)


def test_command_names_a_seam_for_other_desks() -> None:
    assert set(command.DESKS) >= {"stdin", "demo"}
