"""What leaves the server: nothing of a secret, not even a difference between two secrets."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import structlog
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from companion.secrets import Owner, commitment
from tests.companion.secrets.canary import Canary, assert_silent, scan
from tests.companion.web.browsing import Home, at_home

pytestmark = pytest.mark.slow
TABLE = "/api/tables/{table}"
OWN = ("record", "seats", "screens", "devices", "camera", "lights/cells")
PATHS = ("/", "/api/me", "/api/powers", "/openapi.json", "/api/games", *(f"{TABLE}/{name}" for name in OWN))
Turns = list[tuple[str, str]]
# Two games that look the same from outside: the hidden worker comes from elsewhere and builds the same.
SAME: Turns = [("B", "B1@a1"), ("B", "B2@b1")]
LATER: Turns = [("B", "B1:a1>a2"), ("B", "B1+a1"), ("B", "end")]
WORLDS: tuple[Turns, Turns] = (
    [("A", "A1@c3"), ("A", "A2@e5"), ("A", "A1:c3>c4"), ("A", "A1+d3"), ("A", "end")],
    [("A", "A1@d5"), ("A", "A2@e1"), ("A", "A1:d5>d4"), ("A", "A1+d3"), ("A", "end")],
)


@dataclass
class Listener:
    """One connection and every byte that came over it."""

    socket: ClientConnection
    heard: list[str] = field(default_factory=list)
    view: dict[str, Any] = field(default_factory=dict)
    replies: dict[int, dict[str, Any]] = field(default_factory=dict)

    def listen(self) -> None:
        try:
            for text in self.socket:
                self.heard.append(str(text))
                message = json.loads(text)
                if "view" in message:
                    self.view = message["view"]
                    self.socket.send(json.dumps({"ask": "seen", "seq": self.view["seq"]}))
                if "reply" in message:
                    self.replies[message["id"]] = message["reply"]
        except ConnectionClosed:
            return

    def ask(self, **message: Any) -> dict[str, Any]:
        number = len(self.replies) + 1
        self.socket.send(json.dumps({"id": number, **message}))
        soon(lambda: number in self.replies)
        return self.replies[number]

    def do(self, **command: Any) -> dict[str, Any]:
        return self.ask(ask="do", command={**command, "seq": self.view["seq"]})


def soon(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


@dataclass
class Evening:
    """A game with hidden workers over the wire, with everything that left written down."""

    home: Home
    table: str
    owner: Listener
    others: dict[str, Listener]
    secrets: list[str]
    settled: dict[str, list[int]] = field(default_factory=dict)
    """The views that every phone must have got, however slow it was."""

    def play(self, turns: Turns) -> None:
        for seat, step in turns:
            player = self.owner if seat == "A" else self.others["B"]
            command = {"do": "end"} if step == "end" else {"do": "step", "step": step}
            reply = player.do(**command)
            assert reply["ok"], (step, reply)
            self.settle()
            self.seal()

    def settle(self) -> None:
        """Wait until every phone has the newest view, and note which one that is."""
        table = self.home.tables.get(self.table)
        assert table is not None
        for name, listener in (("A", self.owner), *self.others.items()):
            newest = table.public() if name == "spectator" else table.view(name)
            soon(lambda newest=newest, heard=listener: heard.view.get("seq") == newest.seq)  # type: ignore[misc]
            self.settled.setdefault(name, []).append(newest.seq)

    def seal(self) -> None:
        """Do what the owner's phone does by itself."""
        wanted = self.owner.view.get("seal_due")
        if not wanted:
            return
        salt = self.secrets[1]
        whose = Owner(self.owner.view["game"], "A", wanted["power"], wanted["start"])
        made = commitment(whose, wanted["turn"], wanted["value"], bytes.fromhex(salt))
        words = {"turn": wanted["turn"], "value": wanted["value"], "salt": salt, "commitment": made}
        assert self.owner.do(do="commit", **words)["ok"]
        self.settle()

    def fetched(self, cookie: str) -> dict[str, bytes]:
        headers = {"Cookie": f"santorini={cookie}"} if cookie else {}
        return {
            path: httpx.get(self.home.address + path.format(table=self.table), headers=headers).content
            for path in PATHS
        }


@contextmanager
def evening(folder: Path, secrets: list[str]) -> Iterator[Evening]:
    with at_home(folder) as home, ExitStack() as stack:
        table = home.open_table("hecate", None)
        cookies = {}
        for seat in "AB":
            code = home.invitation(table, seat).partition("#")[2]
            answer = httpx.post(f"{home.address}/api/join", json={"code": code})
            cookies[seat] = answer.cookies["santorini"]
        listeners = {}
        for name, seat in (("A", "A"), ("B", "B"), ("spectator", None)):
            headers = {"Cookie": f"santorini={cookies[seat]}"} if seat else {}
            address = home.address.replace("http", "ws") + "/ws"
            socket = stack.enter_context(connect(address, additional_headers=headers, compression=None))
            listener = listeners[name] = Listener(socket)
            threading.Thread(target=listener.listen, daemon=True).start()
            assert listener.ask(ask="watch", table=table, seat=seat)["ok"]
        owner = listeners.pop("A")
        game = Evening(home, table, owner, listeners, secrets)
        game.settle()
        assert owner.do(do="key", key=secrets[0])["ok"]
        game.settle()
        yield game


def doubled(canary: Canary) -> str:
    """A canary as the 64 digits of a key or a salt."""
    return canary.raw.hex() * 2


def test_no_canary_leaves_before_the_end(tmp_path: Path) -> None:
    chance = Random(7)
    canaries = [Canary.hatch(chance, name) for name in ("key", "salt")]
    logged: list[str] = []
    structlog.configure(processors=[lambda _, __, event: logged.append(str(event)) or ""])
    try:
        with evening(tmp_path, [doubled(c) for c in canaries]) as game:
            game.play([*SAME, *WORLDS[0], *LATER])
            channels: dict[str, Any] = {
                f"websocket {name}": "\n".join(listener.heard) for name, listener in game.others.items()
            }
            host = game.home.deps.seating.make_host(None)
            for name, cookie in (("nobody", ""), ("host", host)):
                channels |= {f"{name} {path}": body for path, body in game.fetched(cookie).items()}
            channels["log"] = "\n".join(logged) or "nothing"
            for file in game.home.folder.rglob("*"):
                if file.is_file():
                    channels[f"disk {file.name}"] = file.read_bytes()
            assert len(channels["websocket B"]) > 10_000
            assert_silent(channels, canaries)
            # The scan would see it: the owner's own messages hold the salt once they are planted there.
            planted = scan({"websocket B": channels["websocket B"] + doubled(canaries[1])}, canaries)
            assert planted
    finally:
        structlog.reset_defaults()


def test_two_secrets_look_the_same_from_every_other_seat(tmp_path: Path) -> None:
    seen: list[dict[str, list[str]]] = []
    settled: list[dict[str, list[int]]] = []
    for number, world in enumerate(WORLDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        with evening(folder, ["ab" * 32, "cd" * 32]) as game:
            game.play([*SAME, *world, *LATER[:1]])
            # Asking why must not tell where somebody hides.
            for cell in [column + row for row in "12345" for column in "abcde"]:
                game.others["B"].do(do="why", cell=cell, origin="a2")
            game.play(LATER[1:])
            found = {name: plain(game, listener.heard) for name, listener in game.others.items()}
            host = game.home.deps.seating.make_host(None)
            for name, cookie in (("nobody", ""), ("host", host)):
                found[name] = plain(game, [body.decode() for body in game.fetched(cookie).values()])
            seen.append(found)
            settled.append(game.settled)
    for name in ("nobody", "host"):
        assert seen[0][name] == seen[1][name], name
    for name in ("B", "spectator"):
        one, two = (by_number(world[name]) for world in seen)
        # A phone that is slow for a moment gets the newest view only, so a number in between may be left out.
        both = one.keys() & two.keys()
        assert settled[0][name] == settled[1][name]
        assert both >= set(settled[0][name]) and len(set(settled[0][name])) > 10
        for number in both:
            assert one[number] == two[number], (name, number)
        replies = [[text for text in world[name] if '"view"' not in text] for world in seen]
        assert replies[0] == replies[1]


def by_number(messages: list[str]) -> dict[int, str]:
    """The views among the messages, by their number."""
    views = (json.loads(text) for text in messages if '"view"' in text)
    return {view["view"]["seq"]: json.dumps(view) for view in views}


def plain(game: Evening, messages: list[str]) -> list[str]:
    """Messages without what is random by design: names of game and table, and the seals' digits."""
    return [
        scrubbed(text.replace(game.owner.view["game"], "GAME").replace(game.table, "TABLE"), game)
        for text in messages
    ]


def scrubbed(text: str, game: Evening) -> str:
    for entry in game.owner.view["commitments"]:
        for name in ("commitment", "link"):
            text = text.replace(entry[name], "#" * len(entry[name]))
    port = game.home.address.rsplit(":", 1)[1]
    text = text.replace(f":{port}", ":PORT")
    try:
        data = json.loads(text)
    except ValueError:
        return text
    if isinstance(data, list):
        for line in data:
            if isinstance(line, dict):
                line.pop("created", None)
    return json.dumps(data)
