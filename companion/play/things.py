"""MQTT, lights and buttons as `santorini play` starts them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.bus import BadAddress, BrokerAddress, Bus
from companion.bus.bus import LOCAL, Options
from companion.bus.mosquitto import BrokerFailed, Listening, NotInstalled
from companion.lights.attaching import Lights, check_wanted, lights_for
from companion.lights.config import BadLights, layout_named, load_config
from companion.table.tables import Tables
from companion.texts.catalogue import LANGUAGES


class BadThings(ValueError):
    """Something cannot be as it was asked for; the text is one sentence for the user."""


@dataclass(frozen=True)
class ThingsWishes:
    """What was asked for; nothing unless asked for."""

    mqtt: str | None = None
    listening: Listening = field(default_factory=Listening)
    sealed: bool = False
    language: str = "en"
    lights: str | None = None
    layout: str | None = None


def add_things_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options for MQTT, lights and buttons."""
    group = parser.add_argument_group("MQTT, lights and buttons")
    group.add_argument("--mqtt", metavar="URL", help="mqtt://user:password@host, or local: a private broker")
    group.add_argument("--mqtt-bind", metavar="ADDRESS", help="the private broker listens there (loopback)")
    group.add_argument("--mqtt-port", type=int, metavar="PORT", help="… on this port (1883)")
    group.add_argument("--mqtt-websockets", type=int, metavar="PORT", help="… and WebSockets on this one")
    group.add_argument("--mqtt-seats", action="store_true", help="offer sealed seats to devices of their own")
    group.add_argument("--mqtt-language", metavar="LANGUAGE", default="en", help="for sentences (en)")
    group.add_argument(
        "--lights",
        metavar="LAMP",
        help="auto, a serial port or part of its name, wled://host, wled-usb://auto",
    )
    group.add_argument(
        "--lights-layout", metavar="LAYOUT", help="under-25, under-25-snake, ring-20 or an LED map (under-25)"
    )


def things_of(args: argparse.Namespace, folder: Path) -> ThingsWishes:
    """Check what was asked for; BadThings with one sentence."""
    listening = Listening(args.mqtt_bind or "127.0.0.1", _port(args), args.mqtt_websockets)
    _check_mqtt(args)
    try:
        if args.lights is not None:
            check_wanted(args.lights)
            layout_named(args.lights_layout or load_config(folder).layout)
        elif args.lights_layout is not None:
            raise BadThings("--lights-layout wants --lights as well")
    except BadLights as error:
        raise BadThings(f"--lights: {error}") from error
    return ThingsWishes(
        args.mqtt, listening, args.mqtt_seats, args.mqtt_language, args.lights, args.lights_layout
    )


def _port(args: argparse.Namespace) -> int:
    return 1883 if args.mqtt_port is None else int(args.mqtt_port)


def _check_mqtt(args: argparse.Namespace) -> None:
    own = (args.mqtt_bind, args.mqtt_port, args.mqtt_websockets)
    if args.mqtt != LOCAL and any(word is not None for word in own):
        raise BadThings("--mqtt-bind, --mqtt-port and --mqtt-websockets are for --mqtt local")
    if args.mqtt is None and args.mqtt_seats:
        raise BadThings("--mqtt-seats wants --mqtt as well")
    for name, port in (("port", args.mqtt_port), ("websockets", args.mqtt_websockets)):
        if port is not None and not 0 <= port <= 65535:
            raise BadThings(f"--mqtt-{name}: {port} is not a port")
    if args.mqtt_language not in LANGUAGES:
        raise BadThings(f"--mqtt-language: there is no '{args.mqtt_language}'; try: {', '.join(LANGUAGES)}")
    if args.mqtt is not None and args.mqtt != LOCAL:
        try:
            BrokerAddress.parse(args.mqtt)
        except BadAddress as error:
            raise BadThings(f"--mqtt: {error}, or local") from error


class Things:
    """MQTT, lights and buttons at work; each is only there if asked for."""

    def __init__(self, tables: Tables, wishes: ThingsWishes, folder: Path) -> None:
        self.bus: Bus | None = None
        self._lights: Lights | None = None
        try:
            config = load_config(folder)
            if wishes.mqtt is not None:
                options = Options(
                    language=wishes.language,
                    look=config.look,
                    buttons=config.buttons,
                    sealed=wishes.sealed,
                    listening=wishes.listening,
                )
                self.bus = Bus(tables, wishes.mqtt, folder, options)
            if wishes.lights is not None:
                self._lights = lights_for(tables, wishes.lights, wishes.layout, folder)
        except (BadLights, BadAddress) as error:
            raise BadThings(str(error)) from error
        self._wishes, self._folder = wishes, folder

    def start(self) -> None:
        """Start them; BadThings when the private broker cannot be started."""
        try:
            if self.bus is not None:
                self.bus.start()
        except (NotInstalled, BrokerFailed) as error:
            raise BadThings(f"--mqtt local: {error}") from error
        if self._lights is not None:
            self._lights.start()

    def stop(self) -> None:
        """Stop them."""
        if self._lights is not None:
            self._lights.stop()
        if self.bus is not None:
            self.bus.stop()

    def seat_ticket(self, table: str, seat: str) -> dict[str, str | int | bool | None] | None:
        """Let a device of a seat's own in, where sealed seats are offered."""
        ticket = self.bus.seat_ticket(table, seat) if self.bus is not None else None
        return ticket.to_json() if ticket is not None else None

    def offers_seats(self, table: str) -> bool | None:
        """Whether a table offers sealed seats; None without MQTT."""
        return self.bus.offers_seats(table) if self.bus is not None else None

    def seal_seats(self, table: str, on: bool) -> None:
        """Offer sealed seats at a table, or no longer."""
        if self.bus is not None:
            self.bus.seal_seats(table, on)

    def lines(self) -> Iterator[str]:
        """Say in the terminal what is there; never a password."""
        if self.bus is not None and self.bus.broker is not None:
            here = self.bus.broker.listening
            words = self._folder / "mqtt" / "passwords.json"
            yield f"MQTT:   mqtt://{here.outside}:{here.port}  (passwords: {words})"
        elif self.bus is not None:
            yield f"MQTT:   {self.bus.address}"
        if self._wishes.lights is not None:
            yield f"Lights: {self._wishes.lights}"
