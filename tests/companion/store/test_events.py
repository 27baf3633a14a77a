"""The event log: numbered without gaps, all or none, nobody between, secrets only sealed."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.secrets import Place, SeatKey, seal, unseal
from companion.store import (
    ClearSecret,
    Closed,
    Conflict,
    Event,
    NewEvent,
    Payload,
    Store,
    UnknownGame,
    append,
    last_seq,
    private_to,
)
from companion.store.games import GameRow, create_game

pytestmark = pytest.mark.slow


def steps(*numbers: int) -> list[NewEvent]:
    return [NewEvent("step", {"n": n}, 1000 + n) for n in numbers]


def test_events_are_numbered_from_one_without_gaps(store: Store) -> None:
    assert store.read(last_seq("g1")) == 0
    first = store.append("g1", steps(1), expected=0)
    assert first == (Event("g1", 1, "step", 1, "public", {"n": 1}, 1001),)
    store.append("g1", steps(2, 3), expected=1)
    assert [(event.seq, event.payload) for event in store.events("g1")] == [(n, {"n": n}) for n in (1, 2, 3)]
    assert [event.seq for event in store.events("g1", after=2)] == [3]
    assert store.read(last_seq("g1")) == 3
    assert store.append("g1", [], expected=3) == ()


def test_games_do_not_mix(store: Store) -> None:
    store.write(create_game(GameRow("g2", "table 2", 1000)))
    store.append("g1", steps(1), expected=0)
    store.append("g2", steps(1, 2), expected=0)
    assert len(store.events("g1")) == 1
    assert len(store.events("g2")) == 2


@pytest.mark.parametrize("expected", [0, 1, 3, -1])
def test_whoever_comes_late_has_to_read_again(store: Store, expected: int) -> None:
    store.append("g1", steps(1, 2), expected=0)
    with pytest.raises(Conflict) as caught:
        store.append("g1", steps(9), expected=expected)
    assert (caught.value.game, caught.value.expected, caught.value.found) == ("g1", expected, 2)
    assert len(store.events("g1")) == 2


def test_no_game_no_event(store: Store) -> None:
    with pytest.raises(UnknownGame, match="'gx'"):
        store.append("gx", steps(1), expected=0)
    with pytest.raises(UnknownGame):
        store.events("gx")


def test_all_events_of_an_append_or_none(store: Store) -> None:
    broken = [*steps(1), NewEvent("step", {"n": float("nan")}, 1000)]
    with pytest.raises(ValueError, match="JSON"):
        store.append("g1", broken, expected=0)
    assert store.events("g1") == ()


def test_a_private_event_is_sealed_or_refused(store: Store) -> None:
    with pytest.raises(ClearSecret, match="seat:A"):
        store.append("g1", [NewEvent("placed", {"A1": "c3"}, 1000, private_to("A"))], expected=0)
    with pytest.raises(ClearSecret):
        both: Payload = {"sealed": {}, "also": "c3"}
        store.append("g1", [NewEvent("placed", both, 1000, private_to("A"))], expected=0)
    assert store.events("g1") == ()
    key, place = SeatKey(bytes(32)), Place("g1", "A", 2)
    sealed = NewEvent("placed", seal(key, place, {"A1": "c3"}), 1000, private_to("A"))
    store.append("g1", [*steps(1), sealed], expected=0)
    stored = store.events("g1", after=1)[0]
    assert unseal(key, place, stored.payload) == {"A1": "c3"}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_what_is_read_is_what_was_written(store: Store, payload: Payload) -> None:
    at = store.read(last_seq("g1"))
    store.append("g1", [NewEvent("any", payload, 2**52)], expected=at)
    (event,) = store.events("g1", after=at)
    assert (event.payload, event.at) == (payload, 2**52)


def test_half_a_surrogate_pair_and_nul_are_kept(store: Store) -> None:
    store.append("g1", [NewEvent("odd", {"text": "\x00\ud800"}, 1)], expected=0)
    assert store.events("g1")[0].payload == {"text": "\x00\ud800"}


def _racer(store: Store, name: str, count: int, conflicts: list[int]) -> None:
    for n in range(count):
        while True:
            try:
                store.append(
                    "g1", [NewEvent("raced", {"by": name, "n": n}, n)] * 2, store.read(last_seq("g1"))
                )
                break
            except Conflict as conflict:
                conflicts.append(conflict.found)


def test_two_writers_cannot_come_between_each_other(address: str | Path, store: Store) -> None:
    conflicts: list[int] = []
    with Store.open(address) as other:
        racers = [
            threading.Thread(target=_racer, args=(one, name, 15, conflicts))
            for one, name in ((store, "a"), (store, "b"), (other, "c"), (other, "d"))
        ]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join(60)
    events = store.events("g1")
    assert [event.seq for event in events] == list(range(1, 121))
    assert all(first.payload == second.payload for first, second in zip(events[::2], events[1::2]))
    for name in "abcd":
        assert [e.payload["n"] for e in events[::2] if e.payload["by"] == name] == list(range(15))
    assert conflicts, "nobody ever met anybody, so this showed nothing"


def test_awaiting_an_append_leaves_the_loop_free(store: Store) -> None:
    async def many() -> list[tuple[Event, ...]]:
        names = [f"n{i}" for i in range(20)]
        for name in names:
            await store.write_async(create_game(GameRow(name, "t", 1)))
        return list(await asyncio.gather(*(store.append_async(name, steps(1, 2), 0) for name in names)))

    done = asyncio.run(many())
    assert [events[0].game for events in done] == [f"n{i}" for i in range(20)]
    assert all(len(store.events(events[0].game)) == 2 for events in done)


def test_a_cancelled_await_leaves_all_or_nothing(store: Store) -> None:
    async def cancelled() -> None:
        task = asyncio.create_task(store.append_async("g1", steps(1, 2), 0))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    # Asked in the writer's own queue, behind the cancelled append.
    found = store.write(last_seq("g1"))
    assert found in (0, 2)
    store.write(append("g1", steps(9), expected=found))
    assert len(store.events("g1")) == found + 1


def test_a_closed_store_takes_nothing(address: str | Path) -> None:
    opened = Store.open(address)
    opened.write(create_game(GameRow("g1", "t", 1)))
    opened.close()
    with pytest.raises(Closed):
        opened.append("g1", steps(1), expected=0)
    opened.close()
    with Store.open(address) as again:
        assert again.events("g1") == ()
