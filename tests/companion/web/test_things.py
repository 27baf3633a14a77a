"""LEDs on the host's page, and the ticket of a seat's own device."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.companion.web.browsing import Phones, eventually, in_step
from tests.companion.web.houses import Made, make, serving

TICKET: dict[str, object] = {
    "host": "127.0.0.1",
    "port": 1883,
    "user": "t1-A",
    "password": "p",
    "secure": False,
    "table": "t1",
    "seat": "A",
    "key": "ab" * 32,
}


class ShelfOfDevices:
    """Hands out one ticket, for seat A, while it is switched on."""

    def __init__(self) -> None:
        self.on = True

    def offers_seats(self, _table: str) -> bool | None:
        return self.on

    def seal_seats(self, _table: str, on: bool) -> None:
        self.on = on

    def seat_ticket(self, _table: str, seat: str) -> dict[str, object] | None:
        return TICKET if seat == "A" and self.on else None


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    made = make(tmp_path)
    made.deps = replace(made.deps, devices=ShelfOfDevices())
    with serving(made):
        yield made


@pytest.mark.parametrize(("shape", "leds"), [("cells", 25), ("ring", 20)])
def test_everybody_may_look_at_the_leds(made: Made, shape: str, leds: int) -> None:
    answer = httpx.get(f"{made.address}/api/tables/t1/lights/{shape}")
    assert answer.status_code == 200
    assert len(answer.json()["leds"]) == leds
    assert httpx.get(f"{made.address}/api/tables/t1/lights/star").status_code == 422
    assert httpx.get(f"{made.address}/api/tables/no/lights/ring").status_code == 404


def test_only_the_seats_own_phone_gets_its_ticket(made: Made) -> None:
    def ask(client: httpx.Client, seat: str) -> httpx.Response:
        return client.post(f"{made.address}/api/tables/t1/seats/{seat}/device")

    with httpx.Client() as a, httpx.Client() as b, httpx.Client() as stranger:
        for client, seat in ((a, "A"), (b, "B")):
            code = {"code": made.code(seat)}
            assert client.post(f"{made.address}/api/join", json=code).status_code == 200
        assert ask(a, "A").json() == TICKET
        for client in (b, stranger):
            assert ask(client, "A").status_code == 403
        assert ask(b, "B").status_code == 409, "not offered"
        assert ask(a, "D").status_code == 404
        assert a.get(f"{made.address}/api/tables/t1/seats/A/device").status_code == 405


def test_only_the_host_switches_devices_on_and_off(made: Made) -> None:
    path = f"{made.address}/api/tables/t1/devices"
    assert httpx.get(path).json() == {"possible": True, "on": True}
    assert httpx.put(path, json={"on": False}).status_code == 403
    with httpx.Client() as host, httpx.Client() as a:
        assert host.post(f"{made.address}/api/host", json={"code": made.deps.host_code.read()}).is_success
        a.post(f"{made.address}/api/join", json={"code": made.code("A")})
        assert host.put(path, json={"on": False}).json() == {"possible": True, "on": False}
        assert a.post(f"{made.address}/api/tables/t1/seats/A/device").status_code == 409
        assert host.put(path, json={"on": True}).json()["on"] is True
        assert a.post(f"{made.address}/api/tables/t1/seats/A/device").json() == TICKET


def test_without_a_broker_there_is_nothing_to_switch(tmp_path: Path) -> None:
    with serving(make(tmp_path)) as plain, httpx.Client(base_url=plain.address) as host:
        host.post("/api/host", json={"code": plain.deps.host_code.read()})
        assert host.get("/api/tables/t1/devices").json() == {"possible": False, "on": False}
        assert host.put("/api/tables/t1/devices", json={"on": True}).status_code == 409


@pytest.mark.browser
@pytest.mark.slow
def test_a_phone_gets_its_ticket_by_a_button_and_the_host_has_a_switch(made: Made, phones: Phones) -> None:
    host, ada = phones.phone("Pixel 7"), phones.phone()
    host.goto(f"{made.address}/host#host={made.deps.host_code.read()}")
    switch = host.locator("input[data-devices=t1]")
    expect(switch).to_be_checked()
    switch.uncheck()
    ada.goto(f"{made.address}/join#{made.code('A')}")
    in_step(ada)
    open_device(ada)
    expect(ada.locator("dialog .hint")).to_have_text("The host has not switched this on.")
    ada.keyboard.press("Escape")
    switch.check()
    eventually(host, lambda: bool(made.deps.devices and made.deps.devices.offers_seats("t1")))
    open_device(ada)
    ada.click("#make-ticket")
    assert json.loads(ada.input_value("#ticket")) == TICKET
    found = Axe().run(ada, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


def open_device(page: Page) -> None:
    page.click("button.round")
    page.click("dialog button:has-text('Settings')")
    page.click("dialog button:has-text('My own display')")
