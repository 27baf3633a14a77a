"""A cable to the broker that a test can cut and mend; the broker itself knows nothing of it."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Self


class Cable:
    """Carries connections to a port of the loopback while it is whole."""

    def __init__(self, port: int) -> None:
        self._far = port
        self._near = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._near.getsockname()[1]
        self._lock = threading.Lock()
        self._whole = True
        self._ends: list[socket.socket] = []
        self._carriers: list[threading.Thread] = []
        self._thread = threading.Thread(target=self._take, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        with contextlib.suppress(OSError):
            self._near.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        for carrier in self._carriers:
            carrier.join()
        for end in (self._near, *self._ends):
            end.close()

    def cut(self) -> None:
        """Break every connection, and let no new one through."""
        with self._lock:
            self._whole = False
            for end in self._ends:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._whole = True

    def _take(self) -> None:
        while True:
            try:
                near, _ = self._near.accept()
            except OSError:
                return
            with self._lock:
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._far))
                self._ends += (near, far)
            for start, end in ((near, far), (far, near)):
                self._carriers.append(threading.Thread(target=_carry, args=(start, end), daemon=True))
                self._carriers[-1].start()


def _carry(start: socket.socket, end: socket.socket) -> None:
    """Carry bytes one way until either side has ended, then end the other."""
    with contextlib.suppress(OSError):
        while found := start.recv(65536):
            end.sendall(found)
    for side in (start, end):
        with contextlib.suppress(OSError):
            side.shutdown(socket.SHUT_RDWR)
