"""Turns listed on masks are the turns of the rules: compared with the kernel on positions of random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.board import cells_in
from engine.cards import CARDS
from engine.fast import quick_turns
from engine.fen import parse_fen
from engine.position import Position, Seen
from engine.powers import power
from engine.rules.look import Look
from engine.rules.search import Try, after, owes
from engine.rules.sketch import DOMED, flood
from engine.setup import Setup
from engine.state import State
from engine.view import begun, observe_public
from tests.engine.playing import games

SIMPLE = [card.id for card in CARDS.values() if card.kind == "simple"]
AT_HOME = [name for name in SIMPLE if power(name).at_home]
Outcome = tuple[object, ...]


def kernel(state: State[Seen]) -> set[Outcome]:
    """Take every step for real, asking every card at every step."""
    found: set[Outcome] = set()
    seen: set[object] = set()
    rest = [begun(state)]
    while rest:
        now = rest.pop()
        if owes(now) is None:
            found.add(outcome(now.pos, now.winner))
        for holder in () if now.now.over else now.now.cast.may:
            for offer in holder.power.may(Look(now, holder)):
                next_ = after(now, Try(holder, offer))
                if isinstance(next_, str):
                    continue
                moves = next_.now.moves[:1] + tuple(move for move in next_.now.moves if move.rise)
                key = (next_.pos.key(), moves and moves[-1], len(next_.now.moves) > 1, next_.now.builds)
                if (key, next_.now.early, next_.winner) not in seen:
                    seen.add((key, next_.now.early, next_.winner))
                    rest.append(next_)
    return found


def outcome(pos: Position[Any], winner: str | None) -> Outcome:
    return (pos.heights, pos.domes, tuple(sorted(pos.workers.items())), winner)


def carried_out(state: State[Seen], turn: tuple[int, ...], name: str | None) -> Outcome:
    """Do what a quick turn says, as a hand does: move, take or push who stands there, put pieces down."""
    pos, seat = state.pos, state.to_move or ""
    workers = dict(pos.workers)
    names = [worker for worker in workers if worker[0] == seat]
    if name == "hermes":
        workers[names[0]], workers[names[1]] = turn[:2]
        cells = turn[3:]
    else:
        start, end = turn[:2]
        mover, other = pos.worker_at(start) or "", pos.worker_at(end)
        if other is not None:
            workers[other] = start if name == "apollo" else 2 * end - start
        workers[mover] = end
        cells = turn[2:]
    pos = pos.with_workers(workers)
    for cell in cells if cells != (-1,) else ():
        dome = cell >= DOMED
        cell -= DOMED * dome
        pos = pos.built(cell, dome or bool(pos.up3 >> cell & 1))
    return outcome(pos, seat if cells == (-1,) else None)


def positions(name: str | None, other: str | None, seed: int) -> Iterator[State[Seen]]:
    """Give positions between turns of a random game in which a card is to move."""
    options = frozenset({"allow_banned"})
    for game, _ in games(Setup.of(name, other, options=options), seed, 160):
        view = observe_public(game)
        turn = view.state.turn
        if turn is not None and turn.seat == "A" and not turn.events and not game.over:
            yield view.state._replace(turn=None)


def tall(state: State[Seen], chance: random.Random) -> State[Seen]:
    """Put the same workers on other heights, with domes: late positions are rare by chance."""
    masks = [0, 0, 0]
    domes = 0
    for cell in range(25):
        height = chance.choice((0, 0, 1, 1, 2, 2, 3))
        for level in range(height):
            masks[level] |= 1 << cell
        if chance.random() < 0.12 and not state.pos.standing >> cell & 1:
            domes |= 1 << cell
    return state._replace(pos=Position(masks[0], masks[1], masks[2], domes, state.pos.workers))


@pytest.mark.parametrize("name", [None, *SIMPLE])
def test_the_quick_list_is_the_list_of_the_rules(name: str | None) -> None:
    chance = random.Random(str(name))
    compared = 0
    for other in (None, *(chance.sample([n for n in AT_HOME if n != name], 2))):
        at_hand = list(positions(name, other, chance.randrange(1 << 20)))
        chosen = chance.sample(at_hand, min(1 if name == "hermes" else 3, len(at_hand)))
        for state in [*chosen, *(tall(one, chance) for one in chosen * 2)]:
            quick = quick_turns(state)
            assert quick is not None
            assert len(quick) == len(set(quick))
            assert {carried_out(state, turn, name) for turn in quick} == kernel(state), state.pos
            compared += 1
    assert compared >= 9


def test_two_workers_of_one_land_stand_in_each_others_way() -> None:
    """In a lane of four spaces the two cannot change places; where a side space opens, they can."""
    lane = parse_fen("4" * 15 + "00000" + "44444/1/hermes:A2,B2/mortal:E2")
    quick = quick_turns(lane) or ()
    assert {carried_out(lane, turn, "hermes") for turn in quick} == kernel(lane)
    assert all(first < second for first, second, *_ in quick)
    wide = parse_fen("4" * 10 + "40444" + "00000" + "44444/1/hermes:A2,B2/mortal:E2")
    assert any(first > second for first, second, *_ in quick_turns(wide) or ())


def test_other_cards_and_tokens_are_left_to_the_rules() -> None:
    heights = "0" * 24 + "1"
    for players in ("pan:B2,D4/hera:B4,D2", "hera:B2,D4/mortal:B4,D2", "pan:B2,D4/athena[^]:B4,D2"):
        assert quick_turns(parse_fen(f"{heights}/1/{players}")) is None, players
    assert quick_turns(parse_fen(f"{heights}/1/hermes:B2/mortal:B4,D2")) is None


def test_a_flood_stops_at_the_edges() -> None:
    assert cells_in(flood(4, 1 << 4 | 1 << 5 | 1 << 9)) == (4, 9)
