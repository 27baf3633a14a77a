"""FEN: one two-player position between two turns in one line, as other programs write it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final

from engine.board import CELLS, NOWHERE, SIZE
from engine.cards import BANNED, CARDS
from engine.events import Value
from engine.position import NO_TOKENS, Position, Seen, Tokens
from engine.powers import power
from engine.rules.setting import placing_order, tasks
from engine.state import State, Table

MORTAL: Final = "mortal"
UNWRITTEN: Final = frozenset({
    "chaos", "circe", "dionysus", "triton", "charybdis", "gaea", "hecate", "moerae", "siren",
    "tartarus", "terpsichore", "adonis", "atalanta", "heracles", "medea", "odysseus",
})  # fmt: skip
"""Powers of which FEN has no way to write what they remember."""
PAIRS: Final = frozenset(("hermes", "eros", "nemesis", "poseidon"))
"""Powers that FEN writes with two workers at most."""
ONCE: Final = frozenset(("achilles", "bellerophon", "jason", "polyphemus", "theseus"))
SHARED: Final = {"clio": "coins", "europa": "talus", "aeolus": "wind"}
"""Powers whose tokens are in the box once; FEN also writes both players with them."""
MOST_WORKERS: Final = 4
COINS: Final = 3
_ORDER: Final = tuple(SIZE * (SIZE - 1 - index // SIZE) + index % SIZE for index in CELLS)
"""The spaces as FEN counts them: row 5 first."""
INDEX: Final = {cell: index for index, cell in enumerate(_ORDER)}
"""Where the digit of each space stands."""
_WINDS: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
_SEATS: Final = ("A", "B")
_FIELDS: Final = {"A": "player one", "B": "player two"}
_PLAYER: Final = re.compile(
    r"(?P<marks>[#-]*)(?P<god>[^\[\]:#-]*)(?:\[(?P<state>[^\]]*)\])?(?::(?P<squares>.*))?"
)


class FenError(ValueError):
    """The line is no FEN; says which field is wrong and what is wrong with it."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field, self.problem = field, problem


# ---- squares -------------------------------------------------------------------------------------------


def _square(text: str, field: str) -> int:
    """Read "C3", "c3" or the number of a square."""
    word = text.strip()
    if re.fullmatch(r"[A-Ea-e][1-5]", word):
        return "abcde".index(word[0].lower()) + SIZE * (int(word[1]) - 1)
    if re.fullmatch(r"[0-9]{1,2}", word) and int(word) < len(CELLS):
        return _ORDER[int(word)]
    raise FenError(field, f"'{text}' is no square of the board")


def _squares(text: str, field: str) -> tuple[int, ...]:
    """Read squares with commas between them, in the order of the board; none twice."""
    cells = [_square(word, field) for word in text.split(",")] if text.strip() else []
    if len(set(cells)) < len(cells):
        raise FenError(field, f"a square is named twice in '{text}'")
    return tuple(sorted(cells, key=lambda cell: INDEX[cell]))


NAMES: Final = tuple("ABCDE"[cell % SIZE] + str(cell // SIZE + 1) for cell in CELLS)
"""How FEN writes each space."""


@lru_cache(maxsize=8192)
def squares_text(mask: int) -> str:
    """Write the squares of a mask in the order of the board."""
    return ",".join(NAMES[cell] for cell in _ORDER if mask >> cell & 1)


# ---- what a power remembers ----------------------------------------------------------------------------


class _Player:
    """What one player's field says."""

    def __init__(self, seat: str, text: str) -> None:
        self.seat, self.field = seat, _FIELDS[seat]
        found = _PLAYER.fullmatch(text)
        if found is None:
            raise FenError(self.field, f"'{text}' is not written as god[state]:squares")
        self.god = found["god"]
        if self.god != MORTAL and self.god not in CARDS:
            raise FenError(self.field, f"'{self.god}' is no power")
        if self.god in UNWRITTEN:
            raise FenError(self.field, f"FEN cannot write a position with {self.god}")
        self.won, self.held = "#" in found["marks"], "-" in found["marks"]
        self.state = (found["state"] or "").strip()
        self.cells = _squares(found["squares"] or "", self.field)
        most = 2 if self.god in PAIRS else MOST_WORKERS
        if len(self.cells) > most:
            raise FenError(self.field, f"{len(self.cells)} workers; FEN allows {self.god} at most {most}")

    def wrong(self) -> FenError:
        """Say that the text in brackets means nothing."""
        return FenError(self.field, f"'[{self.state}]' is no state of {self.god}")

    def named(self) -> dict[str, int]:
        """Name the workers in the order of the board."""
        return {f"{self.seat}{number}": cell for number, cell in enumerate(self.cells, 1)}


def _remembered(player: _Player) -> dict[str, Value]:
    """Read what a card remembers."""
    god, text = player.god, player.state
    if god == "athena":
        if text not in ("", "^"):
            raise player.wrong()
        return {"moved_up": True} if text else {}
    if god == "morpheus":
        if text and not re.fullmatch(r"[0-9]{1,2}", text):
            raise player.wrong()
        return {"bank": int(text or 0)}
    if god in ONCE:
        if text not in ("", "x"):
            raise player.wrong()
        spent: dict[str, Value] = {"hero_used": True} if text else {}
        return spent if text or not power(god).reserve else {"reserve": (f"{player.seat}9",)}
    if god == "clio":
        return {"coins_left": _coins(player)[0]}
    if text and god not in ("europa", "aeolus", "selene"):
        raise player.wrong()
    return {}


def _coins(player: _Player) -> tuple[int, int]:
    """Read how many coins are in hand, and where the others lie."""
    if not player.state:
        return COINS, 0
    left, bar, squares = player.state.partition("|")
    cells = _squares(squares, player.field)
    if not bar or not re.fullmatch("[0-3]", left.strip()) or int(left) + len(cells) > COINS:
        raise player.wrong()
    return int(left), sum(1 << cell for cell in cells)


def _tokens(tokens: Tokens, player: _Player) -> Tokens:
    """Add a power's tokens."""
    god, text = player.god, player.state
    if god == "clio":
        return replace(tokens, coins=tokens.coins | _coins(player)[1])
    if god == "europa" and text:
        return replace(tokens, talus=_square(text, player.field))
    if god == "aeolus" and text:
        if text not in _WINDS:
            raise player.wrong()
        return replace(tokens, wind=(_WINDS.index(text) + 4) % 8)
    return tokens


def _sexes(player: _Player) -> tuple[tuple[str, str], ...]:
    """Say which worker is the female one, where that matters."""
    if player.god != "selene":
        return ()
    female = _square(player.state, player.field) if player.state else NOWHERE
    if female != NOWHERE and female not in player.cells:
        raise FenError(player.field, f"no worker of selene stands on {NAMES[female]}")
    return tuple((worker, "f" if cell == female else "m") for worker, cell in player.named().items())


@lru_cache(maxsize=4096)
def _table(gods: tuple[str, str], sexes: tuple[tuple[str, str], ...]) -> Table:
    """Give the table of two players with these powers."""
    powers = {seat: None if god == MORTAL else god for seat, god in zip(_SEATS, gods, strict=True)}
    return Table(_SEATS, {"A": "A", "B": "B"}, powers, "roxley2016", frozenset(), sexes=dict(sexes))


# ---- reading -------------------------------------------------------------------------------------------


def parse_fen(text: str) -> State[Seen]:
    """Read a position; raise FenError naming the field that is wrong."""
    fields = text.strip().split("/")
    if len(fields) != 4:
        raise FenError("fen", f"{len(fields)} fields with '/' between them; there must be 4")
    pos = _heights(fields[0])
    if fields[1].strip() not in ("1", "2"):
        raise FenError("turn", f"'{fields[1]}' is not 1 or 2")
    players = [_Player(seat, field.strip()) for seat, field in zip(_SEATS, fields[2:], strict=True)]
    return _state(pos, _SEATS[int(fields[1]) - 1], players)


def _heights(text: str) -> Position[Seen]:
    """Read the digits; everything else between them is skipped."""
    digits = re.sub("[^0-4]", "", text) or "0" * len(CELLS)
    if len(digits) != len(CELLS):
        raise FenError("heights", f"{len(digits)} digits from 0 to 4; there must be {len(CELLS)} or none")
    up = [sum(1 << _ORDER[index] for index, digit in enumerate(digits) if int(digit) >= n) for n in range(5)]
    return Position(up[1], up[2], up[3], up[4])


def _state(pos: Position[Seen], to_move: str, players: list[_Player]) -> State[Seen]:
    """Put the fields together."""
    workers: dict[str, int] = {}
    memory: dict[str, dict[str, Value]] = {}
    tokens = NO_TOKENS
    for player in players:
        _check_standing(player, pos, workers)
        workers |= player.named()
        memory[player.seat] = _remembered(player)
        if players[0].god == players[1].god in SHARED and player.seat != to_move:
            # Two sets of tokens: those of the player who waits do not change and are kept on the card.
            memory[player.seat] |= {"apart": getattr(_tokens(NO_TOKENS, player), SHARED[player.god])}
        else:
            tokens = _tokens(tokens, player)
    _held(players, memory)
    for player in (p for p in players if p.god == "europa" and p.state):
        talus = _square(player.state, player.field)
        if pos.domes >> talus & 1 or talus in workers.values():
            raise FenError(player.field, f"Talus cannot stand on {NAMES[talus]}")
    gods = (players[0].god, players[1].god)
    if frozenset(gods) in BANNED:
        raise FenError("players", f"{gods[0]} and {gods[1]} are banned together")
    table = _table(gods, _sexes(players[0]) + _sexes(players[1]))
    winners = [player.seat for player in players if player.won]
    if len(winners) > 1:
        raise FenError("player two", "both players have won")
    stood: Position[Seen] = Position(pos.up1, pos.up2, pos.up3, pos.domes, workers, tokens)
    if winners:
        return State(table, stood, memory, None, winner=winners[0], secrets={})
    return _placing(State(table, stood, memory, to_move))


def _placing(state: State[Seen]) -> State[Seen]:
    """Begin with placing workers on an empty board, where a player has none."""
    empty = not (state.pos.up1 or state.pos.domes)
    bare = [seat for seat in _SEATS if not any(worker[0] == seat for worker in state.pos.workers)]
    if not empty or not bare:
        return state
    order = placing_order(state.table)
    placer = order[_SEATS.index(state.to_move or "A")]
    first = next(seat for seat in order if seat in bare)
    if placer != first:
        raise FenError("turn", f"{_FIELDS[first]} places workers first")
    number = next(n for n, task in enumerate(tasks(state.table)) if task == (placer, "workers", task.group))
    return state._replace(to_move=placer, setup=number)


def _check_standing(player: _Player, pos: Position[Seen], others: Mapping[str, int]) -> None:
    """Raise FenError when a worker stands where it cannot."""
    for cell in player.cells:
        if pos.domes >> cell & 1:
            raise FenError(player.field, f"a worker stands on the dome of {NAMES[cell]}")
        if cell in others.values():
            raise FenError(player.field, f"{NAMES[cell]} holds two workers")


def _held(players: list[_Player], memory: dict[str, dict[str, Value]]) -> None:
    """Understand the old way to say that a player is held down by the other one."""
    for player, other in (players, players[::-1]):
        if player.held:
            if other.god != "athena":
                raise FenError(player.field, f"'-' means nothing against {other.god}")
            memory[other.seat] = {"moved_up": True}


# ---- writing -------------------------------------------------------------------------------------------


def format_fen(state: State[Any]) -> str:
    """Write a position between two turns; raise FenError where FEN has no way to write it."""
    to_move = state.to_move
    if state.table.seats != _SEATS or state.table.golden_fleece is not None:
        raise FenError("players", "FEN writes two players with powers of their own")
    if state.over and state.winner is None:
        raise FenError("turn", "FEN cannot write a game that ended without a winner")
    return write_fen(state, "1" if to_move == "A" else "2")


def write_fen(state: State[Any], turn: str) -> str:
    """Write a position with a given digit for the turn."""
    return f"{heights_text(state.pos)}/{turn}/{players_text(state)}"


@cache
def _row_text(key: int) -> str:
    """Write one row, given as four times five bits: spaces with one, two, three blocks and a dome."""
    levels = [(key >> n & 1) + (key >> n + 5 & 1) + (key >> n + 10 & 1) for n in range(SIZE)]
    return "".join("4" if key >> n + 15 & 1 else "0123"[level] for n, level in enumerate(levels))


def heights_text(pos: Position[Any]) -> str:
    """Write the 25 digits, row 5 first."""
    up1, up2, up3, domes = pos.up1, pos.up2, pos.up3, pos.domes
    return "".join(
        [
            _row_text(
                (up1 >> n & 31) | (up2 >> n & 31) << 5 | (up3 >> n & 31) << 10 | (domes >> n & 31) << 15
            )
            for n in (20, 15, 10, 5, 0)
        ]
    )


def players_text(state: State[Any]) -> str:
    """Write both players: whether they have won, the power with what it remembers, the workers."""
    mine = theirs = 0
    for worker, cell in state.pos.workers.items():
        if worker[0] == "A":
            mine |= 1 << cell
        else:
            theirs |= 1 << cell
    return f"{_player_text(state, 'A', mine)}/{_player_text(state, 'B', theirs)}"


def _player_text(state: State[Any], seat: str, mask: int) -> str:
    """Write one player."""
    god = state.table.powers[seat] or MORTAL
    if god in UNWRITTEN:
        raise FenError(_FIELDS[seat], f"FEN cannot write a position with {god}")
    won = "#" if state.winner == seat else ""
    writer = _WRITERS.get(god)
    squares = f":{squares_text(mask)}" if mask else ""
    return f"{won}{god}{writer(state, seat) if writer else ''}{squares}"


def _write_athena(state: State[Any], seat: str) -> str:
    return "[^]" if state.memory.get(seat, {}).get("moved_up") else ""


def _write_morpheus(state: State[Any], seat: str) -> str:
    return f"[{state.memory.get(seat, {}).get('bank', 0)}]"


def _write_once(state: State[Any], seat: str) -> str:
    return "[x]" if state.memory.get(seat, {}).get("hero_used") else ""


def _token(state: State[Any], seat: str, name: str) -> int:
    """Where a player's token lies: on the table, or on the card if that keeps its own apart."""
    apart = state.memory.get(seat, {}).get("apart")
    return apart if isinstance(apart, int) else int(getattr(state.pos.tokens, name))


def _write_clio(state: State[Any], seat: str) -> str:
    left, coins = state.memory.get(seat, {}).get("coins_left", COINS), _token(state, seat, "coins")
    return "" if left == COINS and not coins else f"[{left}|{squares_text(coins)}]"


def _write_europa(state: State[Any], seat: str) -> str:
    talus = _token(state, seat, "talus")
    return "" if talus == NOWHERE else f"[{NAMES[talus]}]"


def _write_aeolus(state: State[Any], seat: str) -> str:
    wind = _token(state, seat, "wind")
    return "" if wind == NOWHERE else f"[{_WINDS[(wind + 4) % 8]}]"


def _write_selene(state: State[Any], seat: str) -> str:
    female = (c for w, c in state.pos.workers.items() if w[0] == seat and state.table.female(w))
    return "".join(f"[{NAMES[cell]}]" for cell in female)


_WRITERS: Final[Mapping[str, Callable[[State[Any], str], str]]] = {
    "athena": _write_athena, "morpheus": _write_morpheus, "clio": _write_clio, "europa": _write_europa,
    "aeolus": _write_aeolus, "selene": _write_selene, **dict.fromkeys(ONCE, _write_once),
}  # fmt: skip
