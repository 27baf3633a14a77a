"""Runs the application on a port of its own thread and stops it within two seconds."""

from __future__ import annotations

import socket
import ssl
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import uvicorn
from fastapi import FastAPI

GRACE = 1
START = 10.0
MESSAGE_LIMIT = 64 * 1024


@dataclass(frozen=True)
class Keys:
    """A certificate chain and its key, for https."""

    chain: Path
    key: Path


class NoPort(Exception):
    """The address could not be bound; carries what the system said."""


def bind(host: str, port: int) -> socket.socket:
    """Take a port; 0 takes any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError as error:
        taken.close()
        raise NoPort(f"{host} port {port}: {error.strerror}") from error
    taken.listen(512)
    return taken


class WebServer:
    """One application on one port."""

    def __init__(self, app: FastAPI, taken: socket.socket, keys: Keys | None = None) -> None:
        self.socket = taken
        self.port: int = taken.getsockname()[1]
        config = uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_max_size=MESSAGE_LIMIT,
            # Sizes on the wire must not depend on how well a secret can be compressed.
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=GRACE,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="on",
        )
        if keys is not None:
            config.ssl_certfile = str(keys.chain)
            config.ssl_keyfile = str(keys.key)
            config.ssl_version = ssl.PROTOCOL_TLS_SERVER
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([taken],), name=f"web-{self.port}")

    def start(self) -> None:
        """Serve from a thread; returns when the first call can be answered."""
        self._thread.start()
        waited = threading.Event()
        for _ in range(int(START / 0.02)):
            if self._server.started or not self._thread.is_alive():
                break
            waited.wait(0.02)
        if not self._server.started:
            raise NoPort(f"port {self.port}: the server did not start")

    def stop(self) -> None:
        """Stop serving and wait until it is done."""
        self._server.should_exit = True
        self._thread.join()
        self.socket.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
