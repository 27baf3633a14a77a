"""How many sequences of complete turns there are from a position."""

from __future__ import annotations

from engine import fast
from engine.fen import parse_fen
from engine.successors import next_fens


def count_turns(text: str, depth: int) -> tuple[int, int]:
    """Count sequences of turns, and how many of them win with the last turn.

    A won game ends a sequence; a player without a turn adds nothing. With powers, turns that lead to the
    same position count once.
    """
    state = parse_fen(text)
    if state.setup is None and fast.is_plain(state):
        return fast.perft(state, depth)
    return _counted(text, depth)


def _counted(text: str, depth: int) -> tuple[int, int]:
    """Count by listing positions."""
    if depth < 1:
        return 1, 0
    digit = text.split("/")[1]
    turns = won = 0
    for fen in next_fens(text):
        over = "#" in fen
        if over and fen.split("/")[1] == digit:
            continue  # The player to move is stuck: no turn was made.
        if depth == 1:
            turns, won = turns + 1, won + over
        elif not over:
            more, wins = _counted(fen, depth - 1)
            turns, won = turns + more, won + wins
    return turns, won
