"""Flashing: the real avrdude against a bootloader on a pty."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from firmware_bridge import build, flash
from firmware_bridge.fakes.bootloader import FakeBootloader
from firmware_bridge.flash import FlashFailed, Ran

pytestmark = pytest.mark.firmware


def binary(folder: Path, options: build.Options) -> bytes:
    image = build.firmware(folder, options)
    subprocess.run(["avr-objcopy", "-I", "ihex", "-O", "binary", image, folder / "image"], check=True)
    return (folder / "image").read_bytes()


@pytest.mark.parametrize(("bootloader", "baud"), [("new", 115_200), ("old", 57_600)])
def test_real_avrdude_writes_the_firmware(bootloader: flash.Bootloader, baud: int, tmp_path: Path) -> None:
    options = build.Options(leds=20, layout=2)
    with FakeBootloader(baud) as board:
        said = flash.flash(board.port, options, bootloader)
        written = bytes(board.flash)
    assert "bytes of flash verified" in said
    wanted = binary(tmp_path, flash.options_for(options, bootloader))
    assert written[: len(wanted)] == wanted
    assert set(written[len(wanted) + 128 :]) == {0xFF}


def test_wrong_bootloader_is_a_failure_with_evidence() -> None:
    commands = []

    def deaf(command: tuple[str, ...]) -> Ran:
        commands.append(command)
        return Ran(1, "avrdude: stk500_recv(): programmer is not responding\n")

    with pytest.raises(FlashFailed, match="not responding") as failed:
        flash.flash("/dev/ttyUSB0", build.Options(), "new", deaf)
    assert "stk500_recv" in failed.value.output
    assert commands[0][:7] == ("avrdude", "-p", "m328p", "-c", "arduino", "-P", "/dev/ttyUSB0")


def test_old_bootloader_gets_a_firmware_without_watchdog() -> None:
    assert flash.options_for(build.Options(), "old").watchdog is False
    assert flash.options_for(build.Options(), "new").watchdog is True
