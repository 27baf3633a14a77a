"""Whole games of each power with a secret: two phones and a spectator, from the choice to the seals."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as Late

from companion.table.hinting import Hinter
from companion.table.live import Table
from tests.companion.web.browsing import Home, Phones, at_rest, eventually, in_step, seq, tap

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# milliseconds after which people who see nothing happen touch once more
SOON = 6000
PATIENCE = 6
SEALED = "Checked on this phone: nothing was changed."
# Whose turn, then the spaces as they are touched; "end" ends the turn.
HECATE = """
B d5 b3 | A e5 b5
A b5 c4 d4 end | B d5 d4 e3 end | A e5 d5 e4 end | B d4 e4 e3 end
A d5 d4 c5 end | B e4 e3 e4 end | A d4 e4 d3 end
"""
ONTO_HER = "B e3 e4 e3 end"
HECATE_ON = "A e4 d5 e4 end | B e3 e4 end"
MOERAE = """
A c4 a1 a2 b3 | B b1 d5
A a1 b2 a3 end | B d5 c5 d5 end | A b2 c3 c4 end | B c5 d5 d4 end | A c3 d3 c4 end | B d5 c4 d4 end
A d3 c3 b4 end | B c4 d4 c4 end | A b3 a3 b4 end | B d4 c4 end
"""
TARTARUS = """
A d4 b3 | B d2 b5 | A c4
A d4 d5 e5 end | B d2 d3 e3 end | A b3 a3 a4 end | B d3 c4 d4 end
"""


@dataclass
class Sitting:
    """A table, the phones of both seats and a spectator's."""

    table: Table
    phones: Mapping[str, Page]
    watcher: Page
    touched: str = ""

    def follow(self, script: str) -> Iterator[str]:
        """Touch what is written; gives whose turn it was after each."""
        for line in script.replace("\n", "|").split("|"):
            words = line.split()
            for touch in words[1:]:
                self.touch(words[0], touch)
            if words:
                yield words[0]

    def touch(self, seat: str, what: str) -> None:
        page = self.phones[seat]
        page.wait_for_selector(".play.mine")
        # Whoever sees nothing happen touches once more.
        before = seq(page)
        for _ in range(PATIENCE):
            self.open_map(seat)
            if what == "end":
                page.click(".tray button.main")
            else:
                self.lit(seat, what)
                tap(page, what)
            if happened(page, what, before):
                break
        self.touched = what

    def open_map(self, seat: str) -> None:
        """Press on the hidden map of a seat that has one; it covers itself a while after."""
        page = self.phones[seat]
        if page.locator(".veil").count() and self.hides(seat):
            page.focus(".veil")
            page.keyboard.down(" ")

    def lit(self, seat: str, what: str) -> None:
        """Wait until a space may be touched; where the map has covered itself, begin the step again."""
        page = self.phones[seat]
        for _ in range(PATIENCE):
            try:
                page.wait_for_selector(f".key.is-lit[data-cell={what}]", timeout=SOON)
                break
            except Late:
                at_rest(page)
                self.open_map(seat)
                if self.touched not in ("", "end"):
                    tap(page, self.touched)
        page.wait_for_selector(f".key.is-lit[data-cell={what}]")

    def hides(self, seat: str) -> bool:
        secret = self.table.view(seat).secret
        return bool(secret and secret.workers)

    def end(self) -> None:
        """Every phone is at the end, knows what was hidden, and has checked the seals by itself."""
        for page in (*self.phones.values(), self.watcher):
            expect(page.locator(".box.end")).to_contain_text(SEALED)
            expect(page.locator(".box.end h3")).to_have_count(1)


def sitting(home: Home, phones: Phones, power: str) -> Sitting:
    name = home.open_table(power, None)
    ada, ben, watcher = phones.phone("iPhone 13"), phones.phone("Pixel 7"), phones.phone("Pixel 7")
    ada.goto(home.invitation(name, "A"))
    ben.goto(home.invitation(name, "B"))
    watcher.goto(home.address)
    for page in (ada, ben, watcher):
        in_step(page)
    table = home.tables.get(name)
    assert table is not None
    return Sitting(table, {"A": ada, "B": ben}, watcher)


def happened(page: Page, what: str, before: int, seconds: float = 5.0) -> bool:
    """Wait until a touch has made a step or chosen a space, for so long; the map may have covered itself."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        at_rest(page)
        chosen = what != "end" and page.locator(f".key[data-cell={what}][aria-pressed=true]").count()
        if seq(page) != before or chosen:
            return True
        page.wait_for_timeout(20)
    return False


def marked(page: Page) -> int:
    return page.locator(".drawing .mark.maybe").count()


@pytest.fixture
def hinter(home: Home) -> Iterator[None]:
    """Work out hints beside the tables, as `santorini play` does."""
    working = Hinter(home.tables)
    working.start()
    yield
    working.stop()


@pytest.mark.usefixtures("hinter")
def test_hecate_a_move_onto_her_is_cancelled_and_the_game_is_won(home: Home, phones: Phones) -> None:
    game = sitting(home, phones, "hecate")
    ada, ben = game.phones["A"], game.phones["B"]
    for _ in game.follow(HECATE):
        for page in (ben, game.watcher):
            assert page.locator(".stage .drawing .worker").count() <= 2
    before = {name: page.locator(".stage .drawing").inner_html() for name, page in others(game)}
    list(game.follow(ONTO_HER))
    for name, page in others(game):
        expect(page.locator(".box.cancelled")).to_be_visible()
        said = page.locator(".box.cancelled").inner_text()
        # What to put back, and nothing else: neither which of her workers stands there nor the other one.
        assert page.locator(".box.cancelled li").count() == 2
        assert "e3" in said and "e4" in said
        assert not any(space in said for space in ("c4", "d5", "A1", "A2"))
        assert page.locator(".stage .drawing .worker").count() == 2, name
    assert before.keys() == {"B", "spectator"}
    # The set of all places where she could be, on a phone, from the table's own deduction.
    assert game.table.view("B").hints.possible is None, "not before it is asked for"
    threats_on(ben)
    eventually(ben, lambda: game.table.view("B").hints.possible is not None)
    possible = game.table.view("B").hints.possible
    assert possible is not None and {"e4", "c4"} <= set(possible.cells)
    ben.click("text=Where could they be?")
    expect(ben.locator(".drawing .mark.maybe")).to_have_count(len(possible.cells))
    list(game.follow(HECATE_ON))
    game.end()
    assert {p.locator(".box.end h2").inner_text() for p in (ada, ben)} == {"You win!", "You lose this one."}
    expect(ben.locator(".box.end ul")).to_have_text(re.compile(r"^Ada: worker [a-e]\d, worker [a-e]\d$"))


def others(game: Sitting) -> list[tuple[str, Page]]:
    return [("B", game.phones["B"]), ("spectator", game.watcher)]


def threats_on(page: Page) -> None:
    """Ask for every hint there is."""
    page.click("button.round")
    page.select_option("dialog select >> nth=0", "threats")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_moerae_a_win_in_the_square_of_fate_is_hers(home: Home, phones: Phones) -> None:
    game = sitting(home, phones, "moerae")
    for number, _ in enumerate(game.follow(MOERAE)):
        for _, page in others(game):
            assert marked(page) == 0
        if number == 2:
            look(game.phones["A"], 4)
    game.end()
    expect(game.watcher.locator(".box.end ul")).to_have_text("Ada: square of Fate c4 c5 d4 d5")
    assert game.phones["A"].locator(".box.end h2").inner_text() == "You win!"


def test_tartarus_who_enters_the_abyss_loses(home: Home, phones: Phones) -> None:
    game = sitting(home, phones, "tartarus")
    for number, _ in enumerate(game.follow(TARTARUS)):
        for _, page in others(game):
            assert marked(page) == 0
        if number == 3:
            look(game.phones["A"], 1)
    game.end()
    expect(game.watcher.locator(".box.end ul")).to_have_text("Ada: Abyss c4")
    assert game.phones["B"].locator(".box.end h2").inner_text() == "You lose this one."


def look(page: Page, spaces: int) -> None:
    """The owner sees the secret while the map is held, and not when the hand is off it."""
    assert marked(page) == 0
    page.focus(".veil")
    page.keyboard.down(" ")
    expect(page.locator(".drawing .mark.maybe")).to_have_count(spaces)
    page.keyboard.up(" ")
    page.evaluate("() => dispatchEvent(new Event('blur'))")
    expect(page.locator(".drawing .mark.maybe")).to_have_count(0)
