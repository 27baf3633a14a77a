"""The loops over pixels that cost the most time, compiled when they are first needed (decision 0210)."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Final, Generic, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Taken = ParamSpec("Taken")
Given = TypeVar("Given")
Flat = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Wide = NDArray[np.int64]

# the planes of a raster's code
ROOF_PLANE, WALL_PLANE, EDGE_PLANE, STEPS_PLANE = range(4)
PLANES: Final = 4
SLIVER: Final = 15.0
# a dome's colour is nobody else's: slivers of it are believed more easily
DOME_SLIVER: Final = 7.5
SPILL: Final = 0.8
ON_ROOF: Final = 0.5
STEP_SHARE: Final = 0.9
STEP_PRICE: Final = 1.5
FEWEST: Final = 20.0
LEAST_FRINGE: Final = -0.3


class Sheets(NamedTuple):
    """A picture's evidence: ivory as roof, wall and edge, ivory anywhere, bins of brightness, all paints."""

    ivory: Flat
    anywhere: Flat
    bright: Bytes
    paints: Flat
    temper: float


class Plot(NamedTuple):
    """A cell's part of the evidence against what is behind it; zero, in no bin, where it does not count."""

    clear: Flat
    over: Flat
    bins: Bytes
    paints: Flat
    temper: float


class Levels(NamedTuple):
    """What each bin of brightness says for each level of a roof and of a wall, and each look's prices."""

    by_bin: Flat
    prices: Flat


class Towers(NamedTuple):
    """The pixels of several towers: codes face by face, how many a face has, looks; each tower's size."""

    code: Numbers
    lengths: Wide
    look: Wide
    faces: Wide
    pixels: Wide


class Tops(NamedTuple):
    """For every pile its tower, its paint (or -1) and where own pixels, fringe and ring end in `spot`.

    `rows` says where the levels of each pile's faces begin, and (last) how many there are.
    """

    tower: Wide
    paint: Wide
    spot: Numbers
    ends: Wide
    rows: Wide


class Loop(Generic[Taken, Given]):
    """A function over arrays that is compiled when it is first called; `plain` is the function itself."""

    def __init__(self, plain: Callable[Taken, Given]) -> None:
        self.plain = plain
        self.quick: Callable[Taken, Given] | None = None
        LOOPS.append(self)

    def __call__(self, *args: Taken.args, **named: Taken.kwargs) -> Given:
        """Call the compiled function."""
        if self.quick is None:
            prepare()
        assert self.quick is not None
        return self.quick(*args, **named)


LOOPS: Final[list[Loop[..., Any]]] = []
PREPARING: Final = Lock()


def prepare() -> None:
    """Hand all loops to the compiler, which is only loaded now: most commands never read a picture."""
    with PREPARING:
        if all(loop.quick is not None for loop in LOOPS):
            return
        quick = [quickened(loop.plain) for loop in LOOPS]
        # loops call each other in their compiled form
        for loop, fast in zip(LOOPS, quick, strict=True):
            loop.plain.__globals__[loop.plain.__name__] = fast
        for loop, fast in zip(LOOPS, quick, strict=True):
            loop.quick = loop.quick or fast


def quickened(plain: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled form; kept beside the source or, where that is read-only, in the user's cache."""
    from numba import njit

    try:
        return cast(Callable[..., Any], njit(cache=True, nogil=True)(plain))
    except RuntimeError:
        # nowhere to keep it: compiled anew in every process
        return cast(Callable[..., Any], njit(nogil=True)(plain))


@Loop
def sorted_out(
    paper: Bytes, names: Bytes, planes: Bytes, faces: int, shape: tuple[int, int, int, int]
) -> tuple[Numbers, Wide]:
    """The painted pixels face by face, as codes, and how many each face has."""
    size, wide, row, column = shape
    lengths = np.zeros(faces, dtype=np.int64)
    for mark in paper.ravel():
        if mark:
            lengths[names[mark]] += 1
    place, whole = np.zeros(faces, dtype=np.int64), 0
    for face in range(faces):
        place[face] = whole
        whole += lengths[face]
    code = np.empty(whole, dtype=np.int32)
    for y in range(paper.shape[0]):
        start, line = (row + y) * wide + column, paper[y]
        for x in range(len(line)):
            mark = line[x]
            if mark:
                name = names[mark]
                code[place[name]] = planes[mark] * size + start + x
                place[name] += 1
    return code, lengths


@Loop
def numbered(
    paper: Bytes, looks: Bytes, marks: tuple[int, int, int], shape: tuple[int, int, int, int]
) -> tuple[Numbers, Wide, Wide]:
    """A tower's painted pixels face by face, as codes; how many each face has, and how it looks.

    `marks` are the topmost roof's, that of the edge of its recess, which is a part of it, and the steps'.
    """
    top, edge, skirt = marks
    shows = np.zeros(256, dtype=np.bool_)
    for painted in paper.ravel():
        shows[painted] = True
    shows[top] |= shows[edge]
    shows[edge] = shows[0] = False
    names, planes = np.zeros(256, dtype=np.uint8), np.zeros(256, dtype=np.uint8)
    look, faces = np.empty(256, dtype=np.int64), 0
    for mark in range(256):
        planes[mark] = WALL_PLANE if looks[mark] > 0 else ROOF_PLANE
        if shows[mark]:
            names[mark] = faces
            look[faces] = looks[mark]
            faces += 1
    names[edge], planes[edge], planes[skirt] = names[top], EDGE_PLANE, STEPS_PLANE
    code, lengths = sorted_out(paper, names, planes, faces, shape)
    return code, lengths, look[:faces].copy()


@Loop
def laid(
    sheets: Sheets, clear: Flat, behind: Flat, slots: int, box: tuple[int, int, int, int, int]
) -> tuple[Flat, Bytes, Flat]:
    """Ivory for every plane of a raster's code, brightness without and with the steps, paints."""
    left, top, wide, high, stride = box
    size, pixels = wide * high, len(sheets.bright)
    over, bins = np.empty(PLANES * size, dtype=np.float32), np.empty(2 * size, dtype=np.uint8)
    paints = np.empty((len(sheets.paints), size), dtype=np.float32)
    temper, no_bin = np.float32(sheets.temper), np.uint8(slots - 1)
    for row in range(high):
        at, to = (top + row) * stride + left, row * wide
        count, back = clear[to : to + wide], behind[to : to + wide]
        for plane in range(STEPS_PLANE):
            ivory = sheets.ivory[plane * pixels + at : plane * pixels + at + wide]
            against(ivory, back, count, over[plane * size + to : plane * size + to + wide])
        for paint in range(len(paints)):
            against(sheets.paints[paint, at : at + wide], back, count, paints[paint, to : to + wide])
        steps = over[STEPS_PLANE * size + to : STEPS_PLANE * size + to + wide]
        against(sheets.anywhere[at : at + wide], back, count, steps)
        bright, plain = sheets.bright[at : at + wide], bins[to : to + wide]
        stepped = bins[size + to : size + to + wide]
        for column in range(wide):
            plain[column] = bright[column] if count[column] > 0 else no_bin
            # the steps are only where they explain more than what is behind them
            stepped[column] = bright[column] if steps[column] > 0 else no_bin
            steps[column] = steps[column] + temper if steps[column] > 0 else np.float32(0)
    return over, bins, paints


@Loop
def against(sheet: Flat, behind: Flat, count: Flat, over: Flat) -> None:
    """How much better pixels are explained than by what is behind them; nothing where they do not count."""
    for place in range(len(over)):
        over[place] = (sheet[place] - behind[place]) * count[place]


@Loop
def counted(
    code: Numbers, lengths: Wide, plot: Plot, slots: int, listed: Numbers, first: int
) -> tuple[Flat, Doubles, Bytes]:
    """Each face's brightness by bin, its sum of gains, and each pixel's face; lists every pixel's place."""
    table, gains = np.zeros((len(lengths), slots), dtype=np.float32), np.zeros(len(lengths))
    owner, size, begin = np.empty(len(code), dtype=np.uint8), np.uint32(len(plot.clear)), 0
    stepped, twice = plot.bins[size:], np.uint32(2 * size)
    for face in range(len(lengths)):
        part, row, total = code[begin : begin + lengths[face]], table[face], 0.0
        for number in range(len(part)):
            # unsigned numbers need no check for places counted from the end; a division would take long
            at = np.uint32(part[number])
            spot = np.uint32(at - twice) if at >= twice else at
            steps = at >= twice + size
            spot = np.uint32(spot - size) if spot >= size else spot
            row[stepped[spot] if steps else plot.bins[spot]] += 1
            total += plot.over[at]
            listed[spot] = first + begin + number
        owner[begin : begin + len(part)] = face
        gains[face] = total
        begin += len(part)
    return table, gains, owner


@Loop
def levelled(table: Flat, gains: Doubles, look: Wide, levels: Levels, rows: Wide) -> float:
    """The gain of all faces, each at its likeliest level; leaves those levels in `rows`."""
    whole, no_bin, steps = 0.0, table.shape[1] - 1, len(levels.prices) - 1
    total = np.empty(levels.prices.shape[1], dtype=np.float32)
    for face in range(len(look)):
        price = levels.prices[look[face]]
        for row in range(len(total)):
            total[row] = price[row]
        by_bin, seen = levels.by_bin[1 if look[face] else 0], False
        for number in range(no_bin):
            count = table[face, number]
            if count > 0:
                seen = True
                for row in range(len(total)):
                    total[row] += count * by_bin[number, row]
        best = 0
        for row in range(1, len(total)):
            if total[row] > total[best]:
                best = row
        rows[face] = best
        gain = gains[face] + (total[best] if seen else 0.0)
        # the steps are a face of their own, with a brightness of their own
        whole += max(STEP_SHARE * gain - STEP_PRICE, 0.0) if look[face] == steps else gain
    return whole


@Loop
def uncovered(
    own: Numbers,
    tower: tuple[Numbers, Bytes],
    plot: Plot,
    listed: Numbers,
    first: int,
    table: Flat,
    gains: Doubles,
) -> None:
    """Take what a top piece hides out of its tower's counts."""
    code, owner = tower
    for spot in own:
        place = listed[spot] - first
        if place >= 0:
            at, face = code[place], owner[place]
            table[
                face, plot.bins[len(plot.clear) + spot if at >= STEPS_PLANE * len(plot.clear) else spot]
            ] -= 1
            gains[face] -= plot.over[at]


@Loop
def lifted(
    spots: Numbers,
    tower: tuple[Numbers, Bytes],
    plot: Plot,
    listed: Numbers,
    first: int,
    look: Wide,
    rows: Wide,
    by_bin: Flat,
) -> Flat:
    """How much better than what is behind it a tower explains the pixels around its top piece."""
    code, owner = tower
    lift = np.zeros(len(spots), dtype=np.float32)
    for number in range(len(spots)):
        place = listed[spots[number]] - first
        if place >= 0:
            at, face, size = code[place], owner[place], len(plot.clear)
            bright = plot.bins[size + spots[number] if at >= STEPS_PLANE * size else spots[number]]
            lift[number] = plot.over[at] + by_bin[1 if look[face] else 0, bright, rows[face]]
    return lift


@Loop
def topped(
    own: Numbers,
    around: Numbers,
    fringe: int,
    lift: Flat,
    paint: Flat,
    plot: Plot,
    share: float,
    sliver: float,
) -> float:
    """What a dome or worker gains over what is under it; `around` are its fringe, so many, and its ring."""
    gain, seen, room, spill = 0.0, 0.0, 0.0, 0.0
    for spot in own:
        gain += paint[spot]
        seen += plot.clear[spot]
    # slivers beside a nearer pile are bought too easily
    gain -= sliver * (1.0 - seen / max(len(own), 1)) ** 2
    half = np.log(2.0) * plot.temper
    for number in range(len(around)):
        spot = around[number]
        if plot.clear[spot] == 0:
            continue
        more = paint[spot] - lift[number]
        if number < fringe:
            either = max(more, 0.0) + np.log1p(np.exp(-abs(more))) - half
            gain += max(either, LEAST_FRINGE)
        else:
            room += 1.0
            spill += max(more, 0.0)
    # in some shadows a figure's colour also fits the ground around it
    return gain if room < FEWEST else gain - share * SPILL * seen * spill / room


@Loop
def scored(towers: Towers, tops: Tops, plot: Plot, levels: Levels) -> tuple[Doubles, Wide]:
    """How well every pile explains the picture, but for its prices, and the levels of all their faces."""
    count, slots = len(tops.tower), levels.by_bin.shape[1]
    gain, listed = np.zeros(count), np.full(len(plot.clear), -1, dtype=np.int32)
    rows = np.zeros(tops.rows[count], dtype=np.int64)
    face = place = 0
    for number in range(len(towers.faces)):
        lengths = towers.lengths[face : face + towers.faces[number]]
        look = towers.look[face : face + towers.faces[number]]
        code = towers.code[place : place + towers.pixels[number]]
        table, gains, owner = counted(code, lengths, plot, slots, listed, place)
        for pile in range(count):
            if tops.tower[pile] != number:
                continue
            chosen = rows[tops.rows[pile] : tops.rows[pile + 1]]
            paint = tops.paint[pile]
            if paint < 0:
                gain[pile] = levelled(table, gains, look, levels, chosen)
                continue
            begin = tops.ends[3 * pile - 1] if pile else 0
            end, middle, stop = tops.ends[3 * pile], tops.ends[3 * pile + 1], tops.ends[3 * pile + 2]
            own, around = tops.spot[begin:end], tops.spot[end:stop]
            bare, sums = table.copy(), gains.copy()
            uncovered(own, (code, owner), plot, listed, place, bare, sums)
            whole = levelled(bare, sums, look, levels, chosen)
            lift = lifted(around, (code, owner), plot, listed, place, look, chosen, levels.by_bin)
            share = ON_ROOF if len(look) else 1.0
            # paint 0 is the domes'
            sliver = SLIVER if paint else DOME_SLIVER
            fringe, sheet = middle - end, plot.paints[paint]
            gain[pile] = whole + topped(own, around, fringe, lift, sheet, plot, share, sliver)
        face += len(look)
        place += len(code)
    return gain, rows
