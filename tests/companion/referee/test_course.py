"""Where a game begins, whatever pictures of it are there, and what is printed of each."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from calibration.pieces import shipped
from companion.cli import track
from companion.referee.fakes import SureEye, drawn
from companion.referee.pictures import Course, Followed, LineUp, followed_to_json, line_up
from companion.referee.tracking import board_now
from engine.setup import Setup
from tests.companion.referee.positions import game, play
from tests.companion.referee.test_tracking import changed
from vision.album import Album, open_album
from vision.reading import EMPTY_BOARD, Board, board_to_json
from vision.seeing import Seen

PICTURES = Path(__file__).parents[2] / "data" / "pictures"
FIELDS = ["file", "decision", "turn", "by", "reason", "position", "seen", "choices", "ms"]
START = board_now(game())
TABLEAU = changed(EMPTY_BOARD, b3="1", c3="2", d3="3", e3="3dome", a1="0A", b1="0A", d1="0B", e1="0B")
TURN = "A1:b2>c3 A1+c4"
AFTER = board_now(play(game(), TURN))


def album(files: str, known: Mapping[str, Board]) -> Album:
    """A game of pictures named by one letter each."""
    colours = {"A": "blue", "B": "grey"}
    return Album(Path(), tuple(files), dict.fromkeys(files, ""), colours, None, None, shipped(), known)


def followed(pictures: Album, boards: Mapping[str, Board], named: str = "b2 d4") -> list[dict[str, Any]]:
    """What is said of each picture that can be read, by an eye without fault."""
    names = {file: {"A": named.split(), "B": ["b4", "d2"]} for file, board in pictures.known.items()
             if board == START}  # fmt: skip
    course, eye, said = Course(pictures, LineUp(Setup.of(None, None), names)), SureEye(), []
    for file in pictures.files:
        if file in boards:
            picture = drawn(boards[file])
            seen = Seen(file, picture, eye.look(picture), None, 0.0)  # type: ignore[arg-type]
            decided, official = course.take(seen, partial(eye.weigh, picture))
            said.append(followed_to_json(Followed(seen, decided, official, 1.0, course.tracker is not None)))
    return said


def turns(said: list[dict[str, Any]]) -> list[str]:
    """What was decided, a turn by its name."""
    return [line["turn"] or line["decision"] for line in said]


CONFIRMED = {"e": EMPTY_BOARD, "t": TABLEAU, "p": START}


def test_a_game_begins_with_its_first_picture_of_placed_workers() -> None:
    said = followed(album("etp1", CONFIRMED), {**CONFIRMED, "1": AFTER})
    assert turns(said) == ["none", "none", "none", TURN]
    assert said[1]["position"] == board_to_json(TABLEAU, ("A", "B"))
    assert said[2]["position"] == board_to_json(START, ("A", "B"))


@pytest.mark.parametrize("files", ["etp1", "et1"])
def test_a_game_begins_as_it_is_known_to_though_no_picture_shows_it(files: str) -> None:
    """Its picture is broken, or not even listed: the confirmed position is there."""
    boards = {"e": EMPTY_BOARD, "t": TABLEAU, "1": AFTER}
    said = followed(album(files, CONFIRMED), boards)
    assert turns(said) == ["none", "none", TURN]


def test_workers_are_numbered_as_the_first_known_beginning_names_them() -> None:
    said = followed(album("etp1", CONFIRMED), {**CONFIRMED, "1": AFTER}, named="d4 b2")
    assert turns(said)[-1] == TURN.replace("A1", "A2")


def test_a_beginning_that_is_confirmed_again_begins_anew_unless_it_is_the_same() -> None:
    known = {**CONFIRMED, "q": START}
    boards = {**known, "1": AFTER, "2": AFTER}
    assert turns(followed(album("etpq1", known), boards)) == ["none"] * 4 + [TURN]
    assert turns(followed(album("etp1q2", known), boards)) == ["none"] * 3 + [TURN, "none", TURN]


def test_without_a_known_beginning_it_is_taken_from_what_is_seen() -> None:
    said = followed(album("ep1", {"e": EMPTY_BOARD}), {"e": EMPTY_BOARD, "p": START, "1": AFTER})
    assert turns(said)[:2] == ["none", "none"] and said[-1]["decision"] == "turn"


def test_a_line_has_the_fields_that_it_should_and_no_others() -> None:
    fallen = changed(START, a1="3", a2="2dome", e5="3", e4="1", c3="2", c1="1dome")
    unlawful = changed(START, b2="0", b5="0A", c5="1")
    boards = {**CONFIRMED, "1": fallen, "2": unlawful, "3": AFTER}
    said = followed(album("etp123", CONFIRMED), boards)
    assert turns(said)[3:] == ["ask", "illegal", TURN] and said[4]["reason"] == "not_neighbour"
    assert all(list(line) == FIELDS for line in said)
    asked = said[3]
    assert asked["turn"] is asked["by"] is asked["reason"] is None
    assert asked["seen"] == board_to_json(fallen, ("A", "B"))
    assert 2 <= len(asked["choices"]) <= 3
    for choice in asked["choices"]:
        assert list(choice) == ["decision", "turn", "by", "reason", "chance"]
        assert (choice["turn"] is not None) is (choice["decision"] == "turn")
        assert (choice["reason"] is not None) is (choice["decision"] == "illegal")
        assert choice["decision"] in ("turn", "none", "illegal")


def test_a_choice_of_two_turns_names_both() -> None:
    both = play(play(game(), TURN), "B2:d2>d3 B2+d2")
    seen = changed(board_now(both), a5="1", e5="1", e1="1")
    said = followed(album("etp1", CONFIRMED), {**CONFIRMED, "1": seen})[-1]
    assert said["decision"] == "ask" and said["position"] == board_to_json(START, ("A", "B"))
    assert [c for c in said["choices"] if c["turn"] == f"{TURN} / B2:d2>d3 B2+d2" and c["by"] == "B"]


def copied(source: Path, target: Path, files: tuple[str, ...], known: tuple[str, ...]) -> Path:
    """A game of some of the pictures of another, of which some are confirmed."""
    target.mkdir()
    data = json.loads((source / "game.json").read_text("utf-8"))
    data["frames"] = [{"file": file, "event": ""} for file in files]
    data["known"] = {name: board for name, board in data["known"].items() if name in known}
    for file in {*files, *known}:
        shutil.copy(source / file, target)
    (target / "game.json").write_text(json.dumps(data), "utf-8")
    return target


@pytest.mark.slow
@pytest.mark.pictures
def test_a_game_whose_placed_picture_is_broken_is_followed_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = PICTURES / "game-02"
    known = open_album(source).known
    start = next(name for name, board in known.items() if sum(c.top in ("A", "B") for c in board) == 4)
    files = open_album(source).files
    first = files[files.index(start) + 1]
    folder = copied(source, tmp_path / "game", ("000.jpg", start, first), ("000.jpg", start))
    (folder / start).write_bytes((folder / start).read_bytes()[:3000])
    assert track.run(arguments(folder)) == 1
    told = capsys.readouterr()
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert [line["decision"] for line in lines] == ["none", "turn"] and start in told.err
    assert line_up(open_album(folder)).named[start]


@pytest.mark.slow
@pytest.mark.pictures
def test_that_nothing_could_be_followed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copied(PICTURES / "game-02", tmp_path / "game", ("000.jpg", "005.jpg"), ("000.jpg",))
    assert track.run(arguments(folder)) == 1
    assert "no turn was followed" in capsys.readouterr().err


def arguments(folder: Path) -> Any:
    """The words of the command line."""
    parser = argparse.ArgumentParser()
    track.configure(parser)
    return parser.parse_args([str(folder)])
