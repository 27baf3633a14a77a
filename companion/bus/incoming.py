"""What comes in for one table: checked, carried out once, answered, counted. Nothing is guessed at."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pydantic import ValidationError

from companion.bus import messages as m
from companion.bus.topics import BUTTON, COMMAND, COMMANDS, REPLY, SEAT_OPEN, Packet, packet, parse
from companion.bus.wording import Wording
from companion.lights.buttons import SCREEN, Meaning, Panel, PublicTable
from companion.table.commands import COMMAND as TABLE_COMMAND
from companion.table.commands import Reply
from companion.table.seatview import Say

LARGEST: Final = 4096
REMEMBERED: Final = 4096
LATE: Final = "error.too_late"
BAD: Final = "error.bad_message"
_TRANSACTION: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")


@dataclass(frozen=True)
class Heard:
    """A message as it came."""

    topic: str
    payload: bytes
    retained: bool = False


@dataclass(frozen=True)
class _Refused(Exception):
    """A message that is not carried out."""

    problem: m.Problem
    key: str = BAD


class OpenSeat(Protocol):
    """Begins a sealed session of a seat; false where the table offers none."""

    def __call__(self, seat: str, opening: bytes) -> bool:
        """Begin it."""


@dataclass
class _Known:
    """A transaction that was answered: a fingerprint of what was asked, and the answer."""

    print: bytes
    reply: m.Reply


class Inbox:
    """The door of one table. `take` may wait for the table, so it is called in a thread of its own."""

    def __init__(
        self,
        table: PublicTable,
        session: str,
        buttons: Mapping[int, Meaning],
        open_seat: OpenSeat,
        wording: Wording | None = None,
    ) -> None:
        self._table, self._session, self._buttons = table, session, buttons
        self._open_seat = open_seat
        self._wording = wording or Wording()
        self._panel = Panel(table)
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()
        self.refused: Counter[str] = Counter()
        self.accepted = 0

    def follow(self, earlier: Inbox) -> None:
        """Know and count what an earlier door of the same table did: its connection was made anew."""
        self._known, self.refused, self.accepted = earlier._known, earlier.refused, earlier.accepted

    def take(self, heard: Heard, table: str) -> Packet | None:
        """Carry a message out, and give the reply to it; None where nobody may be answered."""
        found = parse(heard.topic, "in")
        if found is None:
            self.refused["unknown"] += 1
            return None
        match found.topic:
            case topic if topic is COMMAND:
                about = found.values["verb"] if found.values["verb"] in COMMANDS else "unknown"
            case topic if topic is BUTTON:
                about = "button"
            case topic if topic is SEAT_OPEN:
                about = "open"
            case _:
                return None
        return self._reply(table, about, self._answer(heard, about, found.values.get("seat")))

    def _reply(self, table: str, about: str, reply: m.Reply) -> Packet:
        return packet(REPLY, reply, table=table, about=about)

    def _answer(self, heard: Heard, about: str, seat: str | None) -> m.Reply:
        transaction: str | None = None
        try:
            transaction = named_transaction(heard.payload)
            message = self._checked(heard, about)
            # By topic, so that one sender's numbers do not stand in another's way.
            name = (heard.topic, message.transaction)
            known, finger = self._known.get(name), hashlib.sha256(heard.payload).digest()
            if known is not None and known.print != finger:
                raise _Refused("replayed", LATE)
            if known is not None:
                self.refused["repeated"] += 1
                return known.reply.model_copy(update={"repeated": True})
            reply = self._done(message, about, seat)
        except _Refused as refusal:
            return self._refuse(transaction, refusal)
        self._known[name] = _Known(finger, reply)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return reply

    def _checked(self, heard: Heard, about: str) -> m.Command | m.Button | m.Open:
        """Check a message from the outside in."""
        if about == "unknown":
            raise _Refused("unknown")
        if heard.retained:
            # It was meant for an earlier moment; a table acts on the present.
            raise _Refused("retained", LATE)
        if len(heard.payload) > LARGEST:
            raise _Refused("oversized", "error.too_big")
        try:
            heard.payload.decode("utf-8")
        except UnicodeDecodeError:
            raise _Refused("encoding") from None
        form: type[m.Command | m.Button | m.Open] = (
            m.Button if about == "button" else m.Open if about == "open" else COMMANDS[about]
        )
        try:
            return form.model_validate_json(heard.payload)
        except (ValidationError, RecursionError):
            raise _Refused("wrong_schema") from None

    def _done(self, message: m.Command | m.Button | m.Open, about: str, seat: str | None) -> m.Reply:
        """Carry it out."""
        match message:
            case m.Button():
                return self._told(message.transaction, self._press(message))
            case m.Open():
                if seat is None or not self._open_seat(seat, bytes.fromhex(message.opening)):
                    raise _Refused("refused", "error.not_allowed")
                return self._told(message.transaction, Reply(True))
            case _:
                return self._told(message.transaction, self._submit(message, about))

    def _submit(self, command: m.Command, verb: str) -> Reply:
        if command.session != self._session:
            raise _Refused("replayed", LATE)
        if command.seq > self._table.public().seq:
            raise _Refused("out_of_order", LATE)
        fields = command.model_dump(exclude={"schema_", "transaction", "session"})
        return self._table.submit(SCREEN, TABLE_COMMAND.validate_python({"do": verb, **fields}))

    def _press(self, button: m.Button) -> Reply:
        meaning = self._buttons.get(button.button) if isinstance(button.button, int) else button.button
        if not button.down or meaning is None:
            return Reply(True)
        return self._panel.press(meaning)

    def _told(self, transaction: str, reply: Reply) -> m.Reply:
        """Word what the table answered."""
        late = reply.say is not None and reply.say.key == LATE
        problem: m.Problem | None = None if reply.ok else "out_of_order" if late else "refused"
        if problem is None:
            self.accepted += 1
        else:
            self.refused[problem] += 1
        said = self._wording.say(reply.say) if reply.say else None
        seq = reply.seq or self._table.public().seq
        return m.Reply(
            transaction=transaction, ok=reply.ok, repeated=False, seq=seq, problem=problem, say=said
        )

    def _refuse(self, transaction: str | None, refusal: _Refused) -> m.Reply:
        self.refused[refusal.problem] += 1
        return m.Reply(
            transaction=transaction,
            ok=False,
            repeated=False,
            seq=self._table.public().seq,
            problem=refusal.problem,
            say=self._wording.say(Say(refusal.key)),
        )


def named_transaction(payload: bytes) -> str | None:
    """Find the transaction of a message that may be wrong otherwise, so that its sender can tell."""
    if len(payload) > LARGEST:
        return None
    try:
        found: Any = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    name = found.get("transaction") if isinstance(found, dict) else None
    return name if isinstance(name, str) and _TRANSACTION.fullmatch(name) else None
