"""`santorini rules play`: prints a random game in notation."""

from __future__ import annotations

import argparse
import random
import sys
from typing import Final

from engine.cards import EDITIONS
from engine.game import Game, Outcome, attempt, begin
from engine.legal import may_end, next_steps
from engine.record import format_record, record_of
from engine.setup import CHECKS, FLAGS, Player, Setup, SetupError
from engine.state import Table
from engine.steps import End, Move, Step
from engine.view import observe

HELP = "print a random game of these powers in notation; the same seed gives the same game"
EXAMPLE = "santorini rules play --powers apollo,hecate --seed 7"
LENGTH: Final = 2000
"""Steps after which a game is left as it stands."""
NOBODY: Final = ("none", "mortal", "-")


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the line-up and the seed."""
    parser.add_argument(
        "--powers", required=True, metavar="A,B[,C[,D]]", help="one for each player, none for no power"
    )
    parser.add_argument("--seed", type=int, default=1, help="of every choice and card (default: 1)")
    parser.add_argument("--edition", default=EDITIONS[0], help=f"{' or '.join(EDITIONS)}")
    parser.add_argument("--option", action="append", default=[], metavar="NAME", help=", ".join(FLAGS))
    parser.add_argument(
        "--hecate-check",
        default=CHECKS[0],
        metavar="WHEN",
        help=f"{' or '.join(CHECKS)} (default: {CHECKS[0]})",
    )
    parser.add_argument("--golden-fleece", metavar="POWER", default=None, help="the power beside the board")
    parser.add_argument("--turns", type=int, default=None, metavar="N", help="stop after so many turns")


def setup_of(args: argparse.Namespace) -> Setup:
    """Read the line-up; raise SetupError naming what is wrong."""
    if args.turns is not None and args.turns < 0:
        raise SetupError("turns", f"{args.turns} is less than 0")
    names = [name.strip() for name in args.powers.split(",")]
    unknown = [name for name in args.option if name not in FLAGS]
    if unknown:
        raise SetupError("option", f"'{unknown[0]}' is not one of {', '.join(FLAGS)}")
    players = tuple(Player(seat, None if name in NOBODY else name) for seat, name in zip("ABCD", names))
    if len(names) > len(players):
        raise SetupError("powers", f"{len(names)} powers; there must be 2, 3 or 4")
    teams = (("A", "C"), ("B", "D")) if len(players) == 4 else ()
    return Setup(players, teams, args.edition, frozenset(args.option), args.hecate_check, args.golden_fleece)


def played(setup: Setup, seed: int, turns: int | None = None) -> Game:
    """Play at random, a little eager to climb so that games come to an end."""
    chance = random.Random(seed)
    game = begin(setup)
    for _ in range(LENGTH):
        if game.over or (turns is not None and _turns(game) >= turns):
            break
        seat = game.waiting[0] if len(game.waiting) == 1 else chance.choice(game.waiting)
        view = observe(game, seat)
        steps: list[Step] = list(next_steps(view))
        if view.state.turn is not None and may_end(view):
            steps.append(End())
        if not steps:
            continue
        outcome = attempt(game, seat, _chosen(steps, game, chance))
        if not isinstance(outcome, Outcome):
            raise RuntimeError(f"a legal step was refused: {outcome}")
        game = outcome.game
    return game


def _turns(game: Game) -> int:
    """Count the turns that have ended."""
    table: Table = game.table
    return max(0, len(game.records) - len(table.seats)) if game.truth.setup is None else 0


def _chosen(steps: list[Step], game: Game, chance: random.Random) -> Step:
    """Choose a step, more often one that climbs."""
    pos = game.plan.pos
    up = [s for s in steps if isinstance(s, Move) and pos.level(s.end) > pos.level(s.start)]
    return chance.choice(up) if up and chance.random() < 0.5 else chance.choice(steps)


def run(args: argparse.Namespace) -> int:
    """Print one game."""
    try:
        setup = setup_of(args)
        game = played(setup, args.seed, args.turns)
    except SetupError as error:
        print(f"santorini rules play: {error}", file=sys.stderr)
        return 2
    print(format_record(record_of(game, seed=args.seed)), end="")
    return 0
