"""The gate: still, moving, hand or changed, on every frame and cheaply."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.solids import cell_centre
from vision.gate import Gate, Verdict, shrink, zone_of
from vision.reading import EMPTY_BOARD, Board, Content, Picture
from vision.simulator import Act, Hand, Light, Pace, SimulatedCamera, SimulatedTable, camera_at
from vision.simulator.hands import place_of
from vision.simulator.script import moment, seconds_of
from vision.sources.base import Frame

pytestmark = pytest.mark.slow

GAP = 0.2


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera()


def outline(camera: SimulatedCamera) -> np.ndarray:
    half = camera.profile.board.plateau
    return camera.camera.project(
        np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    )


def towers(*piles: tuple[int, Content]) -> Board:
    at = dict(piles)
    return tuple(at.get(cell, Content(0)) for cell in range(25))


START = towers((6, Content(0, "A")), (18, Content(0, "B")))
BUILT = towers((6, Content(0, "A")), (23, Content(0, "B")), (24, Content(1)), (20, Content(3, "dome")))


def run(gate: Gate, pictures: Sequence[Picture], start: float = 0.0) -> list[Verdict]:
    return [
        gate.step(Frame(picture, start + GAP * number, number)) for number, picture in enumerate(pictures)
    ]


def views(camera: SimulatedCamera, board: Board, hands: Sequence[Hand] = (), count: int = 4) -> list[Picture]:
    return [camera.render(board, hands, grain=number) for number in range(count)]


def test_the_first_still_picture_is_still_after_it_settled(camera: SimulatedCamera) -> None:
    assert run(Gate(outline(camera)), views(camera, START)) == ["moving", "moving", "still", "still"]


def test_a_turn_played_is_still_again_even_with_a_tall_tower_at_the_far_border(
    camera: SimulatedCamera,
) -> None:
    verdicts = run(Gate(outline(camera)), views(camera, START) + views(camera, BUILT))
    assert verdicts[4:] == ["moving", "moving", "still", "still"]


@pytest.mark.parametrize("direction", [0.0, 60.0, 90.0, 150.0, 180.0, 270.0])
@pytest.mark.parametrize("cell", [2, 12, 22])
def test_a_hand_that_rests_still_is_called_hand(camera: SimulatedCamera, direction: float, cell: int) -> None:
    verdicts = run(
        Gate(outline(camera)), views(camera, START) + views(camera, START, [Hand(cell, direction)], 12)
    )
    assert set(verdicts[4:]) == {"hand"}


def test_a_hand_stays_a_hand_when_the_camera_darkens_the_picture_for_it(camera: SimulatedCamera) -> None:
    dark = [cv2.convertScaleAbs(p, alpha=0.85).astype(np.uint8) for p in views(camera, START, [Hand(12)], 10)]
    assert set(run(Gate(outline(camera)), views(camera, START) + dark)[4:]) == {"hand"}


def test_a_hand_in_the_first_picture_does_not_haunt_the_table(camera: SimulatedCamera) -> None:
    verdicts = run(Gate(outline(camera)), views(camera, START, [Hand(12)]) + views(camera, START, count=6))
    assert verdicts[-1] == "still"


def test_a_known_picture_tells_a_hand_from_the_first_frame_on(camera: SimulatedCamera) -> None:
    gate = Gate(outline(camera), reference=camera.render(EMPTY_BOARD))
    verdicts = run(gate, views(camera, START, [Hand(12)]) + views(camera, START))
    assert verdicts[2:] == ["hand", "hand", "moving", "moving", "still", "still"]


def test_another_lamp_is_changed_once_and_then_still(camera: SimulatedCamera) -> None:
    lamp = SimulatedCamera(light=Light(azimuth=90.0, elevation=60.0, sun=(0.35, 0.31, 0.24)))
    verdicts = run(Gate(outline(camera)), views(camera, START) + views(lamp, START, count=6))
    assert verdicts[4] == "changed" and verdicts[-1] == "still" and "hand" not in verdicts


@pytest.mark.parametrize(
    "bump", [{"azimuth": 286.0}, {"roll": 1.2}, {"aim": (0.15, 0.1, 0.0)}, {"elevation": 58.5}]
)
def test_a_bumped_camera_is_changed_once_and_then_still(
    camera: SimulatedCamera, bump: dict[str, Any]
) -> None:
    bumped = SimulatedCamera(camera_at(**bump))
    verdicts = run(Gate(outline(camera)), views(camera, START) + views(bumped, START, count=6))
    assert verdicts[4] == "changed" and verdicts[-1] == "still" and "hand" not in verdicts


def test_after_a_knock_the_gate_looks_at_the_board_where_it_is_now(camera: SimulatedCamera) -> None:
    bumped = SimulatedCamera(camera_at(aim=(1.6, -1.1, 0.0)))
    corner = towers((4, Content(3, "dome")), (9, Content(3, "A")), (0, Content(3)))
    gate = Gate(outline(camera))
    run(gate, views(camera, START) + views(bumped, START, count=6))
    gate.aim(outline(bumped))
    assert run(gate, views(bumped, corner), 10.0)[-1] == "still"
    assert set(run(gate, views(bumped, START, [Hand(12)]), 20.0)) == {"hand"}


def test_a_mug_beside_the_board_does_not_stop_the_game(camera: SimulatedCamera) -> None:
    mugs = views(camera, START, count=120)
    for picture in mugs:
        cv2.circle(picture, (1150, 600), 70, (60, 160, 40), -1)
    gate = Gate(outline(camera))
    assert set(run(gate, views(camera, START) + mugs)[7:]) == {"still"}
    assert set(run(gate, views(camera, START, [Hand(12)]), 100.0)) == {"hand"}


def test_somebody_may_vouch_for_a_picture(camera: SimulatedCamera) -> None:
    gate = Gate(outline(camera))
    covered = views(camera, START, [Hand(12)])
    assert run(gate, views(camera, START) + covered)[-1] == "hand"
    gate.accept(Frame(covered[-1], 9.0, 9))
    assert run(gate, covered, 10.0)[-1] == "still"


@pytest.mark.parametrize("fps", [5, 10])
def test_no_frame_of_a_played_game_with_a_hand_over_the_board_is_still(
    camera: SimulatedCamera, fps: int
) -> None:
    now, pace = [0.0], Pace(hold=1.5)
    acts = [Act(START), Act(BUILT, rest=1.0), Act(START), Act(BUILT)]
    table = SimulatedTable(camera, acts, pace=pace, fps=fps, clock=lambda: now[0])
    gate, board = Gate(outline(camera)), np.rint(outline(camera)).astype(np.int32)
    since, late, covered, seen = 0.0, [], 0, []
    while table.state.phase != "ended":
        frame = table.latest()
        assert frame is not None
        verdict = gate.step(frame)
        hand = shown_hand(acts, pace, now[0])
        over = hand is not None and cv2.pointPolygonTest(board, tip(hand, camera), False) >= 0
        covered += over
        if over:
            assert verdict in ("hand", "moving"), now[0]
        since = now[0] if hand is not None else since
        if hand is None and verdict != "still":
            late.append(now[0] - since)
        seen.append(verdict)
        now[0] += 1 / fps
    assert covered > 5 * fps and seen.count("hand") > 4 * fps
    assert max(late) < 0.75


def shown_hand(acts: Sequence[Act], pace: Pace, seconds: float) -> Hand | None:
    before = acts[0].board
    for number, act in enumerate(acts, start=1):
        lasts = seconds_of(before, act, pace)
        if seconds < lasts:
            hands = moment(before, act, pace, seconds, number).hands
            return hands[0] if hands else None
        seconds, before = seconds - lasts, act.board
    return None


def tip(hand: Hand, camera: SimulatedCamera) -> tuple[float, float]:
    x, y = place_of(hand, camera.camera).tip
    return float(x), float(y)


def test_the_zone_reaches_over_the_towers_at_the_far_border(camera: SimulatedCamera) -> None:
    zone = zone_of(outline(camera), (1280, 720))
    for cell in (20, 24):
        x, y = cell_centre(cell)
        u, v = np.rint(camera.camera.project(np.array([x, y, camera.profile.tallest])) / 4).astype(int)
        assert zone.board[v, u] == 255
    assert zone.outside[0, 0] == 255


def test_pictures_of_any_size_are_judged() -> None:
    small = SimulatedCamera(size=(640, 480))
    gate = Gate(outline(small), (640, 480))
    assert run(gate, views(small, START) + views(small, START, [Hand(12)]))[-1] == "hand"
    assert shrink(np.zeros((480, 640, 3), np.uint8), (320, 240)).shape == (240, 320, 3)


def test_an_upright_phone_is_judged_on_as_few_pixels() -> None:
    upright = SimulatedCamera(camera_at(distance=20, size=(720, 1280)))
    gate = Gate(outline(upright), (720, 1280))
    assert zone_of(outline(upright), (720, 1280)).size == (180, 320)
    verdicts = run(gate, views(upright, START) + views(upright, BUILT) + views(upright, BUILT, [Hand(12)]))
    assert (verdicts[3], verdicts[7], verdicts[-1]) == ("still", "still", "hand")


def test_a_frame_costs_less_than_five_milliseconds(camera: SimulatedCamera) -> None:
    gate = Gate(outline(camera))
    pictures = views(camera, START) + views(camera, START, [Hand(12)]) + views(camera, BUILT)
    run(gate, pictures)
    spent = []
    for number, picture in enumerate(pictures * 3):
        began = time.process_time()
        gate.step(Frame(picture, 50 + number * GAP, number))
        spent.append(time.process_time() - began)
    assert sorted(spent)[len(spent) // 2] < 0.005


PICTURES = Path(__file__).parents[1] / "data" / "pictures"
WANTED: dict[str, Verdict] = {"hand": "hand", "bump": "changed", "light": "changed"}


@pytest.mark.pictures
@pytest.mark.parametrize("game", sorted(path.name for path in PICTURES.glob("game-*")))
def test_every_event_of_a_picture_game_is_called_by_its_name(game: str) -> None:
    facts = json.loads((PICTURES / game / "game.json").read_text())
    taps = np.array(facts["corner_taps"])
    middle = taps.mean(axis=0)
    edge = facts["geometry"]["plateau_size"] / facts["geometry"]["grid_size"]
    gate, now = Gate(middle + (taps - middle) * edge), 0.0
    for item in facts["frames"]:
        picture = cv2.imread(str(PICTURES / game / item["file"]))
        assert picture is not None
        verdicts = run(gate, [picture.astype(np.uint8)] * 4, now)
        now += 4 * GAP
        wanted = WANTED.get(item["event"], "still")
        assert wanted in verdicts, (item, verdicts)
        assert verdicts[-1] == ("hand" if wanted == "hand" else "still"), (item, verdicts)
        assert ("hand" in verdicts) == (wanted == "hand"), (item, verdicts)
