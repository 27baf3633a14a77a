"""The server from outside: real sockets on loopback."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from companion.web.app import create_app
from companion.web.server import NoPort, WebServer, bind
from tests.companion.web.houses import Made, make, serving, still_table

pytestmark = pytest.mark.slow
PATIENCE = 30.0


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    with serving(make(tmp_path)) as running:
        yield running


def phone(made: Made, cookie: str | None = None, **more: Any) -> ClientConnection:
    headers = {"Cookie": f"santorini={cookie}"} if cookie else {}
    headers |= more.pop("headers", {})
    address = made.address.replace("http", "ws") + "/ws"
    return connect(address, additional_headers=headers, compression=None, **more)


def say(socket: ClientConnection, **message: Any) -> None:
    socket.send(json.dumps(message))


def hear(socket: ClientConnection, kind: str, seconds: float = PATIENCE) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        heard: dict[str, Any] = json.loads(socket.recv(timeout=seconds))
        if kind in heard:
            return heard
    raise AssertionError(f"nothing with {kind}")


def watch(socket: ClientConnection, seat: str | None = None, table: str = "t1") -> dict[str, Any]:
    say(socket, ask="watch", id=1, table=table, seat=seat)
    return hear(socket, "reply")["reply"]  # type: ignore[no-any-return]


def sit(made: Made, seat: str, client: httpx.Client | None = None) -> str:
    answer = (client or httpx).post(f"{made.address}/api/join", json={"code": made.code(seat)})
    assert answer.status_code == 200, answer.text
    return answer.cookies["santorini"]


@contextmanager
def host(made: Made) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=made.address) as client:
        answer = client.post("/api/host", json={"code": made.deps.host_code.read()})
        assert answer.status_code == 204
        yield client


def test_a_spectator_sees_the_public_view_and_every_change(made: Made) -> None:
    with phone(made) as socket:
        assert watch(socket)["ok"]
        view = hear(socket, "view")["view"]
        assert view["to_move"] == "A"
        assert "secret" not in view
        made.table.show({})
        assert hear(socket, "view")["view"]["seq"] == 2


def test_a_seat_sees_its_own_view_and_its_commands_reach_the_table(made: Made) -> None:
    with phone(made, sit(made, "B")) as socket:
        assert watch(socket, "B")["ok"]
        assert hear(socket, "view")["view"]["seat"] == "B"
        say(socket, ask="do", id=7, command={"do": "step", "step": "B1:c3>c4", "seq": 1})
        assert hear(socket, "reply") == {"id": 7, "reply": {"ok": True, "seq": 0, "key": None, "facts": {}}}
    actor, command = made.table.told[0]
    assert (actor.seat, actor.role, command.do) == ("B", "seat", "step")


def test_without_its_cookie_a_seat_is_nobodys(made: Made) -> None:
    sit(made, "A")
    with phone(made) as socket:
        assert watch(socket, "A") == {"ok": False, "key": "error.not_allowed", "facts": {}}
    with phone(made, "invented") as socket:
        assert not watch(socket, "A")["ok"]


def test_a_code_works_once_and_for_minutes(made: Made) -> None:
    code = made.code("A")
    assert httpx.post(f"{made.address}/api/join", json={"code": code}).status_code == 200
    again = httpx.post(f"{made.address}/api/join", json={"code": code})
    assert (again.status_code, again.json()["key"]) == (403, "join.code_used")
    late = made.code("B")
    made.clock.ahead = 601
    answer = httpx.post(f"{made.address}/api/join", json={"code": late})
    assert (answer.status_code, answer.json()["key"]) == (403, "join.code_expired")


def test_a_taken_seat_cannot_be_taken_over(made: Made) -> None:
    first, second = made.code("A"), made.deps.seating.offer
    sit(made, "A")
    assert httpx.post(f"{made.address}/api/join", json={"code": first}).status_code == 403
    code, _ = second("g1", "A")
    answer = httpx.post(f"{made.address}/api/join", json={"code": code})
    assert (answer.status_code, answer.json()["key"]) == (409, "join.seat_taken")
    with host(made) as client:
        assert client.post("/api/tables/t1/seats/A/code").status_code == 409
        assert client.post("/api/tables/t1/seats/A/take").status_code == 409


def test_a_lost_phone_is_out_and_every_seat_is_told(made: Made) -> None:
    old = sit(made, "A")
    with phone(made, old) as lost, phone(made, sit(made, "B")) as other, host(made) as client:
        watch(lost, "A")
        watch(other, "B")
        assert client.delete("/api/tables/t1/seats/A").status_code == 204
        assert hear(other, "told")["told"] == {"key": "join.seat_freed", "facts": {"player": "Ada"}}
        address = client.post("/api/tables/t1/seats/A/code").json()["address"]
        code = address.partition("#")[2]
        assert httpx.post(f"{made.address}/api/join", json={"code": code}).status_code == 200
        assert hear(other, "told")["told"]["key"] == "join.seated"
        # The lost phone is out at once: it need not try to do anything.
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                lost.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401
    assert made.table.told == []


def test_one_phone_may_hold_several_seats(made: Made) -> None:
    with httpx.Client() as client:
        sit(made, "A", client)
        cookie = client.cookies["santorini"]
        client.post(f"{made.address}/api/join", json={"code": made.code("B")})
        assert client.get(f"{made.address}/api/me").json()["seats"] == [
            {"table": "t1", "seat": "A", "language": None},
            {"table": "t1", "seat": "B", "language": None},
        ]
    with phone(made, cookie) as socket:
        assert watch(socket, "A")["ok"]
        assert watch(socket, "B")["ok"]


def test_the_hosts_code_is_used_up_and_a_new_host_puts_the_old_one_out(made: Made) -> None:
    code = made.deps.host_code.read()
    with host(made) as first:
        assert first.get("/api/me").json()["host"]
        assert httpx.post(f"{made.address}/api/host", json={"code": code}).status_code == 403
        with host(made) as second:
            assert second.get("/api/me").json()["host"]
            assert not first.get("/api/me").json()["host"]
            assert first.get("/api/games").status_code == 403


def test_the_cookie_is_strict_and_out_of_reach_of_scripts(made: Made) -> None:
    answer = httpx.post(f"{made.address}/api/join", json={"code": made.code("A")})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "secure" not in cookie


def test_codes_cannot_be_guessed_in_bulk(tmp_path: Path) -> None:
    with serving(make(tmp_path, tries=(5, 60.0))) as made:
        tries = [httpx.post(f"{made.address}/api/join", json={"code": f"x{n}"}).status_code for n in range(8)]
        assert tries == [403] * 5 + [429] * 3
        made.clock.ahead = 61
        assert httpx.post(f"{made.address}/api/join", json={"code": made.code("A")}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 400),
        ({"Host": "evil.example:80"}, 400),
        ({"Host": "127.0.0.1; script-src *"}, 400),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_foreign_pages_are_refused(made: Made, headers: dict[str, str], status: int) -> None:
    answer = httpx.post(f"{made.address}/api/join", json={"code": made.code("A")}, headers=headers)
    assert answer.status_code == status
    assert made.deps.seating.taken("g1") == frozenset()


def test_a_foreign_page_gets_no_websocket(made: Made) -> None:
    with pytest.raises(InvalidStatus), phone(made, origin="http://evil.example"):
        pass


def test_every_answer_carries_the_safety_headers(made: Made) -> None:
    for path in ("/", "/api/me", "/nowhere", "/texts/first/en.json"):
        headers = httpx.get(made.address + path).headers
        assert "'unsafe-inline'" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("body", ["{", "[]", '{"code": 7}', '{"code": ""}', '{"code": "x", "more": 1}', ""])
def test_a_malformed_body_gets_a_clear_answer(made: Made, body: str) -> None:
    answer = httpx.post(
        f"{made.address}/api/join", content=body, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["key"]) == (422, "error.bad_message")


def test_an_oversized_body_is_refused_whether_it_says_its_size_or_not(made: Made) -> None:
    big = b"x" * 70_000
    assert httpx.post(f"{made.address}/api/join", content=big).status_code == 413
    chunks = httpx.post(f"{made.address}/api/join", content=(big[:10_000] for _ in range(7)))
    assert (chunks.status_code, chunks.json()["key"]) == (413, "error.too_big")


def test_a_thousand_garbage_frames_hurt_nobody_else(made: Made) -> None:
    with phone(made) as good:
        watch(good)
        with phone(made) as bad:
            with pytest.raises(ConnectionClosed):
                for _ in range(1000):
                    bad.send('{"ask": "garbage"')
                while True:
                    bad.recv(timeout=PATIENCE)
            assert bad.close_code == 4400
        made.table.show({})
        assert hear(good, "view")["view"]["seq"] == 1
        assert hear(good, "view")["view"]["seq"] == 2


@pytest.mark.parametrize(
    "message",
    [
        {"ask": "watch", "id": 1, "table": "t9", "seat": None},
        {"ask": "watch", "id": 1, "table": "t1", "seat": "C"},
        {"ask": "watch", "id": 1, "table": "t1", "seat": "Z"},
        {"ask": "do", "id": 1, "command": {"do": "end", "seq": 1}},
        {"ask": "do", "id": 1},
        {"ask": "fly", "id": 1},
        {"id": 1},
        ["ask"],
    ],
)
def test_a_message_that_makes_no_sense_is_answered_and_the_phone_goes_on(made: Made, message: object) -> None:
    with phone(made) as socket:
        socket.send(json.dumps(message))
        assert not hear(socket, "reply")["reply"]["ok"]
        assert watch(socket)["ok"]


def test_an_unknown_command_is_answered(made: Made) -> None:
    with phone(made, sit(made, "A")) as socket:
        watch(socket, "A")
        say(socket, ask="do", id=2, command={"do": "cheat", "seq": 1})
        assert hear(socket, "reply")["reply"]["key"] == "error.bad_message"
    assert made.table.told == []


def test_an_oversized_frame_ends_that_phone_alone(made: Made) -> None:
    with phone(made) as good, phone(made) as bad:
        watch(good)
        bad.send("x" * 70_000)
        with pytest.raises(ConnectionClosed):
            bad.recv(timeout=PATIENCE)
        assert good.ping().wait(PATIENCE)


def test_a_phone_that_does_not_read_gets_only_the_newest(made: Made) -> None:
    with phone(made) as slow:
        watch(slow)
        for _ in range(30):
            made.table.show({})
            time.sleep(0.005)
        seen = [hear(slow, "view")["view"]["seq"], hear(slow, "view")["view"]["seq"]]
        say(slow, ask="seen", seq=seen[-1])
        newest = hear(slow, "view")["view"]["seq"]
    assert newest == 31
    assert seen[-1] < 31


def test_a_phone_that_stops_reading_is_dropped(made: Made) -> None:
    with phone(made) as stuck, phone(made) as good:
        watch(stuck)
        watch(good)
        hear(stuck, "view")
        say(good, ask="seen", seq=hear(good, "view")["view"]["seq"])
        made.clock.ahead = 30
        made.table.show({})
        assert hear(good, "view")["view"]["seq"] == 2
        with pytest.raises(ConnectionClosed):
            while True:
                stuck.recv(timeout=PATIENCE)
        assert stuck.close_code == 4408


def test_it_stops_within_two_seconds_with_phones_connected(tmp_path: Path) -> None:
    made = make(tmp_path)
    server = WebServer(create_app(made.deps), bind("127.0.0.1", 0))
    server.start()
    made.address = f"http://127.0.0.1:{server.port}"
    with ExitStack() as stack:
        for _ in range(4):
            watch(stack.enter_context(phone(made)))
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 8, "two seconds on a quiet machine"
    made.store.close()


def test_a_port_in_use_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(NoPort, match=str(taken.getsockname()[1])):
            bind("127.0.0.1", taken.getsockname()[1])


def test_devices_survive_a_restart(tmp_path: Path) -> None:
    with serving(make(tmp_path)) as made:
        cookie = sit(made, "A")
    with serving(make(tmp_path, known=True)) as made, phone(made, cookie) as socket:
        assert watch(socket, "A")["ok"]


def test_a_new_game_under_the_same_name_reaches_everybody(made: Made) -> None:
    with phone(made) as socket:
        watch(socket)
        for _ in range(4):
            made.table.show({})
            say(socket, ask="seen", seq=hear(socket, "view")["view"]["seq"])
        fresh = still_table(game="g2")
        made.deps.tables.tables["t1"] = fresh  # type: ignore[attr-defined]
        view = hear(socket, "view")["view"]
        while view["game"] != "g2":
            say(socket, ask="seen", seq=view["seq"])
            view = hear(socket, "view")["view"]
        assert view["seq"] == 1
        say(socket, ask="seen", seq=1)
        fresh.show({})
        assert hear(socket, "view")["view"]["seq"] == 2


@pytest.mark.parametrize("command", [{"do": "step", "step": "A1:b2>b3"}, {"do": "undo"}, {"do": "pause"}])
def test_who_only_watches_has_no_say(made: Made, command: dict[str, Any]) -> None:
    with phone(made) as socket:
        watch(socket)
        say(socket, ask="do", id=5, command={**command, "seq": 1})
        assert hear(socket, "reply")["reply"] == {"ok": False, "key": "settings.host_only", "facts": {}}
    assert made.table.told == []


def test_only_the_hosts_device_speaks_as_host(made: Made) -> None:
    command = {"do": "pause", "seq": 1}
    with phone(made, sit(made, "A")) as socket:
        watch(socket, "A")
        say(socket, ask="do", id=5, as_host=True, command=command)
        assert hear(socket, "reply")["reply"]["key"] == "settings.host_only"
    with host(made) as client, phone(made, client.cookies["santorini"]) as socket:
        watch(socket)
        say(socket, ask="do", id=5, as_host=True, command=command)
        assert hear(socket, "reply")["reply"]["ok"]
    assert [actor.role for actor, _ in made.table.told] == ["host"]
