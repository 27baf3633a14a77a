"""A phone with its key was lost: its seat enters its secret again, everybody else's stays as it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.secrets import Keyring
from companion.store import Event
from companion.table import facts
from companion.table.asleep import Snapshot
from companion.table.facts import Fact, Payload
from companion.table.secrecy import lasting, opened, owner, relevant
from companion.table.session import Session, fold
from engine.board import format_cell
from engine.steps import Lay, Move, Place, Step, parse_step

Told = tuple[str, Payload]


def around(events: Iterable[Event], game: str, keyring: Keyring, lost: Sequence[str]) -> Session:
    """Give the session without what was played, with the seals of every seat whose phone is still there."""
    kept = [e for e in relevant(events) if owner(e) not in lost]
    return fold([told for event in kept if (told := lasting(event, game, keyring)) is not None])


def facts_again(
    events: Sequence[Event], game: str, keyring: Keyring, snapshot: Snapshot, entered: Mapping[str, Payload]
) -> tuple[Fact, ...]:
    """Write down that secrets were entered again; the last fact takes the board up from what all know."""
    made = [Fact(facts.KEYED, {"seat": seat, "id": keyring.key(game, seat).id}) for seat in sorted(entered)]
    sealed = {owner(event) for event in relevant(events)} - {None, *entered}
    for seat in sorted(str(seat) for seat in sealed):
        own = [opened(e, game, keyring) for e in relevant(events) if owner(e) == seat]
        secret = hidden_now(own, moving=snapshot.position["to_move"] == seat)
        made.append(Fact(facts.CARRIED, {"seat": seat, "secret": secret}, secret_of=seat))
    *first, last = sorted(entered)
    for seat in first:
        made.append(Fact(facts.ENTERED_AGAIN, {"seat": seat, "secret": entered[seat]}, secret_of=seat))
    whole = {"position": snapshot.position, "memory": snapshot.memory, "seats": sorted(entered)}
    payload = {"seat": last, "secret": entered[last], **whole}
    return (*made, Fact(facts.ENTERED_AGAIN, payload, secret_of=last))


def hidden_now(told: Iterable[Told], moving: bool) -> dict[str, Any]:
    """Say what a seat hides, from its own sealed facts: what it bound last, and its steps since.

    Steps of a turn in play do not count: the board is taken up from before it.
    """
    value: dict[str, Any] = {}
    steps, undone = list[Step](), list[Step]()
    for kind, payload in told:
        match kind:
            case facts.SALTED | facts.CARRIED | facts.ENTERED_AGAIN:
                value, steps = dict(payload["value" if kind == facts.SALTED else "secret"]), []
            case facts.STEP:
                steps.append(parse_step(str(payload["step"])))
            case facts.UNDONE:
                count = min(int(payload["steps"]), len(steps))
                undone, steps = steps[len(steps) - count :] + undone, steps[: len(steps) - count]
            case facts.REDONE:
                count = int(payload["steps"])
                steps, undone = steps + undone[:count], undone[count:]
    for step in () if moving else steps:
        value = _after(value, step)
    return value


def _after(value: Mapping[str, Any], step: Step) -> dict[str, Any]:
    """Give what is hidden after an own step."""
    workers = dict(value.get("workers") or {})
    match step:
        case Place(worker, cell) | Move(worker, _, cell):
            return {**value, "workers": {**workers, worker: format_cell(cell)}}
        case Lay(token, cell):
            return {**value, token: format_cell(cell)}
        case _:
            return dict(value)
