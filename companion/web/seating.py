"""Who holds which seat: a device is its cookie, never a name; everything is kept by the store."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy.engine import Connection

from companion.store import Store
from companion.store.events import Work
from companion.store.games import set_setting, setting
from companion.store.seats import (
    CAMERA,
    SeatRow,
    holders,
    holds,
    move_hold,
    new_code,
    new_token,
    offer,
    pair,
    release,
    save_seat,
    seats,
)  # fmt: skip

MINUTES = 10
HOST_KEY = "web.host"


@dataclass(frozen=True)
class Device:
    """A phone, a laptop or a television, as far as it was paired."""

    host: bool = False
    places: frozenset[tuple[str, str]] = frozenset()
    looks: frozenset[str] = frozenset()
    """The games whose camera this device is; that is no seat."""

    def holds(self, game: str, seat: str) -> bool:
        """Tell whether this device speaks for a seat."""
        return (game, seat) in self.places

    def seats(self, game: str) -> tuple[str, ...]:
        """Return the seats this device holds in a game."""
        return tuple(sorted(seat for at, seat in self.places if at == game))


@dataclass(frozen=True)
class Taken:
    """A seat that was taken with a code: which, by what cookie."""

    game: str
    seat: str
    cookie: str


class Seating:
    """Codes, seats and the host, with a small memory in front of the store."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, Device] = {}

    def device(self, cookie: str | None) -> Device:
        """Return what the device with this cookie may do."""
        if not cookie:
            return Device()
        mark = _mark(cookie)
        with self._lock:
            found = self._known.get(mark)
            if found is None:
                found = self._known[mark] = self._read(cookie, mark)
                # Cookies are made by callers, so the memory of them must not grow without end.
                while len(self._known) > 1000:
                    del self._known[next(iter(self._known))]
        return found

    def _read(self, cookie: str, mark: str) -> Device:
        held = self._store.read(holds(cookie))
        places = frozenset((hold.game, hold.seat) for hold in held if hold.seat != CAMERA)
        looks = frozenset(hold.game for hold in held if hold.seat == CAMERA)
        return Device(self._store.read(setting(HOST_KEY)) == mark, places, looks)

    def taken(self, game: str) -> frozenset[str]:
        """Return the seats of a game that a device holds."""
        return frozenset(hold.seat for hold in self._store.read(holders(game)) if hold.seat != CAMERA)

    def has_camera(self, game: str) -> bool:
        """Tell whether a device is the camera of a game."""
        return any(hold.seat == CAMERA for hold in self._store.read(holders(game)))

    def offer(self, game: str, seat: str, minutes: float = MINUTES) -> tuple[str, float]:
        """Make a code for a seat; earlier ones of that seat end. Returns it with the time it ends."""
        code, until = new_code(), self._clock() + minutes * 60
        self._store.write(offer(game, seat, code, int(until * 1000)))
        return code, until

    def pair(self, code: str, cookie: str | None, camera: bool = False) -> Taken:
        """Swap a code for its seat, or for being the camera; raises `PairingRefused`."""
        cookie = cookie or new_token()
        hold = self._store.write(pair(code, cookie, int(self._clock() * 1000), camera))
        self._forget()
        return Taken(hold.game, hold.seat, cookie)

    def release(self, game: str, seat: str) -> bool:
        """Put out the device that holds a seat; true when there was one."""
        out = self._store.write(release(game, seat, int(self._clock() * 1000)))
        self._forget()
        return bool(out)

    def take_camera_along(self, old: str, fresh: str) -> None:
        """Let the device that was the camera of a game be that of the next one."""
        self._store.write(move_hold(old, fresh, CAMERA))
        self._forget()

    def languages(self, game: str) -> dict[str, str]:
        """Return the language of every seat that has chosen one."""
        return {row.seat: row.language for row in self._store.read(seats(game))}

    def speak(self, game: str, seat: str, language: str) -> None:
        """Keep the language of a seat with its game."""
        self._store.write(spoken(game, seat, language))

    def make_host(self, cookie: str | None) -> str:
        """Make this device the only host; returns its cookie."""
        cookie = cookie or new_token()
        self._store.write(set_setting(HOST_KEY, _mark(cookie)))
        self._forget()
        return cookie

    def has_host(self) -> bool:
        """Tell whether any device is the host."""
        return self._store.read(setting(HOST_KEY)) is not None

    def _forget(self) -> None:
        with self._lock:
            self._known.clear()


def spoken(game: str, seat: str, language: str) -> Work[None]:
    """Change the language of a seat and nothing else about it."""

    def work(connection: Connection) -> None:
        known = {row.seat: row for row in seats(game)(connection)}
        save_seat(replace(known.get(seat, SeatRow(game, seat)), language=language))(connection)

    return work


def _mark(cookie: str) -> str:
    return hashlib.sha256(f"santorini cookie {cookie}".encode()).hexdigest()
