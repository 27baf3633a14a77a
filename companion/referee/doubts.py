"""Keeps the pictures on which somebody was asked, told of a mistake or corrected, to be explained afterwards.

What is written is what a camera sees and what the rules make of it, never anybody's secret. A folder never
grows beyond its cap: the oldest go first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import structlog

from companion.referee.chances import Weighed
from engine.steps import format_step
from vision.reading import Picture, Reading, board_to_json

LOG: Final = structlog.get_logger("doubts")
CAP: Final = 200_000_000
SHOWN: Final = 8
Draw = Callable[[Picture, Reading], Picture]
Entries = Sequence[tuple[Weighed, float]]
"""What was thought of, each with its chance."""


@dataclass(frozen=True)
class Doubts:
    """A folder of doubtful pictures: each as it was, with the reading drawn over it, and what was weighed."""

    folder: Path
    cap: int = CAP
    draw: Draw | None = None

    def keep(
        self,
        name: str,
        kind: str,
        picture: Picture,
        reading: Reading,
        entries: Entries,
    ) -> None:
        """Write one picture with everything that explains the decision on it; a full disk stops no game."""
        try:
            self._write(f"{name}-{kind}", kind, picture, reading, entries)
        except (OSError, cv2.error) as error:
            LOG.warning("picture not kept", folder=str(self.folder), problem=str(error))

    def _write(
        self,
        stem: str,
        kind: str,
        picture: Picture,
        reading: Reading,
        entries: Entries,
    ) -> None:
        """Write the picture, the reading drawn over it, and what was thought of."""
        self.folder.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(self.folder / f"{stem}.jpg"), picture)
        if self.draw is not None:
            cv2.imwrite(str(self.folder / f"{stem}-drawn.jpg"), self.draw(picture, reading))
        data = {
            "kind": kind,
            "status": reading.status,
            "camera": reading.camera,
            "read": board_to_json(reading.best, reading.sides),
            "candidates": [_candidate(w, chance, reading) for w, chance in entries[:SHOWN]],
        }
        (self.folder / f"{stem}.json").write_text(json.dumps(data, indent=1), encoding="utf-8")
        self._shrink()

    def forget(self, game: str) -> int:
        """Delete the pictures of a game and what was written about them; returns how many files."""
        mine = re.compile(re.escape(game) + r"-\d{8,}-[a-z]+(-drawn)?\.(jpg|json)")
        found = [path for path in self.folder.glob("*") if mine.fullmatch(path.name)]
        for path in found:
            path.unlink(missing_ok=True)
        return len(found)

    def _shrink(self) -> None:
        """Take away the oldest files until the folder is within its cap."""
        files = [(path.stat().st_mtime, path.name, path) for path in self.folder.iterdir() if path.is_file()]
        total = sum(path.stat().st_size for _, _, path in files)
        for _, _, path in sorted(files):
            if total <= self.cap:
                return
            total -= path.stat().st_size
            path.unlink(missing_ok=True)  # another table may keep its pictures here too


def _candidate(weighed: Weighed, chance: float, reading: Reading) -> dict[str, Any]:
    """Write one thing that was thought of."""
    candidate = weighed.candidate
    return {
        "steps": None if candidate is None else [format_step(step) for step in candidate.steps],
        "complete": candidate is not None and candidate.ends,
        "reason": candidate.refusal.code if candidate is not None and candidate.refusal else None,
        "chance": round(chance, 6),
        "log": round(weighed.log, 2),
        "fit": round(weighed.fit, 2),
        "board": board_to_json(weighed.board, reading.sides),
    }
