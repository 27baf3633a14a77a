"""The phone's texts.js says every text in every language exactly as Python does."""

import json
import shutil
import subprocess
from pathlib import Path

import companion
from companion.texts import LANGUAGES, Text, export, say
from companion.texts.catalogue import catalogue
from companion.texts.check import facts_of
from companion.texts.steps import step_text
from companion.web.pages import texts_of
from engine.steps import parse_step

SCRIPT = Path(__file__).with_name("say_all.mjs")
STEP_SCRIPT = Path(__file__).with_name("say_steps.mjs")
MODULE = Path(companion.__file__).parent / "web" / "static" / "js" / "texts.js"
COUNTS = (0, 1, 2, 3, 4, 5, 11, 12, 14, 21, 22, 25, 100, 101, 112, 1_000_000)
FACTS = (
    Text("told.cancelled", what=Text("step.move_to", space="c3")),
    ("a1", 2, Text("ui.yes")),
    "Zoë {x} $&",
    7,
)


def everything(language: str) -> list[Text]:
    """Every text of a language with facts of every kind, and every plural form."""
    texts: list[Text] = []
    for key, forms in sorted(catalogue(language).entries.items()):
        names = sorted(facts_of(forms))
        facts = {name: FACTS[number % len(FACTS)] for number, name in enumerate(names)}
        counts = COUNTS if len(forms) > 1 else (1,)
        texts += [Text(key, **(facts | ({"count": count} if "count" in names else {}))) for count in counts]
    return texts


def phone(wanted: list[tuple[str, dict[str, object]]]) -> list[str]:
    """What the phone says."""
    node = shutil.which("node")
    assert node, "node has to be installed"
    asked = {"catalogues": [export(language) for language in LANGUAGES], "wanted": wanted}
    answer = subprocess.run(
        [node, str(SCRIPT), str(MODULE)], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    assert not answer.stderr, answer.stderr
    return list(json.loads(answer.stdout))


def test_the_phone_says_what_python_says():
    wanted = [(language, text) for language in LANGUAGES for text in everything(language)]
    said = phone([(language, text.as_json()) for language, text in wanted])
    assert said == [say(language, text) for language, text in wanted]
    assert len(said) > 5000


STEPS = (
    "A1:b2>c3", "B1:c3~b2", "A1+c4", "A1^c4", "+c4", "A1<>B2", "xB1", "-d3", "A1@b2", "whirlpool@b2",
    "coin@c3", "talus@d4", "ram@a1", "wind@NE", "wind@card", "song@W", "mark@B1", "use", "pass", "end",
    "card@apollo", "proxy@e5", "resign", "agree@", "agree@A",
)  # fmt: skip
"""One of every kind: in words on the phone none shows how it is written."""


def first_texts(language: str) -> dict[str, object]:
    """The texts that a phone has loaded when it shows a game; the cards come later."""
    return dict(json.loads(texts_of(language, "first")))


def test_the_phone_words_every_kind_of_step_as_python_does():
    node = shutil.which("node")
    assert node, "node has to be installed"
    asked = {"catalogues": [first_texts(language) for language in LANGUAGES], "steps": STEPS}
    answer = subprocess.run(
        [node, str(STEP_SCRIPT), str(MODULE.parent)],
        input=json.dumps(asked), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not answer.stderr, answer.stderr
    words = [[say(language, step_text(parse_step(step))) for step in STEPS] for language in LANGUAGES]
    assert json.loads(answer.stdout) == words
