"""Line-ups: what may meet whom, and powers drawn at random, as the engine says."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from companion.table.secrecy import SECRET_TOKENS
from companion.web.ports import NotPossible
from engine.cards import BANNED, CARDS, NOT_RECOMMENDED
from engine.powers import power, power_names
from engine.setup import SEATS, Player, Setup, SetupError

Json = dict[str, Any]
DRAWS = 400


def power_table() -> list[Json]:
    """List the powers with what a line-up has to know of them."""
    return [_line(name) for name in CARDS if name in power_names()]


def _line(name: str) -> Json:
    card = CARDS[name]
    return {
        "id": name,
        "number": card.number,
        "kind": card.kind,
        "player_counts": list(card.player_counts),
        "golden_fleece": card.golden_fleece,
        "editions": list(card.editions),
        "revised": card.revised,
        "hides": hidden_by(name),
        "banned": _partners(name, BANNED),
        "not_recommended": _partners(name, NOT_RECOMMENDED),
    }


def hidden_by(name: str) -> str | None:
    """Name what a power keeps secret: workers, or what it chooses."""
    if power(name).hides_workers:
        return "workers"
    return power(name).declares if power(name).declares in SECRET_TOKENS else None


def _partners(name: str, pairs: frozenset[frozenset[str]]) -> list[str]:
    return sorted(other for pair in pairs if name in pair for other in pair - {name})


def setup_of(powers: Sequence[str | None], game: Mapping[str, Any]) -> Setup:
    """Build the engine's setup: seats A, B, … in turn order; raises `NotPossible`."""
    options = dict(game.get("options") or {})
    unknown = [name for name in (*powers, game.get("golden_fleece")) if name and name not in CARDS]
    if unknown:
        raise NotPossible("error.not_found")
    seats = SEATS[: len(powers)]
    teams = (("A", "C"), ("B", "D")) if len(powers) == 4 else ()
    try:
        setup = Setup(
            tuple(Player(seat, power) for seat, power in zip(seats, powers)),
            teams,
            game["edition"],
            frozenset(name for name, value in options.items() if value is True),
            str(options.get("hecate_check", "turn")),
            game.get("golden_fleece"),
        )
    except SetupError as error:
        raise NotPossible("error.bad_message") from error
    refuse_line_up(setup)
    return setup


def refuse_line_up(setup: Setup) -> None:
    """Raise `NotPossible` with the most telling text when a line-up is against the rules."""
    try:
        setup.allowed()
    except SetupError as error:
        raise NotPossible(*_why(setup, error.code)) from error


def _why(setup: Setup, code: str) -> tuple[str, Json]:
    names = [p.power for p in setup.players if p.power]
    match code:
        case "edition":
            known = [n for n in (*names, setup.golden_fleece) if n and setup.edition not in CARDS[n].editions]
            return ("reason.edition.power", {"power": known[0]}) if known else ("reason.edition", {})
        case "players":
            count = len(setup.players)
            wrong = [n for n in names if count not in CARDS[n].player_counts]
            return (
                ("reason.players.power", {"power": wrong[0], "players": count})
                if wrong
                else ("reason.players", {})
            )
        case _:
            return _banned(setup)


def _banned(setup: Setup) -> tuple[str, Json]:
    sides = setup.sides
    for one, two in combinations([p for p in setup.players if p.power], 2):
        if sides[one.seat] == sides[two.seat]:
            continue
        if one.power == two.power:
            return "reason.banned.same", {"power": one.power}
        if frozenset((str(one.power), str(two.power))) in BANNED:
            return "reason.banned.pair", {"power": one.power, "other": two.power}
    return "reason.banned", {}


def draw(players: int, game: Mapping[str, Any], pool: Sequence[str] | None, seed: int) -> tuple[str, ...]:
    """Draw powers that may meet, the same for the same seed; raises `NotPossible` when none are found."""
    names = [p["id"] for p in power_table() if pool is None or p["id"] in pool]
    names = [n for n in names if players in CARDS[n].player_counts and game["edition"] in CARDS[n].editions]
    chance = random.Random(seed)
    why = NotPossible("reason.players")
    if len(names) < players:
        raise why
    for _ in range(DRAWS):
        drawn = tuple(chance.sample(names, players))
        try:
            setup_of(drawn, game)
        except NotPossible as refused:
            why = refused
        else:
            return drawn
    raise why
