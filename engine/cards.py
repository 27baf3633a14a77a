"""The table of the powers: numbers, kinds, player counts, icons, banned and not recommended pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["simple", "advanced", "golden_fleece", "hero"]
EDITIONS: Final = ("roxley2016", "spinmaster2017")
LAST_OF_2017: Final = 30
"""The 2017 edition has the powers 1 to 30."""


@dataclass(frozen=True, slots=True)
class Card:
    """The printed facts of one power beside its text."""

    number: int
    id: str
    name: str
    title: str
    kind: Kind
    player_counts: tuple[int, ...]
    golden_fleece: bool
    revised: bool

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions that have this power."""
        return EDITIONS if self.number <= LAST_OF_2017 else EDITIONS[:1]


_ROWS: Final = """
1|apollo|Apollo|God of Music|simple|234|fleece|-
2|artemis|Artemis|Goddess of the Hunt|simple|234|fleece|-
3|athena|Athena|Goddess of Wisdom|simple|234|-|-
4|atlas|Atlas|Titan Shouldering the Heavens|simple|234|fleece|-
5|demeter|Demeter|Goddess of the Harvest|simple|234|fleece|-
6|hephaestus|Hephaestus|God of Blacksmiths|simple|234|fleece|-
7|hermes|Hermes|God of Travel|simple|234|fleece|-
8|minotaur|Minotaur|Bull-headed Monster|simple|234|fleece|-
9|pan|Pan|God of the Wild|simple|234|fleece|-
10|prometheus|Prometheus|Titan Benefactor of Mankind|simple|234|fleece|-
11|aphrodite|Aphrodite|Goddess of Love|advanced|24|-|-
12|ares|Ares|God of War|advanced|234|-|-
13|bia|Bia|Goddess of Violence|advanced|234|fleece|revised
14|chaos|Chaos|Primordial Nothingness|advanced|234|fleece|-
15|charon|Charon|Ferryman to the Underworld|advanced|234|fleece|-
16|chronus|Chronus|God of Time|advanced|2|-|-
17|circe|Circe|Divine Enchantress|advanced|2|-|-
18|dionysus|Dionysus|God of Wine|advanced|234|fleece|-
19|eros|Eros|God of Desire|advanced|234|-|-
20|hera|Hera|Goddess of Marriage|advanced|234|fleece|-
21|hestia|Hestia|Goddess of Hearth and Home|advanced|234|fleece|-
22|hypnus|Hypnus|God of Sleep|advanced|234|fleece|-
23|limus|Limus|Goddess of Famine|advanced|234|fleece|revised
24|medusa|Medusa|Petrifying Gorgon|advanced|234|fleece|-
25|morpheus|Morpheus|God of Dreams|advanced|234|-|-
26|persephone|Persephone|Goddess of Spring Growth|advanced|234|fleece|-
27|poseidon|Poseidon|God of the Sea|advanced|234|fleece|-
28|selene|Selene|Goddess of the Moon|advanced|234|fleece|-
29|triton|Triton|God of the Waves|advanced|234|fleece|-
30|zeus|Zeus|God of the Sky|advanced|234|fleece|-
31|aeolus|Aeolus|God of the Winds|golden_fleece|234|fleece|revised
32|charybdis|Charybdis|Whirlpool Monster|golden_fleece|234|-|revised
33|clio|Clio|Muse of History|golden_fleece|23|-|-
34|europa|Europa & Talus|Queen & Guardian Automaton|golden_fleece|234|-|-
35|gaea|Gaea|Goddess of the Earth|golden_fleece|23|-|-
36|graeae|Graeae|The Gray Hags|golden_fleece|23|-|revised
37|hades|Hades|God of the Underworld|golden_fleece|234|fleece|-
38|harpies|Harpies|Winged Menaces|golden_fleece|234|fleece|-
39|hecate|Hecate|Goddess of Magic|golden_fleece|23|-|-
40|moerae|Moerae|Goddesses of Fate|golden_fleece|23|-|-
41|nemesis|Nemesis|Goddess of Retribution|golden_fleece|234|-|revised
42|siren|Siren|Alluring Sea Nymph|golden_fleece|234|fleece|revised
43|tartarus|Tartarus|God of the Abyss|golden_fleece|2|-|-
44|terpsichore|Terpsichore|Muse of Dancing|golden_fleece|234|fleece|-
45|urania|Urania|Muse of Astronomy|golden_fleece|234|fleece|-
46|achilles|Achilles|Volatile Warrior|hero|2|-|-
47|adonis|Adonis|Devastatingly Handsome|hero|2|-|revised
48|atalanta|Atalanta|Swift Huntress|hero|2|-|-
49|bellerophon|Bellerophon|Tamer of Pegasus|hero|2|-|-
50|heracles|Heracles|Doer of Great Deeds|hero|2|-|revised
51|jason|Jason|Leader of the Argonauts|hero|2|-|revised
52|medea|Medea|Powerful Sorceress|hero|2|-|revised
53|odysseus|Odysseus|Cunning Leader|hero|2|-|-
54|polyphemus|Polyphemus|Gigantic Cyclops|hero|2|-|-
55|theseus|Theseus|Slayer of the Minotaur|hero|2|-|-
"""


def _card(row: str) -> Card:
    """Read one row of the table."""
    number, name, shown, title, kind, counts, fleece, revised = row.split("|")
    known: dict[str, Kind] = {
        "simple": "simple", "advanced": "advanced", "golden_fleece": "golden_fleece", "hero": "hero",
    }  # fmt: skip
    return Card(
        int(number), name, shown, title, known[kind], tuple(int(c) for c in counts),
        fleece == "fleece", revised == "revised",
    )  # fmt: skip


CARDS: Final = {card.id: card for card in map(_card, _ROWS.split("\n")[1:-1])}
"""Every power by its id, in the order of their numbers."""


def _pairs(text: str) -> frozenset[frozenset[str]]:
    """Read pairs of powers."""
    return frozenset(frozenset(pair.split("-")) for pair in text.split())


BANNED: Final = _pairs("""
aphrodite-nemesis aphrodite-urania atlas-gaea bia-nemesis bia-tartarus charon-hecate circe-clio
circe-hecate clio-nemesis gaea-nemesis gaea-selene graeae-nemesis hades-pan harpies-hermes
harpies-triton hecate-moerae hecate-tartarus hypnus-terpsichore limus-terpsichore
medusa-nemesis moerae-nemesis moerae-tartarus nemesis-terpsichore nemesis-theseus
tartarus-terpsichore
""")
"""Pairs that the books ban between opponents."""

NOT_RECOMMENDED: Final = _pairs("""
achilles-circe adonis-circe adonis-hecate atalanta-circe atalanta-persephone bellerophon-circe
chaos-hecate charybdis-hecate circe-eros circe-gaea circe-graeae circe-heracles circe-jason
circe-medea circe-moerae circe-odysseus circe-polyphemus circe-tartarus circe-theseus
dionysus-hecate hecate-medea hecate-nemesis hecate-odysseus hecate-siren hecate-theseus
""")
"""Further pairs that are possible and not recommended."""
