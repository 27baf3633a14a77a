from __future__ import annotations

import re
from pathlib import Path

import engine
from engine.rules.power import Power

DOCUMENT = (Path(engine.__file__).parent.parent / "docs" / "engine.md").read_text()
WORDS = set(re.findall(r"`([a-z_]+)`", DOCUMENT))


def test_every_question_and_every_attribute_of_a_power_is_described() -> None:
    named = {name for name in vars(Power) if not name.startswith("_")} - {"id", "answers"}
    assert named <= WORDS, named - WORDS


def test_every_module_that_is_described_exists() -> None:
    for name in re.findall(r"`engine\.([a-z_]+)`", DOCUMENT):
        assert (Path(engine.__file__).parent / f"{name}.py").exists(), name
