"""The optional https address: our own authority, and a phone as camera."""

from __future__ import annotations

import asyncio
import json
import ssl
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import cv2
import httpx
import pytest
from cryptography import x509
from playwright.sync_api import Playwright, expect
from websockets.asyncio.client import connect

from companion.store.seats import CAMERA
from companion.table.live import Table
from companion.web.app import create_app
from companion.web.authority import certificates, now_utc, secure_port
from companion.web.eyes import Eyes
from companion.web.server import WebServer, bind
from tests.companion.web.browsing import Home, Phones, eventually, launched, started, stopped
from vision.reading import EMPTY_BOARD
from vision.simulator import SimulatedCamera, camera_at

pytestmark = pytest.mark.slow


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[tuple[Home, Eyes, Path]]:
    """A companion with both addresses; the secure one is in its `deps`."""
    home = started(tmp_path)
    home.server.stop()
    plain = bind("127.0.0.1", 0)
    port = secure_port(tmp_path / "tls", "127.0.0.1", 0, ["127.0.0.1", "localhost"])
    eyes = Eyes(tmp_path / "calibration")
    home.address = f"http://127.0.0.1:{plain.getsockname()[1]}"
    home.deps = replace(home.deps, cameras=eyes, secure_address=port.address, certificate=port.authority)
    home.server = WebServer(create_app(home.deps), plain, also=(port.taken, port.keys))
    home.server.start()
    yield home, eyes, port.authority
    eyes.stop()
    stopped(home)


def test_a_device_that_trusts_the_authority_is_served(secure: tuple[Home, Eyes, Path]) -> None:
    home, _, authority = secure
    trusting = ssl.create_default_context(cafile=str(authority))
    address = str(home.deps.secure_address)
    assert httpx.get(f"{address}/api/me", verify=trusting).json()["secure_address"] == address
    joined = httpx.post(f"{address}/api/host", json={"code": home.deps.host_code.read()}, verify=trusting)
    cookie = joined.headers["set-cookie"]
    assert cookie.startswith("__Host-santorini=") and "Secure" in cookie
    given = httpx.get(f"{address}/authority.crt", verify=trusting).content
    assert given == authority.read_bytes()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/api/me")


async def told_of_a_hand(addresses: tuple[str, ...], trusting: ssl.SSLContext, table: Table) -> int:
    """Watch a table at every address; the number of those that were told of a hand."""
    watch = json.dumps({"ask": "watch", "id": 1, "table": table.id, "seat": None})
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        sockets = []
        for address in addresses:
            keys = trusting if address.startswith("https") else None
            opened = connect(address.replace("http", "ws", 1) + "/ws", compression=None, ssl=keys)
            sockets.append(await stack.enter_async_context(opened))
            await sockets[-1].send(watch)
        table.surround(camera="hand")
        for each in sockets:
            while '"camera":"hand"' not in str(await each.recv()):
                pass
        return len(sockets)


def test_both_addresses_show_the_same_table(secure: tuple[Home, Eyes, Path]) -> None:
    home, _, authority = secure
    table = home.tables.get(home.open_table(None, None))
    assert table is not None
    trusting = ssl.create_default_context(cafile=str(authority))
    addresses = (home.address, str(home.deps.secure_address))
    # A loop in a thread of its own: one TLS connection must not be read and written by two threads at once.
    with ThreadPoolExecutor(1) as own:
        assert own.submit(asyncio.run, told_of_a_hand(addresses, trusting, table)).result() == 2


def test_the_authority_can_vouch_for_this_home_alone(tmp_path: Path) -> None:
    keys, authority = certificates(tmp_path, ["192.168.1.20"], now_utc())
    made = x509.load_pem_x509_certificate(authority.read_bytes())
    limits = made.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical and limits.value.permitted_subtrees
    for secret in (keys.key, tmp_path / "authority.key"):
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600


def test_certificates_are_kept_and_renewed_in_time(tmp_path: Path) -> None:
    now = now_utc()
    keys, authority = certificates(tmp_path, ["192.168.1.20"], now)
    first, trusted = keys.chain.read_bytes(), authority.read_bytes()
    certificates(tmp_path, ["192.168.1.20"], now)
    assert keys.chain.read_bytes() == first
    certificates(tmp_path, ["192.168.1.21"], now)
    assert keys.chain.read_bytes() != first
    certificates(tmp_path, ["192.168.1.21"], now + timedelta(days=380))
    assert authority.read_bytes() == trusted


@pytest.mark.browser
def test_a_phone_is_the_camera_over_https(
    secure: tuple[Home, Eyes, Path], playwright: Playwright, tmp_path: Path
) -> None:
    home, eyes, _ = secure
    table = home.open_table(None, None)
    found = home.tables.get(table)
    assert found is not None
    eyes.use(found, "phone")
    film = tmp_path / "film.mjpeg"
    camera = SimulatedCamera(camera_at(elevation=58, azimuth=270, distance=13.0), colours={"A": "blue"})
    done, jpeg = cv2.imencode(".jpg", camera.render(EMPTY_BOARD, seed=1))
    assert done
    film.write_bytes(jpeg.tobytes() * 10)
    fake = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )
    browser = launched(playwright, *fake)
    phones = Phones(playwright, browser)
    page = phones.phone("Pixel 7", ignore_https_errors=True)
    page.goto(f"{home.deps.secure_address}/host#host={home.deps.host_code.read()}")
    page.wait_for_selector("text=New game")
    page.goto(f"{home.deps.secure_address}/camera")
    page.click("text=Start the camera")
    page.wait_for_selector("[role=status][data-sent]")
    eventually(page, lambda: int(page.get_attribute("[role=status]", "data-sent") or "0") >= 3)
    frame = eyes._eyes[table].source.latest()
    assert frame is not None and frame.number >= 3
    assert frame.picture.shape[1] == 1280
    page.close()
    a_spare_phone_is_the_camera(home, eyes, found, phones)
    browser.close()
    assert phones.complaints == []


def a_spare_phone_is_the_camera(home: Home, eyes: Eyes, table: Table, phones: Phones) -> None:
    """A phone without a seat: let in by a code, taken along in a rematch, taken off."""
    seating = home.deps.seating
    page = phones.phone("Pixel 7", ignore_https_errors=True)
    page.goto(f"{home.deps.secure_address}/camera#{seating.offer(table.game, CAMERA)[0]}")
    page.click("text=Start the camera")
    eventually(page, lambda: int(page.get_attribute("p[role=status]", "data-sent") or "0") >= 2)
    fresh = home.tables.get(home.open_table(None, None))
    assert fresh is not None
    eyes.follow(table, fresh)
    seating.take_camera_along(table.game, fresh.game)
    before = eyes._eyes[fresh.id].source.latest()
    assert before is not None
    eventually(page, lambda: later(eyes, fresh) >= before.number + 2)
    seating.release(fresh.game, CAMERA)
    expect(page.locator("p[role=status]")).to_contain_text("not the camera here")
    expect(page.locator("video")).to_have_js_property("srcObject", None)


def later(eyes: Eyes, table: Table) -> int:
    """The number of the newest picture that has come."""
    frame = eyes._eyes[table.id].source.latest()
    return frame.number if frame is not None else 0


@pytest.mark.browser
def test_without_https_the_page_says_what_is_missing(
    secure: tuple[Home, Eyes, Path], playwright: Playwright
) -> None:
    home, _, _ = secure
    browser = launched(playwright, "--host-resolver-rules=MAP phone.test 127.0.0.1")
    phones = Phones(playwright, browser)
    page = phones.phone()
    # A name that is not ours is refused; the answer says what to do instead.
    refused = page.goto(home.address.replace("127.0.0.1", "phone.test") + "/camera")
    assert refused is not None and refused.status == 400
    browser.close()
