"""The table screen plays for players without a phone: where the host says so, and for nobody's secret."""

from __future__ import annotations

import json

import httpx
import pytest
from playwright.sync_api import Page, expect
from websockets.sync.client import connect

from tests.companion.web.browsing import Home, Phones, at_rest, eventually, in_step, tap
from tests.companion.web.test_pages import check

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDE = {"viewport": {"width": 1280, "height": 720}, "is_mobile": False, "has_touch": True}


def screen_of(home: Home, phones: Phones, table: str) -> Page:
    page = phones.phone("Pixel 7", reduced_motion="reduce", **WIDE)
    page.goto(f"{home.address}/screen/{table}")
    in_step(page)
    return page


def sign_of(page: Page) -> str:
    return page.inner_text("#sign").rsplit(" ", 1)[1]


def host_of(home: Home, phones: Phones) -> Page:
    host = phones.phone(reduced_motion="reduce")
    host.goto(home.host_address())
    host.wait_for_selector("text=New game")
    return host


def seat_at(host: Page, player: str, screen: Page) -> None:
    """Do as the host does: the player, the table screen, the sign it shows."""
    table = screen.url.rsplit("/", 1)[1]
    there = f"/api/tables/{table}/screens"
    # A screen that was just given a seat comes back under a new sign.
    eventually(
        screen,
        lambda: host.request.get(host.url.replace("/host", there)).json() == [{"sign": sign_of(screen)}],
    )
    sign = sign_of(screen)
    host.click(f"button.player:has-text('{player}')")
    host.click("#at-screen")
    host.click(f"dialog button.sign:has-text('{sign}')")
    host.wait_for_selector("dialog", state="detached")


def test_a_player_without_a_phone_plays_at_the_screen(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    found = home.tables.get(table)
    assert found is not None
    host, ada = host_of(home, phones), phones.phone("Pixel 7")
    screen, passer_by = screen_of(home, phones, table), screen_of(home, phones, table)
    assert sign_of(screen) != sign_of(passer_by)
    ada.goto(home.invitation(table, "A"))
    in_step(ada)
    host.click("button.player:has-text('Ben')")
    check(host)
    host.click("#at-screen")
    host.wait_for_selector("dialog button.sign")
    check(host)
    host.click(f"dialog button.sign:has-text('{sign_of(screen)}')")
    expect(screen.locator(".hint.row")).to_have_text("Tap here to play for Ben.")
    expect(screen.locator("#sign")).to_have_count(0)
    expect(host.locator("button.player:has-text('Ben')")).to_contain_text("Connected")
    # It is Ada's turn: the screen shows where she may go, and takes no tap for her.
    tap(screen, "c3")
    expect(screen.locator(".toast")).to_contain_text("c3")
    for cell in ("b2", "d4"):
        tap(ada, cell)
    screen.wait_for_selector(".play.mine[data-seat=B]")
    expect(screen.locator(".now")).to_contain_text("Ben plays here")
    check(screen)
    tap(passer_by, "c3")
    assert passer_by.get_attribute(".play", "data-seat") == ""
    for cell in ("c3", "d2"):
        tap(screen, cell)
    ada.wait_for_selector(".play.mine")
    assert found.public().history[1].turn == "B1@c3 B2@d2"
    screen.wait_for_selector(".play[data-seat='']")
    # The host takes the seat back: the screen only shows again, at once.
    host.click("button.player:has-text('Ben')")
    host.click("dialog button.danger")
    expect(screen.locator(".hint.row")).to_have_count(0)


DOME_NEXT = {
    "players": [{"seat": "A", "power": "gaea", "name": "Ada"}, {"seat": "B", "power": None, "name": "Ben"}],
    "opening": {
        "position": {
            "board": ["00000", "00000", "00310", "00000", "00000"],
            "domes": [],
            "workers": {"A1": "e5", "A2": "a5", "B1": "b2", "B2": "e1"},
            "to_move": "B",
        },
        "memory": {"A": {"reserve": ["A3", "A4"]}},
    },
}


def build_the_dome(page: Page) -> None:
    page.wait_for_selector(".play.mine[data-seat=B]:not(.waiting)")
    tap(page, "b2")
    tap(page, "c2")
    eventually(page, lambda: "build" in page.inner_text(".now"))
    tap(page, "c3")


def break_in(page: Page) -> None:
    page.wait_for_selector(".play.mine[data-seat=A]:not(.waiting)")
    expect(page.locator(".now")).to_contain_text("A dome was built")
    tap(page, "b4")


PLAYED = ["B1:b2>c2 B1^c3 A3@b4"]


def test_a_card_that_breaks_in_is_offered_where_both_share_a_phone(home: Home, phones: Phones) -> None:
    table = home.tables.create(DOME_NEXT)
    page = phones.phone()
    page.goto(home.invitation(table.id, "B"))
    in_step(page)
    page.goto(home.invitation(table.id, "A"))
    page.click(".handover button")
    build_the_dome(page)
    page.click("[data-lend=A]")
    page.click(".handover button")
    break_in(page)
    page.click("[data-lend=B]")
    page.click(".handover button")
    page.wait_for_selector(".play.mine[data-seat=B]:not(.waiting)")
    page.click(".tray button:has-text('End turn')")
    page.click(".handover button:has-text('Ada')")
    page.wait_for_selector(".play.mine[data-seat=A]:not(.waiting)")
    assert [line.turn for line in table.public().history] == PLAYED


def test_a_game_is_played_on_the_screen_alone_and_again_with_sides_changed(
    home: Home, phones: Phones
) -> None:
    table = home.tables.create(DOME_NEXT)
    host, screen = host_of(home, phones), screen_of(home, phones, table.id)
    for player in ("Ada", "Ben"):
        seat_at(host, player, screen)
        screen.wait_for_selector(f".hint.row:has-text('{player}')")
    # Another page of that device is everybody's: what is played on the screen covers it for nobody.
    screen.goto(f"{home.address}/table/{table.id}")
    in_step(screen)
    assert screen.get_attribute(".play", "data-seat") == ""
    assert screen.locator(".handover").count() == 0
    screen.goto(f"{home.address}/screen/{table.id}")
    build_the_dome(screen)
    screen.click("[data-lend=A]")
    break_in(screen)
    screen.click("[data-lend=B]")
    screen.wait_for_selector(".play.mine[data-seat=B]:not(.waiting)")
    screen.click(".tray button:has-text('End turn')")
    screen.wait_for_selector(".play.mine[data-seat=A]:not(.waiting)")
    assert [line.turn for line in table.public().history] == PLAYED
    screen.click("button.round")
    screen.click("dialog button.danger")
    screen.click("dialog button.danger:has-text('Resign') >> visible=true")
    screen.click("text=Rematch")
    screen.wait_for_url(lambda url: "/screen/" in url and table.id not in url)
    screen.wait_for_selector(".play.mine[data-seat=A]")
    expect(screen.locator(".now")).to_contain_text("Ben plays here")
    assert home.deps.seating.taken(home.tables.all()[-1].game) == {"A", "B"}


def test_an_agreed_end_is_offered_refused_and_taken(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    ada, ben, watcher = phones.phone(), phones.phone("Pixel 7"), phones.phone("Pixel 7")
    ada.goto(home.invitation(table, "A"))
    ben.goto(home.invitation(table, "B"))
    watcher.goto(home.address)
    for page in (ada, ben, watcher):
        in_step(page)
    for answer in ("No", "Yes"):
        at_rest(ada)
        ada.click("button.round")
        ada.click("dialog button:has-text('Agree to end')")
        expect(watcher.locator(".box.ask")).to_contain_text("Ada")
        assert watcher.locator(".box.ask button").count() == 0
        ben.click(f".box.ask button:has-text('{answer}')")
        expect(ada.locator(".box.ask")).to_have_count(0)
    for page in (ada, ben, watcher):
        expect(page.locator(".box.end h2")).to_contain_text("no winner")


def test_who_may_be_seated_at_a_screen(home: Home) -> None:
    table = home.open_table("hecate", None)
    path = f"{home.address}/api/tables/{table}"
    with (
        httpx.Client() as host,
        connect(home.address.replace("http", "ws") + "/ws") as screen,
        connect(home.address.replace("http", "ws") + "/ws") as watcher,
    ):
        host.post(f"{home.address}/api/host", json={"code": home.deps.host_code.read()})
        for number, socket in enumerate((screen, watcher)):
            asked = {"ask": "watch", "id": 1, "table": table, "seat": None, "screen": number == 0}
            socket.send(json.dumps(asked))
        reply = json.loads(screen.recv(timeout=30))["reply"]
        assert "sign" not in json.loads(watcher.recv(timeout=30))["reply"]
        assert host.get(f"{path}/screens").json() == [{"sign": reply["sign"]}]
        sign = {"sign": reply["sign"]}
        wrong = {"sign": "2222" if reply["sign"] != "2222" else "3333"}
        told = [
            (answer.status_code, answer.json()["key"])
            for answer in (
                httpx.get(f"{path}/screens"),
                httpx.post(f"{path}/seats/B/screen", json=sign),
                host.post(f"{path}/seats/A/screen", json=sign),
                host.post(f"{path}/seats/B/screen", json=wrong),
                host.post(f"{path}/seats/B/screen", json={"sign": "no"}),
                host.post(f"{path}/seats/C/screen", json=sign),
            )
        ]
        assert told == [
            (403, "settings.host_only"),
            (403, "settings.host_only"),
            (409, "join.screen.secret"),
            (404, "join.screen.gone"),
            (422, "error.bad_message"),
            (404, "error.not_found"),
        ]
        # Without the host's word it may do nothing, whatever it sends.
        screen.send(json.dumps({"ask": "do", "id": 2, "command": {"do": "step", "step": "B1@a1", "seq": 1}}))
        assert host.post(f"{path}/seats/B/screen", json=sign).status_code == 204
        heard = [json.loads(screen.recv(timeout=30)) for _ in range(3)]
        refused = next(m["reply"] for m in heard if m.get("id") == 2)
        assert (refused["ok"], refused["key"]) == (False, "settings.host_only")
        invited = next(m["invited"] for m in heard if "invited" in m)
        joined = httpx.post(f"{home.address}/api/join", json={"code": invited["code"]})
        assert joined.json() == {"table": table, "seat": "B"}
        assert host.post(f"{path}/seats/B/screen", json=sign).json()["key"] == "join.seat_taken"
