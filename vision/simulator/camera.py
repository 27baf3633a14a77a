"""A simulated camera over a simulated table: pictures of any position from any pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.pieces import PieceProfile, shipped
from calibration.solids import Pile
from vision.reading import Board, Picture
from vision.simulator.ground import Sheet, draw_ground
from vision.simulator.hands import Hand, draw_hand, over
from vision.simulator.light import COLOURS, Light, Rgb, noise_picture
from vision.simulator.paint import Scene, draw_shadows, paint, paint_held
from vision.simulator.placing import Hands, put_down
from vision.simulator.pose import camera_at

HELD_AT: Final = 0.75  # how high over the plateau a hand carries pieces, in cells
FINER: Final = 2  # the board is painted so many times larger and shrunk, for soft edges


def colours_of(names: Mapping[str, str | Rgb]) -> dict[str, Rgb]:
    """Worker colours by side, given by name or as red, green, blue."""
    return {side: COLOURS[colour] if isinstance(colour, str) else colour for side, colour in names.items()}


def window_of(camera: Camera, profile: PieceProfile) -> tuple[int, int, int, int]:
    """The part of the picture (left, top, right, bottom) in which pieces and their shadows can be."""
    half, top = profile.board.plateau + 0.1, profile.tallest + 0.2
    corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (0.0, top)]
    dots = camera.project(np.array(corners))
    left, high = np.clip(np.floor(dots.min(axis=0)).astype(int), 0, np.array(camera.size) - 2)
    right, low = np.clip(np.ceil(dots.max(axis=0)).astype(int) + 1, (left + 2, high + 2), camera.size)
    return int(left), int(high), int(right), int(low)


class SimulatedCamera:
    """Draws a board as a fixed camera would see it; the same arguments give the same picture."""

    def __init__(
        self,
        camera: Camera | None = None,
        profile: PieceProfile | None = None,
        colours: Mapping[str, str | Rgb] | None = None,
        *,
        size: tuple[int, int] = (1280, 720),
        light: Light | None = None,
        hands: Hands | None = None,
        mat: Sheet | None = None,
        noise: float = 2.2,
        seed: int = 0,
    ) -> None:
        self.camera = camera or camera_at(size=size)
        self.profile = profile or shipped()
        self.colours = colours_of(colours or {"A": "blue", "B": "grey", "C": "cream"})
        self.light = light or Light()
        self._hands = hands or Hands()
        self._grain = noise_picture(self.camera.size, noise, seed)
        self._calm: dict[tuple[Board, int], Picture] = {}
        board = self.profile.board
        self._empty = draw_ground(self.camera, board, self.light, seed, mat).lit
        left, top, right, bottom = self._window = window_of(self.camera, self.profile)
        fine = ((right - left) * FINER, (bottom - top) * FINER)
        near = self.camera.cropped(left, top, fine, FINER)
        self._whole = Scene(self.camera, self.profile, self.light, self.colours)
        self._view = Scene(near, self.profile, self.light, self.colours)
        self._ground = draw_ground(near, board, self.light, seed, mat)

    def render(self, board: Board, hands: Sequence[Hand] = (), seed: int = 0, grain: int = 0) -> Picture:
        """Draw a board and hands; `seed` decides how the pieces lie, `grain` the camera noise."""
        picture = self._without_noise(board, seed)
        if hands:
            picture = picture.copy()
            for hand in hands:
                if hand.holding is not None:
                    paint_held(picture, self._whole, hand.holding, over(hand), HELD_AT)
                draw_hand(picture, self.camera, hand)
        x, y = np.random.default_rng((grain, 5)).integers(0, 64, 2)
        width, height = self.camera.size
        noise = self._grain[y : y + height, x : x + width]
        return np.asarray(cv2.addWeighted(picture, 1.0, noise, 1.0, -128.0), dtype=np.uint8)

    def _without_noise(self, board: Board, seed: int) -> Picture:
        """The last board drawn is kept: while nothing happens only the noise changes."""
        if (board, seed) not in self._calm:
            self._calm = {(board, seed): self._draw(board, seed)}
        return self._calm[board, seed]

    def _draw(self, board: Board, seed: int) -> Picture:
        piles = put_down(board, self.profile, self._hands, seed)
        left, top, right, bottom = self._window
        fine = self._with_shadows(piles)
        paint(fine, self._view, piles)
        picture = self._empty.copy()
        small = cv2.resize(fine, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        picture[top:bottom, left:right] = small
        return picture

    def _with_shadows(self, piles: Sequence[Pile]) -> Picture:
        picture = self._ground.lit.copy()
        if not piles:
            return picture
        mask = np.zeros(picture.shape[:2], np.uint8)
        soft = draw_shadows(mask, self._view, piles)
        x, y, wide, high = cv2.boundingRect(soft)
        part = (slice(y, y + high), slice(x, x + wide))
        share = cv2.multiply(soft[part], self._ground.plateau[part], scale=1 / 255.0)
        dark = share.astype(np.float32) / 255.0
        picture[part] = cv2.blendLinear(self._ground.shaded[part], picture[part], dark, 1.0 - dark)
        return picture
