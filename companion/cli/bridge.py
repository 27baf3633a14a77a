"""`santorini bridge`: lights and buttons on a board over USB, or a WLED lamp on the network."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol

from companion.bus import BadAddress, BrokerAddress
from companion.bus.lampdesk import MqttDesk
from companion.cli.main import UsageError
from companion.lights.picture import shape_of
from firmware_bridge import build, flash, layouts, ports
from firmware_bridge.bridge import Bridge
from firmware_bridge.desks import DemoDesk, LineDesk, PlacedLamp, lines_of
from firmware_bridge.dialing import PortDialer
from firmware_bridge.lamp import Desk, Lamp
from firmware_bridge.wled import PlainHttp, WledError, WledLamp
from firmware_bridge.wled_serial import SerialJson

HELP = "run lights and buttons on a board (or a WLED lamp); also `bridge ports`, `bridge flash`"
EXAMPLE = "santorini bridge --from demo\n         santorini bridge flash --leds 25"

USB: Final = "usb"
DeskMaker = Callable[[argparse.Namespace, layouts.Layout], Desk]


def _lines(args: argparse.Namespace, layout: layouts.Layout) -> Desk:
    return LineDesk(lines_of(sys.stdin.buffer), _print)


def _demo(args: argparse.Namespace, layout: layouts.Layout) -> Desk:
    return DemoDesk(layout.leds, _print, threading.Event())


def _mqtt(args: argparse.Namespace, layout: layouts.Layout) -> Desk:
    try:
        return MqttDesk(BrokerAddress.parse(args.desk), shape_of(layout), _print)
    except (BadAddress, layouts.LayoutError) as error:
        raise UsageError(f"--from: {error}") from error


# Where pictures come from and presses go, by name or by the scheme of an address (`mqtt` for `mqtt://…`).
DESKS: Final[dict[str, DeskMaker]] = {"stdin": _lines, "demo": _demo, "mqtt": _mqtt, "mqtts": _mqtt}


def _print(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


def configure(parser: argparse.ArgumentParser) -> None:
    """Take what to do, where the board is and how its LEDs lie."""
    parser.add_argument("action", nargs="?", choices=tuple(ACTIONS), default="run", help="default: run")
    parser.add_argument("--port", help="serial port: a path, or part of a name that `bridge ports` lists")
    parser.add_argument("--wled", metavar="URL", help="a WLED lamp, not a board: http://wled.local, or usb")
    parser.add_argument(
        "--layout", default="under-25", help=f"where the LEDs lie: {', '.join(layouts.LAYOUTS)}"
    )
    parser.add_argument("--map", type=Path, metavar="FILE", help="an LED map of your own (docs/hardware.md)")
    parser.add_argument(
        "--from",
        dest="desk",
        default="stdin",
        help="pictures from: stdin, demo, or mqtt://lights:password@host[/TABLE]",
    )
    group = parser.add_argument_group("flash")
    group.add_argument("--leds", type=int, help="LEDs on the strip (default: as the layout needs)")
    group.add_argument("--budget", type=int, default=400, metavar="MA", help="most the LEDs may draw, in mA")
    group.add_argument(
        "--bootloader", choices=("new", "old"), default="new", help="old: Nano made before 2018"
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    return ACTIONS[args.action](args)


def _layout(args: argparse.Namespace) -> layouts.Layout:
    if args.map is not None:
        try:
            return layouts.read(args.map)
        except layouts.LayoutError as error:
            raise UsageError(str(error)) from error
    if args.layout not in layouts.LAYOUTS:
        raise UsageError(f"there is no layout '{args.layout}'; try: {', '.join(layouts.LAYOUTS)}")
    return layouts.LAYOUTS[args.layout]


def _list_ports(args: argparse.Namespace) -> int:
    found = ports.find()
    for port in found:
        print(f"{port.path}\n    {port.about} (now {port.device})")
    if not found:
        print("no serial port is plugged in")
    return 0


class _Startable(Lamp, Protocol):
    def start(self) -> None:
        """Work in a thread of its own."""


def _lamp(args: argparse.Namespace, desk: Desk) -> _Startable:
    if args.wled is None:
        return Bridge(PortDialer(args.port), desk)
    if args.wled == USB:
        return WledLamp(SerialJson(PortDialer(args.port)), desk)
    try:
        return WledLamp(PlainHttp(args.wled), desk)
    except WledError as error:
        raise UsageError(str(error)) from error


@contextlib.contextmanager
def _lit(args: argparse.Namespace) -> Iterator[Desk]:
    """A lamp at work, and the desk that feeds it."""
    maker = DESKS.get(args.desk.split("://")[0])
    if maker is None:
        raise UsageError(f"pictures cannot come from '{args.desk}'; try: {', '.join(DESKS)}")
    layout = _layout(args)
    desk = maker(args, layout)
    lamp = _lamp(args, desk)
    lamp.start()
    desk.attach(PlacedLamp(lamp, layout))
    try:
        yield desk
    finally:
        desk.close()
        lamp.close()


def _serve(args: argparse.Namespace) -> int:
    with contextlib.suppress(KeyboardInterrupt), _lit(args) as desk:
        desk.wait()
    return 0


def _flash(args: argparse.Namespace) -> int:
    layout = _layout(args)
    options = build.Options(
        leds=layout.length if args.leds is None else args.leds, layout=layout.number, budget_ma=args.budget
    )
    try:
        port = ports.choose(args.port)
        print(f"building for {options.leds} LEDs and writing to {port.path} …")
        flash.flash(port.path, options, args.bootloader)
    except (ports.NoChoice, build.ToolMissing) as error:
        raise UsageError(str(error)) from error
    except build.BuildFailed as error:
        print(f"santorini bridge flash: {error}", file=sys.stderr)
        return 1
    except flash.FlashFailed as error:
        other = "old" if args.bootloader == "new" else "new"
        print(f"{error.output}\n{error}\ntry again with --bootloader {other}", file=sys.stderr)
        return 1
    print("done; the LEDs are dark until a bridge runs")
    return 0


ACTIONS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {
    "run": _serve,
    "ports": _list_ports,
    "flash": _flash,
}
