"""New games and games on disk, for the web: plain requests in, tables out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import structlog

from companion.secrets import KeyMissing
from companion.table.importing import ImportProblem, import_record, record_of_text
from companion.table.live import milliseconds
from companion.table.recording import NotYetError
from companion.table.session import CorruptGameError
from companion.table.tables import NoSuchGameError, Tables
from companion.web.lineups import setup_of
from companion.web.ports import Json, NotPossible, Table
from engine.record import RecordError, format_record
from engine.recordjson import record_to_json


def fault_of(bad: RecordError | ImportProblem) -> Json:
    """Say what is wrong with a record, as a text; the details are in the log."""
    LOG.info("record refused", problem=str(bad))
    where = {"number": bad.number, "what": bad.subject} if isinstance(bad, RecordError) else {}
    return {"key": f"error.record.{bad.code}", "facts": where}


def _nothing_else(_game: str) -> None:
    return None


LOG = structlog.get_logger("shelf")


class Shelf:
    """The tables of this process and the games in its store."""

    def __init__(self, tables: Tables, forget: Callable[[str], None] = _nothing_else) -> None:
        self._tables = tables
        self._forget = forget
        """Deletes what belongs to a game and lies elsewhere: pictures of doubtful decisions."""

    def create(self, game: Json) -> Table:
        """Open a table with a new game; raises `NotPossible` with the reason."""
        players = game["players"]
        setup = setup_of([player["power"] for player in players], game)
        sitters = [
            {"seat": seat, "name": player["name"], "colour": player["colour"]}
            for seat, player in zip(setup.seats, players)
        ]
        return self._tables.create({"setup": setup.to_json(), "sitters": sitters})

    def saved(self) -> Sequence[Json]:
        """Return a line about every game on disk, the newest first."""
        return [vars(line) for line in self._tables.saved()]

    def open(self, game: str) -> Table:
        """Open the table of a game on disk; raises `NotPossible`."""
        try:
            return self._tables.open(game)
        except NoSuchGameError as missing:
            raise NotPossible("error.not_found") from missing
        except CorruptGameError as broken:
            LOG.warning("broken game", game=game, problem=str(broken))
            raise NotPossible("error.record.broken") from broken

    def take_in(self, record: str) -> Table:
        """Take a record in and open its table; raises `NotPossible` with what is wrong with it."""
        try:
            return self.open(import_record(self._tables.store, record_of_text(record), milliseconds))
        except (RecordError, ImportProblem) as bad:
            raise NotPossible("error.bad_record", {"what": fault_of(bad)}) from bad

    def delete(self, game: str) -> bool:
        """Delete a game and all that belongs to it; false when there is none."""
        if not self._tables.delete(game):
            return False
        self._forget(game)
        return True

    def record(self, game: str, as_json: bool) -> str:
        """Return the record of a game; raises `NotPossible` while it would tell a secret."""
        try:
            record = self._tables.record(game)
        except NoSuchGameError as missing:
            raise NotPossible("error.not_found") from missing
        except (NotYetError, KeyMissing) as early:
            raise NotPossible("end.record_later") from early
        if as_json:
            return json.dumps(record_to_json(record), ensure_ascii=False, indent=1)
        return format_record(record)
