"""`santorini capture DIR`: shoot and label a set of pictures of an own table, for `bench sight` to score."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from calibration.build import Calibration
from calibration.camera import Camera
from calibration.mat import PAPERS, tag_layout
from calibration.pieces import shipped_names
from calibration.pose import GRID_CORNERS, PoseError
from calibration.session import CalibrationSession, StepError, Table, tableau_position, verdict
from companion.cli._picture_set import REPEATS, PictureSet
from companion.cli._terminal import (
    InputEnded,
    Terminal,
    confirm_board,
    opened_source,
    parse_colours,
)
from companion.cli.calibrate import ask_corners, lens_of, profile_of, taken
from companion.cli.main import UsageError
from engine.cards import CARDS
from vision.reader import Reader
from vision.reading import EMPTY_BOARD, Board, Content, Picture
from vision.sources import Source, SourceError
from vision.sources.base import SourceEnded

HELP = "shoot and label pictures of your own table, so that `bench sight` can score them"
EXAMPLE = "santorini capture my-table --camera 0 --colours A=blue,B=cream"
KEYS: Final = {
    "": "turn",
    "t": "tableau",
    "p": "placed",
    "h": "hand",
    "i": "illegal",
    "b": "bump",
    "l": "light",
}
HOW: Final = (
    "For every picture: Enter after a turn, t tableau, p workers placed, h with a hand in it, "
    "i after an illegal turn, b camera bumped, l light changed; q to finish."
)


POOR: Final = (
    "The printed lines are not where these corners say. Enter = give the corners again, k = keep them:"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the folder to write, the camera and what is known of the table."""
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="new folder for the set")
    add("--camera", default="0", help="0, http://…, rtsp://…, or a folder of pictures shot before")
    add("--colours", default="A=blue,B=grey", help="worker colours by side (default: %(default)s)")
    add("--pieces", default="classic", help=f"{', '.join(shipped_names())}, or a profile file")
    add("--tags", choices=PAPERS, help="the printed mat that lies under the island")
    add("--lens", help="a lens by name, or a lens file")
    add("--gods", default="", help="powers by side, such as A=POWER,B=POWER (default: none)")


def run(args: argparse.Namespace) -> int:
    """Prepare the folder and go through the pictures with the user."""
    if args.folder.exists() and any(args.folder.iterdir()):
        raise UsageError(f"{args.folder} is not empty: name a new folder")
    layout = tag_layout(args.tags) if args.tags else None
    table = Table(profile_of(args.pieces), parse_colours(args.colours), layout, lens_of(args.lens))
    gods = parse_gods(args.gods, table.colours)
    source, terminal = opened_source(args.camera), Terminal(sys.stdin, sys.stdout)
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        files = PictureSet(args.folder, table.profile, table.colours, table.tag_layout, gods=gods)
        return capture(terminal, source, table, files)
    except (SourceError, PoseError, StepError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror or error}") from error
    finally:
        source.close()


def parse_gods(text: str, sides: Collection[str]) -> dict[str, str]:
    """Who plays with which power, from `side=power,side=power`."""
    found: dict[str, str] = {}
    for item in filter(None, text.replace(" ", "").split(",")):
        side, _, power = item.partition("=")
        if side.upper() not in sides:
            raise UsageError(f"--gods '{item}': there is no side '{side}'; there are: {', '.join(sides)}")
        if power.lower() not in CARDS:
            raise UsageError(f"--gods '{item}': '{power}' is no power")
        found[side.upper()] = power.lower()
    return found


@dataclass
class Capture:
    """A set in the making, and what has been learned of the table so far."""

    terminal: Terminal
    source: Source
    session: CalibrationSession
    files: PictureSet
    calibration: Calibration | None = None
    reader: Reader | None = None

    def learn(self) -> Calibration:
        """Build the calibration anew from all confirmed pictures."""
        self.calibration = self.session.solve()
        self.reader = Reader(self.calibration)
        return self.calibration


def capture(terminal: Terminal, source: Source, table: Table, files: PictureSet) -> int:
    """Take pictures until the user or the source has had enough."""
    folder = files.folder
    work = Capture(terminal, source, CalibrationSession(table), files)
    try:
        take_empty(work)
        terminal.say(HOW)
        while (key := terminal.ask(f"Picture {len(files.shots)} (Enter t p h i b l q):").lower()) != "q":
            if key in KEYS:
                take(work, KEYS[key])
            else:
                terminal.say(f"'{key}' is none of these")
    except InputEnded:
        terminal.say("")
    except SourceEnded as end:
        terminal.say(str(end))
    terminal.say(f"{len(files.shots)} pictures in {folder}. Score them: santorini bench sight {folder}")
    return 0 if files.shots else 1


def take_empty(work: Capture) -> None:
    """The first picture: the empty board, its corners, and a first calibration."""
    terminal, session = work.terminal, work.session
    terminal.ask("Clear the board, keep hands away. Enter = take the picture:")
    picture = taken(work.source)
    tags = session.take_empty(picture)
    if session.table.tag_layout is not None:
        terminal.say(f"{tags} tags found")
    shot = work.files.folder / "000.jpg"
    cv2.imwrite(str(shot), picture)
    if session.step == "corners":
        terminal.say(f"The picture is {shot}. Read off the grid's four outer corners.")
        ask_corners(terminal, session)
    calibration = settled(work)
    corners = calibration.camera.project(GRID_CORNERS).round(1).tolist()
    work.files.taps = session.taps or [(x, y) for x, y in corners]
    work.files.add(picture, "empty", EMPTY_BOARD, calibration.camera)


def settled(work: Capture) -> Calibration:
    """Calibrate on the empty board; corners that fit no printed lines are asked for again."""
    terminal, session = work.terminal, work.session
    while True:
        try:
            calibration = work.learn()
        except PoseError as error:
            if session.taps is None:
                raise
            terminal.say(f"That does not fit: {error}")
            ask_corners(terminal, session)
            continue
        quality, word = calibration.quality, verdict(calibration.quality)
        terminal.say(f"Lines fit to {quality.reprojection_px:.2f} px; verdict: {word}")
        if word != "poor" or session.taps is None or terminal.ask(POOR).lower() in ("k", "keep"):
            return calibration
        ask_corners(terminal, session)


def take(work: Capture, event: str) -> None:
    """Take one picture, settle its position with the user, write it."""
    picture = taken(work.source)
    last = work.files.stable
    board = last.board if last is not None else EMPTY_BOARD
    read, camera = look(work, picture)
    if event == "tableau":
        read = tuple(Content(*item) for item in tableau_position(tuple(work.session.table.colours)))
    if event not in REPEATS:
        board = confirm_board(work.terminal, read, tuple(work.session.table.colours))
    shot = work.files.add(picture, event, board, camera)
    work.terminal.say(f"{shot.file}: {event}")
    if event in ("tableau", "placed"):
        position = [(content.height, content.top) for content in board]
        work.session.take_known("tableau" if event == "tableau" else "placed", picture, position)
        work.learn()


def look(work: Capture, picture: Picture) -> tuple[Board, Camera]:
    """What the reader makes of a picture, and where the camera stands; it follows a bump."""
    assert work.reader is not None
    reading = work.reader.look(picture)
    if reading.camera != "ok":
        work.terminal.say("The camera was bumped." if reading.camera == "moved" else "The light has changed.")
    if reading.status == "busy":
        work.terminal.say("A hand seems to be in the picture.")
    return reading.best, work.reader.setting.calibration.camera
