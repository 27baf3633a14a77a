"""How often one may guess, and the code that makes a device the host."""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def short_code() -> str:
    """Return a code that a person can type: two groups of five, about 49 bits."""
    letters = [secrets.choice(LETTERS) for _ in range(10)]
    return "".join(letters[:5]) + "-" + "".join(letters[5:])


def plain(code: str) -> str:
    """Return a typed code as it was printed: blanks and lower case are forgiven."""
    letters = "".join(c for c in code.upper() if c in LETTERS)
    return f"{letters[:5]}-{letters[5:]}" if len(letters) == 10 else code.strip()


class HostCode:
    """The host's code: printed at the start, kept in the data folder, new after every use."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> str:
        """Return the code that is valid now; made when there is none."""
        try:
            known = plain(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return self._renew()
        return known or self._renew()

    def redeem(self, code: str) -> bool:
        """Use the code up; false when it is not the one that is valid now."""
        right = hmac.compare_digest(plain(code).encode(), self.read().encode())
        if right:
            self._renew()
        return right

    def _renew(self) -> str:
        code = short_code()
        fresh = self._path.with_suffix(".new")
        fresh.touch(mode=0o600)
        fresh.write_text(code + "\n", "utf-8")
        fresh.replace(self._path)
        return code


class Signs:
    """Signs by which people tell one table screen from another; they open nothing."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)

    def of(self, cookie: str | None) -> str:
        """Return the sign of a screen: the same for the same cookie, which nobody can work out from it."""
        digest = hmac.digest(self._key, (cookie or secrets.token_hex(8)).encode(), "sha256")
        return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:4])


class Rate:
    """A bucket of tries per caller; the number of callers it remembers is bounded."""

    def __init__(self, clock: Callable[[], float], tries: int, seconds: float, callers: int = 1000) -> None:
        self._clock = clock
        self._tries = tries
        self._refill = tries / seconds
        self._callers = callers
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, caller: str) -> bool:
        """Take one try; false when the caller has none left."""
        now = self._clock()
        left, then = self._left.pop(caller, (float(self._tries), now))
        left = min(float(self._tries), left + (now - then) * self._refill)
        self._left[caller] = (left - 1 if left >= 1 else left, now)
        while len(self._left) > self._callers:
            self._left.popitem(last=False)
        return left >= 1
