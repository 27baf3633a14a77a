"""`santorini play`: start the companion; without a camera, with a simulated table."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from pathlib import Path

import structlog

from companion.cli.main import UsageError
from companion.paths import add_data_options, data_folder, database_address
from companion.play.greeting import greeting
from companion.play.starting import NO_CAMERA, Companion, Wishes
from companion.play.things import BadThings, add_things_options, things_of
from companion.store.errors import DatabaseProblem
from companion.web.server import NoPort
from vision.sources import SourceError
from vision.sources.opening import grabber_for

HELP = "start the companion; without a camera, with a simulated table"
EXAMPLE = "santorini play --camera 0"
DOING = {None: "A simulated table plays.", NO_CAMERA: "No camera: tables are played by taps."}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help="0, http://…/video, rtsp://…, a video file, a folder of pictures, or none: play by taps "
        "(default: a simulated table)",
    )
    parser.add_argument(
        "--bind", default="0.0.0.0", metavar="ADDRESS", help="listen there (default: the LAN)"
    )
    parser.add_argument("--port", type=_port, default=8000, help="listen on this port (8000)")
    parser.add_argument(
        "--https", type=_port, metavar="PORT", help="serve https there too, for a phone as camera, e.g. 8443"
    )
    parser.add_argument("--seed", type=int, help="play the same simulated games again")
    parser.add_argument(
        "--debug-dir",
        type=Path,
        metavar="DIR",
        help="keep pictures of asked, illegal and corrected turns there, with what was weighed",
    )
    parser.add_argument("--verbose", action="store_true", help="log every event")
    parser.add_argument(
        "--setup-only", action="store_true", help="install and start nothing (./play does it)"
    )
    add_data_options(parser)
    add_things_options(parser)


def _port(text: str) -> int:
    """Read a port; 0 takes any free one."""
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port from 0 to 65535")
    return int(text)


def wishes_of(args: argparse.Namespace) -> Wishes:
    """Check what was asked for; raises UsageError with one sentence."""
    if args.camera not in (None, NO_CAMERA):
        try:
            grabber_for(args.camera)
        except SourceError as error:
            raise UsageError(f"--camera: {error}") from error
    data = data_folder(args)
    try:
        things = things_of(args, data.root)
    except BadThings as error:
        raise UsageError(str(error)) from error
    return Wishes(
        data,
        database_address(args),
        args.bind,
        args.port,
        args.camera,
        things,
        args.seed,
        args.https,
        args.debug_dir,
    )


def quiet(verbose: bool) -> None:
    """Log one line an event, and by default only what needs attention."""
    level = logging.DEBUG if verbose else logging.WARNING
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def run(args: argparse.Namespace) -> int:
    """Start, say where, wait for Ctrl-C, stop."""
    if args.setup_only:
        return 0
    wishes = wishes_of(args)
    quiet(args.verbose)
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    try:
        with Companion(wishes) as companion:
            doing = DOING.get(wishes.camera, f"Camera: {wishes.camera}")
            print(greeting(companion.address, companion.host_link, doing, companion.notes), flush=True)
            over.wait()
            print("Stopping; everything is kept.", flush=True)
    except (NoPort, DatabaseProblem, BadThings, OSError) as error:
        raise UsageError(str(error)) from error
    leave()
    return 0


def leave() -> None:
    """End at once where a thread still prepares something, such as the practice table's first picture."""
    if threading.active_count() > 1:
        # Python would tear it out of compiled code, which ends in an abort. All is written down by now.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
