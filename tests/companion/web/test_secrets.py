"""Hidden parts on phones: a whole game with hidden workers on two phones and a spectator."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from tests.companion.web.browsing import (
    Home,
    Phones,
    at_rest,
    eventually,
    in_step,
    lit,
    seq,
    started,
    stopped,
    tap,
)
from tests.companion.web.test_pages import check

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def drawn_workers(page: Page) -> int:
    return page.locator(".stage .drawing .worker").count()


def peek(page: Page) -> None:
    """Open the hidden map as a finger would, with a key."""
    page.focus(".veil")
    page.keyboard.down(" ")
    page.wait_for_selector(".veil[aria-pressed=true]")


def cover(page: Page) -> None:
    page.keyboard.up(" ")
    page.evaluate("() => dispatchEvent(new Event('blur'))")
    page.wait_for_selector(".veil[aria-pressed=false]")


def act(page: Page, chance: random.Random) -> None:
    """Do the next thing: open the map where there is one, tap a lit space, end the turn."""
    at_rest(page)
    if page.locator(".veil").count() and page.get_attribute(".veil", "aria-pressed") == "false":
        peek(page)
    spaces = lit(page)
    before = seq(page)
    if spaces:
        tap(page, chance.choice(spaces))
        if page.locator("dialog .sheet-body button").count():
            page.locator("dialog .sheet-body button").first.click()
        page.wait_for_timeout(60)
    elif page.locator(".tray button.main").count():
        page.click(".tray button.main")
        eventually(page, lambda: seq(page) > before)


def slow_tap(page: Page, cell: str) -> None:
    """Tap and wait for the table: with a secret in play it answers on a fixed beat."""
    before = seq(page)
    tap(page, cell)
    eventually(page, lambda: seq(page) > before)


def test_a_whole_game_with_hidden_workers(home: Home, phones: Phones) -> None:
    table = home.open_table("hecate", None)
    ada, ben, watcher = phones.phone("iPhone 13"), phones.phone("Pixel 7"), phones.phone("Pixel 7")
    ada.goto(home.invitation(table, "A"))
    ben.goto(home.invitation(table, "B"))
    watcher.goto(home.address)
    for page in (ada, ben, watcher):
        in_step(page)
    chance = random.Random(3)
    peeked = 0
    for _ in range(400):
        if ben.locator(".box.end").count():
            break
        mine = [page for page in (ada, ben) if page.locator(".play.mine").count()]
        if not mine:
            ada.wait_for_timeout(20)
            continue
        act(mine[0], chance)
        # Nothing of Ada's is ever drawn for the others.
        assert drawn_workers(watcher) <= 2
        assert drawn_workers(ben) <= 2
        if mine[0] is ada and ada.locator(".veil[aria-pressed=true]").count() and peeked < 3:
            peeked += 1
            assert drawn_workers(ada) >= 3
            cover(ada)
            assert drawn_workers(ada) <= 2
            assert lit(ada) == []
        found = home.tables.get(table)
        assert found is not None
        if len(found.public().history) > 9 and found.public().to_move == "B":
            ben.click("button.round")
            ben.click("dialog button.danger")
            ben.click("dialog button.danger:has-text('Resign')")
            ben.wait_for_selector(".box.end")
    assert peeked
    for page in (ada, ben, watcher):
        expect(page.locator(".box.end")).to_contain_text("Checked on this phone: nothing was changed.")


def test_the_map_is_blank_when_the_page_is_hidden(home: Home, phones: Phones) -> None:
    ada, _ = placed(home, phones)
    peek(ada)
    assert drawn_workers(ada) == 4
    ada.evaluate(
        """() => {
          Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    assert drawn_workers(ada) == 2
    assert ada.title() == "Santorini"


def placed(home: Home, phones: Phones) -> tuple[Page, Page]:
    table = home.open_table("hecate", None)
    ada, ben = phones.phone("iPhone 13"), phones.phone("Pixel 7")
    ada.goto(home.invitation(table, "A"))
    ben.goto(home.invitation(table, "B"))
    in_step(ada)
    ben.wait_for_selector(".play.mine")
    for cell in ("b2", "d4"):
        slow_tap(ben, cell)
    ada.wait_for_selector(".play.mine")
    slow_tap(ada, "a1")
    ada.wait_for_selector(".veil")
    peek(ada)
    tap(ada, "e5")
    ada.wait_for_selector(".now:has-text('Move')")
    found = home.tables.get(table)
    assert found is not None
    eventually(ada, lambda: bool(found.public().commitments) and found.view("A").seal_due is None)
    cover(ada)
    return ada, ben


def test_the_key_comes_back_with_the_phone_after_a_restart(home: Home, phones: Phones) -> None:
    ada, _ = placed(home, phones)
    port = int(home.address.rsplit(":", 1)[1])
    stopped(home)
    again = started(home.folder, port)
    try:
        ada.wait_for_selector(".play.mine:not(.waiting)")
        peek(ada)
        assert drawn_workers(ada) == 4
    finally:
        home.server, home.store = again.server, again.store


def test_a_secret_whose_phone_was_lost_is_entered_again(home: Home, phones: Phones) -> None:
    ada, ben = placed(home, phones)
    port = int(home.address.rsplit(":", 1)[1])
    ada.evaluate("() => localStorage.clear()")
    stopped(home)
    again = started(home.folder, port)
    try:
        expect(ben.locator(".hint").first).to_contain_text("Waiting for the phone of Ada")
        ada.wait_for_selector(".box.ask button.main")
        check(ada)
        check(ben)
        ada.click(".box.ask button.main")
        # The question is there to be read, the spaces touched so far are marked, and one can be taken back.
        expect(ada.locator(".box.ask [role=status]")).to_contain_text(
            "Choose two free spaces for your hidden workers."
        )
        check(ada)
        tap(ada, "c3")
        expect(ada.locator(".drawing .chosen")).to_have_count(1)
        tap(ada, "c3")
        expect(ada.locator(".drawing .chosen")).to_have_count(0)
        tap(ada, "a1")
        tap(ada, "e5")
        ada.wait_for_selector(".play.mine:not(.waiting)")
        peek(ada)
        assert drawn_workers(ada) == 4
        assert not again.tables.all()[0].public().verifiable
    finally:
        home.server, home.store = again.server, again.store
