"""The drawn board in a real browser: taps behind tall towers, what moves and what holds still."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.table.seatview import ContentSeen, Notice, PutBack
from companion.web.fakes import StillTable, cells, public_view, seat_view
from tests.companion.web.browsing import Phones, eventually, in_step
from tests.companion.web.houses import make, serving
from tests.companion.web.moments import MOMENTS, moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TALL = "3300003440034003400000330"
STANDING = {"A1": "b2", "A2": "d4", "B1": "c3", "B2": "e2"}
NAMES = [column + row for row in "12345" for column in "abcde"]
PROBE = """() => {
  const keys = document.querySelector('.stage > .board .keys');
  const box = document.querySelector('.stage > .board svg').getBoundingClientRect();
  const spots = [];
  for (let i = 0; i < 75; i++) for (let j = 0; j < 75; j++)
    spots.push([box.left + (i + .5) * box.width / 75, box.top + (j + .5) * box.height / 75]);
  const at = ([x, y], name) => document.elementFromPoint(x, y)?.closest(`[data-${name}]`)?.dataset[name];
  const hit = spots.map((spot) => at(spot, 'cell') ?? '');
  keys.style.visibility = 'hidden';
  const drawn = spots.map((spot) => at(spot, 'tile') ?? '');
  keys.style.visibility = '';
  const well = (n) => [1, -1, 75, -75].every((step) => drawn[n + step] === drawn[n]);
  return spots.map((spot, n) => [drawn[n], hit[n], ...spot]).filter(([name], n) => name && well(n));
}"""
MOVING = """() => document.getAnimations().filter((a) => a.playState === 'running'
  && a.effect.target.closest('.drawing')).map((a) => a.animationName)"""


def test_in_relief_a_finger_means_what_it_touches(tmp_path: Path, phones: Phones) -> None:
    both = {"board": cells(TALL, STANDING)}
    table = StillTable({s: seat_view(s, **both) for s in "AB"}, public_view(**both))
    with serving(make(tmp_path, table)) as made:
        page = phones.phone(viewport={"width": 390, "height": 844})
        page.add_init_script("localStorage.setItem('santorini.prefs', JSON.stringify({look: 'iso'}))")
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        best = dict.fromkeys(NAMES, 0)
        for turn in range(4):
            turned(page, turn)
            spots = page.evaluate(PROBE)
            wrong = [spot for spot in spots if spot[0] != spot[1]]
            assert len(wrong) <= 0.005 * len(spots), wrong
            seen = Counter(spot[0] for spot in spots)
            assert len(seen) >= 24, "a space between three towers may be hidden, no others are"
            best = {name: max(best[name], seen[name]) for name in NAMES}
        # From one of the four sides a finger has room: 30 spots are some 700 square pixels.
        assert min(best.values()) >= 30, best
        behind = sorted(spot for spot in spots if spot[0] == "a4")
        page.touchscreen.tap(*behind[len(behind) // 2][2:])
        eventually(page, lambda: bool(made.table.told))
        assert made.table.told[-1][1].model_dump()["cell"] == "a4"


def turned(page: Page, turn: int) -> None:
    """Turn the board as the menu does."""
    if turn:
        page.click("button.round")
        page.click("dialog button:has-text('Turn the board')")
        page.wait_for_selector("dialog", state="detached")


THINGS = (
    PutBack("worker", "worker", "b3", "b2", "put.worker_from", {"from": "b3", "space": "b2"}),
    PutBack("block", "block", "c4", None, "put.blocks_off", {"space": "c4", "count": 1}),
    PutBack("dome", "dome", None, "e2", "put.dome_on", {"space": "e2"}),
)


@pytest.mark.parametrize("look", ["flat", "iso"])
def test_what_to_put_back_moves_home_before_the_eyes(tmp_path: Path, phones: Phones, look: str) -> None:
    table = moment("illegal")
    both = {"notice": Notice("illegal", "reason.too_high", {}, THINGS), "board": cells(TALL, STANDING)}
    table.show({s: seat_view(s, **both) for s in "AB"})
    with serving(make(tmp_path, table)) as made:
        page = phones.phone(viewport={"width": 390, "height": 844}, reduced_motion="no-preference")
        page.add_init_script(f"localStorage.setItem('santorini.prefs', JSON.stringify({{look: '{look}'}}))")
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        expect(page.locator(".box.illegal li")).to_have_count(3)
        for kind in ("walks", "goes", "comes"):
            expect(page.locator(f".drawing .ghost.{kind}")).to_have_count(1)
        assert {"walk", "go", "come"} <= set(page.evaluate(MOVING))
        # The worker ends where it belongs.
        home = page.evaluate(
            "() => { const g = document.querySelector('.ghost.walks'); g.getAnimations()[0].pause();"
            " g.getAnimations()[0].currentTime = 1700; return g.getBoundingClientRect().toJSON(); }"
        )
        key = page.locator(".stage > .board .key[data-cell=b2]").bounding_box()
        assert key is not None
        x, y = home["x"] + home["width"] / 2, home["y"] + home["height"] / 2
        assert key["x"] < x < key["x"] + key["width"] and key["y"] < y < key["y"] + key["height"]
        page.emulate_media(reduced_motion="reduce")
        eventually(page, lambda: page.evaluate(MOVING) == [])
        # Without motion the arrow, the cross and what is missing still tell it.
        for mark in (".arrow", ".off", ".ghost.comes"):
            expect(page.locator(f".drawing {mark}")).not_to_have_css("opacity", "0")


@pytest.mark.parametrize("name", sorted(MOMENTS))
def test_the_moments_that_are_pictured_could_be(name: str) -> None:
    view = moment(name).view("A")
    at = {cell.cell: cell for cell in view.board}
    where = {cell.worker.id: cell.cell for cell in view.board if cell.worker}
    assert not any(cell.dome and cell.worker for cell in view.board)
    if view.phase != "over":
        assert all(at[cell].height < 3 for cell in where.values()), "nobody has won yet"
    for step in view.prompt.steps if view.prompt else ():
        if step.kind == "move":
            assert where[str(step.worker)] == step.cells[0]
            assert at[step.cells[1]].height <= at[step.cells[0]].height + 1
    for thing in view.notice.put_back if view.notice else ():
        if thing.kind == "worker" and thing.target:
            assert thing.target in where.values() and thing.origin not in where.values()
    for difference in view.sync or ():
        cell = at[difference.cell]
        assert difference.known == ContentSeen(cell.height, cell.worker.seat if cell.worker else "")


@pytest.mark.parametrize(
    ("name", "wanted", "says"),
    [("illegal", ".box.illegal li:last-child", "Please put back"),
     ("sync", ".box.sync .choices button:last-child", "Let's sort this out")],
)  # fmt: skip
def test_what_needs_hands_is_seen_without_scrolling(
    name: str, wanted: str, says: str, tmp_path: Path, phones: Phones
) -> None:
    with serving(make(tmp_path, moment(name))) as made:
        page = phones.phone()
        page.goto(f"{made.address}/join#{made.code('A')}")
        in_step(page)
        expect(page.locator(".now")).to_contain_text(says)
        box, tray = page.locator(wanted).bounding_box(), page.locator(".tray").bounding_box()
        assert box is not None and tray is not None
        assert box["y"] + box["height"] <= tray["y"] + 1
        expect(page.locator(".stage > .board")).to_be_visible(visible=name != "sync")
        for figure in page.locator(".sync figure").all():
            expect(figure).to_be_in_viewport(ratio=1)
