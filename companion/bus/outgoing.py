"""From the public view, field by field, to what is sent. Nothing else is ever asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol

from companion.bus import messages as m
from companion.bus.wording import Wording
from companion.lights.picture import Shown
from companion.table.seatview import Notice, PublicView, Say

WRONG = ("illegal", "cancelled", "put_back")


def state(view: PublicView, session: str, wording: Wording) -> m.State:
    """Make the state."""
    last = view.history[-1] if view.history else None
    return m.State(
        seq=view.seq,
        session=session,
        table=view.table,
        game=view.game,
        phase=view.phase,
        paused=view.paused,
        edition=view.edition,
        options=dict(view.options),
        players=[_player(view, seat) for seat in range(len(view.players))],
        to_move=view.to_move,
        board=[_space(view, cell) for cell in range(len(view.board))],
        tokens=dict(view.tokens),
        reserve={seat: list(workers) for seat, workers in view.reserve.items()},
        now=wording.say(view.now),
        prompt=_prompt(view),
        turn=list(view.turn),
        turns=len(view.history),
        last_turn=m.Turn(n=last.n, seat=last.seat, turn=last.turn) if last else None,
        provisional=view.provisional,
        asked=view.asked,
        notice=notice_of(view.notice, wording) if view.notice else None,
        illegal=view.notice is not None and view.notice.kind == "illegal",
        sync=_sync(view),
        camera=view.camera,
        undo=m.Undo(asked_by=view.undo.asked_by, turns=view.undo.turns) if view.undo else None,
        may_undo=view.may_undo,
        may_redo=view.may_redo,
        end_offered_by=view.end_offered_by,
        result=_result(view, wording),
        verifiable=view.verifiable,
        waiting_for_key=list(view.waiting_for_key),
    )


def _player(view: PublicView, number: int) -> m.Player:
    seen = view.players[number]
    return m.Player(
        seat=seen.seat,
        team=seen.team,
        name=seen.name,
        colour=seen.colour,
        power=seen.power,
        out=seen.out,
        joined=seen.joined,
    )


def _space(view: PublicView, number: int) -> m.Space:
    seen = view.board[number]
    who = seen.worker
    sex: Literal["m", "f"] | None = None
    if who is not None and who.sex is not None:
        sex = "f" if who.sex == "f" else "m"
    return m.Space(
        cell=seen.cell,
        height=seen.height,
        dome=seen.dome,
        proxy=seen.proxy,
        worker=m.Worker(id=who.id, seat=who.seat, sex=sex) if who else None,
        tokens=list(seen.tokens),
    )


def _prompt(view: PublicView) -> m.Prompt | None:
    asked = view.prompt
    if asked is None:
        return None
    steps = [m.Step(step=s.step, kind=s.kind, worker=s.worker, cells=list(s.cells)) for s in asked.steps]
    return m.Prompt(seat=asked.seat, kind=asked.kind, steps=steps, may_end=asked.may_end)


def notice_of(notice: Notice, wording: Wording) -> m.Notice:
    """Make a notice."""
    back = [
        m.PutBack(kind=b.kind, origin=b.origin, target=b.target, say=wording.words(b.key, b.facts))
        for b in notice.put_back
    ]
    return m.Notice(kind=notice.kind, say=wording.words(notice.key, notice.facts), put_back=back)


def _sync(view: PublicView) -> list[m.Difference] | None:
    if view.sync is None:
        return None
    return [
        m.Difference(
            cell=d.cell,
            known=m.Content(height=d.known.height, top=d.known.top),
            camera=m.Content(height=d.camera.height, top=d.camera.top),
        )
        for d in view.sync
    ]


def _result(view: PublicView, wording: Wording) -> m.Result | None:
    # What had been hidden stays on the phones: the bus has no use for it.
    return m.Result(winner=view.result.winner, say=wording.say(view.result.how)) if view.result else None


class EventMaker(Protocol):
    """Makes one event of what has happened."""

    def __call__(
        self, kind: m.EventKind, seat: str | None = None, turn: str | None = None, said: Say | None = None
    ) -> m.Event:
        """Make it."""


def led(seq: int, shown: Shown) -> m.Led:
    """Make the LED frame."""
    picture = shown.picture
    return m.Led(
        seq=seq, brightness=picture.brightness, colours=[bytes(colour).hex() for colour in picture.colours]
    )


def events(before: PublicView, after: PublicView, wording: Wording) -> Iterator[m.Event]:
    """Say what has happened between two views of the same table."""

    def event(
        kind: m.EventKind, seat: str | None = None, turn: str | None = None, said: Say | None = None
    ) -> m.Event:
        words = wording.say(said) if said else None
        name = f"{after.game}-{after.seq}-{kind}"
        return m.Event(id=name, seq=after.seq, kind=kind, seat=seat, turn=turn, say=words)

    if before.game != after.game:
        yield event("game")
        return
    if len(after.history) > len(before.history):
        for played in after.history[len(before.history) :]:
            yield event("turn", played.seat, played.turn).model_copy(
                update={"id": f"{after.game}-{after.seq}-turn-{played.n}"}
            )
    elif len(after.history) < len(before.history):
        yield event("undone")
    elif after.turn != before.turn:
        yield event("step", after.to_move, " ".join(after.turn))
    yield from _around(before, after, event)


def _around(before: PublicView, after: PublicView, event: EventMaker) -> Iterator[m.Event]:
    """What has happened around the game."""
    if after.notice and after.notice != before.notice:
        yield event("notice", None, None, Say(after.notice.key, after.notice.facts))
    if after.undo and after.undo != before.undo:
        yield event("undo_asked", after.undo.asked_by)
    if after.asked and after.asked != before.asked:
        yield event("asked", after.asked)
    if after.camera != before.camera:
        yield event("camera")
    if after.sync is not None and before.sync is None:
        yield event("out_of_step")
    if after.paused and not before.paused:
        yield event("paused")
    if after.result and not before.result:
        yield event("over", after.result.winner, None, after.result.how)
