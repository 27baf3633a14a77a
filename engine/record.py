"""The record of a game: everything needed to play it through again, as data, as JSON, and as a text to read.

    [santorini 1]
    [edition roxley2016]
    [player A POWER Ada]
    [player B - Ben]
    A: A1@b2 A2@d4
    B: B1@c3 B2@d2
    1 A: A1:b2>c3 A1+c4           ; A1:b2>c3 [B1:c3~b2] A1+c4
    2 B: B2:d2>d3 ...             (a turn that has not been ended)
    undo 1
    board {"position": …}
    commit A 0 <commitment> <link>
    reveal A 0 <salt> {"abyss": "c3"}
    result A

A line of steps is a turn (or an action of the setup) and ends it; what stands behind a semicolon is for
people only. A step of another seat than the line's begins with that seat and a slash: `A/A3@b4`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from engine.game import Game, Outcome, attempt, begin, undone
from engine.opening import Opening
from engine.refusal import Refusal
from engine.setup import Setup, SetupError
from engine.steps import Agree, Draw, End, Pass, Proxy, Resign, Step, StepSyntaxError, format_step, parse_step

SCHEMA: Final = 1
OPEN_TURN: Final = "..."
Fault = Literal["line", "start", "setup", "field", "seat", "step", "undo", "board", "result"]


class RecordError(ValueError):
    """A record that cannot be read or does not replay; carries where, what kind of fault, and its subject."""

    def __init__(self, number: int, problem: str, code: Fault = "line", subject: str = "") -> None:
        super().__init__(f"line {number}: {problem}" if number else problem)
        self.number, self.problem = number, problem
        self.code, self.subject = code, subject


@dataclass(frozen=True)
class Taken:
    """Steps of one turn, each with its seat; `told` is for people."""

    seat: str
    steps: tuple[tuple[str, Step], ...]
    is_open: bool = False
    told: str = ""


@dataclass(frozen=True)
class TakenBack:
    """So many steps were taken back; a board that was taken as it stood counts as one."""

    steps: int


@dataclass(frozen=True)
class Accepted:
    """The board was taken as it stood."""

    opening: Mapping[str, Any]


@dataclass(frozen=True)
class Bound:
    """A seat committed itself to what it hides."""

    seat: str
    turn: int
    commitment: str
    link: str


@dataclass(frozen=True)
class Shown:
    """What a seat had committed itself to, revealed at the end."""

    seat: str
    turn: int
    salt: str
    value: Mapping[str, Any]


Entry = Taken | TakenBack | Accepted | Bound | Shown


@dataclass(frozen=True)
class Record:
    """A game from its setup to its result (None: it goes on; "": nobody won)."""

    setup: Setup
    entries: tuple[Entry, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    opening: Mapping[str, Any] | None = None
    seed: int | None = None
    result: str | None = None
    id: str = ""
    """The name of the game, to which commitments are bound."""
    lines: tuple[int, ...] = field(default=(), compare=False)
    """On which line of a text each entry stands, as far as there is a text."""


# ---- from a game and back ------------------------------------------------------------------------------


def entries_of(game: Game) -> tuple[Taken, ...]:
    """Part the steps of a game into turns."""
    found: list[Taken] = []
    steps: list[tuple[str, Step]] = []
    state = begin(game.setup, game.opening)
    for deed in game.deeds:
        outcome = attempt(state, deed.seat, deed.step)
        assert isinstance(outcome, Outcome), deed
        before, state = state, outcome.game
        if isinstance(deed.step, Resign | Agree) and steps:
            found.append(Taken(steps[0][0], tuple(steps), is_open=True))
            steps = []
        if not isinstance(deed.step, End):
            steps.append((deed.seat, deed.step))
        if len(state.records) > len(before.records) or state.over:
            last = state.records[-1] if state.records else None
            told = last.told(None, state.table, True) if last is not None else ""
            found.append(Taken(steps[0][0] if steps else deed.seat, tuple(steps), told=told))
            steps = []
    return (*found, Taken(steps[0][0], tuple(steps), is_open=True)) if steps else tuple(found)


def record_of(game: Game, names: Mapping[str, str] | None = None, seed: int | None = None) -> Record:
    """Make the record of a game in which nothing was taken back."""
    opening = game.opening.to_json()
    result = (game.winner or "") if game.over else None
    return Record(game.setup, entries_of(game), dict(names or {}), opening, seed, result)


def replayed(record: Record) -> Game:
    """Play a record through; raise RecordError at the first entry that does not hold."""
    game = started(record)
    for _, after in playing(record, game):
        game = after
    if record.result is not None and (not game.over or (game.winner or "") != record.result):
        number = 1 + max(record.lines, default=len(record.entries))
        raise RecordError(number, f"the result is not '{record.result}'", "result")
    return game


def started(record: Record) -> Game:
    """Begin the game of a record."""
    return _begun(record.setup, record.opening, 0, "setup")


def _begun(setup: Setup, opening: Mapping[str, Any] | None, number: int, code: Fault) -> Game:
    """Begin a game, or go on from a board as it stood."""
    try:
        return begin(setup, Opening.from_json(opening) if opening else None)
    except (SetupError, KeyError, TypeError) as error:
        raise RecordError(number, str(error), code) from error


def playing(record: Record, game: Game) -> Iterator[tuple[Entry, Game]]:
    """Give every entry with the game after it."""
    past: list[Game] = []
    numbers = record.lines if len(record.lines) == len(record.entries) else range(1, len(record.entries) + 1)
    for number, entry in zip(numbers, record.entries, strict=True):
        match entry:
            case Taken():
                game = _taken(game, number, entry)
            case TakenBack(steps):
                game = _taken_back(past, game, number, steps)
            case Accepted(opening):
                past.append(game)
                game = _begun(game.setup, opening, number, "board")
        yield entry, game


def _taken_back(past: list[Game], game: Game, number: int, steps: int) -> Game:
    """Take steps back; a board that was taken as it stood is one of them, and what was before goes on."""
    left = steps
    while past and left > len(game.deeds):
        left -= len(game.deeds) + 1
        game = past.pop()
    if not (0 < left <= len(game.deeds) or 0 == left < steps):
        raise RecordError(number, f"{steps} steps cannot be taken back", "undo")
    return undone(game, left) if left else game


def _taken(game: Game, number: int, entry: Taken) -> Game:
    """Take the steps of a turn, and end it where it does not end by itself."""
    count = len(game.records)
    for seat, step in entry.steps:
        game = _stepped(game, number, seat, step)
    alone = all(isinstance(step, Pass | Draw | Resign | Agree | Proxy) for _, step in entry.steps)
    done = entry.is_open or game.over or len(game.records) > count or (alone and bool(entry.steps))
    return game if done or game.truth.setup is not None else _stepped(game, number, entry.seat, End())


def _stepped(game: Game, number: int, seat: str, step: Step) -> Game:
    """Take one step or say why it cannot be taken."""
    if seat not in game.table.seats:
        raise RecordError(number, f"there is no seat {seat}", "seat", seat)
    outcome = attempt(game, seat, step)
    if isinstance(outcome, Refusal):
        told = format_step(step)
        raise RecordError(number, f"{told} is refused: {outcome.code}", "step", told)
    return outcome.game


# ---- text ----------------------------------------------------------------------------------------------


def format_record(record: Record) -> str:
    """Write a record as text."""
    lines = [f"[santorini {SCHEMA}]", *_header(record)]
    turn = 0
    for entry in record.entries:
        is_turn = isinstance(entry, Taken) and not _is_setup(entry)
        turn += is_turn
        lines.append(_line(entry, turn if is_turn else None))
    if record.result is not None:
        lines.append(f"result {record.result or 'none'}")
    return "\n".join(lines) + "\n"


def _is_setup(entry: Taken) -> bool:
    """Whether these steps are of the kind that only the setup has alone."""
    texts = [format_step(step) for _, step in entry.steps]
    return bool(texts) and all("@" in text for text in texts)


def _header(record: Record) -> Iterator[str]:
    """Write what was agreed before the game."""
    setup = record.setup
    if record.id:
        yield f"[game {record.id}]"
    yield f"[edition {setup.edition}]"
    data = setup.to_json()
    for name, value in data["options"].items():
        yield f"[option {name} {value if isinstance(value, str) else 'on'}]"
    for player in setup.players:
        name = " ".join(record.names.get(player.seat, "").split())
        yield f"[player {player.seat} {player.power or '-'} {name}".rstrip() + "]"
    if setup.teams:
        yield f"[teams {' '.join(''.join(team) for team in setup.teams)}]"
    if setup.golden_fleece is not None:
        yield f"[golden_fleece {setup.golden_fleece}]"
    for key in ("sex", "decks"):
        if key in data:
            yield f"[{key} {json.dumps(data[key])}]"
    if record.seed is not None:
        yield f"[seed {record.seed}]"
    if record.opening is not None:
        yield f"[opening {json.dumps(record.opening)}]"


def _line(entry: Entry, turn: int | None) -> str:
    """Write one entry."""
    match entry:
        case Taken(seat, steps, is_open, told):
            words = [format_step(s) if who == seat else f"{who}/{format_step(s)}" for who, s in steps]
            words += [OPEN_TURN] if is_open else []
            plain = " ".join(words)
            comment = f"  ; {told}" if told and told != plain else ""
            number = f"{turn} " if turn is not None else ""
            return f"{number}{seat}: {plain}{comment}"
        case TakenBack(steps):
            return f"undo {steps}"
        case Accepted(opening):
            return f"board {json.dumps(dict(opening))}"
        case Bound(seat, number, commitment, link):
            return f"commit {seat} {number} {commitment} {link}"
        case Shown(seat, number, salt, value):
            return f"reveal {seat} {number} {salt} {json.dumps(dict(value))}"


_STEPS: Final = re.compile(r"(?:\d+ +)?([A-D]): *(.*)")
_HEADER: Final = re.compile(r"\[(\w+) ?(.*)\]")
_HEX: Final = re.compile(r"[0-9a-f]{64}")


def parse_record(text: str) -> Record:
    """Read a record from text; raise RecordError naming the line."""
    head: dict[str, Any] = {"players": [], "options": {}}
    names: dict[str, str] = {}
    more: dict[str, Any] = {"entries": [], "lines": []}
    for number, raw in enumerate(text.splitlines(), 1):
        try:
            if line := raw.strip():
                _read_line(line, head, names, more)
                more["lines"] += [number] * (len(more["entries"]) - len(more["lines"]))
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise RecordError(number, f"{error}"[:120] or "cannot be read") from error
    if head.pop("schema", None) != SCHEMA:
        raise RecordError(1, f"does not begin with [santorini {SCHEMA}]", "start")
    try:
        setup = Setup.from_json(head)
    except SetupError as error:
        raise RecordError(1, str(error), "setup") from error
    return Record(setup, tuple(more.pop("entries")), names, lines=tuple(more.pop("lines")), **more)


def _read_line(line: str, head: dict[str, Any], names: dict[str, str], more: dict[str, Any]) -> None:
    """Read one line into what it belongs to."""
    if found := _HEADER.fullmatch(line):
        _read_header(found[1], found[2], head, names, more)
    elif found := _STEPS.fullmatch(line):
        more["entries"].append(_read_steps(found[1], found[2]))
    else:
        word, _, rest = line.partition(" ")
        if word == "result":
            more["result"] = "" if rest == "none" else rest
        else:
            more["entries"].append(_read_entry(word, rest))


def _read_header(
    key: str, rest: str, head: dict[str, Any], names: dict[str, str], more: dict[str, Any]
) -> None:
    """Read a line of the header."""
    match key:
        case "santorini":
            head["schema"] = int(rest)
        case "game":
            more["id"] = rest
        case "edition":
            head["edition"] = rest
        case "option":
            name, _, value = rest.partition(" ")
            head["options"][name] = True if value == "on" else value
        case "player":
            seat, power, *name_words = rest.split(" ")
            head["players"].append({"seat": seat, "power": None if power == "-" else power})
            names[seat] = " ".join(name_words)
        case "teams":
            head["teams"] = [list(team) for team in rest.split()]
        case "golden_fleece":
            head["golden_fleece"] = {"power": rest}
        case "sex" | "decks":
            head[key] = json.loads(rest)
        case "seed":
            more["seed"] = int(rest)
        case "opening":
            more["opening"] = _object(rest)
        case _:
            raise ValueError(f"'{key}' is no part of a header")


def _read_steps(seat: str, text: str) -> Taken:
    """Read a line of steps."""
    plain, _, told = text.partition(";")
    words = plain.split()
    is_open = words[-1:] == [OPEN_TURN]
    steps = []
    for word in words[:-1] if is_open else words:
        who, slash, rest = word.rpartition("/")
        try:
            steps.append((who if slash else seat, parse_step(rest)))
        except StepSyntaxError as error:
            raise ValueError(f"'{rest}' is no step") from error
    return Taken(seat, tuple(steps), is_open, told.strip())


def _read_entry(word: str, rest: str) -> Entry:
    """Read a line that is neither header nor steps."""
    match word:
        case "undo":
            return TakenBack(int(rest))
        case "board":
            return Accepted(_object(rest))
        case "commit":
            seat, turn, commitment, link = rest.split(" ")
            return Bound(seat, int(turn), _hex(commitment), _hex(link))
        case "reveal":
            seat, turn, salt, value = rest.split(" ", 3)
            return Shown(seat, int(turn), _hex(salt), _object(value))
        case _:
            raise ValueError(f"'{word}' is no line of a record")


def _hex(text: str) -> str:
    """Read 32 bytes."""
    if not _HEX.fullmatch(text):
        raise ValueError(f"'{text[:20]}' is not 64 hexadecimal digits")
    return text


def _object(text: str) -> dict[str, Any]:
    """Read a JSON object."""
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    return value
