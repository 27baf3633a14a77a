"""Records as JSON, with a schema number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.record import SCHEMA, Record, RecordError, format_record, parse_record
from engine.setup import Setup, SetupError


def record_to_json(record: Record) -> dict[str, Any]:
    """Write a record as JSON data: the setup as data, the entries as their lines."""
    lines = [line for line in format_record(record).splitlines() if not line.startswith("[")]
    entries = [line for line in lines if not line.startswith("result ")]
    return {
        "schema": SCHEMA,
        "game": record.id,
        "setup": record.setup.to_json(),
        "names": dict(record.names),
        "opening": record.opening,
        "seed": record.seed,
        "entries": entries,
        "result": record.result,
    }


def record_from_json(data: Mapping[str, Any]) -> Record:
    """Read a record from JSON data; raise RecordError naming the field or the entry."""
    if data.get("schema") != SCHEMA:
        given = f"must be {SCHEMA}, not {data['schema']!r}" if "schema" in data else "is missing"
        raise RecordError(0, f"this is no record that can be read: schema {given}", "field", "schema")
    entries = data.get("entries")
    if not isinstance(entries, list) or not all(
        isinstance(line, str) and "\n" not in line for line in entries
    ):
        raise RecordError(0, "entries: must be a list of lines", "field", "entries")
    try:
        setup = Setup.from_json(data["setup"])
    except (SetupError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(0, f"setup: {error}", "setup") from error
    head = format_record(Record(setup, (), {}))
    try:
        read = parse_record(head + "\n".join(entries))
    except RecordError as error:
        number = max(0, error.number - head.count("\n"))
        raise RecordError(number, error.problem, error.code, error.subject) from error
    return Record(
        setup,
        read.entries,
        _names(data.get("names")),
        _kind(data, "opening", dict),
        _kind(data, "seed", int),
        _kind(data, "result", str),
        _kind(data, "game", str) or "",
    )


def _names(names: Any) -> dict[str, str]:
    """Read the players' names."""
    if not isinstance(names or {}, dict) or not all(isinstance(n, str) for n in (names or {}).values()):
        raise RecordError(0, "names: must be an object of texts", "field", "names")
    return dict(names or {})


def _kind(data: Mapping[str, Any], name: str, kind: type) -> Any:
    """Read an optional value of one kind."""
    value = data.get(name)
    if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
        raise RecordError(0, f"{name}: {value!r} cannot stand here", "field", name)
    return value
