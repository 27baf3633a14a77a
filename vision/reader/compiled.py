"""The loops over pixels that cost the most time, compiled when they are first needed (decision 0210)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.reader.painted import PLANES, STEPS_PLANE, TOP_HEAD, TOWER_HEAD
from vision.reader.quick import Loop

Flat = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Wide = NDArray[np.int64]

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


class Tower(NamedTuple):
    """A tower without its top piece as it explains a cell: its faces' looks.

    Then, face by face, its brightness by bin, what its colours gain, its likeliest level and its whole
    gain. `listed` tells, less `first`, of a place of the box its face (times PLANES) and its plane, if
    the tower covers it.
    """

    look: Numbers
    table: Flat
    gains: Doubles
    rows: Wide
    worth: Doubles
    listed: Numbers
    first: int


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
def built(
    shelf: Numbers, at: int, plot: Plot, levels: Levels, listed: Numbers, first: int, scratch: Flat
) -> Tower:
    """How a tower explains a cell, each face at its likeliest level."""
    faces = shelf[at]
    begin = at + TOWER_HEAD + 2 * faces
    look, counts = shelf[at + TOWER_HEAD : begin - faces], shelf[begin - faces : begin]
    table, gains = counted(shelf, begin, counts, plot, levels.by_bin.shape[1], listed, first)
    rows, worth = np.zeros(faces, dtype=np.int64), np.zeros(faces)
    for face in range(faces):
        rows[face], worth[face] = levelled(table[face], gains[face], look[face], levels, scratch)
    return Tower(look, table, gains, rows, worth, listed, first)


@Loop
def counted(
    shelf: Numbers, begin: int, counts: Numbers, plot: Plot, slots: int, listed: Numbers, first: int
) -> tuple[Flat, Doubles]:
    """Each face's brightness by bin and its sum of gains; lists the face and plane of every place."""
    table, gains = np.zeros((len(counts), slots), dtype=np.float32), np.zeros(len(counts))
    size = len(plot.clear)
    for face in range(len(counts)):
        row, total = table[face], 0.0
        for _ in range(counts[face]):
            at, length = shelf[begin], shelf[begin + 1]
            plane, begin = at // size, begin + 2
            spot, mark = at - plane * size, first + PLANES * face + plane
            if plane == STEPS_PLANE:
                bins = plot.bins[size + spot : size + spot + length]
            else:
                bins = plot.bins[spot : spot + length]
            over, places = plot.over[at : at + length], listed[spot : spot + length]
            for number in range(length):
                row[bins[number]] += 1
                total += over[number]
                places[number] = mark
        gains[face] = total
    return table, gains


@Loop
def levelled(counts: Flat, plain: float, look: int, levels: Levels, total: Flat) -> tuple[int, float]:
    """A face's likeliest level, and what the face then gains; `total` is only room to add up in."""
    price, by_bin = levels.prices[look], levels.by_bin[1 if look else 0]
    for row in range(len(total)):
        total[row] = price[row]
    seen = False
    for number in range(len(counts) - 1):
        count = counts[number]
        if count > 0:
            seen = True
            for row in range(len(total)):
                total[row] += count * by_bin[number, row]
    best = 0
    for row in range(1, len(total)):
        if total[row] > total[best]:
            best = row
    gain = plain + (total[best] if seen else 0.0)
    # the steps are a face of their own, with a brightness of their own
    return best, max(STEP_SHARE * gain - STEP_PRICE, 0.0) if look == len(levels.prices) - 1 else gain


@Loop
def under(own: Numbers, tower: Tower, plot: Plot, levels: Levels, rows: Wide, scratch: Flat) -> float:
    """What a tower gains where a top piece does not hide it; leaves its faces' levels in `rows`."""
    table, gains, size = tower.table.copy(), tower.gains.copy(), len(plot.clear)
    touched = np.zeros(len(tower.look), dtype=np.bool_)
    for spot in own:
        mark = tower.listed[spot] - tower.first
        if mark >= 0:
            face, plane = mark // PLANES, mark % PLANES
            table[face, plot.bins[size + spot if plane == STEPS_PLANE else spot]] -= 1
            gains[face] -= plot.over[plane * size + spot]
            touched[face] = True
    whole = 0.0
    for face in range(len(rows)):
        rows[face], worth = tower.rows[face], tower.worth[face]
        if touched[face]:
            rows[face], worth = levelled(table[face], gains[face], tower.look[face], levels, scratch)
        whole += worth
    return whole


@Loop
def lifted(spot: int, tower: Tower, plot: Plot, rows: Wide, by_bin: Flat) -> np.float32:
    """How much better than what is behind it a tower explains a pixel beside its top piece."""
    mark, size = tower.listed[spot] - tower.first, len(plot.clear)
    if mark < 0:
        return np.float32(0)
    face, plane = mark // PLANES, mark % PLANES
    bright = plot.bins[size + spot if plane == STEPS_PLANE else spot]
    plain = plot.over[plane * size + spot]
    return np.float32(plain + by_bin[1 if tower.look[face] else 0, bright, rows[face]])


@Loop
def topped(
    top: tuple[Numbers, Numbers, Numbers], paint: int, tower: Tower, rows: Wide, plot: Plot, by_bin: Flat
) -> float:
    """What a dome or worker gains over what is under it; `top` are its own pixels, its fringe, its ring."""
    own, fringe, ring = top
    sheet = plot.paints[paint]
    gain, seen, room, spill = 0.0, 0.0, 0.0, 0.0
    for spot in own:
        gain += sheet[spot]
        seen += plot.clear[spot]
    # slivers beside a nearer pile are bought too easily; paint 0 is the domes'
    gain -= (SLIVER if paint else DOME_SLIVER) * (1.0 - seen / max(len(own), 1)) ** 2
    half = np.log(2.0) * plot.temper
    for spot in fringe:
        if plot.clear[spot] > 0:
            more = sheet[spot] - lifted(spot, tower, plot, rows, by_bin)
            either = max(more, 0.0) + np.log1p(np.exp(-abs(more))) - half
            gain += max(either, LEAST_FRINGE)
    for spot in ring:
        if plot.clear[spot] > 0:
            room += 1.0
            spill += max(sheet[spot] - lifted(spot, tower, plot, rows, by_bin), 0.0)
    # in some shadows a figure's colour also fits the ground around it
    share = ON_ROOF if len(tower.look) else 1.0
    return gain if room < FEWEST else gain - share * SPILL * seen * spill / room


@Loop
def crowned(
    shelf: Numbers, at: int, paint: int, tower: Tower, plot: Plot, levels: Levels, rows: Wide, scratch: Flat
) -> float:
    """What a tower and its top piece gain together; leaves the levels of the tower's faces in `rows`."""
    begin = at + TOP_HEAD
    middle = begin + shelf[at]
    end = middle + shelf[at + 1]
    own = shelf[begin:middle]
    whole = under(own, tower, plot, levels, rows, scratch)
    top = (own, shelf[middle:end], shelf[end : end + shelf[at + 2]])
    return whole + topped(top, paint, tower, rows, plot, levels.by_bin)


@Loop
def scored(shelf: Numbers, piles: Wide, plot: Plot, levels: Levels) -> Doubles:
    """How well every pile explains the picture, but for its prices.

    A pile says where on the shelf its tower and its top piece are and what paint that has (or -1).
    """
    gain, done = np.zeros(len(piles)), np.zeros(len(piles), dtype=np.bool_)
    listed, scratch = np.full(len(plot.clear), -1, dtype=np.int32), np.empty_like(levels.prices[0])
    rows, first = np.empty(256, dtype=np.int64), 0
    for number in range(len(piles)):
        if done[number]:
            continue
        tower = built(shelf, piles[number, 0], plot, levels, listed, first, scratch)
        whole = 0.0
        for worth in tower.worth:
            whole += worth
        for pile in range(number, len(piles)):
            at, top, paint = piles[pile]
            if at == piles[number, 0]:
                done[pile], gain[pile] = True, whole
                if paint >= 0:
                    chosen = rows[: len(tower.look)]
                    gain[pile] = crowned(shelf, top, paint, tower, plot, levels, chosen, scratch)
        first += PLANES * len(tower.look)
    return gain


@Loop
def faces_of(shelf: Numbers, pile: Wide, plot: Plot, levels: Levels) -> Wide:
    """The likeliest level of every face of a pile's tower."""
    at, top, paint = pile
    listed, scratch = np.full(len(plot.clear), -1, dtype=np.int32), np.empty_like(levels.prices[0])
    tower = built(shelf, at, plot, levels, listed, 0, scratch)
    if paint >= 0:
        crowned(shelf, top, paint, tower, plot, levels, tower.rows, scratch)
    return tower.rows
