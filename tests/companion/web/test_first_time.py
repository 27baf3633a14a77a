"""The first time: from the printed address to the first hint with few taps."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.companion.web.browsing import Home, Phones, in_step, lit

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_four_taps_lead_from_the_printed_address_to_the_first_hint(home: Home, phones: Phones) -> None:
    home.open_table(None, None)
    page = phones.phone()
    page.goto(home.host_address().replace("/host#", "/#"))
    for tap in (
        ".panel a[href='/host']",
        "button.main.wide",
        "#go:not([disabled])",
        "[data-all-here] >> nth=0",
    ):
        page.tap(tap)
    in_step(page)
    assert len(lit(page)) == 25, "the first worker may stand anywhere"
    expect(page.locator(".now small")).to_have_text("Your turn")


def test_everybody_on_one_device_leaves_a_secret_its_own_phone(home: Home, phones: Phones) -> None:
    table = home.open_table("hecate", None)
    page = phones.phone()
    page.goto(home.host_address())
    page.tap("[data-all-here]")
    expect(page.locator(".toast")).to_be_visible()
    found = home.tables.get(table)
    assert found is not None and len(home.deps.seating.taken(found.game)) == 1


def test_a_code_pasted_into_an_open_page_counts(home: Home, phones: Phones) -> None:
    page = phones.phone()
    page.goto(f"{home.address}/host")
    page.wait_for_selector("#host-code")
    page.goto(home.host_address())
    page.wait_for_selector("text=New game")


def test_a_sheet_is_read_from_its_title(home: Home, phones: Phones) -> None:
    table = home.open_table(None, None)
    page = phones.phone()
    page.goto(home.invitation(table, "A"))
    in_step(page)
    page.tap("button.round")
    page.wait_for_selector("dialog")
    assert page.evaluate("document.activeElement.textContent") == page.inner_text("dialog h2")
