"""The firmware and the fake board are written from one page: told the same, they say the same."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.fakes.board import FakeBoard
from tests.firmware_bridge.native import NativeBoard
from tests.firmware_bridge.vectors import wire

pytestmark = pytest.mark.firmware

SESSIONS = st.sampled_from([0, 7, 8])
SEQUENCES = st.sampled_from([0, 1, 2, 3, 4, 5, 254, 255])
PAYLOADS = {
    1: st.sampled_from([b"", b"x"]),
    2: st.sampled_from([bytes(7), b"\xffabcdef", b"\x01fedcba", b"", bytes(8), bytes(244)]),
    3: st.sampled_from(
        [bytes.fromhex("03700096"), bytes.fromhex("00310096"), bytes.fromhex("037007d1"), b"x"]
    ),
    4: st.sampled_from([b"", b"x"]),
    5: st.sampled_from([b"\x01", b"\x02", b"\x03", b"", b"\x01\x01"]),
    0x66: st.just(b""),
}


@st.composite
def frames(draw: Any) -> bytes:
    kind = draw(st.sampled_from(list(PAYLOADS)))
    version = draw(st.sampled_from([1] * 9 + [2]))
    return wire(draw(SESSIONS), draw(SEQUENCES), kind, draw(PAYLOADS[kind]), version)


@st.composite
def damaged(draw: Any) -> bytes:
    whole = bytearray(draw(frames()))
    place = draw(st.integers(0, len(whole) - 2))
    match draw(st.sampled_from(["flip", "cut", "double"])):
        case "flip":
            whole[place] ^= draw(st.integers(1, 255))
        case "cut":
            del whole[place:-1]
        case "double":
            whole *= 2
    return bytes(whole)


# `next` continues session 7 in order, as a good host would; `again` says the last frame once more.
happenings = st.one_of(
    st.sampled_from([2, 3, 4]).flatmap(
        lambda kind: st.tuples(st.just("next"), st.just(kind), PAYLOADS[kind])
    ),
    st.sampled_from([2, 3, 4]).flatmap(
        lambda kind: st.tuples(st.just("next"), st.just(kind), PAYLOADS[kind])
    ),
    st.just(("again",)),
    frames(),
    damaged(),
    st.binary(max_size=400),
    st.tuples(st.just("press"), st.integers(0, 3), st.booleans()),
    st.tuples(st.just("time"), st.sampled_from([0.02, 0.1, 1.0, 4.9, 5.1])),
)


def hello(session: int, sequence: int) -> bytes:
    return wire(session, sequence, 1, b"")


START = {hello(7, 0): 0, hello(7, 254): 254, b"": 0}


@settings(max_examples=400, deadline=None)
@given(story=st.lists(happenings, max_size=40), start=st.sampled_from(list(START)))
def test_same_story_same_words(native: ctypes.CDLL, story: list[Any], start: bytes) -> None:
    fake, chip = FakeBoard(leds=2), NativeBoard(native, leds=2)
    now, sequence, last = 0.0, START[start], start
    assert fake.take(start, now) == chip.take(start, now)
    for happening in story:
        match happening:
            case bytes():
                assert fake.take(happening, now) == chip.take(happening, now)
            case ("again",):
                assert fake.take(last, now) == chip.take(last, now)
            case ("next", kind, payload):
                last = wire(7, (sequence + 1) % 256, kind, payload)
                said = chip.take(last, now)
                assert fake.take(last, now) == said
                sequence = fake._last
            case ("press", button, down):
                fake.press(button, down)
                chip.press(button, down)
            case ("time", seconds):
                now = round(now + seconds, 3)
                assert fake.take(b"", now) == chip.take(b"", now)
    assert fake.shown[-1][1] == chip.colours
    assert len(fake.shown) == chip.shows
    assert {name: chip.count(name) for name in fake.counts} == fake.counts
