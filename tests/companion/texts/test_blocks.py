"""Adding and dropping texts: the .po files stay gettext that Babel reads."""

import gettext
import io
import sys

import pytest
from babel.messages.mofile import write_mo

from companion.texts.__main__ import main
from companion.texts.blocks import BadBlock, add, drop, parse_blocks
from companion.texts.catalogue import DOMAINS, LANGUAGES, catalogue, entries_of, po_path, read

SOURCE = """
# a remark
ui.probe
en {count} block | {count} blocks
fr {count} bloc ! | {count} blocs !
it {count} blocco | {count} blocchi
pl {count} blok | {count} bloki | {count} bloków
ru {count} блок | {count} блока | {count} блоков

reason.probe
en first\\nsecond
"""


def test_blocks_become_entries_of_their_files(tmp_path):
    add(parse_blocks(SOURCE), tmp_path)
    assert entries_of(read(po_path("pl", "ui", tmp_path)))["ui.probe"] == (
        "{count} blok",
        "{count} bloki",
        "{count} bloków",
    )
    assert entries_of(read(po_path("en", "reasons", tmp_path))) == {"reason.probe": ("first\nsecond",)}


def test_french_marks_stay_with_their_word(tmp_path):
    add(parse_blocks(SOURCE), tmp_path)
    assert entries_of(read(po_path("fr", "ui", tmp_path)))["ui.probe"][0] == "{count} bloc\u00a0!"


def test_a_text_can_be_replaced_and_dropped(tmp_path):
    add(parse_blocks(SOURCE), tmp_path)
    add({"ui.probe": {"en": ("one form",)}}, tmp_path)
    assert entries_of(read(po_path("en", "ui", tmp_path))) == {"ui.probe": ("one form",)}
    drop(["ui.probe"], tmp_path)
    assert all(entries_of(read(po_path(lang, "ui", tmp_path))) == {} for lang in LANGUAGES)


@pytest.mark.parametrize("source", ["ui.x\nde Nein", "ui.x\nen", "ui.x\nno language here"])
def test_a_bad_block_names_its_key(source):
    with pytest.raises(BadBlock, match=r"ui\.x"):
        parse_blocks(source)


def test_a_key_of_no_family_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("nofamily.x\nen Hello"))
    assert main(["add"]) == 2
    assert "nofamily" in capsys.readouterr().err


def test_the_tools_answer(capsys):
    assert main(["check"]) == 0
    assert "nothing missing" in capsys.readouterr().out
    assert main(["show", "ui.yes"]) == 0
    assert "ru Да" in capsys.readouterr().out


def test_what_show_prints_add_reads_back(capsys):
    main(["show", "ui."])
    blocks = parse_blocks(capsys.readouterr().out)
    assert all(
        forms == catalogue(language).entries[key]
        for key, block in blocks.items()
        for language, forms in block.items()
    )
    assert len(blocks) > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_plain_gettext(language):
    """Compiled to .mo and read by Python's own gettext, they say the same, plural forms included."""
    for domain in DOMAINS:
        compiled = io.BytesIO()
        write_mo(compiled, read(po_path(language, domain)))
        compiled.seek(0)
        spoken = gettext.GNUTranslations(compiled)
        for key, forms in entries_of(read(po_path(language, domain))).items():
            if len(forms) == 1:
                assert spoken.gettext(key) == forms[0]
                continue
            for count in (0, 1, 2, 5, 12, 21, 22, 25, 101):
                assert spoken.ngettext(key, key, count) == catalogue(language).form(key, count)
