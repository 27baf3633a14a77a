"""Weighs what may have happened against several looks, and decides: accept, wait, ask, or put back."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from companion.referee.boards import costs_of, differing, standing
from companion.referee.chances import Weighed, between, normalised, weigh_one
from companion.referee.decisions import (
    Ask,
    Behind,
    Busy,
    Candidate,
    Decision,
    Illegal,
    Nothing,
    Origin,
    OutOfSync,
    Played,
    Prefix,
    Wait,
)  # fmt: skip
from companion.referee.doubles import doubles
from companion.referee.fits import Habits, Sight, errors_of, fits_of
from companion.referee.odds import LIVE, Odds
from engine.view import View
from vision.reading import Board, Eye, Picture, Reading

SURE: Final = 0.99
VERY_SURE: Final = 0.995
LOOKS: Final = 3
"""So many still looks have to agree, unless one is very sure."""
PATIENCE: Final = 4
"""After so many looks somebody is asked."""
KEPT: Final = 6
BROKEN: Final = 0.9
TWO: Final = 0.9
POSSIBLE: Final = 0.02
LIKELY: Final = 0.9
MOST_CHOICES: Final = 3


@dataclass(frozen=True)
class Scene:
    """What the referee has to know of the game: views of the turn in play, each of the seat to move."""

    now: View
    start: View | None = None
    """When the turn began, where steps have been taken since."""
    next: View | None = None
    """The next player's, where the turn in play may end as it stands."""
    open: bool = True
    """Nobody's secret could answer a turn, so sight may end one."""

    @property
    def views(self) -> tuple[tuple[Origin, View], ...]:
        """All views that there are, the likeliest past first."""
        pairs = ((Origin.NOW, self.now), (Origin.START, self.start), (Origin.NEXT, self.next))
        return tuple((origin, view) for origin, view in pairs if view is not None)


@dataclass(frozen=True)
class Belief:
    """What several looks together say: everything thought of with its mean chance, the likeliest first."""

    entries: tuple[tuple[Weighed, float], ...]
    looks: int
    latest: float
    """What the newest look alone gives the likeliest."""

    @property
    def top(self) -> Weighed:
        """The likeliest."""
        return self.entries[0][0]

    @property
    def chance(self) -> float:
        """How likely that is."""
        return self.entries[0][1]

    @property
    def strange(self) -> bool:
        """Whether, after enough looks, the likeliest is unlawful or inexplicable."""
        candidate = self.top.candidate
        return self.looks >= LOOKS and (candidate is None or candidate.refusal is not None)

    @property
    def sure(self) -> bool:
        """Whether one look is very sure, or enough looks agree."""
        return min(self.latest, self.chance) >= VERY_SURE or (self.looks >= LOOKS and self.chance >= SURE)


class Referee:
    """Follows one table from one known position to the next."""

    def __init__(self, eye: Eye, odds: Odds = LIVE) -> None:
        self._eye = eye
        self._odds = odds
        self._looks: deque[Mapping[Board, tuple[Weighed, float]]] = deque(maxlen=KEPT)
        self._habits: Habits = {}
        self.last: Board | None = None
        """The board as it was surely seen last."""
        self.belief: Belief | None = None
        self._told: Board | None = None
        self._vouched: tuple[Board, Board] | None = None
        """A board that somebody has said stands so, and what was read of it then."""

    def forget(self) -> None:
        """Begin to look anew: something moved."""
        self._looks.clear()
        self._told = None

    def leave(self) -> None:
        """Another game or another camera: nothing is known of the board any more."""
        self.forget()
        self.last, self.belief, self._habits, self._vouched = None, None, {}, None

    def told(self, board: Board) -> None:
        """Take somebody's word for how the board stands: the next look may read it otherwise, but wrongly."""
        self.forget()
        self._told = board

    def read(self, picture: Picture, clear: bool = False) -> Reading:
        """Look without judging."""
        return self._eye.look(picture, clear)

    def consider(self, scene: Scene, picture: Picture, clear: bool = False) -> tuple[Decision, Reading]:
        """Look once and decide; `clear`: somebody has said that nothing covers the board."""
        reading = self._eye.look(picture, clear)
        if reading.status == "busy":
            return Busy(), reading
        sight = Sight(reading, partial(self._eye.weigh, picture), self._habits)
        weighed = weigh_one([view for _, view in scene.views], sight, self._odds, self.last)
        belief = self.belief = self._together(weighed)
        if self._is_vouched(standing(scene.now), reading.best):
            return Nothing(), reading
        decision = self._decide(scene, belief)
        if isinstance(decision, Illegal | OutOfSync | Wait) and belief.strange and scene.open:
            decision = self._two_turns(scene, sight, belief) or decision
        if isinstance(decision, Nothing | Behind | Prefix | Played):
            self._habits = errors_of(belief.top.board, reading.best)
        if isinstance(decision, Nothing) or (isinstance(decision, Behind) and decision.goal is None):
            self.last = belief.top.board
        elif isinstance(decision, Illegal | OutOfSync):
            self.last = decision.seen
        elif belief.chance >= LIKELY:
            self._habits = errors_of(belief.top.board, reading.best)
        return decision, reading

    def _is_vouched(self, here: Board, read: Board) -> bool:
        """Whether somebody has said that the board stands as it is known to when it was read as it is now."""
        if self._told == here:
            self._told, self._vouched = None, (here, read)
        if self._vouched != (here, read):
            return False
        self._habits, self.last = errors_of(here, read), here
        return True

    def compare(self, known: Board, picture: Picture, clear: bool = False) -> tuple[Decision, Reading]:
        """Look once and only say whether the board is where it should be, or on its way there.

        For when nothing can be played on the board: nothing that hands do now is taken for a turn.
        """
        reading = self._eye.look(picture, clear)
        if reading.status == "busy":
            return Busy(), reading
        sight = Sight(reading, partial(self._eye.weigh, picture), self._habits)
        boards = tuple(dict.fromkeys((known, *between(self.last, known, costs_of(reading)))))
        odd = self._odds.otherwise - self._odds.nothing
        chances = normalised([*fits_of(boards, sight, self._odds), odd])[: len(boards)]
        chance, seen = max(zip(chances, boards, strict=True), key=lambda pair: pair[0])
        if chance < SURE:
            return Wait(None, chance), reading
        self.last = seen
        return (Nothing(chance) if seen == known else Behind(seen, chance)), reading

    def _together(self, weighed: Sequence[Weighed]) -> Belief:
        """Join this look with those before it since something last moved."""
        chances = normalised([entry.log for entry in weighed])
        look: dict[Board, tuple[Weighed, float]] = {}
        for entry, chance in zip(weighed, chances, strict=True):
            known = look.get(entry.board)
            # The board that was read is there twice: explained by something, and as anything else.
            look[entry.board] = (known[0] if known else entry, chance + (known[1] if known else 0.0))
        self._looks.append(look)
        sums: dict[Board, float] = {}
        for one in self._looks:
            for board, (_, chance) in one.items():
                sums[board] = sums.get(board, 0.0) + chance / len(self._looks)
        ranked = sorted(sums.items(), key=lambda item: -item[1])
        latest = {board: entry for one in self._looks for board, (entry, _) in one.items()}
        entries = tuple((latest[board], chance) for board, chance in ranked)
        return Belief(entries, len(self._looks), look.get(ranked[0][0], (None, 0.0))[1])

    # ---- deciding ----------------------------------------------------------------------------------

    def _decide(self, scene: Scene, belief: Belief) -> Decision:
        """Decide from the chances."""
        top = belief.top
        candidate = top.candidate
        if candidate is None or candidate.refusal is not None:
            return self._strange(scene, belief)
        if not belief.sure:
            return self._unsure(scene, belief)
        if candidate.still:
            return Behind(top.board, belief.chance, candidate.goal)
        return _settled(scene, candidate, top.line, belief.chance)

    def _two_turns(self, scene: Scene, sight: Sight, belief: Belief) -> Decision | None:
        """Whether the next player has been so quick that two turns stand on the board."""
        origin, view = (Origin.NOW, scene.now) if scene.start is None else (Origin.START, scene.start)
        found = doubles(view, sight, self._odds)
        if not found or found[0].candidate is None:
            return None
        rivals = [entry.log for entry, _ in belief.entries]
        chance = normalised([*(entry.log for entry in found), *rivals])[0]
        return Played(found[0].candidate, chance, origin) if chance >= TWO else None

    def _strange(self, scene: Scene, belief: Belief) -> Decision:
        """Something unlawful or inexplicable is likeliest: be in no hurry to say so."""
        unlawful = [(w, c) for w, c in belief.entries if w.candidate is not None and w.candidate.refusal]
        odd = sum(chance for w, chance in belief.entries if w.candidate is None)
        if belief.looks >= LOOKS and sum(chance for _, chance in unlawful) >= BROKEN:
            worst, chance = _commonest(unlawful)
            assert worst.candidate is not None
            return Illegal(worst.candidate, worst.board, chance)
        if belief.looks >= PATIENCE and odd + sum(chance for _, chance in unlawful) >= BROKEN:
            return OutOfSync(belief.top.board, differing(belief.top.board, standing(scene.now)))
        return self._unsure(scene, belief)

    def _unsure(self, scene: Scene, belief: Belief) -> Decision:
        """Wait for more looks; when there were enough, ask."""
        top = belief.top
        if belief.looks < PATIENCE:
            return Wait(top.candidate, belief.chance)
        lawful = [
            (w, chance)
            for w, chance in belief.entries
            if w.candidate is not None and not w.candidate.refusal and not w.candidate.still
        ]
        open_ = [(w, chance) for w, chance in lawful if chance > POSSIBLE][:MOST_CHOICES]
        if not any(w.candidate is not None and w.candidate.steps for w, _ in open_):
            return Wait(top.candidate, belief.chance)
        return Ask(
            tuple(w.candidate for w, _ in open_ if w.candidate is not None),
            tuple(chance for _, chance in open_),
            tuple(scene.views[w.line][0] for w, _ in open_),
            top.board,
        )


def _commonest(unlawful: Sequence[tuple[Weighed, float]]) -> tuple[Weighed, float]:
    """Choose the likeliest board among those that break the likeliest rule."""
    sums: dict[str, float] = {}
    for weighed, chance in unlawful:
        code = weighed.candidate.refusal.code if weighed.candidate and weighed.candidate.refusal else ""
        sums[code] = sums.get(code, 0.0) + chance
    code = max(sums, key=lambda name: sums[name])
    first = next(
        w for w, _ in unlawful if w.candidate and w.candidate.refusal and w.candidate.refusal.code == code
    )
    return first, sums[code]


def _settled(scene: Scene, candidate: Candidate, line: int, chance: float) -> Decision:
    """Name what surely happened."""
    origin = scene.views[line][0]
    if origin is Origin.NOW and candidate.is_nothing:
        return Nothing(chance)
    if candidate.ends:
        return Played(candidate, chance, origin)
    return Prefix(candidate, chance, origin)
