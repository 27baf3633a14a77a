"""Games, settings, and upcasting of old events."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.store import Event, GameExists, NewerEvent, NewEvent, Store, UnknownGame, Upcasters, private_to
from companion.store.games import (
    GameRow,
    create_game,
    game,
    games,
    mark_game,
    set_setting,
    setting,
)
from companion.store.seats import SeatRow, holds, offer, pair, save_seat, seats
from tests.companion.store.test_events import steps


def test_the_list_of_games(store: Store) -> None:
    store.write(create_game(GameRow("g2", "table 2", 3000)))
    store.write(create_game(GameRow("g3", "table 1", 2000)))
    assert [row.id for row in store.read(games())] == ["g2", "g3", "g1"]
    assert [row.id for row in store.read(games("table 1"))] == ["g3", "g1"]
    assert store.read(game("g1")) == GameRow("g1", "table 1", 1000, "running", "An evening")
    assert store.read(game("gx")) is None
    with pytest.raises(GameExists, match="g1"):
        store.write(create_game(GameRow("g1", "table 9", 9)))


def test_a_game_changes_its_state_and_title(store: Store) -> None:
    store.write(mark_game("g1", state="over"))
    store.write(mark_game("g1", title="Rematch"))
    store.write(mark_game("g1"))
    assert store.read(game("g1")) == GameRow("g1", "table 1", 1000, "over", "Rematch")
    with pytest.raises(UnknownGame):
        store.write(mark_game("gx", state="over"))


def test_deleting_a_game_takes_everything_along(store: Store) -> None:
    store.write(create_game(GameRow("g2", "table 1", 1000)))
    for name in ("g1", "g2"):
        store.append(name, steps(1, 2), 0)
        store.write(save_seat(SeatRow(name, "A", "Anna")))
        store.write(offer(name, "A", f"code {name}", 9000))
        store.write(pair(f"code {name}", f"token {name}", 1000))
    store.delete_game("g1")
    with pytest.raises(UnknownGame):
        store.events("g1")
    assert store.read(seats("g1")) == ()
    assert store.read(holds("token g1")) == ()
    assert len(store.read(holds("token g2"))) == 1
    assert len(store.events("g2")) == 2
    with pytest.raises(UnknownGame):
        store.delete_game("g1")
    for table in ("event", "seat", "pairing", "hold", "device"):
        rows = store.read(lambda c, table=table: c.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar())
        assert rows == (2 if table == "event" else 1), table


def test_a_deleted_game_leaves_no_byte_behind(tmp_path: Path) -> None:
    with Store.open(tmp_path / "santorini.db") as store:
        store.write(create_game(GameRow("g1", "t", 1, title="A very private evening")))
        store.append("g1", [NewEvent("said", {"x": "words nobody shall find"}, 1)] * 50, 0)
        files = list(tmp_path.iterdir())
        assert any(b"words nobody shall find" in file.read_bytes() for file in files)
        store.delete_game("g1")
        for file in tmp_path.iterdir():
            assert b"words nobody" not in file.read_bytes(), file
            assert b"very private" not in file.read_bytes(), file
        store.write(create_game(GameRow("g1", "t", 1)))


def test_settings(store: Store) -> None:
    assert store.read(setting("sound", False)) is False
    for value in (True, {"volume": 3}, None, "x"):
        store.write(set_setting("sound", value))
        assert store.read(setting("sound", "unset")) == value


SECOND = Upcasters({("step", 1): lambda payload: {"number": payload["n"]}})
THIRD = Upcasters({**SECOND.steps, ("step", 2): lambda payload: {**payload, "unit": "step"}})


def test_old_events_are_read_as_todays(store: Store, address: str | Path) -> None:
    store.append("g1", [*steps(1), NewEvent("step", {"number": 2}, 1, schema=2), NewEvent("other", {}, 1)], 0)
    with Store.open(address, THIRD) as later:
        first, second, other = later.events("g1")
    assert first == Event("g1", 1, "step", 3, "public", {"number": 1, "unit": "step"}, 1001)
    assert (second.schema, second.payload) == (3, {"number": 2, "unit": "step"})
    assert (other.schema, THIRD.current("other"), THIRD.current("step")) == (1, 1, 3)
    assert (
        store.read(lambda c: c.exec_driver_sql("SELECT payload FROM event WHERE seq = 1").scalar())
        == '{"n":1}'
    )


def test_an_event_of_a_later_program_is_refused(store: Store, address: str | Path) -> None:
    store.append("g1", [NewEvent("step", {}, 1, schema=3)], 0)
    store.append("g1", [NewEvent("hidden", {"sealed": {}}, 1, private_to("A"), schema=2)], 1)
    with (
        Store.open(address, SECOND) as earlier,
        pytest.raises(NewerEvent, match="install the later") as caught,
    ):
        earlier.events("g1")
    assert (caught.value.schema, caught.value.known) == (3, 2)
    with Store.open(address, THIRD) as earlier, pytest.raises(NewerEvent, match="hidden"):
        earlier.events("g1")


def test_sealed_events_are_upcast_by_whoever_opens_them(store: Store, address: str | Path) -> None:
    store.append("g1", [NewEvent("step", {"sealed": {"v": 1}}, 1, private_to("A"))], 0)
    with Store.open(address, SECOND) as later:
        (event,) = later.events("g1")
    assert (event.schema, event.payload) == (1, {"sealed": {"v": 1}})
    assert SECOND.raised("step", event.schema, {"n": 7}) == {"number": 7}
