"""The frames, against the shared vectors: host, fake board, and the firmware's C built natively."""

from __future__ import annotations

import ctypes
import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import frames, wire
from firmware_bridge.fakes import board as fake
from firmware_bridge.frames import BY_KIND, MAX_LEDS, Frame, Picture
from firmware_bridge.wire import MAX_PAYLOAD, MAX_WIRE, FrameError, Splitter
from tests.firmware_bridge import vectors as declared
from tests.firmware_bridge.native import pack, read_wire

GOOD = declared.declared_good()
BAD = declared.declared_bad()


def by_name(vector: dict[str, Any]) -> str:
    return str(vector["name"])


def frame_of(vector: dict[str, Any]) -> Frame:
    fields = dict(vector["fields"])
    if "colours" in fields:
        fields["colours"] = tuple(tuple(colour) for colour in fields["colours"])
    body = getattr(frames, vector["kind"])(**fields)
    return Frame(vector["session"], vector["sequence"], body)


def test_file_holds_what_is_declared(vectors: dict[str, Any]) -> None:
    assert vectors == json.loads(declared.text()), "run: python -m tests.firmware_bridge.vectors"


def test_every_kind_has_a_vector() -> None:
    assert {vector["code"] for vector in GOOD} == set(BY_KIND)


@pytest.mark.parametrize("vector", GOOD, ids=by_name)
def test_host_writes_and_reads_vector(vector: dict[str, Any]) -> None:
    sent = bytes.fromhex(vector["wire"])
    assert frame_of(vector).to_bytes() == sent
    assert Frame.from_bytes(sent) == frame_of(vector)
    assert Frame.from_bytes(sent[:-1]) == frame_of(vector)


@pytest.mark.parametrize("vector", GOOD, ids=by_name)
def test_fake_board_unstuffs_vector(vector: dict[str, Any]) -> None:
    raw = fake.unstuff(bytes.fromhex(vector["wire"])[:-1])
    assert raw is not None
    assert raw[:4] == bytes((1, vector["session"], vector["sequence"], vector["code"]))
    assert raw[4:-2].hex() == vector["payload"]
    assert fake.checksum(raw[:-2]) == int.from_bytes(raw[-2:], "big")
    assert fake.stuff(raw).hex() == vector["wire"]


@pytest.mark.firmware
@pytest.mark.parametrize("vector", GOOD, ids=by_name)
def test_firmware_writes_and_reads_vector(vector: dict[str, Any], native: ctypes.CDLL) -> None:
    head = bytes((1, vector["session"], vector["sequence"], vector["code"]))
    payload = bytes.fromhex(vector["payload"])
    assert pack(native, head, payload).hex() == vector["wire"]
    assert read_wire(native, bytes.fromhex(vector["wire"])) == ("FRAME", head + payload)


@pytest.mark.parametrize("vector", BAD, ids=by_name)
def test_host_refuses_vector_and_keeps_it_as_evidence(vector: dict[str, Any]) -> None:
    sent = bytes.fromhex(vector["wire"])
    with pytest.raises(FrameError) as refused:
        Frame.from_bytes(sent)
    assert type(refused.value).__name__ == vector["error"]
    assert refused.value.wire == sent[:-1]


@pytest.mark.firmware
@pytest.mark.parametrize("vector", BAD, ids=by_name)
def test_firmware_refuses_vector(vector: dict[str, Any], native: ctypes.CDLL) -> None:
    verdict, _ = read_wire(native, bytes.fromhex(vector["wire"]))
    assert verdict == vector["native"]


bodies = st.binary(max_size=MAX_PAYLOAD)
heads = st.binary(min_size=4, max_size=4)


@pytest.mark.firmware
@given(head=heads, payload=bodies)
def test_three_implementations_agree_on_any_frame(native: ctypes.CDLL, head: bytes, payload: bytes) -> None:
    ours = wire.wrap(head + payload)
    raw = head + payload
    assert ours == fake.stuff(raw + fake.checksum(raw).to_bytes(2, "big")) == pack(native, head, payload)
    assert wire.unwrap(ours[:-1]) == raw
    assert read_wire(native, ours) == ("FRAME", raw)


@pytest.mark.firmware
@given(garbage=st.binary(min_size=1, max_size=300).map(lambda b: b.replace(b"\0", b"\1")))
def test_host_and_firmware_agree_on_any_garbage(native: ctypes.CDLL, garbage: bytes) -> None:
    names = {"Malformed": "MALFORMED", "BadCrc": "BAD_CRC", "TooLong": "TOO_LONG"}
    verdict, _ = read_wire(native, garbage + b"\0")
    try:
        wire.unwrap(garbage)
        ours = "FRAME"
    except FrameError as error:
        ours = names[type(error).__name__]
    assert (ours == "FRAME") == (verdict == "FRAME")
    if len(garbage) <= 250:
        assert ours == verdict


colour = st.tuples(*[st.integers(0, 255)] * 3)


@given(colours=st.lists(colour, max_size=MAX_LEDS), brightness=st.integers(0, 255))
def test_any_picture_survives(colours: list[tuple[int, int, int]], brightness: int) -> None:
    frame = Frame(7, 9, Picture(tuple(colours), brightness))
    assert Frame.from_bytes(frame.to_bytes()) == frame


def test_largest_picture_fits_and_a_larger_one_does_not() -> None:
    assert len(Frame(1, 1, Picture(((1, 2, 3),) * MAX_LEDS)).to_bytes()) <= MAX_WIRE
    with pytest.raises(wire.TooLong):
        Frame(1, 1, Picture(((1, 2, 3),) * (MAX_LEDS + 2))).to_bytes()


@pytest.mark.parametrize("value", [-1, 256])
def test_picture_outside_a_byte_is_refused(value: int) -> None:
    with pytest.raises(ValueError, match="0 to 255"):
        Picture(((value, 0, 0),))
    with pytest.raises(ValueError, match="0 to 255"):
        Picture(((0, 0, 0),), value)


def test_splitter_gives_whole_frames_and_bounds_its_memory() -> None:
    splitter = Splitter()
    assert splitter.feed(b"ab") == ()
    assert splitter.feed(b"c\0\0d\0e") == (b"abc", b"d")
    for _ in range(100):
        assert splitter.feed(b"x" * 1000) == ()
    (long,) = splitter.feed(b"\0")
    assert len(long) == MAX_WIRE + 1
    with pytest.raises(wire.TooLong):
        wire.unwrap(long)


@given(cuts=st.lists(st.integers(0, 200), max_size=8))
def test_splitter_does_not_care_where_chunks_are_cut(cuts: list[int]) -> None:
    stream = b"".join(bytes.fromhex(vector["wire"]) for vector in GOOD[:6])
    places = [0, *sorted(cuts), len(stream)]
    splitter = Splitter()
    whole = [frame for a, b in itertools.pairwise(places) for frame in splitter.feed(stream[a:b])]
    assert [frame + b"\0" for frame in whole] == [bytes.fromhex(vector["wire"]) for vector in GOOD[:6]]
