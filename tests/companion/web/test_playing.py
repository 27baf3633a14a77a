"""Whole games on phones, in a real browser."""

from __future__ import annotations

import random
import re
import time

import cv2
import httpx
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.table.recording import verify
from engine.record import parse_record
from engine.recordjson import record_from_json
from tests.companion.web.browsing import Home, Phones, at_rest, eventually, in_step, lit, seq, sit_twice, tap

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def decode(picture: bytes) -> str:
    """Read a code as a phone does, which looks from more than one distance."""
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    for size in (1.0, 0.5, 0.75, 1.5, 2.0):
        for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            text, _, _ = detector.detectAndDecode(cv2.resize(image, None, fx=size, fy=size))
            if text:
                return str(text)
    return ""


def act(page: Page, chance: random.Random) -> None:
    """Do the next thing the page offers: a lit space, a choice, or the end of the turn."""
    at_rest(page)
    before = seq(page)
    spaces = lit(page)
    if spaces:
        tap(page, best(page, spaces, chance))
        if page.locator("dialog .sheet-body button").count():
            page.locator("dialog .sheet-body button").first.click()
    elif page.locator(".tray button.main").count():
        page.click(".tray button.main")
        eventually(page, lambda: seq(page) > before)


def best(page: Page, spaces: list[str], chance: random.Random) -> str:
    """Climb where it is possible, so that the game ends soon."""
    labels = page.eval_on_selector_all(".stage .key.is-lit", "keys => keys.map(k => k.ariaLabel)")
    high = {
        space: int((re.findall(r"level (\d)", label) or ["0"])[0]) for space, label in zip(spaces, labels)
    }
    top = max(high.values())
    choice = [space for space in spaces if high[space] == top or "build" in page.inner_text(".now")]
    return chance.choice(choice)


def to_move(*pages: Page) -> Page | None:
    for page in pages:
        if page.locator(".play.mine").count():
            return page
    return None


def test_the_host_opens_a_table_and_a_guest_joins_by_the_code_on_the_screen(
    home: Home, phones: Phones
) -> None:
    host, guest = phones.phone("Pixel 7"), phones.phone("iPhone 13")
    host.goto(home.host_address())
    host.click("text=New game")
    host.fill("#name-0", "Ada")
    host.fill("#name-1", "Ben")
    host.check("#mode-choose")
    for number, power in enumerate(("Apollo", "Minotaur")):
        host.click(f"#power-{number}")
        host.fill("dialog input[type=search]", power)
        host.click(f"dialog button:has-text('{power}')")
    host.click("#go:not([disabled])")
    host.click("button.player:has-text('Ben')")
    expect(host.locator(".qr svg")).to_be_visible()
    address = decode(host.locator(".qr").screenshot())
    assert address.startswith(f"{home.address}/join#")
    guest.goto(address)
    in_step(guest)
    assert "#" not in guest.url
    assert (
        guest.locator(".player:has-text('You')").count() or guest.locator(".player:has-text('Ben')").count()
    )
    again = phones.phone()
    again.goto(address)
    expect(again.locator("[role=alert]")).to_have_text("This code was used. Ask the host for a new one.")


def test_a_whole_game_of_apollo_against_minotaur_by_taps(home: Home, phones: Phones) -> None:
    table = home.open_table("apollo", "minotaur")
    ada, ben, watcher = phones.phone("iPhone 13"), phones.phone("Pixel 7"), phones.phone("Pixel 7")
    ada.goto(home.invitation(table, "A"))
    ben.goto(home.invitation(table, "B"))
    watcher.goto(home.address)
    chance = random.Random(5)
    end = time.monotonic() + 240
    while not ada.locator(".box.end").count():
        assert time.monotonic() < end
        page = to_move(ada, ben)
        if page is None:
            ada.wait_for_timeout(20)
        else:
            act(page, chance)
    for page in (ada, ben, watcher):
        expect(page.locator(".box.end")).to_be_visible()
    titles = {ada.inner_text(".box.end h2"), ben.inner_text(".box.end h2")}
    assert titles == {"You win!", "You lose this one."}
    found = home.tables.get(table)
    assert found is not None
    history = found.public().history
    record = httpx.get(f"{home.address}/api/tables/{table}/record").text
    assert verify(parse_record(record)).holds
    data = httpx.get(f"{home.address}/api/tables/{table}/record", params={"form": "json"}).json()
    assert verify(record_from_json(data)).holds
    # The replay plays the written turns on the phone and has to end on the table's own board.
    same = watcher.evaluate(
        """async ([history, board]) => {
          const { positions, asCells } = await import("/static/js/notation.js");
          const last = asCells(positions(history).at(-1));
          return last.every((c, i) => c.height === board[i].height && c.dome === board[i].dome
            && (c.worker?.id ?? null) === (board[i].worker?.id ?? null));
        }""",
        [
            [{"turn": turn.turn} for turn in history],
            [
                {"height": c.height, "dome": c.dome, "worker": {"id": c.worker.id} if c.worker else None}
                for c in found.public().board
            ],
        ],
    )
    assert same


def test_a_space_that_is_not_lit_says_why_not(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    ada, ben = phones.phone(), phones.phone("Pixel 7")
    ada.goto(home.invitation(table, "A"))
    ben.goto(home.invitation(table, "B"))
    in_step(ada)
    for cell in ("b2", "d4"):
        tap(ada, cell)
    ada.wait_for_selector(".play:not(.mine)")
    ben.wait_for_selector(".play.mine")
    for cell in ("c3", "d2"):
        tap(ben, cell)
    ada.wait_for_selector(".play.mine")
    tap(ada, "b2")
    assert set(lit(ada)) == {"a1", "b1", "c1", "a2", "c2", "a3", "b3"}
    tap(ada, "e5")
    expect(ada.locator(".toast")).to_contain_text("e5")
    tap(ada, "c3")
    expect(ada.locator(".toast")).to_contain_text("c3")
    eventually(ben, lambda: seq(ada) == seq(ben))


def test_an_undo_is_seen_and_answered_by_the_others(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    ada, ben = phones.phone(), phones.phone("Pixel 7")
    ada.goto(home.invitation(table, "A"))
    ben.goto(home.invitation(table, "B"))
    in_step(ben)
    in_step(ada)
    for page, cells in ((ada, ("b2", "d4")), (ben, ("c3", "d2"))):
        page.wait_for_selector(".play.mine")
        for cell in cells:
            tap(page, cell)
    ada.wait_for_selector(".play.mine")
    tap(ada, "b2")
    tap(ada, "b3")
    ada.wait_for_selector(".now:has-text('build')")
    tap(ada, "b2")
    ada.click(".tray button:has-text('End turn')")
    ben.wait_for_selector(".play.mine")
    ada.click(".tray button:has-text('Undo')")
    ben.click(".box.ask button:has-text('Agree')")
    ada.wait_for_selector(".play.mine")
    # Hands first: what goes where is listed until somebody plays on.
    expect(ada.locator(".now")).to_contain_text("put back")
    expect(ben.locator(".box.put_back li")).to_have_count(2)
    assert len(home.tables.all()[0].public().history) == 2
    tap(ada, "b2")
    tap(ada, "b3")
    expect(ada.locator(".now")).to_contain_text("build")
    expect(ben.locator(".box.put_back")).to_have_count(0)


def test_one_phone_for_two_seats_covers_the_board_between_turns(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    page = phones.phone()
    sit_twice(page, home, table)
    for cell in ("b2", "d4"):
        tap(page, cell)
    expect(page.locator(".handover h1")).to_have_text("Hand the phone to Ben")
    page.click(".handover button")
    page.wait_for_selector(".play.mine[data-seat=B]")


def test_a_tv_shows_the_game_and_may_do_nothing(home: Home, phones: Phones) -> None:
    table = home.open_table("apollo", "minotaur")
    screen = phones.phone("Pixel 7", viewport={"width": 1280, "height": 720}, is_mobile=False)
    screen.goto(f"{home.address}/screen/{table}")
    in_step(screen)
    # It lights the spaces of whoever moves, and a touch does nothing but name the space.
    assert len(lit(screen)) == 25
    before = seq(screen)
    screen.click(".stage .key[data-cell=c3]")
    expect(screen.locator(".toast")).to_contain_text("c3, ground")
    assert seq(screen) == before
    assert screen.locator(".tray button").count() == 0
    watcher = phones.phone()
    watcher.goto(f"{home.address}/table/{table}")
    in_step(watcher)
    assert lit(watcher) == []


def test_a_rematch_takes_every_phone_along_with_sides_changed(home: Home, phones: Phones) -> None:
    table = home.open_table("apollo", "minotaur")
    ada, ben, watcher = phones.phone("iPhone 13"), phones.phone("Pixel 7"), phones.phone("Pixel 7")
    ada.goto(home.invitation(table, "A"))
    ben.goto(home.invitation(table, "B"))
    watcher.goto(home.address)
    for page in (ada, ben, watcher):
        in_step(page)
    ada.click("button.round")
    ada.click("dialog button.danger")
    ada.click("dialog button.danger:has-text('Resign') >> visible=true")
    ben.wait_for_selector(".box.end")
    ben.click("text=Rematch")
    # Ben starts this time, with his own power, name and colour.
    ben.wait_for_selector(".play.mine[data-seat=A]")
    ada.wait_for_selector(".play[data-seat=B]")
    expect(ben.locator(".player").first).to_contain_text("Ben")
    expect(ben.locator(".player").first).to_contain_text("Minotaur")
    watcher.wait_for_selector(".play[data-seat='']")
    eventually(watcher, lambda: len({page.url for page in (ada, ben, watcher)}) == 1)


def test_a_lost_phone_is_out_and_another_takes_its_seat(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    host, lost, ben = phones.phone("Pixel 7"), phones.phone(), phones.phone("Pixel 7")
    host.goto(home.host_address())
    host.wait_for_selector("text=New game")
    for page, seat in ((lost, "A"), (ben, "B")):
        page.goto(home.invitation(table, seat))
        in_step(page)
    host.reload()
    host.click("button.player:has-text('Ada')")
    host.click("dialog button.danger")
    # The old phone need not be touched: it watches from now on, like everybody.
    lost.wait_for_selector(".play[data-seat='']:not(.waiting)")
    expect(lost.locator(".toast")).to_have_text("This phone no longer holds the seat.")
    expect(ben.locator(".toast")).to_have_text("The seat of Ada is free.")
    found = phones.phone()
    found.goto(decode(host.locator(".qr").screenshot()))
    found.wait_for_selector(".play.mine[data-seat=A]")
    expect(ben.locator(".toast")).to_contain_text("Ada")
    lost.reload()
    lost.wait_for_selector(".play[data-seat='']")


def test_the_host_sets_everybodys_hints(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    host, ben = phones.phone("Pixel 7"), phones.phone()
    host.goto(home.host_address())
    host.wait_for_selector("text=New game")
    host.goto(home.invitation(table, "A"))
    ben.goto(home.invitation(table, "B"))
    in_step(host)
    in_step(ben)
    host.click("button.round")
    host.click("dialog summary")
    host.select_option("dialog details select", "off")
    eventually(host, lambda: home.tables.all()[0].public().players[1].hint_level == "off")


def test_powers_are_drafted_drawn_and_won_at_the_ram(home: Home, phones: Phones) -> None:
    host = phones.phone("Pixel 7")
    host.goto(home.host_address())
    host.click("text=New game")
    host.check("#count-3")
    host.check("#mode-draft")
    for power in ("Atlas", "Gaea", "Demeter", "Pan"):
        host.click("#draft")
        button = host.locator("dialog .row button.grow", has_text=power).first
        if power == "Gaea":
            # Banned with Atlas: it says so and cannot be taken.
            expect(button).to_be_disabled()
            expect(button).to_contain_text("do not go together")
            host.keyboard.press("Escape")
        else:
            button.click()
    host.click("button:has-text('Take Demeter')")
    host.click("button:has-text('Take Pan')")
    host.click("#go:not([disabled])")
    host.wait_for_selector("text=Player 3")
    powers = {p.name: p.power for p in home.tables.all()[-1].public().players}
    assert powers == {"Player 1": "atlas", "Player 2": "demeter", "Player 3": "pan"}
    host.click("text=New game")
    host.check("#variant-fleece")
    host.click("#ram")
    host.click("dialog .row button.grow:has-text('Zeus')")
    host.click("#go:not([disabled])")
    host.wait_for_selector("button:has-text('New game')")
    eventually(host, lambda: len(home.tables.all()) == 2)
    assert home.tables.all()[-1].session.game.table.golden_fleece == "zeus"


def test_a_seat_with_a_secret_shares_no_phone(home: Home) -> None:
    table = home.open_table("hecate", None)
    with httpx.Client(base_url=home.address) as client:
        client.post("/api/host", json={"code": home.deps.host_code.read()})
        path = f"/api/tables/{table}/seats"
        assert client.post(f"{path}/A/take").status_code == 200
        other = client.post(f"{path}/B/take")
        assert (other.status_code, other.json()["key"]) == (409, "join.no_phone.secret")


def test_the_printed_code_shows_the_live_game_and_makes_its_first_reader_the_host(
    home: Home, phones: Phones
) -> None:
    home.open_table(None, None)
    link = home.host_address().replace("/host#", "/#")
    first, second = phones.phone(), phones.phone("Pixel 7")
    first.goto(link)
    in_step(first)
    expect(first.locator(".panel a[href='/host']")).to_be_visible()
    assert "#" not in first.url
    second.goto(link)
    in_step(second)
    assert second.locator(".panel a[href='/host']").count() == 0
    expect(second.locator(".toast")).to_have_text("This code was used already. You are watching.")
