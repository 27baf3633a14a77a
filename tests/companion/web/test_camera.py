"""The camera from the host's phone: the wizard, a phone as camera, a photo."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import httpx
import numpy as np
import pytest

from calibration.lens_profile import find_lens, save_lens
from companion.live.watcher import Shown, Watcher
from companion.web.eye import closer
from companion.web.eyes import Eyes, Lent, jpeg_of
from tests.companion.live.test_drawn import draw, known
from tests.companion.live.test_knocked import BUILT, knocked
from tests.companion.web.browsing import Home, Phones
from tests.companion.web.rooms import Room, opening
from vision.overlay import overlay
from vision.reader import Reader
from vision.reading import EMPTY_BOARD, Board, Content, Picture
from vision.sources.base import Frame

pytestmark = pytest.mark.slow


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
        refused = client.post(f"{path}/corners", json={"corners": crossed}).json()
        assert refused["key"] == "wizard.fault.crossed"
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
        assert drawn is not None and drawn.shape < room.picture.shape, (
            "only the board is worth a phone's width"
        )
        # Coming back, what was kept is offered at once, and the marks stand where they were.
        again = client.post(path, json={"source": "still"}).json()
        assert again["verdict"] == solved["verdict"] and not again["watching"]
        assert again["step"] == "done" and not again["taken"]
        anew = client.post(f"{path}/take", json={"step": "empty"}).json()
        assert anew["step"] == "corners" and anew["verdict"] is None
        assert np.allclose(anew["corners"], room.corners(), atol=0.01)
        assert client.delete(path).status_code == 204
        assert client.get(path).json()["source"] is None


def board(**cells: tuple[int, str]) -> Board:
    """An empty board but for some spaces."""
    standing = {"abcde".index(name[0]) + 5 * int(name[1]) - 5: Content(*cells[name]) for name in cells}
    return tuple(standing.get(cell, content) for cell, content in enumerate(EMPTY_BOARD))


TABLEAU = board(
    b3=(1, ""), c3=(2, ""), d3=(3, ""), e3=(3, "dome"), a1=(0, "A"), b1=(0, "A"), d1=(0, "B"), e1=(0, "B")
)  # fmt: skip


def solved(room: Room, client: httpx.Client, path: str) -> dict[str, Any]:
    """Take the empty board and its corners."""
    client.post(path, json={"source": "still"})
    client.post(f"{path}/take", json={"step": "empty"})
    state: dict[str, Any] = client.post(f"{path}/corners", json={"corners": room.corners()}).json()
    assert state["verdict"] in ("good", "usable"), state
    return state


def test_what_was_read_is_confirmed_and_corrected(room: Room) -> None:
    table = room.home.open_table(None, None, colours=("blue", "grey"))
    path = f"/api/tables/{table}/camera"
    with hosting(room.home) as client:
        early = client.post(f"{path}/confirm", json={"cells": {}})
        assert early.status_code == 409
        solved(room, client, path)
        assert client.get(f"{path}/shot", params={"which": "empty"}).status_code == 200
        assert client.get(f"{path}/shot", params={"which": "plan"}).status_code == 200
        assert client.get(f"{path}/shot", params={"which": "check"}).status_code == 409
        room.show(TABLEAU)
        check = client.post(f"{path}/take", json={"step": "tableau"}).json()["check"]
        assert check["step"] == "tableau" and standing(check) == TABLEAU
        assert client.get(f"{path}/shot", params={"which": "check"}).status_code == 200
        state = client.post(f"{path}/confirm", json={"cells": {}}).json()
        assert (state["step"], state["check"], state["may_measure"]) == ("placed", None, True)
        # The workers stand anywhere, on what was built so far.
        room.show(now := board(c3=(1, "A"), b2=(0, "A"), e4=(0, "B"), d5=(2, "B"), a5=(1, "")))
        check = client.post(f"{path}/take", json={"step": "placed"}).json()["check"]
        assert standing(check) == now
        strange = client.post(f"{path}/confirm", json={"cells": {"c3": {"height": 1, "top": "Z"}}})
        assert strange.status_code == 409
        outside = client.post(f"{path}/confirm", json={"cells": {"c9": {"height": 1, "top": ""}}})
        assert outside.status_code == 422
        state = client.post(f"{path}/confirm", json={"cells": {"a5": {"height": 1, "top": ""}}}).json()
        assert (state["step"], state["verdict"]) == ("done", "good")
        # The game's own colours are well apart; what towers hide is another matter.
        assert [problem["key"] for problem in state["problems"]] == ["wizard.problem.hidden"]
        learned = room.eyes._eyes[table].calibration
        assert learned is not None and learned.palette.workers["A"].samples > 100


def standing(check: dict[str, Any]) -> Board:
    return tuple(Content(cell["height"], cell["top"]) for cell in check["cells"])


def test_the_set_on_the_table_is_chosen_and_remembered(room: Room) -> None:
    table = room.home.open_table(None, None)
    path = f"/api/tables/{table}/camera"
    lenses = room.folder / "lenses"
    lenses.mkdir(parents=True)
    save_lens(find_lens("logitech-c920"), lenses / "mine.json")
    with hosting(room.home) as client:
        choices = client.get("/api/cameras/kit").json()
        assert set(choices["pieces"]) == {"classic", "licensed-model", "round-towers"}
        assert choices["mats"] == ["none", "a3", "a4", "a3x2"] and "mine" in choices["lenses"]
        kit = {"pieces": "round-towers", "mat": "a3x2", "lens": "mine", "colours": {"A": "red", "B": "cream"}}
        assert client.put(f"{path}/kit", json=kit).status_code == 409
        client.post(path, json={"source": "still"})
        for bad in ({"pieces": "lego"}, {"mat": "a9"}, {"lens": "glass"}, {"colours": {"A": "mauve"}}):
            assert client.put(f"{path}/kit", json={**kit, **bad}).status_code == 409
        same = client.put(f"{path}/kit", json={**kit, "colours": {"A": "red", "B": "red"}}).json()
        assert same["key"] == "wizard.kit.same"
        chosen = client.put(f"{path}/kit", json=kit).json()
        assert chosen["colours"] == kit["colours"]
        again = client.post(path, json={"source": "still"}).json()
        assert again["kit"] == {"pieces": "round-towers", "mat": "a3x2", "lens": "mine"}
        assert again["colours"] == kit["colours"]
        known = room.eyes._eyes[table].session.table
        assert known.profile.name == "round-towers" and known.lens is not None
        (lenses / "mine.json").unlink()
        assert client.post(path, json={"source": "still"}).json()["kit"]["lens"] is None
        (room.folder / "kit.json").write_text("{broken", "utf-8")
        assert client.post(path, json={"source": "still"}).json()["kit"]["pieces"] == "classic"


def test_an_own_set_is_measured_and_can_be_chosen_from_then_on(room: Room) -> None:
    table = room.home.open_table(None, None, colours=("blue", "grey"))
    path = f"/api/tables/{table}/camera"
    with hosting(room.home) as client:
        solved(room, client, path)
        early = client.post(f"{path}/measure").json()
        assert early["key"] == "wizard.measure.tableau"
        room.show(TABLEAU)
        client.post(f"{path}/take", json={"step": "tableau"})
        client.post(f"{path}/confirm", json={"cells": {}})
        state = client.post(f"{path}/measure").json()
        assert state["kit"]["pieces"] == "measured" and state["verdict"] == "good"
        assert "measured" in client.get("/api/cameras/kit").json()["pieces"]
        kit = {"pieces": "measured", "mat": "none", "lens": None, "colours": {}}
        assert client.put(f"{path}/kit", json=kit).json()["kit"]["pieces"] == "measured"


def test_in_a_rematch_the_workers_keep_their_colours(room: Room) -> None:
    first = room.home.open_table(None, None, colours=("blue", "grey"))
    path = f"/api/tables/{first}/camera"
    with hosting(room.home) as client:
        solved(room, client, path)
        room.show(TABLEAU)
        client.post(f"{path}/take", json={"step": "tableau"})
        client.post(f"{path}/confirm", json={"cells": {}})
        assert client.post(f"{path}/keep").json()["watching"]
        before = room.eyes._eyes[first].calibration
        second = room.home.open_table(None, None, colours=("grey", "blue"))
        old, new = room.home.tables.get(first), room.home.tables.get(second)
        assert old is not None and new is not None and before is not None
        room.eyes.follow(old, new)
        after = room.eyes._eyes[second].calibration
        assert after is not None and after.colours == {"A": "grey", "B": "blue"}
        assert after.palette.workers["B"] == before.palette.workers["A"]
        assert client.get(f"/api/tables/{second}/camera").json()["watching"]
        # The calibration that was kept serves a game with other sides as well.
        client.delete(f"/api/tables/{second}/camera")
        again = client.post(f"/api/tables/{second}/camera", json={"source": "still"}).json()
        assert (again["step"], again["verdict"]) == ("done", "good")


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


def test_after_a_knock_what_is_seen_is_drawn_where_the_board_is_now(room: Room) -> None:
    found = room.home.tables.get(room.home.open_table(None, None))
    assert found is not None
    reader, picture = Reader(known()), knocked(draw(BUILT, hand=False))
    reading, now = reader.look(picture), reader.setting.calibration
    assert reading.camera == "moved" and now is not known()
    watcher = SimpleNamespace(shown=Shown(Frame(picture, 0.0, 1), reading, now))
    lent = SimpleNamespace(table=found, watcher=watcher, calibration=known())
    room.eyes.lend(cast("Lent", lent))
    drawn = overlay(picture, reading, now.camera, now.profile, dict(now.colours))
    assert room.eyes.picture(found, overlay=True) == jpeg_of(closer(drawn, now))
    found.surround(camera="soft")
    with hosting(room.home) as client:
        answer = client.get(f"/api/tables/{found.id}/camera/picture", params={"overlay": True})
        assert answer.headers["Camera-Says"] == "soft"


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


def test_workers_that_look_alike_are_named(tmp_path: Path) -> None:
    room = Room(tmp_path, {"A": "grey", "B": (141, 129, 128)})
    try:
        table = room.home.open_table(None, None, colours=("grey", "tan"))
        path = f"/api/tables/{table}/camera"
        with hosting(room.home) as client:
            assert "wizard.colours.close" not in str(solved(room, client, path)["problems"])
            room.show(TABLEAU)
            client.post(f"{path}/take", json={"step": "tableau"})
            problems = client.post(f"{path}/confirm", json={"cells": {}}).json()["problems"]
        close = [problem["facts"] for problem in problems if problem["key"] == "wizard.colours.close"]
        named = {"first": {"key": "ui.colour.grey"}, "second": {"key": "ui.colour.brown"}}
        assert close == [named]
    finally:
        room.close()


def test_a_camera_that_was_set_up_before_is_ready_to_read_when_it_is_opened(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restart, too: the first look at the board is no slower than the next."""
    primed: list[str] = []
    monkeypatch.setattr("companion.web.eyes.primed_aside", lambda: primed.append("aside"))
    table = room.home.open_table(None, None)
    path = f"/api/tables/{table}/camera"
    with hosting(room.home) as client:
        assert client.post(path, json={"source": "still"}).json()["step"] == "empty"
        assert not primed
        client.post(f"{path}/take", json={"step": "empty"})
        client.post(f"{path}/corners", json={"corners": room.corners()})
        for step in ("tableau", "placed"):
            client.post(f"{path}/skip", json={"step": step})
        assert client.post(f"{path}/keep").json()["watching"]
    found = room.home.tables.get(table)
    assert found is not None
    eyes = Eyes(room.folder, opener=opening(lambda: room.picture))
    try:
        assert eyes.resume(found, "still") and primed == ["aside"]
    finally:
        eyes.stop()


@pytest.mark.browser
@pytest.mark.parametrize("model", ["Pixel 7", "Desktop Chrome"])
def test_what_the_camera_has_is_told_in_words(room: Room, phones: Phones, model: str) -> None:
    table = room.home.open_table(None, None)
    found = room.home.tables.get(table)
    assert found is not None
    host, player = phones.phone(model), phones.phone(model)
    host.goto(room.home.host_address())
    host.wait_for_selector("text=New game")
    for page in (host, player):
        page.goto(f"{room.home.address}/table/{table}")
    for says, words, everybody in (
        ("soft", "out of focus", True),
        ("found_again", "found the board again", True),
        ("light", "light has changed", True),
        ("glare", "Too bright", False),
    ):
        found.surround(camera=says)
        host.wait_for_selector(f".hint.camera:has-text('{words}')")
        player.wait_for_selector(f".eye.see-{says}[aria-label*='{words}']")
        assert player.locator(".hint.camera").count() == everybody


@pytest.mark.browser
@pytest.mark.parametrize("model", ["Pixel 7", "Desktop Chrome"])
def test_the_hosts_picture_says_what_the_camera_has(room: Room, phones: Phones, model: str) -> None:
    found = room.home.tables.get(room.home.open_table(None, None))
    assert found is not None
    watcher = SimpleNamespace(shown=Shown(Frame(room.picture, 0.0, 1), None))
    room.eyes.lend(cast("Lent", SimpleNamespace(table=found, watcher=watcher, calibration=known())))
    host = phones.phone(model)
    host.goto(room.home.host_address())
    host.click("button[data-wizard]")
    host.wait_for_selector("img.picture[src]")
    assert host.inner_text(".waiting-note") == ""
    found.surround(camera="soft")
    host.wait_for_selector(".waiting-note:has-text('out of focus')")
