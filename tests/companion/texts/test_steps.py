"""Steps as phrases."""

import pytest

from companion.texts import LANGUAGES, say, step_text
from engine import steps
from engine.steps import parse_step

NOTED = (
    "A1:b2>c3 A1+c4 A1^c4 B1:d4~b2 A1<>B1 xB1 -d4 A3@c3 talus@c2 wind@NE wind@card song@S mark@B1 use pass"
)
UNNOTED = [steps.End(), steps.Draw("pan"), steps.Resign(), steps.Agree(), steps.Proxy(3)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_a_phrase(language):
    said = [say(language, step_text(step)) for step in [*map(parse_step, NOTED.split()), *UNNOTED]]
    assert len(set(said)) == len(said)


def test_phrases_name_what_was_done():
    assert say("en", step_text(parse_step("A1:b2>c3"))) == "move from b2 to c3"
    assert say("en", step_text(parse_step("A1^c4"))) == "dome on c4"
    assert say("fr", step_text(parse_step("wind@NE"))) == "vent\u00a0: nord-est"
    assert say("pl", step_text(parse_step("whirlpool@b2"))) == "wir na b2"


def test_workers_are_named_by_their_spaces_where_these_are_known():
    assert say("en", step_text(parse_step("xB1"), {"B1": 6})) == "worker b2 removed"
    assert say("en", step_text(parse_step("A1+b2"), {"A1": 6})) == "block under itself on b2"
