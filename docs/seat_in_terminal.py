"""Shows one seat's own state in a terminal: `python docs/seat_in_terminal.py < ticket.json`.

The ticket (broker, user, password, table, seat, key) comes from the seat's own phone. It is read
from standard input, so that it is not in the list of processes. `--once` ends after the first frame.
"""

from __future__ import annotations

import json
import queue
import secrets
import sys
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.bus.sealed import channel, unpacked
from companion.secrets import FrameOpener, SeatKey
from companion.secrets.errors import SecretError

CLEAR = "\x1b[2J\x1b[H" if sys.stdout.isatty() else ""
PATIENCE = 5.0


def shown(state: dict[str, Any]) -> str:
    """Word a seat's state in a few lines."""
    lines = [f"Seat {state['seat']}: {state['now']['text']}"]
    for name, found in (("Hidden", state["secret"]), ("Could be", state["possible"])):
        if found:
            lines.append(f"{name}: {found}")
    lines += [f"Careful: {threat['say']['text']}" for threat in state["threats"]]
    lines += [f"Put back: {thing['say']['text']}" for thing in (state["notice"] or {}).get("put_back", [])]
    steps = [step["step"] for step in state["steps"]]
    if steps:
        lines.append("May: " + " ".join(steps[:40]) + (" …" if len(steps) > 40 or state["cut"] else ""))
    return "\n".join(lines)


def open_line(client: mqtt.Client, ticket: dict[str, Any]) -> FrameOpener:
    """Begin a session: half of its name is ours, so no old frame can be played to us."""
    table, seat, opening = ticket["table"], ticket["seat"], secrets.token_bytes(16)
    message = {"schema": 1, "transaction": secrets.token_hex(8), "opening": opening.hex()}
    client.publish(f"santorini/v1/{table}/seat/{seat}/open", json.dumps(message), qos=1)
    return FrameOpener(SeatKey.from_hex(ticket["key"]), channel(table, seat), opening)


def main() -> int:
    """Connect, open, show."""
    ticket = json.load(sys.stdin)
    frames: queue.Queue[bytes] = queue.Queue()
    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    client.username_pw_set(ticket["user"], ticket["password"])
    topic = f"santorini/v1/{ticket['table']}/seat/{ticket['seat']}/state"
    client.on_connect = lambda c, *_: c.subscribe(topic)
    client.on_message = lambda _client, _data, message: frames.put(bytes(message.payload))
    if ticket["secure"]:
        client.tls_set()
    client.connect(ticket["host"], ticket["port"])
    client.loop_start()
    opener = open_line(client, ticket)
    try:
        while True:
            try:
                state = unpacked(opener.open(frames.get(timeout=PATIENCE)).content)
            except (queue.Empty, SecretError):
                # The companion or the broker has started again: begin a new session.
                opener = open_line(client, ticket)
                continue
            print(CLEAR + shown(state), flush=True)
            if "--once" in sys.argv:
                return 0
    except KeyboardInterrupt:
        return 0
    finally:
        client.disconnect()
        client.loop_stop()


if __name__ == "__main__":
    sys.exit(main())
