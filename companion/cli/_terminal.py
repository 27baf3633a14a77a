"""Questions and answers in a terminal, and pictures on request."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Final, TextIO

from calibration.solids import DOME
from companion.cli.main import UsageError
from vision.reading import CELLS, Board, Content, cell_index, cell_name
from vision.sources import Frame, Source, SourceError, open_source
from vision.sources.base import SourceEnded
from vision.sources.files import PicturesByHand, pictures_in

FIRST_SECONDS: Final = 10.0


class InputEnded(Exception):
    """The user has closed the input (Ctrl-D)."""


class Terminal:
    """A person at a keyboard."""

    def __init__(self, answers: TextIO, out: TextIO) -> None:
        self._answers = answers
        self._out = out

    def say(self, text: str) -> None:
        """Print a line."""
        print(text, file=self._out, flush=True)

    def ask(self, question: str) -> str:
        """Print a question and read the answer."""
        print(question, end=" ", file=self._out, flush=True)
        line = self._answers.readline()
        if not line:
            raise InputEnded
        return line.strip()


def opened_source(text: str) -> Source:
    """Open what the user named; a folder of pictures goes on by key press, not by time."""
    try:
        if Path(text).is_dir() and pictures_in(Path(text)):
            return PicturesByHand(Path(text))
        return open_source(text)
    except SourceError as error:
        raise UsageError(str(error)) from error


def fresh_frame(source: Source, after: float, seconds: float = FIRST_SECONDS) -> Frame:
    """Wait for a picture that came after a moment (of the monotonic clock)."""
    if isinstance(source, PicturesByHand):
        _forward(source)
    end = time.monotonic() + seconds
    while True:
        frame = source.latest()
        if frame is not None and (frame.at >= after or isinstance(source, PicturesByHand)):
            return frame
        if source.state.phase in ("ended", "closed"):
            raise SourceEnded(source.state.says)
        if time.monotonic() > end:
            raise SourceError(f"no picture came: {source.state.says}")
        time.sleep(0.02)


def _forward(source: PicturesByHand) -> None:
    """Go on to the next picture of a folder; one that cannot be read is named."""
    try:
        source.forward()
    finally:
        for file in source.skipped():
            print(f"{file}: not a picture that can be read; it is left out", file=sys.stderr)


def board_text(board: Board) -> str:
    """A board for the terminal: 2A is two blocks with a worker of A on them, 3D a complete tower."""
    lines = ["      a   b   c   d   e"]
    for row in range(4, -1, -1):
        cells = (content_text(board[5 * row + column]).rjust(3) for column in range(5))
        lines.append(f"  {row + 1} {' '.join(cells)}")
    return "\n".join(lines)


def content_text(content: Content) -> str:
    """One cell for the terminal."""
    top = "D" if content.top == DOME else content.top
    return f"{content.height or ''}{top}" or "."


def parse_content(text: str, sides: tuple[str, ...]) -> Content:
    """Read one cell: a number of blocks, D for a dome or the letter of a side, or a dot for nothing."""
    bare = text.strip().upper().replace(".", "")
    height, top = (int(bare[0]), bare[1:]) if bare[:1].isdigit() else (0, bare)
    if height > 3 or (top and top != "D" and top not in sides):
        raise ValueError(f"'{text}' is no content: write 0 to 3, then D or one of {' '.join(sides)}")
    return Content(height, DOME if top == "D" else top)


def corrected(board: Board, text: str, sides: tuple[str, ...]) -> Board:
    """A board with corrections such as `c3=2A d4=3D b1=.`."""
    cells = list(board)
    for word in text.replace(",", " ").split():
        name, equals, content = word.partition("=")
        if not equals:
            raise ValueError(f"'{word}' is no correction: write for example c3=2A")
        cells[cell_index(name.lower())] = parse_content(content, sides)
    return tuple(cells)


def parse_workers(text: str, sides: tuple[str, ...]) -> Board:
    """A board with workers only, from `A b2 c3 B d4 e1`."""
    side, cells = "", [Content(0)] * CELLS
    for word in text.replace(",", " ").replace(":", " ").split():
        if word.upper() in sides:
            side = word.upper()
        elif not side:
            raise ValueError(f"say whose worker stands on {word}: write for example {sides[0]} b2 c3")
        else:
            cells[cell_index(word.lower())] = Content(0, side)
    for wanted in sides:
        if not any(content.top == wanted for content in cells):
            raise ValueError(f"no worker of {wanted} was named")
    return tuple(cells)


def confirm_board(terminal: Terminal, board: Board, sides: tuple[str, ...]) -> Board:
    """Show a board and take corrections until the user says it is right."""
    while True:
        terminal.say(board_text(board))
        answer = terminal.ask("Right? Enter = yes, or what is different (c3=2A d4=3D b1=.):")
        if not answer or answer.lower() in ("y", "yes"):
            return board
        try:
            board = corrected(board, answer, sides)
        except ValueError as error:
            terminal.say(str(error))


def cells_text(cells: tuple[int, ...]) -> str:
    """Cell names in a row."""
    return " ".join(cell_name(cell) for cell in cells) or "none"


def parse_colours(text: str) -> dict[str, str]:
    """Worker colours by side from `A=blue,B=cream`."""
    pairs = [item.partition("=") for item in text.replace(" ", "").split(",") if item]
    found = {side.upper(): colour.lower() for side, equals, colour in pairs if equals and colour}
    if len(found) < 1 or len(found) != len(pairs) or not all(len(side) == 1 for side in found):
        raise UsageError(f"'{text}' names no colours: write for example A=blue,B=cream")
    return found


def parse_taps(text: str) -> list[tuple[float, float]]:
    """Corner pixels from `x,y x,y x,y x,y`."""
    try:
        taps = [tuple(float(value) for value in pair.split(",")) for pair in text.split()]
    except ValueError as error:
        raise ValueError(f"'{text}' is no list of pixels: write x,y x,y x,y x,y") from error
    if any(len(tap) != 2 for tap in taps):
        raise ValueError(f"'{text}' is no list of pixels: write x,y x,y x,y x,y")
    return [(tap[0], tap[1]) for tap in taps]
