"""The bridge keeps a board alive: in virtual time with fakes, then with the real firmware on a pty."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.dialing import PortDialer
from firmware_bridge.emulator import Emulator
from firmware_bridge.fakes.board import FakeBoard
from firmware_bridge.fakes.faulty import (
    FallingSilentBoard,
    ForgetfulBoard,
    FutureBoard,
    ResetOnOpenBoard,
    SilentBoard,
    TalkativePrinter,
)
from firmware_bridge.fakes.lines import Board, FakeTransport, VirtualClock
from firmware_bridge.frames import Beep, Picture
from firmware_bridge.lamp import ButtonPress, LinkState, QuietDesk
from firmware_bridge.link import Timing
from firmware_bridge.ports import NoChoice
from firmware_bridge.transport import (
    PortBusy,
    PortGone,
    PortMissing,
    SerialTransport,
    Transport,
    TransportError,
)
from tests.firmware_bridge.talk import flat, random_picture
from tests.firmware_bridge.waiting import wait_for

PICTURE = Picture(tuple((n, 2 * n, 3 * n) for n in range(25)), 90)


class Script:
    """A dialer that gives what its script says, one after the other; the last for ever."""

    def __init__(self, clock: VirtualClock, *steps: Board | Exception) -> None:
        self.clock, self.steps = clock, iter(steps)
        self.transports: list[FakeTransport] = []
        self.last: Board | Exception | None = None

    def dial(self) -> Transport:
        self.last = next(self.steps, self.last)
        if isinstance(self.last, Exception):
            raise self.last
        assert self.last is not None
        self.transports.append(FakeTransport(self.last, self.clock))
        return self.transports[-1]


class Watcher(QuietDesk):
    """A desk that acts when something happens, and stops the bridge after a while."""

    def __init__(self, until: Callable[[LinkState], bool]) -> None:
        super().__init__()
        self.until = until
        self.bridge: Bridge | None = None
        self.on_up: list[Callable[[], object]] = []

    def link_changed(self, state: LinkState) -> None:
        super().link_changed(state)
        if state.name == "up" and self.on_up:
            self.on_up.pop(0)()
        if self.until(state):
            assert self.bridge is not None
            self.bridge.close()


def bridge_over(
    *steps: Board | Exception, until: Callable[[LinkState], bool]
) -> tuple[Bridge, Watcher, Script]:
    clock = VirtualClock()
    script, desk = Script(clock, *steps), Watcher(until)
    numbers = itertools.cycle(range(1, 256))
    desk.bridge = Bridge(script, desk, clock, Timing(greeting=3.0), lambda: next(numbers))
    return desk.bridge, desk, script


def nth_up(number: int) -> Callable[[LinkState], bool]:
    seen = itertools.count(1)
    return lambda state: state.name == "up" and next(seen) == number


def test_waits_for_a_board_to_be_plugged_in_and_shows_the_picture() -> None:
    board = FakeBoard()
    missing = NoChoice("no serial port is plugged in", ())
    bridge, desk, _ = bridge_over(missing, missing, missing, board, until=nth_up(1))
    bridge.show(PICTURE)
    bridge.run()
    assert [state.name for state in desk.states] == ["searching", "greeting", "up", "searching", "closed"]
    assert desk.states[0].detail == "no serial port is plugged in"
    assert desk.states[2].detail == "25 LEDs, 4 buttons, firmware 1.0.0"
    assert board.shown[-1] == (0, bytes(75)), "a bridge that stops leaves no stale picture"


def test_survives_unplug_and_replug() -> None:
    first, second = FakeBoard(), FakeBoard()
    gone = PortMissing("by-id", "there is no such port")
    bridge, desk, script = bridge_over(first, gone, gone, second, until=nth_up(2))
    desk.on_up = [lambda: script.transports[0].unplug()]
    bridge.show(PICTURE)
    bridge.run()
    assert (90, flat(PICTURE)) in second.shown or second.shown[-1] == (0, bytes(75))
    details = [state.detail for state in desk.states]
    assert "fake: unplugged" in details
    assert "by-id: there is no such port" in details
    assert all(transport.closed for transport in script.transports)


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (SilentBoard(), "says nothing"),
        (TalkativePrinter(), "no lights board: it says “start··echo: 3D printer ready"),
        (FutureBoard(), "another version of the protocol (version 9)"),
        (FallingSilentBoard(), "stopped answering"),
        (PortBusy("tty", "another program uses this port"), "another program uses this port"),
    ],
    ids=["silent", "wrong device", "future", "falls silent", "busy"],
)
def test_says_what_it_found(board: Board | Exception, said: str) -> None:
    bridge, desk, _ = bridge_over(board, until=lambda state: said in state.detail)
    bridge.show(PICTURE)
    bridge.run()
    assert any(said in state.detail for state in desk.states)


@pytest.mark.parametrize("board", [ResetOnOpenBoard(boots_for=2.0), ForgetfulBoard()])
def test_comes_up_with_boards_that_reset(board: ResetOnOpenBoard | ForgetfulBoard) -> None:
    bridge, desk, _ = bridge_over(board, until=nth_up(1))
    bridge.show(PICTURE)
    bridge.run()
    assert "up" in [state.name for state in desk.states]


class FakeThread:
    """A bridge in its own thread, in real time, over a fake board."""

    def __init__(self, board: FakeBoard) -> None:
        from firmware_bridge.transport import WallClock

        self.board, self.desk = board, QuietDesk()
        transport = FakeTransport(board, WallClock())
        self.bridge = Bridge(_Always(transport), self.desk)


class _Always:
    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    def dial(self) -> Transport:
        return self.transport


def test_works_in_its_own_thread() -> None:
    run = FakeThread(FakeBoard())
    run.bridge.start()
    wait_for(lambda: run.bridge.health.state.name == "up")
    run.bridge.show(PICTURE)
    wait_for(lambda: run.board.shown[-1] == (90, flat(PICTURE)))
    run.board.press(2)
    wait_for(lambda: run.desk.presses == [ButtonPress(2, True)])
    run.bridge.beep(Beep(880, 50))
    wait_for(lambda: run.board.beeps == [(880, 50)])
    wait_for(lambda: run.bridge.health.status is not None)
    run.bridge.close()
    assert run.bridge.health.state.name == "closed"
    assert run.bridge.health.links >= 1
    assert not any(thread.name == "lights-bridge" for thread in threading.enumerate())


def test_fault_in_a_desk_is_logged_and_the_lights_come_back(caplog: pytest.LogCaptureFixture) -> None:
    run = FakeThread(FakeBoard())
    run.bridge._pause_after_fault = 0.05

    class ClumsyDesk(QuietDesk):
        def pressed(self, press: ButtonPress) -> None:
            super().pressed(press)
            if len(self.presses) == 1:
                raise LookupError("clumsy")

    desk = run.bridge._desk = ClumsyDesk()
    run.bridge.start()
    wait_for(lambda: run.bridge.health.links >= 1)
    run.board.press(0)
    wait_for(lambda: run.bridge.health.links >= 2)
    run.board.press(1)
    wait_for(lambda: desk.presses == [ButtonPress(0, True), ButtonPress(1, True)])
    run.bridge.close()
    assert "LookupError: clumsy" in caplog.text


class TestSerialTransport:
    """The real port, on ptys."""

    def test_missing_port(self, tmp_path: Path) -> None:
        with pytest.raises(PortMissing, match="no such port"):
            SerialTransport(str(tmp_path / "none"))

    def test_not_a_port(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(TransportError):
            SerialTransport(str(tmp_path / "file"))

    @pytest.mark.firmware
    def test_two_programs_cannot_share_a_port(self, chip: Emulator) -> None:
        first = SerialTransport(chip.port)
        with pytest.raises(PortBusy, match="another program"):
            SerialTransport(chip.port)
        first.close()

    @pytest.mark.firmware
    def test_unplug_while_reading(self, chip: Emulator) -> None:
        port = SerialTransport(chip.port)
        chip.unplug()
        with pytest.raises(PortGone):
            for _ in range(50):
                port.write(b"\0")
                port.read(0.1)
        port.close()

    @pytest.mark.firmware
    def test_wake_ends_a_waiting_read(self, chip: Emulator) -> None:
        port = SerialTransport(chip.port)
        while port.read(0.05):
            pass
        threading.Timer(0.1, port.wake).start()
        began = time.monotonic()
        assert port.read(100.0) == b""
        assert time.monotonic() - began < 50
        port.close()
        port.wake()


@pytest.fixture
def plugged(chip: Emulator, tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "usb-1a86_USB_Serial-if00-port0").symlink_to(chip.port)
    yield tmp_path


@pytest.mark.firmware
def test_dialer_stays_with_its_port_when_another_comes(chip: Emulator, plugged: Path) -> None:
    dialer = PortDialer(None, plugged)
    dialer.dial().close()
    (plugged / "usb-Prusa_MK4-if00").symlink_to("/dev/null")
    dialer.dial().close()
    (plugged / "usb-1a86_USB_Serial-if00-port0").unlink()
    (plugged / "usb-Other-if00").symlink_to("/dev/null")
    with pytest.raises(NoChoice, match="say which with --port"):
        dialer.dial()


@pytest.mark.firmware
def test_real_firmware_unplugged_and_replugged_under_another_name(chip: Emulator, plugged: Path) -> None:
    dice = random.Random(1)
    desk = QuietDesk()
    bridge = Bridge(PortDialer(None, plugged), desk)
    bridge.start()
    try:
        first = random_picture(dice)
        bridge.show(first)
        chip.picture(lambda wave: wave.colours == flat(first))
        (link,) = plugged.iterdir()
        link.unlink()
        chip.unplug()
        wait_for(lambda: bridge.health.state.name == "searching")
        second = random_picture(dice)
        bridge.show(second)
        time.sleep(0.3)
        link.symlink_to(chip.plug())
        chip.picture(lambda wave: wave.colours == flat(second))
        chip.press(3)
        wait_for(lambda: desk.presses == [ButtonPress(3, True)])
        wait_for(lambda: bridge.health.links >= 2)
    finally:
        bridge.close()
    assert chip.picture().colours == bytes(75)
