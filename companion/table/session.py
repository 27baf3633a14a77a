"""The session of one game: folded from its events, the same way every time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.table import facts
from companion.table.facts import Payload
from companion.table.plan import NewGame
from companion.table.seatview import Commitment, TurnPlayed
from engine.board import format_cell
from engine.game import Game, Outcome, attempt, begin, undone
from engine.opening import Opening, secrets_to_json
from engine.refusal import Refusal
from engine.remembering import memory_to_json
from engine.rules.arbiter import Deed
from engine.steps import Build, Move, format_step, parse_step


class CorruptGameError(Exception):
    """The kept events do not make a game; carries the event's type and what is wrong."""

    def __init__(self, event: str, problem: str) -> None:
        super().__init__(f"{event}: {problem}")
        self.event = event


@dataclass(frozen=True)
class Chapter:
    """What was played before the board was accepted as it stood: the game so far, closed."""

    game: Game


@dataclass(frozen=True)
class UndoRequest:
    """Somebody would like to take steps back."""

    seat: str
    turns: int
    steps: int


@dataclass(frozen=True)
class Session:
    """Everything about a game at one moment. `marks` are the numbers of steps at which turns ended."""

    plan: NewGame
    game: Game
    marks: tuple[int, ...] = ()
    floor: int = 0
    """No step before this number can be taken back: a later answer used a secret."""
    redoable: tuple[Deed, ...] = ()
    undo: UndoRequest | None = None
    end_offered: str | None = None
    paused: bool = False
    chapters: tuple[Chapter, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    salts: tuple[Payload, ...] = ()
    """What was bound by commitments, with the salts; stays inside until the game is over."""
    chain_starts: Mapping[str, int] = field(default_factory=dict)
    """Seats whose phone was lost, and the turn with which their chain starts anew: not verifiable."""
    turns_before: Mapping[str, int] = field(default_factory=dict)
    """Own turns that a seat had taken when the board was last taken as it stood."""
    carried: Mapping[str, Payload] = field(default_factory=dict)
    """Secrets that were brought over from before a phone was lost, until the board is taken up again."""
    last: Outcome | None = None
    """What came of the newest step: tells a cancellation and what to put back."""

    def own_turns(self, seat: str) -> int:
        """Count the finished turns of a seat; the setup is none."""
        games = (*(chapter.game for chapter in self.chapters), self.game)
        return sum(
            record.seat == seat and any(isinstance(entry.step, Move | Build) for entry in record.entries)
            for game in games
            for record in game.records
        )

    @property
    def turn_start(self) -> int:
        """The number of steps before the turn in play."""
        return max((mark for mark in self.marks if mark <= len(self.game.deeds)), default=0)

    def veils(self, seat: str | None) -> bool:
        """Whether the turn in play is hidden from a seat (None: from everybody): then it knows of no step."""
        mover, table = self.game.to_move, self.game.table
        if mover is None or table.sides[mover] not in table.hidden:
            return False
        return seat is None or table.sides[seat] != table.sides[mover]

    def veiled_from(self, seat: str | None) -> int:
        """Count the newest steps that a seat may not even know the number of."""
        if not self.veils(seat):
            return 0
        side = self.game.table.sides[self.game.to_move or ""]
        count = 0
        for deed in reversed(self.game.deeds[self.turn_start :]):
            if self.game.table.sides[deed.seat] != side:
                break
            count += 1
        return count

    def steps_back(self, turns: int, veiled: int = 0) -> int:
        """Count the steps that taking back so many turns undoes; 0 turns: the turn in play only.

        `veiled` steps are unknown to whoever asks: they go too, but make no turn of their own.
        """
        count = len(self.game.deeds) - veiled
        inside = count - self.turn_start
        if turns == 0 or (turns == 1 and inside):
            return inside + veiled if inside else 0
        starts = [0, *(mark for mark in self.marks if mark < count - inside)]
        back = turns - (1 if inside else 0)
        found = count - starts[max(len(starts) - back, 0)]
        return found + veiled if found else 0

    def may_undo(self, steps: int) -> bool:
        """Whether so many steps may be taken back at all."""
        return 0 < steps <= len(self.game.deeds) - self.floor

    def undo_barred(self, veiled: int = 0) -> bool:
        """Whether only an answer that used a secret keeps the last turn from being taken back."""
        steps = self.steps_back(1, veiled)
        return steps > 0 and not self.may_undo(steps)


def begun(payload: Payload) -> Session:
    """Begin a session; raises SetupError when the line-up is not allowed."""
    plan = NewGame.from_json(payload)
    opening = Opening.from_json(payload["opening"]) if payload.get("opening") else None
    return Session(plan, begin(plan.setup, opening))


def fold(events: Iterable[tuple[str, Payload]]) -> Session:
    """Make the session from its events; the first is that it began."""
    session: Session | None = None
    for kind, payload in events:
        if session is None:
            if kind != facts.BEGUN:
                raise CorruptGameError(kind, "comes before the game began")
            session = begun(payload)
        else:
            session = applied(session, kind, payload)
    if session is None:
        raise CorruptGameError(facts.BEGUN, "is missing")
    return session


def used_secret(game: Game) -> bool:
    """Whether committing the turn in play was answered from somebody else's secret."""
    mover = game.to_move
    return mover is not None and any(
        game.table.sides[seat] != game.table.sides[mover] for seat in game.table.secretive
    )


def stepped(session: Session, deed: Deed, outcome: Outcome) -> Session:
    """Give the session after an accepted step."""
    before, after = session.game, outcome.game
    count = len(after.deeds)
    ended = len(after.records) > len(before.records)
    floor = count if ended and used_secret(before) else session.floor
    keep = session.redoable[1:] if session.redoable[:1] == (deed,) else ()
    return replace(
        session,
        game=after,
        marks=(*session.marks, count) if ended else session.marks,
        floor=floor,
        redoable=keep,
        undo=None,
        end_offered=None,
        last=outcome,
    )


def _step(session: Session, payload: Payload) -> Session:
    """Take a recorded step."""
    deed = Deed(str(payload["seat"]), parse_step(str(payload["step"])))
    outcome = attempt(session.game, deed.seat, deed.step)
    if isinstance(outcome, Refusal):
        raise CorruptGameError(facts.STEP, f"{payload['step']} is refused: {outcome.code}")
    return stepped(session, deed, outcome)


def _undone(session: Session, steps: int) -> Session:
    """Take the last steps back; they can be played again."""
    kept = undone(session.game, steps)
    count = len(kept.deeds)
    taken = session.game.deeds[count:]
    return replace(
        session,
        game=kept,
        marks=tuple(mark for mark in session.marks if mark <= count),
        redoable=(*taken, *session.redoable),
        undo=None,
        last=None,
    )


def _redone(session: Session, steps: int) -> Session:
    """Play steps again that were taken back."""
    for deed in session.redoable[:steps]:
        session = _step(session, {"seat": deed.seat, "step": format_step(deed.step)})
    return session


def _accepted(session: Session, payload: Payload) -> Session:
    """Go on from a board as it stands; what is hidden stays where it is and is not in the payload."""
    truth = session.game.between
    position = dict(payload["position"])
    hidden = {w: format_cell(c) for w, c in truth.pos.workers.items() if w[0] in session.game.table.hidden}
    position["workers"] = dict(sorted({**position["workers"], **hidden}.items()))
    secrets = secrets_to_json(truth.secrets)
    return _from_board(
        session, {"position": position, "memory": memory_to_json(truth.memory), "secrets": secrets}
    )


def _entered_again(session: Session, payload: Payload) -> Session:
    """Note a secret that was entered again; with the last one the game goes on from the public state.

    Nothing that this seat did before can be checked.
    """
    seat = str(payload["seat"])
    made = sum(entry.seat == seat for entry in session.commitments) + session.chain_starts.get(seat, 0)
    session = replace(
        session,
        carried={**session.carried, seat: payload["secret"]},
        commitments=tuple(entry for entry in session.commitments if entry.seat != seat),
        salts=tuple(entry for entry in session.salts if entry["seat"] != seat),
        chain_starts={**session.chain_starts, seat: max(made, 1)},
    )
    return _taken_up(session, payload) if "position" in payload else session


def _taken_up(session: Session, payload: Payload) -> Session:
    """Go on from the public state and everybody's secrets."""
    position, carried = dict(payload["position"]), session.carried
    hidden = {w: c for secret in carried.values() for w, c in (secret.get("workers") or {}).items()}
    position["workers"] = dict(sorted({**position["workers"], **hidden}.items()))
    spaces = {
        seat: {name: secret[name] for name in ("fate", "abyss") if secret.get(name)}
        for seat, secret in carried.items()
    }
    opening = {"position": position, "memory": payload["memory"], "secrets": spaces}
    again = _from_board(session, opening)
    return replace(again, carried={}, turns_before={**again.turns_before, **_bound_so_far(again, carried)})


def _bound_so_far(session: Session, seats: Iterable[str]) -> dict[str, int]:
    """Count own turns from here on: a chain that goes on has bound all before, one that begins anew none."""
    made = {seat: sum(entry.seat == seat for entry in session.commitments) for seat in seats}
    return {seat: session.own_turns(seat) + (1 - made[seat] if made[seat] else 0) for seat in seats}


def _from_board(session: Session, opening: Mapping[str, Any]) -> Session:
    """Close the chapter and begin the next from a position."""
    return replace(
        session,
        game=begin(session.plan.setup, Opening.from_json(opening)),
        marks=(),
        floor=0,
        redoable=(),
        undo=None,
        chapters=(*session.chapters, Chapter(session.game)),
        last=None,
    )


def applied(session: Session, kind: str, payload: Payload) -> Session:
    """Give the session after one event; an unknown kind changes nothing."""
    match kind:
        case facts.STEP:
            return _step(session, payload)
        case facts.UNDONE:
            return _undone(session, int(payload["steps"]))
        case facts.REDONE:
            return _redone(session, int(payload["steps"]))
        case facts.UNDO_ASKED:
            asked = UndoRequest(str(payload["seat"]), int(payload["turns"]), int(payload["steps"]))
            return replace(session, undo=asked)
        case facts.UNDO_REFUSED:
            return replace(session, undo=None)
        case facts.ACCEPTED:
            return _accepted(session, payload)
        case facts.ENTERED_AGAIN:
            return _entered_again(session, payload)
        case facts.CARRIED:
            carried = {**session.carried, str(payload["seat"]): payload["secret"]}
            return replace(session, carried=carried)
        case _:
            return _around_the_game(session, kind, payload)


def _around_the_game(session: Session, kind: str, payload: Payload) -> Session:
    """Apply an event that changes no piece."""
    match kind:
        case facts.END_OFFERED:
            return replace(session, end_offered=str(payload["seat"]))
        case facts.END_REFUSED:
            return replace(session, end_offered=None)
        case facts.PAUSED:
            return replace(session, paused=True)
        case facts.RESUMED:
            return replace(session, paused=False)
        case facts.HINTS:
            plan = session.plan.changed(str(payload["seat"]), hint_level=payload["level"])
            return replace(session, plan=plan)
        case facts.RENAMED:
            return replace(session, plan=session.plan.changed(str(payload["seat"]), name=payload["name"]))
        case facts.COMMITTED:
            words = (str(payload[name]) for name in ("seat", "turn", "commitment", "link"))
            seat, turn, made, link = words
            entry = Commitment(seat, int(turn), made, link)
            return replace(session, commitments=(*session.commitments, entry))
        case facts.SALTED:
            return replace(session, salts=(*session.salts, payload))
        case _:
            return session


def history(session: Session, seat: str | None) -> tuple[TurnPlayed, ...]:
    """Tell the turns played so far, of all chapters, as a seat (None: everybody) may know them."""
    told: list[TurnPlayed] = []
    for game in (*(chapter.game for chapter in session.chapters), session.game):
        for record in game.records:
            told.append(TurnPlayed(len(told) + 1, record.seat, record.told(seat, game.table, game.over)))
    return tuple(told)
