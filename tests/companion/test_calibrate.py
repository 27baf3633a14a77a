"""`santorini calibrate`: every step in the terminal, on pictures of a simulated table."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lens_profile import LensProfile, save_lens
from calibration.pieces import load_profile, shipped
from calibration.session import CalibrationSession, StepError, Table, draw_grid, verdict
from calibration.store import load
from companion.cli._terminal import corrected, parse_colours, parse_content, parse_taps, parse_workers
from companion.cli.main import UsageError, main
from tests.companion.table_pictures import COLOURS, EMPTY_BOARD, PLACED, TABLEAU, camera, shoot, taps
from vision.reading import Content

pytestmark = pytest.mark.slow


def answer(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def calibrate(folder: Path, data: Path, *more: str) -> int:
    return main(["calibrate", "--camera", str(folder), "--colours", COLOURS, "--data", str(data), *more])


def test_all_steps_end_in_a_saved_file_with_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD, TABLEAU, PLACED])
    answer(monkeypatch, "", "1,2", taps(), "", "", "A b2 z9", "A b2 c2 B c4 d4", "")
    profile = tmp_path / "mine.json"
    assert calibrate(tmp_path / "in", tmp_path / "data", "--measure", str(profile)) == 0
    assert load_profile(profile).name == "measured"
    said = capsys.readouterr().out
    assert "four corners are needed, 1 were given" in said
    assert "'z9' is not a cell" in said
    assert "Verdict: good" in said and "they fit to 0." in said
    saved = load(tmp_path / "data" / "calibration" / "table.json")
    assert set(saved.palette.workers) == {"A", "B"}
    tops = np.array([(x, y, 1.5) for x in (-2, 2) for y in (-2, 2)])
    assert np.linalg.norm(saved.camera.project(tops) - camera().camera.project(tops), axis=1).mean() < 1.0
    assert (tmp_path / "data" / "calibration" / "table.check.jpg").stat().st_size > 10_000


def test_steps_can_be_skipped_and_nothing_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD])
    answer(monkeypatch, "", taps(), "s", "s", "n")
    assert calibrate(tmp_path / "in", tmp_path / "data") == 1
    assert "not saved" in capsys.readouterr().out
    assert not (tmp_path / "data" / "calibration" / "table.json").exists()


def test_the_end_of_the_input_and_of_the_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD])
    answer(monkeypatch, "")
    assert calibrate(tmp_path / "in", tmp_path / "data") == 1
    assert "nothing was saved" in capsys.readouterr().out
    answer(monkeypatch, "", taps(), "")
    assert calibrate(tmp_path / "in", tmp_path / "data") == 2
    assert "that was the last picture" in capsys.readouterr().err


def test_mat_and_lens_board_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--mat", str(tmp_path / "mat.pdf"), "--paper", "a3"]) == 0
    assert main(["calibrate", "--lens-board", str(tmp_path / "board.pdf")]) == 0
    assert all((tmp_path / name).read_bytes().startswith(b"%PDF") for name in ("mat.pdf", "board.pdf"))
    assert "240 and 360 mm apart" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--camera", "gone"], "there is no camera"),
        (["--pieces", "gone"], "no piece profile"),
        (["--lens", "gone"], "no lens file"),
        (["--colours", "blue"], "names no colours"),
    ],
)
def test_bad_values_are_one_sentence(
    tmp_path: Path, words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD])
    assert calibrate(tmp_path / "in", tmp_path / "data", *words) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--mat", "nowhere/mat.pdf"], "nowhere/mat.pdf: there is no folder nowhere"),
        (["--lens-board", "nowhere/board.pdf"], "nowhere/board.pdf: there is no folder nowhere"),
        (["--measure", "nowhere/mine.json"], "nowhere/mine.json: there is no folder nowhere"),
        (["--lens", "list.json"], "list.json: this is no lens file"),
        (["--pieces", "list.json"], "list.json: piece profile: an object is needed"),
        (["--pieces", "no.json"], "no.json"),
        (["--name", "../../x"], "--name '../../x'"),
        (["--name", ".."], "--name '..'"),
    ],
)
def test_nothing_is_made_before_the_words_are_checked(
    words: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    shoot(tmp_path / "in", [EMPTY_BOARD])
    (tmp_path / "list.json").write_text("[1, 2]")
    assert calibrate(tmp_path / "in", tmp_path / "data", *words) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "list.json"]


def test_pictures_of_two_sizes_and_broken_ones_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD, TABLEAU, TABLEAU])
    (tmp_path / "in" / "001.png").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "in" / "002.png"), np.zeros((360, 640, 3), np.uint8))
    answer(monkeypatch, "", taps(), "")
    assert calibrate(tmp_path / "in", tmp_path / "data") == 2
    said = capsys.readouterr().err
    assert "001.png: not a picture that can be read" in said
    assert "in: this picture has another size" in said


def test_whoever_has_read_enough_may_leave(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(words: list[str]) -> int:
        raise BrokenPipeError

    monkeypatch.setattr(sys.modules["companion.cli.main"], "dispatch", broken)
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr("sys.stdout", out)
        assert main(["bench", "sight"]) == 1


def test_too_few_lens_pictures_save_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD])
    lens = tmp_path / "lens.json"
    assert calibrate(tmp_path / "in", tmp_path / "data", "--lens-session", str(lens)) == 1
    assert "8 are needed; nothing was saved" in capsys.readouterr().out
    assert not lens.exists()


# The steps as a library


def session_with_empty() -> CalibrationSession:
    session = CalibrationSession(Table(shipped(), {"A": "blue", "B": "orange"}))
    session.take_empty(camera().render(EMPTY_BOARD))
    return session


def test_another_empty_board_asks_for_all_that_followed_it_again() -> None:
    session = session_with_empty()
    session.take_corners(parse_taps(taps()))
    session.take_known("tableau", camera().render(PLACED), [(c.height, c.top) for c in PLACED])
    session.skip("placed")
    assert session.step == "done"
    session.take_empty(camera().render(EMPTY_BOARD))
    assert (session.step, session.tableau) == ("corners", None)
    session.take_corners(parse_taps(taps()))
    assert session.step == "tableau"


def test_the_steps_follow_each_other() -> None:
    session = CalibrationSession(Table(shipped(), {"A": "blue", "B": "orange"}))
    seen = [session.step]
    session.take_empty(camera().render(EMPTY_BOARD))
    seen.append(session.step)
    session.take_corners(parse_taps(taps()))
    seen.append(session.step)
    session.skip("tableau")
    seen.append(session.step)
    session.take_known("placed", camera().render(PLACED), [(c.height, c.top) for c in PLACED])
    assert [*seen, session.step] == ["empty", "corners", "tableau", "placed", "done"]
    calibration = session.solve()
    assert verdict(calibration.quality) == "good"
    assert draw_grid(camera().render(EMPTY_BOARD), calibration.camera).shape == (720, 1280, 3)


@pytest.mark.parametrize(
    ("spots", "says"),
    [
        ([(100, 100), (200, 100)], "four corners"),
        ([(100, 600), (100, 100), (900, 100), (900, 600)], "wrong way"),
        ([(100, 600), (900, 100), (900, 600), (100, 100)], "cross over"),
        ([(100, 130), (130, 130), (130, 100), (100, 100)], "too close"),
        ([(100, 600), (900, 600), (900, 100), (5000, 100)], "corner a5 lies far outside"),
    ],
)
def test_impossible_corners_are_refused(spots: list[tuple[float, float]], says: str) -> None:
    with pytest.raises(StepError, match=says):
        session_with_empty().take_corners(spots)


def test_steps_out_of_order_are_refused(tmp_path: Path) -> None:
    session = CalibrationSession(Table(shipped(), {"A": "blue"}))
    with pytest.raises(StepError, match="first"):
        session.take_corners([(0, 0)] * 4)
    with pytest.raises(StepError, match="needed first"):
        session.solve()
    with pytest.raises(StepError, match="another size"):
        session_with_empty().take_known("placed", np.zeros((10, 10, 3), np.uint8), [])


def test_a_lens_of_another_shape_is_refused(tmp_path: Path) -> None:
    lens = LensProfile("square", (640, 480), 500.0, (320.0, 240.0), (0.0, 0.0), 0.3, 9, 0.001, "session")
    save_lens(lens, tmp_path / "lens.json")
    session = CalibrationSession(Table(shipped(), {"A": "blue"}, None, lens))
    session.take_empty(camera().render(EMPTY_BOARD))
    session.take_corners(parse_taps(taps()))
    with pytest.raises(StepError, match="says nothing about 1280x720"):
        session.solve()


# What the user types


def test_cells_and_corrections_are_read() -> None:
    assert parse_content("2a", ("A",)) == Content(2, "A")
    assert parse_content("3D", ("A",)) == Content(3, "dome")
    assert parse_content(".", ("A",)) == parse_content("0", ("A",)) == Content(0)
    assert corrected(EMPTY_BOARD, "c3=2A, e5=D", ("A",))[12] == Content(2, "A")
    assert parse_workers("a: b2 c2 B d4", ("A", "B"))[18] == Content(0, "B")
    assert parse_colours("a=Blue, B=cream") == {"A": "blue", "B": "cream"}
    for bad in ("c3", "c3=4", "c3=1Q", "z3=1"):
        with pytest.raises(ValueError, match="c"):
            corrected(EMPTY_BOARD, bad, ("A",))
    for text in ("b2", "A b2"):
        with pytest.raises(ValueError, match=r"worker"):
            parse_workers(text, ("A", "B"))
    with pytest.raises(UsageError):
        parse_colours("AB=blue")
    with pytest.raises(ValueError, match="list of pixels"):
        parse_taps("1,2 3")
