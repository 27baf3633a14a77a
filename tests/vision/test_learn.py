from dataclasses import replace

import numpy as np
import pytest

from calibration.build import Palette, calibrate
from calibration.colours import colour, spread
from companion.bench.sight import Spoil, nameless, read_games
from tests import pictures
from vision.reader import Reader
from vision.reader.learn import DRIFT, FARTHEST, MOST, Memory, followed, held
from vision.reading import EMPTY_BOARD, Board, Content, board_from_json

GAME = "game-02"
CALIBRATED = colour((-1.0, 0.0, 0.0), spread(0.3, 0.1, 0.1))


def board(file: str) -> Board:
    return board_from_json(pictures.frame(GAME, file))


def stills(count: int) -> list[str]:
    frames = pictures.labels(GAME)["frames"]
    return [f["file"] for f in frames if f["event"] in ("placed", "turn")][:count]


def named_only() -> Reader:
    """A reader that knows the colours by their names alone."""
    album = pictures.album(GAME)
    empty = pictures.picture(GAME, album.empty_file[0])
    return Reader(calibrate(empty, album.profile, album.colours, album.taps, album.tag_layout))


def test_a_trifle_is_not_followed() -> None:
    near = Memory(500.0, np.array([-0.9, 0.04, -0.04]))
    assert held(CALIBRATED, near).mean == CALIBRATED.mean


def test_a_colour_never_goes_far_however_often_it_was_seen() -> None:
    memory = Memory(0.0, np.zeros(3))
    for _ in range(50):
        memory = memory.with_more(np.tile([4.0, 4.0, -4.0], (200, 1)))
    assert memory.count <= MOST
    moved = np.abs(np.array(held(CALIBRATED, memory).mean) - np.array(CALIBRATED.mean))
    most = FARTHEST * np.sqrt(np.diag(np.array(CALIBRATED.cover)))
    assert np.all(moved <= most) and np.all(moved > 0.5 * most)


def test_a_colour_that_rests_on_more_pixels_moves_less() -> None:
    seen = Memory(500.0, np.array([-0.5, 0.3, 0.3]))
    loose, firm = held(CALIBRATED, seen), held(replace(CALIBRATED, samples=5000), seen)
    assert CALIBRATED.mean[1] < firm.mean[1] < loose.mean[1]


def test_what_was_seen_last_counts_most() -> None:
    memory = Memory(0.0, np.zeros(3))
    for value in (0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0):
        memory = memory.with_more(np.full((300, 3), value))
    assert memory.mean[0] > 0.55


def test_ground_is_followed_slowly_and_never_far_and_shadows_are_not() -> None:
    first = np.full((4, 4, 3), 0.5, dtype=np.float32)
    brighter, shadow = first * np.float32(1.12), first * np.float32(0.5)
    free = np.arange(16) < 12
    once = followed(first, brighter, first, free)
    assert 0.5 < once[0, 0, 0] < 0.52 and once[3, 3, 0] == pytest.approx(0.5)
    assert np.allclose(followed(first, shadow, first, free), first, atol=1e-5)
    level = first
    for _ in range(60):
        level = followed(level, level * np.float32(1.1), first, free)
    assert 0.6 < level[0, 0, 0] <= 0.5 * np.exp(DRIFT) + 0.01
    # around the island the reader has its own way: no bound touches what is not free
    elsewhere = followed(first * 3, first * 3, first, free)
    assert np.allclose(elsewhere[3], 1.5, atol=1e-5)


@pytest.mark.pictures
def test_looking_alone_teaches_nothing() -> None:
    eye = Reader(pictures.calibration(GAME))
    level = eye.setting.base.level[~eye.setting.around.reshape(eye.setting.base.level.shape[:2])]
    for file in stills(2):
        eye.look(pictures.picture(GAME, file))
    after = eye.setting.base.level[~eye.setting.around.reshape(eye.setting.base.level.shape[:2])]
    assert eye.learned.palette == eye.origin.palette and np.array_equal(level, after)


@pytest.mark.pictures
def test_only_the_picture_just_read_can_be_confirmed_and_no_hand() -> None:
    eye = Reader(pictures.calibration(GAME))
    one, hand = stills(1)[0], next(f["file"] for f in pictures.labels(GAME)["frames"] if f["event"] == "hand")
    eye.look(pictures.picture(GAME, hand))
    eye.confirm(pictures.picture(GAME, one), board(one))
    eye.confirm(pictures.picture(GAME, hand), board(hand))
    assert not eye.learned.memory


@pytest.mark.pictures
def test_a_cell_that_was_read_otherwise_teaches_nothing() -> None:
    eye, file = Reader(pictures.calibration(GAME)), stills(1)[0]
    picture = pictures.picture(GAME, file)
    eye.look(picture)
    swap = {"A": "B", "B": "A"}
    wrong = tuple(Content(c.height, swap.get(c.top, c.top)) for c in board(file))
    level = eye.setting.base.level
    eye.confirm(picture, wrong)
    assert not {"A", "B"} & set(eye.learned.memory) and eye.setting.base.level is level
    eye.confirm(picture, board(file))
    assert {"A", "B"} <= set(eye.learned.memory) and eye.setting.base.level is not level


@pytest.mark.pictures
def test_where_a_colour_is_known_by_name_alone_the_board_is_believed_and_not_sight() -> None:
    eye, file = named_only(), stills(1)[0]
    picture = pictures.picture(GAME, file)
    eye.look(picture)
    swap = {"A": "C", "C": "A"}
    wrong = tuple(Content(c.height, swap.get(c.top, c.top)) for c in board(file))
    eye.confirm(picture, wrong)
    # A is blue: what was learned as C's colour is what stands where the board says C
    assert eye.learned.memory["C"].mean[2] > eye.learned.memory["A"].mean[2] + 0.3


@pytest.mark.pictures
def test_confirmed_boards_teach_the_colours_that_names_do_not_tell() -> None:
    eye, told = named_only(), pictures.calibration(GAME).palette
    first = eye.learned.palette
    for file in stills(5):
        picture = pictures.picture(GAME, file)
        eye.look(picture)
        eye.confirm(picture, board(file))

    def off(side: str, palette: Palette) -> float:
        seen, known = palette.workers[side].mean, told.workers[side].mean
        return float(np.abs(np.array(seen) - np.array(known))[1:].sum())

    assert sum(off(s, eye.learned.palette) for s in "ABC") < 0.8 * sum(off(s, first) for s in "ABC")


@pytest.mark.pictures
def test_the_bench_confirms_as_a_game_does_and_may_withhold_colours() -> None:
    album, folder = pictures.album(GAME), pictures.FOLDER / GAME
    short = {folder: nameless(replace(album, files=album.files[:4]))}
    assert set(short[folder].known.values()) == {EMPTY_BOARD}
    frames, _ = read_games(short, Spoil("plain"), confirm=True)
    assert [frame.truth.file for frame in frames] == list(album.files[:4])
    assert frames[0].right
