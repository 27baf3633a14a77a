"""The table of terms in the handbook is the one the players see."""

from pathlib import Path

from companion.texts.__main__ import terms

DOCUMENT = Path(__file__).parents[3] / "docs" / "texts.md"


def test_the_handbook_holds_every_term():
    rows = [line for line in DOCUMENT.read_text("utf-8").split("\n") if line.startswith("| ")]
    missing = [row for row in terms() if row not in rows]
    assert missing == [], "run `python -m companion.texts terms` and put its rows into docs/texts.md"
    assert len(terms()) > 60
