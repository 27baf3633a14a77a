"""Seats and devices: codes work once and for minutes, a taken seat stays taken, a lost phone is put out."""

from __future__ import annotations

import threading

import pytest

from companion.store import PairingRefused, Store, UnknownGame
from companion.store.games import GameRow, create_game
from companion.store.seats import (
    HOST,
    SCREEN,
    Hold,
    SeatRow,
    holders,
    holds,
    new_code,
    new_token,
    offer,
    pair,
    release,
    save_seat,
    seats,
)


def joined(store: Store, seat: str, token: str, game: str = "g1") -> Hold:
    code = new_code()
    store.write(offer(game, seat, code, expires=5000))
    return store.write(pair(code, token, now=1000))


def refused(store: Store, code: str, now: int = 1000) -> str:
    with pytest.raises(PairingRefused) as caught:
        store.write(pair(code, new_token(), now))
    return caught.value.why


def test_wishes_of_a_seat(store: Store) -> None:
    store.write(save_seat(SeatRow("g1", "B", "Bruno", "it", "off")))
    store.write(save_seat(SeatRow("g1", "A", "Ania", "pl")))
    store.write(save_seat(SeatRow("g1", "B", "Bruno", "fr", "explain")))
    assert store.read(seats("g1")) == (
        SeatRow("g1", "A", "Ania", "pl", "legal"),
        SeatRow("g1", "B", "Bruno", "fr", "explain"),
    )
    with pytest.raises(UnknownGame):
        store.write(save_seat(SeatRow("gx", "A")))


def test_a_code_gives_its_seat_once(store: Store) -> None:
    code, token = new_code(), new_token()
    store.write(offer("g1", "A", code, expires=5000))
    hold = store.write(pair(code, token, now=4999))
    assert (hold.game, hold.seat) == ("g1", "A")
    assert store.read(holds(token)) == (hold,)
    assert store.read(holders("g1")) == (hold,)
    assert refused(store, code) == "used"
    assert store.read(holds(new_token())) == ()


def test_codes_end_and_are_replaced(store: Store) -> None:
    first, second = new_code(), new_code()
    store.write(offer("g1", "A", first, expires=5000))
    assert refused(store, first, now=5000) == "expired"
    store.write(offer("g1", "A", second, expires=5000))
    assert refused(store, first) == "unknown"
    assert refused(store, "") == "unknown"
    with pytest.raises(UnknownGame):
        store.write(offer("gx", "A", new_code(), expires=5000))
    store.write(pair(second, new_token(), now=1000))


def test_a_taken_seat_is_not_taken_over(store: Store) -> None:
    old, code = new_token(), new_code()
    hold = joined(store, "A", old)
    store.write(offer("g1", "A", code, expires=5000))
    assert refused(store, code) == "taken"
    assert store.read(holders("g1")) == (hold,)
    # The refusal used nothing up: after the host put the lost phone out the same code works.
    assert store.write(release("g1", "A", now=2000)) == (hold,)
    assert store.read(holds(old)) == ()
    new = store.write(pair(code, new_token(), now=3000))
    assert store.read(holders("g1")) == (new,)
    assert new.device != hold.device


def test_the_database_itself_allows_one_holder_a_seat(store: Store) -> None:
    hold = joined(store, "A", new_token())
    row = f"('x', '{hold.game}', 'A', '{hold.device}', TRUE, 1)"
    forced = f"INSERT INTO hold (id, game, seat, device, exclusive, since) VALUES {row}"
    with pytest.raises(Exception, match="refused"):
        store.write(lambda connection: connection.exec_driver_sql(forced))


def test_one_phone_may_hold_several_seats_and_games(store: Store) -> None:
    token = new_token()
    store.write(create_game(GameRow("g2", "table 1", 1)))
    held = [joined(store, "A", token), joined(store, "B", token), joined(store, "A", token, "g2")]
    assert store.read(holds(token)) == tuple(held)
    assert len({hold.device for hold in held}) == 1
    assert joined(store, "A", token) == held[0]
    assert len(store.read(holders("g1"))) == 2


def test_many_screens_one_host(store: Store) -> None:
    screens = [joined(store, SCREEN, new_token()) for _ in range(3)]
    host = joined(store, HOST, new_token())
    assert store.read(holders("g1")) == (host, *sorted(screens, key=lambda hold: hold.device))
    code = new_code()
    store.write(offer("g1", HOST, code, expires=5000))
    assert refused(store, code) == "taken"


def test_codes_and_tokens_are_kept_as_hashes_only(store: Store) -> None:
    code, token = new_code(), new_token()
    store.write(offer("g1", "A", code, expires=5000))
    store.write(pair(code, token, now=1000))
    for table in ("pairing", "device", "hold"):
        query = f"SELECT * FROM {table}"
        rows = store.read(lambda connection, query=query: connection.exec_driver_sql(query).all())
        assert rows
        assert code not in str(rows)
        assert token not in str(rows)
    assert len({new_code() for _ in range(100)} | {new_token() for _ in range(100)}) == 200


def test_of_two_phones_with_one_code_one_gets_in(store: Store) -> None:
    code = new_code()
    store.write(offer("g1", "A", code, expires=5000))
    results: list[str] = []

    def scan() -> None:
        try:
            store.write(pair(code, new_token(), now=1000))
            results.append("in")
        except PairingRefused as refusal:
            results.append(refusal.why)

    phones = [threading.Thread(target=scan) for _ in range(5)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join(30)
    assert sorted(results) == ["in", "used", "used", "used", "used"]
