"""Every page in a real browser: reconnecting, languages, weight, accessibility, put-back."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.table.seatview import ContentSeen, Difference
from companion.web.fakes import cells, seat_view, seen_players
from tests.companion.web.browsing import (
    Home,
    Phones,
    at_home,
    at_rest,
    eventually,
    in_step,
    seq,
    started,
    stopped,
    tap,
)
from tests.companion.web.houses import make, serving, still_table
from tests.companion.web.moments import BOARD, MOMENTS, WORKERS, moment
from tests.companion.web.network import Network, sleepy_network

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("name", sorted(MOMENTS))
def test_no_moment_of_a_game_has_an_accessibility_problem(tmp_path: Path, phones: Phones, name: str) -> None:
    with serving(make(tmp_path, moment(name))) as made:
        page = phones.phone(color_scheme="dark", reduced_motion="reduce")
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        check(page)
        page.emulate_media(color_scheme="light")
        page.wait_for_selector("html[data-theme=light]")
        check(page)


def check(page: Page) -> None:
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_no_other_page_has_an_accessibility_problem(home: Home, phones: Phones, scheme: str) -> None:
    page = phones.phone("Pixel 7", color_scheme=scheme, reduced_motion="reduce")
    for path in ("/", "/host", "/kept", "/tour", "/camera"):
        page.goto(home.address + path)
        page.wait_for_selector("h1")
        check(page)
    page.goto(home.host_address())
    page.wait_for_selector("text=New game")
    table = home.open_table("apollo", "minotaur")
    page.goto(f"{home.address}/host")
    page.click("text=New game")
    page.wait_for_selector("#go")
    check(page)
    page.check("#mode-choose")
    page.click("#power-0")
    page.wait_for_selector("dialog")
    check(page)
    page.goto(f"{home.address}/host")
    page.click("button.player >> nth=0")
    page.wait_for_selector(".qr svg")
    check(page)
    page.goto(home.invitation(table, "A"))
    in_step(page)
    for opener in ("button.round", ".player >> nth=0"):
        page.click(opener)
        page.wait_for_selector("dialog")
        page.wait_for_timeout(200)
        check(page)
        page.keyboard.press("Escape")
    page.click("button.round")
    page.click("dialog button:has-text('History')")
    page.wait_for_selector(".scrub")
    check(page)
    page.keyboard.press("Escape")
    page.click("button.round")
    page.click("dialog button:has-text('Settings')")
    page.wait_for_selector("dialog select")
    check(page)
    page.goto(f"{home.address}/screen/{table}")
    in_step(page)
    check(page)
    page.goto(home.invitation(table, "B"))
    page.wait_for_selector(".handover")
    check(page)


def test_the_first_view_is_light(home: Home, phones: Phones) -> None:
    home.open_table("apollo", "minotaur")
    page = phones.phone()
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    weight = {"bytes": 0}

    def finished(event: dict[str, float]) -> None:
        weight["bytes"] += int(event["encodedDataLength"])

    client.on("Network.loadingFinished", finished)
    page.goto(home.address)
    in_step(page)
    page.wait_for_timeout(300)
    assert 10_000 < weight["bytes"] <= 150_000


def test_every_language_is_a_tap_away(home: Home, phones: Phones) -> None:
    table = home.open_table("apollo", "minotaur")
    page = phones.phone()
    page.goto(home.invitation(table, "A"))
    in_step(page)
    seen = {page.inner_text(".now")}
    for language in ("fr", "it", "pl", "ru"):
        page.click("button.round")
        page.locator("dialog button", has_text=settings_title(page)).click()
        page.select_option("dialog select >> nth=0", language)
        page.wait_for_selector(f"html[lang={language}]")
        page.wait_for_selector("dialog", state="detached")
        eventually(page, lambda: page.inner_text(".now") not in seen)
        seen.add(page.inner_text(".now"))
    assert len(seen) == 5
    page.reload()
    in_step(page)
    assert page.inner_text(".now") in seen
    assert page.get_attribute("html", "lang") == "ru"


def test_saved_games_are_named_in_the_readers_language(home: Home, phones: Phones) -> None:
    home.open_table("apollo", None)
    page = phones.phone(locale="ru-RU")
    page.goto(home.host_address())
    expect(page.locator("ul.list strong")).to_have_text("Ada (Аполлон) - Ben")


def settings_title(page: Page) -> str:
    title: str = page.evaluate("import('/static/js/context.js').then(m => m.t('settings.title'))")
    return title


def test_what_to_put_back_is_shown_on_the_board_and_in_words(tmp_path: Path, phones: Phones) -> None:
    with serving(make(tmp_path, moment("illegal"))) as made:
        page = phones.phone()
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        expect(page.locator(".box.illegal li")).to_have_count(2)
        expect(page.locator(".drawing .arrow")).to_have_count(1)
        expect(page.locator(".drawing .off")).to_have_count(1)
        made.table.show({s: seat_view(s, board=cells(BOARD, WORKERS)) for s in "AB"})
        expect(page.locator(".box.illegal")).to_have_count(0)


def test_the_board_can_be_accepted_restored_or_corrected(tmp_path: Path, phones: Phones) -> None:
    with serving(make(tmp_path, moment("sync"))) as made:
        page = phones.phone()
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        for button in ("Put the board back", "The board is right", "Correct by tapping"):
            at_rest(page)
            page.click(f"text={button}")
            if button == "The board is right":
                page.tap("dialog .whose button.main")
        page.tap(".stage > .board .key[data-cell=a1]")
        page.check("dialog input[name=level] >> nth=2")
        page.check("dialog label:has-text('dome') input")
        page.click("dialog button.main")
        page.click(".tray button.main")
        page.tap("dialog .whose button.main")
        eventually(page, lambda: len(made.table.told) >= 3)
        told = [command for _, command in made.table.told]
        assert [command.do for command in told] == ["restore", "accept_board", "edit_board"]
        assert told[-1].model_dump()["cells"] == {"a1": {"height": 2, "top": "dome"}}
        assert [command.model_dump()["to_move"] for command in told[1:]] == ["A", "A"]


def test_whoever_accepts_a_board_says_whose_turn_it_is(tmp_path: Path, phones: Phones) -> None:
    three = (*seen_players((None, None)), replace(seen_players((None,) * 3)[2], out=True))
    difference = Difference("d3", ContentSeen(2, "B"), ContentSeen(2, ""))
    table = still_table(sync=(difference,), sync_next="B", players=three)
    with serving(make(tmp_path, table)) as made:
        page = phones.phone()
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        page.click("text=The board is right")
        expect(page.get_by_role("heading", name="Whose turn is it?")).to_be_visible()
        buttons = page.locator("dialog .whose button")
        expect(buttons).to_have_text(["Ben", "Ada"])
        assert all(round(box["height"]) >= 48 for button in buttons.all() if (box := button.bounding_box()))
        check(page)
        page.click("dialog >> text=Cancel")
        assert not made.table.told, "whoever turns away has accepted nothing"
        page.click("text=The board is right")
        page.tap("dialog button:has-text('Ada')")
        eventually(page, lambda: bool(made.table.told))
        assert [c.model_dump()["to_move"] for _, c in made.table.told] == ["A"]


def test_a_block_or_a_dome_on_the_same_space_is_asked_for(tmp_path: Path, phones: Phones) -> None:
    with serving(make(tmp_path, moment("build"))) as made:
        page = phones.phone()
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        tap(page, "c4")
        page.click("dialog button:has-text('dome on c4')")
        eventually(page, lambda: bool(made.table.told))
        assert [c.model_dump()["step"] for _, c in made.table.told] == ["A1^c4"]


def test_a_question_is_answered_by_a_button_or_by_its_space(tmp_path: Path, phones: Phones) -> None:
    with serving(make(tmp_path, moment("question"))) as made:
        page = phones.phone()
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        page.click("text=Done, end the turn")
        tap(page, "c4")
        eventually(page, lambda: len(made.table.told) >= 2)
        assert [c.model_dump()["choice"] for _, c in made.table.told] == ["done", "more"]


def test_the_board_is_played_with_the_keyboard(tmp_path: Path, phones: Phones) -> None:
    with serving(make(tmp_path, moment("move"))) as made:
        page = phones.phone("Pixel 7", is_mobile=False)
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        assert page.locator(".stage .key").count() == 25
        assert page.locator(".stage .key[tabindex='0']").count() == 1
        page.focus(".stage .key[data-cell=c3]")
        for key in ("ArrowLeft", "ArrowDown", "Enter", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        eventually(page, lambda: bool(made.table.told))
        assert [c.model_dump()["step"] for _, c in made.table.told] == ["A1:b2>b3"]


def test_a_phone_that_slept_is_back_in_step_within_three_seconds(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    ben = phones.phone("Pixel 7")
    with sleepy_network(home.address) as network:
        ada = phones.phone()
        ada.goto(home.invitation(table, "A").replace(home.address, network.address))
        ben.goto(home.invitation(table, "B"))
        ada.wait_for_selector(".play.mine")
        tap(ada, "b2")
        at_rest(ada)
        # A loaded machine may be slow once, a phone that waits for a pause is slow every time.
        assert min(slept(ada, network, home, camera) for camera in ("hand", "ok", "moved")) < 3
        tap(ada, "d4")
        ben.wait_for_selector(".play.mine")


def slept(phone: Page, network: Network, home: Home, camera: str) -> float:
    """Let a phone sleep while something happens, wake it, and give the time until it is in step."""
    # In sleep the socket dies and nobody says so: what is sent goes nowhere.
    network.freeze()
    behind = seq(phone)
    home.tables.all()[0].surround(camera=camera)
    began = time.monotonic()
    phone.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_for_selector(".play.waiting")
    phone.wait_for_selector(".play:not(.waiting)")
    took = time.monotonic() - began
    assert seq(phone) > behind
    return took


def test_a_phone_survives_a_restart_of_the_server(tmp_path: Path, phones: Phones) -> None:
    with at_home(tmp_path) as home:
        table = home.open_table(None, None)
        page = phones.phone()
        page.goto(home.invitation(table, "A"))
        page.wait_for_selector(".play.mine")
        tap(page, "b2")
        at_rest(page)
        port = int(home.address.rsplit(":", 1)[1])
    page.wait_for_selector(".play.waiting")
    again = started(tmp_path, port)
    try:
        began = time.monotonic()
        page.wait_for_selector(".play:not(.waiting)")
        assert time.monotonic() - began < 20, "the longest pause between two tries is four seconds"
        tap(page, "d4")
        page.wait_for_selector(".play:not(.mine)")
        assert again.tables.all()[0].public().history[0].turn == "A1@b2 A2@d4"
    finally:
        stopped(again)


def test_the_tour_needs_no_table(home: Home, phones: Phones) -> None:
    page = phones.phone()
    page.goto(f"{home.address}/tour")
    for _ in range(6):
        page.click(".tray .main")
    expect(page.locator(".tray .main")).to_have_text("Let's play")


def test_where_they_could_be_is_marked_when_somebody_wants_to_know(tmp_path: Path, phones: Phones) -> None:
    with serving(make(tmp_path, moment("asked"))) as made:
        page = phones.phone()
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        assert page.locator(".drawing .maybe").count() == 0
        page.click("text=Where could they be?")
        expect(page.locator(".drawing .maybe")).to_have_count(2)
