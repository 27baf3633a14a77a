"""How a game is set up: players, powers, teams, edition, options; checked, and as JSON both ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from engine.cards import BANNED, CARDS, EDITIONS, NOT_RECOMMENDED
from engine.powers import power
from engine.state import RAM_CARD, Table

SCHEMA: Final = 1
SEATS: Final = ("A", "B", "C", "D")
FLAGS: Final = ("revised_powers", "placement_sets_turn_order", "allow_banned", "strict_supply")
CHECKS: Final = ("turn", "action")
SIMPLE: Final = frozenset(card.id for card in CARDS.values() if card.kind == "simple")
WHEN_BANNED: Final = "banned"
WHEN_PLAYERS: Final = "players"
WHEN_EDITION: Final = "edition"


class SetupError(ValueError):
    """A line-up that is malformed (no code) or not allowed (banned, players, edition)."""

    def __init__(self, field_name: str, problem: str, code: str = "") -> None:
        super().__init__(f"{field_name}: {problem}")
        self.field = field_name
        self.problem = problem
        self.code = code


@dataclass(frozen=True, slots=True)
class Player:
    """A seat and its power (None for none)."""

    seat: str
    power: str | None = None


@dataclass(frozen=True)
class Setup:
    """Everything that is agreed before a game: players in turn order, the start player first."""

    players: tuple[Player, ...]
    teams: tuple[tuple[str, ...], ...] = ()
    edition: str = "roxley2016"
    options: frozenset[str] = frozenset()
    hecate_check: str = "turn"
    golden_fleece: str | None = None
    sexes: Mapping[str, str] = field(default_factory=dict)
    decks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_shape(self)

    @classmethod
    def of(cls, *powers: str | None, **more: Any) -> Setup:
        """Set up players A, B, … with these powers; four players make two teams."""
        players = tuple(Player(seat, name) for seat, name in zip(SEATS, powers, strict=False))
        if len(players) == 4:
            more.setdefault("teams", (("A", "C"), ("B", "D")))
        return cls(players, **more)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in turn order."""
        return tuple(p.seat for p in self.players)

    @property
    def sides(self) -> dict[str, str]:
        """The side of each seat: the first seat of its team."""
        teams = self.teams or tuple((seat,) for seat in self.seats)
        return {seat: team[0] for team in teams for seat in team}

    def allowed(self) -> None:
        """Raise SetupError when the line-up is against the rules."""
        _check_allowed(self)

    def not_recommended(self) -> tuple[tuple[str, str], ...]:
        """List the pairs of opposing powers that are possible and not recommended."""
        return tuple((a, b) for a, b in _opposed(self) if frozenset((a, b)) in NOT_RECOMMENDED)

    def table(self) -> Table:
        """Give what never changes during the game."""
        powers = {p.seat: p.power for p in self.players}
        sides = self.sides
        hiding = {s for s, name in powers.items() if name and power(name).hides_workers}
        secretive = {s for s, name in powers.items() if name and (power(name).declares in ("fate", "abyss"))}
        hidden = frozenset(sides[s] for s in hiding)
        return Table(
            seats=self.seats,
            sides=sides,
            powers=powers,
            edition=self.edition,
            options=self.options,
            hecate_check=self.hecate_check,
            golden_fleece=self.golden_fleece,
            sexes={w: sex for w, sex in self.sexes.items() if w[0] not in hidden},
            hidden=hidden,
            secretive=frozenset(hiding | secretive),
            decks=frozenset(self.decks),
        )

    def to_json(self) -> dict[str, Any]:
        """Write the setup as plain JSON data."""
        options: dict[str, Any] = dict.fromkeys(sorted(self.options), True)
        if self.hecate_check != "turn":
            options["hecate_check"] = self.hecate_check
        data: dict[str, Any] = {
            "players": [{"seat": p.seat, "power": p.power} for p in self.players],
            "edition": self.edition,
            "options": options,
        }
        if self.teams:
            data["teams"] = [list(team) for team in self.teams]
        if self.golden_fleece is not None:
            data["golden_fleece"] = {"power": self.golden_fleece}
        if self.sexes:
            data["sex"] = dict(sorted(self.sexes.items()))
        if self.decks:
            data["decks"] = {seat: list(deck) for seat, deck in sorted(self.decks.items())}
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Setup:
        """Read a setup from JSON data; raise SetupError naming the field that is wrong."""
        options = mapping_of(data, "options")
        fleece = data.get("golden_fleece")
        if fleece is not None and not isinstance(fleece, dict):
            raise SetupError("golden_fleece", "must be an object")
        return cls(
            players=_players(data.get("players")),
            teams=_teams(data.get("teams")),
            edition=data.get("edition") or EDITIONS[0],
            options=frozenset(_flags(options)),
            hecate_check=options.get("hecate_check", "turn"),
            golden_fleece=None if fleece is None else _name(fleece.get("power"), "golden_fleece.power"),
            sexes=mapping_of(data, "sex"),
            decks=_decks(mapping_of(data, "decks")),
        )


def mapping_of(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Read an optional object."""
    if not isinstance(data, Mapping):
        raise SetupError(name, "must stand in an object")
    value = data.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise SetupError(name, "must be an object")
    return value


def _players(value: Any) -> tuple[Player, ...]:
    """Read the list of players."""
    if not isinstance(value, list) or not all(isinstance(p, dict) for p in value):
        raise SetupError("players", "must be a list of objects with seat and power")
    return tuple(Player(str(p.get("seat")), _name(p.get("power"), "players.power")) for p in value)


def _teams(value: Any) -> tuple[tuple[str, ...], ...]:
    """Read the list of teams."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(t, list) for t in value):
        raise SetupError("teams", "must be a list of lists of seats")
    return tuple(tuple(str(seat) for seat in team) for team in value)


def _decks(data: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Read the order of decks."""
    for card, deck in data.items():
        if not isinstance(deck, list) or not all(isinstance(n, str) and n in SIMPLE for n in deck):
            raise SetupError(f"decks.{card}", "must be a list of simple gods")
    return {card: tuple(deck) for card, deck in data.items()}


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Read the options that are on."""
    for name, value in options.items():
        if name in FLAGS and not isinstance(value, bool):
            raise SetupError(f"options.{name}", "must be true or false")
    return [name for name in FLAGS if options.get(name)]


def _name(value: Any, field_name: str) -> str | None:
    """Read a power's id or None."""
    if value is None:
        return None
    if not isinstance(value, str) or value not in CARDS:
        raise SetupError(field_name, f"'{value}' is no power")
    return value


def _check_shape(setup: Setup) -> None:
    """Raise SetupError for what is malformed rather than against the rules."""
    if not 2 <= len(setup.players) <= 4:
        raise SetupError("players", f"{len(setup.players)} players; there must be 2, 3 or 4", WHEN_PLAYERS)
    if len(set(setup.seats)) != len(setup.seats) or not set(setup.seats) <= set(SEATS):
        raise SetupError("players", "every seat must be one of A, B, C, D and appear once")
    if setup.edition not in EDITIONS:
        raise SetupError("edition", f"'{setup.edition}' is not one of {', '.join(EDITIONS)}")
    if setup.hecate_check not in CHECKS:
        raise SetupError("options.hecate_check", f"'{setup.hecate_check}' is not turn or action")
    if bool(setup.teams) != (len(setup.players) == 4):
        raise SetupError("teams", "four players make two teams, others none", WHEN_PLAYERS)
    if setup.teams and sorted(seat for team in setup.teams for seat in team) != sorted(setup.seats):
        raise SetupError("teams", "every seat must be in one team")
    for name in (p.power for p in setup.players if p.power is not None):
        if name not in CARDS:
            raise SetupError("players.power", f"'{name}' is no power")
    if setup.golden_fleece is not None and setup.golden_fleece not in CARDS:
        raise SetupError("golden_fleece", f"'{setup.golden_fleece}' is no power")
    for worker, sex in setup.sexes.items():
        if sex not in ("m", "f"):
            raise SetupError(f"sex.{worker}", "must be m or f")


def _names(setup: Setup) -> Sequence[str]:
    """List the powers in the game."""
    names = [p.power for p in setup.players if p.power is not None]
    return [*names, setup.golden_fleece] if setup.golden_fleece else names


def _opposed(setup: Setup) -> list[tuple[str, str]]:
    """List the pairs of powers that oppose each other."""
    sides = setup.sides
    return [
        (a.power, b.power)
        for a, b in combinations(setup.players, 2)
        if a.power and b.power and sides[a.seat] != sides[b.seat]
    ]


def _check_allowed(setup: Setup) -> None:
    """Raise SetupError when edition, player counts or bans forbid the line-up."""
    names, count = _names(setup), len(setup.players)
    if "allow_banned" not in setup.options:
        for a, b in _opposed(setup):
            if a == b or frozenset((a, b)) in BANNED:
                raise SetupError("players", f"{a} and {b} are banned together", WHEN_BANNED)
    if setup.golden_fleece is not None:
        if count != 2 or not CARDS[setup.golden_fleece].golden_fleece or len(names) > 1:
            raise SetupError(
                "golden_fleece", "two players, no powers of their own, a card with the icon", WHEN_PLAYERS
            )
        if setup.edition != EDITIONS[0]:
            raise SetupError("edition", f"{setup.edition} has no Golden Fleece variant", WHEN_EDITION)
    for name in names:
        if setup.golden_fleece is None and count not in CARDS[name].player_counts:
            raise SetupError("players", f"{name} is not for {count} players", WHEN_PLAYERS)
    for name in names:
        if setup.edition not in CARDS[name].editions:
            raise SetupError("edition", f"{setup.edition} has no {name}", WHEN_EDITION)


def deck_for(setup: Setup) -> tuple[str, ...]:
    """List the cards that may be in a deck of simple gods: in no player's hand, not banned against any."""
    names = set(_names(setup))
    banned = {other for pair in BANNED for other in pair for name in names if name in pair} - names
    left = SIMPLE - names - banned
    return tuple(name for name in CARDS if name in left)


__all__ = [
    "CHECKS", "FLAGS", "RAM_CARD", "SCHEMA", "SEATS", "Player", "Setup", "SetupError", "deck_for",
    "mapping_of",
]  # fmt: skip
