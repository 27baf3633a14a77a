"""Kills the real server in the middle of a game and compares what phones had been shown with what comes back.

Three clients a table, over real sockets: both seats and a spectator. Two tables: one open game, and one in
which a seat hides its workers, so that the keys have to come back from its phone. At a third table the host
sets a camera up all the while.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import shutil
import tempfile
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from companion.bench._browser import Browser
from companion.bench._calibration_kills import Fitter, draw_empty
from companion.paths import DataFolder
from companion.play.starting import NO_CAMERA, Companion, Wishes
from companion.secrets import Owner, commitment

Json = dict[str, Any]
KEY: Final = "5a" * 32
OPEN: Final[list[Json]] = [{"power": "apollo"}, {"power": "minotaur"}]
HIDING: Final[list[Json]] = [{"power": "hecate"}, {"power": None}]
START_SECONDS: Final = 90.0
SHOWN: Final = (8, 48)
"""The server is killed after so many views, so that it plays as far on a slow machine as on a fast one."""
LONGEST_PLAY: Final = 1.5


def serve(folder: str, out: Pipe) -> None:
    """The process that is killed: the whole companion without a camera."""
    data = DataFolder(Path(folder))
    with Companion(Wishes(data, data.database, "127.0.0.1", 0, NO_CAMERA)) as companion:
        out.send((companion.address, companion.host_link.partition("=")[2]))
        threading.Event().wait()


@dataclass(frozen=True)
class Told:
    """All that a client has been shown of a game: finished turns, the turn in play, the board."""

    finished: tuple[str, ...]
    playing: tuple[str, ...]
    board: str

    @classmethod
    def of(cls, view: Json) -> Told:
        """Read it from a view."""
        turns = tuple(f"{turn['seat']}:{turn['turn']}" for turn in view["history"])
        return cls(turns, tuple(view["turn"]), json.dumps(view["board"], sort_keys=True))

    def lost_in(self, later: Told) -> str | None:
        """Say what of this is gone or changed later; a restart may only be further on."""
        if later.finished[: len(self.finished)] != self.finished:
            return f"finished {self.finished[-1:]}, now {later.finished[-1:]}"
        if len(later.finished) > len(self.finished):
            return None
        if later.playing[: len(self.playing)] != self.playing:
            return f"in play {self.playing}, now {later.playing}"
        if later.playing == self.playing and later.board != self.board:
            return "the same steps on another board"
        return None


@dataclass
class Client:
    """One phone at one table: shows views, plays at random where it has a seat, notes what it was shown."""

    table: str
    seat: str | None
    cookie: str | None
    chance: random.Random
    shown: Told | None = None
    views: int = 0
    before: int = 0
    """So many views had been shown when the server was last started."""
    gone: bool = False
    """Its game was over at the last start, so its table is not open any more."""
    faults: list[str] = field(default_factory=list)
    number: int = 0

    def run(self, address: str) -> None:
        """Talk until the line is cut."""
        headers = {"Cookie": self.cookie} if self.cookie else {}
        try:
            with connect(address.replace("http", "ws") + "/ws", additional_headers=headers) as line:
                watch = {"ask": "watch", "id": 0, "table": self.table}
                line.send(json.dumps(watch | ({"seat": self.seat} if self.seat else {})))
                self._talk(line)
        except (WebSocketException, OSError, TimeoutError):  # also where the kill comes in mid-greeting
            return

    def _talk(self, line: ClientConnection) -> None:
        first = True
        while True:
            message = json.loads(line.recv(timeout=20))
            if "view" not in message:
                self.gone |= message.get("id") == 0 and not message["reply"]["ok"]
                continue
            view = message["view"]
            # Before its own key is back, a seat is shown what everybody is: that is compared by the others.
            if not view.get("key_wanted"):
                self.check(view, first)
                first = False
            line.send(json.dumps({"ask": "seen", "seq": view["seq"]}))
            if (command := self._next(view)) is not None:
                self.number += 1
                command["seq"] = view["seq"]
                line.send(json.dumps({"ask": "do", "id": self.number, "command": command}))

    def check(self, view: Json, first: bool) -> None:
        """Nothing that was shown may be gone after a restart."""
        told = Told.of(view)
        if first and self.shown is not None and (lost := self.shown.lost_in(told)) is not None:
            self.faults.append(f"{self.table} {self.seat}: {lost}")
        self.shown = told
        self.views += 1

    def _next(self, view: Json) -> Json | None:
        """Do what a phone does by itself, else play a random step."""
        if self.seat is None or view["phase"] == "over":
            return None
        if view["key_wanted"] or self._needs_key(view):
            return {"do": "key", "key": KEY}
        if (due := view["seal_due"]) is not None:
            salt = self.chance.randbytes(32)
            owner = Owner(view["game"], self.seat, due["power"], due["start"])
            made = commitment(owner, due["turn"], due["value"], salt)
            told = {"turn": due["turn"], "value": due["value"], "salt": salt.hex(), "commitment": made}
            return {"do": "commit"} | told
        return self._play(view["prompt"])

    def _needs_key(self, view: Json) -> bool:
        """Whether this seat hides something and has not brought its key in this connection."""
        player = next(p for p in view["players"] if p["seat"] == self.seat)
        return player["power"] == HIDING[0]["power"] and self.number == 0

    def _play(self, prompt: Json | None) -> Json | None:
        if prompt is None:
            return None
        if prompt["steps"] and not (prompt["may_end"] and self.chance.random() < 0.6):
            return {"do": "step", "step": self.chance.choice(prompt["steps"])["step"]}
        return {"do": "end"}


def seated(address: str, host: Browser, players: list[Json]) -> tuple[str, dict[str, str]]:
    """Open a table and let a phone join each seat with its code; gives the table and the cookies."""
    wish = {"players": players, "options": {"allow_banned": True}}
    table = str(host.call("POST", "/api/tables", wish)["table"])
    cookies = {}
    for seat in "AB":
        link = host.call("POST", f"/api/tables/{table}/seats/{seat}/code")["address"]
        phone = Browser(address)
        phone.call("POST", "/api/join", {"code": link.rpartition("#")[2]})
        cookies[seat] = phone.cookie
    return table, cookies


@dataclass
class Evening:
    """Everybody who comes back after each kill, and where the server keeps its files."""

    data: Path
    picture: Path
    clients: list[Client] = field(default_factory=list)
    fitter: Fitter | None = None


@dataclass
class Report:
    """What the kills did."""

    kills: int = 0
    tried: int = 0
    calibrations: int = 0
    views: int = 0
    turns: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lost = f"lost or changed {len(self.faults)}" + "".join(f"\n  {fault}" for fault in self.faults)
        shown = f"views shown {self.views}, turns played {self.turns}"
        kept = f"calibrations kept {self.calibrations} of {self.tried}"
        return f"server kills {self.kills}, {shown}, {kept}, {lost}"


def run_server_kills(count: int, seed: int = 1) -> Report:
    """Start, play, kill and compare so many times."""
    chance, report = random.Random(seed), Report()
    folder = Path(tempfile.mkdtemp(prefix="santorini-server-kills-"))
    evening = Evening(folder / "data", folder / "picture")
    try:
        for number in range(count + 1):  # the last start only compares
            _round(evening, number, chance)
    finally:
        shutil.rmtree(folder)
    clients, fitter = evening.clients, evening.fitter
    assert fitter is not None
    report.kills = count
    report.views = sum(client.views for client in clients)
    report.turns = sum(len(c.shown.finished) for c in clients if c.shown and c.seat is None)
    report.calibrations, report.tried = fitter.saved, fitter.tried
    report.faults = [fault for client in clients for fault in client.faults] + fitter.faults
    return report


def _round(evening: Evening, number: int, chance: random.Random) -> None:
    """One life of the server."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(str(evening.data), writer))
    process.start()
    try:
        if not reader.poll(START_SECONDS):
            raise TimeoutError("the server did not start")
        address, code = reader.recv()
        if evening.fitter is None:
            _open(evening, address, code, chance)
        assert evening.fitter is not None
        evening.fitter.start()
        runs = [client.run for client in evening.clients] + [evening.fitter.run]
        threads = [threading.Thread(target=run, args=(address,)) for run in runs]
        for client in evening.clients:
            client.before = client.views
        for thread in threads:
            thread.start()
        _until_played(evening.clients, chance.randrange(*SHOWN))
        _until_set_up(evening.fitter, number)
        time.sleep((0.3 if evening.fitter.keeping.is_set() else 0.05) * chance.random())
    finally:
        process.kill()
        process.join()
    for thread in threads:
        thread.join(timeout=25)


def _until_set_up(fitter: Fitter, number: int) -> None:
    """Wait until the camera page was compared; in some lives until a calibration is being kept, or was."""
    wanted = {1: fitter.keeping, 3: fitter.did_keep}.get(number % 6, fitter.checked)
    if not fitter.checked.wait(START_SECONDS) or not (fitter.faults or wanted.wait(START_SECONDS)):
        raise TimeoutError("the camera could not be set up")


def _until_played(clients: list[Client], wanted: int) -> None:
    """Wait until everybody has been shown the table, and for a while until all have seen so many views."""
    end, enough = time.monotonic() + START_SECONDS, 0.0
    while time.monotonic() < end:
        new = [client.views - client.before for client in clients if not client.gone]
        enough = enough or (time.monotonic() + LONGEST_PLAY if all(new) else 0.0)
        if enough and (sum(new) >= wanted or time.monotonic() > enough):
            return
        time.sleep(0.005)
    raise TimeoutError(f"not every phone was shown its table: {new}")


def _open(evening: Evening, address: str, code: str, chance: random.Random) -> None:
    """Open the tables and give them their phones."""
    host = Browser(address)
    host.call("POST", "/api/host", {"code": code})
    for players in (OPEN, HIDING):
        table, cookies = seated(address, host, players)
        for seat in (None, "A", "B"):
            cookie = cookies[seat] if seat else None
            evening.clients.append(Client(table, seat, cookie, random.Random(chance.random())))
    table = host.call("POST", "/api/tables", {"players": [{"power": None}] * 2})["table"]
    thumb = random.Random(chance.random())
    evening.fitter = Fitter(host, table, evening.picture, draw_empty(evening.picture), thumb)
