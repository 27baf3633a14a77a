"""Fair comparisons of pictures after a bump or a new light: same position, or an equally late picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.bench._score import CHANGES, Frame, row

WITHIN: Final = 2


def late(frames: Sequence[Frame]) -> list[str]:
    """The rows about pictures after a bump or a new light; none without such a game."""
    after = [frame for frame in frames if frame.after and frame.stable]
    if not after:
        return []
    pairs = twins(frames)
    return [
        row("after bump or light", after),
        row("before bump or light", before(frames)),
        row("last before it", [one for one, _ in pairs]),
        row("same position, after it", [two for _, two in pairs]),
        *fair(frames, after),
        *poses(frames),
    ]


def poses(frames: Sequence[Frame]) -> list[str]:
    """How well the camera's place is known before a bump and after it; none without a bump."""
    knocked = {frame.game.name for frame in frames if frame.truth.event == "bump"}
    lines = []
    for name, later in (("before", False), ("after", True)):
        group = [f.pose for f in frames if f.game.name in knocked and f.after == later and f.pose is not None]
        if group:
            ground, tops = np.median(np.array(group), axis=0)
            lines.append(
                f"pose {name} a bump: {ground:.2f} px off on the ground, {tops:.2f} px at tall towers' tops"
            )
    return lines


def before(frames: Sequence[Frame]) -> list[Frame]:
    """The pictures before the change in games that have one."""
    games = {frame.game.name for frame in frames if frame.after}
    return [frame for frame in frames if frame.game.name in games and not frame.after]


def twins(frames: Sequence[Frame]) -> list[tuple[Frame, Frame]]:
    """Each bump or new light, with the last still picture of the same position before it."""
    found = []
    for place, frame in enumerate(frames):
        if frame.truth.event in CHANGES:
            earlier = [
                one
                for one in frames[:place]
                if one.game is frame.game and one.stable and one.truth.board == frame.truth.board
            ]
            if earlier:
                found.append((earlier[-1], frame))
    return found


def fair(frames: Sequence[Frame], after: Sequence[Frame]) -> list[str]:
    """Whole boards right after a change, against equally late pictures of games without any, if there are."""
    changed = {frame.game.name for frame in frames if frame.after}
    calm = [frame for frame in frames if frame.stable and frame.game.name not in changed]
    lines = []
    for name, least in (("all", 0.0), ("at 45° and more", 45.0)):
        pairs = matched([f for f in after if f.game.elevation >= least], calm, least)
        if pairs:
            one, two = (100 * float(np.mean(column)) for column in zip(*pairs, strict=True))
            lines.append(
                f"{name}: boards right after a change {one:.2f} %,"
                f" in equally late pictures of games without one {two:.2f} %: {one - two:+.2f} points"
            )
        else:
            lines += plainly(name, frames, after, least)
    return lines


def plainly(name: str, frames: Sequence[Frame], after: Sequence[Frame], least: float) -> list[str]:
    """The difference to the pictures before the change, where no other game is there to compare with."""
    later, earlier = (
        [frame.right for frame in part if frame.stable and frame.game.elevation >= least]
        for part in (after, before(frames))
    )
    if not later or not earlier:
        return []
    one, two = 100 * float(np.mean(later)), 100 * float(np.mean(earlier))
    told = f"{name}: boards right after a change {one:.2f} %, before it {two:.2f} %: {one - two:+.2f} points"
    return [f"{told} (not adjusted for how late they are: no game here is as long without a change)"]


def matched(after: Sequence[Frame], calm: Sequence[Frame], least: float) -> list[tuple[float, float]]:
    """Whether each picture was right, and what share of the equally late pictures without a change was."""
    found = []
    for frame in after:
        alike = [
            other.right
            for other in calm
            if other.game.elevation >= least and abs(number(other) - number(frame)) <= WITHIN
        ]
        if alike:
            found.append((float(frame.right), float(np.mean(alike))))
    return found


def number(frame: Frame) -> int:
    """How late a picture comes in its game."""
    return sorted(frame.game.frames).index(frame.truth.file)
