"""Follows the pictures of one game, from the known positions on: what `track` prints and the bench scores."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

from companion.referee.fits import Closer, Joint, Sight
from companion.referee.resync import board_to_rows
from companion.referee.tracking import Decided, Option, Tracker, board_now
from engine.board import format_cell
from engine.game import Game, begin
from engine.opening import Opening
from engine.setup import Setup
from vision.album import Album, AlbumError
from vision.reader import Reader
from vision.reading import DOME, EMPTY_BOARD, Board, board_to_json
from vision.seeing import Seen, once, read_album, reader_of

WORKERS: Final = 2
ANYTHING: Final = frozenset({"allow_banned"})


@dataclass(frozen=True)
class Followed:
    """One picture, what was decided on it, and how the game officially stands then."""

    seen: Seen
    decided: Decided
    official: Board
    ms: float


@dataclass(frozen=True)
class LineUp:
    """Who plays, and in which order workers are named where a position was confirmed."""

    setup: Setup
    named: Mapping[str, Mapping[str, Sequence[str]]]


def line_up(album: Album) -> LineUp:
    """Read who plays with which power; raise AlbumError or SetupError where that cannot be."""
    path = album.folder / "game.json"
    try:
        data = json.loads(path.read_text("utf-8"))
        powers = [None if p.get("god") is None else str(p["god"]).lower() for p in data["players"]]
        seats = [str(p["id"]) for p in data["players"]]
        named = {name: dict(item.get("workers") or {}) for name, item in (data.get("known") or {}).items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AlbumError(f"{path}: {error!r}: players with id and god are needed") from error
    pairs = [{"seat": seat, "power": power} for seat, power in zip(seats, powers, strict=True)]
    # Pictures may be of any line-up, also of two players with the same power.
    return LineUp(Setup.from_json({"players": pairs, "options": dict.fromkeys(ANYTHING, True)}), named)


def begun(setup: Setup, board: Board, named: Mapping[str, Sequence[str]]) -> Game:
    """Begin the game from its first position; the first cell named of a side is that of its worker 1."""
    at: dict[str, str] = {}
    for seat in setup.seats:
        read = [format_cell(cell) for cell, content in enumerate(board) if content.top == seat]
        cells = named.get(seat) or sorted(read)
        at |= {f"{seat}{number}": str(cell) for number, cell in enumerate(cells, start=1)}
    position = {**board_to_rows(board), "workers": at, "to_move": setup.seats[0]}
    return begin(setup, Opening.from_json({"position": position}))


def placed(board: Board, setup: Setup) -> bool:
    """Whether a board is a beginning: every side's workers stand, and nothing is built."""
    flat = all(content.height == 0 and content.top != DOME for content in board)
    return flat and all(sum(c.top == seat for c in board) == WORKERS for seat in setup.seats)


class Course:
    """A game on its way through its pictures."""

    def __init__(self, album: Album, lined: LineUp) -> None:
        self._album, self._setup, self._named = album, lined.setup, lined.named
        starts = [name for name in album.files if self._is_start(name)]
        self._start = starts[-1] if starts else None
        self._board = EMPTY_BOARD
        self.tracker: Tracker | None = None

    def _is_start(self, name: str) -> bool:
        """Whether the confirmed position of a picture is that at the beginning of the game."""
        return name in self._album.known and placed(self._album.known[name], self._setup)

    def take(self, seen: Seen, joint: Joint, closer: Closer = lambda boards: None) -> tuple[Decided, Board]:
        """Decide on one picture, where need be with a closer look; the second is the official board then."""
        if self.tracker is None:
            return self._before(seen)
        if seen.reading.status == "busy":
            decided = self.tracker.busy()
        else:
            decided = self.tracker.step(Sight(seen.reading, joint, closer=closer))
        return decided, board_now(self.tracker.official)

    def _before(self, seen: Seen) -> tuple[Decided, Board]:
        """Wait for the workers to be placed: confirmed, or, where nobody confirms it, seen."""
        reading, known = seen.reading, self._album.known.get(seen.file)
        if known is not None:
            self._board = known
        unconfirmed = self._start is None and reading.status == "stable"
        if seen.file == self._start or (unconfirmed and placed(reading.best, self._setup)):
            board = known if known is not None else reading.best
            self._board = board
            self.tracker = Tracker(begun(self._setup, board, self._named.get(seen.file, {})))
        kind: Literal["busy", "none"] = "none" if known is not None or reading.status == "stable" else "busy"
        return Decided(kind, None, (), (), 1.0), self._board


def follow(album: Album, warn: Callable[[str], None], reader: Reader | None = None) -> Iterator[Followed]:
    """Decide on every picture of a game, in order of time."""
    course, warn = Course(album, line_up(album)), once(warn)
    reader = reader or reader_of(album, warn)
    for seen in read_album(album, warn, reader=reader):
        started = time.perf_counter()
        joint, closer = partial(reader.weigh, seen.picture), partial(look_closer, reader, seen)
        decided, official = course.take(seen, joint, closer)
        if decided.kind == "turn" and decided.option is not None:
            reader.confirm(seen.picture, decided.option.seen)
        yield Followed(seen, decided, official, seen.ms + 1000 * (time.perf_counter() - started))


def look_closer(reader: Reader, seen: Seen, rivals: Sequence[Board]) -> Sight | None:
    """Look closer at a picture that leaves it open which of some boards it shows."""
    found = reader.closer(seen.picture)
    return None if found is None else Sight(replace(seen.reading, best=found.best(rivals)), found.weigh)


def followed_to_json(followed: Followed) -> dict[str, Any]:
    """One line of what `track` prints."""
    decided, reading = followed.decided, followed.seen.reading
    option = decided.option
    shown = option.seen if option is not None else reading.best
    return {
        "file": followed.seen.file,
        "decision": decided.kind,
        "turn": option.turn if option else None,
        "by": option.by if option else None,
        "reason": option.reason if option else None,
        "position": board_to_json(followed.official, reading.sides),
        "seen": board_to_json(shown, reading.sides),
        "choices": [_choice(option) for option in decided.choices],
        "ms": round(followed.ms, 1),
    }


def _choice(option: Option) -> dict[str, Any]:
    """One of the things that are possible where the referee asks."""
    return {
        "decision": option.kind,
        "turn": option.turn,
        "by": option.by,
        "reason": option.reason,
        "chance": round(option.chance, 4),
    }
