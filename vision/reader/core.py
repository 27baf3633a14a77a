"""The reader: one picture in, likelihoods for every cell out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.build import Calibration, Palette
from calibration.camera import Floats
from calibration.light import Lamp, lamp_now, unburnt
from calibration.pose import GRID_CORNERS, PoseError
from calibration.quality import clipped_share
from calibration.view import Light
from calibration.watch import Motion, follow, motion, motion_between, moved_calibration
from vision.reader.closer import Closer, finer, grain_of, updated
from vision.reader.contest import contest
from vision.reader.crisp import crisp_of
from vision.reader.edges import edges_of
from vision.reader.evidence import (
    STRAY,
    Evidence,
    against_white,
    evidence_of,
    features_of,
    ground_of,
    of_features,
)
from vision.reader.figures import settle
from vision.reader.fit import Ledger, content_price, pile_of
from vision.reader.focus import AWAY, READABLE
from vision.reader.hands import (
    SHRINK,
    Patch,
    Room,
    backdrop_of,
    changed,
    largest,
    patches,
    sharp,
    small_level,
    stayed,
)
from vision.reader.learn import Learned, followed, samples
from vision.reader.ledge import reconsidered
from vision.reader.lowering import lowered
from vision.reader.roofs import told_by_roofs
from vision.reader.search import Search, grown
from vision.reader.setting import Setting, defocused, setting_of
from vision.reader.shadows import open_ground
from vision.reader.silhouette import Silhouettes, outlined
from vision.reader.sizing import Sizing, resized
from vision.reader.sunlight import Sun, shaded
from vision.reader.tint import tinted
from vision.reader.unseen import glimpsed
from vision.reading import (
    CELLS,
    DOME,
    EMPTY_BOARD,
    Board,
    CameraState,
    Picture,
    Reading,
    alternatives,
    same_size,
)

LIGHT_JUMP: Final = 0.08
LAMP_JUMP: Final = 0.06
ARM: Final = 0.6
TRACE: Final = 0.1
LIMB: Final = 4.0
BLOB: Final = 0.20
LOST: Final = 0.35
BLIND: Final = 0.5
STAYED: Final = 2.5
FULL: Final = 0.02


@dataclass
class Look:
    """One picture on its way through the reader."""

    evidence: Evidence
    search: Search
    lamp: Lamp
    level: Light
    fair: NDArray[np.bool_]
    sharp: bool
    lost: bool
    lost_pixels: NDArray[np.bool_]
    strange: NDArray[np.bool_] | None = None
    """What neither the ground nor any pile explains, where that is enough to be a hand."""


class Reader:
    """Reads still pictures of one table; keeps the camera's pose, the lamp and blocks' width."""

    def __init__(self, calibration: Calibration) -> None:
        self.origin = calibration
        self.setting = setting_of(calibration)
        self.sides = tuple(calibration.palette.workers)
        self.lamp = self.setting.base.lamp
        self.last: Board = EMPTY_BOARD
        self.seen: Look | None = None
        self.room: Light | None = None
        self.room_gain: Floats = np.zeros(3)
        self.looked: Picture | None = None
        self.recent: Picture | None = None
        self.still = False
        self.clipped = self.blur = 0.0
        self.learned = Learned(calibration.palette)
        self.sizing = Sizing(calibration.profile)
        self.sun: Sun | None = None
        self._soft: tuple[Setting, float, Setting] | None = None
        self._fine: tuple[Calibration, Setting | None] | None = None

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        """Read one picture for itself; `clear`: somebody has said that nothing covers the board in it."""
        same_size(picture, self.origin.camera.size)
        self.looked, self.seen, self.still = picture, None, False
        self.clipped = self.blur = 0.0
        state = self._follow(picture)
        if state is None:
            return self._blank("moved")
        light, clipped = self.setting.base.view.cut(picture)
        setting = self._compared(light)
        if self.blur > READABLE:
            self.blur = 0.0 if self.blur == AWAY else self.blur
            return self._blank("moved")
        lamp, _ = lamp_now(light, setting.base.lamp, setting.reference)
        surroundings = small_level(picture, lamp.middle)
        backdrop = self.setting.backdrop
        room = Room(unburnt(surroundings, backdrop.level, lamp.middle), lamp, backdrop)
        # a hand darkens the island alone; another light changes the room with it
        relit = jump(lamp, self.lamp) > LAMP_JUMP and room.change(self.room_gain) > LIGHT_JUMP
        mask = changed(backdrop, room.level)
        cell = self._cell_pixels(SHRINK)
        found = patches(mask, ~backdrop.outside, TRACE * cell)
        before, self.room = self.room, room.level
        moving = [one for one in found if not self._rests(one, room.level, before)]
        found = [one for one in found if one.size > ARM * cell]
        if state != "moved" and not clear and any(self._arm(one, room, relit) for one in moving):
            return self._blank(state)
        fresh = relit or state == "moved"
        self.sun = None if relit else self.sun
        inner = ~self.setting.around
        plain = self.setting.base.level.reshape(-1, 3)
        self.clipped = clipped_share(clipped.ravel()[inner], plain[inner])
        foreign = self.setting.around & self._cut(mask) if found else None
        self.seen = self._read(picture, setting, light, clipped, lamp, fresh, foreign)
        # what lies around the island after a change, or is no hand there, is none at its edge either
        beside = fresh or bool(found)
        # where something comes in from beside it, less on the island is a hand than where nothing does
        most = BLOB / 2 if not fresh and any(one.island or one.border for one in moving) else BLOB
        state = "light" if relit and state == "ok" else state
        reading = self._reading(self.seen, state, beside, None if clear else most)
        self.still = reading.status == "stable"
        if self.still:
            self.last, self.lamp, self.room_gain, self.recent = reading.best, lamp, room.gain, picture
            if found or fresh or clear:
                self._accept(self.seen, picture, room.level)
            if self.sizing.take(self.seen.search, reading.visible):
                self.setting = resized(self.setting, self.sizing.profile)
        return reading

    def confirm(self, picture: Picture, board: Board) -> None:
        """Learn from the still picture just read, whose board somebody has confirmed; from no other."""
        look, setting = self.seen, self.setting
        if self.looked is not picture or look is None or not self.still:
            return
        self.learned.take(samples(look.search, board, look.fair, self.learned.named))
        right = tuple(fit.content for fit in look.search.fits) == board
        if right and look.strange is not None:
            # it was said to be no hand, and the board is as it was read: a thing that may lie there
            self.setting = replace(self.setting, unknown=self.setting.unknown | look.strange)
        elif right and look.sharp:
            free = look.fair & ~look.search.covered(look.evidence.size) & ~setting.around & ~setting.unknown
            level = followed(setting.base.level, look.level, setting.first, free)
            ground = ground_of(level, setting.calibration.noise, setting.calibration.palette.shadow)
            self.setting = replace(setting, base=replace(setting.base, level=level), ground=ground)

    def closer(self, picture: Picture) -> Closer | None:
        """Look closer at the still picture just read; None where there is no more to be seen."""
        usual, look = self.setting, self.seen
        if self.looked is not picture or look is None or not self.still or self.blur:
            return None
        if self._fine is None or self._fine[0] is not usual.calibration:
            self._fine = (usual.calibration, finer(usual))
        fine = self._fine[1]
        if fine is None:
            return None
        light, clipped = fine.base.view.cut(picture)
        lamp, _ = lamp_now(light, fine.base.lamp, fine.reference)
        again = self._read(picture, updated(fine, usual), light, clipped, lamp, fresh=False)
        return Closer(look.search, again.search, grain_of(fine, usual))

    def _compared(self, light: Light) -> Setting:
        """What to compare a picture with: the empty board, as far out of focus as the picture is."""
        setting = self.setting
        sigma = self.blur = setting.softness(light)
        if not sigma or sigma > READABLE:
            return setting
        if self._soft is None or self._soft[:2] != (setting, sigma):
            self._soft = (setting, sigma, defocused(setting, sigma))
        return self._soft[2]

    def _rests(self, patch: Patch, room: Light, before: Light | None) -> bool:
        """Whether a patch of change in the room was there in the picture before."""
        return before is not None and stayed(patch, room, before) < 0.1 * ARM * self._cell_pixels(SHRINK)

    def _arm(self, patch: Patch, room: Room, relit: bool) -> bool:
        """Whether a patch of change in the room is an arm: it has an outline and crosses the border."""
        cell = self._cell_pixels(SHRINK)
        # a lamp's gloss on the table's edge is small and far from the island
        gloss = relit and not patch.island and patch.size <= LIMB * cell
        large = patch.border and patch.size > ARM * cell
        return large and not gloss and sharp(room.backdrop, room.level, patch.where)

    def _cut(self, mask: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """A small whole picture's mask in the working picture, with a margin."""
        view = self.setting.base.view
        large = cv2.resize(cv2.dilate(mask, np.ones((3, 3), np.uint8)), None, fx=1 / SHRINK, fy=1 / SHRINK)
        part = large[view.top : view.bottom, view.left : view.right]
        return np.asarray(cv2.resize(part, view.size, interpolation=cv2.INTER_NEAREST).ravel() > 0)

    def _accept(self, look: Look, picture: Picture, room: Light) -> None:
        """Take the room around the island as it is now for what it looks like; the board keeps its own."""
        setting, shadow = self.setting, self.setting.calibration.palette.shadow
        free = setting.around & ~look.search.covered(look.evidence.size)
        level = setting.base.level.reshape(-1, 3).copy()
        level[free] = look.level.reshape(-1, 3)[free]
        base = replace(setting.base, level=level.reshape(setting.base.level.shape))
        island = ~setting.backdrop.outside
        self.setting = replace(
            setting,
            base=base,
            ground=ground_of(base.level, setting.calibration.noise, shadow),
            backdrop=backdrop_of(picture, look.lamp.middle, island, shadow),
            unknown=(setting.unknown | look.lost_pixels) & ~free,
        )
        self.room, self.room_gain = room, np.zeros(3)

    def _follow(self, picture: Picture) -> CameraState | None:
        """Notice a knock and solve the pose anew; None when that fails."""
        moved: Motion = motion(self.setting.watch, picture)
        if moved.unclear and self.recent is not None:
            # towers hide much of what the empty board has shown; the last still picture has them, too
            moved = motion_between(self.setting.calibration, self.recent, picture)
        if moved.homography is None:
            return "ok"
        try:
            solution = follow(self.setting.calibration, picture, moved)
        except PoseError:
            return None
        # a hand can drag features along: only the printed lines say whether the camera has moved
        before = self.setting.calibration.camera.project(GRID_CORNERS)
        shift = np.linalg.norm(solution.camera.project(GRID_CORNERS) - before, axis=1)
        if float(shift.mean()) < STAYED:
            return "ok"
        stood = moved_calibration(self.origin, solution.camera)
        self.setting = setting_of(replace(stood, profile=self.sizing.profile))
        return "moved"

    def _cell_pixels(self, scale: float) -> float:
        """How many pixels one cell's square takes at a scale of the whole picture."""
        square = np.array([(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0)], dtype=np.float64)
        outline = self.setting.calibration.camera.project(square).astype(np.float32)
        return float(cv2.contourArea(outline)) * scale**2

    def _read(
        self,
        picture: Picture,
        setting: Setting,
        light: Light,
        clipped: Light,
        lamp: Lamp,
        fresh: bool,
        foreign: NDArray[np.bool_] | None = None,
    ) -> Look:
        calibration = setting.calibration
        palette = self.learned.palette
        white = setting.base.white(lamp)
        level = against_white(light, white)
        bare = setting.bare(features_of(unburnt(level, setting.base.level, white)))
        # around the island new light may have changed everything: then it says nothing
        lost = fresh and setting.around.any() and float((bare[setting.around] <= STRAY).mean()) > LOST
        blind = setting.around if lost else setting.unknown
        # nor does a thing that was put down beside it
        blind = blind if foreign is None else blind | foreign
        bare[blind] = np.maximum(bare[blind], np.float32(BLIND))

        def searched(palette: Palette) -> Search:
            colours = {"top": palette.top, "side": palette.side, "dome": palette.dome, **palette.workers}
            evidence = evidence_of(level, white, clipped, bare, colours, calibration.noise)
            search = Search(Ledger(evidence, setting.geometry.shapes), setting.geometry, self.sides)
            search.run()
            return search

        search, fair = searched(palette), clipped.ravel() < FULL
        unusual = tinted(search, palette, fair)
        if unusual is not None:
            palette = unusual
            search = searched(palette)
        lowered(search)
        evidence = search.ledger.evidence
        waver = calibration.noise.of(level)
        contest(search, edges_of(evidence, waver[..., 1]))
        reconsidered(search)
        plain = setting.ground.expected[0]
        known = fair & ~blind & ~setting.around
        darker = evidence.features[..., 0] - plain[..., 0]
        ground = open_ground(setting.geometry.plan, darker, known, search.fits)
        self.sun = shaded(search, ground, self.sun)
        told_by_roofs(search, crisp_of(picture, calibration.camera, calibration.profile))
        glimpsed(search)
        silhouettes = Silhouettes(evidence.features, of_features(waver), palette.workers, palette.top, plain)
        outlined(search, silhouettes, calibration.figures)
        settle(search, calibration.figures, silhouettes)
        return Look(evidence, search, lamp, level, fair, setting is self.setting, bool(lost), blind)

    def _reading(self, look: Look, state: CameraState, beside: bool, most: float | None) -> Reading:
        ignored = self.setting.around if beside else look.lost_pixels
        search = look.search
        contents = alternatives(self.sides)
        rows = tuple(tuple(search.scores(cell, contents)) for cell in range(CELLS))
        visible = tuple(self.visible(search, cell) for cell in range(CELLS))
        best = tuple(fit.content for fit in search.fits)
        size, scale = self.setting.base.view.size, self.setting.base.view.scale
        covering = search.covering() & ~ignored
        covering &= ~self.setting.in_other_light(look.evidence.features, covering)
        strange = search.stray(size, covering)
        busy = largest(strange) / self._cell_pixels(scale) > (BLOB if most is None else most)
        if busy and most is None:
            look.strange, busy = grown(strange), False
        piles = tuple(pile_of(cell, fit.trial.spec) for cell, fit in enumerate(search.fits))
        return Reading(self.sides, contents, rows, visible, best, "busy" if busy else "stable", state, piles)

    def visible(self, search: Search, cell: int) -> float:
        """The share of a cell's top piece that nearer piles leave in view."""
        fit = search.fits[cell]
        shapes = self.setting.geometry.shapes
        if fit.content.top:
            x, y = fit.stand.x + fit.crown[0], fit.stand.y + fit.crown[1]
            index = shapes.crown(cell, fit.content.height, fit.content.top == DOME, x, y).index
        elif fit.content.height:
            raster = shapes.tower(cell, fit.content.height, fit.stand)
            index = raster.index
        else:
            index = shapes.square(cell)
        if not len(index):
            return 0.0
        return 1.0 - float(search.site(cell).veil.hidden[index].mean())

    def _blank(self, state: CameraState) -> Reading:
        """Nothing read, for a hand is in the picture or the pose is lost: the last board, flat scores."""
        contents = alternatives(self.sides)
        flat = (tuple(0.0 for _ in contents),) * CELLS
        return Reading(self.sides, contents, flat, (0.0,) * CELLS, self.last, "busy", state)

    def weigh(self, picture: Picture, boards: Sequence[Board]) -> tuple[float, ...]:
        """Joint log-likelihoods of whole boards for this picture."""
        if self.looked is not picture:
            self.look(picture)
        if self.seen is None:
            return (0.0,) * len(boards)
        # what pieces are to be expected is for the rules to say, not for the eye
        search = self.seen.search
        return tuple(search.joint(board) + sum(map(content_price, board)) for board in boards)


def jump(lamp: Lamp, last: Lamp) -> float:
    """How far the light has changed: the largest change of white at the middle, logarithm."""
    return float(np.abs(np.array(lamp.curve[0]) - np.array(last.curve[0])).max())
