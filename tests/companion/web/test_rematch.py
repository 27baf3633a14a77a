"""The game that a rematch opens: the same one, with sides changed."""

from __future__ import annotations

from pathlib import Path

from companion.store import Store
from companion.table.commands import Actor, TakeStep
from companion.table.tables import Tables
from companion.web.gameroom import sides_changed
from companion.web.shelf import Shelf

ADA = {"name": "Ada", "colour": "blue"}
BEN = {"name": "Ben", "colour": "grey"}
BARE = {"edition": "roxley2016", "options": {}, "golden_fleece": None, "deck": None}


def again(folder: Path, powers: tuple[str | None, str | None], ram: str | None, *steps: str) -> list[object]:
    """Who plays with which power of their own in the rematch, and the Ram's."""
    players = [{**who, "power": power} for who, power in zip((ADA, BEN), powers, strict=True)]
    with Store.open(folder / "santorini.db") as store:
        shelf = Shelf(Tables(store))
        table = shelf.create({**BARE, "players": players, "golden_fleece": ram})
        for step in steps:
            seat = str(table.public().to_move)
            reply = table.submit(
                Actor(seat, "seat"), TakeStep(do="step", step=step, seq=table.view(seat).seq)
            )
            assert reply.ok, reply
        plan = sides_changed(table)
        shelf.create(plan)
        return [*((p["name"], p["power"]) for p in plan["players"]), plan["golden_fleece"]]


def test_everybody_keeps_name_and_power(tmp_path: Path) -> None:
    assert again(tmp_path, ("apollo", "minotaur"), None) == [("Ben", "minotaur"), ("Ada", "apollo"), None]


def test_the_ram_keeps_its_card_and_nobody_gets_one(tmp_path: Path) -> None:
    setup = ("A1@a1", "A2@a2", "B1@e5", "B2@e4", "ram@c3")
    assert again(tmp_path, (None, None), "zeus", *setup) == [("Ben", None), ("Ada", None), "zeus"]
