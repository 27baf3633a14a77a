"""What a player is told about a step the real engine refuses."""

import pytest

from companion.texts import LANGUAGES, refusal_text, say
from engine.game import Game, attempt, begin
from engine.opening import Opening
from engine.refusal import Refusal
from engine.setup import Setup
from engine.steps import parse_step
from engine.view import observe

FLAT = ["00000"] * 5
FOUR = {"A1": "b3", "A2": "a1", "B1": "e5", "B2": "c4"}


def game(board=None, workers=None, powers=(None, None), domes=(), memory=None) -> Game:
    position = {
        "board": board or FLAT,
        "domes": list(domes),
        "workers": workers or FOUR,
        "to_move": "A",
    }
    opening = {"position": position, "memory": memory or {}}
    return begin(Setup.of(*powers), Opening.from_json(opening))


def told(start: Game, step: str, before: str = "", language: str = "en") -> str:
    """What seat A is told when it tries a step, after other steps."""
    at = start
    for each in before.split():
        outcome = attempt(at, "A", parse_step(each))
        assert not isinstance(outcome, Refusal), outcome
        at = outcome.game
    tried = parse_step(step)
    answer = attempt(at, "A", tried)
    assert isinstance(answer, Refusal), "the step was meant to be refused"
    return say(language, refusal_text(answer, observe(at, "A"), tried, {"A": "Ada", "B": "Ben"}))


TOWER = ["00000", "00000", "00200", "00000", "00000"]


@pytest.mark.parametrize(
    ("step", "before", "sentence"),
    [
        ("A1:b3>c3", "", "Two levels up: c3 is 2, your worker stands on 0."),
        ("A1:b3>d3", "", "Too far: d3 does not touch b3."),
        ("A1:b3>c4", "", "A worker stands on c4."),
        ("A1:a2>b2", "", "No worker of yours stands on a2."),
        ("A1+b2", "", "Move first, then build."),
        ("A1:b2>b1", "A1:b3>b2", "One move this turn: nothing gives you another."),
        ("A2+b1", "A1:b3>b2", "The worker that moved builds: the one on b2."),
        ("A1^b1", "A1:b3>b2", "A dome goes on level 3: b1 is 0."),
        ("A1+b4", "A1:b3>b2", "Too far: b4 does not touch b2."),
        ("A1+a1", "A1:b3>b2", "Your own worker stands on a1."),
    ],
)
def test_the_sentence_names_the_facts(step, before, sentence):
    assert told(game(TOWER), step, before) == sentence


def test_what_stands_in_the_way_is_named():
    assert told(game(TOWER, domes=["b4"]), "A1:b3>b4") == "b4 has a dome: the tower is closed."
    beside = {"A1": "b3", "A2": "b4", "B1": "e5", "B2": "c4"}
    assert told(game(TOWER, beside), "A1:b3>b4") == "Your own worker stands on b4."


def test_a_power_that_forbids_is_named():
    step = ["00000", "00000", "00100", "00000", "00000"]
    start = game(step, powers=(None, "athena"), memory={"B": {"moved_up": True}})
    assert told(start, "A1:b3>c3") == "Athena moved up: nobody climbs this turn."
    assert told(start, "A1:b3>c3", language="ru").startswith("Афина поднялась")


STEP_DOWN = ["00000", "00000", "01000", "00000", "00000"]
STEP_UP = ["00000", "00000", "00100", "00000", "00000"]


@pytest.mark.parametrize(
    ("powers", "board", "step", "before", "sentence"),
    [
        ("demeter -", FLAT, "A1+b1", "A1:b3>b2 A1+b1", "Second build: on a different space than the first."),
        ("hestia -", FLAT, "A1+b1", "A1:b3>b2 A1+c3", "Second build: not on the edge of the board."),
        ("hephaestus -", FLAT, "A1+b1", "A1:b3>b2 A1+c3", "The second block goes on top of the first one."),
        ("artemis -", FLAT, "A1:b2>b3", "A1:b3>b2", "Not back to b3: this worker started there."),
        ("prometheus -", FLAT, "A1:b3>c3", "A1+c3", "You built first: this worker does not climb this turn."),
        ("terpsichore -", FLAT, "A1+b1", "A1:b3>b2", "Every worker of yours has to move first."),
        ("charon -", FLAT, "B2:c4~d4", "", "Only straight across your worker: to the opposite side."),
        ("odysseus -", FLAT, "B2:c4~d4", "", "Only onto a free corner."),
        ("- hades", STEP_DOWN, "A1:b3>b2", "", "Hades: nobody climbs down. b2 is lower."),
        ("- hypnus", STEP_DOWN, "A1:b3>b2", "", "Hypnus: the worker on b3 stands highest and sleeps."),
        ("- limus", FLAT, "A1+c3", "A1:b3>b4", "c3 is next to Limus: only a dome on level 3 there."),
        ("- persephone", STEP_UP, "A1:b3>b2", "", "Persephone: a climb is possible, so this turn needs one."),
        ("- aphrodite", FLAT, "A1:b3>a3", "", "Aphrodite: from b3 you have to stop next to one of hers."),
    ],
)
def test_each_power_has_its_sentence(powers, board, step, before, sentence):
    line_up = tuple(None if name == "-" else name for name in powers.split())
    assert told(game(board, powers=line_up), step, before) == sentence


def test_a_push_against_the_edge_or_a_dome_says_what_is_behind():
    push = {"A1": "b3", "A2": "d1", "B1": "c3", "B2": "e5"}
    assert told(game(workers=push, powers=("minotaur", None), domes=["d3"]), "A1:b3>c3") == (
        "No room to push: d3 behind has a dome."
    )
    edge = {"A1": "b3", "A2": "d1", "B1": "a3", "B2": "e5"}
    assert told(game(workers=edge, powers=("minotaur", None)), "A1:b3>a3") == (
        "No room behind a3: the board ends there."
    )


def test_the_turn_of_another_player_is_named():
    answer = Refusal("wrong_worker", {"turn": "B"})
    view = observe(game(), "A")
    assert say("en", refusal_text(answer, view, None, {"B": "Ben"})) == "It is the turn of Ben."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "step", ["A1:b3>c3", "A1:b3>e1", "A1:b3>c4", "A1+b4", "pass", "xB1", "talus@c2", "wind@N"]
)
def test_any_refused_step_has_a_sentence_in_every_language(language, step):
    assert told(game(TOWER), step, language=language)
