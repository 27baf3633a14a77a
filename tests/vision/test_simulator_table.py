"""The simulated table plays a script of boards as a source, with hands between, and tells no truth."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np

from vision.reading import EMPTY_BOARD, Board, Content, Picture
from vision.simulator import Act, Hand, Light, Pace, SimulatedCamera, SimulatedTable
from vision.simulator.script import brought, moment, seconds_of, stretches, visits

PACE = Pace(reach=1.0, work=1.0, leave=1.0, hold=2.0)


def board(**cells: Content) -> Board:
    at = {5 * (int(name[1]) - 1) + "abcde".index(name[0]): content for name, content in cells.items()}
    return tuple(at.get(cell, Content(0)) for cell in range(25))


BEFORE = board(b2=Content(0, "A"), d4=Content(1))
AFTER = board(b3=Content(0, "A"), c3=Content(1), d4=Content(1))


class FakeCamera(SimulatedCamera):
    """Draws nothing, remembers what it was asked to draw."""

    def __init__(self) -> None:
        self.asked: list[tuple[Board, int]] = []

    def render(self, board: Board, hands: object = (), seed: int = 0, grain: int = 0) -> Picture:
        self.asked.append((board, len(list(hands))))  # type: ignore[call-overload]
        return np.zeros((2, 2, 3), np.uint8)


def test_a_hand_takes_first_then_moves_then_builds() -> None:
    assert visits(BEFORE, AFTER) == (6, 11, 12)
    assert visits(BEFORE, AFTER, (12,)) == (12, 6, 11)
    assert visits(AFTER, AFTER) == ()


def test_the_board_changes_only_under_the_hand() -> None:
    act = Act(AFTER)
    last = BEFORE
    for step in range(int(seconds_of(BEFORE, act, PACE) * 20)):
        now = moment(BEFORE, act, PACE, step / 20)
        if now.board != last:
            assert now.hands and now.hands[0].reach > 0.9
            assert sum(a != b for a, b in zip(now.board, last)) == 1
        last = now.board
    assert last == AFTER
    assert moment(BEFORE, act, PACE, 6.5).hands == ()
    assert seconds_of(BEFORE, act, PACE) == 7.0


def test_a_hand_brings_what_is_new_in_a_cell() -> None:
    assert brought(Content(0), Content(0, "A")) == Content(0, "A")
    assert brought(Content(2), Content(3)) == Content(3)
    assert brought(Content(3), Content(3, "dome")) == Content(0, "dome")
    assert brought(Content(1, "A"), Content(1)) is None


def test_a_hand_may_rest_over_the_board() -> None:
    act = Act(AFTER, rest=5.0)
    one, two = (moment(BEFORE, act, PACE, seconds) for seconds in (4.5, 8.5))
    assert one.board == two.board == AFTER
    assert one.hands == two.hands != ()


def test_an_act_without_a_hand_is_there_at_once() -> None:
    assert [part.board for part in stretches(BEFORE, Act(AFTER, hand=False), PACE)] == [AFTER]


def test_the_table_plays_the_script_by_its_clock_and_ends() -> None:
    now, camera = [0.0], FakeCamera()
    table = SimulatedTable(
        camera, [Act(BEFORE, "start"), Act(AFTER)], pace=PACE, fps=10, clock=lambda: now[0]
    )
    frames = set()
    while table.state.phase == "live":
        frame = table.latest()
        assert frame is not None
        frames.add(frame.number)
        now[0] += 0.05
    assert camera.asked[0] == (BEFORE, 0)
    assert camera.asked[-1] == (AFTER, 0)
    assert 88 <= len(frames) <= 92
    assert len(camera.asked) == len(frames)
    assert table.state.phase == "ended"
    table.close()
    assert table.state.phase == "closed"


def test_the_script_is_pulled_only_when_it_is_needed() -> None:
    pulled: list[int] = []

    def endless() -> Iterator[Act]:
        while True:
            pulled.append(1)
            yield Act(BEFORE if len(pulled) % 2 else AFTER, hold=1.0, hand=False)

    now = [0.0]
    table = SimulatedTable(FakeCamera(), endless(), clock=lambda: now[0])
    table.latest()
    assert len(pulled) == 1
    now[0] = 1.05
    table.latest()
    assert len(pulled) == 2


def test_several_threads_may_ask_for_pictures() -> None:
    camera = FakeCamera()
    acts = [Act(BEFORE if number % 2 else AFTER, hand=False, hold=0.01) for number in range(40)]
    table = SimulatedTable(camera, acts, fps=1000)
    threads = [threading.Thread(target=lambda: [table.latest() for _ in range(300)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    frame = table.latest()
    assert frame is not None and len(camera.asked) <= frame.number


def test_nothing_of_the_script_is_told_beside_the_picture() -> None:
    table = SimulatedTable(FakeCamera(), [Act(AFTER, kind="secret kind")], clock=lambda: 0.0)
    frame = table.latest()
    assert frame is not None
    assert set(vars(frame)) == {"picture", "at", "number"}
    assert "secret" not in repr(table.state)


def test_an_act_may_bring_another_camera() -> None:
    now, first, second = [0.0], FakeCamera(), FakeCamera()
    script = [Act(BEFORE, hold=1.0), Act(BEFORE, "bump", camera=second, hold=1.0)]
    table = SimulatedTable(first, script, clock=lambda: now[0])
    for now[0] in (0.0, 0.5, 1.5, 5.0):
        table.latest()
    assert len(first.asked) == 2 and len(second.asked) == 2
    assert table.state.phase == "ended"


def test_real_pictures_come_out() -> None:
    now = [0.0]
    camera = SimulatedCamera(size=(640, 360), light=Light())
    table = SimulatedTable(camera, [Act(EMPTY_BOARD), Act(AFTER)], pace=PACE, clock=lambda: now[0])
    still = table.latest()
    now[0] = 4.0
    busy = table.latest()
    assert still is not None and busy is not None
    assert still.picture.shape == (360, 640, 3)
    assert (np.abs(still.picture.astype(int) - busy.picture).max(axis=2) > 40).mean() > 0.01
    assert table.drawing_seconds > 0
    assert Hand(3).reach == 1.0
