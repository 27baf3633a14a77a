"""The camera of one table while it is set up: pictures, corners, what was read and confirmed."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from calibration.build import Calibration, Known, Position
from calibration.measure import measure
from calibration.pose import GRID_CORNERS, PoseError
from calibration.session import CalibrationSession, StepError, draw_pieces, tableau_position
from companion.live.watcher import Watcher
from companion.web.kit import Kit
from companion.web.ports import NotPossible
from vision.overlay import overlay as draw_reading
from vision.reader import Reader
from vision.reader.batch import primed_aside
from vision.reading import DOME, Picture, Reading, cell_index, cell_name
from vision.sources import Source

KnownStep = Literal["tableau", "placed"]
MARGIN = 0.05


@dataclass(frozen=True, eq=False)
class Check:
    """A picture of known pieces that somebody has to confirm, and what should stand there."""

    step: KnownStep
    picture: Picture
    position: Position
    reading: Reading | None


@dataclass
class Eye:
    """The camera of one table."""

    name: str
    source: Source
    kit: Kit
    session: CalibrationSession
    calibration: Calibration | None = None
    watcher: Watcher | None = None
    check: Check | None = None
    known_marks: list[list[float]] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def picture(self) -> Picture:
        """Return the newest picture; raises `NotPossible` when there is none."""
        frame = self.source.latest()
        if frame is None:
            raise NotPossible("camera.lost")
        return frame.picture

    @property
    def step(self) -> str:
        """What is to be done next; with a calibration of last time there is nothing."""
        if self.session.empty is None and self.calibration is not None:
            return "done"
        return self.session.step

    def take_empty(self) -> None:
        """Begin anew with the picture of the empty board: the camera may stand elsewhere now."""
        # the reader is wanted a few taps from now: what it needs is compiled meanwhile
        primed_aside()
        session = CalibrationSession(self.session.table)
        picture = self.picture()
        session.take_empty(picture)
        self.known_marks = self.marks()
        self.session, self.check, self.calibration = session, None, None
        self.solve()

    def take_corners(self, corners: Sequence[tuple[float, float]]) -> None:
        """Take the outer corners, as shares of the picture."""
        if self.session.empty is None:
            raise NotPossible("wizard.empty.means")
        height, width = self.session.empty.shape[:2]
        self.session.take_corners([(x * width, y * height) for x, y in corners])
        self.solve()

    def look(self, step: KnownStep) -> None:
        """Take a picture of pieces, and say what should stand there, to be confirmed."""
        picture, known = self.picture(), self._solved()
        if self.session.empty is None or picture.shape != self.session.empty.shape:
            raise StepError("this picture has another size than that of the empty board", "size")
        if step == "tableau":
            self.check = Check(step, picture, tableau_position(tuple(self.session.table.colours)), None)
            return
        reading = Reader(known).look(picture)
        position = tuple((content.height, content.top) for content in reading.best)
        self.check = Check(step, picture, position, reading)

    def confirm(self, cells: Mapping[str, tuple[int, str]]) -> None:
        """Take the picture in check for what it is, with some cells corrected."""
        check = self.check
        if check is None:
            raise NotPossible("wizard.check.none")
        tops = {"", DOME, *self.session.table.colours}
        if not all(top in tops for _, top in cells.values()):
            raise NotPossible("error.not_found")
        changed = {cell_index(name): content for name, content in cells.items()}
        position = [changed.get(cell, content) for cell, content in enumerate(check.position)]
        self.session.take_known(check.step, check.picture, position)
        self.check = None
        self.solve()

    def solve(self) -> None:
        """Solve the calibration anew as soon as it can be."""
        if self.session.step not in ("empty", "corners"):
            self.calibration = self.session.solve()

    def _solved(self) -> Calibration:
        if self.calibration is None:
            raise NotPossible("wizard.corners.means")
        return self.calibration

    def measured(self) -> Known:
        """Return the confirmed tableau."""
        if self.session.tableau is None:
            raise NotPossible("wizard.measure.tableau")
        return self.session.tableau

    def measure(self) -> Calibration:
        """Measure the pieces on the tableau and calibrate with these sizes."""
        tableau = self.measured()
        found = measure(self._solved(), tableau.picture, tableau.position)
        self.session.table = replace(self.session.table, profile=found.profile)
        self.solve()
        return self._solved()

    def marks(self) -> list[list[float]] | None:
        """Where the corners lie in the picture, as shares, as far as that is known."""
        if self.calibration is None:
            return self.known_marks
        camera = self.calibration.camera
        shares = camera.project(GRID_CORNERS) / camera.size
        inside = ((shares > -MARGIN) & (shares < 1 + MARGIN)).all()
        return [[float(x), float(y)] for x, y in shares] if inside else None

    def checking(self) -> dict[str, object] | None:
        """Return what is to be confirmed, cell by cell."""
        if self.check is None:
            return None
        cells = [
            {"cell": cell_name(cell), "height": height, "top": top}
            for cell, (height, top) in enumerate(self.check.position)
        ]
        return {"step": self.check.step, "cells": cells}

    def drawn_check(self) -> Picture | None:
        """Return the picture in check, with what should stand there drawn over it."""
        check, known = self.check, self.calibration
        if check is None or known is None:
            return None
        if check.reading is None:
            return self._drawn(check.picture, known, check.position)
        colours = dict(known.colours)
        drawn = draw_reading(check.picture, check.reading, known.camera, known.profile, colours)
        return closer(drawn, known)

    def _drawn(self, picture: Picture, known: Calibration, position: Position) -> Picture:
        colours = self.session.table.colours
        return closer(draw_pieces(picture, known.camera, known.profile, position, colours), known)

    def drawn_plan(self) -> Picture:
        """Return the newest picture with the tableau as it should be laid."""
        plan = tableau_position(tuple(self.session.table.colours))
        return self._drawn(self.picture(), self._solved(), plan)

    def close(self) -> None:
        """Stop watching and let go of the camera."""
        if self.watcher is not None:
            self.watcher.stop()
        self.source.close()


def closer(picture: Picture, known: Calibration) -> Picture:
    """Return the part of a picture that the board takes up, towers and all: phones are small."""
    base = known.profile.board.base
    around = [(x, y, z) for x in (-base, base) for y in (-base, base) for z in (0.0, known.profile.tallest)]
    spots = known.camera.project(np.array(around))
    edge = 0.04 * (spots.max(axis=0) - spots.min(axis=0))
    left, top = np.maximum(spots.min(axis=0) - edge, 0).astype(int)
    right, low = (spots.max(axis=0) + edge).astype(int)
    cut = picture[top:low, left:right]
    return cut if cut.size else picture


def dressed(known: Calibration, colours: Mapping[str, str]) -> Calibration | None:
    """Return a calibration for the same workers on other sides; None where they are others."""
    worn = {colour: side for side, colour in known.colours.items()}
    if sorted(colours.values()) != sorted(worn) or len(worn) != len(known.colours):
        return None
    old = {side: worn[colour] for side, colour in colours.items()}
    workers = {side: known.palette.workers[old[side]] for side in old if old[side] in known.palette.workers}
    figures = {side: known.figures[old[side]] for side in old if old[side] in known.figures}
    palette = replace(known.palette, workers=workers)
    return replace(known, colours=dict(colours), palette=palette, figures=figures)


class explained:
    """Turns what the set-up cannot do into a refusal with a text."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        match error:
            case StepError(code="lens"):
                raise NotPossible("wizard.kit.broken", {"what": str(error)}) from error
            case StepError():
                raise NotPossible(f"wizard.fault.{error.code}", {"space": error.space}) from error
            case PoseError():
                raise NotPossible("wizard.no_pose") from error
