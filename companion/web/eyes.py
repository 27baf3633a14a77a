"""Cameras of tables: sources, the set-up step by step, and watching."""

from __future__ import annotations

import hashlib
import re
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, cast

import cv2

from calibration.build import Calibration
from calibration.mat import Paper, write_mat
from calibration.session import CalibrationSession, Step, draw_grid, verdict
from calibration.store import CalibrationFileError, load, save
from companion.live.watcher import Watcher
from companion.live.watching import watcher_for
from companion.table.live import Table as LiveTable
from companion.web.eye import Eye, KnownStep, closer, dressed, explained
from companion.web.kit import MEASURED, Kits, chosen
from companion.web.ports import Json, NotPossible, Table
from companion.web.verdicts import figures, problems
from vision.overlay import overlay as draw_reading
from vision.reader.batch import primed_aside
from vision.reading import Picture
from vision.sources import Source, SourceError, open_source
from vision.sources.opening import devices
from vision.sources.pushed import PushedPictures

PHONE = "phone"
QUALITY = 82
Opener = Callable[[str], Source]


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
        self.kits = Kits(folder)
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
        found = [str(number) for number in devices()]
        named = [self._offered] if self._offered and self._offered not in found else []
        return [{"id": name, "kind": kind_of(name)} for name in (*named, *found, PHONE)]

    def choices(self) -> Json:
        """Return the sets, mats, lenses and colours that can be chosen."""
        return self.kits.choices()

    def state(self, table: Table) -> Json:
        """Return how far the set-up of a table's camera is."""
        eye, lent = self._eyes.get(table.id), self._lent_for(table)
        if eye is not None:
            return self._state_of_eye(eye)
        if lent is not None:
            at = {"source": "sim", "phase": "live", "step": "done", "watching": lent.watcher is not None}
            return {**self._nothing(table), **at, **_judged(lent.calibration)}
        return self._nothing(table)

    def _nothing(self, table: Table) -> Json:
        kit = self.kits.read()
        return {
            "source": None,
            "phase": "none",
            "step": "source",
            "tags": 0,
            "watching": False,
            "kit": {"pieces": kit.pieces, "mat": kit.mat, "lens": kit.lens},
            "colours": kit.workers(colours_of(table)),
            "corners": None,
            "check": None,
            "taken": False,
            "may_measure": False,
            **_judged(None),
        }

    def _state_of_eye(self, eye: Eye) -> Json:
        return {
            "source": eye.name,
            "phase": eye.source.state.phase,
            "step": eye.step,
            "tags": eye.session.tags,
            "watching": eye.watcher is not None,
            "kit": {"pieces": eye.kit.pieces, "mat": eye.kit.mat, "lens": eye.kit.lens},
            "colours": dict(eye.session.table.colours),
            "corners": eye.marks(),
            "check": eye.checking(),
            "taken": eye.session.empty is not None,
            "may_measure": eye.session.tableau is not None,
            **_judged(eye.calibration),
        }

    def use(self, table: Table, source: str) -> None:
        """Connect a table to a source; what was set up for it last time is there to be kept."""
        if self._lent_for(table) is not None:
            raise NotPossible("ui.test_mode")
        kit = self.kits.read()
        session = CalibrationSession(self.kits.table(kit, colours_of(table)))
        known = self._known(source, session.table.colours)
        if known is not None:
            # it may watch at once: what the reader needs is compiled while the camera is opened
            primed_aside()
        opened = self._opened(source)
        self.drop(table)
        eye = Eye(source, opened, kit, session, known)
        with self._lock:
            self._eyes[table.id] = eye

    def choose(self, table: Table, kit: Mapping[str, Any]) -> None:
        """Say what lies on the table; the steps are taken anew with it."""
        eye, seats = self._eye(table), colours_of(table)
        wanted = self.kits.checked(chosen(kit, seats, eye.kit))
        known = self.kits.table(wanted, seats)
        if len(set(known.colours.values())) < len(known.colours):
            raise NotPossible("wizard.kit.same")
        with eye.lock:
            if (known, eye.kit) != (eye.session.table, wanted):
                eye.session, eye.kit, eye.check = CalibrationSession(known), wanted, None
                eye.calibration = None
        self.kits.write(wanted)

    def _opened(self, source: str) -> Source:
        try:
            return PushedPictures() if source == PHONE else self._open(source)
        except SourceError as error:
            raise NotPossible("wizard.no_source", {"what": str(error)}) from error

    def _known(self, source: str, colours: Mapping[str, str]) -> Calibration | None:
        """Read the calibration of last time, where it was made for these workers."""
        try:
            return dressed(load(self._path(source)), colours)
        except (CalibrationFileError, OSError):
            return None

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
        known = eye.session.table
        eye.session.table = replace(known, colours=eye.kit.workers(colours_of(new)))
        if eye.calibration is None or eye.watcher is None:
            return
        again = dressed(eye.calibration, eye.session.table.colours)
        if again is None:
            self.drop(new)
            return
        # The sides have changed: what was learned of the workers goes with the workers.
        eye.calibration = again
        self._watch(new)

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
        return jpeg_of(self._shown(eye, overlay))

    def _shown(self, eye: Eye | Lent, overlay: bool) -> Picture | None:
        """Give the newest picture, with the reading or else the grid over it where that is wanted."""
        shown = eye.watcher.shown if eye.watcher else None
        # after a knock the camera stands elsewhere than when it was set up
        known = (shown.known if shown else None) or eye.calibration
        if overlay and known is not None and shown is not None and shown.reading is not None:
            colours = dict(known.colours)
            drawn = draw_reading(shown.frame.picture, shown.reading, known.camera, known.profile, colours)
            return closer(drawn, known)
        frame = eye.source.latest() if isinstance(eye, Eye) else (shown.frame if shown else None)
        if frame is None:
            return None
        return closer(draw_grid(frame.picture, known.camera), known) if overlay and known else frame.picture

    def shot(self, table: Table, which: str) -> bytes | None:
        """Return a picture of the set-up: the empty board, the one in check, or the plan to lay."""
        eye = self._eye(table)
        with eye.lock:
            pictures = {"empty": lambda: eye.session.empty, "check": eye.drawn_check, "plan": eye.drawn_plan}
            return jpeg_of(pictures[which]())

    def take(self, table: Table, step: str) -> None:
        """Take the picture of a step; pieces on it are there to be confirmed."""
        eye = self._eye(table)
        with eye.lock, explained():
            if step == "empty":
                eye.take_empty()
            else:
                eye.look(cast("KnownStep", step))

    def confirm(self, table: Table, cells: Mapping[str, tuple[int, str]]) -> None:
        """Confirm what stands on the picture in check, with some spaces corrected."""
        eye = self._eye(table)
        with eye.lock, explained():
            eye.confirm(cells)

    def measure(self, table: Table) -> None:
        """Measure the pieces of an own set on the confirmed tableau, and use these sizes from now on."""
        eye = self._eye(table)
        with eye.lock, explained():
            profile = eye.measure().profile
            self.kits.add_pieces(profile)
            eye.kit = replace(eye.kit, pieces=MEASURED)
        self.kits.write(eye.kit)

    def corners(self, table: Table, corners: Sequence[tuple[float, float]]) -> None:
        """Take the outer corners, as shares of the picture."""
        eye = self._eye(table)
        with eye.lock, explained():
            eye.take_corners(corners)

    def skip(self, table: Table, step: str) -> None:
        """Leave a step out that may be left out."""
        if step == "empty":
            raise NotPossible("wizard.empty.means")
        eye = self._eye(table)
        eye.check = None
        eye.session.skip(cast("Step", step))

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


def kind_of(source: str) -> str:
    """Say what kind of camera an address names."""
    if source == PHONE:
        return PHONE
    if re.fullmatch(r"(/dev/video)?\d+", source):
        return "usb"
    return "network" if "://" in source else "still"


def jpeg_of(picture: Picture | None) -> bytes | None:
    """Return a picture as JPEG."""
    if picture is None:
        return None
    done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return jpeg.tobytes() if done else None


def _judged(known: Calibration | None) -> Json:
    """Return the verdict on a calibration, with figures."""
    if known is None:
        return {"verdict": None, "figures": {}, "problems": []}
    quality = known.quality
    return {"verdict": verdict(quality), "figures": figures(quality), "problems": problems(known)}
