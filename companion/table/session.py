"""The session of one game: folded from its events, the same way every time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.table import facts
from companion.table.facts import Payload
from companion.table.plan import NewGame
from companion.table.seatview import Commitment
from engine.board import format_cell
from engine.game import Game, Outcome, attempt, begin, undone
from engine.opening import Opening, secrets_to_json
from engine.refusal import Refusal
from engine.remembering import memory_to_json
from engine.rules.arbiter import Deed
from engine.steps import Build, Move, format_step, parse_step
from engine.telling import TurnRecord


class CorruptGameError(Exception):
    """The kept events do not make a game; carries the event's type and what is wrong."""

    def __init__(self, event: str, problem: str) -> None:
        super().__init__(f"{event}: {problem}")
        self.event = event


@dataclass(frozen=True)
class Chapter:
    """What was played before the board was accepted as it stood: the game so far, closed."""

    game: Game
    marks: tuple[int, ...] = ()
    floor: int = 0
    final: bool = False
    """There is no way back: a secret was entered again, and what came before cannot be played on."""


@dataclass(frozen=True)
class SetRight:
    """A board that was accepted as it stood, then taken back: what the game went on from."""

    opening: Opening


@dataclass(frozen=True)
class UndoRequest:
    """Somebody would like to take steps back, and boards that were set right among them."""

    seat: str
    turns: int
    steps: int
    boards: int = 0


@dataclass(frozen=True)
class Session:
    """Everything about a game at one moment. `marks` are the numbers of steps at which turns ended."""

    plan: NewGame
    game: Game
    marks: tuple[int, ...] = ()
    floor: int = 0
    """No step before this number can be taken back: a later answer used a secret."""
    redoable: tuple[Deed | SetRight, ...] = ()
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

    @property
    def games(self) -> tuple[Game, ...]:
        """The games that boards which were accepted part this one into; the last goes on."""
        return (*(chapter.game for chapter in self.chapters), self.game)

    def own_turns(self, seat: str) -> int:
        """Count the finished turns of a seat; the setup is none."""
        return sum(
            record.seat == seat and any(isinstance(entry.step, Move | Build) for entry in record.entries)
            for record, _ in played(self)
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

        A board that was accepted as it stood counts as a turn of its own, and as one step.
        `veiled` steps are unknown to whoever asks: they go too, but make no turn of their own.
        """
        count = len(self.game.deeds) - veiled
        inside = count - self.turn_start
        if turns == 0 or (turns == 1 and inside):
            return inside + veiled if inside else 0
        starts = [0, *(mark for mark in self.marks if mark < count - inside)] if count > inside else []
        back = turns - (1 if inside else 0)
        found = count - starts[max(len(starts) - back, 0)] if starts else count
        if back > len(starts) and (before := self.before) is not None:
            found += 1 + (before.steps_back(back - len(starts) - 1) if back > len(starts) + 1 else 0)
        return found + veiled if found else 0

    def steps_to(self, turns: int) -> int:
        """Count the steps to take back until so many finished turns are left, and a board set right then."""
        earlier = sum(len(chapter.game.records) for chapter in self.chapters)
        if turns >= earlier:
            kept = (0, *self.marks)[min(turns - earlier, len(self.marks))]
            return len(self.game.deeds) - kept
        before = self.before
        return 0 if before is None else len(self.game.deeds) + 1 + before.steps_to(turns)

    @property
    def before(self) -> Session | None:
        """How the game stood before the board was last accepted; None where there is no way back."""
        if not self.chapters or self.chapters[-1].final:
            return None
        last = self.chapters[-1]
        again = (SetRight(self.game.opening), *self.game.deeds, *self.redoable)
        return replace(
            self,
            game=last.game,
            marks=last.marks,
            floor=last.floor,
            chapters=self.chapters[:-1],
            redoable=again,
            undo=None,
            last=None,
        )

    def may_undo(self, steps: int) -> bool:
        """Whether so many steps may be taken back at all.

        Whether a board can be one depends on what is hidden: with a secret there is no way back past it.
        """
        here = len(self.game.deeds)
        if steps <= here:
            return 0 < steps <= here - self.floor
        if self.floor or self.game.table.secretive or (before := self.before) is None:
            return False
        return steps == here + 1 or before.may_undo(steps - here - 1)

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


def taken_back(session: Session, steps: int) -> Session:
    """Take the last steps back, accepted boards among them; they can be played again."""
    here = len(session.game.deeds)
    if steps > here:
        before = session.before
        if before is None:
            raise CorruptGameError(facts.UNDONE, f"{steps} steps cannot be taken back")
        return taken_back(before, steps - here - 1)
    return _undone(session, steps) if steps else session


def _undone(session: Session, steps: int) -> Session:
    """Take steps back that were taken since the board was last accepted."""
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
    for again in session.redoable[:steps]:
        match again:
            case Deed(seat, step):
                session = _step(session, {"seat": seat, "step": format_step(step)})
            case SetRight(opening):
                rest = session.redoable[1:]
                session = replace(_from_opening(session, opening), redoable=rest)
    return session


def _accepted(session: Session, payload: Payload) -> Session:
    """Go on from a board as it stands; what is hidden stays where it is and is not in the payload."""
    truth = session.game.between
    position = dict(payload["position"])
    hidden = {w: format_cell(c) for w, c in truth.pos.workers.items() if w[0] in session.game.table.hidden}
    position["workers"] = dict(sorted({**position["workers"], **hidden}.items()))
    secrets = secrets_to_json(truth.secrets)
    opening = {"position": position, "memory": memory_to_json(truth.memory), "secrets": secrets}
    return _from_opening(session, Opening.from_json(opening))


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
    again = _from_opening(session, Opening.from_json(opening), final=True)
    return replace(again, carried={}, turns_before={**again.turns_before, **_bound_so_far(again, carried)})


def _bound_so_far(session: Session, seats: Iterable[str]) -> dict[str, int]:
    """Count own turns from here on: a chain that goes on has bound all before, one that begins anew none."""
    made = {seat: sum(entry.seat == seat for entry in session.commitments) for seat in seats}
    return {seat: session.own_turns(seat) + (1 - made[seat] if made[seat] else 0) for seat in seats}


def _from_opening(session: Session, opening: Opening, final: bool = False) -> Session:
    """Close the chapter and begin the next from a position."""
    closed = Chapter(session.game, session.marks, session.floor, final)
    return replace(
        session,
        game=begin(session.plan.setup, opening),
        marks=(),
        floor=0,
        redoable=(),
        undo=None,
        chapters=(*session.chapters, closed),
        last=None,
    )


def applied(session: Session, kind: str, payload: Payload) -> Session:
    """Give the session after one event; an unknown kind changes nothing."""
    match kind:
        case facts.STEP:
            return _step(session, payload)
        case facts.UNDONE:
            return taken_back(session, int(payload["steps"]))
        case facts.REDONE:
            return _redone(session, int(payload["steps"]))
        case facts.UNDO_ASKED:
            counts = (int(payload.get(name, 0)) for name in ("turns", "steps", "boards"))
            asked = UndoRequest(str(payload["seat"]), *counts)
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


def played(session: Session) -> tuple[tuple[TurnRecord, Game], ...]:
    """List the turns played so far, of all chapters, each with its game."""
    return tuple((record, game) for game in session.games for record in game.records)
