"""Builds the firmware's portable half for this machine and wraps it as a board."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware_bridge" / "firmware"
RESULTS = ("MORE", "FRAME", "MALFORMED", "BAD_CRC", "TOO_LONG")


def build(folder: Path) -> ctypes.CDLL:
    """Compile proto.c and link.c with the harness; undefined behaviour ends the process."""
    library = folder / "native.so"
    sources = [HERE / "native.c", FIRMWARE / "proto.c", FIRMWARE / "link.c"]
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-D_DEFAULT_SOURCE"]
    strict = ["-fsanitize=undefined", "-fno-sanitize-recover=all"]
    subprocess.run(
        ["gcc", *flags, *strict, f"-I{FIRMWARE}", "-o", library, *sources], check=True, capture_output=True
    )
    native = ctypes.CDLL(str(library))
    native.board_new.restype = ctypes.c_void_p
    native.board_said.restype = ctypes.POINTER(ctypes.c_uint8)
    native.board_colours.restype = ctypes.POINTER(ctypes.c_uint8)
    return native


def read_wire(native: ctypes.CDLL, wire: bytes) -> tuple[str, bytes]:
    """Feed bytes to the firmware's frame reader; give its verdict and the frame without CRC."""
    raw, length = (ctypes.c_uint8 * 256)(), ctypes.c_uint8(0)
    result = native.read_wire(wire, len(wire), raw, ctypes.byref(length))
    return RESULTS[result], bytes(raw[: length.value])


def pack(native: ctypes.CDLL, head: bytes, payload: bytes) -> bytes:
    """Let the firmware put a frame together."""
    wire = (ctypes.c_uint8 * 256)()
    length = native.proto_pack(wire, head, payload, len(payload))
    return bytes(wire[: length & 0xFF])


class NativeBoard:
    """The firmware's own conversation code, in this process."""

    def __init__(self, native: ctypes.CDLL, leds: int = 25) -> None:
        self._native = native
        self.leds = leds
        self._board = ctypes.c_void_p(native.board_new(ctypes.c_uint8(leds)))

    def __del__(self) -> None:
        self._native.board_free(self._board)

    def take(self, data: bytes, now: float) -> bytes:
        """Take bytes from the host; give what the board says by now."""
        millis = ctypes.c_uint32(round(now * 1000))
        count = self._native.board_take(self._board, data, len(data), millis)
        return bytes(self._native.board_said(self._board)[:count])

    def press(self, button: int, down: bool = True) -> None:
        """A finger on a button, or off it."""
        self._native.board_press(self._board, ctypes.c_uint8(button), int(down))

    @property
    def colours(self) -> bytes:
        """What the LEDs got last."""
        return bytes(self._native.board_colours(self._board)[: 3 * self.leds])

    @property
    def shows(self) -> int:
        """How often the LEDs were set."""
        return int(self._native.board_shows(self._board))

    def count(self, name: str) -> int:
        """One of the board's counters."""
        from firmware_bridge.fakes.board import COUNTERS

        return int(self._native.board_count(self._board, COUNTERS.index(name)))
