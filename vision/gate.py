"""The gate: runs on every frame and tells whether the board can be read now.

It compares small pictures: with the frame before (does anything move?) and with the last still
picture that was accepted (is something in the way that was not there?). It knows only the outline of
the board in the picture, and no rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.reading import Picture
from vision.sources.base import Frame

Verdict = Literal["still", "moving", "hand", "changed"]
Mask = NDArray[np.uint8]

LONG_SIDE: Final = 320  # the gate works on pictures of this size
DIFFERENT: Final = 20  # levels by which a pixel must differ to count
SETTLE_SECONDS: Final = 0.35
FORGET_SECONDS: Final = 20.0
MOVING_SHARE: Final = 0.0015  # of the board's zone
HAND_SHARE: Final = 0.006  # of the board's zone, on either side of its border
CHANGED_SHARE: Final = 0.45  # of everything outside the board
CHANGED_GAIN: Final = 0.07  # of the brightness (natural logarithm) outside the board
EVEN_GAIN: Final = 0.03
SHIFT_SHARE: Final = 0.004  # of everything outside the board
SHIFT_PIXELS: Final = 0.45  # of the small picture
TALLEST: Final = 0.45  # the highest tower with a worker, as a share of the board's side
LIGHT_SHARE: Final = 0.05  # of everything outside the board, where the print is still the same
GONE_RATIO: Final = 1.5  # of the contrast at its rim, when the thing was in the accepted picture only
SAME_PRINT: Final = 0.8  # likeness of the edges: light leaves them (0.88 and more), a hand does not (0.7)


@dataclass(frozen=True)
class Zone:
    """The small picture's parts: where pieces can show, a margin around that, and all the rest."""

    board: Mask
    outside: Mask
    area: int
    size: tuple[int, int]


def zone_of(outline: ArrayLike, size: tuple[int, int]) -> Zone:
    """Work the parts out from the board's outline in the whole picture."""
    scale = LONG_SIDE / max(size)
    small = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    flat = np.asarray(outline, dtype=np.float32).reshape(-1, 2) * scale
    wide, high = np.ptp(flat, axis=0)
    # A level square looks flatter the lower the camera; towers then rise higher above their feet.
    upright = float(np.sqrt(max(0.0, 1.0 - min(1.0, high / max(wide, 1e-6)) ** 2)))
    side = float(np.sqrt(cv2.contourArea(cv2.convexHull(flat)) / max(high / max(wide, 1e-6), 0.2)))
    towers = flat - np.array([0.0, TALLEST * side * upright], np.float32)
    hull = cv2.convexHull(np.vstack((flat, towers)))
    board = np.zeros(small[::-1], np.uint8)
    cv2.fillConvexPoly(board, np.rint(hull).astype(np.int32), 255)
    margin = 2 * max(2, round(0.03 * side)) + 1
    near = cv2.dilate(board, np.ones((margin, margin), np.uint8))
    outside = np.asarray(cv2.bitwise_not(near), dtype=np.uint8)
    return Zone(board, outside, max(1, int(cv2.countNonZero(board))), small)


class Gate:
    """Judges frame after frame; feed it every frame of one camera, in order.

    `outline` is the plateau's outline in the picture (any number of corners), `reference` a picture
    of the same view known to be free of hands; without one the first still picture is taken for it.
    """

    def __init__(
        self,
        outline: ArrayLike,
        size: tuple[int, int] = (1280, 720),
        *,
        settle: float = SETTLE_SECONDS,
        reference: Picture | None = None,
    ) -> None:
        self._size = size
        self._zone = zone_of(outline, size)
        self._settle = settle
        self._before: Picture | None = None
        self._accepted = None if reference is None else shrink(reference, self._zone.size)
        self._moved_at = -np.inf
        self._blocked_at: float | None = None
        self._settled = False

    def step(self, frame: Frame) -> Verdict:
        """Judge the next frame."""
        small = shrink(frame.picture, self._zone.size)
        before, self._before = self._before, small
        if before is None or self._moves(before, small):
            self._moved_at = frame.at
        settled = self._settled = frame.at - self._moved_at >= self._settle
        verdict = self._judge(small, settled)
        self._remember(small, verdict, settled, frame.at)
        return verdict

    @property
    def resting(self) -> bool:
        """Whether nothing has moved over the board for a moment, be it free or covered."""
        return self._settled

    def accept(self, frame: Frame) -> None:
        """Take a frame as free of hands, whatever the gate thought; somebody has looked closer."""
        self._accepted = shrink(frame.picture, self._zone.size)

    def aim(self, outline: ArrayLike) -> None:
        """Look for the board at another place of the picture: the camera was knocked and found again."""
        self._zone = zone_of(outline, self._size)

    def _moves(self, before: Picture, small: Picture) -> bool:
        different = cv2.bitwise_and(differs(before, small), self._zone.board)
        return cv2.countNonZero(different) > MOVING_SHARE * self._zone.area

    def _judge(self, small: Picture, settled: bool) -> Verdict:
        if self._accepted is None:
            return "still" if settled else "moving"
        brighter = gain(self._accepted, small, self._zone.outside)
        # A camera that sets its own exposure answers to a hand: compare at equal brightness.
        level = (
            small if abs(brighter) < EVEN_GAIN else cv2.convertScaleAbs(small, alpha=float(np.exp(-brighter)))
        )
        change = differs(self._accepted, np.asarray(level, dtype=np.uint8))
        evidence = (np.asarray(change), self._accepted, small, self._zone)
        if camera_moved(*evidence) or light_changed(*evidence):
            return "changed"
        if reaches_in(*evidence):
            return "hand"
        if abs(brighter) > CHANGED_GAIN:
            return "changed"
        return "still" if settled else "moving"

    def _remember(self, small: Picture, verdict: Verdict, settled: bool, at: float) -> None:
        if verdict == "changed" and settled:
            self._accepted = small
        if verdict != "still":
            self._blocked_at = None
            return
        if self._accepted is None:
            self._accepted = small
            return
        near = cv2.bitwise_and(differs(self._accepted, small), self._zone.outside)
        if cv2.countNonZero(near) <= HAND_SHARE * self._zone.area:
            self._accepted, self._blocked_at = small, None
            return
        # Something lies beside the board that was not there: learn the board now, the rest when it stays.
        self._blocked_at = at if self._blocked_at is None else self._blocked_at
        if at - self._blocked_at > FORGET_SECONDS:
            self._accepted, self._blocked_at = small, None
            return
        self._accepted = self._accepted.copy()
        cv2.copyTo(small, self._zone.board, self._accepted)


def shrink(picture: Picture, size: tuple[int, int]) -> Picture:
    """The small picture the gate works on."""
    if picture.shape[1] >= 4 * size[0]:
        # Every second pixel is enough before averaging, and four times as fast.
        picture = np.ascontiguousarray(picture[::2, ::2])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def differs(one: Picture, two: Picture) -> Mask:
    """Where two small pictures differ, single pixels of noise taken out."""
    gap = cv2.absdiff(one, two)
    most = cv2.max(cv2.max(gap[..., 0], gap[..., 1]), gap[..., 2])
    return np.asarray(
        cv2.medianBlur(cv2.threshold(most, DIFFERENT, 255, cv2.THRESH_BINARY)[1], 3), dtype=np.uint8
    )


def outside_share(change: Mask, zone: Zone) -> float:
    """The changed share of what lies around the board."""
    around = cv2.countNonZero(zone.outside)
    return cv2.countNonZero(cv2.bitwise_and(change, zone.outside)) / around if around else 0.0


def camera_moved(change: Mask, accepted: Picture, small: Picture, zone: Zone) -> bool:
    """Whether the whole picture has shifted, or next to nothing of it is as it was."""
    share = outside_share(change, zone)
    return share > CHANGED_SHARE or (share > SHIFT_SHARE and shift(accepted, small) > SHIFT_PIXELS)


def light_changed(change: Mask, accepted: Picture, small: Picture, zone: Zone) -> bool:
    """Whether much of the surroundings looks different but the same things are still there."""
    return outside_share(change, zone) > LIGHT_SHARE and likeness(change > 0, accepted, small) > SAME_PRINT


def gain(accepted: Picture, small: Picture, where: Mask) -> float:
    """How much brighter (or darker) most of the surroundings have become, natural logarithm."""
    old, new = (p[::3, ::3].astype(np.float32).sum(axis=2) + 12.0 for p in (accepted, small))
    ratio = (new / old)[where[::3, ::3] > 0]
    return float(np.log(np.median(ratio))) if ratio.size else 0.0


def shift(accepted: Picture, small: Picture) -> float:
    """By how many small pixels the picture has moved: as a whole, or at least three of its quarters."""
    old, new = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float32) for p in (accepted, small))
    half_high, half_wide = old.shape[0] // 2, old.shape[1] // 2
    quarters = [
        moved_by(old[y : y + half_high, x : x + half_wide], new[y : y + half_high, x : x + half_wide])
        for y in (0, old.shape[0] - half_high)
        for x in (0, old.shape[1] - half_wide)
    ]
    return max(moved_by(old, new), sorted(quarters)[1])


def moved_by(old: NDArray[np.float32], new: NDArray[np.float32]) -> float:
    """By how many pixels one picture is shifted against another; 0 when that cannot be told."""
    window = cv2.createHanningWindow((old.shape[1], old.shape[0]), cv2.CV_32F)
    (x, y), sure = cv2.phaseCorrelate(np.ascontiguousarray(old), np.ascontiguousarray(new), window)
    return float(np.hypot(x, y)) if sure > 0.2 else 0.0


def reaches_in(change: Mask, accepted: Picture, small: Picture, zone: Zone) -> bool:
    """Whether something that was not there crosses the board's border."""
    joined = cv2.morphologyEx(change, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    if not cv2.countNonZero(cv2.bitwise_and(joined, zone.outside)):
        return False
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    enough = HAND_SHARE * zone.area
    on, off = (np.bincount(labels[part > 0], minlength=count) for part in (zone.board, zone.outside))
    return any(
        on[part] > enough and off[part] > enough and is_solid(labels == part, accepted, small, zone)
        for part in range(1, count)
    )


def is_solid(part: NDArray[np.bool_], accepted: Picture, small: Picture, zone: Zone) -> bool:
    """Whether a changed part is a thing in view now: no shadow or lamp, nor where a thing was and is gone."""
    if likeness(part, accepted, small) > SAME_PRINT:
        return False
    old, new = (contrast(picture, part, zone) for picture in (accepted, small))
    return old <= GONE_RATIO * new


def contrast(picture: Picture, part: NDArray[np.bool_], zone: Zone) -> float:
    """How much a part stands out from what is right beside it, off the board: a thing does, a table not."""
    body, brush = part.astype(np.uint8), np.ones((5, 5), np.uint8)
    beside = (cv2.dilate(body, brush) - body).astype(np.float32)
    counts = cv2.boxFilter(beside, -1, (7, 7), normalize=False)
    sums = cv2.boxFilter(picture.astype(np.float32) * beside[..., None], -1, (7, 7), normalize=False)
    edge = part & (cv2.erode(body, brush) == 0) & (zone.outside > 0) & (counts > 0.5)
    if not edge.any():
        return 0.0
    return float(np.abs(picture[edge] - sums[edge] / counts[edge][:, None]).max(axis=1).mean())


def likeness(part: NDArray[np.bool_], accepted: Picture, small: Picture) -> float:
    """How alike the edges in a part of two pictures are, whatever the light: 1 the same, 0 unrelated."""
    (ax, ay), (bx, by) = edges(accepted), edges(small)
    both = float((ax * bx + ay * by)[part].sum())
    return both / float(np.sqrt((ax * ax + ay * ay)[part].sum() * (bx * bx + by * by)[part].sum()) + 1e-6)


def edges(picture: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The slope of the brightness across and down."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(across, dtype=np.float32), np.asarray(down, dtype=np.float32)
