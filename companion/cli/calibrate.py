"""`santorini calibrate`: set the camera up once: corners or tags, the colours, figures, a saved file."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path
from typing import Any, cast

import cv2

from calibration.build import Calibration, Known, Position
from calibration.files import write_whole
from calibration.lens_profile import LensError, LensProfile, find_lens
from calibration.lens_session import LensSession, write_board
from calibration.mat import PAPERS, Paper, tag_layout, write_mat
from calibration.measure import differs, measure, sizes_of
from calibration.pieces import PieceProfile, ProfileError, load_profile, shipped, shipped_names
from calibration.pose import PoseError
from calibration.session import (
    CORNERS,
    CalibrationSession,
    StepError,
    Table,
    draw_grid,
    tableau_position,
    verdict,
)
from calibration.store import save
from companion.cli._lens import run_lens_session
from companion.cli._terminal import (
    InputEnded,
    Terminal,
    cells_text,
    fresh_frame,
    opened_source,
    parse_colours,
    parse_taps,
    parse_workers,
)
from companion.cli.main import UsageError
from companion.paths import add_data_options, data_folder
from vision.reading import Board, Picture
from vision.sources import Source, SourceError
from vision.sources.base import SourceEnded

HELP = "set a camera up: corners or printed tags, piece colours, a verdict in figures, a saved file"
EXAMPLE = "santorini calibrate --camera 0 --colours A=blue,B=cream"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the camera, what is known of the table, and where the result goes."""
    add = parser.add_argument
    add("--camera", default="0", help="0, /dev/video0, http://…, rtsp://…, a video, a folder")
    add("--colours", default="A=blue,B=grey", help="worker colours by side (default: %(default)s)")
    add("--pieces", default="classic", help=f"{', '.join(shipped_names())}, or a profile file")
    add("--tags", choices=PAPERS, help="the printed mat that lies under the island")
    add("--lens", help="a lens by name, or a lens file")
    add("--name", default="table", help="name of the calibration (default: %(default)s)")
    add("--mat", type=Path, metavar="PDF", help="write the mat to print, and stop")
    add("--paper", choices=PAPERS, default="a4", help="paper of the mat (default: %(default)s)")
    add("--measure", type=Path, metavar="FILE", help="measure the pieces on the tableau, write a profile")
    add("--lens-board", type=Path, metavar="PDF", help="write the lens board to print, and stop")
    add("--lens-session", type=Path, metavar="FILE", help="measure the lens, save it here, and stop")
    add_data_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print what is to be printed, or go through the steps with the user."""
    for file in (args.mat, args.lens_board, args.measure, args.lens_session):
        if file is not None and not file.parent.is_dir():
            raise UsageError(f"{file}: there is no folder {file.parent}")
    try:
        if args.mat is not None:
            return print_mat(args.mat, args.paper)
        if args.lens_board is not None:
            return print_lens_board(args.lens_board)
        return with_camera(args, table_of(args), file_name(args.name))
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror or error}") from error


def with_camera(args: argparse.Namespace, table: Table, name: str) -> int:
    """Go through the steps with the user; nothing is kept before there is a picture source."""
    terminal, source = Terminal(sys.stdin, sys.stdout), opened_source(args.camera)
    try:
        if args.lens_session is not None:
            return run_lens_session(terminal, source, LensSession(), args.lens_session)
        folder = data_folder(args).make().calibration
        folder.mkdir(exist_ok=True)
        return calibrate_table(terminal, source, table, folder / name, args.measure)
    except InputEnded:
        print("\nstopped; nothing was saved")
        return 1
    except (SourceError, SourceEnded) as error:
        raise UsageError(str(error)) from error
    except StepError as error:
        raise UsageError(f"{args.camera}: {error}") from error
    finally:
        source.close()


def file_name(name: str) -> str:
    """The file of a calibration of this name; it stays in its folder."""
    if not re.fullmatch(r"[\w][\w .-]*", name):
        raise UsageError(
            f"--name '{name}': letters, digits, dots, dashes and blanks only, a letter or digit first"
        )
    return f"{name}.json"


def print_lens_board(file: Path) -> int:
    """Write the lens board and say how to use it."""
    write_board(file)
    print(f"{file}: print it, glue it flat on card, hold it into the picture:")
    print("santorini calibrate --lens-session my-lens.json")
    return 0


def print_mat(file: Path, paper: Paper) -> int:
    """Write the mat and say how to use it."""
    layout = write_mat(file, paper)
    print(f"{file}: print at 100 %, check that the ruler measures 150 mm, lay the island into the outline.")
    across, along = 2 * layout.across, 2 * layout.along
    print(f"The middles of the tags are {across:.0f} and {along:.0f} mm apart.")
    print(f"Then: santorini calibrate --tags {paper}")
    return 0


def table_of(args: argparse.Namespace) -> Table:
    """What is known before the first picture."""
    layout = tag_layout(cast("Paper", args.tags)) if args.tags else None
    return Table(profile_of(args.pieces), parse_colours(args.colours), layout, lens_of(args.lens))


def profile_of(name: str) -> PieceProfile:
    """A shipped profile by name, or a profile file."""
    try:
        return load_profile(Path(name)) if Path(name).suffix == ".json" else shipped(name)
    except ProfileError as error:
        raise UsageError(str(error)) from error


def lens_of(name: str | None) -> LensProfile | None:
    """A lens by name or file."""
    try:
        return None if name is None else find_lens(name)
    except LensError as error:
        raise UsageError(str(error)) from error


def calibrate_table(
    terminal: Terminal, source: Source, table: Table, file: Path, measured: Path | None = None
) -> int:
    """Go through the steps; save when the user accepts the figures."""
    session = CalibrationSession(table)
    take_empty(terminal, source, session, file)
    calibration = solved(terminal, session, file)
    for step, what in (("tableau", TABLEAU), ("placed", PLACED)):
        if session.step == step and terminal.ask(what).lower() not in ("s", "skip"):
            take_known(terminal, source, session, step)
        else:
            session.skip(cast("Any", step))
    calibration = solved(terminal, session, file)
    print_quality(terminal, calibration)
    if measured is not None and session.tableau is not None:
        print_sizes(terminal, calibration, session.tableau, measured)
    if terminal.ask("Save it? Enter = yes, n = no:").lower() in ("n", "no"):
        terminal.say("not saved")
        return 1
    save(calibration, file)
    terminal.say(f"saved: {file}")
    return 0


TABLEAU = (
    "Tableau, for the colours: on row 3, from a to e, 0, 1, 2, 3 blocks and a complete tower; "
    "on row 1 the workers (a1 b1 are A's, d1 e1 B's; of three sides one each on a1, c1, e1). "
    "Enter = take it, s = skip:"
)
PLACED = "Now the workers alone, anywhere on the ground. Enter = take it, s = skip:"


def taken(source: Source) -> Picture:
    """The next picture that the source gives."""
    return fresh_frame(source, time.monotonic()).picture


def take_empty(terminal: Terminal, source: Source, session: CalibrationSession, file: Path) -> None:
    """Take the empty board, then tags or corners."""
    terminal.ask("Clear the board, keep hands away. Enter = take the picture:")
    picture = taken(source)
    tags = session.take_empty(picture)
    if session.table.tag_layout is not None:
        terminal.say(
            f"{tags} tags found" + ("" if tags >= 2 else "; at least two are needed, so give the corners")
        )
    if session.step == "corners":
        shot = file.with_suffix(".empty.png")
        cv2.imwrite(str(shot), picture)
        terminal.say(
            f"The picture is {shot}. Open it and read off the pixels of the grid's four outer corners."
        )
        ask_corners(terminal, session)


def ask_corners(terminal: Terminal, session: CalibrationSession) -> None:
    """Ask for the corners until they can be right."""
    while True:
        answer = terminal.ask(f"Corners {', '.join(CORNERS)} as x,y x,y x,y x,y:")
        try:
            session.take_corners(parse_taps(answer))
        except ValueError as error:
            terminal.say(str(error))
        else:
            return


def solved(terminal: Terminal, session: CalibrationSession, file: Path) -> Calibration:
    """Solve; when no pose fits, say why and ask for the corners again."""
    while True:
        try:
            calibration = session.solve()
        except (PoseError, StepError) as error:
            if isinstance(error, StepError) and error.code == "lens":
                raise  # other corners would not help
            terminal.say(f"That does not fit: {error}")
            ask_corners(terminal, session)
            continue
        if session.step == "tableau":
            check = file.with_suffix(".check.jpg")
            assert session.empty is not None
            cv2.imwrite(str(check), draw_grid(session.empty, calibration.camera))
            terminal.say(
                f"The grid was found. Look at {check}: do the lines lie on the board and is a1 right?"
            )
        return calibration


def take_known(terminal: Terminal, source: Source, session: CalibrationSession, step: str) -> None:
    """Take a picture whose position is known."""
    sides = tuple(session.table.colours)
    picture = taken(source)
    position: Position = tableau_position(sides)
    if step == "placed":
        position = [(content.height, content.top) for content in ask_workers(terminal, sides)]
    session.take_known(cast("Any", step), picture, position)


def ask_workers(terminal: Terminal, sides: tuple[str, ...]) -> Board:
    """Ask where the workers stand until it can be right."""
    while True:
        answer = terminal.ask("Where do they stand? For example A b2 c3 B d4 e1:")
        try:
            return parse_workers(answer, sides)
        except ValueError as error:
            terminal.say(str(error))


def print_sizes(terminal: Terminal, calibration: Calibration, tableau: Known, file: Path) -> None:
    """Measure the pieces, print every size with its spread, write the profile."""
    measurement, pitch = measure(calibration, tableau.picture, tableau.position), calibration.profile.pitch_mm
    expected = sizes_of(calibration.profile)
    for row in measurement.sizes:
        before = expected[row.name]
        kept = "differs, taken" if differs(row, before) else "agrees, left as it was"
        size, spread = row.value * pitch, row.spread * pitch
        terminal.say(f"{row.name:15} {size:5.1f} mm +- {spread:.1f}, profile {before * pitch:5.1f}: {kept}")
    write_whole(file, json.dumps(measurement.profile.to_json(), indent=1) + "\n")
    terminal.say(f"profile written: {file}; calibrate again with --pieces {file}")


def print_quality(terminal: Terminal, calibration: Calibration) -> None:
    """Say what the calibration is worth, in figures and in a word."""
    quality = calibration.quality
    tags = "" if quality.tag_error_px is None else f", tags {quality.tag_error_px:.2f} px"
    terminal.say(f"Lines found: {quality.lines}; they fit to {quality.reprojection_px:.2f} px{tags}")
    terminal.say(
        f"Tower tops: expected error {quality.height_error_px:.2f} px = {quality.height_error_mm:.1f} mm"
    )
    terminal.say(f"Camera: {quality.elevation_deg:.0f} degrees up, {quality.pitch_px:.0f} px a cell")
    terminal.say(f"Cells that towers will often hide: {cells_text(quality.often_hidden)}")
    for line in quality.warnings:
        terminal.say(f"Better: {line}")
    terminal.say(f"Verdict: {verdict(quality)}")
