"""A phone that is only the camera: what its code gives it, and all that it does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from websockets.sync.client import connect

from companion.table.commands import Actor, Resign
from companion.web.app import create_app
from companion.web.server import WebServer, bind
from tests.companion.web.browsing import Phones
from tests.companion.web.houses import Clock
from tests.companion.web.rooms import Room
from tests.companion.web.test_camera import hosting, jpeg

pytestmark = pytest.mark.slow


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.close()


def path(table: str) -> str:
    return f"/api/tables/{table}/camera"


def code_for(host: httpx.Client, table: str) -> str:
    """Make a code as the host does; it lies in the address's fragment alone."""
    made = host.post(f"{path(table)}/phone")
    assert made.status_code == 200, made.text
    assert "<svg" in made.json()["svg"]
    before, code = made.json()["address"].split("#")
    assert before.endswith("/camera")
    return str(code)


def swap(client: httpx.Client, code: str) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/camera/join", json={"code": code})
    return answer.status_code, answer.json()


def watched(room: Room, table: str, cookie: str, seat: str | None) -> dict[str, Any]:
    """Ask on a socket for the view of a seat."""
    address = room.home.address.replace("http", "ws", 1) + "/ws"
    with connect(address, additional_headers={"Cookie": f"santorini={cookie}"}, compression=None) as socket:
        socket.send(json.dumps({"ask": "watch", "id": 1, "table": table, "seat": seat}))
        reply: dict[str, Any] = json.loads(socket.recv(timeout=30))["reply"]
        return reply


def test_a_spare_phone_sends_pictures_and_can_do_nothing_else(room: Room) -> None:
    other, table = room.home.open_table(None, None), room.home.open_table(None, None)
    picture = jpeg(room.picture)
    with hosting(room.home) as host, httpx.Client(base_url=room.home.address, timeout=60) as spare:
        for each in (other, table):
            host.post(path(each), json={"source": "phone"})
        code = code_for(host, table)
        joined = spare.post("/api/camera/join", json={"code": code})
        assert joined.json() == {"table": table}
        given = joined.headers["set-cookie"]
        assert "HttpOnly" in given and "SameSite=strict" in given
        assert host.get(f"{path(table)}/phone").json() == {"taken": True}
        assert spare.post(f"{path(table)}/frame", content=picture).status_code == 204
        assert host.get(f"{path(table)}/picture").status_code == 200

        # It is no seat, no host, and the camera of no other table.
        me = spare.get("/api/me").json()
        assert (me["host"], me["seats"], me["looks"]) == (False, [], [table])
        assert not any(line["taken"] for line in host.get(f"/api/tables/{table}/seats").json())
        refused = spare.post(f"{path(other)}/frame", content=picture)
        assert (refused.status_code, refused.json()["key"]) == (403, "camera.phone.off")
        for seat in "AB":
            reply = watched(room, table, spare.cookies["santorini"], seat)
            assert (reply["ok"], reply["key"]) == (False, "error.not_allowed")
        for read in ("", "/phone", "/picture", "/shot?which=empty"):
            assert spare.get(path(table) + read).status_code == 403
        tries = [
            spare.post(f"/api/tables/{table}/rematch"),
            spare.post(f"{path(table)}/phone"),
            spare.delete(f"{path(table)}/phone"),
            spare.put(f"/api/tables/{table}/seats/A/language", json={"language": "it"}),
            spare.delete(f"/api/tables/{table}/seats/A"),
            spare.post(f"/api/tables/{table}/seats/A/take"),
        ]
        assert [tried.status_code for tried in tries] == [403] * 6

        # The host takes it off: its next picture is refused.
        assert host.delete(f"{path(table)}/phone").status_code == 204
        assert spare.post(f"{path(table)}/frame", content=picture).status_code == 403
        assert spare.get("/api/me").json()["looks"] == []


def test_a_cameras_code_works_once_for_minutes_and_for_a_camera_alone(room: Room) -> None:
    clock = Clock()
    room.home.deps.seating._clock = clock
    table = room.home.open_table(None, None)
    game = room.home.tables.all()[-1].game
    with hosting(room.home) as host, httpx.Client(base_url=room.home.address, timeout=60) as spare:
        first = code_for(host, table)
        code = code_for(host, table)
        assert swap(spare, first)[1]["key"] == "join.code_wrong", "a new code ends the one before"
        # Neither kind of code opens the other door, and trying does not use it up.
        assert spare.post("/api/join", json={"code": code}).json()["key"] == "join.code_wrong"
        seat = room.home.deps.seating.offer(game, "A")[0]
        assert swap(spare, seat) == (403, {"key": "join.code_wrong", "facts": {}})
        foreign = {"Origin": "http://elsewhere.example"}
        assert (
            spare.post("/api/camera/join", json={"code": code}, headers=foreign).json()["key"]
            == "error.not_allowed"
        )
        clock.ahead = 601
        assert swap(spare, code)[1]["key"] == "join.code_expired"
        code = code_for(host, table)
        assert swap(spare, code)[0] == 200
        with httpx.Client(base_url=room.home.address, timeout=60) as late:
            assert swap(late, code)[1]["key"] == "join.code_used"
        again = host.post(f"{path(table)}/phone")
        assert (again.status_code, again.json()["key"]) == (409, "wizard.phone.taken")
        clock.ahead = 1300
        assert [swap(spare, f"guess-{n}")[0] for n in range(11)][-1] == 429
        # Another camera for the table, or none: the phone is the camera no more.
        host.post(path(table), json={"source": "phone"})
        assert host.get(f"{path(table)}/phone").json() == {"taken": True}
        host.delete(path(table))
        assert spare.get("/api/me").json()["looks"] == []


def test_it_goes_along_in_a_rematch_outlives_a_restart_and_ends_with_the_game(room: Room) -> None:
    table = room.home.open_table(None, None)
    home, picture = room.home, jpeg(room.picture)
    with hosting(home) as host, httpx.Client(base_url=home.address, timeout=60) as spare:
        assert swap(spare, code_for(host, table))[0] == 200
        old = home.tables.get(table)
        assert (
            old is not None and old.submit(Actor("A", "seat"), Resign(do="resign", seq=old.view("A").seq)).ok
        )
        fresh = host.post(f"/api/tables/{table}/rematch").json()["table"]
        new = home.tables.get(fresh)
        assert new is not None
        assert spare.get("/api/me").json()["looks"] == [fresh]
        cookies, sign = {"Cookie": f"santorini={spare.cookies['santorini']}"}, host.cookies["santorini"]
    home.server.stop()
    taken = bind("127.0.0.1", 0)
    home.address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    seating = type(home.deps.seating)(home.store, home.deps.clock)
    home.deps = replace(home.deps, address=home.address, seating=seating)
    home.server = WebServer(create_app(home.deps), taken)
    home.server.start()
    with httpx.Client(base_url=home.address, timeout=60) as client:
        as_host = {"Cookie": f"santorini={sign}"}
        client.post(path(fresh), json={"source": "phone"}, headers=as_host)
        assert client.post(f"{path(fresh)}/frame", content=picture, headers=cookies).status_code == 204
        assert client.delete(f"/api/games/{new.game}", headers=as_host).status_code == 204
        assert client.get("/api/me", headers=cookies).json()["looks"] == []
        assert client.post(f"{path(fresh)}/frame", content=picture, headers=cookies).status_code == 404


@pytest.mark.browser
def test_the_host_shows_a_code_and_takes_the_phone_off(room: Room, phones: Phones, tmp_path: Path) -> None:
    table = room.home.open_table(None, None)
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(jpeg(room.picture))
    host = phones.phone("Pixel 7", reduced_motion="reduce")
    host.goto(room.home.host_address())
    host.click("button[data-wizard]")
    host.click("button:has-text('A phone as camera')")
    expect(host.locator(".dot[aria-current=step]")).to_have_text("2")
    host.click(".dot >> nth=2")
    host.click("text=A spare phone as camera")
    address = host.locator("dialog p.code")
    expect(address).to_contain_text("/camera#")
    assert Axe().run(host).violations_count == 0
    spare = phones.phone("Pixel 7", locale="pl-PL")
    spare.goto(str(address.text_content()))
    expect(spare.locator("article")).to_contain_text("Ten telefon tylko patrzy na planszę")
    assert spare.url == f"{room.home.address}/camera", "the code is out of the address"
    assert Axe().run(spare).violations_count == 0
    expect(host.locator("dialog")).to_have_count(0)
    expect(host.locator("#camera-phone")).to_contain_text("A spare phone is the camera of this table.")
    spare.set_input_files("#photo", photo)
    spare.wait_for_selector("[role=status][data-sent='1']")
    found = room.home.tables.get(table)
    assert found is not None and room.eyes.picture(found, overlay=False) is not None
    host.click("text=Take this phone off")
    host.click("dialog button:has-text('Take this phone off')")
    expect(host.locator("#camera-phone")).to_contain_text("A spare phone as camera")
    spare.set_input_files("#photo", photo)
    expect(spare.locator("p[role=status]")).to_contain_text("nie jest tu kamerą")
    assert phones.complaints == []
