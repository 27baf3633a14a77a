"""The LEDs on the host's page, in a real browser."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from companion.lights.simulated import lights_seen
from companion.table.commands import Actor, TakeStep
from tests.companion.web.browsing import Home, Phones

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_host_sees_what_the_leds_show(phones: Phones, home: Home) -> None:
    page = phones.phone()
    page.goto(home.host_address())
    page.wait_for_selector("text=New game")
    name = home.open_table(None, None)
    table = home.tables.get(name)
    assert table is not None
    page.goto(f"{home.address}/host")
    page.click("text=Lights on the board")
    page.wait_for_selector("dialog svg circle")
    assert page.locator("dialog svg circle").count() == 45
    assert Axe().run(page).violations_count == 0
    for seat, step in (("A", "A1@a1"), ("A", "A2@e5")):
        seq = table.public().seq
        assert table.submit(Actor(seat, "seat"), TakeStep(do="step", step=step, seq=seq)).ok
    seen = lights_seen(table.public(), "cells")["leds"]
    wanted = [led["meaning"] or "off" for led in seen]
    assert "off" not in wanted[1:24]
    page.wait_for_selector(f'dialog svg circle:nth-of-type(1)[data-led="{wanted[0]}"]')
    shown = page.locator("dialog svg circle").evaluate_all("leds => leds.map(led => led.dataset.led)")
    assert shown[:25] == wanted
    page.click("dialog button.wide.plain")
    page.wait_for_selector("dialog", state="detached")
