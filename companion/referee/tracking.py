"""Follows a game through pictures of which each is the only look at its turn: decides on every one.

What is not certain is carried along: a few ways the game may have gone, which later pictures tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from companion.referee.boards import differing, standing
from companion.referee.chances import Line, Weighed, normalised, weigh
from companion.referee.decisions import Candidate
from companion.referee.doubles import doubles
from companion.referee.fits import IN_VIEW, Habits, Sight, errors_of
from companion.referee.legal import in_order
from companion.referee.odds import ALBUM, Odds
from companion.referee.resync import begun_at
from engine.game import Game, Outcome, attempt
from engine.steps import End
from engine.view import View, observe, observe_public
from vision.reading import Board, Reading

Kind = Literal["turn", "none", "busy", "illegal", "ask"]
Meaning = Literal["turn", "none", "illegal", "odd"]
"""What a board may mean; odd: it follows from nothing, or from a turn that is not finished."""
SURE: Final = 0.9
ASKED: Final = 0.05
"""A doubt about an earlier turn was asked about then: it weighs so much less once the next turn is clear."""
RULE_BROKEN: Final = 0.80
MISREAD: Final = 0.985
"""So sure one has to be of a turn that takes a misreading in view: an eye that errs may err twice."""
NEVER: Final = 2.0
"""Two turns of which only the second is seen are not taken where that takes a misreading, too."""
MOST_LINES: Final = 3
FAINT: Final = 1e-4
NEAR: Final = 1e-9
LEAST: Final = 1e-300
LIKELY: Final = 12
"""So many candidates are thought through, and so many unlikely ones more where somebody is asked."""
MOST_CHOICES: Final = 3
STRAYED: Final = 0.2
"""From this chance of something inexplicable on, the camera's board is kept in mind as a way out."""
WAY_OUT: Final = math.log(1e-3)


@dataclass(frozen=True)
class Branch:
    """One way the game may have gone, its chance (logarithm), and the last turn on it."""

    game: Game
    log: float = 0.0
    last: str = ""
    habits: Habits = field(default_factory=dict)
    """Towers that were read wrong in the last picture, if this is how the game went."""


@dataclass(frozen=True)
class Option:
    """Something that may have happened, and how likely it is."""

    kind: Meaning
    by: str | None
    turn: str | None
    reason: str | None
    chance: float
    branch: Branch
    seen: Board
    earlier: str = ""
    """The turn before it, where no picture of that one was seen."""


@dataclass(frozen=True)
class Decided:
    """The decision on one picture; `options` are all that were thought of, the likeliest first."""

    kind: Kind
    option: Option | None
    options: tuple[Option, ...]
    weighed: tuple[Weighed, ...]
    confidence: float
    choices: tuple[Option, ...] = ()
    """What there is to choose from where somebody is asked: turns, nothing, or a broken rule."""
    corrects: bool = False
    """Another past than the one taken to be official turned out to be likelier."""


class Tracker:
    """Follows one game from a known position on."""

    def __init__(self, game: Game, odds: Odds = ALBUM, sure: float = SURE) -> None:
        self.branches: tuple[Branch, ...] = (Branch(game),)
        self.official = game
        self._odds, self._sure = odds, sure

    def busy(self) -> Decided:
        """A hand or something moving: nothing is decided and nothing forgotten."""
        return Decided("busy", None, (), (), 1.0)

    def step(self, sight: Sight) -> Decided:
        """Decide on one still picture."""
        decided = self._judged(sight)
        lawful = [option.seen for option in decided.options if option.kind in ("turn", "none")]
        nearer = sight.closer(lawful) if decided.kind == "ask" else None
        if nearer is not None:
            sight, decided = nearer, self._judged(nearer)
        if decided.kind == "ask" and decided.weighed[0].candidate is None:
            decided = self._with_two_turns(decided, sight)
        corrects = decided.option is not None and not _descends(decided.option.branch.game, self.official)
        self._go_on(decided.options, decided, sight.reading.best)
        return replace(decided, corrects=corrects)

    def _judged(self, sight: Sight) -> Decided:
        """Say what one look at a picture leads to."""
        lines = [Line(view_of(branch.game), branch.log, branch.habits) for branch in self.branches]
        return self._concluded(weigh(lines, sight, self._odds), sight.reading)

    def _concluded(self, weighed: tuple[Weighed, ...], reading: Reading) -> Decided:
        """Decide between what was weighed, the likeliest first."""
        chances = normalised([entry.log for entry in weighed])
        ranked = list(zip(weighed, chances, strict=True))
        likely = [(w, c) for w, c in ranked if c > NEAR][:LIKELY]
        options = _merged([self._option(w, chance) for w, chance in likely])
        decided = _decide(options, weighed, _bar(options[0], reading, self._sure))
        if decided.kind != "ask":
            return decided
        if options[0].kind == "odd" and self.official.over:
            # Whatever is done to the board after the game, nobody is to answer for it.
            return replace(decided, kind="none", confidence=options[0].chance)
        unlikely = [self._option(w, chance) for w, chance in ranked[len(likely) : len(likely) + LIKELY]]
        named = [option for option in _merged([*options, *unlikely]) if option.kind != "odd"]
        return replace(decided, choices=tuple(named[:MOST_CHOICES]))

    def _with_two_turns(self, decided: Decided, sight: Sight) -> Decided:
        """Decide anew on what follows from no single turn: the picture of one may be missing."""
        found = [
            replace(entry, line=number, log=entry.log + branch.log)
            for number, branch in enumerate(self.branches)
            if not branch.game.over
            for entry in doubles(view_of(branch.game), replace(sight, habits=branch.habits), self._odds)
        ]
        weighed = sorted([*decided.weighed, *found], key=lambda entry: -entry.log)
        return self._concluded(tuple(weighed), sight.reading)

    def _option(self, weighed: Weighed, chance: float) -> Option:
        """Say what a candidate means: which kind of decision, and how the game stands then."""
        branch = self.branches[weighed.line]
        candidate = weighed.candidate
        by = branch.game.to_move
        log = math.log(max(chance, LEAST))
        stays = replace(branch, log=log)
        if candidate is None or (candidate.refusal is None and candidate.steps and not candidate.ends):
            return Option("odd", None, None, None, chance, stays, weighed.board)
        if candidate.is_nothing:
            return Option("none", None, None, None, chance, stays, weighed.board)
        if candidate.refusal is not None:
            return Option("illegal", by, None, candidate.refusal.code, chance, stays, weighed.board)
        after = played(branch.game, candidate)
        if after is None:
            return Option("odd", None, None, None, chance, stays, weighed.board)
        *earlier, last = after.records[len(branch.game.records) :]
        told = last.told(None, after.table)
        before = " / ".join(record.told(None, after.table) for record in earlier)
        return Option("turn", last.seat, told, None, chance, Branch(after, log, told), weighed.board, before)

    def _go_on(self, options: Sequence[Option], decided: Decided, best: Board) -> None:
        """Carry on what is possible, and remember where the eye erred."""
        ways: dict[object, Branch] = {}
        for option in options:
            key = _key(option.branch.game)
            known = ways.get(key)
            log = option.branch.log if known is None else _add(known.log, option.branch.log)
            habits = known.habits if known is not None else _errors(option, best)
            ways[key] = replace(known or option.branch, log=log, habits=habits)
        odd = sum(o.chance for o in options if o.kind == "odd" and o.seen == best)
        branches = sorted(ways.values(), key=lambda branch: -branch.log)[:MOST_LINES]
        stays = ways.get(_key(self.official)) if decided.kind == "ask" else None
        if stays is not None and stays not in branches:
            branches.append(stays)  # a turn that is not finished yet may be so in the next picture
        if odd > STRAYED:
            branches += _way_out(branches[0], best, math.log(odd) + WAY_OUT)
        most = branches[0].log
        self.branches = tuple(
            replace(b, log=b.log - most) for b in branches if b.log - most > math.log(FAINT)
        )
        if decided.kind in ("turn", "none") and decided.option is not None:
            self.official = decided.option.branch.game


def _errors(option: Option, best: Board) -> Habits:
    """Remember which towers the eye read wrong this time, if this is what happened."""
    return option.branch.habits if option.kind == "odd" else errors_of(option.seen, best)


def played(game: Game, candidate: Candidate) -> Game | None:
    """Play a complete turn; None where the rules refuse it after all."""
    seat = game.to_move or ""
    candidate = in_order(observe(game, seat), candidate)
    seats = candidate.seats or (seat,) * len(candidate.steps)
    for who, step in zip(seats, candidate.steps, strict=True):
        outcome = attempt(game, who, step)
        if not isinstance(outcome, Outcome):
            return None
        game = outcome.game
    # Of two turns at once the second is left to be ended.
    last = seats[-1] if any(isinstance(step, End) for step in candidate.steps) else seat
    if not game.over and game.to_move == last and game.plan.turn is not None:
        outcome = attempt(game, last, End())
        if not isinstance(outcome, Outcome):
            return None
        game = outcome.game
    return game


def board_now(game: Game) -> Board:
    """Say how the table stands."""
    return standing(observe_public(game))


def view_of(game: Game) -> View:
    """Give the view of the player whose turn it is, or of the first one when the game is over."""
    return observe(game, game.to_move or game.table.seats[0])


def _merged(options: Sequence[Option]) -> tuple[Option, ...]:
    """Join what comes to the same decision and position, the likeliest first."""
    found: dict[object, Option] = {}
    for option in options:
        key = (option.kind, option.reason, _key(option.branch.game))
        known = found.get(key)
        if known is None:
            found[key] = option
            continue
        chance = known.chance + option.chance
        found[key] = replace(known, chance=chance, branch=replace(known.branch, log=math.log(chance)))
    return tuple(sorted(found.values(), key=lambda option: -option.chance))


def _bar(top: Option, reading: Reading, sure: float) -> float:
    """Say how sure one has to be of the likeliest."""
    off = differing(top.seen, reading.best)
    if top.earlier:
        return NEVER if off else MISREAD
    return max(sure, MISREAD) if any(reading.visible[cell] > IN_VIEW for cell in off) else sure


def _decide(options: tuple[Option, ...], weighed: tuple[Weighed, ...], sure: float) -> Decided:
    """Choose what is sure enough, or ask."""
    top = options[0]
    same = [option for option in options if option.kind == top.kind]
    together = sum(option.chance for option in same)
    if top.kind == "turn" and top.chance >= sure:
        return Decided("turn", top, options, weighed, top.chance)
    alike = sum(o.chance for o in same if (o.by, o.turn, o.earlier) == (top.by, top.turn, top.earlier))
    if top.kind == "turn" and top.chance >= sure - ASKED and alike >= sure:
        return Decided("turn", top, options, weighed, top.chance)
    if top.kind == "illegal" and together >= RULE_BROKEN:
        return Decided("illegal", _commonest(same), options, weighed, together)
    if top.kind == "none" and together >= sure:
        return Decided("none", top, options, weighed, together)
    return Decided("ask", None, options, weighed, top.chance)


def _commonest(options: Sequence[Option]) -> Option:
    """Choose the likeliest reason; several boards may break the same rule."""
    sums: dict[str | None, float] = {}
    for option in options:
        sums[option.reason] = sums.get(option.reason, 0.0) + option.chance
    reason = max(sums, key=lambda name: sums[name])
    return next(option for option in options if option.reason == reason)


def _way_out(branch: Branch, board: Board, log: float) -> list[Branch]:
    """Keep the camera's board in mind, in case what is known has gone wrong."""
    game = begun_at(branch.game, board)
    return [] if game is None else [Branch(game, log, "")]


def _descends(game: Game, official: Game) -> bool:
    """Whether a game goes on from the official one."""
    return game.opening == official.opening and game.deeds[: len(official.deeds)] == official.deeds


def _key(game: Game) -> object:
    """Tell positions apart."""
    return (game.truth.pos.key(), game.to_move, game.truth.winner)


def _add(one: float, two: float) -> float:
    """Add chances given as logarithms."""
    most = max(one, two)
    return most + math.log(math.exp(one - most) + math.exp(two - most))
