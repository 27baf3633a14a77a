"""The one declaration of all topics: publisher, parser, access list and AsyncAPI document follow from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from companion.bus import messages as m
from companion.bus.discovery import Discovery

BASE: Final = "santorini/v1"
TABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
Way = Literal["out", "in"]
Role = Literal["screen", "control", "homeassistant", "lights", "seat"]
Body = Literal["json", "word", "bytes"]
PUBLIC: Final[frozenset[Role]] = frozenset({"screen", "control", "homeassistant", "seat"})
SHAPES: Final = {"cells": 25, "ring": 20}
COMMANDS: Final[Mapping[str, type[m.Command]]] = {
    "step": m.StepCommand,
    "end": m.Plain,
    "pass": m.Plain,
    "undo": m.UndoCommand,
    "redo": m.Plain,
    "undo_answer": m.YesCommand,
    "pause": m.Plain,
    "resume": m.Plain,
    "accept_board": m.AcceptCommand,
    "restore": m.Plain,
    "hint_level": m.HintCommand,
}
PARAMETERS: Final[Mapping[str, tuple[str, ...]]] = {
    "verb": tuple(COMMANDS),
    "about": (*COMMANDS, "button", "open", "unknown"),
    "shape": tuple(SHAPES),
    "seat": ("A", "B", "C", "D"),
}
NOTES: Final[Mapping[str, str]] = {
    "table": "the table's name",
    "verb": "what is asked for",
    "about": "what the reply is about: a command's verb, a button, an opening, or something unknown",
    "shape": "cells: 25 LEDs under the spaces, a1 to e5; ring: 20 around the board",
    "seat": "the seat",
}


class UndeclaredError(Exception):
    """Something was to be sent that is not declared; it is not sent."""


@dataclass(frozen=True)
class Topic:
    """One kind of topic: where, which way, what in it, and who may."""

    name: str
    path: str
    way: Way
    messages: tuple[type[m.Wire], ...]
    about: str
    qos: int = 1
    retain: bool = False
    body: Body = "json"
    roles: frozenset[Role] = field(default_factory=frozenset)
    base: str = BASE + "/{table}/"

    @property
    def address(self) -> str:
        """The address with its parameters in braces."""
        return self.base + self.path

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of the address, in order."""
        return tuple(re.findall(r"{(\w+)}", self.address))

    def filled(self, values: Mapping[str, str]) -> str:
        """Give the address with values in it; UndeclaredError for a value that is not declared."""
        if set(values) != set(self.parameters):
            raise UndeclaredError(f"{self.name} wants {self.parameters}, not {sorted(values)}")
        for name, value in values.items():
            if not _may(name, value):
                raise UndeclaredError(f"'{value}' is no {name}")
        return self.address.format_map(values)

    def filter(self, values: Mapping[str, str] | None = None) -> str:
        """Give the filter that matches the address, with a wildcard where no value is given."""
        known = values or {}
        filled = self.address.format_map({name: known.get(name, "+") for name in self.parameters})
        # A wildcard stands for a whole level.
        return "/".join("+" if "+" in level else level for level in filled.split("/"))


def _may(name: str, value: str) -> bool:
    return bool(TABLE.fullmatch(value)) if name == "table" else value in PARAMETERS[name]


AVAILABILITY = Topic(
    "availability", "availability", "out", (m.Availability,), "online or offline; also the last will",
    retain=True, body="word", roles=PUBLIC | {"lights"},
)  # fmt: skip
STATE = Topic("state", "state", "out", (m.State,), "the public state", retain=True, roles=PUBLIC)
EVENT = Topic("event", "event", "out", (m.Event,), "something has happened", roles=PUBLIC)
LED = Topic("led", "led/{shape}", "out", (m.Led,), "what LEDs show", retain=True, roles=PUBLIC | {"lights"})
HEALTH = Topic("health", "health", "out", (m.Health,), "what was counted", retain=True, roles=PUBLIC)
REPLY = Topic(
    "reply", "reply/{about}", "out", (m.Reply,), "what came of a command, a press or an opening",
    roles=frozenset({"control", "homeassistant", "lights", "seat"}),
)  # fmt: skip
COMMAND = Topic(
    "command", "cmd/{verb}", "in", tuple(dict.fromkeys(COMMANDS.values())), "a wish to the table",
    roles=frozenset({"control"}),
)  # fmt: skip
BUTTON = Topic(
    "button", "button", "in", (m.Button,), "a button was pressed",
    roles=frozenset({"control", "homeassistant", "lights"}),
)  # fmt: skip
SEAT_OPEN = Topic(
    "seat_open", "seat/{seat}/open", "in", (m.Open,), "a seat's device begins a session",
    roles=frozenset({"seat"}),
)  # fmt: skip
SEAT_STATE = Topic(
    "seat_state", "seat/{seat}/state", "out", (m.Frame,), "a seat's own hints and secret, sealed",
    qos=0, body="bytes", roles=frozenset({"seat"}),
)  # fmt: skip
DISCOVERY = Topic(
    "discovery", "config", "out", (Discovery,), "Home Assistant's device discovery",
    roles=frozenset({"homeassistant"}), base="homeassistant/device/santorini_{table}/",
)  # fmt: skip
BIRTH = Topic(
    "birth", "status", "in", (m.Birth,), "Home Assistant has started or stopped", body="word",
    roles=frozenset({"homeassistant"}), base="homeassistant/",
)  # fmt: skip

TOPICS: Final = (
    AVAILABILITY, STATE, EVENT, LED, HEALTH, REPLY, COMMAND, BUTTON, SEAT_OPEN, SEAT_STATE, DISCOVERY, BIRTH
)  # fmt: skip


@dataclass(frozen=True)
class Packet:
    """Something ready to be sent."""

    topic: str
    payload: bytes
    qos: int
    retain: bool


def packet(topic: Topic, message: m.Wire, **values: str) -> Packet:
    """Make what is sent; UndeclaredError for anything that is not declared."""
    if topic not in TOPICS or topic.way != "out":
        raise UndeclaredError(f"nothing is sent on '{topic.name}'")
    # The exact type: a subclass could carry fields of its own.
    if type(message) not in topic.messages:
        raise UndeclaredError(f"{type(message).__name__} is not sent on '{topic.name}'")
    return Packet(topic.filled(values), _body(topic, message), topic.qos, topic.retain)


def removal(topic: Topic, **values: str) -> Packet:
    """Make the empty message that takes a retained one away."""
    return Packet(topic.filled(values), b"", topic.qos, retain=True)


def _body(topic: Topic, message: m.Wire) -> bytes:
    if isinstance(message, m.Frame):
        return message.content
    if isinstance(message, m.Availability | m.Birth):
        return message.state.encode()
    return message.model_dump_json(by_alias=True, exclude_unset=isinstance(message, Discovery)).encode()


@dataclass(frozen=True)
class Addressed:
    """An address taken apart."""

    topic: Topic
    values: Mapping[str, str]


def _pattern(topic: Topic) -> re.Pattern[str]:
    parts = re.split(r"({\w+})", topic.address)
    wild = (f"(?P<{part[1:-1]}>[^/]+)" if part.startswith("{") else re.escape(part) for part in parts)
    return re.compile("".join(wild))


_PATTERNS: Final = tuple((topic, _pattern(topic)) for topic in TOPICS)


def parse(address: str, way: Way) -> Addressed | None:
    """Take an address apart; None where nothing like it is declared. Values are the caller's to check."""
    for topic, pattern in _PATTERNS:
        if topic.way == way and (found := pattern.fullmatch(address)):
            return Addressed(topic, found.groupdict())
    return None


def declared(packet_: Packet) -> bool:
    """Whether a packet's address is one that may be sent to; the last look before it goes out."""
    found = parse(packet_.topic, "out")
    return found is not None and all(_may(name, value) for name, value in found.values.items())


def subscriptions(table: str) -> tuple[tuple[str, int], ...]:
    """What the companion listens to for one table, with the quality of service."""
    return tuple(
        (t.filter({"table": table} if "table" in t.parameters else None), t.qos)
        for t in TOPICS
        if t.way == "in"
    )
