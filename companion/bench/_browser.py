"""A browser reduced to what a bench needs: it calls the server and keeps its cookie."""

from __future__ import annotations

import json
import urllib.request
from typing import Any, Final

Json = dict[str, Any]
PATIENCE: Final = 90.0


class Browser:
    """One browser: calls the server and keeps its cookie."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookie = ""

    def call(self, method: str, path: str, body: Json | None = None) -> Any:
        """Call the server as a browser would."""
        data = json.dumps(body or {}).encode()
        headers = {"Content-Type": "application/json", "Cookie": self.cookie, "Origin": self.address}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            if found := answer.headers.get("Set-Cookie"):
                self.cookie = found.partition(";")[0]
            text = answer.read()
        return json.loads(text) if text else None
