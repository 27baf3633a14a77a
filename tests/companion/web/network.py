"""A network that can fall asleep (connections stay open and carry nothing) or be cut (there are none)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass
class Network:
    target: tuple[str, int]
    listener: socket.socket
    frozen: set[int] = field(default_factory=set)
    pairs: list[tuple[socket.socket, socket.socket]] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    whole: bool = True

    @property
    def port(self) -> int:
        port: int = self.listener.getsockname()[1]
        return port

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def freeze(self) -> None:
        """From now on the connections that are open carry nothing; new ones are fine."""
        self.frozen.update(range(len(self.pairs)))

    def cut(self) -> None:
        """Break every connection, and let no new one through."""
        with self.lock:
            self.whole = False
            for end in (end for pair in self.pairs for end in pair):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        with self.lock:
            self.whole = True

    def serve(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                if not self.whole:
                    near.close()
                    continue
                far = socket.create_connection(self.target)
                number = len(self.pairs)
                self.pairs.append((near, far))
            for source, sink in ((near, far), (far, near)):
                thread = threading.Thread(target=self.pump, args=(number, source, sink))
                self.threads.append(thread)
                thread.start()

    def pump(self, number: int, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if number not in self.frozen:
                    sink.sendall(data)
        if number not in self.frozen:
            with suppress(OSError):
                sink.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for each in (self.listener, *(end for pair in self.pairs for end in pair)):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self.threads:
            thread.join()


@contextmanager
def sleepy_network(address: str) -> Iterator[Network]:
    parts = urlsplit(address)
    listener = socket.create_server(("127.0.0.1", 0))
    network = Network((str(parts.hostname), int(parts.port or 80)), listener)
    server = threading.Thread(target=network.serve)
    server.start()
    try:
        yield network
    finally:
        network.close()
        server.join()
