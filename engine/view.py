"""Views: what a seat, or everybody, may know. Only this module turns the truth into what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.events import Value
from engine.position import Position, Seen, Truth
from engine.rules.flow import begin_turn, extra_owed
from engine.setup import Setup
from engine.state import Secret, State, Turn
from engine.steps import Lay

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know: its own secrets, and of everybody else's only what the rules show."""

    seat: str
    state: State[Seen]
    secret: Secret
    told: tuple[str, ...]
    telling: str
    waiting: tuple[str, ...]
    setup: Setup
    drawn: bool = False
    revealed: Mapping[str, Secret] = field(default_factory=dict)

    @property
    def position(self) -> Position[Seen]:
        """What stands where, as far as the seat knows."""
        return self.state.pos


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody may know."""

    state: State[Seen]
    told: tuple[str, ...]
    telling: str
    waiting: tuple[str, ...]
    setup: Setup
    drawn: bool = False
    revealed: Mapping[str, Secret] = field(default_factory=dict)

    @property
    def position(self) -> Position[Seen]:
        """What stands where, as far as everybody knows."""
        return self.state.pos


def seen_position(pos: Position[Truth] | Position[Seen], hidden: frozenset[str]) -> Position[Seen]:
    """Give a position without the workers of hidden sides."""
    workers = {w: cell for w, cell in pos.workers.items() if w[0] not in hidden}
    return Position(pos.up1, pos.up2, pos.up3, pos.domes, workers, pos.tokens, proxies=pos.proxies)


def seen_memory(
    memory: Mapping[str, Mapping[str, Value]], table_decks: frozenset[str]
) -> dict[str, Mapping[str, Value]]:
    """Give what the cards remember; of a deck only which cards are in it, not their order."""
    seen: dict[str, Mapping[str, Value]] = {}
    for card, facts in memory.items():
        deck = facts.get("deck")
        hide = card in table_decks and isinstance(deck, tuple)
        seen[card] = {**facts, "deck": tuple(sorted(deck))} if hide and isinstance(deck, tuple) else facts
    return seen


def project(truth: State[Truth], side: str | None) -> State[Seen]:
    """Give the state between turns (or in the setup) as a side knows it; None is everybody."""
    hidden = frozenset(s for s in truth.table.hidden if s != side) if not truth.over else frozenset()
    return State(
        table=truth.table,
        pos=seen_position(truth.pos, hidden),
        memory=seen_memory(truth.memory, truth.table.decks),
        to_move=truth.to_move,
        turn=None,
        secrets={},
        out=truth.out,
        winner=truth.winner,
        losers=truth.losers,
        setup=truth.setup,
        unseen=hidden,
    )


def begun(state: State[Seen]) -> State[Seen]:
    """Begin the turn of the seat that is to move, on what is known."""
    if state.to_move is None or state.setup is not None or waiting_for_card(state):
        return state
    return begin_turn(state, state.to_move, extra_owed(state, state.to_move) > 0)


def waiting_for_card(state: State[Seen] | State[Truth]) -> str | None:
    """Name the card whose deck has to be drawn from before anything else, if any."""
    return next(
        (c for c, facts in state.memory.items() if "face_up" in facts and facts["face_up"] is None), None
    )


def overlaid(plan: State[Seen], truth: State[Truth], side: str | None) -> State[Seen]:
    """Show another side the turn in play: public pieces as the mover shows them, its own as they are."""
    mover = plan.side(plan.now.seat)
    keep = truth.table.hidden - {side} if side is not None else truth.table.hidden
    workers = {w: c for w, c in plan.pos.workers.items() if w[0] not in keep and w[0] != side}
    own = truth if side in truth.table.hidden else plan
    workers |= {w: c for w, c in own.pos.workers.items() if w[0] == side}
    ordered = {w: workers[w] for w in sorted(workers)}
    pos = plan.pos.with_workers(ordered)
    turn = plan.now
    if mover in keep:
        turn = Turn(turn.seat, turn.extra, turn.cast, asked=turn.asked, veiled=True)
    return plan._replace(pos=pos, turn=turn)


def observe(game: Game, seat: str) -> View:
    """Make the one view of a seat."""
    side = game.truth.side(seat)
    return View(
        seat=seat,
        state=_state_for(game, side),
        secret=game.truth.secrets.get(seat, Secret()),
        told=tuple(record.told(seat, game.table, game.over) for record in game.records),
        telling=game.current.told(seat, game.table),
        waiting=game.waiting,
        setup=_public(game.setup),
        drawn=game.drawn,
        revealed=_revealed(game),
    )


def observe_public(game: Game) -> PublicView:
    """Make the view of everybody."""
    return PublicView(
        state=_state_for(game, None),
        told=tuple(record.told(None, game.table, game.over) for record in game.records),
        telling=game.current.told(None, game.table),
        waiting=game.waiting,
        setup=_public(game.setup),
        drawn=game.drawn,
        revealed=_revealed(game),
    )


def _revealed(game: Game) -> dict[str, Secret]:
    """Give the secret spaces that are open now: of a seat that has left, and all of them after the end."""
    chosen = dict(game.opening.secrets)
    for deed in game.deeds:
        if isinstance(deed.step, Lay) and deed.step.token in ("fate", "abyss"):
            secret = chosen.get(deed.seat, Secret())
            chosen[deed.seat] = secret._replace(**{deed.step.token: deed.step.cell})
    out = game.truth.out
    return {seat: secret for seat, secret in chosen.items() if game.over or game.table.sides[seat] in out}


def _state_for(game: Game, side: str | None) -> State[Seen]:
    """Give the state a side may know now."""
    if game.plan.turn is None:
        return project(game.truth, side)
    mover = game.plan.side(game.plan.now.seat)
    if mover == side or not game.table.hidden:
        return game.plan
    return overlaid(game.plan, game.truth, side)


def game_table_sexes(setup: Setup) -> dict[str, str]:
    """Give the figures of the workers that stand openly."""
    return dict(setup.table().sexes)


def _public(setup: Setup) -> Setup:
    """Give the setup without the order of decks."""
    return Setup(
        players=setup.players,
        teams=setup.teams,
        edition=setup.edition,
        options=setup.options,
        hecate_check=setup.hecate_check,
        golden_fleece=setup.golden_fleece,
        sexes=game_table_sexes(setup),
    )
