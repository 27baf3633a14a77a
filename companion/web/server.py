"""Runs the application on a port of its own thread and stops it within two seconds."""

from __future__ import annotations

import asyncio
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


def configured(app: FastAPI, keys: Keys | None, lifespan: bool) -> uvicorn.Server:
    """Make a server for one port."""
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
        lifespan="on" if lifespan else "off",
    )
    if keys is not None:
        config.ssl_certfile = str(keys.chain)
        config.ssl_keyfile = str(keys.key)
        config.ssl_version = ssl.PROTOCOL_TLS_SERVER
    return uvicorn.Server(config)


class WebServer:
    """One application on one port, and on a second one over https where that is wanted."""

    def __init__(
        self,
        app: FastAPI,
        taken: socket.socket,
        keys: Keys | None = None,
        also: tuple[socket.socket, Keys] | None = None,
    ) -> None:
        self.socket = taken
        self.port: int = taken.getsockname()[1]
        self._served = [(configured(app, keys, lifespan=True), taken)]
        if also is not None:
            self._served.append((configured(app, also[1], lifespan=False), also[0]))
        self._thread = threading.Thread(target=self._run, name=f"web-{self.port}")

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        # One loop for both ports: a change at a table wakes the phones of both.
        await asyncio.gather(*(server.serve(sockets=[taken]) for server, taken in self._served))

    @property
    def _started(self) -> bool:
        return all(server.started for server, _ in self._served)

    def start(self) -> None:
        """Serve from a thread; returns when the first call can be answered."""
        self._thread.start()
        waited = threading.Event()
        for _ in range(int(START / 0.02)):
            if self._started or not self._thread.is_alive():
                break
            waited.wait(0.02)
        if not self._started:
            raise NoPort(f"port {self.port}: the server did not start")

    def stop(self) -> None:
        """Stop serving and wait until it is done."""
        for server, _ in self._served:
            server.should_exit = True
        self._thread.join()
        for _, taken in self._served:
            taken.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
