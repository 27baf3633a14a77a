"""Where a broker is: mqtt://user:password@host:port, taken apart."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

PASSWORD = "SANTORINI_MQTT_PASSWORD"
PORTS = {"mqtt": 1883, "mqtts": 8883}


class BadAddress(ValueError):
    """Not an address of a broker; the text is one sentence for the user."""


@dataclass(frozen=True)
class BrokerAddress:
    """A broker and who to be there; `path` is what stands behind the host."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    secure: bool = False
    path: str = ""

    @classmethod
    def parse(cls, text: str, environ: Mapping[str, str] | None = None) -> BrokerAddress:
        """Read mqtt:// or mqtts://, BadAddress when it is neither; the environment may hold the password."""
        wrong = BadAddress("a broker's address looks like mqtt://user:password@host")
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise wrong from None
        if parts.scheme not in PORTS or not host or port == 0:
            raise wrong
        user = unquote(parts.username) if parts.username else None
        known = os.environ if environ is None else environ
        password = unquote(parts.password) if parts.password else known.get(PASSWORD)
        secure = parts.scheme == "mqtts"
        return cls(host, port or PORTS[parts.scheme], user, password, secure, unquote(parts.path.strip("/")))

    def tls(self) -> ssl.SSLContext | None:
        """Give what checks the broker's certificate, where the line is secure."""
        return ssl.create_default_context() if self.secure else None

    def __str__(self) -> str:
        """Name the broker without the password."""
        return f"{'mqtts' if self.secure else 'mqtt'}://{self.host}:{self.port}"
