"""Weighs what may have happened against what is seen, and decides: accept, wait, ask, or put back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.referee.boards import board_of, costs_of, differing
from companion.referee.decisions import (
    Ask,
    Busy,
    Candidate,
    Decision,
    Illegal,
    Nothing,
    OutOfSync,
    Played,
    Prefix,
    Wait,
)  # fmt: skip
from companion.referee.illegal import illegal_candidates
from companion.referee.legal import legal_candidates
from engine.view import View
from vision.reading import Board, Eye, Picture, Reading

SURE: Final = 0.99
VERY_SURE: Final = 0.9995
LOOKS: Final = 3


@dataclass(frozen=True)
class Priors:
    """How often things happen between two looks, before anything is seen (natural logarithms)."""

    nothing: float = math.log(0.30)
    turn: float = math.log(0.55)
    prefix: float = math.log(0.10)
    illegal: float = math.log(0.05)
    otherwise: float = math.log(1e-9)
    unlawful_ways: float = math.log(2000.0)
    """So many unlawful deeds share their part of the chance."""


@dataclass(frozen=True)
class Weighed:
    """One candidate (None: anything else) and its chance."""

    candidate: Candidate | None
    board: Board
    chance: float


class Referee:
    """Follows one table from one confirmed position to the next."""

    def __init__(self, eye: Eye, priors: Priors | None = None, looks: int = LOOKS) -> None:
        self._eye = eye
        self._priors = priors or Priors()
        self._looks = looks
        self._streak: list[tuple[Board, float]] = []

    def forget(self) -> None:
        """Begin anew: the position has been confirmed or changed by hand."""
        self._streak.clear()

    def consider(self, view: View, picture: Picture) -> tuple[Decision, Reading]:
        """Look once and decide."""
        reading = self._eye.look(picture)
        if reading.status == "busy":
            return Busy(), reading
        weighed = self.weigh(view, picture, reading)
        return self._decide(view, weighed), reading

    def weigh(self, view: View, picture: Picture, reading: Reading) -> tuple[Weighed, ...]:
        """Give the chances of everything that may have happened, the likeliest first."""
        costs = costs_of(reading)
        here = board_of(view.position)
        lawful = legal_candidates(view, costs)
        boards = frozenset(candidate.board for candidate in lawful)
        unlawful = illegal_candidates(view, costs, boards | {here})
        nothing = Candidate((), here, ends=False)
        candidates = [c for c in (nothing, *lawful, *unlawful) if c is nothing or c.board != here]
        known = {c.board for c in candidates}
        shown = [c.board for c in candidates] + ([reading.best] if reading.best not in known else [])
        likelihoods = self._eye.weigh(picture, shown)
        logs = [self._prior(c, len(lawful)) + value for c, value in zip(candidates, likelihoods)]
        entries: list[tuple[Candidate | None, Board, float]] = [
            (c, c.board, log) for c, log in zip(candidates, logs)
        ]
        if len(shown) > len(candidates):
            entries.append((None, reading.best, self._priors.otherwise + likelihoods[-1]))
        return _normalised(entries)

    def _prior(self, candidate: Candidate, lawful: int) -> float:
        """Give the chance of a candidate before anything is seen."""
        p = self._priors
        if not candidate.steps:
            return p.nothing
        if candidate.refusal is not None:
            return p.illegal - p.unlawful_ways
        return (p.turn if candidate.ends else p.prefix) - math.log(max(lawful, 1))

    def _decide(self, view: View, weighed: Sequence[Weighed]) -> Decision:
        """Decide from the chances and from earlier looks."""
        top = weighed[0]
        self._streak = [*self._streak, (top.board, top.chance)][-self._looks :]
        if not self._is_sure(top):
            return self._unsure(weighed)
        return _settled(view, top)

    def _is_sure(self, top: Weighed) -> bool:
        """Whether one look is very sure, or enough looks agree and are sure."""
        if top.chance >= VERY_SURE:
            return True
        agreeing = [chance for board, chance in self._streak if board == top.board]
        return len(agreeing) >= self._looks and sum(agreeing) / len(agreeing) >= SURE

    def _unsure(self, weighed: Sequence[Weighed]) -> Decision:
        """Wait for more looks; when there were enough, ask."""
        top = weighed[0]
        if len(self._streak) < self._looks:
            return Wait(top.candidate, top.chance)
        open_ = [w for w in weighed[:3] if w.candidate is not None and w.chance > 0.01]
        if len(open_) < 2 or any(w.candidate and w.candidate.refusal for w in open_):
            return Wait(top.candidate, top.chance)
        return Ask(tuple(w.candidate for w in open_ if w.candidate), tuple(w.chance for w in open_))


def _settled(view: View, top: Weighed) -> Decision:
    """Name what surely happened."""
    candidate = top.candidate
    if candidate is None:
        return OutOfSync(top.board, differing(top.board, board_of(view.position)))
    if not candidate.steps:
        return Nothing(top.chance)
    if candidate.refusal is not None:
        return Illegal(candidate, top.board, top.chance)
    return Played(candidate, top.chance) if candidate.ends else Prefix(candidate, top.chance)


def _normalised(entries: Sequence[tuple[Candidate | None, Board, float]]) -> tuple[Weighed, ...]:
    """Turn logarithms into chances, the likeliest first."""
    most = max(log for _, _, log in entries)
    total = sum(math.exp(log - most) for _, _, log in entries)
    found = [Weighed(c, board, math.exp(log - most) / total) for c, board, log in entries]
    return tuple(sorted(found, key=lambda weighed: -weighed.chance))
