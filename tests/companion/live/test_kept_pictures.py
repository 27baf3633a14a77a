"""Pictures of doubtful decisions: they tell nothing of a secret, and go when their game is deleted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import cv2
import httpx
import numpy as np
import pytest

from companion.live.watcher import Watcher
from companion.paths import DataFolder
from companion.play.pictures import folders, forget_pictures, remember_folder
from companion.play.starting import Companion, Wishes
from companion.referee.doubts import Doubts
from companion.referee.referee import Referee
from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import BringKey, EndTurn, TakeStep
from companion.table.tables import Tables
from tests.companion.live.sitting import SEAT, changed
from tests.companion.live.test_watcher import LoudEye, NoSource, ToldGate, loud
from tests.companion.secrets.canary import Canary, assert_silent, scan
from tests.companion.table.test_secrets import phone_commits
from vision.reading import EMPTY_BOARD, Board
from vision.sources import Frame

# Two games that look the same from outside: the hidden worker comes from elsewhere and builds the same.
WORLDS = (
    ("A1@c3", "A2@e5", "A1:c3>c4", "A1+d3"),
    ("A1@d5", "A2@e1", "A1:d5>d4", "A1+d3"),
)
START = {"a1": "0B", "b1": "0B", "d3": "1"}
SHOWN: tuple[Board, ...] = (
    changed(EMPTY_BOARD, **START | {"a1": "0", "a3": "0B"}),  # two spaces far
    changed(EMPTY_BOARD, **START),
    changed(EMPTY_BOARD, **START | {"e5": "1", "c3": "1"}),  # two blocks, and nobody moved
    changed(EMPTY_BOARD, **START),
    changed(EMPTY_BOARD, **START | {"a1": "1", "a2": "0B"}),  # a turn
    changed(EMPTY_BOARD, **START | {"a2": "2B", "e1": "3", "e5": "3dome"}),  # somebody leant on the table
)


def evening(store: Store, folder: Path, steps: tuple[str, ...], chance: Random) -> str:
    """Play a game with hidden workers in front of a camera that keeps what it doubts; returns its name."""
    players = [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": None}]
    table = Tables(store, beat=Beat(1e-6)).create({"players": players})

    def seq(seat: str) -> int:
        return table.around.seq_for(seat)

    key = chance.randbytes(32).hex()
    assert table.submit(SEAT["A"], BringKey(do="key", key=key, seq=seq("A"))).ok
    for seat, step in (("B", "B1@a1"), ("B", "B2@b1"), *(("A", step) for step in steps)):
        reply = table.submit(SEAT[seat], TakeStep(do="step", step=step, seq=seq(seat)))
        assert reply.ok, (step, reply)
        phone_commits(table, chance)
    assert table.submit(SEAT["A"], EndTurn(do="end", seq=seq("A"))).ok
    phone_commits(table, chance)
    gate = ToldGate()
    watcher = Watcher(table, NoSource(), gate, Referee(LoudEye()), doubts=doubts_in(folder))
    for number, board in enumerate(board for board in SHOWN for _ in range(8)):
        gate.verdict = "still" if number % 8 else "hand"
        watcher.glance(Frame(loud(board, number), 10.0 * number, number))
    return table.game


def doubts_in(folder: Path) -> Doubts:
    return Doubts(folder, draw=lambda picture, reading: picture)


def kept(folder: Path, game: str) -> dict[str, bytes]:
    """The files of a game, by their name without the game's."""
    return {path.name.removeprefix(game): path.read_bytes() for path in sorted(folder.glob(f"{game}-*"))}


def test_two_secrets_leave_the_same_pictures_and_no_key_or_salt(tmp_path: Path) -> None:
    found = []
    canary = Canary.hatch(Random(3), "key and salts")

    class Marked(Random):
        """Every key and salt is the canary, twice."""

        def randbytes(self, n: int) -> bytes:
            return (canary.raw * n)[:n]

    with Store.open(tmp_path / "santorini.db") as store:
        for number, steps in enumerate(WORLDS):
            folder = tmp_path / f"debug{number}"
            found.append(kept(folder, evening(store, folder, steps, Marked())))
    kinds = {name.split("-")[2].partition(".")[0] for name in found[0]}
    assert {"illegal", "sync"} <= kinds, sorted(found[0])
    assert found[0] == found[1]
    assert_silent(found[0], [canary])
    name, whole = next((n, c) for n, c in found[0].items() if n.endswith(".json"))
    assert scan({name: whole + canary.raw.hex().encode()}, [canary]), "a planted leak is found"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "santorini.db") as opened:
        yield opened


def test_the_pictures_of_one_game_go_in_every_folder_and_no_others(store: Store, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    names = ("g1-00000007-ask.jpg", "g1-00000007-ask-drawn.jpg", "g1-00000007-ask.json")
    others = ("g1-2-00000007-ask.jpg", "g12-00000007-ask.jpg", "g1-notes.txt", "g1-00000001-00000007-ask.jpg")
    for folder in (one, two):
        folder.mkdir()
        remember_folder(store, folder)
        for name in (*names, *others):
            (folder / name).write_text("x")
    remember_folder(store, one)
    assert folders(store) == (one, two)
    (two / "g1-00000008-ask.jpg").mkdir()
    forget_pictures(store, "g1")
    assert {path.name for path in one.iterdir()} == set(others)
    remember_folder(store, tmp_path / "never made")
    forget_pictures(store, "g12")
    assert "g12-00000007-ask.jpg" not in {path.name for path in one.iterdir()}


def test_deleting_a_game_deletes_its_pictures_of_this_run_and_of_earlier_ones(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    picture = np.zeros((8, 8, 3), np.uint8)
    for run, debug in enumerate((tmp_path / "first", tmp_path / "second", None)):
        wishes = Wishes(data, data.root / "s.db", bind="127.0.0.1", port=0, camera="none", debug=debug)
        with Companion(wishes) as companion, httpx.Client(base_url=companion.address) as host:
            host.post("/api/host", json={"code": (data.root / "host-code").read_text().strip()})
            if run == 0:
                made = host.post("/api/tables", json={"players": [{}, {}]})
                assert made.status_code == 201
            (game,) = (line["game"] for line in host.get("/api/games").json())
            if debug is not None:
                debug.mkdir()
                for name in (game, "another"):
                    cv2.imwrite(str(debug / f"{name}-00000003-ask.jpg"), picture)
            else:
                assert host.delete(f"/api/games/{game}").status_code == 204
    left = sorted(path.name for path in tmp_path.glob("*/*-ask.jpg"))
    assert left == ["another-00000003-ask.jpg"] * 2
