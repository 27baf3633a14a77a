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
    ]


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
    """Whole boards right after a change, against equally late pictures of games without any."""
    changed = {frame.game.name for frame in frames if frame.after}
    still = [frame for frame in frames if frame.stable]
    number = {id(f): int(np.searchsorted(sorted(f.game.frames), f.truth.file)) for f in still}
    calm = [frame for frame in still if frame.game.name not in changed]
    shares, matched = [], []
    for frame in after:
        alike = [f for f in calm if abs(number[id(f)] - number[id(frame)]) <= WITHIN]
        if alike:
            matched.append(frame.right)
            shares.append(float(np.mean([f.right for f in alike])))
    if not matched:
        return ["no game without a change has pictures as late"]
    one, two = 100 * float(np.mean(matched)), 100 * float(np.mean(shares))
    return [
        f"boards right after a change {one:.2f} %, in equally late pictures (number +-{WITHIN}) of games"
        f" without one {two:.2f} %: {one - two:+.2f} points"
    ]
