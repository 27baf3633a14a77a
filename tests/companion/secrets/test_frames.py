"""Sealed frames: one size, no replay, nothing moved between sessions, seats or directions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.secrets import (
    FrameOpener,
    FrameSealer,
    Malformed,
    Replayed,
    SeatKey,
    Tampered,
    TooLong,
    new_opening,
)
from companion.secrets.frames import SIZE, frame_bytes

KEY = SeatKey(bytes(range(32)))


def ends(channel: str = "state A", size: int = SIZE) -> tuple[FrameSealer, FrameOpener]:
    opening = new_opening()
    return FrameSealer(KEY, channel, opening, size), FrameOpener(KEY, channel, opening, size)


@given(st.binary(max_size=SIZE - 4))
def test_every_frame_has_the_same_size_and_opens(content: bytes) -> None:
    sealer, opener = ends()
    frame = sealer.seal(content)
    assert len(frame) == frame_bytes()
    assert opener.open(frame).content == content


def test_numbers_rise_and_gaps_are_told() -> None:
    sealer, opener = ends()
    frames = [sealer.seal(b"%d" % n) for n in range(6)]
    opened = [opener.open(frames[n]) for n in (0, 1, 4, 5)]
    assert [(o.number, o.content, o.missed) for o in opened] == [
        (0, b"0", 0),
        (1, b"1", 0),
        (4, b"4", 2),
        (5, b"5", 0),
    ]


def test_a_replay_is_refused_and_the_channel_goes_on() -> None:
    sealer, opener = ends()
    first, second, third = (sealer.seal(b"x") for _ in range(3))
    opener.open(first)
    opener.open(second)
    for old in (first, second):
        with pytest.raises(Replayed):
            opener.open(old)
    assert opener.open(third).number == 2


def test_an_old_session_is_refused_after_either_end_started_again() -> None:
    opening = new_opening()
    old, opener = FrameSealer(KEY, "state A", opening), FrameOpener(KEY, "state A", opening)
    recorded = [old.seal(b"old"), old.seal(b"old")]
    opener.open(recorded[0])
    reopened = FrameOpener(KEY, "state A", new_opening())
    with pytest.raises(Replayed, match="another session"):
        reopened.open(recorded[1])
    # The sender started again and answered the same opening: another half of its own, another key.
    again = FrameSealer(KEY, "state A", opening)
    with pytest.raises(Replayed, match="another session"):
        opener.open(again.seal(b"new"))
    assert FrameOpener(KEY, "state A", opening).open(again.seal(b"new")).content == b"new"


def test_no_nonce_comes_twice_under_one_key_after_a_restart() -> None:
    opening = new_opening()
    frames = [FrameSealer(KEY, "state A", opening).seal(b"same") for _ in range(20)]
    assert len({frame[1:33] for frame in frames}) == 20
    assert len({frame[41:] for frame in frames}) == 20


@pytest.mark.parametrize("at", [1, 20, 40, 41, 2000, frame_bytes() - 1])
def test_a_changed_frame_is_refused_and_does_not_move_the_window(at: int) -> None:
    sealer, opener = ends()
    frame = sealer.seal(b"secret")
    forged = bytearray(frame)
    forged[at] ^= 1
    with pytest.raises((Tampered, Replayed)):
        opener.open(bytes(forged))
    assert opener.open(frame).content == b"secret"


def test_frames_of_another_key_seat_or_direction_are_refused() -> None:
    opening = new_opening()
    frame = FrameSealer(KEY, "state A", opening).seal(b"secret")
    for key, channel in ((SeatKey(bytes(32)), "state A"), (KEY, "state B"), (KEY, "command A")):
        with pytest.raises(Tampered):
            FrameOpener(key, channel, opening).open(frame)


@pytest.mark.parametrize("length", [0, 1, 41, frame_bytes() - 1, frame_bytes() + 1])
def test_garbage_is_refused(length: int) -> None:
    _, opener = ends()
    random = Random(3)
    for _ in range(50):
        with pytest.raises(Malformed):
            opener.open(random.randbytes(length))


def test_what_does_not_fit_uses_no_number_up() -> None:
    sealer, opener = ends(size=64)
    with pytest.raises(TooLong):
        sealer.seal(bytes(61))
    assert opener.open(sealer.seal(bytes(60))).number == 0
    with pytest.raises(Malformed, match="16 bytes"):
        FrameSealer(KEY, "state A", b"short")
