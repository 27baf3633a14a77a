"""The camera wizard on a phone and at a desk: every step by hand, by keys, and for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.companion.web.browsing import Phones
from tests.companion.web.rooms import Room
from tests.companion.web.test_camera import TABLEAU, board

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce"}
MAIN = ".tray button.main"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.close()


def check(page: Page) -> None:
    """Nothing keeps anybody out, nothing sticks out of the page, and the next thing is in reach."""
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_selector(f"html[data-theme={scheme}]")
        found = Axe().run(page, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def in_reach(page: Page) -> None:
    """The main button stands under the thumb without scrolling."""
    page.evaluate("scrollTo(0, 0)")
    place = page.locator(MAIN).bounding_box()
    assert place is not None and place["y"] > 600 and place["y"] + place["height"] <= 844


def at_step(page: Page, number: int) -> None:
    expect(page.locator(".dot[aria-current=step]")).to_have_text(str(number))


def open_wizard(page: Page, room: Room) -> None:
    page.goto(room.home.host_address())
    page.click("button[data-wizard]")
    page.wait_for_selector(".dots")


def drag(page: Page, number: int, x: float, y: float) -> None:
    corner = page.locator(".corner").nth(number)
    corner.scroll_into_view_if_needed()
    frame = page.locator(".corners").bounding_box()
    here = corner.bounding_box()
    assert frame is not None and here is not None
    page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
    page.mouse.down()
    page.mouse.move(frame["x"] + x * frame["width"], frame["y"] + y * frame["height"], steps=4)
    expect(page.locator(".lens")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".lens")).to_be_hidden()


def test_the_whole_wizard_with_one_hand(room: Room, phones: Phones) -> None:
    table = room.home.open_table(None, None, colours=("blue", "grey"))
    page = phones.phone("Pixel 7", **PHONE)
    open_wizard(page, room)
    check(page)
    page.click("button:has-text('still')")
    at_step(page, 2)
    page.click("summary")
    check(page)
    in_reach(page)
    page.click(MAIN)
    at_step(page, 3)
    page.wait_for_selector("img.picture[src^='blob:']")
    check(page)
    in_reach(page)
    page.click(MAIN)
    at_step(page, 4)
    page.wait_for_selector(".corner")
    check(page)
    for number, (x, y) in enumerate(room.corners()):
        drag(page, number, x, y)
    in_reach(page)
    page.click(MAIN)
    at_step(page, 5)
    check(page)
    room.show(TABLEAU)
    page.click(MAIN)
    page.wait_for_selector(".board")
    check(page)
    page.click(MAIN)
    at_step(page, 6)
    check(page)
    room.show(board(c3=(1, "A"), b2=(0, "A"), e4=(0, "B"), d5=(0, "B")))
    page.click(MAIN)
    page.click(".key[data-cell=a1]")
    page.wait_for_selector("dialog")
    check(page)
    page.check("dialog input[name=level] >> nth=1")
    page.click("dialog button.main")
    expect(page.locator(".key[data-cell=a1]")).to_have_attribute("aria-pressed", "true")
    page.click(".key[data-cell=a1]")
    page.check("dialog input[name=level] >> nth=0")
    page.click("dialog button.main")
    page.click(MAIN)
    at_step(page, 7)
    page.click("summary")
    check(page)
    page.click("button:has-text('Keep it')")
    expect(page.locator("h2")).to_have_text("The camera is ready.")
    check(page)
    found = room.home.tables.get(table)
    assert found is not None and room.eyes.state(found)["watching"]


def test_every_step_can_be_left_out_taken_again_and_left_for_later(room: Room, phones: Phones) -> None:
    room.home.open_table(None, None, colours=("blue", "grey"))
    page = phones.phone("Pixel 7", locale="ru-RU", **PHONE)
    open_wizard(page, room)
    page.click("button:has-text('still')")
    at_step(page, 2)
    page.click("button.plain.wide")
    page.click("button[data-wizard]")
    at_step(page, 3)
    page.click(MAIN)
    at_step(page, 4)
    for number, (x, y) in enumerate(room.corners()):
        drag(page, number, x, y)
    page.click(MAIN)
    for number in (5, 6):
        at_step(page, number)
        page.click(".tray button >> nth=0")
    at_step(page, 7)
    page.click(".dot >> nth=4")
    at_step(page, 5)
    page.click(".dot >> nth=2")
    page.click(MAIN)
    # The marks stand where the corners were found.
    at_step(page, 4)
    page.click(MAIN)
    at_step(page, 5)
    page.click(".dot >> nth=6")
    page.click("button.danger")
    at_step(page, 1)


def test_the_wizard_at_a_desk_with_the_keyboard_alone(room: Room, phones: Phones) -> None:
    room.home.open_table(None, None, colours=("blue", "grey"))
    page = phones.phone("Pixel 7", viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    open_wizard(page, room)
    page.focus("button:has-text('still')")
    for number in (2, 3):
        page.keyboard.press("Enter")
        at_step(page, number)
        page.focus(MAIN)
    page.keyboard.press("Enter")
    at_step(page, 4)
    page.focus(".corner >> nth=2")
    before = page.locator(".corner >> nth=2").get_attribute("style")
    page.keyboard.press("Shift+ArrowUp")
    assert page.locator(".corner >> nth=2").get_attribute("style") != before
    expect(page.locator(".lens")).to_be_visible()
    page.focus(MAIN)
    expect(page.locator(".lens")).to_be_hidden()
    check(page)


def test_a_camera_without_a_picture_says_so(room: Room, phones: Phones) -> None:
    room.home.open_table(None, None)
    page = phones.phone("Pixel 7", **PHONE)
    open_wizard(page, room)
    page.fill("#camera-address", "nowhere")
    page.click("form button")
    expect(page.locator(".toast")).to_contain_text("nowhere")
    page.click("button:has-text('A phone as camera')")
    at_step(page, 2)
    page.click(MAIN)
    expect(page.locator(".waiting-note")).to_have_text("No picture yet. I keep trying.")
    check(page)
