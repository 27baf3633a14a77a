"""LEDs on the host's page, and the ticket of a seat's own device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.companion.web.houses import Made, make, serving

TICKET = {
    "host": "127.0.0.1",
    "port": 1883,
    "user": "t1-A",
    "password": "p",
    "secure": False,
    "table": "t1",
    "seat": "A",
    "key": "ab" * 32,
}


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    made = make(tmp_path)
    made.deps = replace(made.deps, seat_tickets=lambda table, seat: TICKET if seat == "A" else None)
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
