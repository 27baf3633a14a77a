"""Add or change texts in all five languages at once, from a plain block of lines.

    ui.blocks_left
    en {count} block left | {count} blocks left
    fr {count} bloc restant | {count} blocs restants
    …

Plural forms stand between bars, `\\n` is a new line, blocks are parted by an empty line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from companion.texts.catalogue import FOLDER, LANGUAGES, domain_of, po_path, read

Block = Mapping[str, tuple[str, ...]]


class BadBlock(ValueError):
    """A block that cannot be read; the message names the key."""


def parse_blocks(source: str) -> dict[str, Block]:
    """Read blocks of `key` and `language text` lines."""
    blocks: dict[str, Block] = {}
    for chunk in source.split("\n\n"):
        lines = [line for line in chunk.split("\n") if line.strip() and not line.startswith("#")]
        if lines:
            blocks[lines[0].strip()] = _block(lines[0].strip(), lines[1:])
    return blocks


def _block(key: str, lines: list[str]) -> Block:
    block: dict[str, tuple[str, ...]] = {}
    for line in lines:
        language, _, text = line.partition(" ")
        if language not in LANGUAGES or not text.strip():
            raise BadBlock(f"{key}: expected 'language text', got {line!r}")
        forms = (form.strip().replace("\\n", "\n") for form in text.split(" | "))
        block[language] = tuple(typeset(language, form) for form in forms)
    return block


def typeset(language: str, text: str) -> str:
    """Keep French marks on the line of their word, and give Russian its own dash."""
    match language:
        case "fr":
            return re.sub(r" ([:;!?»])", "\u00a0\\1", text).replace("« ", "«\u00a0")
        case "ru":
            return text.replace(" – ", " — ")
        case _:
            return text


def add(blocks: Mapping[str, Block], folder: Path = FOLDER) -> None:
    """Write blocks into the .po files, sorted; a text already there is replaced."""
    changes: dict[tuple[str, str], dict[str, tuple[str, ...]]] = defaultdict(dict)
    for key, block in blocks.items():
        for language, forms in block.items():
            changes[language, domain_of(key)][key] = forms
    for (language, domain), texts in changes.items():
        save(language, domain, texts, folder)


def drop(keys: list[str], folder: Path = FOLDER) -> None:
    """Take keys out of every language."""
    for language in LANGUAGES:
        for domain in {domain_of(key) for key in keys}:
            catalog = _catalog(language, domain, folder)
            for key in keys:
                catalog.delete(key)
            _write(catalog, po_path(language, domain, folder))


def save(language: str, domain: str, texts: Mapping[str, tuple[str, ...]], folder: Path = FOLDER) -> None:
    """Write some texts of one language into one .po file."""
    catalog = _catalog(language, domain, folder)
    for key, forms in texts.items():
        catalog.delete(key)
        if len(forms) == 1:
            catalog.add(key, forms[0])
        else:
            catalog.add((key, key), forms)
    _write(catalog, po_path(language, domain, folder))


def _catalog(language: str, domain: str, folder: Path) -> Catalog:
    path = po_path(language, domain, folder)
    if path.exists():
        return read(path)
    day = datetime(2026, 1, 1, tzinfo=UTC)
    fresh = Catalog(language, project="santorini", version="1", creation_date=day, fuzzy=False)
    fresh.revision_date = day
    return fresh


def _write(catalog: Catalog, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".po.new")
    catalog.last_translator = catalog.language_team = catalog.msgid_bugs_address = "-"
    with fresh.open("wb") as file:
        write_po(file, catalog, width=0, sort_output=True)
    fresh.replace(path)
