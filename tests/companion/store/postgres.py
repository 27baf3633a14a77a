"""A private PostgreSQL server for the tests: own folder, a socket and no port."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

USER = "lab"


def binaries() -> Path | None:
    """Find the server's programs where Debian puts them, newest version first, else on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    on_path = shutil.which("initdb")
    return found[0] if found else Path(on_path).parent if on_path else None


@contextmanager
def server(programs: Path) -> Iterator[str]:
    """Run a server and give the URL of its database."""
    folder = Path(tempfile.mkdtemp(prefix="santorini-pg-"))
    try:
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        _run(programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", USER, "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        control = (programs / "pg_ctl", "-D", folder / "data", "-w", "-s")
        _run(*control, "-o", options, "-l", folder / "log", "start")
        try:
            yield f"postgresql://{USER}@/postgres?host={folder}"
        finally:
            _run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def emptied(url: str) -> str:
    """Throw away whatever the last test left."""
    with psycopg.connect(url, autocommit=True) as connection:
        others = "pid <> pg_backend_pid() AND datname = 'postgres'"
        connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url


def _run(*words: object) -> None:
    # The server refuses to run as root.
    prefix = ("runuser", "-u", "postgres", "--") if os.getuid() == 0 else ()
    command = [*prefix, *map(str, words)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
