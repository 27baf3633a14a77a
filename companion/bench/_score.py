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
    gate_ms: float = 0.0
    """What the gate alone took."""
    unread: bool = False
    """The picture is missing or broken: whatever stands in it counts as wrong."""

    @property
    def read(self) -> bool:
        """Whether anything was read at all."""
        return not self.busy and not self.unread

    @property
    def stable(self) -> bool:
        """Whether the truth says nobody's hand is in the picture."""
        return self.truth.event not in NOT_STABLE

    @property
    def right(self) -> bool:
        """Whether the whole board was read, and read right."""
        return self.read and all(cell.right for cell in self.cells)


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


def unread(truth: Truth, game: GameTruth, after: bool) -> Frame:
    """A picture that could not be read."""
    cells = tuple(
        Cell(game.name, truth.file, number, content, Content(0), truth.visible[number] >= IN_VIEW, 0.0)
        for number, content in enumerate(truth.board)
    )
    return Frame(game, truth, cells, False, "ok", after, 0.0, unread=True)


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
    """Sum up a group. Of a still picture called busy, and of a broken one, no cell is read: all are wrong."""
    stills = [frame for frame in frames if frame.stable]
    shown = [(cell, frame.read) for frame in stills for cell in frame.cells if cell.visible]
    hands = [frame for frame in frames if not frame.stable]
    return Line(
        len(shown),
        sum(cell.right and read for cell, read in shown),
        len(stills),
        sum(frame.right for frame in stills),
        len(hands),
        sum(frame.busy for frame in hands),
        sum(frame.busy for frame in stills),
        median([frame.ms for frame in frames if not frame.unread]),
    )


def median(values: Sequence[float]) -> float:
    """The median; 0 of none."""
    return float(np.median(values)) if len(values) else 0.0


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
    read = [frame for frame in frames if not frame.unread]
    cpu, gate = median([f.cpu_ms for f in read]), median([f.gate_ms for f in read])
    lines += [
        "",
        f"processor time a picture, median: {cpu:.0f} ms (the last column is the clock on the wall)",
        f"the gate alone on the same pictures, in order, median: {gate:.1f} ms (must 12 ms, aim 5 ms)",
    ]
    if len(read) < len(frames):
        lines.append(f"pictures that could not be read, counted as wrong: {len(frames) - len(read)}")
    lines += ["", *heights(frames), "", *crossed(frames), "", *confusions(frames), "", *reliability(frames)]
    return lines


def grouped(frames: Sequence[Frame], key: Callable[[Frame], str]) -> list[str]:
    """One row a group, in order of name."""
    names = sorted({key(frame) for frame in frames})
    return [row(name, [frame for frame in frames if key(frame) == name]) for name in names]


def shown(frames: Iterable[Frame]) -> list[Cell]:
    """Visible cells of stable pictures that were read."""
    return [cell for f in frames if f.stable and f.read for cell in f.cells if cell.visible]


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


KINDS: Final = tuple(f"{height}{top}" for top in ("", "D", "W") for height in range(4))
"""Heights 0 to 3, bare, under a dome and under a worker."""


def kind(content: Content) -> str:
    """A content as a row or column of the confusion table."""
    return f"{content.height}{'D' if content.top == DOME else 'W' if content.top else ''}"


def crossed(frames: Sequence[Frame]) -> list[str]:
    """The confusion table: what truly stands in a visible cell against what was read."""
    cells = shown(frames)
    counts = Counter((kind(cell.true), kind(cell.read)) for cell in cells)
    lines = ["visible cells, true (rows) and read (columns); D a dome, W a worker of any colour"]
    lines.append(f"{'':6}" + "".join(f"{name:>6}" for name in KINDS))
    for true in KINDS:
        if any(counts[true, read] for read in KINDS):
            lines.append(f"{true:>6}" + "".join(f"{counts[true, read] or '.':>6}" for read in KINDS))
    colours = sum(kind(c.true) == kind(c.read) and not c.right for c in cells)
    return [*lines, f"  workers taken for another side's: {colours}"]


def confusions(frames: Sequence[Frame]) -> list[str]:
    """What was taken for what."""
    stills = [cell for f in frames if f.stable and f.read for cell in f.cells]
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
    stills = [cell for f in frames if f.stable and f.read for cell in f.cells]
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
        if frame.unread:
            lines.append(f"{frame.game.name}/{frame.truth.file} {frame.truth.event}: could not be read")
        elif frame.stable == frame.busy:
            said = "busy" if frame.busy else "stable"
            lines.append(f"{frame.game.name}/{frame.truth.file} {frame.truth.event}: called {said}")
        for cell in frame.cells if frame.stable and frame.read else ():
            if not cell.right:
                true, read = f"{cell.true.height}{cell.true.top}", f"{cell.read.height}{cell.read.top}"
                seen = "visible" if cell.visible else "hidden"
                where = f"{cell.game}/{cell.file} {frame.truth.event} {cell_name(cell.cell)}"
                lines.append(f"{where}: {true} read as {read}, {seen}, sure {cell.sure:.3f}")
    return lines
