"""The canary scanner itself: whatever way a leak is dressed, it is seen; what is no leak is not."""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
import urllib.parse
import zlib
from collections.abc import Callable
from random import Random

import pytest

from companion.secrets import Place, SeatKey, seal
from tests.companion.secrets.canary import Canary, assert_silent, scan

CANARY = Canary.hatch(Random(7), "Hecate's salt")
TEXT, RAW = CANARY.text, CANARY.raw

PLANTED: dict[str, bytes | str | list[bytes]] = {
    "plain": f'{{"salt": "{TEXT}"}}',
    "digits alone": RAW.hex(),
    "raw": b"\x00" + RAW + b"\x00",
    "second message": [b"{}", RAW, b"{}"],
    "json escapes": "".join(f"\\u{ord(c):04x}" for c in TEXT),
    "percent": "".join(f"%{ord(c):02x}" for c in TEXT),
    "percent raw": urllib.parse.quote_from_bytes(RAW),
    "html": "".join(f"&#{ord(c)};" for c in TEXT),
    "html safe": html.escape(f"<{TEXT}>"),
    "log line": repr({"x": RAW}),
    "list of bytes": json.dumps(list(RAW)),
    "narrow list of bytes": json.dumps(list(RAW), separators=(",", ":")),
    "utf-16": TEXT.encode("utf-16"),
    "reversed": TEXT[::-1],
    "hex of text": TEXT.encode().hex(),
    "HEX of raw": RAW.hex().upper(),
    "gzip": b"HTTP/1.1 200\r\n\r\n" + gzip.compress(TEXT.encode()),
    "zlib": zlib.compress(b"x" * 100 + RAW),
    "base64 of gzip": base64.b64encode(gzip.compress(b"some more words here" + RAW)),
    "base64 of base64": base64.b64encode(base64.b64encode(b"ab" + RAW + b"more words")),
    "json in base64": base64.urlsafe_b64encode(json.dumps({"value": TEXT}).encode()),
    **{f"base64 behind {n}": base64.b64encode(b"q" * n + RAW + b"more") for n in range(6)},
    **{f"base64 text behind {n}": base64.urlsafe_b64encode(b"q" * n + TEXT.encode()) for n in range(3)},
}


@pytest.mark.parametrize("how", PLANTED)
def test_a_planted_leak_fails(how: str) -> None:
    leaks = scan({"web": b"fine", "bus": PLANTED[how]}, [Canary.hatch(Random(8)), CANARY])
    assert leaks
    assert {(leak.channel, leak.canary) for leak in leaks} == {("bus", "Hecate's salt")}
    with pytest.raises(AssertionError, match="Hecate's salt leaked on bus"):
        assert_silent({"bus": PLANTED[how]}, [CANARY])


QUIET: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "another canary": lambda: Canary.hatch(Random(8)).text.encode(),
    "half of it": lambda: TEXT.encode()[: len(TEXT) // 2],
    "random bytes": lambda: os.urandom(1 << 16),
    "random base64": lambda: base64.b64encode(os.urandom(1 << 16)),
    "a sealed payload": lambda: json.dumps(
        seal(SeatKey(RAW * 2), Place("g", "A", 1), {"salt": TEXT})
    ).encode(),
    "the key's id": lambda: SeatKey(RAW * 2).id.encode(),
    "the key printed": lambda: repr(SeatKey(RAW * 2)).encode(),
}


@pytest.mark.parametrize("what", QUIET)
def test_what_is_no_leak_passes(what: str) -> None:
    assert_silent({"web": QUIET[what]()}, [CANARY])


def test_an_empty_watch_fails() -> None:
    with pytest.raises(AssertionError, match="no channel"):
        assert_silent({}, [CANARY])
    with pytest.raises(AssertionError, match="no canary"):
        assert_silent({"web": b""}, [])
