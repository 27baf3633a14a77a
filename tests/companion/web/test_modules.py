"""The pages' modules outside a browser."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from companion.texts.catalogue import catalogue
from companion.web.house import STATIC

HERE = Path(__file__).parent
FAMILIES = (
    "ui|phase|ask|step|setup|join|wizard|hint|settings|legal|error|history|hidden|sync|camera|undo|saved"
    "|end|put|told|tour|rule|term|reason|keyword"
)


def test_taps_written_turns_and_the_line() -> None:
    done = subprocess.run(
        ["node", str(HERE / "check_modules.mjs")], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("ok ") == 10


def test_every_text_on_the_pages_is_there() -> None:
    known = catalogue("en").entries
    missing = []
    for file in (*STATIC.rglob("*.js"), *STATIC.parent.glob("*.py")):
        if file.name in ("texts.js", "commit.js"):
            continue
        for key in re.findall(rf'["`]((?:{FAMILIES})\.[a-z0-9_.]+)["`]', file.read_text("utf-8")):
            if key not in known:
                missing.append(f"{file.name}: {key}")
    assert missing == []


def test_the_pages_fetch_nothing_from_elsewhere_and_carry_no_inline_code() -> None:
    shell = (STATIC / "index.html").read_text("utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)", shell) == []
    assert "style=" not in shell and "onclick" not in shell
    for file in STATIC.rglob("*"):
        if file.suffix in (".js", ".css", ".html"):
            foreign = re.findall(r"https?://(?!www\.w3\.org/)[a-z]", file.read_text("utf-8"))
            assert foreign == [], file.name


def test_modules_are_small_and_checked() -> None:
    for file in STATIC.rglob("*.js"):
        text = file.read_text("utf-8")
        assert text.startswith("// @ts-check\n"), file.name
        assert text.count("\n") <= 400, file.name
