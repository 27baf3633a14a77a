"""The desk of a lamp on another machine: pictures come from a broker, presses go to it."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from typing import Any, Final

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from pydantic import ValidationError

from companion.bus.address import BrokerAddress
from companion.bus.messages import Led
from companion.bus.topics import AVAILABILITY, BUTTON, LED, SHAPES, parse
from companion.lights.picture import Shape
from firmware_bridge.desks import parse_colour
from firmware_bridge.frames import Picture
from firmware_bridge.lamp import ButtonPress, Lamp, LinkState

KEEPALIVE: Final = 20
LONGEST_PAUSE: Final = 15


class MqttDesk:
    """Shows the LED frames of one table, or of the table that changed last; needs the user `lights` only."""

    def __init__(self, where: BrokerAddress, shape: Shape, write: Callable[[str], object]) -> None:
        self._where, self._shape, self._write = where, shape, write
        self._table = where.path
        self._followed = where.path or None
        self._session = secrets.token_hex(4)
        self._presses = 0
        self._lamp: Lamp | None = None
        self._stop = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, f"santorini-lights-{self._session}")
        self._client.username_pw_set(where.user or "", where.password)
        if (tls := where.tls()) is not None:
            self._client.tls_set_context(tls)
        self._client.reconnect_delay_set(1, LONGEST_PAUSE)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_message = self._message

    # --- the Desk

    def attach(self, lamp: Lamp) -> None:
        """Begin to connect; a broker that is away is waited for."""
        self._lamp = lamp
        self._client.connect_async(self._where.host, self._where.port, KEEPALIVE)
        self._client.loop_start()

    def pressed(self, press: ButtonPress) -> None:
        """Send a press to the table that is shown."""
        if not press.down or self._followed is None or not self._client.is_connected():
            return
        self._presses += 1
        message = {
            "schema": 1,
            "transaction": f"{self._session}-{self._presses}",
            "button": press.button,
            "down": True,
        }
        # Sent once and now: a press that is delivered when the line is back would come as a surprise.
        self._client.publish(BUTTON.filled({"table": self._followed}), json.dumps(message), qos=0)

    def link_changed(self, state: LinkState) -> None:
        """Write how the lamp is."""
        self._say({"link": state.name, "detail": state.detail})

    def wait(self) -> None:
        """Return when the desk was closed."""
        self._stop.wait()

    def close(self) -> None:
        """Hang up."""
        self._stop.set()
        self._client.disconnect()
        self._client.loop_stop()

    # --- the broker, in the client's own thread

    def _connected(self, client: mqtt.Client, data: object, flags: object, code: Any, props: object) -> None:
        if code.is_failure:
            self._say({"broker": str(self._where), "problem": str(code)})
            return
        self._say({"broker": str(self._where), "state": "connected"})
        known = {"table": self._table} if self._table else {}
        client.subscribe(LED.filter(known | {"shape": self._shape}), 1)
        client.subscribe(AVAILABILITY.filter(known), 1)

    def _disconnected(self, *_: object) -> None:
        if not self._stop.is_set():
            self._say({"broker": str(self._where), "state": "away"})

    def _message(self, client: object, data: object, message: mqtt.MQTTMessage) -> None:
        found = parse(message.topic, "out")
        if found is None or self._lamp is None:
            return
        table = found.values["table"]
        if found.topic is AVAILABILITY:
            if table == self._followed and message.payload != b"online":
                self._lamp.show(self._dark())
        elif found.topic is LED and message.payload:
            self._frame(self._lamp, table, bytes(message.payload))

    def _frame(self, lamp: Lamp, table: str, payload: bytes) -> None:
        try:
            led = Led.model_validate_json(payload)
        except ValidationError:
            self._say({"refused": f"what came for table {table} is no LED frame"})
            return
        if len(led.colours) == SHAPES[self._shape]:
            self._followed = table
            lamp.show(Picture(tuple(map(parse_colour, led.colours)), led.brightness))

    def _dark(self) -> Picture:
        return Picture(((0, 0, 0),) * SHAPES[self._shape], 0)

    def _say(self, what: dict[str, object]) -> None:
        self._write(json.dumps(what) + "\n")
