"""Where a game starts from: normally the empty board, for studies and checks any position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.board import CELLS, DIRECTIONS, NOWHERE, cells_in, format_cell, parse_cell, parse_direction
from engine.position import NO_TOKENS, Position, Tokens, Truth
from engine.powers import power
from engine.remembering import memory_from_json, memory_to_json
from engine.rules import setting
from engine.setup import RAM_CARD, Setup, SetupError, deck_for, mapping_of
from engine.state import Memory, Secret, State, Table


@dataclass(frozen=True)
class Opening:
    """A position to start from; left empty, the game starts with its setup."""

    position: Position[Truth] | None = None
    to_move: str | None = None
    memory: Memory = field(default_factory=dict)
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    out: tuple[str, ...] = ()

    def state(self, setup: Setup, table: Table) -> State[Truth]:
        """Give the truth that the game starts from."""
        if self.position is None:
            memory = setting.opening_memory(table, _decks(setup))
            memory |= {card: {**memory.get(card, {}), **facts} for card, facts in self.memory.items()}
            return State(table, Position(), memory, setting.tasks(table)[0].seat, setup=0)
        return State(
            table, self.position, self.memory, self.to_move, secrets=dict(self.secrets), out=self.out
        )

    def to_json(self) -> dict[str, Any] | None:
        """Write the opening as plain JSON data."""
        if self.position is None:
            return {"memory": memory_to_json(self.memory)} if self.memory else None
        data = position_to_json(self.position)
        data |= {"to_move": self.to_move, "out": list(self.out)}
        return {
            "position": data,
            "memory": memory_to_json(self.memory),
            "secrets": secrets_to_json(self.secrets),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Opening:
        """Read an opening; raise SetupError naming the field that is wrong."""
        position = mapping_of(data, "position")
        memory = memory_from_json(mapping_of(data, "memory"))
        if not position:
            return cls(memory=memory)
        pos, secrets = position_from_json(position), secrets_from_json(mapping_of(data, "secrets"))
        return cls(pos, position.get("to_move"), memory, secrets, tuple(position.get("out") or ()))


def deck_cards(setup: Setup) -> tuple[str, ...]:
    """Name the cards that keep a deck."""
    names = (
        {RAM_CARD: setup.golden_fleece} if setup.golden_fleece else {p.seat: p.power for p in setup.players}
    )
    return tuple(card for card, name in names.items() if name is not None and power(name).draws)


def _decks(setup: Setup) -> dict[str, tuple[str, ...]]:
    """Give the decks that are in the game: in the order that was set, or the cards alone."""
    return {card: setup.decks.get(card) or deck_for(setup) for card in deck_cards(setup)}


def secrets_to_json(secrets: Mapping[str, Secret]) -> dict[str, Any]:
    """Write the secret spaces."""
    data: dict[str, Any] = {}
    for seat, secret in secrets.items():
        pairs = (("fate", secret.fate), ("abyss", secret.abyss))
        data[seat] = {name: format_cell(cell) for name, cell in pairs if cell != NOWHERE}
    return data


def secrets_from_json(data: Mapping[str, Any]) -> dict[str, Secret]:
    """Read the secret spaces (secret workers are read with the position)."""
    secrets: dict[str, Secret] = {}
    for seat, facts in data.items():
        if not isinstance(facts, dict):
            raise SetupError(f"secrets.{seat}", "must be an object")
        fate, abyss = (
            _cell(facts[name], f"secrets.{seat}.{name}") if facts.get(name) else NOWHERE
            for name in ("fate", "abyss")
        )
        if fate != NOWHERE and (fate % 5 == 4 or fate >= 20):
            raise SetupError(f"secrets.{seat}.fate", "must be a space of columns a to d, rows 1 to 4")
        if (fate, abyss) != (NOWHERE, NOWHERE):
            secrets[seat] = Secret(fate, abyss)
    return secrets


def _cell(text: Any, name: str) -> int:
    """Read a space, naming the field when it is none."""
    try:
        return parse_cell(text if isinstance(text, str) else "")
    except ValueError as error:
        raise SetupError(name, f"'{text}' is no space of the board") from error


def _cells(value: Any, name: str, most: int = 25) -> int:
    """Read a list of spaces as a mask."""
    if not isinstance(value or [], list):
        raise SetupError(name, "must be a list of spaces")
    if len(value or []) > most:
        raise SetupError(name, f"there are only {most} of them")
    mask = 0
    for text in value or []:
        mask |= 1 << _cell(text, name)
    return mask


def position_to_json(pos: Position[Any]) -> dict[str, Any]:
    """Write a position as NOTATION writes it."""
    rows = ["".join(str(pos.level(5 * row + column)) for column in range(5)) for row in range(4, -1, -1)]
    data: dict[str, Any] = {
        "board": rows,
        "domes": [format_cell(c) for c in cells_in(pos.domes)],
        "workers": {w: format_cell(c) for w, c in pos.workers.items()},
        "tokens": tokens_to_json(pos.tokens),
    }
    if pos.tokens.ram != NOWHERE:
        data["ram"] = format_cell(pos.tokens.ram)
    if pos.proxies:
        data["proxies"] = [format_cell(c) for c in cells_in(pos.proxies)]
    return data


def tokens_to_json(tokens: Tokens) -> dict[str, Any]:
    """Write the tokens."""
    return {
        "whirlpool": [format_cell(c) for c in cells_in(tokens.whirlpools)],
        "coin": [format_cell(c) for c in cells_in(tokens.coins)],
        "talus": format_cell(tokens.talus) if tokens.talus != NOWHERE else None,
        "wind": DIRECTIONS[tokens.wind] if tokens.wind != NOWHERE else None,
        "song": DIRECTIONS[tokens.song] if tokens.song != NOWHERE else None,
    }


def tokens_from_json(data: Mapping[str, Any], ram: Any = None) -> Tokens:
    """Read the tokens."""

    def way(name: str) -> int:
        try:
            return parse_direction(data[name]) if data.get(name) else NOWHERE
        except ValueError as error:
            raise SetupError(f"tokens.{name}", str(error)) from error

    return Tokens(
        whirlpools=_cells(data.get("whirlpool"), "tokens.whirlpool", 2),
        coins=_cells(data.get("coin"), "tokens.coin", 3),
        talus=_cell(data["talus"], "tokens.talus") if data.get("talus") else NOWHERE,
        ram=_cell(ram, "ram") if ram else NOWHERE,
        wind=way("wind"),
        song=way("song"),
    )


def position_from_json(data: Mapping[str, Any]) -> Position[Truth]:
    """Read a position; raise SetupError naming the field that is wrong."""
    up = [0, 0, 0]
    board = data.get("board")
    if not isinstance(board, list) or len(board) != 5 or not all(isinstance(r, str) for r in board):
        raise SetupError("board", "must be five strings, row 5 first")
    for cell in CELLS:
        row = board[4 - cell // 5]
        if len(row) != 5 or row[cell % 5] not in "0123":
            raise SetupError("board", f"row '{row}' must be five digits from 0 to 3")
        for level in range(int(row[cell % 5])):
            up[level] |= 1 << cell
    domes = _cells(data.get("domes"), "domes")
    workers = {w: _cell(text, f"workers.{w}") for w, text in mapping_of(data, "workers").items()}
    tokens = mapping_of(data, "tokens")
    laid = tokens_from_json(tokens, data.get("ram")) if tokens or data.get("ram") else NO_TOKENS
    pos = Position[Truth](
        up[0], up[1], up[2], domes, workers, laid, proxies=_cells(data.get("proxies"), "proxies")
    )
    return _checked(pos)


def _checked(pos: Position[Truth]) -> Position[Truth]:
    """Raise SetupError when things stand where they cannot."""
    seen: dict[int, str] = {}
    for worker, cell in pos.workers.items():
        if len(worker) != 2 or worker[0] not in "ABCD" or worker[1] not in "123456789":
            raise SetupError("workers", f"'{worker}' is no worker")
        if pos.domes >> cell & 1:
            raise SetupError(f"workers.{worker}", f"stands on the dome of {format_cell(cell)}")
        if cell in seen:
            raise SetupError(f"workers.{worker}", f"shares {format_cell(cell)} with {seen[cell]}")
        seen[cell] = worker
    for name in ("talus", "ram"):
        if (other := seen.get(getattr(pos.tokens, name))) is not None:
            raise SetupError(name, f"stands on the space of {other}")
    return pos
