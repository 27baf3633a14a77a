"""What people lean to when several turns are possible: they climb, stay high, and build on what stands."""

from __future__ import annotations

from companion.referee.decisions import Candidate
from companion.referee.odds import Odds
from engine.steps import Build, Move
from vision.reading import Board


def leaning(candidate: Candidate, here: Board, odds: Odds) -> float:
    """Say how much likelier than others a turn is, lawful or not, by the heights it goes to (logarithm)."""
    if not candidate.ends and candidate.refusal is None:
        return 0.0
    moves = [step for step in candidate.steps if isinstance(step, Move)]
    built = sum(here[step.cell].height for step in candidate.steps if isinstance(step, Build))
    gain = here[moves[-1].end].height - here[moves[0].start].height if moves else 0
    return odds.climbs * (gain > 0) + odds.falls * max(0, -gain) + odds.higher * built
