"""Addresses of network cameras: what is in them, and how to show them without a password."""

from __future__ import annotations

import base64
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit


def bare_host(parts: SplitResult) -> str:
    """Return host and port without name and password."""
    return parts.netloc.rpartition("@")[2]


def without_password(url: str) -> str:
    """Show an address without the name and password in it."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, bare_host(parts), parts.path, "", ""))


def split_login(url: str) -> tuple[str, dict[str, str]]:
    """Return the address without a login, and the HTTP header that carries the login."""
    parts = urlsplit(url)
    plain = urlunsplit((parts.scheme, bare_host(parts), parts.path or "/", parts.query, ""))
    if parts.username is None:
        return plain, {}
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return plain, {"Authorization": "Basic " + base64.b64encode(login.encode()).decode()}
