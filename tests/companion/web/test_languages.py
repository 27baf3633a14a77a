"""Every seat has its own language, kept with the game; the table screen and the phone itself have theirs."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.companion.web.browsing import (
    Home,
    Phones,
    at_rest,
    eventually,
    in_step,
    sit_twice,
    started,
    stopped,
    tap,
)
from tests.companion.web.test_pages import check

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SETTINGS = {"en": "Settings", "fr": "Réglages", "pl": "Ustawienia"}


def choose(page: Page, language: str, number: int = 0) -> None:
    """Open the settings and take another language in one of the fields."""
    at_rest(page)
    spoken = str(page.get_attribute("html", "lang"))
    page.click("button.round")
    page.locator("dialog button", has_text=SETTINGS[spoken]).click()
    page.locator("dialog select:has(option[value=pl])").nth(number).select_option(language)
    page.wait_for_selector("dialog", state="detached")


def kept(home: Home, seat: str) -> str | None:
    return home.deps.seating.languages(home.tables.all()[-1].game).get(seat)


def test_two_seats_on_one_phone_speak_two_languages(home: Home, phones: Phones) -> None:
    table = home.open_table("apollo", None)
    page = phones.phone(reduced_motion="reduce")
    sit_twice(page, home, table)
    page.click("button.round")
    page.click("dialog button:has-text('Settings')")
    page.wait_for_selector("dialog select")
    check(page)
    page.keyboard.press("Escape")
    choose(page, "fr", 1)
    eventually(page, lambda: kept(home, "B") == "fr")
    expect(page.locator(".now")).to_contain_text("Your turn")
    for cell in ("b2", "d4"):
        tap(page, cell)
    # The cover already speaks to whoever is handed the phone.
    expect(page.locator(".handover h1")).to_have_text("Passez le téléphone à Ben")
    assert page.get_attribute("html", "lang") == "fr"
    page.click(".handover button")
    page.wait_for_selector(".play.mine[data-seat=B]")
    expect(page.locator(".now")).to_contain_text("À vous de jouer")
    expect(page.locator("button.round")).to_have_attribute("aria-label", "Menu")
    page.click(".player >> nth=0")
    expect(page.locator("dialog")).to_contain_text("Votre déplacement")
    page.keyboard.press("Escape")
    for cell in ("c3", "d2"):
        tap(page, cell)
    expect(page.locator(".handover h1")).to_have_text("Hand the phone to Ada")
    assert page.get_attribute("html", "lang") == "en"


def test_a_seat_keeps_its_language_over_a_restart_and_on_another_phone(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    ada = phones.phone()
    ada.goto(home.invitation(table, "A"))
    in_step(ada)
    choose(ada, "pl")
    ada.wait_for_selector("html[lang=pl]")
    assert kept(home, "A") == "pl"
    port = int(home.address.rsplit(":", 1)[1])
    stopped(home)
    again = started(home.folder, port)
    home.server, home.store, home.tables, home.deps = again.server, again.store, again.tables, again.deps
    assert kept(home, "A") == "pl"
    home.deps.seating.release(home.tables.all()[-1].game, "A")
    other = phones.phone("Pixel 7", locale="it-IT")
    other.goto(home.invitation(table, "A"))
    in_step(other)
    assert other.get_attribute("html", "lang") == "pl"
    # Without the seat that phone speaks its own language.
    other.goto(f"{home.address}/host")
    other.wait_for_selector("h1")
    assert other.get_attribute("html", "lang") == "it"


def test_the_screen_and_the_phone_itself_have_their_own(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    page = phones.phone()
    page.goto(f"{home.address}/screen/{table}")
    in_step(page)
    choose(page, "pl")
    page.wait_for_selector("html[lang=pl]")
    page.goto(f"{home.address}/table/{table}")
    in_step(page)
    assert page.get_attribute("html", "lang") == "en"
    choose(page, "fr")
    page.wait_for_selector("html[lang=fr]")
    page.goto(f"{home.address}/screen/{table}")
    in_step(page)
    page.wait_for_selector("html[lang=pl]")


def test_a_rematch_keeps_the_languages_and_every_seat_of_a_phone(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    page = phones.phone()
    sit_twice(page, home, table)
    choose(page, "fr", 1)
    page.click("button.round")
    page.click("dialog button.danger")
    page.click("dialog button.danger:has-text('Resign') >> visible=true")
    page.click("text=Rematch")
    # Ben begins, on the same phone and in his own language; both seats came along.
    page.wait_for_url(lambda url: "/table/" in url and table not in url)
    page.wait_for_selector(".play.mine[data-seat=A]")
    expect(page.locator(".now")).to_contain_text("À vous de jouer")
    assert (kept(home, "A"), kept(home, "B")) == ("fr", None)
    assert home.deps.seating.taken(home.tables.all()[-1].game) == {"A", "B"}


def test_only_the_seats_own_phone_and_the_host_say_its_language(home: Home) -> None:
    table = home.open_table(None, None)
    path = f"{home.address}/api/tables/{table}/seats"
    with httpx.Client() as ada, httpx.Client() as host:
        ada.post(f"{home.address}/api/join", json={"code": home.invitation(table, "A").partition("#")[2]})
        host.post(f"{home.address}/api/host", json={"code": home.deps.host_code.read()})
        said = {
            "own": ada.put(f"{path}/A/language", json={"language": "ru"}).status_code,
            "other": ada.put(f"{path}/B/language", json={"language": "ru"}).status_code,
            "host": host.put(f"{path}/B/language", json={"language": "it"}).status_code,
            "nobody": httpx.put(f"{path}/A/language", json={"language": "it"}).status_code,
            "no seat": host.put(f"{path}/C/language", json={"language": "it"}).status_code,
            "no language": ada.put(f"{path}/A/language", json={"language": "xx"}).status_code,
        }
    assert said == {
        "own": 204,
        "other": 403,
        "host": 204,
        "nobody": 403,
        "no seat": 404,
        "no language": 422,
    }
    assert (kept(home, "A"), kept(home, "B")) == ("ru", "it")
