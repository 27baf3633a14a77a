"""Five complete languages: every key, every fact, every plural form, every card."""

import re

import pytest

from companion.texts.catalogue import LANGUAGES, Catalogue, catalogue, domain_of, entries_of, po_path, read
from companion.texts.check import english, faults, language_faults, powers
from companion.texts.english import VARIANT, english_card, unwrap
from engine.cards import CARDS
from engine.powers import card_text, power_names

TRANSLATED = LANGUAGES[1:]
MOMENTS = {key.removeprefix("keyword."): key for key in catalogue("en").entries if key.startswith("keyword.")}


def test_nothing_is_missing_uneven_or_still_english():
    assert faults() == []


def test_the_powers_named_are_those_of_the_rules():
    assert sorted(powers()) == sorted(CARDS)
    assert len(powers()) == 55


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_power_has_a_name_and_a_line_below_it(language):
    entries = catalogue(language).entries
    missing = [p for p in powers() for what in ("name", "title") if f"power.{p}.{what}" not in entries]
    assert missing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_power_has_a_translated_card(language):
    missing = [power for power in powers() if f"card.{power}" not in catalogue(language).entries]
    assert missing == []


def test_every_power_of_the_engine_has_an_english_card():
    silent = [power for power in power_names() if not english_card(power)]
    assert silent == []


def test_english_names_and_titles_are_those_of_the_engine():
    entries = catalogue("en").entries
    for each in CARDS.values():
        named = entries[f"power.{each.id}.name"], entries[f"power.{each.id}.title"]
        assert named == ((each.name,), (each.title,))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_says_what_another_text_changes(language):
    told = {
        key.split(".")[1]
        for key in catalogue(language).entries
        if key.endswith(".revised") and "card." in key
    }
    assert told == {each.id for each in CARDS.values() if each.revised}


def moments(language: str, text: str) -> list[str]:
    """Name the moments the lines of a card open with; a line without one is named by its text."""
    words = {catalogue(language).entries[key][0].lower(): name for name, key in MOMENTS.items()}
    heads = [
        re.split(r"\s?:", line, maxsplit=1)[0].lower().removesuffix(", once") for line in text.split("\n")
    ]
    return [words.get(head, head) for head in heads]


@pytest.mark.parametrize("power", powers())
def test_the_lines_of_a_card_speak_of_the_same_moments_in_every_language(power):
    said = {lang: moments(lang, catalogue(lang).entries[f"card.{power}"][0]) for lang in TRANSLATED}
    if text := english_card(power):
        said["en"] = moments("en", text)
    assert len({tuple(found) for found in said.values()}) == 1, said
    assert set(said["fr"]) <= MOMENTS.keys()


@pytest.mark.parametrize("power", [each.id for each in CARDS.values() if each.kind == "hero"])
def test_a_hero_works_once_a_game_in_every_language(power):
    once = {"fr": "une fois par partie", "it": "una volta per partita"}
    once |= {"pl": "raz na partię", "ru": "один раз за партию"}
    for language, words in once.items():
        assert words in catalogue(language).entries[f"card.{power}"][0]
    assert "once" in (english_card(power) or "")


@pytest.mark.parametrize("power", powers())
def test_a_card_tells_apart_what_its_docstring_tells_apart(power):
    brackets = " ".join(found.group().lower() for found in VARIANT.finditer(unwrap(card_text(power))))
    told = {
        name for name, word in (("2017", "2017 edition"), ("revised", "revised card")) if word in brackets
    }
    assert told == {name for name in ("2017", "revised") if f"card.{power}.{name}" in catalogue("en").entries}
    assert "2017" not in (english_card(power) or "") and "Revised" not in (english_card(power) or "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_lies_in_the_file_of_its_family(language):
    for domain in ("cards", "reasons", "rules", "ui"):
        for key in entries_of(read(po_path(language, domain))):
            assert domain_of(key) == domain


def other(language: str, **entries: tuple[str, ...]) -> list[str]:
    """The faults of a language that holds only these texts, beside the same keys in English."""
    original = {"a": ("{count} block", "{count} blocks"), "b": ("Block on {space}",), "c": ("Hello",)}
    full = {"a": ("{count} x", "{count} y", "{count} z"), "b": ("К {space}",), "c": ("Привет",)} | entries
    texts = Catalogue(language, {k: v for k, v in full.items() if v}, 3, lambda n: 0)
    return list(language_faults(texts, original))


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ({"c": ()}, "c is missing"),
        ({"d": ("Лишний",)}, "d is not in English"),
        ({"a": ("{count} блок", "{count} блока")}, "a has 2 plural forms, not 3"),
        ({"a": ("{count} блоков",)}, "a has 1 forms, English 2"),
        ({"b": ("Блок",)}, "b uses [], English ['space']"),
        ({"c": ("Hello",)}, "c is the same as in English: 'Hello'"),
        ({"c": ("Привет world",)}, "c has Latin words: ['world']"),
        ({"c": ("Привет ",)}, "c has stray blanks"),
    ],
)
def test_a_planted_fault_is_found(planted, fault):
    sound = {"a": ("{count} блок", "{count} блока", "{count} блоков")}
    assert other("ru", **sound) == []
    assert fault in other("ru", **(sound | planted))


def test_english_holds_the_cards_of_the_engine():
    assert english()["card.apollo"][0].startswith("Your Move:")
