"""Export and import of everything as JSON lines, also from one kind of database to the other.

The first line says what the file is, then each row is one line, the last line counts them: a file that
was cut off is noticed. Sealed payloads stay sealed, codes and tokens are hashes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError, StatementError

from companion.store.errors import BadExport
from companion.store.events import Work
from companion.store.schema import metadata

FORMAT: Final = "santorini-games"
VERSION: Final = 1
_EMBEDDED: Final = ("payload", "document", "value")


def export_lines() -> Work[tuple[str, ...]]:
    """Read everything, in an order that can be written back."""

    def work(connection: Connection) -> tuple[str, ...]:
        rows = [_line({"kind": table.name, **row}) for table, row in _rows(connection)]
        first = _line({"kind": "header", "format": FORMAT, "version": VERSION})
        return (first, *rows, _line({"kind": "end", "rows": len(rows)}))

    return work


def import_lines(lines: Iterable[str]) -> Work[int]:
    """Write everything back, all or nothing, and say how many rows that were."""
    rows = tuple(_checked(lines))

    def work(connection: Connection) -> int:
        for number, table, row in rows:
            try:
                connection.execute(sa.insert(metadata.tables[table]), row)
            except (IntegrityError, StatementError) as error:
                what = f"this {table} is there already or does not fit"
                raise BadExport(number, what) from error
        return len(rows)

    return work


def _rows(connection: Connection) -> Iterator[tuple[sa.Table, dict[str, Any]]]:
    for table in metadata.sorted_tables:
        for row in connection.execute(sa.select(table).order_by(*table.primary_key)).mappings():
            embedded = {key: json.loads(row[key]) for key in _EMBEDDED if key in row}
            yield table, {**row, **embedded}


def _line(value: object) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _checked(lines: Iterable[str]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    numbered = enumerate(lines, 1)
    number, header = next(((n, _object(n, line)) for n, line in numbered), (1, {}))
    if header != {"kind": "header", "format": FORMAT, "version": VERSION}:
        raise BadExport(number, f"this is not a {FORMAT} file of version {VERSION}")
    first = number + 1
    last: dict[str, int] = {}
    for number, line in numbered:
        row = _object(number, line)
        kind = row.pop("kind", None)
        if kind == "end":
            if row.get("rows") != number - first:
                raise BadExport(number, f"{row.get('rows')} rows were exported, {number - first} are here")
            return
        yield number, *_row(number, kind, row)
        if kind == "event":
            _follow(number, row, last)
    raise BadExport(number, "the end is missing, the file was cut off")


def _follow(number: int, row: dict[str, Any], last: dict[str, int]) -> None:
    """See that a game's events are numbered without a gap."""
    if row["seq"] != last.get(row["game"], 0) + 1:
        raise BadExport(number, f"event {last.get(row['game'], 0) + 1} of game '{row['game']}' is missing")
    last[row["game"]] = row["seq"]


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadExport(number, "this is not JSON") from error
    if not isinstance(value, dict):
        raise BadExport(number, "this is not an object")
    return value


def _row(number: int, kind: object, row: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if not isinstance(kind, str) or kind not in metadata.tables:
        raise BadExport(number, f"'{kind}' is not known")
    table = metadata.tables[kind]
    if set(row) != set(table.columns.keys()):
        raise BadExport(number, f"the fields of a {kind} are {', '.join(table.columns.keys())}")
    for column in table.columns:
        if column.key not in _EMBEDDED and not _fits(column, row[column.key]):
            raise BadExport(number, f"'{column.key}' of this {kind} has the wrong type")
    return kind, {key: _line(value) if key in _EMBEDDED else value for key, value in row.items()}


def _fits(column: sa.Column[Any], value: object) -> bool:
    # SQLite itself would take anything, and type() because a bool is no number here.
    return type(value) is column.type.python_type or (value is None and bool(column.nullable))
