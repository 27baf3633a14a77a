"""Every reason code has a sentence that fits on a phone and uses the facts it is given."""

import pytest

from companion.texts import LANGUAGES, Text, reason, say
from companion.texts.catalogue import catalogue, domain_of
from companion.texts.say import PLACEHOLDER
from engine import refusal
from engine.cards import CARDS

PLAIN = [code for code in refusal.ORDER if code not in ("cannot", "must")]
FORBIDDING = ["athena", "hades", "hypnus", "limus", "aeolus", "prometheus"]
DEMANDING = ["persephone", "adonis", "aphrodite", "nemesis"]
CODES = [*PLAIN, "banned", "players", "edition", *(f"cannot:{p}" for p in FORBIDDING)]
CODES += [f"must:{p}" for p in DEMANDING]
LONGEST = 90
TYPICAL = {
    "space": "a3",
    "from": "b2",
    "builder": "b2",
    "level": 2,
    "stands": 0,
    "rise": 2,
    "count": 2,
    "players": "3",
    "player": "Alexandra",
    "power": Text("power.bellerophon.name"),
    "other": Text("power.terpsichore.name"),
    "direction": Text("term.direction.ne"),
    "what": Text("step.move_to", space="c3"),
    "put": Text("put.worker", space="b2"),
    "token": Text("term.whirlpool"),
    "seen": "2",
    "spaces": ("a1", "a2", "b1", "b2"),
}


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_its_own_sentence_without_any_fact(language, code):
    text = reason(code)
    assert text.key.startswith(f"reason.{code.replace(':', '.')}") and say(language, text)


@pytest.mark.parametrize("power", CARDS)
def test_any_other_power_that_forbids_or_demands_is_named(power):
    for code in ("cannot", "must"):
        assert say("en", reason(f"{code}:{power}")) != say("en", "reason.unknown")


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_a_refusal_fit_on_a_phone(language):
    keys = [key for key in catalogue(language).entries if domain_of(key) == "reasons"]
    said = {key: say(language, key, TYPICAL) for key in keys}
    assert {key: text for key, text in said.items() if len(text) > LONGEST} == {}


@pytest.mark.parametrize("key", [k for k in catalogue("en").entries if k.startswith("reason.")])
def test_every_sentence_can_be_reached(key):
    """A variant nobody's facts can choose would never be said."""
    code, _, variant = key.removeprefix("reason.").partition(".")
    power = variant.split(".")[0] if code in ("cannot", "must") else ""
    whole = f"{code}:{power}" if power in CARDS else code
    wanted = {name: "a3" for form in catalogue("en").entries[key] for name in PLACEHOLDER.findall(form)}
    last = key.rpartition(".")[2]
    facts = [wanted, wanted | {"kind": last}, wanted | {"rise": last}, wanted | {"power": last}]
    assert key in {reason(whole, each).key for each in facts} | {"reason.unknown"}


def test_the_sentences_of_the_rules_are_told_with_their_facts():
    high = reason("too_high", {"space": "a3", "level": 2, "stands": 0, "rise": 2})
    assert say("en", high) == "Two levels up: a3 is 2, your worker stands on 0."
    assert say("en", reason("cannot:athena")) == "Athena moved up: nobody climbs this turn."
    assert say("fr", reason("cannot:hypnus", {"from": "b2"})) != say("fr", reason("cannot:hypnus"))
    windy = reason("cannot:aeolus", {"direction": "NE"})
    assert say("pl", windy) == "Pod wiatr: nie można iść w tym kierunku (północny wschód)."


def test_an_unknown_code_is_still_a_sentence():
    assert say("ru", reason("quite_new")) == "Сейчас так нельзя."
