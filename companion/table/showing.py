"""From a session to what each viewer gets: field by field, from that viewer's view of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.table.ending import how
from companion.table.prompting import now_line, prompt_for
from companion.table.seatview import (
    CameraSays,
    CellSeen,
    Difference,
    HintLevel,
    Hints,
    Notice,
    Phase,
    PlayerSeen,
    PublicView,
    Question,
    Result,
    SealDue,
    SeatView,
    Secret,
    TurnPlayed,
    UndoAsked,
    WorkerSeen,
)  # fmt: skip
from companion.table.secrecy import chains, due, owner_of, secret_value
from companion.table.session import Session
from engine.board import CELLS, DIRECTIONS, NOWHERE, cells_in, format_cell
from engine.game import Game, begin
from engine.opening import Opening
from engine.position import Position, Seen
from engine.rules.supply import left_in_box
from engine.state import State, Table
from engine.view import PublicView as RulesPublicView
from engine.view import View, observe, observe_public

ShownState = tuple[Opening, int, str]
"""How far everybody has seen a game: its start, the steps known, and what is told of the turn in play."""


def shown_state(session: Session) -> ShownState:
    """Say how far everybody has seen a game; steps that only their own seat knows do not count."""
    telling = observe_public(session.game).telling
    return session.game.opening, len(session.game.deeds) - session.veiled_from(None), telling


@dataclass(frozen=True)
class Around:
    """What surrounds the game while it is played: camera, questions, notices, who has joined."""

    seq: int
    table: str
    game: str
    camera: CameraSays = "none"
    joined: frozenset[str] = frozenset()
    question: Question | None = None
    notice: Notice | None = None
    sync: tuple[Difference, ...] | None = None
    sync_next: str | None = None
    """Who would probably be to move, were the camera's board accepted; told while there is one."""
    provisional: bool = False
    hints: Mapping[str, Hints] | None = None
    hints_for: tuple[str, ShownState, tuple[str, ...]] | None = None
    """The game, how far it was shown and the seats that these hints were worked out for."""
    private: Mapping[str, int] = field(default_factory=dict)
    """How many changes only one seat has seen: they count in its own views alone."""

    def seq_for(self, seat: str | None) -> int:
        """Number the views of a seat, or of everybody."""
        return self.seq + self.private.get(seat or "", 0)


def seat_view(session: Session, around: Around, seat: str) -> SeatView:
    """Make the view of one seat."""
    view = observe(session.game, seat)
    prompt = prompt_for(view) if not session.paused and around.sync is None else None
    level = session.plan.sitter(seat).hint_level
    asked = around.question
    question = asked if asked is not None and asked.seat in (seat, None) else None
    return SeatView(
        **_common(session, around, view, seat),
        now=now_line(session, view, seat),
        hints=_hints(session, around, seat, level),
        seat=seat,
        prompt=prompt,
        question=question,
        secret=_secret(view),
        seal_due=_seal_due(session, around.game, seat),
    )


def _hints(session: Session, around: Around, seat: str, level: HintLevel) -> Hints:
    """Show hints that were worked out for just this state; out of step, or without any, the level alone."""
    fresh = around.hints_for is not None and around.hints_for[:2] == (
        around.game,
        shown_state(session),
    )
    found = (around.hints or {}).get(seat) if fresh and around.sync is None else None
    return found if found is not None and found.level == level else Hints(level)


def public_view(session: Session, around: Around) -> PublicView:
    """Make the view of everybody."""
    view = observe_public(session.game)
    mover = session.game.to_move
    open_ = mover is not None and mover not in session.game.table.secretive and not session.paused
    prompt = prompt_for(observe(session.game, mover)) if open_ and mover and around.sync is None else None
    return PublicView(
        **_common(session, around, view, None),
        now=now_line(session, view, None),
        hints=Hints("off"),
        prompt=prompt,
    )


def history(session: Session, seat: str | None) -> tuple[TurnPlayed, ...]:
    """Tell the turns played so far, of all chapters, as a seat (None: everybody) may know them."""
    told: list[TurnPlayed] = []
    for game in session.games:
        given = game.opening.position is not None
        start = observe_public(begin(game.setup, game.opening)).position if given and game.records else None
        for number, record in enumerate(game.records):
            shown = board_seen(start, game.table) if start is not None and number == 0 else ()
            words = record.told(seat, game.table, game.over)
            told.append(TurnPlayed(len(told) + 1, record.seat, words, shown))
    return tuple(told)


def _open_turn(state: State[Seen]) -> bool:
    """Whether a turn is under way that the next player may end by moving: none that a secret may answer."""
    turn = state.turn
    played = turn is not None and bool(turn.moves or turn.builds)
    return played and not state.table.secretive - {state.to_move or ""}


def _common(
    session: Session, around: Around, view: View | RulesPublicView, seat: str | None
) -> dict[str, Any]:
    """Give the fields that every viewer gets."""
    state, game = view.state, session.game
    return {
        "seq": around.seq_for(seat),
        "table": around.table,
        "game": around.game,
        "phase": _phase(view, game.over),
        "paused": session.paused,
        "edition": game.setup.edition,
        "options": _options(game),
        "players": _players(session, around, view),
        "to_move": game.to_move,
        "board": board_seen(view.position, game.table),
        "tokens": _arrows(view.position),
        "reserve": _reserve(state.memory),
        "turn": tuple(view.telling.split()),
        "provisional": around.provisional and _open_turn(state),
        "sync": around.sync,
        "sync_next": around.sync_next if around.sync is not None else None,
        "camera": around.camera,
        "undo": _undo(session),
        "may_undo": session.may_undo(session.steps_back(1, session.veiled_from(seat))),
        "may_redo": bool(session.redoable) and not session.veils(seat),
        "end_offered_by": session.end_offered,
        "history": history(session, seat),
        "result": result(session),
        "commitments": session.commitments,
        "chains": tuple(c.to_json() for c in chains(session, around.game)) if game.over else (),
        "verifiable": not session.chain_starts,
        "waiting_for_key": (),
        "notice": around.notice,
        "supply": _supply(state),
        "undo_barred": session.undo_barred(session.veiled_from(seat)),
        "asked": around.question.seat if around.question else None,
        "acting": view.waiting,
    }


def _phase(view: View | RulesPublicView, over: bool) -> Phase:
    """Name the phase of the game; a win that may yet be cancelled is still a turn in play."""
    if over:
        return "over"
    return "setup" if view.state.setup is not None else "play"


def _options(game: Game) -> dict[str, bool | str]:
    """List the options that are on."""
    on: dict[str, bool | str] = dict.fromkeys(sorted(game.setup.options), True)
    return on | {"hecate_check": game.setup.hecate_check} if game.setup.hecate_check != "turn" else on


def _players(session: Session, around: Around, view: View | RulesPublicView) -> tuple[PlayerSeen, ...]:
    """Show the players, and which powers they have right now."""
    table, turn = session.game.table, view.state.turn
    holders = turn.cast.holders if turn is not None else ()
    return tuple(
        PlayerSeen(
            seat=s.seat,
            team=table.sides[s.seat],
            name=s.name,
            colour=s.colour,
            power=table.powers[s.seat] or table.golden_fleece,
            out=table.sides[s.seat] in view.state.out,
            joined=s.seat in around.joined,
            hint_level=s.hint_level,
            holds=tuple(dict.fromkeys(h.power.id for h in holders if h.seat == s.seat and h.power.id)),
        )
        for s in session.plan.sitters
    )


def board_seen(position: Position[Seen], table: Table) -> tuple[CellSeen, ...]:
    """Show the 25 spaces."""
    return tuple(_cell(position, table, cell) for cell in CELLS)


def _cell(position: Position[Seen], table: Table, cell: int) -> CellSeen:
    """Show one space."""
    worker = position.worker_at(cell)
    seen = WorkerSeen(worker, worker[0], "f" if table.female(worker) else "m") if worker else None
    tokens, bit = position.tokens, 1 << cell
    lying = [name for name, mask in (("whirlpool", tokens.whirlpools), ("coin", tokens.coins)) if mask & bit]
    lying += [name for name, place in (("talus", tokens.talus), ("ram", tokens.ram)) if place == cell]
    return CellSeen(
        cell=format_cell(cell),
        height=position.level(cell),
        dome=bool(position.domes & bit),
        proxy=bool(position.proxies & bit),
        worker=seen,
        tokens=tuple(lying),
    )


def _arrows(position: Position[Seen]) -> dict[str, str | None]:
    """Show the directions of wind and song."""
    tokens = position.tokens
    ways = (("wind", tokens.wind), ("song", tokens.song))
    return {name: DIRECTIONS[way] if way != NOWHERE else None for name, way in ways}


def _reserve(memory: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Show the workers that wait on cards."""
    return {seat: tuple(facts["reserve"]) for seat, facts in memory.items() if facts.get("reserve")}


def _supply(state: State[Seen]) -> dict[str, int]:
    """Count what is left of every shape."""
    left = (max(0, count) for count in left_in_box(state))
    return dict(zip(("level1", "level2", "level3", "dome"), left, strict=True))


def _undo(session: Session) -> UndoAsked | None:
    """Show a request to take turns back."""
    if session.undo is None:
        return None
    others = {s: None for s in session.plan.setup.seats if s != session.undo.seat}
    return UndoAsked(session.undo.seat, session.undo.turns, others, session.undo.boards)


def _secret(view: View) -> Secret | None:
    """Show a seat its own hidden things."""
    table, side = view.state.table, view.state.table.sides[view.seat]
    workers = {w: format_cell(c) for w, c in view.position.workers.items() if w[0] == side}
    abyss = format_cell(view.secret.abyss) if view.secret.abyss != NOWHERE else None
    fate = format_cell(view.secret.fate) if view.secret.fate != NOWHERE else None
    if side in table.hidden:
        return Secret(workers, abyss, fate)
    return Secret({}, abyss, fate) if abyss or fate else None


def _seal_due(session: Session, game: str, seat: str) -> SealDue | None:
    """Tell a seat's phone what to commit to."""
    turn, value = due(session, seat), secret_value(session, seat)
    if turn is None or value is None:
        return None
    owner = owner_of(session, game, seat)
    return SealDue(turn, owner.power, owner.start, value)


# ---- the end -------------------------------------------------------------------------------------------


def result(session: Session) -> Result | None:
    """Say how the game ended and reveal what had been hidden; nothing while it goes on."""
    game = session.game
    if not game.over:
        return None
    return Result(game.winner, how(session), _reveal(game))


def _reveal(game: Game) -> dict[str, dict[str, str]]:
    """Tell all that was hidden, from the views of its owners; only asked for when the game is over."""
    shown: dict[str, dict[str, str]] = {}
    for seat in sorted(game.table.secretive):
        view = observe(game, seat)
        if secret := _secret(view):
            pairs = (("fate", secret.fate), ("abyss", secret.abyss))
            shown[seat] = {**secret.workers, **{name: cell for name, cell in pairs if cell}}
    return shown


def spaces(mask: int) -> tuple[str, ...]:
    """Name the spaces of a mask."""
    return tuple(format_cell(cell) for cell in cells_in(mask))
