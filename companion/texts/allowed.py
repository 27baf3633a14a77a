"""Texts that may look English: words two languages share, and Latin words Russian keeps."""

SAME_IN_ENGLISH: dict[str, frozenset[str]] = {
    "fr": frozenset(
        {
            "hidden.cell.maybe",
            "hidden.cell.surely",
            "legal.licences",
            "settings.vibration",
            "setup.options",
            "term.challenger",
            "term.talus",
            "ui.cell.danger",
            "ui.colour.orange",
            "ui.menu",
            "ui.pause",
            "ui.shape.triangle",
            "ui.table",
            "ui.version",
        }
    ),
    "it": frozenset({"ask.no", "term.talus", "ui.menu", "ui.no"}),
    "pl": frozenset({"ui.menu", "ui.start"}),
}
LATIN_IN_RUSSIAN = frozenset({"JSON", "Master", "Roxley", "Spin", "Wi", "Fi", "cookie"})
