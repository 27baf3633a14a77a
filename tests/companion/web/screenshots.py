"""Takes the pictures of the pages in docs/images: `python -m tests.companion.web.screenshots`."""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
from playwright.sync_api import Page, sync_playwright

from calibration.pose import GRID_CORNERS
from companion.table.commands import Actor, TakeStep
from companion.table.live import Table
from companion.web.app import create_app
from companion.web.eyes import Eyes
from companion.web.fakes import StillTable
from companion.web.server import WebServer, bind
from tests.companion.web.browsing import Home, Phones, in_step, launched, started, stopped, tap
from tests.companion.web.houses import make, serving
from tests.companion.web.moments import moment
from tests.companion.web.rooms import SIDES, opening
from tests.companion.web.test_camera import board
from tests.companion.web.test_wizard import drag
from vision.album import open_album
from vision.overlay import overlay
from vision.reading import EMPTY_BOARD
from vision.seeing import read_album
from vision.simulator import SimulatedCamera, camera_at

GAME = Path(__file__).parents[2] / "data" / "pictures" / "game-02"
IMAGES = Path(__file__).parents[3] / "docs" / "images"
PHONE = {"viewport": {"width": 390, "height": 780}, "device_scale_factor": 2, "color_scheme": "dark"}
DESKTOP = {
    "viewport": {"width": 1280, "height": 800},
    "device_scale_factor": 1,
    "is_mobile": False,
    "has_touch": False,
    "color_scheme": "dark",
}


CAMERA = SimulatedCamera(camera_at(elevation=58, azimuth=280, distance=13.5), colours=SIDES)
PLACED = board(c3=(1, "A"), b2=(0, "A"), e4=(0, "B"), d5=(2, "B"))
SHOWN = [CAMERA.render(EMPTY_BOARD, seed=2)]
"""What stands before the wizard's camera."""
CORNERS = CAMERA.camera.project(GRID_CORNERS) / CAMERA.camera.size


def play_on(table: Table, turns: int, seed: int) -> None:
    """Play some random turns, climbing where it is possible, and stop at the beginning of a turn."""
    chance = random.Random(seed)
    while len(table.public().history) < turns and table.public().phase != "over":
        seat = str(table.public().to_move)
        view = table.view(seat)
        assert view.prompt is not None
        heights = {c.cell: c.height for c in view.board}
        steps = [s for s in view.prompt.steps if s.kind != "move" or heights[s.cells[-1]] < 3]
        top = max((heights[s.cells[-1]] for s in steps if s.kind == "move"), default=0)
        good = [s for s in steps if s.kind != "move" or heights[s.cells[-1]] == top]
        step = chance.choice(good).step if good else "end"
        table.submit(Actor(seat, "seat"), TakeStep(do="step", step=step, seq=table.view(seat).seq))


def picture(page: Page, name: str) -> None:
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png", file=sys.stderr)


def tables(phones: Phones, home: Home) -> None:
    """A real game on a phone and on a screen."""
    name = home.open_table("apollo", "minotaur", colours=("blue", "grey"))
    table = home.tables.get(name)
    assert table is not None
    play_on(table, 24, 4)
    seat = str(table.public().to_move)
    page = phones.phone(**PHONE)
    page.goto(home.invitation(name, seat))
    in_step(page)
    picture(page, "phone-turn")
    worker = page.eval_on_selector_all(".key.is-lit", "keys => keys.map(k => k.dataset.cell)")[0]
    tap(page, worker)
    picture(page, "phone")
    for cell in ("e5", "a1", "e1", "a5"):
        if not page.locator(f".key.is-lit[data-cell={cell}]").count():
            tap(page, cell)
            break
    picture(page, "phone-why")
    page.click(".player >> nth=1")
    picture(page, "phone-card")
    page.keyboard.press("Escape")
    page.click("button.round")
    picture(page, "phone-menu")
    page.click("dialog button:has-text('In relief')")
    picture(page, "phone-relief")
    page.click("button.round")
    page.click("dialog button:has-text('History')")
    picture(page, "phone-history")
    light = phones.phone(**{**PHONE, "color_scheme": "light"})
    light.goto(f"{home.address}/table/{name}")
    in_step(light)
    picture(light, "phone-light")
    screen = phones.phone(**DESKTOP)
    screen.goto(f"{home.address}/screen/{name}")
    in_step(screen)
    picture(screen, "screen")


def hosting(phones: Phones, home: Home) -> None:
    """The host's pages."""
    page = phones.phone(**PHONE)
    page.goto(home.host_address())
    page.wait_for_selector("text=New game")
    picture(page, "host")
    page.click("text=New game")
    page.check("#mode-random")
    page.wait_for_selector("#power-1")
    picture(page, "host-new-game")
    page.goto(f"{home.address}/host")
    page.click("button.player:has-text('free') >> nth=0")
    page.wait_for_selector(".qr svg")
    picture(page, "host-code")
    page.goto(f"{home.address}/host")
    page.click("button[data-wizard] >> nth=0")
    page.click("button:has-text('still')")
    page.click("button:has-text('Next')")
    page.wait_for_selector("img.picture[src^='blob:']")
    page.click("button:has-text('Take the picture')")
    page.wait_for_selector(".corner")
    for number, (x, y) in enumerate(CORNERS):
        drag(page, number, x, y)
    page.focus(".corner >> nth=1")
    page.keyboard.press("ArrowRight")
    picture(page, "wizard-corners")
    page.click("button:has-text('Check')")
    page.wait_for_selector("text=Show me the pieces")
    page.click(".tray button:has-text('Skip')")
    page.wait_for_selector("text=Learn the colours")
    SHOWN[0] = CAMERA.render(PLACED, seed=5)
    page.click("button:has-text('Take the picture')")
    page.wait_for_selector(".board")
    picture(page, "wizard-check")
    for path in ("tour", "kept"):
        page.goto(f"{home.address}/{path}")
        page.wait_for_selector("h1")
        picture(page, path)
    desktop = phones.phone(**DESKTOP)
    name = home.tables.all()[0].id
    desktop.goto(f"{home.address}/table/{name}")
    in_step(desktop)
    picture(desktop, "desktop")


def moments(phones: Phones) -> None:
    """Moments that a game may have."""
    for name in ("sync", "question", "over", "asked", "illegal"):
        with tempfile.TemporaryDirectory() as folder:
            shown = {"illegal": "put-back"}.get(name, name)
            one_moment(phones, Path(folder), moment(name), f"phone-{shown}")


def one_moment(phones: Phones, folder: Path, table: StillTable, name: str) -> None:
    with serving(make(folder, table)) as made:
        page = phones.phone(**PHONE)
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        picture(page, name)


def overlay_picture() -> None:
    """What the camera read in one of the tests' picture games, drawn over the picture."""
    album = open_album(GAME)
    *_, seen = itertools.islice(read_album(album, print), 20)
    known = seen.calibration
    drawn = overlay(seen.picture, seen.reading, known.camera, known.profile, dict(album.colours))
    cv2.imwrite(str(IMAGES / "overlay.jpg"), drawn[100:640, 270:980], [cv2.IMWRITE_JPEG_QUALITY, 85])
    print("docs/images/overlay.jpg", file=sys.stderr)


def main(only: str = "") -> None:
    """Take all pictures, or those of one part."""
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        phones = Phones(playwright, launched(playwright))
        home = started(Path(folder))
        home.server.stop()
        taken = bind("127.0.0.1", 0)
        home.address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        eyes = Eyes(Path(folder) / "calibration", "still", opening(lambda: SHOWN[0]))
        home.deps = replace(home.deps, cameras=eyes, address=home.address)
        home.server = WebServer(create_app(home.deps), taken)
        home.server.start()
        parts: dict[str, Callable[[], None]] = {
            "tables": lambda: tables(phones, home),
            "hosting": lambda: hosting(phones, home),
            "moments": lambda: moments(phones),
            "overlay": overlay_picture,
        }
        try:
            for name, part in parts.items():
                if only in ("", name):
                    part()
        finally:
            eyes.stop()
            stopped(home)
        print(*phones.complaints, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:2])
