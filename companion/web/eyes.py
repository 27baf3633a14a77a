"""Cameras of tables: sources, the set-up step by step, and watching."""

from __future__ import annotations

import hashlib
import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

import cv2

from calibration.build import Calibration
from calibration.mat import Paper, tag_layout, write_mat
from calibration.pieces import shipped
from calibration.pose import PoseError
from calibration.session import (
    CalibrationSession,
    Step,
    StepError,
    draw_grid,
    tableau_position,
    verdict,
)
from calibration.session import Table as KnownTable
from calibration.store import CalibrationFileError, load, save
from companion.live.watcher import Watcher
from companion.live.watching import watcher_for
from companion.table.live import Table as LiveTable
from companion.web.ports import Json, NotPossible, Table
from companion.web.verdicts import figures, problems
from vision.overlay import overlay as draw_reading
from vision.reading import Picture
from vision.sources import Source, SourceError, open_source
from vision.sources.opening import devices
from vision.sources.pushed import PushedPictures

PHONE = "phone"
QUALITY = 82
Opener = Callable[[str], Source]


@dataclass
class Eye:
    """The camera of one table."""

    name: str
    source: Source
    session: CalibrationSession
    calibration: Calibration | None = None
    watcher: Watcher | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def picture(self) -> Picture:
        """Return the newest picture; raises `NotPossible` when there is none."""
        frame = self.source.latest()
        if frame is None:
            raise NotPossible("camera.lost")
        return frame.picture

    def close(self) -> None:
        """Stop watching and let go of the camera."""
        if self.watcher is not None:
            self.watcher.stop()
        self.source.close()


class Lent(Protocol):
    """A table that brings its own camera, already set up: the practice table."""

    table: LiveTable
    watcher: Watcher | None
    calibration: Calibration | None


class Eyes:
    """The cameras of all tables."""

    def __init__(
        self,
        folder: Path,
        offered: str | None = None,
        opener: Opener = open_source,
        debug: Path | None = None,
    ) -> None:
        self._debug = debug
        self._folder = folder
        self._offered = offered
        self._open = opener
        self._eyes: dict[str, Eye] = {}
        self._lent: list[Lent] = []
        self._lock = threading.Lock()

    def lend(self, lent: Lent) -> None:
        """Show the pictures of a table that brings its own camera."""
        self._lent.append(lent)

    def _lent_for(self, table: Table) -> Lent | None:
        return next((each for each in self._lent if each.table.id == table.id), None)

    def sources(self) -> Sequence[Json]:
        """Return what can be chosen: what was named at the start, what is plugged in, a phone."""
        named = [{"id": self._offered, "kind": "network"}] if self._offered else []
        found = [{"id": str(number), "kind": "usb"} for number in devices()]
        return [*named, *found, {"id": PHONE, "kind": PHONE}]

    def state(self, table: Table) -> Json:
        """Return how far the set-up of a table's camera is."""
        eye = self._eyes.get(table.id)
        lent = self._lent_for(table)
        if eye is None and lent is not None:
            return self._state_of_lent(table, lent)
        quality = eye.calibration.quality if eye and eye.calibration else None
        return {
            "source": eye.name if eye else None,
            "phase": eye.source.state.phase if eye else "none",
            "step": eye.session.step if eye else "source",
            "tags": eye.session.tags if eye else 0,
            "watching": bool(eye and eye.watcher),
            "verdict": verdict(quality) if quality else None,
            "figures": figures(quality) if quality else {},
            "problems": problems(quality) if quality else [],
            "colours": colours_of(table),
        }

    def _state_of_lent(self, table: Table, lent: Lent) -> Json:
        quality = lent.calibration.quality if lent.calibration else None
        return {
            "source": "sim",
            "phase": "live",
            "step": "done",
            "tags": 0,
            "watching": lent.watcher is not None,
            "verdict": verdict(quality) if quality else None,
            "figures": figures(quality) if quality else {},
            "problems": problems(quality) if quality else [],
            "colours": colours_of(table),
        }

    def use(self, table: Table, source: str) -> None:
        """Connect a table to a source; what was set up for it last time is there to be kept."""
        if self._lent_for(table) is not None:
            raise NotPossible("ui.test_mode")
        opened = self._opened(source)
        self.drop(table)
        session = CalibrationSession(KnownTable(shipped("classic"), colours_of(table), tag_layout("a4")))
        eye = Eye(source, opened, session, self._known(source, colours_of(table)))
        with self._lock:
            self._eyes[table.id] = eye

    def _opened(self, source: str) -> Source:
        try:
            return PushedPictures() if source == PHONE else self._open(source)
        except SourceError as error:
            raise NotPossible("wizard.no_source", {"what": str(error)}) from error

    def _known(self, source: str, colours: dict[str, str]) -> Calibration | None:
        """Read the calibration of last time, where it was made for these workers."""
        try:
            known = load(self._path(source))
        except (CalibrationFileError, OSError):
            return None
        return known if dict(known.colours) == colours else None

    def resume(self, table: Table, source: str) -> bool:
        """Watch with the calibration of last time; false when there is none to go on with."""
        self.use(table, source)
        if self._eye(table).calibration is None:
            return False
        self._watch(table)
        return True

    def follow(self, old: Table, new: Table) -> None:
        """Take the camera along to the next game at the same place."""
        with self._lock:
            eye = self._eyes.pop(old.id, None)
            if eye is None:
                return
            self._eyes[new.id] = eye
        if eye.watcher is not None and isinstance(new, LiveTable):
            eye.watcher.move_to(new)

    def drop(self, table: Table) -> None:
        """Go on without a camera."""
        with self._lock:
            eye = self._eyes.pop(table.id, None)
        if eye is not None:
            eye.close()
            table.surround(camera="none", sync=None, question=None, notice=None)

    def stop(self) -> None:
        """Let go of all cameras."""
        with self._lock:
            eyes, self._eyes = list(self._eyes.values()), {}
        for eye in eyes:
            eye.close()

    def _eye(self, table: Table) -> Eye:
        eye = self._eyes.get(table.id)
        if eye is None:
            raise NotPossible("wizard.source")
        return eye

    def picture(self, table: Table, overlay: bool) -> bytes | None:
        """Return the newest picture as JPEG, with what is seen drawn over it where that is wanted."""
        eye = self._eyes.get(table.id) or self._lent_for(table)
        if eye is None:
            return None
        drawn = self._shown(eye, overlay)
        if drawn is None:
            return None
        done, jpeg = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return jpeg.tobytes() if done else None

    def _shown(self, eye: Eye | Lent, overlay: bool) -> Picture | None:
        """Give the newest picture, with the reading or else the grid over it where that is wanted."""
        shown = eye.watcher.shown if eye.watcher else None
        known = eye.calibration
        if overlay and known is not None and shown is not None and shown.reading is not None:
            return draw_reading(
                shown.frame.picture, shown.reading, known.camera, known.profile, dict(known.colours)
            )
        frame = eye.source.latest() if isinstance(eye, Eye) else (shown.frame if shown else None)
        if frame is None:
            return None
        return draw_grid(frame.picture, known.camera) if overlay and known is not None else frame.picture

    def take(self, table: Table, step: str) -> None:
        """Take the picture of a step; the calibration is solved anew as soon as it can be."""
        eye = self._eye(table)
        picture = eye.picture()
        with eye.lock, _explained():
            if step == "empty":
                eye.session.take_empty(picture)
            else:
                position = self._standing(table, eye, step)
                eye.session.take_known(cast("Step", step), picture, position)
            self._solve(eye)

    def _standing(self, table: Table, eye: Eye, step: str) -> Any:
        if step == "tableau":
            return tableau_position(tuple(eye.session.table.colours))
        board = table.public().board
        return tuple((c.height, "dome" if c.dome else c.worker.id[0] if c.worker else "") for c in board)

    def corners(self, table: Table, corners: Sequence[tuple[float, float]]) -> None:
        """Take the outer corners, as shares of the picture."""
        eye = self._eye(table)
        with eye.lock, _explained():
            empty = eye.session.empty
            if empty is None:
                raise NotPossible("wizard.empty.means")
            height, width = empty.shape[:2]
            eye.session.take_corners([(x * width, y * height) for x, y in corners])
            self._solve(eye)

    def _solve(self, eye: Eye) -> None:
        if eye.session.step not in ("empty", "corners"):
            eye.calibration = eye.session.solve()

    def skip(self, table: Table, step: str) -> None:
        """Leave a step out that may be left out."""
        if step == "empty":
            raise NotPossible("wizard.empty.means")
        self._eye(table).session.skip(cast("Step", step))

    def keep(self, table: Table) -> None:
        """Save the calibration and begin to watch."""
        eye = self._eye(table)
        if eye.calibration is None:
            raise NotPossible("wizard.corners.means")
        self._folder.mkdir(parents=True, exist_ok=True)
        save(eye.calibration, self._path(self._eye(table).name))
        self._watch(table)

    def _path(self, source: str) -> Path:
        name = re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-")[:40]
        return self._folder / f"camera-{name}-{hashlib.sha256(source.encode()).hexdigest()[:8]}.json"

    def _watch(self, table: Table) -> None:
        eye = self._eye(table)
        if eye.calibration is None or not isinstance(table, LiveTable):
            return
        if eye.watcher is not None:
            eye.watcher.stop()
            eye.source = self._opened(eye.name)
        eye.watcher = watcher_for(table, eye.source, eye.calibration, self._debug)
        eye.watcher.start()

    def push(self, table: Table, jpeg: bytes) -> bool:
        """Take a picture from a phone; false when it cannot be read."""
        eye = self._eye(table)
        if not isinstance(eye.source, PushedPictures):
            raise NotPossible("wizard.source")
        return eye.source.push(jpeg)

    def mat(self, paper: str) -> bytes:
        """Return the printable mat as PDF."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mat.pdf"
            write_mat(file, cast("Paper", paper))
            return file.read_bytes()


def colours_of(table: Table) -> dict[str, str]:
    """Return the worker colour of each side."""
    return {player.team: player.colour for player in table.public().players}


class _explained:
    """Turns what the set-up cannot do into a refusal with a text."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        match error:
            case StepError():
                raise NotPossible("wizard.bad_step", {"what": str(error)}) from error
            case PoseError():
                raise NotPossible("wizard.no_pose") from error
