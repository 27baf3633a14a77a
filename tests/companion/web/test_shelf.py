"""Games on the host's page: paused for days, taken in, deleted; and one phone for players without one."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from threading import enumerate as enumerate_threads

import httpx
import pytest
from playwright.sync_api import Page, expect

from companion.table.commands import Actor, CellEdit, EditBoard
from companion.table.live import Table
from companion.table.seatview import Choice, Question
from engine.record import format_record
from tests.companion.table.playing import play_some
from tests.companion.web.browsing import (
    Home,
    Phones,
    at_home,
    at_rest,
    eventually,
    in_step,
    sit_twice,
    started,
    stopped,
    tap,
)
from tests.companion.web.houses import make, serving
from tests.companion.web.rooms import Room
from tests.companion.web.test_pages import check

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def table_of(home: Home, name: str) -> Table:
    table = home.tables.get(name)
    assert table is not None
    return table


def menu(page: Page, button: str) -> None:
    at_rest(page)
    page.click("button.round")
    page.click(f"dialog button:has-text('{button}')")


def hosting(phones: Phones, home: Home) -> Page:
    page = phones.phone("Pixel 7")
    page.goto(home.host_address())
    page.wait_for_selector("text=New game")
    return page


def test_who_sits_at_a_deleted_game_is_told_and_led_on(home: Home, phones: Phones) -> None:
    name = home.open_table(None, None)
    ada, screen, host = phones.phone(), phones.phone("Pixel 7"), hosting(phones, home)
    ada.goto(home.invitation(name, "A"))
    screen.goto(f"{home.address}/screen/{name}")
    for page in (ada, screen):
        in_step(page)
    host.click("ul.list button.danger")
    host.click("dialog button.danger:has-text('Delete')")
    for page in (ada, screen):
        expect(page.locator("[role=alert]")).to_have_text("The game is deleted.")
    expect(host.locator("ul.list li")).to_have_count(0)
    assert home.tables.all() == ()
    # Whoever comes back later finds nothing, and no page that waits for ever.
    ada.goto(f"{home.address}/table/{name}")
    expect(ada.locator("[role=alert]")).to_have_text("This page or game does not exist.")
    ada.click("text=Back")
    expect(ada.locator("main a[href='/tour']")).to_be_visible()


def test_deleting_a_game_lets_go_of_its_camera(tmp_path: Path) -> None:
    room = Room(tmp_path)
    try:
        name = room.home.open_table(None, None)
        table = table_of(room.home, name)
        with httpx.Client(base_url=room.home.address, timeout=60) as client:
            client.post("/api/host", json={"code": room.home.deps.host_code.read()})
            path = f"/api/tables/{name}/camera"
            for step, body in (("", {"source": "still"}), ("/take", {"step": "empty"})):
                assert client.post(path + step, json=body).status_code == 200
            client.post(f"{path}/corners", json={"corners": room.corners()})
            assert client.post(f"{path}/keep").json()["watching"]
            (camera,) = [camera for camera in room.opened if not camera.closed]
            watching = [thread for thread in enumerate_threads() if thread.name == f"watch-{name}"]
            assert watching
            assert client.delete(f"/api/games/{table.game}").status_code == 204
            assert camera.closed
            assert not any(thread.is_alive() for thread in watching)
            # Nothing of it is left: another game finds no camera, and the same one can be opened anew.
            other = room.home.open_table(None, None)
            assert client.get(f"/api/tables/{other}/camera").json()["source"] is None
            again = client.post(f"/api/tables/{other}/camera", json={"source": "still"})
            assert again.status_code == 200
    finally:
        room.close()


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_record_is_taken_in_on_the_hosts_page(
    home: Home, phones: Phones, tmp_path: Path, form: str
) -> None:
    name = home.open_table("apollo", "minotaur")
    play_some(table_of(home, name), 3, 9)
    before = table_of(home, name).public()
    kept = tmp_path / "kept"
    kept.write_text(httpx.get(f"{home.address}/api/tables/{name}/record?form={form}").text, encoding="utf-8")
    host = hosting(phones, home)
    host.set_input_files("#record", kept)
    expect(host.locator(".toast")).to_contain_text("this game is here already")
    assert home.tables.delete(before.game)
    host.set_input_files("#record", kept)
    host.wait_for_url("**/table/*")
    in_step(host)
    (table,) = home.tables.all()
    assert (table.public().board, table.public().history) == (before.board, before.history)


def test_what_is_no_record_is_refused_in_a_sentence(home: Home, phones: Phones, tmp_path: Path) -> None:
    host = hosting(phones, home)
    for content in ("not a record", '{"a": ' + "[" * 100_000, "{}"):
        (tmp_path / "bad").write_text(content, encoding="utf-8")
        host.set_input_files("#record", tmp_path / "bad")
        expect(host.locator(".toast")).to_contain_text("This record cannot be read:")
        assert "{" not in host.inner_text(".toast")
        host.click(".toast")
    assert home.tables.saved() == ()


def test_only_the_host_takes_records_in(home: Home) -> None:
    name = home.open_table(None, None)
    record = format_record(home.tables.record(table_of(home, name).game))
    answer = httpx.post(f"{home.address}/api/games", json={"record": record})
    assert (answer.status_code, answer.json()["key"]) == (403, "settings.host_only")


def test_a_game_is_paused_for_days_and_gone_on_with(tmp_path: Path, phones: Phones) -> None:
    with at_home(tmp_path) as home:
        name = home.open_table(None, None)
        ada, host = phones.phone(), hosting(phones, home)
        ada.goto(home.invitation(name, "A"))
        in_step(ada)
        tap(ada, "b2")
        menu(ada, "Pause")
        expect(ada.locator(".box.info")).to_contain_text("pause")
        home.tables.close(name)
        port = int(home.address.rsplit(":", 1)[1])
    again = started(tmp_path, port)
    try:
        host.goto(f"{again.address}/host")
        host.click("ul.list button:has-text('Open')")
        host.wait_for_url("**/table/*")
        # The phone of that evening still holds its seat, and the turn stands where it stood.
        ada.goto(again.address)
        at_rest(ada)
        ada.click("text=Go on")
        ada.wait_for_selector(".play.mine[data-seat=A]")
        tap(ada, "d4")
        ada.wait_for_selector(".play:not(.mine)")
        assert again.tables.all()[0].public().history[0].turn == "A1@b2 A2@d4"
    finally:
        stopped(again)


def test_a_phone_for_two_is_handed_over_for_an_answer_and_out_of_turn(home: Home, phones: Phones) -> None:
    name = home.open_table(None, None)
    page = phones.phone()
    heard: list[object] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    sit_twice(page, home, name)
    # Ben takes the phone out of turn; what comes in meanwhile neither uncovers it nor takes it from him.
    menu(page, "Hand the phone to Ben")
    before = len(heard)
    table_of(home, name).surround(camera="hand")
    eventually(page, lambda: len(heard) > before)
    page.evaluate("() => new Promise(done => setTimeout(done))")
    expect(page.locator(".handover h1")).to_have_text("Hand the phone to Ben")
    page.click(".handover button")
    page.wait_for_selector(".play[data-seat=B]:not(.waiting)")
    table_of(home, name).surround(camera="ok")
    page.wait_for_selector(".eye.see-ok")
    assert page.locator(".handover").count() == 0
    # The referee asks Ada something, then Ben: each is handed the phone for it.
    choices = (Choice("done", "ask.done_turn", {}),)
    for seat, player in (("A", "Ada"), ("B", "Ben")):
        table_of(home, name).surround(question=Question("q1", seat, "ask.second_build", {}, choices))
        expect(page.locator(".handover h1")).to_have_text(f"Hand the phone to {player}")
        page.click(".handover button")
        expect(page.locator(".box.ask")).to_contain_text("Done, end the turn")
    table_of(home, name).surround(question=None)
    expect(page.locator(".handover h1")).to_have_text("Hand the phone to Ada")
    page.click(".handover button")
    in_step(page)
    menu(page, "Hand the phone to Ben")
    page.click(".handover button")
    page.wait_for_selector(".play[data-seat=B]:not(.waiting)")
    # Ben asks for the end: Ada answers, on the same phone.
    menu(page, "Agree")
    expect(page.locator(".handover h1")).to_have_text("Hand the phone to Ada")
    page.click(".handover button")
    page.click(".box.ask button:has-text('Yes')")
    page.wait_for_selector(".box.end")


def test_a_seat_with_a_secret_shares_no_phone_by_code_either(home: Home) -> None:
    name = home.open_table("hecate", None)
    codes = {seat: home.invitation(name, seat).partition("#")[2] for seat in "AB"}
    with httpx.Client(base_url=home.address) as client:
        assert client.post("/api/join", json={"code": codes["B"]}).status_code == 200
        refused = client.post("/api/join", json={"code": codes["A"]})
        assert (refused.status_code, refused.json()["key"]) == (409, "join.no_phone.secret")
        assert [seat["seat"] for seat in client.get("/api/me").json()["seats"]] == ["B"]
    code = home.invitation(name, "A").partition("#")[2]
    assert httpx.post(f"{home.address}/api/join", json={"code": code}).status_code == 200


@pytest.mark.parametrize("language", ["pl-PL", "ru-RU"])
def test_no_heading_lies_under_its_buttons_on_a_narrow_phone(
    home: Home, phones: Phones, language: str
) -> None:
    name = home.open_table(None, None)
    page = phones.phone("Pixel 7", viewport={"width": 360, "height": 740}, locale=language)
    page.goto(home.host_address())
    page.wait_for_selector(".paper > header h1")
    for path in ("/host", "/tour", "/kept", "/camera"):
        page.goto(home.address + path)
        page.wait_for_selector(".paper > header h1")
        assert overlaps(page, ".paper > header > *") == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(home.invitation(name, "A"))
    in_step(page)
    page.click("button.round")
    page.wait_for_selector("dialog label.row")
    assert overlaps(page, "dialog .sheet-body > label.row > *") == []


def overlaps(page: Page, selector: str) -> list[str]:
    """Name the words that reach into what stands beside them."""
    found: list[str] = page.eval_on_selector_all(
        selector,
        """nodes => {
          const box = node => {
            const own = node.getBoundingClientRect();
            if (node.matches("select")) return own;
            const range = document.createRange();
            range.selectNodeContents(node);
            const words = range.getBoundingClientRect();
            const [left, right] = [Math.min(words.left, own.left), Math.max(words.right, own.right)];
            return { left, right, top: own.top, bottom: own.bottom };
          };
          const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
            && a.top < b.bottom - 1 && b.top < a.bottom - 1;
          const boxes = nodes.map(box);
          const hit = (_, i) => boxes.some((other, j) => j !== i && meet(boxes[i], other));
          return nodes.filter(hit).map(node => node.textContent);
        }""",
    )
    return found


@pytest.mark.parametrize(("kept", "said"), [(False, "The camera keeps nothing"), (True, "Pictures are kept")])
def test_the_pages_say_what_the_camera_keeps_and_what_https_is_for(
    tmp_path: Path, phones: Phones, kept: bool, said: str
) -> None:
    made = make(tmp_path)
    made.deps = replace(made.deps, keeps_pictures=kept)
    with serving(made):
        page = phones.phone()
        for path in ("kept", "camera"):
            page.goto(f"{made.address}/{path}")
            expect(page.locator("article")).to_contain_text(said)
        page.goto(f"{made.address}/kept")
        for words in (
            "has to trust a certificate",
            "keeping the screen on",
            "cannot prove that nobody peeked",
        ):
            expect(page.locator("article")).to_contain_text(words)


def test_another_device_becomes_the_host_with_the_code_in_the_data_folder(home: Home, phones: Phones) -> None:
    home.open_table(None, None)
    old, new = hosting(phones, home), phones.phone()
    old.goto(home.address)
    in_step(old)
    new.goto(f"{home.address}/host")
    new.fill("#host-code", (home.folder / "host-code").read_text(encoding="utf-8").strip())
    new.click("form button.main")
    new.wait_for_selector("text=New game")
    expect(old.locator(".toast")).to_have_text("Another device is the host now.")
    old.goto(f"{home.address}/host")
    old.wait_for_selector("#host-code")


def test_turns_are_looked_through_with_a_slider(home: Home, phones: Phones) -> None:
    name = home.open_table("apollo", "minotaur")
    table = table_of(home, name)
    play_some(table, 3, 12)
    before = len(table.public().history)
    there = next(cell for cell in table.public().board if not cell.worker and not cell.height)
    right = EditBoard(do="edit_board", cells={there.cell: CellEdit(height=3)}, seq=table.around.seq)
    assert table.submit(Actor(None, "host"), right).ok
    play_some(table, 4, 8)
    turns = len(table.public().history)
    assert turns > before > 2
    page = phones.phone()
    page.goto(f"{home.address}/table/{name}")
    menu(page, "History")
    board = page.locator("dialog .drawing")
    last = board.inner_html()
    page.fill("dialog input[type=range]", "0")
    expect(page.locator("dialog .drawing .worker")).to_have_count(0)
    expect(page.locator("dialog .turn-words")).not_to_contain_text("1.")
    page.click("dialog .scrub button >> nth=1")
    expect(page.locator("dialog .turn-words")).to_contain_text("1. ")
    expect(page.locator("dialog .drawing .worker")).to_have_count(2)
    page.click("dialog button:has-text('Play')")
    # It plays to the end by itself and stops there.
    expect(page.locator("dialog button:has-text('Play')")).to_be_visible()
    expect(page.locator("dialog input[type=range]")).to_have_value(str(turns))
    assert board.inner_html() == last
    page.fill("dialog input[type=range]", str(before))
    space = page.locator(f"dialog .key[data-cell={there.cell}]")
    expect(space).not_to_have_attribute("aria-label", re.compile("level 3"))
    # A board that was set right stands so from the next turn on.
    page.fill("dialog input[type=range]", str(before + 1))
    expect(space).to_have_attribute("aria-label", re.compile("level 3"))


def test_sounds_are_off_and_the_rarer_pages_have_no_accessibility_problem(home: Home, phones: Phones) -> None:
    name = home.open_table(None, None)
    page = phones.phone("Pixel 7", reduced_motion="reduce")
    page.goto(home.host_address())
    page.click("text=Lights on the board")
    page.wait_for_selector("dialog h2")
    check(page)
    page.goto(home.invitation(name, "A"))
    in_step(page)
    menu(page, "Settings")
    page.wait_for_selector("dialog select")
    boxes = page.locator("dialog input[type=checkbox]")
    assert boxes.count() == 2
    assert not any(boxes.nth(number).is_checked() for number in range(2))
    page.click("dialog button:has-text('My own display')")
    page.wait_for_selector("dialog .hint")
    check(page)
    page.goto(f"{home.address}/table/nowhere")
    page.wait_for_selector("[role=alert]")
    check(page)


def test_a_tower_taken_off_for_its_pieces_is_said_on_the_phone(home: Home, phones: Phones) -> None:
    """2017: a shape has run out, and no camera has seen which tower gave its pieces."""
    board, workers = ["33333", "33333", "33330", "00000", "00000"], ["b1", "d1", "e1", "d2"]
    at = dict(zip(("A1", "A2", "B1", "B2"), workers, strict=True))
    position = {"board": board, "domes": ["a5", "b5"], "workers": at, "to_move": "A"}
    players = [{"seat": seat, "power": None, "name": seat} for seat in "AB"]
    plan = {"players": players, "edition": "spinmaster2017", "opening": {"position": position}}
    table = home.tables.create(plan)
    page = phones.phone()
    page.goto(home.invitation(table.id, "A"))
    in_step(page)
    menu(page, "A shape has run out")
    towers = page.locator("dialog button:has-text('The tower on')")
    expect(towers).to_have_text(["The tower on a5", "The tower on b5"])
    towers.last.click()
    eventually(page, lambda: table.public().supply["level3"] == 1)
    assert [cell.cell for cell in table.public().board if cell.proxy] == ["b5"]
