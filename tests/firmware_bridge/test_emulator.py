"""The real firmware on an emulated chip: every bit on the LED pin, every contact of a button."""

from __future__ import annotations

import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from firmware_bridge import build
from firmware_bridge.emulator import Emulator, EmulatorError, Waveform
from firmware_bridge.emulator.soak import percentile, soak
from firmware_bridge.frames import Beep, Frame, Hello, Picture, Ping, Press, Refusal, Welcome
from firmware_bridge.link import Pressed, Restarted, Shown, Welcomed
from firmware_bridge.transport import SerialTransport
from tests.firmware_bridge.conftest import Built
from tests.firmware_bridge.talk import PATIENT, Talk, ask, flat, random_picture

pytestmark = pytest.mark.firmware

WATCHDOG_RESET = 0x08
DARK = bytes(75)


def in_time(wave: Waveform) -> bool:
    """The limits of the WS2812B data sheet: each pulse within 150 ns of 400, 800, 850 and 450 ns."""
    limits = ((wave.zero_high, 400), (wave.one_high, 800), (wave.zero_low, 850), (wave.one_low, 450))
    return all(
        pulse == (0, 0) or middle - 150 <= pulse[0] <= pulse[1] <= middle + 150 for pulse, middle in limits
    )


def test_dark_at_start_then_exactly_what_was_sent(chip: Emulator) -> None:
    dice = random.Random(7)
    first = chip.picture()
    assert (first.colours, first.bits) == (DARK, 600)
    with Talk(chip) as talk:
        for _ in range(40):
            picture = random_picture(dice)
            talk.show(picture)
            wave = chip.picture()
            assert (wave.colours, wave.bits) == (flat(picture), 600)
            assert in_time(wave), wave
            assert 7_000 < wave.line_us < 12_000, "84 bytes at 115,200 baud are 7.3 ms"


def test_waveform_check_sees_a_pulse_out_of_limits() -> None:
    good = Waveform(0, 0.0, 600, DARK, 8000, (375, 375), (750, 750), (875, 875), (500, 500))
    assert in_time(good)
    assert not in_time(Waveform(0, 0.0, 600, DARK, 8000, (375, 600), (750, 750), (875, 875), (500, 500)))


def test_brightness_scales_and_the_power_budget_holds(chip: Emulator) -> None:
    with Talk(chip) as talk:
        talk.show(Picture(((200, 100, 0),) * 25, 127))
        assert chip.picture(lambda w: any(w.colours)).colours == bytes((100, 50, 0)) * 25
        talk.show(Picture(((255, 255, 255),) * 25, 255))
        white = chip.picture().colours
    milliamps = 25 + sum(white) / 255 * 20
    assert 350 < milliamps <= 400
    assert len(set(white)) == 1


def test_zero_brightness_is_dark(chip: Emulator) -> None:
    with Talk(chip) as talk:
        talk.show(Picture(((255, 255, 255),) * 25, 1))
        assert any(chip.picture(lambda w: w.at_us > 10_000).colours) is True
        talk.show(Picture(((255, 255, 255),) * 25, 0))
        assert chip.picture().colours == DARK


@pytest.mark.parametrize(("leds", "layout"), [(20, 2), (80, 0), (1, 0)])
def test_other_strips(runner: Path, tmp_path: Path, leds: int, layout: int) -> None:
    elf = build.firmware(tmp_path, build.Options(leds=leds, layout=layout)).with_suffix(".elf")
    with Emulator(runner, elf) as chip, Talk(chip, PATIENT) as talk:
        board = talk.seen(Welcomed)[0].board
        assert (board.leds, board.layout) == (leds, layout)
        picture = random_picture(random.Random(leds), leds, most=15)
        talk.show(picture)
        wave = chip.picture(lambda w: any(w.colours))
        assert (wave.colours, wave.bits) == (flat(picture), 24 * leds)
        assert in_time(wave)
        for _ in range(5):
            talk.show(random_picture(random.Random(), leds, most=15))
        assert talk.link.counts.retries == 0


class TestButtons:
    """Contacts bounce; a finger presses once."""

    def test_four_buttons_down_and_up(self, chip: Emulator) -> None:
        with Talk(chip) as talk:
            expected = []
            for button in (0, 1, 2, 3, 1):
                for down, move in ((True, chip.press), (False, chip.release)):
                    move(button)
                    expected.append(Pressed(button, down))
                    talk.until(lambda: len(talk.seen(Pressed)) >= len(expected))
            talk.run(0.2)
            assert talk.seen(Pressed) == expected

    def test_bounce_counts_once(self, chip: Emulator) -> None:
        dice = random.Random(3)
        with Talk(chip) as talk:
            for number in range(10):
                # An odd number of edges within 9 ms: it ends pressed, or released, every other time.
                times = sorted(dice.sample(range(9000), 2 * dice.randint(1, 8) + 1))
                chip.bounce(2, times)
                talk.until(lambda number=number: len(talk.seen(Pressed)) > number)  # type: ignore[misc]
                talk.run(0.05)
            assert [press.down for press in talk.seen(Pressed)] == [True, False] * 5

    def test_glitches_shorter_than_the_debounce_are_nothing(self, chip: Emulator) -> None:
        with Talk(chip) as talk:
            for width in (5, 500, 2000, 7000):
                chip.bounce(1, (0, width))
                talk.run(0.05)
            assert not talk.seen(Pressed)

    def test_press_is_repeated_until_heard_and_not_longer(self, chip: Emulator) -> None:
        with Talk(chip) as talk:
            chip.press(3)
            talk.deaf_until_said_twice(Press)
            talk.until(lambda: talk.link.counts.repeated_presses >= 1)
            assert talk.seen(Pressed) == [Pressed(3, True)]
            # The first answer may be to an earlier question; by the second the board knows it was heard.
            talk.status()
            talk.status()
            repeated = talk.link.counts.repeated_presses
            talk.run(0.5)
            assert talk.link.counts.repeated_presses == repeated

    def test_presses_while_pictures_run(self, chip: Emulator) -> None:
        dice = random.Random(5)
        with Talk(chip) as talk:
            for number in range(20):
                chip.press(0) if number % 2 == 0 else chip.release(0)
                for _ in range(3):
                    talk.show(random_picture(dice))
            talk.until(lambda: len(talk.seen(Pressed)) >= 20)
            assert [press.down for press in talk.seen(Pressed)] == [True, False] * 10
            assert talk.status().lost_presses == 0


class TestBadInput:
    """Refused, counted, and without effect on what comes after."""

    def test_garbage_bad_crc_truncated_and_oversized(self, chip: Emulator) -> None:
        dice = random.Random(11)
        with Talk(chip) as talk:
            frame = bytearray(Frame(1, 1, random_picture(dice)).to_bytes())
            frame[20] ^= 0x04
            talk.port.write(bytes(frame))
            talk.port.write(bytes(frame[:30]) + b"\0")
            talk.port.write(bytes(dice.randrange(1, 256) for _ in range(400)) + b"\0")
            talk.port.write(b"\0\0\0")
            talk.run(0.2)
            status = talk.status()
            assert (status.bad_crc, status.malformed, status.too_long) == (1, 1, 1)
            picture = random_picture(dice)
            talk.show(picture)
            assert chip.picture(lambda w: any(w.colours)).colours == flat(picture)
            assert not talk.seen(Restarted)

    def test_replayed_and_foreign_frames_are_refused(self, chip: Emulator) -> None:
        port = SerialTransport(chip.port)
        welcome = ask(port, b"\0" + Frame(9, 0, Hello()).to_bytes())
        assert welcome is not None and isinstance(welcome.body, Welcome)
        dice = random.Random(1)
        one, two = (Frame(9, number, random_picture(dice)) for number in (1, 2))
        ask(port, one)
        ask(port, two)
        for odd, reason in ((one, 4), (Frame(9, 200, Ping()), 4), (Frame(8, 3, Ping()), 5)):
            answer = ask(port, odd)
            assert answer is not None and isinstance(answer.body, Refusal)
            assert (answer.body.reason, answer.body.expected) == (reason, 3)
        again = ask(port, two)
        assert again is not None and again.body.KIND == 0x80, "our answer may have been lost: say it again"
        waves = [wave.colours for wave in chip.pictures() if any(wave.colours)]
        assert waves == [flat(one.body), flat(two.body)]  # type: ignore[arg-type]
        port.close()

    def test_pipelined_frames_overrun_and_are_counted(self, chip: Emulator) -> None:
        """Why there is one frame in flight: while LEDs shift out the chip cannot listen."""
        dice = random.Random(2)
        with Talk(chip) as talk:
            session, last = talk.link._session, talk.link._sequence
            frames = [Frame(session, (last + n) % 256, random_picture(dice)) for n in range(1, 11)]
            talk.port.write(b"".join(frame.to_bytes() for frame in frames))
            time.sleep(0.5)
            talk.run(1.5)
            status = talk.status()
            assert status.overruns > 0
            picture = random_picture(dice)
            talk.show(picture)
            assert chip.picture(lambda w: w.colours == flat(picture))


class TestRestarts:
    """Whatever happens to the chip, the picture comes back."""

    def test_reset_in_the_middle_of_a_frame(self, chip: Emulator) -> None:
        dice = random.Random(13)
        with Talk(chip) as talk:
            for _ in range(5):
                picture = random_picture(dice)
                talk.link.show(picture)
                _, out = talk.link.step(b"", time.monotonic())
                talk.port.write(out[: len(out) // 2])
                time.sleep(0.01)
                chip.reset()
                chip.wait("reset")
                talk.port.write(out[len(out) // 2 :])
                talk.until(lambda p=picture: any(s.picture is p for s in talk.seen(Shown)))  # type: ignore[misc]
                assert chip.picture(lambda w, p=picture: w.colours == flat(p))  # type: ignore[misc]
            assert talk.link.board is not None
            assert talk.link.board.reset_cause & WATCHDOG_RESET == 0

    def test_watchdog_ends_a_hang(self, chip: Emulator) -> None:
        dice = random.Random(17)
        with Talk(chip) as talk:
            picture = random_picture(dice)
            talk.show(picture)
            chip.hang()
            hung = chip.wait("jumped")["us"]
            reset = chip.wait("reset")
            assert 250_000 < reset["us"] - hung < 600_000, "the chip's own time"
            talk.until(lambda: len(talk.seen(Welcomed)) >= 2)
            assert talk.seen(Welcomed)[-1].board.reset_cause & WATCHDOG_RESET
            assert chip.picture(lambda w: w.colours == flat(picture))
            talk.show(random_picture(dice))

    def test_dark_when_the_host_is_gone(self, built: Built) -> None:
        with built.run(real_time=False) as chip:
            port = SerialTransport(chip.port)
            ask(port, b"\0" + Frame(9, 0, Hello()).to_bytes())
            picture = random_picture(random.Random(1))
            ask(port, Frame(9, 1, picture))
            lit = chip.picture(lambda w: w.colours == flat(picture))
            dark = chip.picture()
            assert dark.colours == DARK
            assert 4_900_000 < dark.at_us - lit.at_us < 5_200_000
            port.close()


def test_beep_has_its_pitch_and_length(chip: Emulator) -> None:
    with Talk(chip) as talk:
        assert talk.link.board is not None and talk.link.board.has_buzzer
        for hertz, length in ((440, 120), (2093, 60)):
            talk.link.beep(Beep(hertz, length))
            for _ in range(4):  # LEDs shifting out must not disturb the tone
                talk.show(random_picture(random.Random()))
            talk.run(0.1)
            tone = chip.wait("tone")
            assert tone["hertz"] == pytest.approx(hertz, rel=0.02)
            assert tone["ms"] == pytest.approx(length, abs=6)


@pytest.mark.slow
def test_thirty_pictures_a_second_without_a_loss(chip: Emulator) -> None:
    """The short form of the soak in `santorini bench things`."""
    result = soak(chip, 10.0, seed=23)
    assert (result.sent, result.lost) == (300, 0)
    assert len(result.waves) == 300
    assert all(map(in_time, result.waves))
    assert result.presses_heard == result.presses_made > 0
    # In the chip's own time, which no load of this machine changes.
    line = tuple(float(wave.line_us) for wave in result.waves)
    assert percentile(line, 0.95) < 20_000 < 1e6 / 30


def test_firmware_and_runner_compile_without_a_warning(tmp_path: Path) -> None:
    make = ("make", "-B", "-C", str(build.FIRMWARE), f"BUILD={tmp_path}", "EXTRA=-Werror")
    subprocess.run(make, check=True, capture_output=True)
    sources = [str(source) for source in build.EMULATOR.glob("*.c")]
    flags = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-I/usr/include/simavr", "-fsyntax-only")
    subprocess.run(("gcc", *flags, *sources), check=True, capture_output=True)


def test_firmware_fits_the_chip_with_the_longest_strip(tmp_path: Path) -> None:
    elf = build.firmware(tmp_path, build.Options(leds=80, layout=0)).with_suffix(".elf")
    said = subprocess.run(("avr-size", str(elf)), check=True, capture_output=True, text=True).stdout
    text, data, bss = map(int, said.splitlines()[1].split()[:3])
    assert text + data < 30_720, "32 KB of flash less an old 2 KB bootloader"
    assert data + bss < 1_200, "2 KB of memory, the rest for the stack"


def rested(pid: int) -> int:
    """How often a process has given the processor back by itself."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return int(next(line for line in lines if line.startswith("voluntary")).split()[1])


class TestEmulatorItself:
    """The tool must not mislead."""

    def test_quits_when_its_owner_is_gone(self, built: Built) -> None:
        chip = built.run()
        process = chip._process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
        with pytest.raises(EmulatorError, match="has ended"):
            chip.press(0)
        chip.close()

    def test_keeps_real_time_and_free_run_is_faster(self, built: Built) -> None:
        rests = []
        for real_time in (True, False):
            with built.run(real_time=real_time) as chip:
                chip.picture()
                began, before = time.monotonic(), rested(chip.pid)
                time.sleep(0.5)
                chip.reset()
                simulated = chip.wait("reset")["us"] / 1e6
                rests.append(rested(chip.pid) - before)
                if real_time:
                    assert simulated < 1.3 * (time.monotonic() - began)
        # Keeping step means to wait for the wall clock; running free means never to.
        assert rests[1] < 20 or rests[1] < rests[0] / 4

    def test_says_when_a_tool_is_missing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(build.ToolMissing, match="apt install"):
            build.firmware(tmp_path)
        with pytest.raises(build.ToolMissing, match="libsimavr-dev"):
            build.runner(tmp_path)

    def test_says_what_the_compiler_said(self, tmp_path: Path) -> None:
        with pytest.raises(build.BuildFailed, match="LEDS must be 1 to 80"):
            build.firmware(tmp_path, build.Options(leds=81))

    def test_process_is_gone_after_close(self, built: Built) -> None:
        chip = built.run()
        chip.close()
        with pytest.raises(ProcessLookupError):
            os.kill(chip.pid, 0)
