"""Golden games: one of every power, as a text to read. Written anew by `python -m tests.engine.golden`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.cli._rules_play import played
from engine.cards import BANNED, CARDS
from engine.game import Game, Outcome, attempt, begin
from engine.legal import next_steps
from engine.record import format_record, record_of
from engine.rules.search import legal
from engine.setup import Player, Setup
from engine.steps import Step
from engine.view import observe

FOLDER = Path(__file__).parent.parent / "data" / "golden"
SEEDS = range(1, 7)
MORE_SEEDS = range(7, 100)
TURNS = 60


def opponent(name: str) -> str:
    """Name a power to play against: the next one in the book that may meet it."""
    names = [card.id for card in CARDS.values() if 2 in card.player_counts]
    at = names.index(name)
    allowed = (other for other in names[at + 1 :] + names[:at] if frozenset((name, other)) not in BANNED)
    return next(allowed)


def at_work(game: Game, name: str) -> int:
    """Count the steps that a power offered and the consequences that the first player's turns had."""
    now = begin(game.setup)
    count = sum("[" in record.told(None, game.table, True) for record in game.records)
    for deed in game.deeds:
        turn = now.plan.turn
        if turn is not None and turn.seat == deed.seat == "A":
            found = legal(now.plan, "A").get(deed.step)
            count += found is not None and found[0].holder.power.id == name
        outcome = attempt(now, deed.seat, deed.step)
        assert isinstance(outcome, Outcome)
        now = outcome.game
    return count


def shows(game: Game) -> int:
    """Play it without the first player's power: 2, it goes otherwise; 1, it could have; 0, alike."""
    with_it = begin(game.setup)
    without = begin(replace(game.setup, players=(Player("A"), *game.setup.players[1:])))
    could = 0
    for deed in game.deeds:
        played_on = attempt(without, deed.seat, deed.step)
        if not isinstance(played_on, Outcome):
            return 2
        outcome = attempt(with_it, deed.seat, deed.step)
        assert isinstance(outcome, Outcome)
        with_it, without = outcome.game, played_on.game
        if with_it.over != without.over or board(with_it) != board(without):
            return 2
        if not could:
            could = int(any(offered(with_it, seat) != offered(without, seat) for seat in "AB"))
    return could


def board(game: Game) -> object:
    """Give what stands on the board."""
    pos = game.plan.pos
    return pos.up1, pos.up2, pos.up3, pos.domes, pos.workers


def offered(game: Game, seat: str) -> set[Step]:
    """Give the steps that a seat may take."""
    return set(next_steps(observe(game, seat)))


def golden(name: str) -> str:
    """Play a few games and write down the finished one in which the power is most at work."""
    setup = Setup.of(name, opponent(name))
    games = [(seed, played(setup, seed, TURNS)) for seed in SEEDS]
    best = max(games, key=lambda pair: (pair[1].over, shows(pair[1]), at_work(pair[1], name), -pair[0]))
    if shows(best[1]) < 2:
        more = ((seed, played(setup, seed, TURNS)) for seed in MORE_SEEDS)
        best = next((pair for pair in more if pair[1].over and shows(pair[1]) == 2), best)
    return format_record(record_of(best[1], seed=best[0]))


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in CARDS:
        (FOLDER / f"{name}.txt").write_text(golden(name))


if __name__ == "__main__":
    main()
