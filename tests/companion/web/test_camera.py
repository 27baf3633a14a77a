"""The camera from the host's phone: the wizard, a phone as camera, a photo."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import cv2
import httpx
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from calibration.pose import GRID_CORNERS
from companion.live.watcher import Shown, Watcher
from companion.web.app import create_app
from companion.web.eyes import Eyes, Lent
from companion.web.server import WebServer, bind
from tests.companion.web.browsing import Home, Phones, started, stopped
from vision.reading import EMPTY_BOARD, Picture
from vision.simulator import SimulatedCamera, camera_at
from vision.sources import SourceError
from vision.sources.base import Frame, State

pytestmark = pytest.mark.slow

SIDES = {"A": "blue", "B": "grey"}


class StillCamera:
    """A camera that always sees the same."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.number = 0
        self.closed = False

    @property
    def state(self) -> State:
        return State("live", "still", self.number)

    def latest(self) -> Frame | None:
        self.number += 1
        return Frame(self.picture, time.monotonic(), self.number)

    def close(self) -> None:
        self.closed = True


def opening(picture: Picture) -> Callable[[str], StillCamera]:
    def opener(text: str) -> StillCamera:
        if text != "still":
            raise SourceError(f"there is no camera '{text}'")
        return StillCamera(picture)

    return opener


class Room:
    """A companion with one camera over an empty board."""

    def __init__(self, folder: Path) -> None:
        self.camera = SimulatedCamera(camera_at(elevation=58, azimuth=270, distance=13.0), colours=SIDES)
        self.picture = self.camera.render(EMPTY_BOARD, seed=3)
        self.eyes = Eyes(folder / "calibration", "still", opening(self.picture))
        self.home = started(folder)
        self.home.server.stop()
        taken = bind("127.0.0.1", 0)
        self.home.address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        self.home.deps = replace(self.home.deps, cameras=self.eyes, address=self.home.address)
        self.home.server = WebServer(create_app(self.home.deps), taken)
        self.home.server.start()

    def corners(self) -> list[tuple[float, float]]:
        height, width = self.picture.shape[:2]
        return [(float(x) / width, float(y) / height) for x, y in self.camera.camera.project(GRID_CORNERS)]

    def close(self) -> None:
        self.eyes.stop()
        stopped(self.home)


@pytest.fixture
def room(tmp_path: Path):  # type: ignore[no-untyped-def]
    made = Room(tmp_path)
    yield made
    made.close()


@contextmanager
def hosting(home: Home) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=home.address, timeout=60) as client:
        assert client.post("/api/host", json={"code": home.deps.host_code.read()}).status_code == 204
        yield client


def jpeg(picture: Picture) -> bytes:
    done, data = cv2.imencode(".jpg", picture)
    assert done
    return data.tobytes()


def test_a_camera_is_set_up_step_by_step_and_begins_to_watch(room: Room) -> None:
    table = room.home.open_table(None, None)
    path = f"/api/tables/{table}/camera"
    with hosting(room.home) as client:
        ids = [line["id"] for line in client.get("/api/cameras").json()]
        assert ids[0] == "still" and ids[-1] == "phone"
        wrong = client.post(path, json={"source": "nowhere"})
        assert (wrong.status_code, wrong.json()["key"]) == (409, "wizard.no_source")
        assert client.post(path, json={"source": "still"}).json()["step"] == "empty"
        early = client.post(f"{path}/corners", json={"corners": room.corners()})
        assert (early.status_code, early.json()["key"]) == (409, "wizard.empty.means")
        assert client.post(f"{path}/take", json={"step": "empty"}).json()["step"] == "corners"
        crossed = [(0.2, 0.8), (0.7, 0.25), (0.8, 0.8), (0.3, 0.25)]
        assert client.post(f"{path}/corners", json={"corners": crossed}).json()["key"] == "wizard.bad_step"
        solved = client.post(f"{path}/corners", json={"corners": room.corners()}).json()
        assert solved["verdict"] in ("good", "usable")
        assert 50 < solved["figures"]["elevation"] < 65
        for step in ("tableau", "placed"):
            state = client.post(f"{path}/skip", json={"step": step}).json()
        assert state["step"] == "done"
        kept = client.post(f"{path}/keep").json()
        assert kept["watching"]
        shot = client.get(f"{path}/picture", params={"overlay": True})
        assert shot.headers["content-type"] == "image/jpeg"
        assert shot.headers["cache-control"] == "no-store"
        drawn = cv2.imdecode(np.frombuffer(shot.content, np.uint8), cv2.IMREAD_COLOR)
        assert drawn is not None and drawn.shape == room.picture.shape
        # Coming back, what was kept is offered at once.
        again = client.post(path, json={"source": "still"}).json()
        assert again["verdict"] == solved["verdict"] and not again["watching"]
        assert client.delete(path).status_code == 204
        assert client.get(path).json()["source"] is None


def test_only_the_host_sees_the_picture(room: Room) -> None:
    table = room.home.open_table(None, None)
    with httpx.Client(base_url=room.home.address) as guest:
        for path in ("/api/cameras", f"/api/tables/{table}/camera", f"/api/tables/{table}/camera/picture"):
            assert guest.get(path).status_code == 403
        assert guest.post(f"/api/tables/{table}/camera/frame", content=b"x").status_code == 403


def test_a_phone_sends_pictures_and_garbage_is_named(room: Room) -> None:
    table = room.home.open_table(None, None)
    path = f"/api/tables/{table}/camera"
    with hosting(room.home) as client:
        none = client.post(f"{path}/frame", content=jpeg(room.picture))
        assert none.status_code == 409
        client.post(path, json={"source": "phone"})
        assert client.get(f"{path}/picture").status_code == 409
        bad = client.post(f"{path}/frame", content=b"no picture")
        assert (bad.status_code, bad.json()["key"]) == (422, "error.bad_picture")
        assert client.post(f"{path}/frame", content=jpeg(room.picture)).status_code == 204
        assert client.get(f"{path}/picture").status_code == 200
        assert client.post(f"{path}/frame", content=b"x" * 7_000_000).status_code == 413


def test_the_mat_can_be_printed(room: Room) -> None:
    mat = httpx.get(f"{room.home.address}/api/mat/a4.pdf")
    assert mat.headers["content-type"] == "application/pdf" and mat.content.startswith(b"%PDF")


def test_a_table_with_its_own_camera_shows_its_picture_and_takes_no_other(room: Room) -> None:
    table = room.home.open_table(None, None)
    found = room.home.tables.get(table)
    assert found is not None
    frame = Frame(room.picture, 0.0, 1)
    watcher = cast("Watcher", SimpleNamespace(shown=Shown(frame, None)))
    room.eyes.lend(cast("Lent", SimpleNamespace(table=found, watcher=watcher, calibration=None)))
    path = f"/api/tables/{table}/camera"
    with hosting(room.home) as client:
        assert client.get(path).json()["source"] == "sim"
        assert client.get(f"{path}/picture", params={"overlay": True}).status_code == 200
        assert client.post(path, json={"source": "still"}).status_code == 409
        assert client.post(f"{path}/keep").status_code == 409


@pytest.mark.browser
def test_the_wizard_by_dragging_four_corners(room: Room, phones: Phones) -> None:
    table = room.home.open_table(None, None)
    page = phones.phone("Pixel 7")
    page.goto(room.home.host_address())
    page.click("text=Set up the camera")
    page.click("button:has-text('still')")
    page.wait_for_selector("img.picture[src^='blob:']")
    page.click("button:has-text('Next')")
    page.wait_for_selector(".corner")
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    for number, (x, y) in enumerate(room.corners()):
        drag(page, number, x, y)
    page.click("button:has-text('Check')")
    page.wait_for_selector(".box h2.good", timeout=90_000)
    for step in (4, 5):
        page.wait_for_selector(f"p.soft:has-text('Step {step} of')")
        page.click("button.wide:has-text('Skip') >> nth=0")
    page.click("button:has-text('Keep it')")
    expect(page.locator("h2[role=status]")).to_have_text("The camera is ready.")
    assert room.eyes.state(room.home.tables.all()[0])["watching"]
    assert table


def drag(page: Page, number: int, x: float, y: float) -> None:
    corner = page.locator(".corner").nth(number)
    corner.scroll_into_view_if_needed()
    frame = page.locator(".corners").bounding_box()
    here = corner.bounding_box()
    assert frame is not None and here is not None
    page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
    page.mouse.down()
    page.mouse.move(frame["x"] + x * frame["width"], frame["y"] + y * frame["height"], steps=4)
    page.mouse.up()


@pytest.mark.browser
def test_a_photo_can_be_sent_without_https(room: Room, phones: Phones, tmp_path: Path) -> None:
    table = room.home.open_table(None, None)
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(jpeg(room.picture))
    page = phones.phone()
    page.goto(room.home.host_address())
    page.wait_for_selector("text=New game")
    found = room.home.tables.get(table)
    assert found is not None
    room.eyes.use(found, "phone")
    page.goto(f"{room.home.address}/camera")
    page.set_input_files("#photo", photo)
    page.wait_for_selector("[role=status][data-sent='1']")
    sent = room.eyes.picture(found, overlay=False)
    assert sent is not None
