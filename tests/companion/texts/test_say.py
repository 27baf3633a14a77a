"""Saying a text: facts, plural forms, missing ones, choice of language."""

import pytest
import structlog

from companion.texts import MissingText, Text, card, export, pick_language, say
from companion.texts.say import _told


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 block left"),
        ("en", 0, "0 blocks left"),
        ("fr", 0, "0 bloc restant"),
        ("fr", 2, "2 blocs restants"),
        ("it", 1, "1 blocco rimasto"),
        ("pl", 1, "Został 1 blok"),
        ("pl", 3, "Zostały 3 bloki"),
        ("pl", 12, "Zostało 12 bloków"),
        ("pl", 22, "Zostały 22 bloki"),
        ("ru", 1, "Остался 1 блок"),
        ("ru", 3, "Осталось 3 блока"),
        ("ru", 11, "Осталось 11 блоков"),
        ("ru", 21, "Остался 21 блок"),
    ],
)
def test_plural_forms(language, count, said):
    assert say(language, "ui.blocks_left", {"count": count}) == said


def test_a_fact_may_be_a_text_or_a_row_of_them():
    what = Text("step.move_to", space="c3")
    assert say("fr", Text("told.cancelled", what=what)) == "Annulé\u00a0: déplacement en c3."
    named = Text("ui.not_with", powers=(Text("power.medusa.name"), "X"))
    assert say("ru", named) == "Несовместимо с: Медуза, X"


def test_a_text_travels_as_json():
    text = Text("told.cancelled", what=Text("step.move_to", space="c3"), row=("a", 1, Text("ui.yes")))
    data = text.as_json()
    assert Text.from_json(data) == text
    assert data["key"] == "told.cancelled"
    for bad in ({}, {"key": 1}, {"key": "a", "facts": {"b": None}}, {"key": "a", "facts": []}):
        with pytest.raises(ValueError):
            Text.from_json(bad)


def test_equal_texts_are_equal_whatever_the_order_of_facts():
    assert Text("a", x=1, y=2) == Text("a", y=2, x=1)
    assert len({Text("a", x=1), Text("a", x=1)}) == 1


def test_tests_fail_on_a_missing_text_or_fact():
    with pytest.raises(MissingText, match=r"ui\.nothing_of_the_kind"):
        say("pl", "ui.nothing_of_the_kind")
    with pytest.raises(MissingText, match="space"):
        say("pl", "step.move_to")


def test_at_run_time_english_stands_in_and_it_is_logged_once(monkeypatch):
    monkeypatch.setenv("SANTORINI_STRICT_TEXTS", "0")
    _told.clear()
    with structlog.testing.capture_logs() as logs:
        assert say("xx", "ui.yes") == "Yes"
        assert say("xx", "ui.yes") == "Yes"
        assert say("en", "ui.nothing_of_the_kind") == "ui.nothing_of_the_kind"
        assert say("fr", "step.move_to") == "déplacement en …"
    assert [log["key"] for log in logs] == ["ui.yes", "ui.nothing_of_the_kind", "step.move_to"]


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("fr", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("de, pl;q=0.5, ru;q=0.7", "ru"),
        ("de;q=0.9, *;q=0.5", "en"),
        ("it;q=nonsense, pl;q=0.1", "pl"),
        ("", "en"),
        (None, "en"),
        ("\0,;q=,,", "en"),
        ("PL", "pl"),
    ],
)
def test_the_language_of_a_browser(wanted, chosen):
    assert pick_language(wanted) == chosen


def test_a_card_has_lines_and_what_other_texts_change():
    chaos = card("pl", "chaos")
    assert (chaos.name, chaos.title) == ("Chaos", "Pierwotna próżnia")
    assert [line.split(":")[0] for line in chaos.lines] == ["Przygotowanie", "W dowolnym momencie"]
    assert len(chaos.variants) == 1
    assert len(card("fr", "bia").variants) == 2


def test_an_english_card_is_the_docstring_of_the_power():
    assert card("en", "apollo").lines[0].startswith("Your Move: ")


def test_export_holds_every_text_once_and_domains_apart():
    whole, part = export("fr")["texts"], export("fr", ["cards"])["texts"]
    assert isinstance(whole, dict) and isinstance(part, dict)
    assert set(part) < set(whole)
    assert all(key.startswith("card.") for key in part)
    english = export("en")["texts"]
    assert isinstance(english, dict)
    assert "card.apollo" in english
