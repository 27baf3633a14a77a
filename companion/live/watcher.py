"""Watches one table: takes frames from its source, reads the still ones and hands decisions to the desk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from calibration.build import Calibration
from companion.live.camera import CameraWatch
from companion.live.covered import Covered
from companion.live.desk import RefereeDesk
from companion.live.ground import Ground, ground_of
from companion.referee.decisions import (
    Ask,
    Busy,
    Decision,
    Illegal,
    Nothing,
    OutOfSync,
    Played,
    Prefix,
    Wait,
)  # fmt: skip
from companion.referee.doubts import Doubts, Entries
from companion.referee.referee import VERY_SURE, Belief, Referee
from companion.table.accepting import known_board
from companion.table.live import Table
from companion.table.seatview import CameraSays
from companion.table.session import Session
from vision.gate import Verdict
from vision.reading import Board, Picture, Reading, size_of
from vision.sources import Frame, Source

LOG = structlog.get_logger("watcher")
REST: Final = 0.1
"""Seconds between two glances at the source; frames in between are never seen."""
SETTLED_LOOKS: Final = 3
"""After so many looks that agree, a still board is not read again until something moves."""
QUIET_LOOKS: Final = 2
"""So many are enough where the board surely stands as it is known to."""
MANY_LOOKS: Final = 8
SLOW: Final = 3.0
"""Seconds between looks at a board that many looks have not settled."""
SAYS: Final[dict[Verdict, CameraSays]] = {"moving": "busy", "hand": "hand"}


DOUBTFUL: Final[dict[type, str]] = {Ask: "ask", Illegal: "illegal", OutOfSync: "sync"}


class Judge(Protocol):
    """What is in front of the referee: says whether a frame is worth a look."""

    @property
    def resting(self) -> bool:
        """Whether nothing moves over the board."""

    def step(self, frame: Frame) -> Verdict:
        """Judge one frame."""

    def accept(self, frame: Frame) -> None:
        """Take a frame for what the board looks like now."""


@dataclass(frozen=True)
class Taken:
    """A picture from which a turn was taken, or that was doubtful, and everything that explains it."""

    frame: Frame
    reading: Reading
    belief: Belief


@dataclass(frozen=True)
class Shown:
    """The newest picture, what was read from it and how the camera stood, for the host's page."""

    frame: Frame
    reading: Reading | None
    known: Calibration | None = None


class Watcher:
    """One camera over one table, in a thread of its own; an error here stops at this table."""

    def __init__(
        self,
        table: Table,
        source: Source,
        gate: Judge,
        referee: Referee,
        rest: float = REST,
        doubts: Doubts | None = None,
        confirm: Callable[[Picture, Board], None] | None = None,
        size: tuple[int, int] | None = None,
        camera: CameraWatch | None = None,
    ) -> None:
        self._table, self._source, self.gate, self._referee = table, source, gate, referee
        self._desk = RefereeDesk(table)
        self._rest = rest
        self._doubts = doubts
        self._confirm = confirm
        self._size = size
        self._camera = camera or CameraWatch()
        self._confirmed: Board | None = None
        self._ground: tuple[Session, Ground | None] | None = None
        self._chapters = self._undone = 0
        self._taken: Taken | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name=f"watch-{table.id}", daemon=True)
        self._covered = Covered()
        self._untaught = False
        self._agreed = 0
        self._last: tuple[Session, Decision] | None = None
        self._looked = 0
        self._looked_at = 0.0
        self.shown: Shown | None = None

    @property
    def referee(self) -> Referee:
        """Who judges the looks."""
        return self._referee

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def move_to(self, table: Table) -> None:
        """Go on with another game on the same table."""
        self._table.staff(None)
        self._table = table
        self._desk = RefereeDesk(table)
        self._covered = Covered()
        self._referee.leave()
        self._last = self._taken = None
        self._undone = 0

    def stop(self) -> None:
        """Stop watching and let go of the camera."""
        self._stop.set()
        self._source.close()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
        self._table.staff(None)

    def _watch(self) -> None:
        number = 0
        while not self._stop.is_set():
            frame = self._source.latest()
            if frame is None or frame.number == number:
                self._note_source()
                self._stop.wait(self._rest)
                continue
            number = frame.number
            self._guarded(lambda frame=frame: self.glance(frame))  # type: ignore[misc]
            self._stop.wait(self._rest)

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do one glance; whatever goes wrong is logged and the table is played on by taps."""
        try:
            work()
        except Exception:  # the edge of the thread: one table's camera must not touch the others
            LOG.exception("glance failed", table=self._table.id)
            self._table.camera("lost")
            self._stop.wait(1.0)

    def _note_source(self) -> None:
        """Say so when the source has died or ended."""
        if self._source.state.phase in ("lost", "silent", "ended"):
            self._table.camera("lost")

    def glance(self, frame: Frame) -> None:
        """Judge one frame, and read it when the board is still."""
        if self._size not in (None, size_of(frame.picture)):
            self._leave_aside(frame)
            return
        verdict = self.gate.step(frame)
        self._listen(frame)
        if verdict == "hand" and self.gate.resting and self._covered.clear:
            self.gate.accept(frame)
            verdict = "still"
        if verdict != "still":
            self._wait(frame, verdict)
            return
        self._covered.rests()
        if not self._covered.waiting:
            self._table.camera(self._camera.says(frame.at))
        if self._moved_on():
            self._agreed = self._looked = 0
            self._keep_undone()
            self._take_word()
        if self._agreed < SETTLED_LOOKS and not self._tired(frame):
            self._looked, self._looked_at = self._looked + 1, frame.at
            self._look(frame)

    def _leave_aside(self, frame: Frame) -> None:
        """Read nothing while pictures have another size than when the camera was set up, and say so."""
        if self.shown is None or size_of(self.shown.frame.picture) == self._size:
            size = size_of(frame.picture)
            LOG.warning("pictures of another size", table=self._table.id, size=size, expected=self._size)
        self._agreed = self._looked = 0
        self._referee.forget()
        self._desk.vouched = None
        self._desk.ask_no_more()
        self.shown = Shown(frame, None)
        self._table.camera("size")

    def _wait(self, frame: Frame, verdict: Verdict) -> None:
        """Leave a board alone that cannot be read now."""
        self._agreed = self._looked = 0
        self._referee.forget()
        self._desk.vouched = None  # Whatever moves may have changed what somebody has spoken of.
        self._show(frame, None)
        if verdict == "hand" and self.gate.resting and self._awaited():
            self._covered.rests()
            self._note_cover(frame, None)
            return
        says = self._read_changed(frame) if verdict == "changed" else SAYS[verdict]
        restless = self._covered.moved(frame.at) and verdict != "changed" and self._awaited()
        self._desk.ask_no_more()
        self._table.camera("covered" if restless else says)

    def _listen(self, frame: Frame) -> None:
        """Take in what somebody has said about the table being clear."""
        said, self._desk.said = self._desk.said, None
        if said is not None:
            self._covered.say(said, frame.at)
            self._looked, self._untaught = 0, self._covered.clear

    def _take_word(self) -> None:
        """Tell the referee how the board stands, where somebody has said so and the game has come to that."""
        vouched = self._desk.vouched
        if vouched is not None and vouched == known_board(self._table.session):
            self._referee.told(vouched)
            self._desk.vouched = None

    def _awaited(self) -> bool:
        """Whether anything is to be seen on the board now."""
        game = self._table.session.game
        placing = game.truth.setup is not None and not game.over
        return placing or self._where() is not None or self._desk.follows_back

    def _saw(self, frame: Frame, reading: Reading) -> None:
        """Show what was read, and say so where something covers the board."""
        self._show(frame, reading)
        if reading.status == "stable":
            self._covered.seen()
            self._desk.ask_no_more()
            self._table.camera(self._camera.says(frame.at))
        else:
            self._note_cover(frame, reading)

    def _show(self, frame: Frame, reading: Reading | None) -> None:
        """Remember the newest picture; a look at it may have found the camera elsewhere."""
        if reading is not None:
            self._camera.look(reading, frame.at)
        self.shown = Shown(frame, reading, self._camera.known)

    def _note_cover(self, frame: Frame, reading: Reading | None) -> None:
        """Say that something covers the board; after a good while ask whether that is so."""
        if reading is not None and self._camera.blind:
            self._desk.ask_no_more()
            self._table.camera(self._camera.says(frame.at))
            return
        long = self._covered.long(frame.at, reaching=reading is None)
        if long and self._covered.may_ask and self._desk.ask_if_clear() and reading is not None:
            self._keep("covered", frame, reading, ())
        self._table.camera("covered" if long else "hand")

    def _moved_on(self) -> bool:
        """Whether the table has changed since the last look, by tap for instance."""
        return self._last is None or self._last[0] is not self._table.session

    def _tired(self, frame: Frame) -> bool:
        """Whether many looks at the same still board have not settled it: then there is no hurry."""
        return self._looked >= MANY_LOOKS and frame.at - self._looked_at < SLOW

    def _look(self, frame: Frame) -> None:
        """Read a still board and act on it."""
        ground = self._where()
        if ground is None:
            self._look_aside(frame)
            return
        began = time.perf_counter()
        decision, reading = self._considered(ground, frame.picture)
        LOG.debug(
            "look",
            table=self._table.id,
            decision=type(decision).__name__,
            ms=1000 * (time.perf_counter() - began),
        )
        same = self._last is not None and type(self._last[1]) is type(decision)
        self._agreed = self._agreed + 1 if same and not isinstance(decision, Wait | Busy) else 0
        if isinstance(decision, Nothing) and decision.confidence >= VERY_SURE:
            self._agreed = max(self._agreed, SETTLED_LOOKS - QUIET_LOOKS + 1)
        self._saw(frame, reading)
        if not isinstance(decision, Busy):
            self.gate.accept(frame)
        self._note_doubt(frame, decision, reading)
        self._desk.take(ground, decision)
        self._note_taken(ground, frame, decision, reading)
        self._teach(frame, decision)
        self._last = (ground.session, decision)

    def _teach(self, frame: Frame, decision: Decision) -> None:
        """Let sight learn from a picture that shows the board as the game has it; once a position."""
        board = self._referee.last
        if self._confirm is None or not isinstance(decision, Nothing):
            return
        if board is not None and (board != self._confirmed or self._untaught):
            self._confirmed, self._untaught = board, False
            self._confirm(frame.picture, board)

    def _where(self) -> Ground | None:
        """Find the turn in play; worked out once for every state of the game."""
        session = self._table.session
        if self._ground is None or self._ground[0] is not session:
            self._ground = (session, ground_of(session))
        return self._ground[1]

    def _note_doubt(self, frame: Frame, decision: Decision, reading: Reading) -> None:
        """Keep the picture where somebody is asked or told of a mistake, or has corrected the board."""
        chapters = len(self._table.session.chapters)
        corrected, self._chapters = chapters > self._chapters, chapters
        belief = self._referee.belief
        if self._doubts is None or belief is None:
            return
        kind = DOUBTFUL.get(type(decision)) or ("corrected" if corrected else None)
        if kind is not None and not (self._last is not None and type(self._last[1]) is type(decision)):
            self._keep(kind, frame, reading, belief.entries)

    def _note_taken(self, ground: Ground, frame: Frame, decision: Decision, reading: Reading) -> None:
        """Remember the picture of a turn: should somebody take that turn back, it is kept."""
        session, belief = self._table.session, self._referee.belief
        self._undone = len(session.redoable)
        if self._doubts is None or belief is None or session is ground.session:
            return
        if isinstance(decision, Prefix | Played):
            self._taken = Taken(frame, reading, belief)

    def _keep_undone(self) -> None:
        """Keep the picture of a turn that was taken back on a phone: sight may have been wrong."""
        before, self._undone = self._undone, len(self._table.session.redoable)
        taken = self._taken
        if self._table.session.veils(None):
            return  # What a hidden seat takes back is its own business.
        if self._undone > before and taken is not None and self._doubts is not None:
            self._keep("undone", taken.frame, taken.reading, taken.belief.entries)
            self._taken = None

    def _keep(self, kind: str, frame: Frame, reading: Reading, entries: Entries) -> None:
        """Keep a picture under the name of its game, unless watching has ended: the game may be deleted."""
        if self._doubts is not None and not self._stop.is_set():
            name = f"{self._table.game}-{frame.number:08}"
            self._doubts.keep(name, kind, frame.picture, reading, entries)

    def _look_aside(self, frame: Frame) -> None:
        """Nothing is played on the board now: see whether workers stand, or whether pieces are back."""
        session = self._table.session
        if session.game.truth.setup is not None and not session.game.over:
            self._look_at_setup(frame)
        elif self._desk.follows_back:
            known, clear = known_board(session), self._covered.clear
            decision, reading = self._referee.compare(known, frame.picture, clear)
            self._saw(frame, reading)
            self._agreed += isinstance(decision, Nothing)
            self._last = (session, decision)
            self._desk.take_back(decision)

    def _look_at_setup(self, frame: Frame) -> None:
        """While workers are placed, see whether they stand."""
        reading = self._referee.read(frame.picture, self._covered.clear)
        self._saw(frame, reading)
        self._agreed += reading.status == "stable"
        self._last = (self._table.session, Nothing())
        if reading.status == "stable":
            self.gate.accept(frame)
            self._desk.place(reading)

    def _considered(self, ground: Ground, picture: Picture) -> tuple[Decision, Reading]:
        return self._referee.consider(ground.scene, picture, self._covered.clear)

    def _read_changed(self, frame: Frame) -> CameraSays:
        """The camera or the light changed: the reader solves the pose anew on such a picture."""
        ground = self._where()
        if ground is None:
            reading = self._referee.read(frame.picture)
        else:
            _, reading = self._considered(ground, frame.picture)
        if reading.status == "stable":
            self.gate.accept(frame)
        self._show(frame, reading)
        if reading.status == "stable" or self._camera.blind:
            return self._camera.says(frame.at)
        return "hand" if self.gate.resting else "busy"
