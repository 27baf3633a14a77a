"""Scores readings against the truth and puts the figures into tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from companion.bench._truth import IN_VIEW, GameTruth, Truth, pose_errors
from vision.reading import CELLS, DOME, Content, cell_name
from vision.seeing import Seen

NOT_STABLE: Final = ("hand",)
CHANGES: Final = ("bump", "light")


@dataclass(frozen=True)
class Cell:
    """One cell of one stable picture."""

    game: str
    file: str
    cell: int
    true: Content
    read: Content
    visible: bool
    sure: float

    @property
    def right(self) -> bool:
        """Whether height, dome, worker and colour are all right."""
        return self.true == self.read


@dataclass(frozen=True)
class Frame:
    """One picture of one game."""

    game: GameTruth
    truth: Truth
    cells: tuple[Cell, ...]
    busy: bool
    camera: str
    after: bool
    ms: float
    cpu_ms: float = 0.0
    pose: tuple[float, float] | None = None

    @property
    def stable(self) -> bool:
        """Whether the truth says nobody's hand is in the picture."""
        return self.truth.event not in NOT_STABLE

    @property
    def right(self) -> bool:
        """Whether the whole board was read, and read right."""
        return not self.busy and all(cell.right for cell in self.cells)


def score(seen: Seen, truth: Truth, game: GameTruth, after: bool) -> Frame:
    """Compare one reading with its truth."""
    cells = tuple(
        Cell(
            game.name,
            seen.file,
            cell,
            truth.board[cell],
            seen.reading.best[cell],
            truth.visible[cell] >= IN_VIEW,
            seen.reading.confidence(cell),
        )
        for cell in range(CELLS)
    )
    busy = seen.reading.status == "busy"
    pose = None if truth.camera is None else pose_errors(seen.calibration.camera, truth.camera)
    return Frame(game, truth, cells, busy, seen.reading.camera, after, seen.ms, seen.cpu_ms, pose)


@dataclass(frozen=True)
class Line:
    """The figures of a group of pictures."""

    cells: int
    cells_right: int
    boards: int
    boards_right: int
    hands: int
    hands_busy: int
    stills_busy: int
    ms: float


def line(frames: Sequence[Frame]) -> Line:
    """Sum up a group. A still picture called busy counts all its cells as unread, so wrong."""
    stills = [frame for frame in frames if frame.stable]
    shown = [(cell, frame.busy) for frame in stills for cell in frame.cells if cell.visible]
    hands = [frame for frame in frames if not frame.stable]
    return Line(
        len(shown),
        sum(cell.right and not busy for cell, busy in shown),
        len(stills),
        sum(frame.right for frame in stills),
        len(hands),
        sum(frame.busy for frame in hands),
        sum(frame.busy for frame in stills),
        float(np.median([frame.ms for frame in frames])) if frames else 0.0,
    )


def percent(part: int, whole: int) -> str:
    """A share in per cent, or a dash."""
    return f"{100 * part / whole:6.2f}" if whole else "     -"


HEAD: Final = (
    f"{'':22} {'visible cells right':>22} {'boards right':>18} "
    f"{'hands busy':>11} {'stills busy':>11} {'ms':>6}"
)


def row(name: str, frames: Sequence[Frame]) -> str:
    """One line of a table."""
    found = line(frames)
    cells = f"{found.cells_right:6}/{found.cells:<6} {percent(found.cells_right, found.cells)} %"
    boards = f"{found.boards_right:4}/{found.boards:<4} {percent(found.boards_right, found.boards)} %"
    hands, stills = f"{found.hands_busy}/{found.hands}", f"{found.stills_busy}/{found.boards}"
    return f"{name:22} {cells:>22} {boards:>18} {hands:>11} {stills:>11} {found.ms:6.0f}"


def band(elevation: float) -> str:
    """The elevation band of a camera."""
    return "below 45 degrees" if elevation < 45 else "45 to 60 degrees" if elevation < 60 else "60 and more"


def tables(frames: Sequence[Frame]) -> list[str]:
    """All tables of the bench."""
    lines = [HEAD]
    lines += grouped(
        frames, lambda f: f"{f.game.name} {f.game.elevation:.0f}° {'tags' if f.game.tags else 'taps'}"
    )
    lines.append(row("all", frames))
    high = [frame for frame in frames if frame.game.elevation >= 45]
    lines.append(row("all at 45° and more", high))
    lines += ["", *grouped(frames, lambda f: band(f.game.elevation))]
    lines += ["", *grouped(frames, lambda f: "tags" if f.game.tags else "taps")]
    cpu = float(np.median([f.cpu_ms for f in frames]))
    lines += [
        "",
        f"processor time a picture, median: {cpu:.0f} ms (the last column is the clock on the wall)",
    ]
    lines += ["", *heights(frames), "", *confusions(frames), "", *reliability(frames)]
    return lines


def grouped(frames: Sequence[Frame], key: Callable[[Frame], str]) -> list[str]:
    """One row a group, in order of name."""
    names = sorted({key(frame) for frame in frames})
    return [row(name, [frame for frame in frames if key(frame) == name]) for name in names]


def shown(frames: Iterable[Frame]) -> list[Cell]:
    """Visible cells of stable pictures that were read."""
    return [cell for f in frames if f.stable and not f.busy for cell in f.cells if cell.visible]


def heights(frames: Sequence[Frame]) -> list[str]:
    """Accuracy by what truly stands in the cell."""
    cells, lines = shown(frames), ["by content: visible cells right"]
    for height in range(4):
        for kind, fits in (("bare", ""), ("dome", DOME), ("worker", "W")):
            group = [c for c in cells if c.true.height == height and family(c.true) == fits]
            right = sum(c.right for c in group)
            if group:
                lines.append(f"  {height} {kind:7} {right:6}/{len(group):<6} {percent(right, len(group))} %")
    return lines


def family(content: Content) -> str:
    """The kind of top piece: none, dome, or any worker."""
    return content.top if content.top in ("", DOME) else "W"


def confusions(frames: Sequence[Frame]) -> list[str]:
    """What was taken for what."""
    stills = [cell for f in frames if f.stable and not f.busy for cell in f.cells]
    counts = Counter(
        (f"{c.true.height}{c.true.top or ''}", f"{c.read.height}{c.read.top or ''}", c.visible)
        for c in stills
        if not c.right
    )
    lines = ["confusions: true -> read"]
    for (true, read, visible), count in counts.most_common():
        lines.append(f"  {true:>6} -> {read:<6} {count:4} {'visible' if visible else 'hidden'}")
    return lines


BOUNDS: Final = (0.0, 0.5, 0.7, 0.9, 0.97, 0.99, 0.995, 0.998, 1.0001)


def reliability(frames: Sequence[Frame]) -> list[str]:
    """How often a cell is right at each confidence."""
    stills = [cell for f in frames if f.stable and not f.busy for cell in f.cells]
    lines = ["reliability: confidence, cells, right, visible cells, right"]
    for low, high in pairwise(BOUNDS):
        group = [c for c in stills if low <= c.sure < high]
        seen = [c for c in group if c.visible]
        if group:
            one, two = sum(c.right for c in group), sum(c.right for c in seen)
            lines.append(
                f"  {low:5.3f} to {min(high, 1):5.3f} {len(group):6} {percent(one, len(group))} %"
                f" {len(seen):6} {percent(two, len(seen))} %"
            )
    return lines


def worst(frames: Sequence[Frame], count: int = 10) -> list[Cell]:
    """The wrong visible cells that were read with most confidence."""
    wrong = [cell for cell in shown(frames) if not cell.right]
    return sorted(wrong, key=lambda cell: -cell.sure)[:count]


def mistakes(frames: Sequence[Frame]) -> list[str]:
    """Every wrong cell, one line each."""
    lines = []
    for frame in frames:
        if frame.stable == frame.busy:
            said = "busy" if frame.busy else "stable"
            lines.append(f"{frame.game.name}/{frame.truth.file} {frame.truth.event}: called {said}")
        for cell in frame.cells if frame.stable and not frame.busy else ():
            if not cell.right:
                true, read = f"{cell.true.height}{cell.true.top}", f"{cell.read.height}{cell.read.top}"
                seen = "visible" if cell.visible else "hidden"
                where = f"{cell.game}/{cell.file} {frame.truth.event} {cell_name(cell.cell)}"
                lines.append(f"{where}: {true} read as {read}, {seen}, sure {cell.sure:.3f}")
    return lines
