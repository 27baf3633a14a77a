"""Scores the referee's decisions on labelled picture games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.referee.boards import costs_of
from companion.referee.legal import legal_candidates
from companion.referee.pictures import Followed, LineUp, begun
from companion.referee.tracking import played, view_of
from engine.steps import format_step
from vision.reading import CELLS, Board, Content, Reading, alternatives, board_from_json, cell_name

RULES: Final = {
    "climb2": "too_high",
    "move2": "not_neighbour",
    "build_far": "not_neighbour",
    "double_build": "no_power",
    "dome_low": "wrong_piece",
    "two_workers": "wrong_worker",
}
BINS: Final = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
SHOWN: Final = 4
SCORED: Final = ("turn", "illegal", "hand", "bump", "light")


@dataclass(frozen=True)
class Label:
    """What a picture shows, what is official after it, and for an unlawful turn the rule."""

    file: str
    event: str
    shown: Board
    official: Board
    rule: str | None
    fair: bool = True
    """Not after a label that breaks the rules itself."""


@dataclass(frozen=True)
class Scored:
    """One decision beside its truth."""

    game: str
    label: Label
    followed: Followed

    @property
    def kind(self) -> str:
        """What was decided."""
        return self.followed.decided.kind

    @property
    def position_right(self) -> bool:
        """Whether the official position is right after the decision."""
        return self.followed.official == self.label.official

    @property
    def right(self) -> bool:
        """Whether the decision is the one that the truth asks for."""
        match self.label.event:
            case "turn":
                return self.kind == "turn" and self.position_right
            case "illegal":
                return self.kind == "illegal"
            case "hand":
                return self.kind in ("busy", "none") and self.position_right
            case _:
                return self.kind == "none" and self.position_right

    @property
    def rule_right(self) -> bool:
        """Whether an unlawful turn was called so and the right rule named."""
        option = self.followed.decided.option
        return self.kind == "illegal" and option is not None and option.reason == self.label.rule

    @property
    def silent(self) -> bool:
        """Whether a turn was taken that was not played, and nobody was asked."""
        return self.kind == "turn" and not (self.label.event == "turn" and self.position_right)


def labels_of(folder: Path, lined: LineUp) -> list[Label]:
    """Read the labels; what follows a turn that breaks the rules is marked as unfair."""
    frames = json.loads((folder / "labels.json").read_text("utf-8"))["frames"]
    unlawful = _first_unlawful(frames, lined)
    found: list[Label] = []
    official: Board | None = None
    for number, frame in enumerate(frames):
        board, event = board_from_json(frame), str(frame["event"])
        if event in ("empty", "tableau", "placed", "turn") or official is None:
            official = board
        rule = RULES.get(str((frame.get("turn") or {}).get("kind"))) if event == "illegal" else None
        found.append(Label(str(frame["file"]), event, board, official, rule, number < unlawful))
    return found


def _first_unlawful(frames: Sequence[Mapping[str, Any]], lined: LineUp) -> int:
    """Find the first turn labelled as lawful, or as unlawful, that is not: the label is wrong then."""
    start = next((frame for frame in frames if frame["event"] == "placed"), None)
    if start is None:
        return len(frames)
    game = begun(lined.setup, board_from_json(start), start["workers"])
    for number, frame in enumerate(frames):
        if frame["event"] not in ("turn", "illegal"):
            continue
        board = board_from_json(frame)
        fitting = [c for c in legal_candidates(view_of(game), costs_of(_sure(board, lined)), 3) if c.ends]
        after = next((played(game, c) for c in fitting if c.board == board), None)
        if (after is None) is (frame["event"] == "turn"):
            return number
        game = after or game
    return len(frames)


def _sure(board: Board, lined: LineUp) -> Reading:
    """Give the reading of an eye that sees everything."""
    contents = alternatives(lined.setup.seats)
    scores = tuple(
        tuple(
            0.0 if c == content else -20.0 - 5 * abs(c.height - content.height) - 10 * (c.top != content.top)
            for c in contents
        )
        for content in board
    )
    return Reading(lined.setup.seats, contents, scores, (1.0,) * CELLS, board, "stable", "ok")


# ---- figures -------------------------------------------------------------------------------------------


@dataclass
class Figures:
    """Counts over one game or many."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, scored: Sequence[Scored], missing: Sequence[Label] = ()) -> None:
        """Count one game; what could not be read counts, but never as right."""
        count = self.counts
        count["not read"] += len(missing)
        count.update(label.event for label in missing if label.event in SCORED)
        for item in scored:
            event = item.label.event
            if event not in SCORED:
                continue
            count[event] += 1
            count[f"{event} right"] += item.right
            count["asked"] += event == "turn" and item.kind == "ask"
            count["silent"] += item.silent and event != "hand"
            count["commits on hands"] += item.silent and event == "hand"
            count["rule right"] += item.rule_right
        count["games"] += 1
        count["whole"] += whole(scored)

    def share(self, name: str, of: str) -> str:
        """Write a share in per cent."""
        return f"{100 * self.counts[name] / self.counts[of]:.1f} %" if self.counts[of] else "-"

    def row(self, name: str) -> str:
        """Write a line of the table."""
        c = self.counts
        cells = (
            f"{c['turn right']}/{c['turn']}",
            str(c["asked"]),
            str(c["silent"]),
            f"{c['illegal right']}/{c['illegal']}",
            f"{c['rule right']}",
            f"{c['commits on hands']}/{c['hand']}",
            f"{c['whole']}/{c['games']}",
        )
        return f"{name:24}" + "".join(f"{cell:>9}" for cell in cells)


HEAD: Final = f"{'game':24}" + "".join(
    f"{name:>9}" for name in ("right", "asked", "silent", "illegal", "rule", "hand", "whole")
)


def whole(scored: Sequence[Scored]) -> bool:
    """Whether a game was followed to its end and never stood at a position that was not played."""
    played_: set[Board] = set()
    for item in scored:
        played_.add(item.label.official)
        if item.followed.official not in played_ or (item.kind == "turn" and not item.position_right):
            return False
    return bool(scored) and scored[-1].position_right


def summary(figures: Figures) -> Iterator[str]:
    """Write the measures with their bars."""
    c = figures.counts
    yield f"turns decided right at first look   {figures.share('turn right', 'turn'):>8}   must 98 %"
    yield f"asked                               {figures.share('asked', 'turn'):>8}   must <= 4 %"
    yield f"silently wrong                      {figures.share('silent', 'turn'):>8}   must <= 0.5 %"
    yield f"illegal called illegal              {figures.share('illegal right', 'illegal'):>8}   must 90 %"
    yield f"  and the right rule named          {figures.share('rule right', 'illegal'):>8}   must 80 %"
    yield f"commits on pictures with a hand     {c['commits on hands']:>8}   must 0"
    yield f"whole games                         {figures.share('whole', 'games'):>8}   must 80 %"


def reliability(scored: Iterable[Scored]) -> Iterator[str]:
    """Write how often the likeliest thing was true, by how sure the referee was of it."""
    bins: list[list[bool]] = [[] for _ in BINS[1:]]
    sums = [0.0] * len(bins)
    for item in scored:
        options = item.followed.decided.options
        if not options or item.label.event == "hand":
            continue
        top = options[0]
        number = next(n for n, high in enumerate(BINS[1:]) if top.chance <= high or high == BINS[-1])
        bins[number].append(top.seen == item.label.shown)
        sums[number] += top.chance
    yield f"{'chance given':>16}{'pictures':>10}{'mean':>9}{'true':>9}"
    for low, high, found, total in zip(BINS, BINS[1:], bins, sums, strict=False):
        if found:
            share, mean = sum(found) / len(found), total / len(found)
            yield f"{low:>8.3f}-{high:<7.3f}{len(found):>10}{mean:>9.4f}{share:>9.4f}"


def worst(scored: Iterable[Scored]) -> Iterator[str]:
    """Write the wrong decisions with what was thought of."""
    for item in scored:
        if item.right and (item.label.event != "illegal" or item.rule_right):
            continue
        decided, label = item.followed.decided, item.label
        option = decided.option
        said = f"{decided.kind} {(option.turn or option.reason or '') if option else ''}".strip()
        event = f"{label.event} {label.rule or ''}".strip()
        yield f"{item.game} {label.file} {event} -> {said} ({decided.confidence:.3f})"
        yield from _misread(item)
        for entry in decided.weighed[:SHOWN]:
            candidate = entry.candidate
            steps = "(anything else)" if candidate is None else " ".join(map(format_step, candidate.steps))
            code = f" [{candidate.refusal.code}]" if candidate and candidate.refusal else ""
            yield f"    {entry.log:8.1f} {entry.fit:8.1f}  {steps or '(nothing)'}{code}"


def _misread(item: Scored) -> Iterator[str]:
    """Write which cells the eye read wrong."""
    read, shown = item.followed.seen.reading.best, item.label.shown
    cells = [
        f"{cell_name(cell)} {_text(shown[cell])} read {_text(read[cell])}"
        for cell in range(CELLS)
        if read[cell] != shown[cell]
    ]
    if cells and item.label.event != "hand":
        yield f"    misread: {', '.join(cells)}"


def _text(content: Content) -> str:
    """Write what stands in a cell."""
    return f"{content.height}{content.top}"
