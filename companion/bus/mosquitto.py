"""A private mosquitto as a child of this process: own users and access list, restarted if it dies."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import structlog

from companion.bus.address import BrokerAddress
from companion.bus.topics import Role
from companion.bus.users import (
    PERMANENT,
    User,
    Vault,
    access_lines,
    hashed,
    new_password,
    seat_user,
    write_private,
)  # fmt: skip
from companion.doctor.probe import lan_addresses

LOG: Final = structlog.get_logger("broker")
HUB: Final = "companion"
PATHS: Final = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin", "/usr/local/opt/mosquitto/sbin")
PATIENCE: Final = 10.0
TRIES: Final = 3
LARGEST: Final = 65_536


class NotInstalled(Exception):
    """There is no mosquitto; the text says how to get one."""


class BrokerFailed(Exception):
    """mosquitto does not start; the text says what it said."""


@dataclass(frozen=True)
class Listening:
    """Where the broker listens for others: loopback unless the owner says otherwise."""

    bind: str = "127.0.0.1"
    port: int = 1883
    websockets: int | None = None

    @property
    def host(self) -> str:
        """Where this machine itself reaches it."""
        return "127.0.0.1" if self.bind in ("", "0.0.0.0", "::") else self.bind

    @property
    def outside(self) -> str:
        """Where other machines reach it, as far as they can."""
        return next(iter(lan_addresses()), self.host) if self.host != self.bind else self.bind


def find_mosquitto() -> str:
    """Find the program; NotInstalled says how to install it."""
    found = shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), *PATHS)))
    if found is None:
        raise NotInstalled(
            "mosquitto is not installed; install it with `sudo apt install mosquitto` (Debian, Ubuntu, "
            "Raspberry Pi OS), `sudo dnf install mosquitto` (Fedora) or `brew install mosquitto` (macOS)"
        )
    return found


def free_port() -> int:
    """Find a port of the loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class LocalBroker:
    """Starts, watches and stops the broker. `folder` is the data folder."""

    def __init__(
        self, folder: Path, listening: Listening | None = None, more: Iterable[tuple[str, Role]] = ()
    ) -> None:
        self._folder = folder / "mqtt"
        self._wanted = self.listening = listening or Listening()
        self._users = {name: User(name, role) for name, role in (*PERMANENT.items(), *more)}
        self._vault = Vault(self._folder / "passwords.json")
        self._hub = BrokerAddress("127.0.0.1", 0, HUB, new_password())
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self.restarts = 0

    @property
    def hub(self) -> BrokerAddress:
        """Where the companion itself connects: a listener of its own that takes no other user."""
        return self._hub

    @property
    def pid(self) -> int | None:
        """The broker's process."""
        return self._process.pid if self._process else None

    def address(self, name: str) -> BrokerAddress:
        """Give a user's address, password included."""
        here = self.listening
        return BrokerAddress(here.host, here.port, name, self._vault.password(name))

    def admit(self, table: str, seat: str) -> BrokerAddress:
        """Let a seat's device in; the broker reads its lists again."""
        user = seat_user(table, seat)
        address = replace(self.address(user.name), host=self.listening.outside)
        with self._lock:
            if user.name not in self._users:
                self._users[user.name] = user
                self._write_lists()
                if self._process and self._process.poll() is None:
                    self._process.send_signal(signal.SIGHUP)
        return address

    # --- the process

    def start(self) -> None:
        """Start and wait until it listens; NotInstalled or BrokerFailed when that cannot be."""
        program = find_mosquitto()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._end_leftover()
        self._vault.open()
        for left in reversed(range(TRIES)):
            self._choose_ports()
            self._write_lists()
            self._write_config()
            if self._begun(program):
                return
            said = self._said()
            self.stop()
            # A port that was free may be taken by somebody else in the moment before it is used.
            if left == 0 or "in use" not in said:
                raise BrokerFailed(f"mosquitto does not start: {said}")

    def _begun(self, program: str) -> bool:
        """Start the process and the thread that watches it; say whether it listens."""
        self._stop = threading.Event()
        begun = threading.Event()
        self._thread = threading.Thread(
            target=self._supervise, args=(program, begun), name="broker-supervisor", daemon=True
        )
        self._thread.start()
        begun.wait(PATIENCE)
        return self._listens(PATIENCE) and self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stop the broker, gently first."""
        self._stop.set()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(0.5)
            except subprocess.TimeoutExpired:
                process.kill()
        if self._thread is not None:
            self._thread.join(2)
        self._pid_file.unlink(missing_ok=True)

    def _supervise(self, program: str, begun: threading.Event) -> None:
        """Keep it running. One thread all the time, because the kernel ends the child with it."""
        pause = 0.1
        while not self._stop.is_set():
            started = time.monotonic()
            with self._log.open("wb") as log:
                self._process = subprocess.Popen(
                    self._words(program), stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
            self._pid_file.write_text(str(self._process.pid))
            begun.set()
            code = self._process.wait()
            if self._stop.is_set():
                return
            pause = 0.1 if time.monotonic() - started > 10 else min(5.0, pause * 2)
            LOG.warning("mosquitto has ended and is started again", code=code, said=self._said())
            self.restarts += 1
            self._stop.wait(pause)

    def _words(self, program: str) -> list[str]:
        own = [program, "-c", str(self._config)]
        # With setpriv the kernel ends the broker even when this process is killed.
        guard = shutil.which("setpriv")
        return [guard, "--pdeathsig", "TERM", *own] if guard else own

    def _listens(self, patience: float) -> bool:
        """Whether both listeners take connections."""
        end = time.monotonic() + patience
        here = self.listening
        ends = [("127.0.0.1", self._hub.port), (here.host, here.port)]
        if here.websockets is not None:
            ends.append((here.host, here.websockets))
        for place in ends:
            while True:
                if self._process is not None and self._process.poll() is not None:
                    return False
                with contextlib.suppress(OSError), socket.create_connection(place, 0.2):
                    break
                if time.monotonic() > end:
                    return False
                time.sleep(0.02)
        return True

    def _end_leftover(self) -> None:
        """End a broker that an earlier companion had to leave behind: only if it runs on our own file."""
        try:
            pid = int(self._pid_file.read_text())
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError):
            return
        if str(self._config).encode() in words:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
            time.sleep(0.2)

    # --- its files

    @property
    def _config(self) -> Path:
        return self._folder / "mosquitto.conf"

    @property
    def _pid_file(self) -> Path:
        return self._folder / "mosquitto.pid"

    @property
    def _log(self) -> Path:
        return self._folder / "mosquitto.log"

    def _said(self) -> str:
        try:
            lines = self._log.read_text("utf-8", "replace").strip().splitlines()
        except OSError:
            return "nothing"
        return lines[-1][:200] if lines else "nothing"

    def _choose_ports(self) -> None:
        wanted = self._wanted
        port = wanted.port or free_port()
        self.listening = Listening(wanted.bind, port, wanted.websockets)
        self._hub = BrokerAddress("127.0.0.1", free_port(), HUB, self._hub.password)
        for taken in (port, wanted.websockets):
            if taken is None:
                continue
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((wanted.bind, taken))
                except OSError as error:
                    raise BrokerFailed(
                        f"port {taken} of {wanted.bind} cannot be used for MQTT: {error.strerror}"
                    ) from error

    def _write_lists(self) -> None:
        users = list(self._users.values())
        words = "".join(f"{user.name}:{hashed(self._vault.password(user.name))}\n" for user in users)
        write_private(self._folder / "users.passwords", words)
        write_private(self._folder / "users.access", "\n".join(access_lines(users)) + "\n")
        write_private(self._folder / "hub.passwords", f"{HUB}:{hashed(self._hub.password or '')}\n")
        rights = ("santorini/#", "homeassistant/#")
        lines = [f"user {HUB}", *(f"topic readwrite {topic}" for topic in rights)]
        write_private(self._folder / "hub.access", "\n".join(lines) + "\n")

    def _write_config(self) -> None:
        here = self.listening
        lines = [
            "per_listener_settings true",
            "persistence false",
            f"user {getpass.getuser()}",
            "log_dest stderr",
            "log_type error",
            "log_type warning",
            f"max_packet_size {LARGEST}",
            f"message_size_limit {LARGEST}",
            *self._listener(self._hub.port, "127.0.0.1", "hub", bound=False),
            *self._listener(here.port, here.bind, "users", bound=True),
        ]
        if here.websockets is not None:
            lines += [*self._listener(here.websockets, here.bind, "users", bound=True), "protocol websockets"]
        write_private(self._config, "\n".join(lines) + "\n")

    def _listener(self, port: int, bind: str, lists: str, *, bound: bool) -> list[str]:
        lines = [
            f"listener {port} {bind}",
            "allow_anonymous false",
            f"password_file {self._folder / lists}.passwords",
            f"acl_file {self._folder / lists}.access",
        ]
        # The client id is then always the user's name: nobody can take over another's session.
        return [*lines, "use_username_as_clientid true"] if bound else lines
