"""Power loss, simulated: from a log of all writes and syncs, what a disk may hold if the power fails.

What was written to a file before its last sync is there. Of what was written since, any 512-byte sector may
be there or not; a cut of the length may have happened or not. A new file is there for sure only after its
folder was synced, and a deleted one may come back until then.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SECTOR = 512
APPENDED = 2**64 - 1
SOURCE = Path(__file__).with_name("powerloss.c")
HEAD = struct.Struct("<cHQQ")


@dataclass(frozen=True)
class Operation:
    """One write, cut, deletion or sync."""

    kind: str
    path: Path
    offset: int
    data: bytes


@dataclass
class File:
    """What of a file is safe, and what is on its way."""

    safe: bytearray = field(default_factory=bytearray)
    pending: list[Operation] = field(default_factory=list)
    is_named: bool = False
    is_deleted: bool = False


def compiled(folder: Path) -> Path:
    """Build the library that notes everything."""
    library = folder / "powerloss.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, SOURCE, "-ldl", "-pthread"]
    subprocess.run(command, check=True)
    return library


def recorded(library: Path, folder: Path, turns: int, level: str) -> list[Operation]:
    """Run the small server and give all it did to its files."""
    data, log = folder / f"data-{level}", folder / f"log-{level}"
    data.mkdir()
    noted = {"LD_PRELOAD": str(library), "POWERLOSS_FOLDER": str(data), "POWERLOSS_LOG": str(log)}
    command = [sys.executable, "-m", "tests.companion.store.powerloss_server", str(data), str(turns), level]
    subprocess.run(command, check=True, env={**os.environ, **noted}, timeout=120)
    return list(_parsed(log.read_bytes()))


def _parsed(log: bytes) -> Iterator[Operation]:
    at = 0
    while at < len(log):
        kind, path_length, offset, length = HEAD.unpack_from(log, at)
        at += HEAD.size
        path = Path(log[at : at + path_length].decode())
        at += path_length
        yield Operation(kind.decode(), path, offset, log[at : at + length])
        at += length


def after_power_loss(operations: list[Operation], random: Random) -> dict[str, bytes]:
    """Give the files that may be left when the power fails behind these operations."""
    files: dict[Path, File] = {}
    for operation in operations:
        _take(files, operation)
    share = random.choice((0.0, 0.5, 1.0, random.random()))
    left = {}
    for path, file in files.items():
        is_certain = file.is_named and not file.is_deleted
        if is_certain or random.random() < share:
            left[path.name] = bytes(_survived(file, share, random))
    return left


def _take(files: dict[Path, File], operation: Operation) -> None:
    if operation.kind == "s" and operation.path in {path.parent for path in files}:
        _sync_names(files, operation.path)
        return
    file = files.setdefault(operation.path, File())
    match operation.kind:
        case "u":
            file.is_deleted = True
        case "s":
            for waiting in file.pending:
                _apply(file.safe, waiting)
            file.pending.clear()
        case _ if file.is_deleted:
            files[operation.path] = File(pending=[operation])
        case _:
            file.pending.append(operation)


def _sync_names(files: dict[Path, File], folder: Path) -> None:
    for path, file in list(files.items()):
        if path.parent == folder:
            file.is_named = True
            if file.is_deleted:
                del files[path]


def _survived(file: File, share: float, random: Random) -> bytearray:
    content = bytearray(file.safe)
    for waiting in file.pending:
        if waiting.kind == "t":
            if random.random() < share:
                _apply(content, waiting)
            continue
        for start in range(0, len(waiting.data), SECTOR):
            if random.random() < share:
                part = waiting.data[start : start + SECTOR]
                _apply(content, Operation("w", waiting.path, waiting.offset + start, part))
    return content


def _apply(content: bytearray, operation: Operation) -> None:
    if operation.kind == "t":
        content[:] = content[: operation.offset].ljust(operation.offset, b"\0")
        return
    end = operation.offset + len(operation.data)
    content.extend(bytes(max(0, end - len(content))))
    content[operation.offset : end] = operation.data
