"""A plain MQTT client that remembers what was delivered to it; what it may do is the broker's business."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.bus.address import BrokerAddress

SOON = 30.0
A_WHILE = 0.4


def until(done: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + SOON
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


@dataclass(frozen=True)
class Got:
    topic: str
    payload: bytes
    retained: bool
    at: float

    @property
    def json(self) -> Any:
        return json.loads(self.payload)


class Probe:
    """Connects as somebody; every message that reaches it is kept."""

    def __init__(
        self,
        who: BrokerAddress,
        client_id: str = "",
        will: tuple[str, bytes] | None = None,
        *,
        clean: bool = True,
    ) -> None:
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id, clean_session=clean)
        if who.user:
            self._client.username_pw_set(who.user, who.password)
        if will:
            self._client.will_set(will[0], will[1], qos=1, retain=True)
        self.got: list[Got] = []
        self.code: int | None = None
        self.disconnects = 0
        self._news = threading.Condition()
        self._granted: set[int] = set()
        self._client.on_message = self._message
        self._client.on_connect = self._connected
        self._client.on_subscribe = lambda c, u, mid, codes, props: self._note(self._granted.add, mid)
        self._client.on_disconnect = self._disconnected
        self._who = who
        self._client.reconnect_delay_set(min_delay=1, max_delay=1)

    def __enter__(self) -> Probe:
        self._client.connect(self._who.host, self._who.port, keepalive=30)
        self._client.loop_start()
        self.wait(lambda: self.code is not None)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def close(self) -> None:
        self.__exit__()

    def _note(self, how: Callable[..., object], *what: object) -> None:
        with self._news:
            how(*what)
            self._news.notify_all()

    def _message(self, client: object, data: object, message: mqtt.MQTTMessage) -> None:
        got = Got(message.topic, bytes(message.payload), bool(message.retain), time.monotonic())
        self._note(self.got.append, got)

    def _connected(self, client: object, data: object, flags: object, code: Any, props: object) -> None:
        self._note(setattr, self, "code", code.value)

    def _disconnected(self, *_: object) -> None:
        self._note(setattr, self, "disconnects", self.disconnects + 1)

    def wait(self, done: Callable[[], bool], within: float = SOON) -> None:
        with self._news:
            assert self._news.wait_for(done, within), self.topics()

    def subscribe(self, *filters: str, qos: int = 1) -> Probe:
        for wanted in filters:
            _, mid = self._client.subscribe(wanted, qos)
            assert mid is not None
            number = mid
            self.wait(lambda number=number: number in self._granted)  # type: ignore[misc]
        return self

    def publish(self, topic: str, payload: bytes | str | dict[str, Any], *, retain: bool = False) -> None:
        content = json.dumps(payload) if isinstance(payload, dict) else payload
        self._client.publish(topic, content, qos=1, retain=retain).wait_for_publish(SOON)

    def drop(self) -> None:
        """Vanish without a goodbye, so that the broker carries out the last will."""
        socket = self._client.socket()
        assert socket is not None
        self._client.on_disconnect = None
        socket.shutdown(2)
        self._client.loop_stop()

    def topics(self) -> list[str]:
        return [got.topic for got in self.got]

    def on(self, ending: str) -> list[Got]:
        return [got for got in self.got if got.topic.endswith(ending)]

    def heard(self, ending: str, like: Callable[[Got], bool] = lambda _: True, within: float = SOON) -> Got:
        """Wait for a message on a topic that ends so, and give the newest."""
        self.wait(lambda: any(like(got) for got in self.on(ending)), within)
        return next(got for got in reversed(self.on(ending)) if like(got))

    def silent(self, ending: str = "", seconds: float = A_WHILE) -> None:
        """Nothing must be delivered there for a while."""
        before = len(self.on(ending))
        time.sleep(seconds)
        assert not self.on(ending)[before:]
