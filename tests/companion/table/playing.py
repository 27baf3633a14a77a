"""Plays at random through a table's commands; a failure names its seed."""

from __future__ import annotations

import random

from companion.table.commands import Actor, EndTurn, TakeStep
from companion.table.live import Table

A, B, HOST = Actor("A", "seat"), Actor("B", "seat"), Actor(None, "host")
PLAIN = {"players": [{"seat": "A", "power": None, "name": "Ada"}, {"seat": "B", "power": None}]}


def placed(table: Table) -> Table:
    for seat, step in (("A", "A1@b2"), ("A", "A2@d4"), ("B", "B1@b4"), ("B", "B2@d2")):
        assert table.submit(Actor(seat, "seat"), TakeStep(do="step", step=step, seq=10**6)).ok
    return table


def do(table: Table, actor: Actor, *steps: str) -> None:
    for step in steps:
        seq = table.around.seq
        command = EndTurn(do="end", seq=seq) if step == "end" else TakeStep(do="step", step=step, seq=seq)
        reply = table.submit(actor, command)
        assert reply.ok, reply


def play_some(table: Table, seed: int, steps: int) -> None:
    """Play so many random steps, or until the game is over."""
    chance = random.Random(seed)
    for _ in range(steps):
        if table.session.game.over:
            return
        for seat in table.session.game.waiting:
            view = table.view(seat)
            if view.prompt is None:
                continue
            actor = Actor(seat, "seat")
            if view.prompt.steps and not (view.prompt.may_end and chance.random() < 0.5):
                step = chance.choice(view.prompt.steps).step
                reply = table.submit(actor, TakeStep(do="step", step=step, seq=view.seq))
            else:
                reply = table.submit(actor, EndTurn(do="end", seq=view.seq))
            assert reply.ok, (reply, seed)
            break
