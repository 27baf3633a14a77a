"""The pure parts of the renderer: play, placing, camera and the files' format."""

from __future__ import annotations

import itertools
import random

import cv2
import numpy as np
import pytest

from tests.renders import camera, labels, place, play
from tests.renders.spec import GAMES as MADE
from tests.renders.spec import Conditions
from tests.renders.wild import wild

pytestmark = pytest.mark.slow

GAMES = (*MADE, *(wild(number) for number in range(11, 23)))
GAME_KEYS = (
    "name image_size camera players tags tag_layout corner_taps corner_taps_order frames geometry known"
)
LABEL_KEYS = "name style camera_facts table shadow mat_in_board_frame worker_rgb clutter light_shares noise"
TRUTH_KEYS = f"{LABEL_KEYS} true_corners frames"
FRAME_KEYS = "file event heights domes workers follows camera pieces"
CAMERA_KEYS = "fx fy cx cy k1 k2 R_world_to_camera t_world_to_camera_mm camera_position_mm"
PLAN = ["turn"] * 9 + ["hand", "illegal", "turn", "bump", "light", "turn", "illegal", "turn"]


def frames_of(cond: Conditions, seed: int = 5) -> list[play.Frame]:
    return play.any_game(list(cond.gods), PLAN, cond.tableau, seed)


def tables_of(frames: list[play.Frame], cond: Conditions) -> list[place.Table]:
    tables: list[place.Table] = []
    rng = random.Random(cond.seed)
    for frame in frames:
        before = place.Table() if frame.follows is None else tables[frame.follows]
        tables.append(place.settle(before, frame.label, cond.sizes, rng))
    return tables


@pytest.mark.parametrize("cond", GAMES, ids=lambda c: f"game-{c.number}")
def test_positions_are_boards_that_can_stand_on_a_table(cond: Conditions) -> None:
    for frame in frames_of(cond):
        board = frame.label
        assert set(board.heights) <= {0, 1, 2, 3}
        assert len(set(board.workers.values())) == len(board.workers)
        assert not board.domes & set(board.workers.values())


@pytest.mark.parametrize("cond", GAMES, ids=lambda c: f"game-{c.number}")
def test_a_legal_turn_moves_one_step_up_one_at_most_and_raises_the_island(cond: Conditions) -> None:
    frames = frames_of(cond)
    for frame in frames:
        if frame.event != "turn" or frame.turn is None or frame.follows is None:
            continue
        told, before = frame.turn, frames[frame.follows].label
        start, end = play.index(told["from"]), play.index(told["to"])
        assert play.distance(start, end) == 1
        assert told["up"] == before.heights[end] - before.heights[start] <= 1
        grown = sum(frame.label.heights) + len(frame.label.domes) - sum(before.heights) - len(before.domes)
        assert grown == len(told["builds"]) - ("removed_block" in told)


def test_hands_bumps_and_light_repeat_the_last_stable_board_and_nothing_follows_an_illegal_turn() -> None:
    frames = frames_of(GAMES[0])
    for frame in frames:
        if frame.follows is not None:
            assert frames[frame.follows].event not in ("illegal", "hand")
        if frame.event in ("hand", "bump", "light"):
            assert frame.follows is not None
            assert frame.label == frames[frame.follows].label


def test_every_kind_of_illegal_turn_occurs_and_differs_from_the_board_before() -> None:
    seen = set()
    for cond, seed in itertools.product(GAMES[:6], range(10)):
        gods = dict(zip("ABC", cond.gods))
        frames = frames_of(cond, seed)
        for frame in (f for f in frames if f.event == "illegal"):
            assert frame.turn is not None and frame.follows is not None
            assert frame.label != frames[frame.follows].label
            assert frame.turn["kind"] != play.ALLOWED.get(gods[frame.turn["player"]])
            seen.add(frame.turn["kind"])
    assert seen == set(play.KINDS)


@pytest.mark.parametrize("cond", GAMES, ids=lambda c: f"game-{c.number}")
def test_pieces_stand_where_the_position_says_and_untouched_ones_stay(cond: Conditions) -> None:
    frames = frames_of(cond)
    tables = tables_of(frames, cond)
    for frame, table in zip(frames, tables):
        for cell, stack in enumerate(table.stacks):
            kinds = [f"L{k + 1}" for k in range(frame.label.heights[cell])]
            assert [p.kind for p in stack] == kinds + ["dome"] * (cell in frame.label.domes)
            assert all(abs(p.x - (cell % 5 - 2) * 43) < 10 for p in stack)
            assert [p.z for p in stack] == sorted(p.z for p in stack)
        if frame.event in ("hand", "bump", "light") and frame.follows is not None:
            assert table == tables[frame.follows]


def test_a_worker_stands_in_the_recess_of_the_tower_below_it() -> None:
    position = play.Position((0,) * 12 + (2,) + (0,) * 12, frozenset(), {"A1": 12, "A2": 0})
    table = place.settle(place.Table(), position, place.Sizes(), random.Random(3))
    high, low = (piece for _, _, piece in table.workers)
    assert high.z - table.stacks[12][-1].z == pytest.approx(47.5 - 26)
    assert low.z == place.PLATEAU


@pytest.mark.parametrize("cond", GAMES, ids=lambda c: f"game-{c.number}")
def test_the_whole_board_is_in_the_picture_from_the_asked_side(cond: Conditions) -> None:
    view, _ = camera.fitting(cond.view, np.random.default_rng(1))
    seen = camera.project(view, camera.CORNERS)
    assert seen.min() > 0 and seen[:, 0].max() < 1280 and seen[:, 1].max() < 720
    assert np.linalg.det(view.turn) == pytest.approx(1)
    corners, pixels = camera.undistorted(view, seen), camera.CORNERS @ view.turn.T + view.shift
    assert np.allclose(corners, pixels[:, :2] / pixels[:, 2:], atol=1e-6)


def test_the_labelled_camera_is_opencvs() -> None:
    view, _ = camera.fitting(MADE[4].view, np.random.default_rng(1))
    told = view.label()
    inner = np.array([[told["fx"], 0, told["cx"]], [0, told["fy"], told["cy"]], [0, 0, 1]])
    turn, _ = cv2.Rodrigues(np.array(told["R_world_to_camera"]))
    shift = np.array(told["t_world_to_camera_mm"])
    seen, _ = cv2.projectPoints(camera.CORNERS, turn, shift, inner, np.array([told["k1"], told["k2"], 0, 0]))
    assert np.allclose(seen[:, 0], camera.project(view, camera.CORNERS), atol=1e-6)


def test_a_bump_is_as_big_as_the_format_promises() -> None:
    rng = np.random.default_rng(2)
    view, _ = camera.fitting(GAMES[1].view, rng)
    moved, note = camera.knock(view, rng)
    assert 3 <= np.linalg.norm(moved.eye - view.eye) <= 10
    assert 0.5 <= note["turn_deg"] <= 2
    assert np.allclose(moved.turn @ moved.turn.T, np.eye(3))


@pytest.mark.parametrize("cond", GAMES, ids=lambda c: f"game-{c.number}")
def test_both_files_have_the_keys_of_the_picture_sets(cond: Conditions) -> None:
    frames = frames_of(cond)
    view, share = camera.fitting(cond.view, np.random.default_rng(1))
    exact, tapped = camera.taps(view, np.random.default_rng(1))
    told = [
        labels.frame(k, f, view, t.pieces(), len(cond.colours))
        for k, (f, t) in enumerate(zip(frames, tables_of(frames, cond)))
    ]
    extra = {"facts": labels.facts(cond, view, share), "mat": None, "clutter": [], "shares": {}}
    game, truth = labels.game(cond, frames, tapped), labels.labels(cond, extra, exact, told)
    assert set(GAME_KEYS.split()) == set(game)
    assert set(TRUTH_KEYS.split()) <= set(truth)
    assert {f["file"] for f in told} == {f["file"] for f in game["frames"]}
    assert all(
        set(FRAME_KEYS.split()) <= set(f) and set(CAMERA_KEYS.split()) == set(f["camera"]) for f in told
    )
    assert all(len(f["heights"]) == 5 and len(f["domes"][0]) == 5 for f in told)
    assert np.abs(np.array(tapped) - exact).max() < 20


def test_row_five_comes_first_in_a_label() -> None:
    position = play.Position((1,) + (0,) * 23 + (2,), frozenset({24}), {"A1": play.index("b1")})
    told = labels.board(position, 2)
    assert told["heights"][4][0] == 1 and told["heights"][0][4] == 2 and told["domes"][0][4]
    assert told["workers"] == {"A": ["b1"], "B": []}


def test_blocks_in_a_recess_have_the_turn_of_the_one_below() -> None:
    rng, sizes, off = random.Random(3), place.Sizes(), []
    for _ in range(300):
        stack = place.restack(
            place.Table(), 12, play.Position((0,) * 12 + (3,) + (0,) * 12, frozenset(), {}), sizes, rng
        )
        for below, block in itertools.pairwise(stack):
            lift = block.z - below.z - (26.0 if below.kind == "L1" else 24.0)
            off.append((lift > 1.0, abs(np.degrees(np.angle(np.exp(4j * (block.rot - below.rot))) / 4))))
    held = [turn for rides, turn in off if not rides]
    assert max(held) < 3.4 and len(held) > 0.8 * len(off)
    assert max(turn for rides, turn in off if rides) > 10.0
