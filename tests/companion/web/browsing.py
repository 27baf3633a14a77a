"""Phones for the browser tests: Chromium with an iPhone's and a Pixel's screen, on loopback."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from companion.play.things import Things
from companion.store import Store
from companion.table.beat import Beat
from companion.table.tables import Tables
from companion.web.app import create_app
from companion.web.codes import HostCode
from companion.web.house import Deps
from companion.web.seating import Seating
from companion.web.server import WebServer, bind
from companion.web.shelf import Shelf

ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CHROMIUM = "/usr/bin/chromium-headless-shell"
PATIENCE = 30.0
"""How long to wait for what comes in a blink on a quiet machine, in seconds."""
expect.set_options(timeout=PATIENCE * 1000)


def launched(playwright: Playwright, *more: str) -> Browser:
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGS, *more])


@dataclass
class Home:
    """A companion with real tables, as `santorini play` would run it."""

    folder: Path
    store: Store
    tables: Tables
    deps: Deps
    server: WebServer
    address: str

    def open_table(
        self, *powers: str | None, colours: Sequence[str | None] = (None,) * 4, **more: Any
    ) -> str:
        names = ("Ada", "Ben", "Cleo", "Dan")
        players = [
            {"name": name, "colour": colour, "power": power}
            for name, colour, power in zip(names, colours, powers, strict=False)
        ]
        game = {"players": players, "edition": "roxley2016", "options": {}, **more}
        return self.deps.games.create(game).id

    def invitation(self, table: str, seat: str) -> str:
        found = self.tables.get(table)
        assert found is not None
        return f"{self.address}/join#{self.deps.seating.offer(found.game, seat)[0]}"

    def host_address(self) -> str:
        return f"{self.address}/host#host={self.deps.host_code.read()}"


def started(folder: Path, port: int = 0, things: Callable[[Tables], Things] | None = None) -> Home:
    store = Store.open(folder / "santorini.db")
    # The beat of answers where a secret is in play is shorter here: the tests have less patience.
    tables = Tables(store, beat=Beat(period=0.05))
    tables.reopen()
    taken = bind("127.0.0.1", port)
    address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    deps = Deps(
        tables,
        Shelf(tables),
        Seating(store, time.time),
        HostCode(folder / "host-code"),
        address=address,
        devices=things(tables) if things else None,
    )
    server = WebServer(create_app(deps), taken)
    server.start()
    return Home(folder, store, tables, deps, server, address)


def stopped(home: Home) -> None:
    home.server.stop()
    home.store.close()


@contextmanager
def at_home(folder: Path) -> Iterator[Home]:
    home = started(folder)
    try:
        yield home
    finally:
        stopped(home)


@dataclass
class Phones:
    """The phones of one test; anything a page complains about fails the test."""

    playwright: Playwright
    browser: Browser
    complaints: list[str] = field(default_factory=list)
    open: list[BrowserContext] = field(default_factory=list)

    def phone(self, model: str = "iPhone 13", **more: Any) -> Page:
        device = {k: v for k, v in self.playwright.devices[model].items() if k != "default_browser_type"}
        context = self.browser.new_context(**{**device, "locale": "en-GB", **more})
        self.open.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self._listen(line.type, line.text))
        return page

    def _listen(self, kind: str, text: str) -> None:
        # A refused call is logged by the browser itself; the tests of refusals look at the page.
        if kind in ("error", "warning") and "Failed to load resource" not in text and "WebSocket" not in text:
            self.complaints.append(text)


def lit(page: Page) -> list[str]:
    cells: list[str] = page.eval_on_selector_all(".key.is-lit", "keys => keys.map(k => k.dataset.cell)")
    return cells


def tap(page: Page, cell: str) -> None:
    """Touch a space as somebody does who looks first: nothing is under way."""
    at_rest(page)
    page.tap(f".stage .key[data-cell={cell}]")


def seq(page: Page) -> int:
    number: int = page.evaluate("Number(document.querySelector('.play').dataset.seq)")
    return number


def eventually(page: Page, done: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until something holds, while the page goes on."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, f"not within {seconds} s"
        page.wait_for_timeout(10)


def in_step(page: Page) -> None:
    page.wait_for_selector(".play[data-seq]:not(.waiting)")


def at_rest(page: Page) -> None:
    """Wait until nothing is under way: a button touched meanwhile would do nothing."""
    page.wait_for_selector(".play[data-seq]:not(.waiting):not(.busy)")


def sit_twice(page: Page, home: Home, table: str) -> None:
    """Take both seats with one phone, and let the first player have it."""
    page.goto(home.invitation(table, "A"))
    in_step(page)
    page.goto(home.invitation(table, "B"))
    page.click(".handover button")
    page.wait_for_selector(".play.mine[data-seat=A]")
