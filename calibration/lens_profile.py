"""Stored lens profiles: what is known about a camera's lens, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

from calibration.files import write_whole
from calibration.pose import Lens

SCHEMA: Final = 1
SAME_SHAPE: Final = 0.01


class LensError(ValueError):
    """A lens profile that cannot be used: says why."""


@dataclass(frozen=True)
class LensProfile:
    """A lens at one picture size, in pixels, and how sure that is.

    `error_px` is the mean reprojection error of the session that measured it; a profile from a data
    sheet has none (NaN is not JSON: it is null) and a wide `focal_slack` (a share of the focal length).
    """

    name: str
    size: tuple[int, int]
    focal: float
    centre: tuple[float, float]
    bend: tuple[float, float]
    error_px: float | None
    views: int
    focal_slack: float
    source: str

    def for_size(self, size: tuple[int, int]) -> LensProfile:
        """The same lens at another size of the same shape."""
        scale = size[0] / self.size[0]
        if abs(size[1] / (self.size[1] * scale) - 1) > SAME_SHAPE:
            here, there = (f"{w}x{h}" for w, h in (self.size, size))
            raise LensError(f"lens {self.name} was measured at {here} and says nothing about {there}")
        x, y = ((at + 0.5) * scale - 0.5 for at in self.centre)
        return replace(self, size=size, focal=self.focal * scale, centre=(x, y))

    def lens(self, size: tuple[int, int]) -> Lens:
        """What the pose solver may assume at a picture size."""
        here = self.for_size(size)
        if here.error_px is None:
            return Lens(here.focal, here.centre, here.bend, focal_slack=self.focal_slack)
        slack = max(0.002, self.focal_slack)
        return replace(Lens(here.focal, here.centre, here.bend).locked(), focal_slack=slack)

    def to_json(self) -> dict[str, Any]:
        """A dictionary for the lens file."""
        return {"schema": SCHEMA, **asdict(self)}


def lens_from_json(data: Mapping[str, Any]) -> LensProfile:
    """Read a profile; a missing or impossible value is named."""
    given = data.get("schema") if isinstance(data, dict) else None
    if given != SCHEMA:
        raise LensError(f"schema {given} is not {SCHEMA}" if given else "this is no lens file")
    try:
        (wide, high), (x, y), (k1, k2) = data["size"], data["centre"], data["bend"]
        error = data["error_px"]
        profile = LensProfile(
            str(data["name"]),
            (int(wide), int(high)),
            float(data["focal"]),
            (float(x), float(y)),
            (float(k1), float(k2)),
            None if error is None else float(error),
            int(data["views"]),
            float(data["focal_slack"]),
            str(data["source"]),
        )
    except KeyError as error:
        raise LensError(f"{error.args[0]} is missing") from error
    except (TypeError, ValueError) as error:
        raise LensError(f"a value is wrong: {error}") from error
    if min(profile.size) < 1:
        raise LensError("size: a width and a height in pixels are needed")
    if not 0.2 < profile.focal / profile.size[0] < 5.0:
        raise LensError(f"a focal length of {profile.focal:.0f} px cannot be")
    return profile


def load_lens(path: Path) -> LensProfile:
    """Read a lens file; a broken one is named."""
    try:
        return lens_from_json(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise LensError(f"{path}: {error}") from error


def save_lens(profile: LensProfile, path: Path) -> None:
    """Write a lens file."""
    write_whole(path, json.dumps(profile.to_json(), indent=1) + "\n")


def shipped_lenses() -> tuple[str, ...]:
    """The names of the lenses that come with the product."""
    folder = resources.files("calibration") / "lenses"
    return tuple(sorted(item.name[:-5] for item in folder.iterdir() if item.name.endswith(".json")))


def find_lens(name: str) -> LensProfile:
    """A lens by its file, or by the name of one that comes with the product."""
    if name in shipped_lenses():
        text = (resources.files("calibration") / "lenses" / f"{name}.json").read_text("utf-8")
        return lens_from_json(json.loads(text))
    if not Path(name).is_file():
        raise LensError(f"there is no lens file '{name}'; known by name: {', '.join(shipped_lenses())}")
    return load_lens(Path(name))
