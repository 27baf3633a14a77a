"""The gettext catalogues: one .po file per language and domain, read through Babel as they are."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from babel.core import negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

LANGUAGES = ("en", "fr", "it", "pl", "ru")
FALLBACK = "en"
FOLDER = Path(__file__).parent / "locales"

# Which family of keys (the part before the first dot) lives in which file.
FAMILIES = {
    "cards": ("card",),
    "reasons": ("reason", "put", "told", "end"),
    "rules": ("power", "term", "keyword", "tour", "rule"),
    "ui": (
        *("ui", "phase", "ask", "step", "setup", "join", "wizard", "hint", "settings", "legal", "error"),
        *("history", "hidden", "sync", "camera", "undo", "saved"),
    ),
}
DOMAINS = tuple(FAMILIES)


def domain_of(key: str) -> str:
    """Return the file a key lives in; KeyError names a family nobody declared."""
    family = key.partition(".")[0]
    for domain, families in FAMILIES.items():
        if family in families:
            return domain
    raise KeyError(f"{key}: no domain has the family '{family}'")


def po_path(language: str, domain: str, folder: Path = FOLDER) -> Path:
    """Return where the .po file of a language and domain lies."""
    return folder / language / "LC_MESSAGES" / f"{domain}.po"


@dataclass(frozen=True)
class Catalogue:
    """All texts of one language; an entry has one form, or one for each plural of the language."""

    language: str
    entries: Mapping[str, tuple[str, ...]]
    plurals: int
    plural_of: Callable[[int], int]

    def form(self, key: str, count: int | None) -> str | None:
        """Return the text of a key, in the plural form that fits the count."""
        forms = self.entries.get(key)
        if forms is None or len(forms) == 1:
            return forms[0] if forms else None
        return forms[self.plural_of(count) if count is not None else -1]


def read(path: Path) -> Catalog:
    """Read one .po file."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def entries_of(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """Return key -> forms of a .po file; an empty or fuzzy translation counts as missing."""
    found: dict[str, tuple[str, ...]] = {}
    for message in catalog:
        texts = message.string if isinstance(message.string, tuple | list) else (message.string,)
        forms = tuple(text for text in texts if text)
        if message.id and len(forms) == len(texts) and not message.fuzzy:
            found[message.id[0] if isinstance(message.id, tuple | list) else message.id] = forms
    return found


@cache
def catalogue(language: str) -> Catalogue:
    """Load a language once; later calls are free."""
    catalogs = [read(po_path(language, domain)) for domain in DOMAINS]
    entries: dict[str, tuple[str, ...]] = {}
    for catalog in catalogs:
        entries |= entries_of(catalog)
    first = catalogs[0]
    return Catalogue(language, entries, first.num_plurals, gettext.c2py(first.plural_expr))


def pick_language(wanted: str | None) -> str:
    """Choose the language for a browser's Accept-Language line (or a plain code); English if none fits."""
    ranked: list[tuple[float, int, str]] = []
    for place, part in enumerate((wanted or "")[:500].split(",")):
        code, _, quality = part.strip().lower().partition(";q=")
        ranked.append((-_number(quality), place, code))
    chosen = negotiate_locale([code for _, _, code in sorted(ranked) if code], LANGUAGES, sep="-")
    return chosen or FALLBACK


def _number(quality: str) -> float:
    try:
        return float(quality or 1)
    except ValueError:
        return 0.0
