"""What buttons mean: each press does what the table's own screen could do, with the same rights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, Protocol, assert_never

from companion.lights.picture import LEGAL
from companion.table.commands import (
    AcceptBoard,
    Actor,
    AnswerUndo,
    Command,
    EndTurn,
    Reply,
    SetHints,
    Undo,
    refused,
)  # fmt: skip
from companion.table.seatview import PublicView, Say

Meaning = Literal["confirm", "undo", "hint", "next"]
Matter = Literal["undo", "sync", "turn"]
MEANINGS: Final[tuple[Meaning, ...]] = ("confirm", "undo", "hint", "next")
BUTTONS: Final[Mapping[int, Meaning]] = dict(enumerate(MEANINGS))
SCREEN: Final = Actor(None, "screen")
# What is said when the focus comes to a matter.
SAYS: Final[Mapping[Matter, str]] = {"undo": "undo.title", "sync": "sync.title", "turn": "ask.turn_done"}


class PublicTable(Protocol):
    """What buttons and lights may use of a table."""

    def public(self) -> PublicView:
        """What everybody may know."""

    def submit(self, actor: Actor, command: Command) -> Reply:
        """Carry out a command."""


def matters(view: PublicView) -> tuple[Matter, ...]:
    """List what waits for a yes from the table, the most pressing first."""
    found: list[Matter] = []
    if view.undo is not None:
        found.append("undo")
    if view.sync is not None:
        found.append("sync")
    if view.result is None and view.phase == "play":
        found.append("turn")
    return tuple(found)


class Panel:
    """The buttons of one table; `next` moves the focus among what waits, `confirm` says yes to it."""

    def __init__(self, table: PublicTable) -> None:
        self._table = table
        self._focus: Matter | None = None

    def focus(self, view: PublicView) -> Matter | None:
        """Say what `confirm` would say yes to."""
        open_ = matters(view)
        if self._focus not in open_:
            self._focus = None
        return self._focus or (open_[0] if open_ else None)

    def press(self, meaning: Meaning) -> Reply:
        """Do what a button means."""
        view = self._table.public()
        match meaning:
            case "next":
                return self._next(view)
            case "confirm":
                command = self._confirm(view)
            case "undo":
                command = Undo(do="undo", turns=0 if view.turn else 1, seq=view.seq)
            case "hint":
                command = _hint(view)
            case _:
                assert_never(meaning)
        return self._table.submit(SCREEN, command) if command else refused("error.not_allowed")

    def _next(self, view: PublicView) -> Reply:
        open_, now = matters(view), self.focus(view)
        if now is None:
            return refused("error.not_allowed")
        self._focus = open_[(open_.index(now) + 1) % len(open_)]
        return Reply(True, Say(SAYS[self._focus]), view.seq)

    def _confirm(self, view: PublicView) -> Command | None:
        match self.focus(view):
            case "undo":
                return AnswerUndo(do="undo_answer", yes=True, seq=view.seq)
            case "sync":
                return AcceptBoard(do="accept_board", seq=view.seq)
            case "turn":
                return EndTurn(do="end", seq=view.seq)
            case None:
                return None
            case other:
                assert_never(other)


def _hint(view: PublicView) -> Command | None:
    """Show the seat to move where it may go, or stop showing it."""
    player = next((p for p in view.players if p.seat == view.to_move), None)
    if player is None:
        return None
    level: Literal["next", "legal"] = "next" if player.hint_level in LEGAL else "legal"
    return SetHints(do="hint_level", seat=player.seat, level=level, seq=view.seq)
