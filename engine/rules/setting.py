"""The setup of a game as steps: tokens and secrets, workers in order, then what needs the workers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from engine.board import ALL, CELLS, PERIMETER
from engine.events import Laid, Placed, Value
from engine.position import K, Position
from engine.powers import power
from engine.refusal import MUST_PLACE, OCCUPIED, WRONG_SPACE, WRONG_WORKER
from engine.rules.names import workers_of
from engine.rules.play import record
from engine.state import RAM_CARD, Secret, State, Table
from engine.steps import Draw, Lay, Place, Step, Turn


class Task(NamedTuple):
    """One thing that a seat does during the setup; tasks of one group are one action."""

    seat: str
    kind: str
    group: int


BEFORE = ("wind", "song", "fate")
SECRETS = ("fate", "abyss")


@lru_cache(maxsize=64)
def tasks(table: Table) -> tuple[Task, ...]:
    """List the setup of a game in order."""
    if table.golden_fleece is not None:
        return _ram_tasks(table, table.golden_fleece)
    found = [(seat, "card") for seat in table.seats if _draws(table, seat)]
    found += [(s, kind) for s in table.seats if (kind := declared(table, table.powers[s])) in BEFORE]
    found += [(seat, "workers") for seat in placing_order(table)]
    found += [(s, kind) for s in table.seats if (kind := declared(table, table.powers[s])) == "abyss"]
    return tuple(Task(seat, kind, group) for group, (seat, kind) in enumerate(found))


def _ram_tasks(table: Table, name: str) -> tuple[Task, ...]:
    """List the setup of the Golden Fleece variant."""
    first, second = table.seats
    found = [Task(first, "card", 0)] if power(name).draws and RAM_CARD not in table.decks else []
    found += [Task(first, "workers", 1), Task(second, "workers", 2), Task(first, "ram", 3)]
    if (kind := declared(table, name)) in BEFORE:
        found.append(Task(first, kind, 3))
    return tuple(found)


def _draws(table: Table, seat: str) -> bool:
    """Whether a card has to be turned up for a seat's deck, whose order nobody knows."""
    name = table.powers[seat]
    return name is not None and power(name).draws and seat not in table.decks


def declared(table: Table, name: str | None) -> str:
    """Name the token or secret that a power sets during the setup."""
    if name is None or (table.revised and power(name).declares == "wind"):
        return ""
    return power(name).declares


def placing_order(table: Table) -> tuple[str, ...]:
    """Order the seats that place workers: one for each side, first and last ones as their cards say."""
    sides = table.sides
    ranks = {"first": 0, "": 1, "last": 2}

    def when(seat: str) -> int:
        names = (table.powers[s] for s in table.seats if sides[s] == sides[seat])
        wishes = [power(name).places for name in names if name is not None and power(name).places]
        return ranks[wishes[0]] if wishes else 1

    placers = [seat for seat in table.seats if sides[seat] == seat]
    return tuple(sorted(placers, key=when))


def first_mover(table: Table) -> str:
    """Name the seat that takes the first turn."""
    if table.golden_fleece is not None:
        return table.seats[1]
    if len(table.seats) == 4:
        return table.seats[2]
    return placing_order(table)[0] if "placement_sets_turn_order" in table.options else table.seats[0]


def opening_memory(table: Table, deck: dict[str, tuple[str, ...]]) -> dict[str, dict[str, Value]]:
    """Say what the cards remember before the first step."""
    memory: dict[str, dict[str, Value]] = {}
    for seat, name in table.powers.items():
        if name is not None and power(name).reserve:
            first = power(name).workers + 1
            names = tuple(f"{seat}{first + i}" for i in range(power(name).reserve))
            memory[seat] = {"reserve": names}
    for card, cards in deck.items():
        ordered = card in table.decks
        memory.setdefault(card, {}).update(
            {"face_up": cards[0] if ordered else None, "deck": cards[1:] if ordered else cards, "discard": ()}
        )
    return memory


def ground(table: Table, pos: Position[Any], seat: str) -> int:
    """Give the spaces that the cards allow for the next worker of a seat."""
    free = ALL & ~pos.standing
    placed = tuple(cell for worker, cell in pos.workers.items() if worker[0] == seat)
    allowed = free
    if table.golden_fleece is None:
        for other in table.seats:
            name = table.powers[other]
            if name is not None and table.sides[other] == seat:
                allowed &= power(name).ground(table, free, placed)
    return allowed or free & PERIMETER


def current(state: State[Any]) -> Task:
    """Name the task that is due."""
    return tasks(state.table)[state.setup or 0]


def next_worker(state: State[Any], seat: str) -> str:
    """Name the worker that a seat places next."""
    return next(w for w in workers_of(state.table, seat) if w not in state.pos.workers)


def setup_steps(state: State[Any]) -> tuple[Step, ...]:
    """List the steps that are possible now."""
    task = current(state)
    pos = state.pos
    match task.kind:
        case "workers":
            worker, allowed = next_worker(state, task.seat), ground(state.table, pos, task.seat)
            return tuple(Place(worker, cell) for cell in CELLS if allowed >> cell & 1)
        case "wind" | "song":
            return tuple(Turn(task.kind, way) for way in range(8))
        case "fate":
            return tuple(Lay("fate", cell) for cell in CELLS if cell % 5 < 4 and cell < 20)
        case "card":
            deck = state.memory[card_of(state.table, task.seat)]["deck"]
            return tuple(Draw(name) for name in sorted(deck)) if isinstance(deck, tuple) else ()
        case _:
            return tuple(Lay(task.kind, cell) for cell in CELLS if not pos.standing >> cell & 1)


def card_of(table: Table, seat: str) -> str:
    """Name the card that keeps a seat's deck."""
    return RAM_CARD if table.golden_fleece is not None else seat


def refused_in_setup(state: State[Any], seat: str, step: Step) -> str | None:
    """Name the reason why a setup step is not possible, if it is not."""
    task = current(state)
    if not isinstance(step, Draw) and (seat != task.seat):
        return WRONG_WORKER
    if step in setup_steps(state):
        return None
    match step:
        case Place(worker, cell) if task.kind == "workers":
            if worker != next_worker(state, task.seat):
                return WRONG_WORKER
            return OCCUPIED if state.pos.standing >> cell & 1 else WRONG_SPACE
        case Lay(token, cell) if token == task.kind:
            return OCCUPIED if state.pos.standing >> cell & 1 else WRONG_SPACE
        case _:
            return MUST_PLACE


def set_up(state: State[K], step: Step) -> State[K]:
    """Carry out a setup step that is possible; after the last one the first turn can begin."""
    task = current(state)
    match step:
        case Place(worker, cell):
            state = record(state, Placed(worker, cell))
        case Turn(token, way):
            state = record(state, Laid(token, way))
        case Lay(token, cell) if token in SECRETS:
            secret = state.secrets.get(task.seat, Secret())._replace(**{token: cell})
            state = state._replace(secrets={**state.secrets, task.seat: secret})
        case Lay(token, cell):
            state = record(state, Laid(token, cell))
        case Draw(name):
            state = turned_up(state, card_of(state.table, task.seat), name)
        case _:
            pass
    placing = task.kind == "workers" and any(
        w not in state.pos.workers for w in workers_of(state.table, task.seat)
    )
    return state if placing else _onward(state)


def turned_up(state: State[K], card: str, name: str) -> State[K]:
    """Take a card out of the deck and lay it face up."""
    deck = state.memory[card]["deck"]
    left = tuple(c for c in deck if c != name) if isinstance(deck, tuple) else ()
    return state.remember(card, "deck", left).remember(card, "face_up", name)


def _onward(state: State[K]) -> State[K]:
    """Go on to the next task, or to the first turn."""
    done = (state.setup or 0) + 1
    if done < len(tasks(state.table)):
        return state._replace(setup=done, to_move=tasks(state.table)[done].seat)
    return state._replace(setup=None, to_move=first_mover(state.table))
