"""Host and board in conversation: every board over every line, in virtual time."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.emulator.soak import flat
from firmware_bridge.fakes.board import FakeBoard
from firmware_bridge.fakes.faulty import (
    FallingSilentBoard,
    ForgetfulBoard,
    FutureBoard,
    MumblingBoard,
    RepeatingBoard,
    ResetOnOpenBoard,
    SilentBoard,
    TalkativePrinter,
)
from firmware_bridge.fakes.lines import (
    ByteAtATimeLine,
    DelayedLine,
    FakeTransport,
    Line,
    LossyLine,
    PlainLine,
    VirtualClock,
)
from firmware_bridge.frames import Beep, Frame, Hello, Picture, Ping, Press, Refusal, Welcome
from firmware_bridge.link import (
    Event,
    HostLink,
    Lost,
    Pressed,
    Rejected,
    Reported,
    Restarted,
    Shown,
    Timing,
    Welcomed,
)
from tests.firmware_bridge.native import NativeBoard

LINES: dict[str, Callable[[int], Line]] = {
    "plain": lambda seed: PlainLine(),
    "byte at a time": lambda seed: ByteAtATimeLine(),
    "lossy": lambda seed: LossyLine(seed, 0.004),
    "delayed": lambda seed: DelayedLine(0.06),
}


class Table:
    """A host link and a board on one virtual clock."""

    def __init__(self, board: Any, line: str = "plain", timing: Timing | None = None) -> None:
        self.clock = VirtualClock()
        self.board = board
        self.transport = FakeTransport(board, self.clock, LINES[line](1), LINES[line](2))
        numbers = itertools.cycle(range(1, 256))
        self.link = HostLink(lambda: next(numbers), 0.0, timing)
        self.events: list[Event] = []

    def until(self, done: Callable[[], bool], limit: float = 60.0) -> None:
        end = self.clock.now() + limit
        while not done():
            assert self.clock.now() < end, f"not within {limit} s: {self.events[-5:]} {self.link.counts}"
            self.turn()

    def run(self, seconds: float) -> None:
        end = self.clock.now() + seconds
        while self.clock.now() < end:
            self.turn(end - self.clock.now())

    def turn(self, longest: float = 1.0) -> None:
        wait = min(longest, max(0.0, self.link.wake_at() - self.clock.now()))
        events, out = self.link.step(self.transport.read(wait), self.clock.now())
        self.events += events
        if out:
            self.transport.write(out)

    def seen(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def greet(self) -> None:
        self.until(lambda: bool(self.seen(Welcomed)))


def picture(number: int, leds: int = 25) -> Picture:
    colours = tuple(((number * 3 + n) % 256, n * 7 % 256, number % 256) for n in range(leds))
    return Picture(colours, 200)


@pytest.fixture(params=["python", pytest.param("firmware C", marks=pytest.mark.firmware)])
def board(request: pytest.FixtureRequest) -> Any:
    if request.param == "python":
        return FakeBoard()
    return NativeBoard(request.getfixturevalue("native"))


def last_colours(board: Any) -> bytes:
    return board.shown[-1][1] if isinstance(board, FakeBoard) else board.colours


@pytest.mark.parametrize("line", LINES)
def test_pictures_presses_and_beeps_over_any_line(board: Any, line: str) -> None:
    table = Table(board, line)
    table.greet()
    presses = []
    for number in range(60):
        table.link.show(picture(number))
        table.until(
            lambda number=number: any(shown.picture == picture(number) for shown in table.seen(Shown))  # type: ignore[misc]
        )
        assert last_colours(board) == flat(picture(number))
        down = number % 2 == 0
        board.press(number // 2 % 4, down)
        presses.append(Pressed(number // 2 % 4, down))
        if line == "lossy":  # presses made while the board is greeted anew do not count
            table.until(lambda: table.link.phase == "up")
    table.run(1.0)
    assert line == "lossy" or table.seen(Pressed) == presses
    assert not table.seen(Lost)


@pytest.mark.parametrize("line", ["plain", "byte at a time", "delayed"])
def test_no_line_without_loss_causes_retries_or_restarts(line: str) -> None:
    table = Table(FakeBoard(), line)
    for number in range(50):
        table.link.show(picture(number))
        table.until(lambda number=number: len(table.seen(Shown)) == number + 1)  # type: ignore[misc]
    assert table.link.counts.retries == table.link.counts.refused_frames == 0
    assert not table.seen(Restarted)


def test_every_press_arrives_once_over_a_lossy_line(board: Any) -> None:
    table = Table(board, "lossy")
    table.greet()
    for number in range(100):
        board.press(number % 4)
        table.until(lambda number=number: len(table.seen(Pressed)) > number)  # type: ignore[misc]
        table.run(0.3)  # the host confirms, or the board says it again
    assert [press.button for press in table.seen(Pressed)] == [number % 4 for number in range(100)]
    assert (
        table.link.counts.retries + table.link.counts.repeated_presses + table.link.counts.refused_frames > 0
    )


def test_welcome_tells_what_the_board_can_do(board: Any) -> None:
    table = Table(board)
    table.greet()
    (welcomed,) = table.seen(Welcomed)
    assert welcomed.board == Welcome(1, 0, 0, 25, 1, 4, 3, 1)
    assert welcomed.board.firmware == "1.0.0"
    assert welcomed.board.has_buzzer


def test_newest_picture_replaces_one_not_sent_yet() -> None:
    table = Table(FakeBoard(), "delayed")
    table.greet()
    for number in range(10):
        table.link.show(picture(number))
        table.turn(0.001)
    table.run(1.0)
    assert [shown.picture for shown in table.seen(Shown)] == [picture(0), picture(9)]
    assert table.link.counts.skipped == 8


def test_whole_picture_is_sent_again_after_a_reset() -> None:
    board = FakeBoard()
    table = Table(board)
    table.link.show(picture(1))
    table.until(lambda: len(table.seen(Shown)) == 1)
    board.reset(table.clock.now())
    assert not any(last_colours(board))
    table.until(lambda: len(table.seen(Shown)) == 2, 0.1)
    assert last_colours(board) == flat(picture(1))
    assert [restart.why for restart in table.seen(Restarted)] == ["the board has forgotten our session"]


def test_reset_whose_notice_is_lost_shows_with_the_next_heartbeat() -> None:
    board = FakeBoard()
    table = Table(board)
    table.link.show(picture(1))
    table.until(lambda: len(table.seen(Shown)) == 1)
    board.reset(table.clock.now())
    board._out.clear()
    table.until(lambda: len(table.seen(Shown)) == 2, 1.5)


def test_board_goes_dark_when_the_host_falls_silent_and_lights_again(board: Any) -> None:
    table = Table(board)
    table.link.show(picture(3))
    table.until(lambda: len(table.seen(Shown)) == 1)
    table.clock.sleep(4.9)
    board.take(b"", table.clock.now())
    assert any(last_colours(board))
    table.clock.sleep(0.2)
    said = board.take(b"", table.clock.now())
    assert not any(last_colours(board))
    table.events += table.link.step(said, table.clock.now())[0]
    table.until(lambda: len(table.seen(Shown)) == 2, 1.0)
    assert last_colours(board) == flat(picture(3))


def test_heartbeat_brings_the_boards_counters() -> None:
    board = FakeBoard()
    table = Table(board)
    table.greet()
    table.transport.write(b"garbage\0" + b"\x55" * 400 + b"\0")
    table.run(3.5)
    reports = table.seen(Reported)
    assert len(reports) == 3
    assert (reports[-1].status.malformed, reports[-1].status.too_long) == (1, 1)


def test_press_made_while_nobody_listens_is_never_carried_out(board: Any) -> None:
    board.press(1)
    table = Table(board)
    table.greet()
    table.run(1.0)
    assert not table.seen(Pressed)


def test_picture_of_the_wrong_size_is_named_not_sent() -> None:
    board = FakeBoard(leds=20)
    table = Table(board)
    table.link.show(picture(1))
    table.run(1.0)
    (rejected,) = table.seen(Rejected)
    assert rejected.why == "the board has 20 LEDs, the picture 25"
    table.link.show(picture(1, 20))
    table.until(lambda: len(table.seen(Shown)) == 1)


def test_beep_sounds_once_even_when_its_answer_is_lost() -> None:
    mumbling = MumblingBoard()
    table = Table(mumbling)
    table.greet()
    table.link.beep(Beep(880, 100))
    table.run(3.0)
    table.link.beep(Beep(440, 50))
    table.run(3.0)
    assert mumbling.board.beeps == [(880, 100), (440, 50)]


class TestFaultyBoards:
    """Boards named for their fault."""

    def test_silent(self) -> None:
        table = Table(SilentBoard())
        table.until(lambda: bool(table.seen(Lost)), 10)
        assert table.seen(Lost) == [Lost("silent")]
        assert 8.0 <= table.clock.now() < 8.5

    def test_wrong_device_says_what_it_is(self) -> None:
        table = Table(TalkativePrinter())
        table.until(lambda: bool(table.seen(Lost)), 10)
        (lost,) = table.seen(Lost)
        assert lost.why == "foreign"
        assert b"3D printer ready" in lost.foreign

    def test_future_version(self) -> None:
        table = Table(FutureBoard())
        table.until(lambda: bool(table.seen(Lost)), 1)
        assert table.seen(Lost) == [Lost("version", b"\x09")]

    @pytest.mark.parametrize("line", LINES)
    def test_reset_on_open(self, line: str) -> None:
        table = Table(ResetOnOpenBoard(), line)
        table.link.show(picture(2))
        table.until(lambda: len(table.seen(Shown)) == 1, 4.0)
        assert table.clock.now() > 2.0

    def test_forgets_in_the_middle_of_frames(self) -> None:
        board = ForgetfulBoard()
        table = Table(board)
        for number in range(40):
            table.link.show(picture(number))
            table.until(lambda n=number: any(s.picture == picture(n) for s in table.seen(Shown)))  # type: ignore[misc]
            assert board.board.shown[-1][1] == flat(picture(number))
        assert board.resets >= 5
        assert not table.seen(Lost)

    def test_loses_its_answers(self) -> None:
        board = MumblingBoard()
        table = Table(board)
        for number in range(20):
            table.link.show(picture(number))
            table.until(lambda n=number: any(s.picture == picture(n) for s in table.seen(Shown)))  # type: ignore[misc]
        assert table.link.counts.retries > 5
        assert len(board.board.shown) < 30, "a repeated picture is acknowledged, not shown again"

    def test_replays_everything(self) -> None:
        board = RepeatingBoard()
        table = Table(board)
        table.greet()
        for number in range(30):
            board.board.press(number % 4, True)
            table.link.show(picture(number))
            table.run(0.5)
        assert [press.button for press in table.seen(Pressed)] == [number % 4 for number in range(30)]
        assert table.seen(Shown)[-1].picture == picture(29)
        assert table.link.counts.stray_frames + table.link.counts.repeated_presses > 30
        assert not table.seen(Lost)

    def test_falls_silent(self) -> None:
        table = Table(FallingSilentBoard())
        table.link.show(picture(0))
        table.until(lambda: bool(table.seen(Lost)), 3.0)
        assert table.seen(Lost) == [Lost("stopped")]


class TestRefusals:
    """What a board and a host do with frames that should not be."""

    def test_board_refuses_replayed_and_future_frames(self, board: Any) -> None:
        board.take(Frame(9, 0, Hello()).to_bytes(), 0.0)
        first, second = (Frame(9, n, picture(n)).to_bytes() for n in (1, 2))
        board.take(first, 0.0)
        board.take(second, 0.0)
        for odd in (first, Frame(9, 7, picture(3)).to_bytes()):
            said = Frame.from_bytes(board.take(odd, 0.0))
            assert (said.body.reason, said.body.expected) == (4, 3)  # type: ignore[union-attr]
        assert last_colours(board) == flat(picture(2))
        count = board.counts["out_of_order"] if isinstance(board, FakeBoard) else board.count("out_of_order")
        assert count == 2

    def test_board_refuses_another_session(self, board: Any) -> None:
        board.take(Frame(9, 0, Hello()).to_bytes(), 0.0)
        said = Frame.from_bytes(board.take(Frame(8, 1, Ping()).to_bytes(), 0.0))
        assert said.body.reason == 5  # type: ignore[union-attr]

    def test_same_number_with_other_content_is_refused(self, board: Any) -> None:
        board.take(Frame(9, 0, Hello()).to_bytes(), 0.0)
        board.take(Frame(9, 1, picture(1)).to_bytes(), 0.0)
        said = Frame.from_bytes(board.take(Frame(9, 1, picture(2)).to_bytes(), 0.0))
        assert said.body.reason == 4  # type: ignore[union-attr]
        assert last_colours(board) == flat(picture(1))

    def test_host_refuses_a_replayed_press(self) -> None:
        board = FakeBoard()
        table = Table(board)
        table.greet()
        for button in range(3):
            board.press(button)
            table.run(0.2)
        session = board.session
        for number in (1, 2, 9):
            events, _ = table.link.step(Frame(session, number, Press(3, 1)).to_bytes(), table.clock.now())
            assert events == ()
        assert table.link.counts.stray_frames == 3

    def test_host_ignores_answers_to_nothing(self) -> None:
        board = FakeBoard()
        table = Table(board)
        table.greet()
        session = board.session
        before = table.link.counts.stray_frames
        ack = Frame(session, 77, Welcome(1, 0, 0, 25, 1, 4, 3, 1)).to_bytes()
        assert table.link.step(ack, table.clock.now())[0] == ()
        assert table.link.counts.stray_frames == before + 1


def test_session_numbers_never_repeat_at_once() -> None:
    numbers = iter([0, 5, 5, 0, 5, 6])
    link = HostLink(lambda: next(numbers), 0.0)
    _, hello = link.step(b"", 0.0)
    first = Frame.from_bytes(hello[1:]).session
    link.step(Frame(5, 0, Welcome(1, 0, 0, 25, 1, 4, 3, 1)).to_bytes(), 0.1)
    _, question = link.step(Frame(0, 0, Welcome(1, 0, 0, 25, 1, 4, 3, 1)).to_bytes(), 0.2)
    assert Frame.from_bytes(question) == Frame(5, 1, Ping())
    _, again = link.step(Frame(0, 1, Refusal(4, 5, 1)).to_bytes(), 0.3)
    assert (first, Frame.from_bytes(again[1:]).session) == (5, 6)
