"""Steps: what a hand does, and how a step is written and read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.board import DIRECTIONS, format_cell, parse_cell, parse_direction

CARD: Final = -1
"""Where a token lies that is not beside or on the board."""


@dataclass(frozen=True, slots=True)
class Move:
    """A worker moves."""

    worker: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Build:
    """A worker builds a block or a dome; an empty worker means the one that moved last."""

    worker: str
    cell: int
    dome: bool


@dataclass(frozen=True, slots=True)
class Force:
    """A power carries a worker elsewhere."""

    worker: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Two workers change places."""

    worker: str
    other: str


@dataclass(frozen=True, slots=True)
class Remove:
    """A worker leaves the game."""

    worker: str


@dataclass(frozen=True, slots=True)
class Unbuild:
    """A block is taken away."""

    cell: int


@dataclass(frozen=True, slots=True)
class Place:
    """A worker is put on the board."""

    worker: str
    cell: int


@dataclass(frozen=True, slots=True)
class Lay:
    """A token is put on a space: whirlpool, talus, ram, coin, fate or abyss."""

    token: str
    cell: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The wind or the song gets a direction, or goes back to its card."""

    token: str
    way: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A worker is chosen."""

    worker: str


@dataclass(frozen=True, slots=True)
class Use:
    """A once-only power is used without a visible step."""


@dataclass(frozen=True, slots=True)
class Pass:
    """An extra turn is not taken."""


@dataclass(frozen=True, slots=True)
class End:
    """The turn is over and committed."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A card is turned up: chance, recorded."""

    power: str


@dataclass(frozen=True, slots=True)
class Resign:
    """The player gives up."""


@dataclass(frozen=True, slots=True)
class Agree:
    """All players agree to stop; "" is a draw, otherwise the seat that wins."""

    winner: str = ""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A complete tower is taken off for its pieces; its dome on the ground stands for it."""

    cell: int


Step = (
    Move | Build | Force | Swap | Remove | Unbuild | Place | Lay | Turn | Mark | Use | Pass
    | End | Draw | Resign | Agree | Proxy
)  # fmt: skip

TOKENS: Final = ("whirlpool", "talus", "ram", "coin", "fate", "abyss")
ARROWS: Final = ("wind", "song")

_WORKER = r"[A-D][1-9]"
_SPACE = r"[a-e][1-5]"
_PATTERNS: Final = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("carry", rf"({_WORKER}):({_SPACE})([>~])({_SPACE})"),
        ("build", rf"({_WORKER})?([+^])({_SPACE})"),
        ("swap", rf"({_WORKER})<>({_WORKER})"),
        ("remove", rf"x({_WORKER})"),
        ("unbuild", rf"-({_SPACE})"),
        ("place", rf"({_WORKER})@({_SPACE})"),
        ("lay", rf"({'|'.join(TOKENS)})@({_SPACE})"),
        ("turn", rf"({'|'.join(ARROWS)})@([NESW]{{1,2}}|card)"),
        ("mark", rf"mark@({_WORKER})"),
        ("proxy", rf"proxy@({_SPACE})"),
        ("draw", r"card@([a-z]+)"),
        ("agree", r"agree@([A-D]?)"),
    )
)
_WORDS: Final[dict[str, Step]] = {"use": Use(), "pass": Pass(), "end": End(), "resign": Resign()}


class StepSyntaxError(ValueError):
    """The text is not a step; it carries the text."""


@cache
def move(worker: str, start: int, end: int) -> Move:
    """Give the one Move object with these values."""
    return Move(worker, start, end)


@cache
def build(worker: str, cell: int, dome: bool) -> Build:
    """Give the one Build object with these values."""
    return Build(worker, cell, dome)


def parse_step(text: str) -> Step:
    """Read one step; raise StepSyntaxError when it is none."""
    if text in _WORDS:
        return _WORDS[text]
    for kind, pattern in _PATTERNS:
        if found := pattern.fullmatch(text):
            try:
                return _made(kind, found)
            except ValueError as error:
                raise StepSyntaxError(text) from error
    raise StepSyntaxError(text)


def _made(kind: str, found: re.Match[str]) -> Step:
    """Make the step of a kind from the parts of its text."""
    part = found.groups()
    match kind:
        case "carry":
            make = Move if part[2] == ">" else Force
            return make(part[0], parse_cell(part[1]), parse_cell(part[3]))
        case "build":
            return Build(part[0] or "", parse_cell(part[2]), part[1] == "^")
        case "swap":
            return Swap(part[0], part[1])
        case "place":
            return Place(part[0], parse_cell(part[1]))
        case "lay":
            return Lay(part[0], parse_cell(part[1]))
        case "turn":
            return Turn(part[0], CARD if part[1] == "card" else parse_direction(part[1]))
        case _:
            return _made_of_one(kind, part[0])


def _made_of_one(kind: str, word: str) -> Step:
    """Make a step that has one part."""
    match kind:
        case "remove":
            return Remove(word)
        case "unbuild":
            return Unbuild(parse_cell(word))
        case "proxy":
            return Proxy(parse_cell(word))
        case "draw":
            return Draw(word)
        case "agree":
            return Agree(word)
        case _:
            return Mark(word)


@cache
def format_step(step: Step) -> str:
    """Write a step in normal form."""
    match step:
        case Move(worker, start, end):
            return f"{worker}:{format_cell(start)}>{format_cell(end)}"
        case Force(worker, start, end):
            return f"{worker}:{format_cell(start)}~{format_cell(end)}"
        case Build(worker, cell, dome):
            return f"{worker}{'^' if dome else '+'}{format_cell(cell)}"
        case Place(worker, cell):
            return f"{worker}@{format_cell(cell)}"
        case Lay(token, cell):
            return f"{token}@{format_cell(cell)}"
        case Turn(token, way):
            return f"{token}@{'card' if way == CARD else DIRECTIONS[way]}"
        case Swap(worker, other):
            return f"{worker}<>{other}"
        case _:
            return _format_short(step)


def _format_short(step: Step) -> str:
    """Write a step that has one part or none."""
    match step:
        case Remove(worker):
            return f"x{worker}"
        case Unbuild(cell):
            return f"-{format_cell(cell)}"
        case Mark(worker):
            return f"mark@{worker}"
        case Proxy(cell):
            return f"proxy@{format_cell(cell)}"
        case Draw(power):
            return f"card@{power}"
        case Agree(winner):
            return f"agree@{winner}"
        case _:
            return next(word for word, meant in _WORDS.items() if meant == step)


def parse_turn(text: str) -> tuple[Step, ...]:
    """Read the steps of a turn; what stands in square brackets is skipped."""
    words = re.sub(r"\[[^\]]*\]", " ", text).split()
    return tuple(parse_step(word) for word in words)
