"""Sealing at rest: sizes tell nothing; a missing, wrong or tampered thing is told apart."""

from __future__ import annotations

import base64
import json
import pickle
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.secrets import (
    KeyMissing,
    Keyring,
    Malformed,
    Place,
    SeatKey,
    Tampered,
    TooLong,
    WrongKey,
    key_of,
    seal,
    unseal,
)
from companion.secrets.padding import pad, unpad

KEY = SeatKey(bytes(range(32)))
OTHER = SeatKey(bytes(range(1, 33)))
PLACE = Place("g1", "A", 7)
SECRET = {"workers": {"A1": "c3", "A2": "e1"}}


@given(
    st.dictionaries(st.text(max_size=8), st.text(max_size=8) | st.integers(), max_size=8),
    st.integers(1, 10**9),
)
def test_what_is_sealed_opens_and_is_always_as_long(secret: dict[str, object], seq: int) -> None:
    place = Place("g1", "A", seq)
    payload = seal(KEY, place, secret)
    assert unseal(KEY, place, payload) == secret
    assert len(json.dumps(payload)) == len(json.dumps(seal(KEY, PLACE, {})))


def test_the_same_secret_looks_different_each_time() -> None:
    first, second = (seal(KEY, PLACE, SECRET)["sealed"] for _ in range(2))
    assert first["box"] != second["box"]
    assert first["nonce"] != second["nonce"]


def test_a_wrong_key_is_told_from_a_changed_box() -> None:
    payload = seal(KEY, PLACE, SECRET)
    with pytest.raises(WrongKey):
        unseal(OTHER, PLACE, payload)
    for name in ("nonce", "box"):
        data = bytearray(base64.b64decode(str(payload["sealed"][name])))
        data[len(data) // 2] ^= 1
        changed = {"sealed": {**payload["sealed"], name: base64.b64encode(data).decode()}}
        with pytest.raises(Tampered):
            unseal(KEY, PLACE, changed)
    forged = {"sealed": {**seal(OTHER, PLACE, SECRET)["sealed"], "key": KEY.id}}
    with pytest.raises(Tampered):
        unseal(KEY, PLACE, forged)


@pytest.mark.parametrize("place", [Place("g2", "A", 7), Place("g1", "B", 7), Place("g1", "A", 8)])
def test_a_box_opens_in_its_place_only(place: Place) -> None:
    with pytest.raises(Tampered):
        unseal(KEY, place, seal(KEY, PLACE, SECRET))


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"sealed": "box"},
        {"sealed": {"v": 2, "key": "k", "nonce": "AAAA", "box": "AAAA"}},
        {"sealed": {"v": 1, "key": KEY.id, "nonce": "AAAA", "box": "AAAA"}},
        {"sealed": {"v": 1, "key": KEY.id, "nonce": "not base64!", "box": "AAAA"}},
    ],
)
def test_what_is_not_sealed_at_all(payload: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        unseal(KEY, PLACE, payload)


def test_a_secret_that_does_not_fit_is_refused_not_made_longer() -> None:
    with pytest.raises(TooLong) as caught:
        seal(KEY, PLACE, {"x": "y" * 1024})
    assert caught.value.room == 1020
    seal(KEY, PLACE, {"x": "y" * 1024}, size=4096)


def test_padding_that_was_made_by_nobody() -> None:
    for wrong in (b"", b"\0\0", b"\0\0\0\5abc", pad(b"abc", 16)[:-1] + b"x"):
        with pytest.raises(Malformed):
            unpad(wrong)


def test_the_keyring_waits_for_the_phone() -> None:
    ring = Keyring()
    with pytest.raises(KeyMissing) as caught:
        ring.key("g1", "A")
    assert (caught.value.game, caught.value.seat) == ("g1", "A")
    with pytest.raises(WrongKey):
        ring.bring("g1", "A", OTHER, expected=KEY.id)
    assert not ring.has("g1", "A")
    ring.bring("g1", "A", KEY, expected=KEY.id)
    ring.bring("g1", "B", OTHER, expected=None)
    ring.bring("g2", "A", OTHER, expected=None)
    assert ring.key("g1", "A") is KEY
    ring.forget("g1", "A")
    assert (ring.has("g1", "A"), ring.has("g1", "B")) == (False, True)
    ring.forget("g1")
    assert (ring.has("g1", "B"), ring.has("g2", "A")) == (False, True)


def test_keys_are_not_printed_or_written() -> None:
    ring = Keyring()
    ring.bring("g1", "A", KEY, expected=None)
    secret = bytes(range(32)).hex()
    for thing in (KEY, ring):
        assert secret not in repr(thing)
        with pytest.raises(TypeError):
            pickle.dumps(thing)
    assert key_of(seal(KEY, PLACE, SECRET)) == KEY.id
    assert KEY.id not in secret


@pytest.mark.parametrize("text", ["", "00" * 31, "00" * 33, "zz" * 32, "AB" * 32, " " + "00" * 32])
def test_what_the_phone_sends_is_checked(text: str) -> None:
    with pytest.raises(Malformed):
        SeatKey.from_hex(text)


def test_purposes_have_keys_of_their_own() -> None:
    assert KEY.derive("seal") != KEY.derive("frames state A")
    assert KEY.derive("seal", b"1") != KEY.derive("seal", b"2")
    assert len({SeatKey(Random(n).randbytes(32)).id for n in range(100)}) == 100


def test_a_crash_writes_no_memory_to_a_file() -> None:
    code = (
        "import resource; from companion.secrets import forbid_core_dumps; forbid_core_dumps();"
        "print(resource.getrlimit(resource.RLIMIT_CORE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
