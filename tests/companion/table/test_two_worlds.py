"""Two games that differ only in a secret: others are sent the same, byte for byte, until it is revealed."""

from __future__ import annotations

import random
import re
from dataclasses import asdict, replace

import pytest
from pydantic_core import to_json

from companion.secrets import Owner, commitment
from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import (
    Actor,
    BringKey,
    Command,
    Commit,
    EndTurn,
    Redo,
    Reply,
    TakeStep,
    Undo,
    Why,
)
from companion.table.live import Table
from companion.table.seatview import PublicView, Say
from companion.table.session import Session
from companion.table.showing import Around, public_view
from companion.table.tables import Tables
from engine.legal import complete_turns, next_steps
from engine.steps import Build, Move, Place, Step, format_step
from engine.view import observe

pytestmark = pytest.mark.slow

A, B, SCREEN = Actor("A", "seat"), Actor("B", "seat"), Actor(None, "screen")
AT_ONCE = Beat(period=1e-6)
RANDOM_HEX = re.compile(rb"[0-9a-f]{64}")


class World:
    """One of the two games, with the phone of the seat that hides something."""

    def __init__(self, store: Store, power: str, other: str | None, seed: int) -> None:
        players = [{"seat": "A", "power": power}, {"seat": "B", "power": other}]
        plan = {"players": players, "options": {"allow_banned": True}}
        self.table: Table = Tables(store, beat=AT_ONCE).create(plan)
        self.chance = random.Random(seed)
        self.table.submit(A, BringKey(do="key", key="ef" * 32, seq=0))

    def do(self, actor: Actor, command: Command) -> Reply:
        reply = self.table.submit(actor, command)
        self.commit()
        return reply

    def commit(self) -> None:
        due = self.table.view("A").seal_due
        if due is None:
            return
        salt = self.chance.randbytes(32)
        made = commitment(Owner(self.table.game, "A", due.power, due.start), due.turn, due.value, salt)
        words = {"turn": due.turn, "value": dict(due.value), "salt": salt.hex(), "commitment": made, "seq": 0}
        assert self.table.submit(A, Commit.model_validate({"do": "commit"} | words)).ok

    def play(self, actor: Actor, steps: tuple[Step, ...]) -> None:
        for step in steps:
            reply = self.do(
                actor, TakeStep(do="step", step=format_step(step), seq=self.table.around.seq_for(actor.seat))
            )
            assert reply.ok, reply
        if not self.table.session.game.over and self.table.session.game.to_move == actor.seat:
            self.do(actor, EndTurn(do="end", seq=self.table.around.seq_for(actor.seat)))

    def sent(self) -> bytes:
        """Everything that others can be sent now, with what is random by design blanked out."""
        seen = (self.table.view("B"), self.table.public())
        text = b"\n".join(to_json(asdict(view)) for view in seen)
        for name in (self.table.game, self.table.id):
            text = text.replace(name.encode(), b"*")
        return RANDOM_HEX.sub(b"#" * 64, text)

    def asked(self, cells: list[str]) -> list[Reply]:
        """What the other seat is told when it touches spaces."""
        return [self.table.submit(B, Why(do="why", cell=cell, seq=0)) for cell in cells]


def turns_of(world: World, seat: str, most: int = 300) -> dict[tuple[str, ...], list[tuple[Step, ...]]]:
    """Group the turns of a seat by what others see of them: the builds alone."""
    found: dict[tuple[str, ...], list[tuple[Step, ...]]] = {}
    for number, (steps, after) in enumerate(complete_turns(observe(world.table.session.game, seat))):
        if number >= most:
            break
        if after.winner is None:
            told = tuple(format_step(Build("", s.cell, s.dome)) for s in steps if isinstance(s, Build))
            found.setdefault(told, []).append(steps)
    return found


def set_up(worlds: tuple[World, World], chance: random.Random, workers_hidden: bool) -> None:
    """Place the same for all to see, and hide something else in each world."""
    while worlds[0].table.session.game.truth.setup is not None:
        seat = worlds[0].table.session.game.to_move or ""
        secret = seat == "A" and (workers_hidden or not isinstance(_choices(worlds[0], seat)[0], Place))
        chosen = chance.choice(_choices(worlds[0], seat))
        for world in worlds:
            step = world.chance.choice(_choices(world, seat)) if secret else chosen
            command = TakeStep(do="step", step=format_step(step), seq=world.table.around.seq_for(seat))
            assert world.do(Actor(seat, "seat"), command).ok


def _choices(world: World, seat: str) -> tuple[Step, ...]:
    return next_steps(observe(world.table.session.game, seat))


def compare(one: World, two: World, cells: list[str]) -> None:
    assert one.sent() == two.sent()
    assert [(r.ok, r.say) for r in one.asked(cells)] == [(r.ok, r.say) for r in two.asked(cells)]


def revealed(worlds: tuple[World, World]) -> bool:
    """Whether one of the worlds has shown something of the secret: a cancellation, or the end."""
    return any(w.table.session.game.over or w.table.public().notice is not None for w in worlds)


def has_conflicted(worlds: tuple[World, World]) -> bool:
    return worlds[0].table.public().history[-1] != worlds[1].table.public().history[-1]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("power", ["hecate", "moerae", "tartarus"])
@pytest.mark.parametrize("other", [None, "apollo", "hera"])
def test_nothing_sent_to_others_depends_on_the_secret(
    store: Store, power: str, other: str | None, seed: int
) -> None:
    chance = random.Random(seed)
    worlds = (World(store, power, other, 2 * seed), World(store, power, other, 2 * seed + 1))
    hidden = bool(worlds[0].table.session.game.table.hidden)
    set_up(worlds, chance, hidden)
    compare(*worlds, ["a1", "c3", "e5"])
    for _ in range(5):
        for actor in (A, B):
            options = [turns_of(world, actor.seat or "") for world in worlds]
            common = sorted(set(options[0]) & set(options[1]))
            if not common or revealed(worlds):
                return
            told = chance.choice(common)
            same = chance.choice(options[0][told])
            for world, found in zip(worlds, options):
                steps = world.chance.choice(found[told]) if hidden and actor is A else same
                world.play(actor, steps)
            if revealed(worlds) or has_conflicted(worlds):
                return
            compare(*worlds, chance.sample([f"{c}{r}" for c in "abcde" for r in "12345"], 4))


def test_how_often_a_seat_taps_in_secret_shows_nowhere(store: Store) -> None:
    """One world moves at once; in the other the hidden seat tries three moves and takes two of them back."""
    worlds = (World(store, "hecate", None, 1), World(store, "hecate", None, 1))
    set_up(worlds, random.Random(7), True)
    if worlds[0].table.session.game.to_move == "B":
        for world in worlds:
            world.play(B, next(iter(turns_of(worlds[0], "B").values()))[0])
    told = [[listen(world) for seat in ("B", None)] for world in worlds]
    moves = [step for step in _choices(worlds[0], "A") if isinstance(step, Move)]
    for number, step in enumerate((moves[1], moves[2], moves[0])):
        if number < 2:
            tap(worlds[1], TakeStep(do="step", step=format_step(step), seq=0))
            tap(worlds[1], Undo(do="undo", turns=0, seq=0))
            tap(worlds[1], Redo(do="redo", seq=0))
            tap(worlds[1], Undo(do="undo", turns=0, seq=0))
        compare(*worlds, ["a1", "c3"])
        assert probed(worlds[0]) == probed(worlds[1])
    for world in worlds:
        tap(world, TakeStep(do="step", step=format_step(moves[0]), seq=0))
    compare(*worlds, ["a1", "c3"])
    assert probed(worlds[0]) == probed(worlds[1])
    assert told[0] == told[1]
    kept = [Tables(store).open(world.table.game).public() for world in worlds]
    assert kept[0].seq == kept[1].seq and kept[0].waiting_for_key == ("A",)


def listen(world: World) -> list[int]:
    """Note every number under which others are shown something new."""
    seen: list[int] = [world.table.public().seq]

    def told() -> None:
        if world.table.public().seq != seen[-1]:
            seen.append(world.table.public().seq)

    world.table.subscribe(told)
    return seen


def tap(world: World, command: Command) -> None:
    """Tap on the hidden seat's own phone, which knows the newest view of its own."""
    seq = world.table.view("A").seq
    assert world.do(A, command.model_copy(update={"seq": seq})).ok


def probed(world: World) -> list[tuple[bool, Say | None, int]]:
    """What others are told when they try to take back what they cannot see, or to play it again."""
    replies = []
    for actor in (B, SCREEN, Actor(None, "host")):
        for command in (Undo(do="undo", turns=0, seq=0), Redo(do="redo", seq=0)):
            seq = world.table.around.seq_for(actor.seat)
            replies.append(world.table.submit(actor, command.model_copy(update={"seq": seq})))
    return [(reply.ok, reply.say, reply.seq) for reply in replies]


def test_a_planted_leak_is_found_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = (World(store, "hecate", None, 1), World(store, "hecate", None, 2))
    set_up(worlds, random.Random(3), True)
    assert worlds[0].sent() == worlds[1].sent()

    def leaking(session: Session, around: Around) -> PublicView:
        shown = public_view(session, around)
        where = observe(session.game, "A").position.workers["A1"]
        return replace(shown, now=Say("phase.wait", {"player": str(where)}))

    monkeypatch.setattr("companion.table.live.public_view", leaking)
    assert worlds[0].table.view("A").secret != worlds[1].table.view("A").secret
    assert worlds[0].sent() != worlds[1].sent()
