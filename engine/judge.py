"""The judge: a case as NOTATION writes it in, the answer out. Pure; nothing is read or written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.board import NOWHERE
from engine.game import Game, Outcome, attempt, begin, commit
from engine.legal import may_end, next_steps, why_not_end
from engine.opening import (
    Opening,
    deck_cards,
    position_from_json,
    position_to_json,
    secrets_from_json,
    secrets_to_json,
    tokens_to_json,
)
from engine.position import Position, Truth
from engine.refusal import GAME_OVER, NO_POWER, SYNTAX, Refusal
from engine.remembering import memory_from_json, memory_to_json
from engine.rules.blind import names_unseen
from engine.setup import Setup, SetupError, deck_for, mapping_of
from engine.steps import End, Pass, Step, StepSyntaxError, format_step, parse_step
from engine.turning import declared
from engine.view import observe


class CaseError(ValueError):
    """The line is no valid case; the message names the field."""


def judge(case: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one case; what is no valid case gets an error instead of a verdict."""
    name = case.get("id")
    try:
        return {"id": name, **_answered(case)}
    except (SetupError, CaseError, StepSyntaxError) as error:
        return {"id": name, "error": str(error)}


def _answered(case: Mapping[str, Any]) -> dict[str, Any]:
    """Set the case up, play it and report."""
    try:
        game = _game_of(case)
    except SetupError as error:
        if not error.code:
            raise
        return _answer("refused", reason=error.code)
    turns = case.get("play", [])
    if not isinstance(turns, list) or not all(isinstance(t, str) for t in turns):
        raise CaseError("play: must be a list of turns")
    for number, text in enumerate(turns):
        last = number == len(turns) - 1
        played = _play(game, text, asking=last and bool(case.get("ask")))
        game = played.game
        if last or played.verdict not in ("legal", "cancelled"):
            return _report(game, played, turns)
    return _report(game, Played(game, "legal"), turns)


class Played:
    """How far a turn got."""

    def __init__(self, game: Game, verdict: str, at: int | None = None, reason: str | None = None) -> None:
        self.game, self.verdict, self.at, self.reason = game, verdict, at, reason
        self.closed = False

    def at_end(self) -> Played:
        """The same where nothing more can be played in this turn."""
        self.closed = True
        return self


def _answer(verdict: str, **more: Any) -> dict[str, Any]:
    """Write an answer with every field."""
    empty = {
        "at": None,
        "reason": None,
        "winner": None,
        "loser": None,
        "after": None,
        "told": None,
        "next": None,
    }
    return {"verdict": verdict, **empty, **more}


# ---- the case -----------------------------------------------------------------------------------------


def _game_of(case: Mapping[str, Any]) -> Game:
    """Read the line-up and the position."""
    setup = Setup.from_json(case)
    setup.allowed()
    position = mapping_of(case, "position")
    if not position:
        raise CaseError("position: is missing")
    if position.get("sex"):
        setup = replace(setup, sexes=mapping_of(position, "sex"))
    memory = memory_from_json(mapping_of(case, "memory"))
    to_move = position.get("to_move")
    if to_move not in setup.seats:
        raise CaseError(f"position.to_move: '{to_move}' is no seat of this game")
    setup = replace(setup, decks=_decks(setup, memory))
    if position.get("phase") not in (None, "setup", "play"):
        raise CaseError(f"position.phase: '{position['phase']}' is neither setup nor play")
    if position.get("phase") == "setup":
        return begin(setup, Opening(memory=memory))
    return begin(setup, _opening(case, position, setup, memory, str(to_move)))


def _decks(setup: Setup, memory: Any) -> dict[str, tuple[str, ...]]:
    """Give every deck an order, the one that is remembered or any: the judge draws no cards."""
    decks: dict[str, tuple[str, ...]] = {}
    for card in deck_cards(setup):
        facts = memory.get(card, {})
        face_up, deck = facts.get("face_up"), facts.get("deck")
        given = (*([face_up] if isinstance(face_up, str) else []), *(deck if isinstance(deck, tuple) else ()))
        decks[card] = given or deck_for(setup)
    return decks


def _opening(
    case: Mapping[str, Any], position: dict[str, Any], setup: Setup, memory: Any, to_move: str
) -> Opening:
    """Read what stands where, secrets included."""
    secrets = mapping_of(case, "secrets")
    workers = dict(mapping_of(position, "workers"))
    for seat, facts in secrets.items():
        if seat not in setup.seats or not isinstance(facts, dict):
            raise CaseError(f"secrets.{seat}: must be an object of a seat of this game")
        workers |= mapping_of(facts, "workers")
    fleece = case.get("golden_fleece") or {}
    pos = position_from_json({**position, "workers": dict(sorted(workers.items())), "ram": fleece.get("ram")})
    _check_workers(setup, pos)
    out = position.get("out") or []
    if not isinstance(out, list) or not all(seat in setup.seats and seat != to_move for seat in out):
        raise CaseError("position.out: must be a list of seats of this game that are not to move")
    return Opening(pos, to_move, memory, secrets_from_json(secrets), tuple(out))


def _check_workers(setup: Setup, pos: Position[Truth]) -> None:
    """Raise CaseError for a worker that belongs to nobody."""
    sides = set(setup.sides.values())
    for worker in pos.workers:
        if worker[0] not in sides:
            raise CaseError(f"workers.{worker}: no side of this game has the letter {worker[0]}")


# ---- playing ------------------------------------------------------------------------------------------


def _play(game: Game, text: str, asking: bool) -> Played:
    """Play one turn as it is written."""
    words = _words(text)
    group, seat = len(game.records), game.to_move
    setting = game.truth.setup is not None
    for number, word in enumerate(words):
        if game.over:
            fallen = game.losers and game.truth.turn is not None
            return Played(game, "legal") if fallen else Played(game, "illegal", number, GAME_OVER)
        try:
            step = parse_step(word)
        except StepSyntaxError:
            return Played(game, "illegal", number, SYNTAX)
        if isinstance(step, End):
            return Played(game, "illegal", number, SYNTAX)
        if len(game.records) > group and not setting:
            return Played(game, "illegal", number, NO_POWER)
        outcome = attempt(game, _seat_of(game, step), step)
        if isinstance(outcome, Refusal):
            blind = declared(game, game.to_move or "", step) if game.pending else None
            if blind is not None:
                return _verdict(commit(blind).game)
            return Played(game, "illegal", number, outcome.code)
        game = outcome.game
        if outcome.cancelled is not None and len(game.records) > group:
            break
    if asking:
        return _asked(game, len(game.records) > group)
    if setting:
        return (
            Played(game, "legal")
            if len(game.records) > group
            else Played(game, "incomplete", None, "must_place")
        )
    return _close(game, seat, len(game.records) > group)


def _asked(game: Game, closed: bool) -> Played:
    """What may follow; after a cancelled turn nobody is told what the next player may do."""
    if not closed or game.over:
        return Played(game, "ask")
    answered = _verdict(game)
    return answered if answered.verdict == "cancelled" else Played(game, "ask").at_end()


def _words(text: str) -> list[str]:
    """Split a turn into steps, without what stands in brackets; a bracket without its fellow stays."""
    bare = re.sub(r"\[[^\[\]]*\]", " ", text)
    return bare.split() if bare == text else _words(bare)


def _seat_of(game: Game, step: Step) -> str:
    """Name the seat whose step it is: the one that is asked, if the step speaks of its worker."""
    asked = game.plan.turn.asked if game.plan.turn is not None else None
    worker = getattr(step, "worker", "")
    if asked is not None and worker and game.table.sides[asked[0]] == worker[0] and asked[0] != game.to_move:
        return asked[0]
    return game.to_move or game.table.seats[0]


def _close(game: Game, seat: str | None, closed: bool) -> Played:
    """End the turn, if it may end."""
    if closed or game.over or game.plan.turn is None or seat is None:
        return _verdict(game)
    refusal = why_not_end(observe(game, seat))
    if refusal is not None:
        fallen = commit(game) if game.deferred and game.pending else None
        if fallen is not None and fallen.game.over and fallen.cancelled is None:
            return Played(fallen.game, "legal")
        return Played(game, "incomplete", None, refusal.code)
    outcome = attempt(game, seat, End())
    if isinstance(outcome, Refusal):
        return Played(game, "incomplete", None, outcome.code)
    return _verdict(outcome.game)


def _verdict(game: Game) -> Played:
    """Say whether the turn just ended was cancelled somewhere."""
    entries = game.records[-1].entries if game.records else ()
    for number, entry in enumerate(entries):
        if entry.cancelled:
            return Played(game, "cancelled", number)
    return Played(game, "legal")


# ---- reporting ----------------------------------------------------------------------------------------


def _report(game: Game, played: Played, turns: list[str]) -> dict[str, Any]:
    """Write the answer."""
    if played.verdict in ("illegal", "incomplete"):
        return _answer(played.verdict, at=played.at, reason=played.reason)
    if played.verdict == "ask":
        return _answer("ask", next=["end"] if played.closed else _next(game))
    truth = game.between
    told = {
        s: game.records[-1].told(s, game.table) if turns and game.records else "" for s in game.table.seats
    }
    return _answer(
        played.verdict,
        at=played.at,
        winner=game.winner,
        loser=game.losers[-1] if game.losers else None,
        after=_after(game, truth),
        told=told,
    )


def _next(game: Game) -> list[str]:
    """List what may follow, of the mover and of a seat that is asked; no guess at what cannot be seen."""
    if game.over:
        return []
    steps: list[Step] = []
    for number, seat in enumerate(game.waiting):
        view = observe(game, seat)
        steps += [s for s in next_steps(view) if not (view.state.unseen and names_unseen(view.state, s))]
        if number == 0 and view.state.turn is not None and may_end(view):
            steps.append(End())
    return [format_step(step) for step in dict.fromkeys(steps)]


def _after(game: Game, truth: Any) -> dict[str, Any]:
    """Write the truth after the last turn."""
    final = game.truth if game.over else truth
    data = position_to_json(final.pos)
    hidden = game.table.hidden
    secrets: dict[str, Any] = secrets_to_json(final.secrets)
    for seat in sorted(hidden):
        mine = {w: c for w, c in data["workers"].items() if w[0] == seat}
        secrets[seat] = {**secrets.get(seat, {}), "workers": mine}
    return {
        "board": data["board"],
        "domes": data["domes"],
        "workers": {w: c for w, c in data["workers"].items() if w[0] not in hidden},
        "tokens": tokens_to_json(final.pos.tokens),
        "to_move": final.to_move,
        "out": list(final.out),
        "memory": memory_to_json(_memory(game, final)),
        "secrets": secrets,
        "phase": "setup" if final.setup is not None else "play",
    }


def _memory(game: Game, final: Any) -> dict[str, Any]:
    """Give what the cards remember, with what their defaults are."""
    return {card: dict(facts) for card, facts in final.memory.items()}


__all__ = ["NOWHERE", "CaseError", "Outcome", "Pass", "judge"]
