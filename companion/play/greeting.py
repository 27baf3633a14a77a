"""What the terminal says at the start: the address, a code for the camera of a phone, how to stop."""

from __future__ import annotations

import io
from collections.abc import Sequence

import segno

from companion.doctor.probe import lan_addresses


def address_of(bind: str, port: int, addresses: Sequence[str] | None = None) -> str:
    """Give the address that others type: numbers, since names fail on many phones."""
    if bind not in ("0.0.0.0", "::"):
        return f"http://{bind}:{port}"
    known = lan_addresses() if addresses is None else addresses
    return f"http://{known[0] if known else '127.0.0.1'}:{port}"


def qr_lines(text: str) -> str:
    """Draw a QR code with characters."""
    drawn = io.StringIO()
    segno.make(text, error="m").terminal(drawn, compact=True, border=2)
    return drawn.getvalue()


def greeting(address: str, link: str, doing: str, notes: Sequence[str] = ()) -> str:
    """Word the start."""
    return "\n".join(
        (
            qr_lines(link),
            f"  Watch:  {address}",
            f"  Host:   {link}",
            f"  {doing}",
            *(f"  {note}" for note in notes),
            "  Stop with Ctrl-C; everything is kept.",
        )
    )
