"""What lies on the table: the pieces, the mat, the lens, and which colour the workers really have."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

from calibration.colours import NAMED
from calibration.files import write_whole
from calibration.lens_profile import LensError, LensProfile, find_lens, load_lens, shipped_lenses
from calibration.mat import PAPERS, Paper, tag_layout
from calibration.pieces import PieceProfile, ProfileError, load_profile, shipped, shipped_names
from calibration.session import Table as KnownTable
from companion.web.ports import Json, NotPossible

NO_MAT: Final = "none"
MEASURED: Final = "measured"
"""The name of the host's own set."""
REAL: Final = {"tan": "brown"}
"""Colours of the game whose workers go by another name among the colours that sight knows."""
COLOURS: Final = tuple(sorted(set(NAMED) - {"gray"}))


@dataclass(frozen=True)
class Kit:
    """What the host said lies on the table; `colours` leads from a seat's colour to its workers'."""

    pieces: str = "classic"
    mat: str = "a4"
    lens: str | None = None
    colours: Mapping[str, str] = field(default_factory=dict)

    def workers(self, seats: Mapping[str, str]) -> dict[str, str]:
        """Return the colour of each side's workers as they really are."""
        return {side: self.colours.get(colour, REAL.get(colour, colour)) for side, colour in seats.items()}

    def wearing(self, seats: Mapping[str, str], workers: Mapping[str, str]) -> Kit:
        """Return the kit with the workers of some sides in other colours."""
        return replace(self, colours={**self.colours, **{seats[side]: c for side, c in workers.items()}})


class Kits:
    """The kit as it was chosen last, and what there is to choose from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    @property
    def _file(self) -> Path:
        return self._folder / "kit.json"

    def read(self) -> Kit:
        """Return the kit of last time; what has gone missing since is left out."""
        try:
            known = Kit(**json.loads(self._file.read_text("utf-8")))
        except (OSError, TypeError, ValueError):
            return Kit()
        there = self.choices()
        return replace(
            known,
            pieces=known.pieces if known.pieces in there["pieces"] else "classic",
            lens=known.lens if known.lens in there["lenses"] else None,
        )

    def write(self, kit: Kit) -> None:
        """Remember a kit."""
        with self._lock:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, json.dumps(asdict(kit), indent=1) + "\n")

    def choices(self) -> Json:
        """Return what can be chosen: what is shipped, and what lies in the data folder."""
        return {
            "pieces": [*shipped_names(), *self._own("pieces")],
            "mats": [NO_MAT, *PAPERS],
            "lenses": [*shipped_lenses(), *self._own("lenses")],
            "colours": list(COLOURS),
        }

    def _own(self, kind: str) -> list[str]:
        return sorted(file.stem for file in (self._folder / kind).glob("*.json"))

    def add_pieces(self, profile: PieceProfile) -> None:
        """Keep the measured sizes of the host's own set."""
        folder = self._folder / "pieces"
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / f"{MEASURED}.json", json.dumps(profile.to_json(), indent=1) + "\n")

    def checked(self, kit: Kit) -> Kit:
        """Refuse what cannot be chosen."""
        there = self.choices()
        chosen = {"pieces": kit.pieces, "mats": kit.mat, "lenses": kit.lens}
        known = all(name is None or name in there[kind] for kind, name in chosen.items())
        if not known or not set(kit.colours.values()) <= set(COLOURS):
            raise NotPossible("error.not_found")
        return kit

    def table(self, kit: Kit, seats: Mapping[str, str]) -> KnownTable:
        """Return what the calibration has to know before the first picture; raises `NotPossible`."""
        layout = None if kit.mat == NO_MAT else tag_layout(cast("Paper", kit.mat))
        try:
            return KnownTable(self._pieces(kit.pieces), kit.workers(seats), layout, self._lens(kit.lens))
        except (ProfileError, LensError) as error:
            raise NotPossible("wizard.kit.broken", {"what": str(error)}) from error

    def _pieces(self, name: str) -> PieceProfile:
        if name in shipped_names():
            return shipped(name)
        return load_profile(self._folder / "pieces" / f"{name}.json")

    def _lens(self, name: str | None) -> LensProfile | None:
        if name is None:
            return None
        if name in shipped_lenses():
            return find_lens(name)
        return load_lens(self._folder / "lenses" / f"{name}.json")


def chosen(given: Mapping[str, Any], seats: Mapping[str, str], now: Kit) -> Kit:
    """Return the kit of a request; colours are given by side."""
    workers = {side: colour for side, colour in given["colours"].items() if side in seats}
    return replace(now, pieces=given["pieces"], mat=given["mat"], lens=given["lens"]).wearing(seats, workers)
