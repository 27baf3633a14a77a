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
from vision.fields import mapped, objects
from vision.reader import Reader
from vision.reading import DOME, EMPTY_BOARD, Board, board_to_json
from vision.seeing import Seen, once, read_album, reader_of

WORKERS: Final = 2
ANYTHING: Final = frozenset({"allow_banned"})
UNBEGUN: Final = (
    "no turn was followed: neither game.json nor a picture shows the beginning,"
    " two workers of each player on an empty board"
)


@dataclass(frozen=True)
class Followed:
    """One picture, what was decided on it, and how the game officially stands then."""

    seen: Seen
    decided: Decided
    official: Board
    ms: float
    begun: bool = True
    """Whether the game has begun: without a beginning there is nothing to follow."""


@dataclass(frozen=True)
class LineUp:
    """Who plays, and in which order workers are named where a position was confirmed."""

    setup: Setup
    named: Mapping[str, Mapping[str, Sequence[str]]]


def line_up(album: Album) -> LineUp:
    """Read who plays with which power; raise AlbumError where that cannot be."""
    path = album.folder / "game.json"
    try:
        data = json.loads(path.read_text("utf-8"))
        players = objects(data, "players")
        named = {name: mapped(item, "workers") for name, item in mapped(data, "known").items()}
        # Pictures may be of any line-up, also of two players with the same power.
        options = dict.fromkeys(ANYTHING, True)
        setup = Setup.from_json({"players": [_seat(player) for player in players], "options": options})
    except OSError as error:
        raise AlbumError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise AlbumError(f"{path}: {error}") from error
    return LineUp(setup, named)


def _seat(player: Mapping[str, Any]) -> dict[str, Any]:
    """A player as the rules have one; powers are named as people write them."""
    power = player.get("god")
    return {"seat": str(player.get("id")), "power": None if power is None else str(power).lower()}


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
        starts = [name for name, board in album.known.items() if placed(board, self._setup)]
        self._starts = [name for name in album.files if name in starts] or starts[:1]
        self._confirmed = bool(starts)
        self._board = EMPTY_BOARD
        self.tracker: Tracker | None = None
        self.guessed: str | None = None
        """The picture whose workers were taken for those of the beginning though nobody confirmed them."""

    def take(self, seen: Seen, joint: Joint, closer: Closer = lambda boards: None) -> tuple[Decided, Board]:
        """Decide on one picture, where need be with a closer look; the second is the official board then."""
        begins = seen.file in self._starts
        while self._starts and self._is_due(self._starts[0], seen.file):
            self._begin(self._starts.pop(0))
        if self.tracker is None or begins:
            return self._waiting(seen)
        if seen.reading.status == "busy":
            decided = self.tracker.busy()
        else:
            decided = self.tracker.step(Sight(seen.reading, joint, closer=closer))
        return decided, board_now(self.tracker.official)

    def _is_due(self, start: str, file: str) -> bool:
        """Whether a game has begun by a picture, be the one of its beginning readable, listed or neither."""
        files = self._album.files
        return files.index(start) <= files.index(file) if start in files else file not in self._album.known

    def _begin(self, name: str) -> None:
        """Begin the game from a confirmed position; one that is confirmed once more goes on."""
        board = self._album.known[name]
        if self.tracker is None or board_now(self.tracker.official) != board:
            self.tracker = Tracker(begun(self._setup, board, self._named.get(name, {})))

    def _waiting(self, seen: Seen) -> tuple[Decided, Board]:
        """Wait for the workers to be placed: confirmed, or, where nobody confirms it, seen."""
        reading, known = seen.reading, self._album.known.get(seen.file)
        still = reading.status == "stable"
        if known is not None:
            self._board = known
        elif still and not self._confirmed and placed(reading.best, self._setup):
            self._board, self.guessed = reading.best, seen.file
            self.tracker = Tracker(begun(self._setup, reading.best, {}))
        kind: Literal["busy", "none"] = "none" if known is not None or still else "busy"
        return Decided(kind, None, (), (), 1.0), self._board


def follow(album: Album, warn: Callable[[str], None], reader: Reader | None = None) -> Iterator[Followed]:
    """Decide on every picture of a game, in order of time."""
    course, warn = Course(album, line_up(album)), once(warn)
    reader = reader or reader_of(album, warn)
    guessed = None
    for seen in read_album(album, warn, reader=reader):
        started = time.perf_counter()
        joint, closer = partial(reader.weigh, seen.picture), partial(look_closer, reader, seen)
        decided, official = course.take(seen, joint, closer)
        if decided.kind == "turn" and decided.option is not None:
            reader.confirm(seen.picture, decided.option.seen)
        if course.guessed != guessed:
            guessed = course.guessed
            warn(f"{guessed}: nobody has confirmed how the game begins; it is taken to begin here as read")
        ms = seen.ms + 1000 * (time.perf_counter() - started)
        yield Followed(seen, decided, official, ms, course.tracker is not None)
    if course.tracker is None and any(name not in album.known for name in album.files):
        warn(UNBEGUN)


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
        "turn": f"{option.earlier} / {option.turn}" if option.earlier else option.turn,
        "by": option.by,
        "reason": option.reason,
        "chance": round(option.chance, 4),
    }
