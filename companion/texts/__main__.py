"""Tools for translators: `python -m companion.texts add < blocks` (or `check show drop terms`)."""

from __future__ import annotations

import argparse
import sys
import time

from companion.texts.blocks import BadBlock, add, drop, parse_blocks
from companion.texts.catalogue import LANGUAGES, catalogue, domain_of
from companion.texts.check import faults


def main(arguments: list[str]) -> int:
    """Run one tool; 0 is well, 1 faults found, 2 bad input."""
    parser = argparse.ArgumentParser(prog="python -m companion.texts", description=__doc__)
    parser.add_argument("tool", choices=("add", "check", "drop", "show", "terms"))
    parser.add_argument("keys", nargs="*", help="keys (show: or the beginning of keys)")
    options = parser.parse_args(arguments)
    match options.tool:
        case "add":
            return _add()
        case "check":
            return _check()
        case "drop":
            drop(options.keys)
            return 0
        case "terms":
            print("\n".join(terms()))
            return 0
        case _:
            return _show(options.keys)


def _add() -> int:
    try:
        blocks = parse_blocks(sys.stdin.read())
        for key in blocks:
            domain_of(key)
    except (BadBlock, KeyError) as problem:
        print(problem.args[0], file=sys.stderr)
        return 2
    add(blocks)
    return 0


def _check() -> int:
    began = time.perf_counter()
    texts = sum(len(catalogue(language).entries) for language in LANGUAGES)
    spent = 1000 * (time.perf_counter() - began)
    found = faults()
    print("\n".join(found) if found else "nothing missing")
    print(f"{texts} texts in {len(LANGUAGES)} languages, read in {spent:.0f} ms")
    return 1 if found else 0


def _show(keys: list[str]) -> int:
    for key in sorted(catalogue("en").entries):
        if any(key.startswith(start) for start in keys):
            print(key)
            for language in LANGUAGES:
                forms = catalogue(language).entries.get(key, ())
                print(language, " | ".join(forms).replace("\n", "\\n"))
            print()
    return 0


def terms() -> list[str]:
    """Write the terms and the moments of the cards as the rows of docs/texts.md."""
    found = [key for key in sorted(catalogue("en").entries) if key.startswith(("term.", "keyword."))]
    words = [[catalogue(lang).entries[key][0] for lang in LANGUAGES] for key in found if key[-6:] != ".means"]
    return ["| " + " | ".join(row) + " |" for row in words]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
