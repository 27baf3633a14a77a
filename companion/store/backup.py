"""One file with everything: games, seats, settings and calibrations; and back.

    manifest.json              what it is, and size and SHA-256 of everything else
    games.db or games.jsonl    a consistent snapshot, of SQLite or of PostgreSQL
    calibration/*.json         the calibration files

What is sealed stays sealed: the keys are on the owners' phones. Restoring writes into an empty place only.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

from companion.paths import DataFolder
from companion.store.database import FILE_MODE, check, connect, shown_address
from companion.store.errors import StoreError
from companion.store.games import games
from companion.store.migrate import head, known, revision_of
from companion.store.store import Store
from companion.store.transfer import export_lines, import_lines

FORMAT: Final = "santorini-backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
SNAPSHOT: Final = "games.db"
LINES: Final = "games.jsonl"
LARGEST_MANIFEST: Final = 1 << 20
_NAMES: Final = re.compile(r"games\.db|games\.jsonl|calibration/[\w][\w .-]*\.json")


class BackupProblem(StoreError):
    """A backup that cannot be made or used: names the file and the reason."""


@dataclass(frozen=True)
class Contents:
    """What a backup holds."""

    games: int
    calibrations: int


def make_backup(target: Path, folder: DataFolder, address: str | Path, now: datetime) -> Contents:
    """Write everything to a new file; a game that is being played is in it up to its last event."""
    with _new_file(target) as file, tempfile.TemporaryDirectory(dir=target.parent) as temporary:
        room = Path(temporary)
        count = _snapshot(address, room)
        found = {f"calibration/{path.name}": path for path in _calibrations(folder)}
        parts = {path.name: path for path in room.iterdir()} | found
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "made": now.isoformat(timespec="seconds"),
            "schema": head(),
            "games": count,
            "files": {name: _described(path) for name, path in parts.items()},
        }
        (room / MANIFEST).write_text(json.dumps(manifest, indent=1))
        with tarfile.open(fileobj=file, mode="w:gz") as archive:
            for name, path in {MANIFEST: room / MANIFEST, **parts}.items():
                archive.add(path, name, filter=_nameless)
    return Contents(count, len(found))


def restore_backup(source: Path, folder: DataFolder, address: str | Path) -> Contents:
    """Bring everything back into an empty place; all games or none."""
    folder.make()
    with tempfile.TemporaryDirectory(dir=folder.root) as temporary:
        room = Path(temporary)
        _unpacked(source, room)
        lines = _lines(source, room)
        files = sorted((room / "calibration").glob("*.json"))
        for path in files:
            _refuse_other(path, folder.calibration / path.name)
        with Store.open(address) as store:
            if len(store.read(export_lines())) > 2:
                place = shown_address(address)
                raise BackupProblem(f"{place} holds games or settings already: use an empty --data DIR")
            for path in files:
                folder.calibration.mkdir(exist_ok=True)
                path.replace(folder.calibration / path.name)
            # Last, and in one transaction: if anything before fails, the same command can be given again.
            store.write(import_lines(lines))
            return Contents(len(store.read(games())), len(files))


@contextmanager
def _new_file(target: Path) -> Iterator[IO[bytes]]:
    """Reserve the name, write beside it, and put the whole file in its place at the end."""
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    except FileExistsError:
        raise BackupProblem(f"{target} exists already: name a new file") from None
    except OSError as error:
        raise BackupProblem(f"{target} cannot be written: {error.strerror}") from error
    part = target.with_name(target.name + ".part")
    try:
        with part.open("wb") as file:
            part.chmod(FILE_MODE)
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException as error:
        part.unlink(missing_ok=True)
        target.unlink()
        if isinstance(error, OSError):
            raise BackupProblem(f"{target} cannot be written: {error.strerror}") from error
        raise


def _snapshot(address: str | Path, room: Path) -> int:
    """Copy the games as they are at one moment; say how many."""
    if isinstance(address, Path) or "://" not in address:
        if not Path(address).exists():
            raise BackupProblem(f"{address} does not exist: there is nothing to back up there")
        return _copied(Path(address), room / SNAPSHOT)
    with Store.open(address) as store:
        lines = store.read(export_lines())
    (room / LINES).write_text("".join(line + "\n" for line in lines), encoding="ascii")
    return sum(json.loads(line)["kind"] == "game" for line in lines)


def _copied(database: Path, copy: Path) -> int:
    source = connect(database)
    try:
        check(source)
        if revision_of(source) is None:
            raise BackupProblem(f"{database} is empty: there is nothing to back up there")
    finally:
        source.dispose()
    try:
        with closing(sqlite3.connect(database)) as live, closing(sqlite3.connect(copy)) as snapshot:
            live.backup(snapshot)
            snapshot.execute("PRAGMA journal_mode=DELETE")
            (count,) = snapshot.execute("SELECT count(*) FROM game").fetchone()
            return int(count)
    except sqlite3.Error as error:
        raise BackupProblem(f"{database} could not be copied to {copy.parent.parent} ({error})") from error


def _calibrations(folder: DataFolder) -> list[Path]:
    return sorted(
        path for path in folder.calibration.glob("*.json") if _NAMES.fullmatch(f"calibration/{path.name}")
    )


def _described(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def _nameless(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out who made it on which account."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = FILE_MODE
    return member


def _unpacked(source: Path, room: Path) -> None:
    """Take out what the manifest lists, and nothing else."""
    try:
        with tarfile.open(source, "r:gz") as archive:
            for name, described in _files(source, archive).items():
                _take_out(source, archive, name, described, room)
    except FileNotFoundError:
        raise BackupProblem(f"{source} does not exist") from None
    except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
        raise BackupProblem(f"{source} is damaged or no backup ({error})") from error


def _files(source: Path, archive: tarfile.TarFile) -> dict[str, dict[str, Any]]:
    member = archive.next()
    file = archive.extractfile(member) if member is not None and member.name == MANIFEST else None
    try:
        manifest = json.loads(file.read(LARGEST_MANIFEST)) if file else None
    except ValueError:
        manifest = None
    match manifest:
        case {
            "format": "santorini-backup",
            "version": int(version),
            "schema": str(schema),
            "files": dict(files),
        }:
            if version > VERSION or schema not in known():
                raise BackupProblem(f"{source} was made by a later version: install that one")
            if not all(isinstance(part, dict) and _NAMES.fullmatch(name) for name, part in files.items()):
                raise BackupProblem(f"{source} lists files that do not belong into a backup")
            if len(files.keys() & {SNAPSHOT, LINES}) != 1:
                raise BackupProblem(f"{source} holds no games")
            return files
        case _:
            raise BackupProblem(f"{source} is no backup of this program")


def _take_out(
    source: Path, archive: tarfile.TarFile, name: str, described: dict[str, Any], room: Path
) -> None:
    try:
        member = archive.getmember(name)
    except KeyError:
        raise BackupProblem(f"{source} is damaged ({name} is missing)") from None
    file = archive.extractfile(member) if member.isreg() else None
    if file is None or member.size != described.get("bytes"):
        raise BackupProblem(f"{source} is damaged ({name} has another size)")
    path = room / name
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as copy:
        shutil.copyfileobj(file, copy)
    if _described(path) != described:
        raise BackupProblem(f"{source} is damaged ({name} was changed)")


def _lines(source: Path, room: Path) -> tuple[str, ...]:
    """Read the games, whichever kind of database they were in, at today's schema."""
    if (room / LINES).exists():
        return tuple((room / LINES).read_text(encoding="ascii").splitlines())
    try:
        with Store.open(room / SNAPSHOT) as snapshot:
            return snapshot.read(export_lines())
    except StoreError as error:
        text = str(error).replace(str(room / SNAPSHOT), f"{source} ({SNAPSHOT})")
        raise BackupProblem(text) from error


def _refuse_other(new: Path, present: Path) -> None:
    if present.exists() and present.read_bytes() != new.read_bytes():
        raise BackupProblem(f"{present} exists already and differs: move it away or use an empty --data DIR")
