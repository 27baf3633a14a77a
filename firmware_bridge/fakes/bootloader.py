"""An Arduino bootloader (the STK500 version 1 protocol) on a pty: lets the real avrdude write to nothing."""

from __future__ import annotations

import os
import pty
import select
import termios
import threading
import tty
from types import TracebackType
from typing import Final, Self

SPEEDS: Final = {57_600: termios.B57600, 115_200: termios.B115200}
SIGNATURE: Final = bytes((0x1E, 0x95, 0x0F))  # ATmega328P
IN_SYNC, OK, END = b"\x14", b"\x10", b"\x20"
# Command: how many bytes follow before END; a page says its own length.
LENGTHS: Final = {0x30: 0, 0x41: 1, 0x42: 20, 0x45: 5, 0x50: 0, 0x51: 0, 0x55: 2, 0x56: 4, 0x74: 3, 0x75: 0}
PAGE: Final = 0x64


class FakeBootloader:
    """A context manager with a `port`; `flash` is what was written. Answers at its own speed only."""

    def __init__(self, baud: int = 115_200) -> None:
        self.flash = bytearray(b"\xff" * 32_768)
        self.left_alone = True
        self._speed = SPEEDS[baud]
        self._outer, self._inner = pty.openpty()
        tty.setraw(self._inner)
        self.port = os.ttyname(self._inner)
        self._address = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(5)
        os.close(self._outer)
        os.close(self._inner)

    def _run(self) -> None:
        held = b""
        while not self._stop.is_set():
            if not select.select([self._outer], [], [], 0.05)[0]:
                continue
            held += os.read(self._outer, 4096)
            if termios.tcgetattr(self._inner)[4] != self._speed:
                held = b""  # at the wrong speed nothing makes sense
            while (size := self._size(held)) and len(held) >= size:
                message, held = held[:size], held[size:]
                os.write(self._outer, self._obey(message))

    def _size(self, held: bytes) -> int:
        """How long the first message is; 0 while nobody can tell."""
        if not held:
            return 0
        if held[0] == PAGE:
            return 5 + int.from_bytes(held[1:3], "big") if len(held) > 3 else 0
        return LENGTHS.get(held[0], 0) + 2

    def _obey(self, message: bytes) -> bytes:
        self.left_alone = False
        if message[-1:] != END:
            return b"\x15"
        match message[0]:
            case 0x75:
                return IN_SYNC + SIGNATURE + OK
            case 0x41 | 0x56:
                return IN_SYNC + b"\x03" + OK
            case 0x55:
                self._address = 2 * int.from_bytes(message[1:3], "little")
            case 0x64:
                page = message[4:-1]
                self.flash[self._address : self._address + len(page)] = page
            case 0x74:
                length = int.from_bytes(message[1:3], "big")
                return IN_SYNC + bytes(self.flash[self._address : self._address + length]) + OK
        return IN_SYNC + OK
