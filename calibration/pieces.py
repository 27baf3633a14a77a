"""Piece profiles: the sizes of one edition's pieces and board, in cell pitches."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal, cast

Shape = Literal["square", "octagon", "round"]
SHAPES: Final = ("square", "octagon", "round")
FOOT_HEIGHT: Final = 0.07
FLANGE_HEIGHT: Final = 0.055
RIM_WIDTH: Final = 0.06


class ProfileError(ValueError):
    """A profile that cannot be used: says which value is wrong."""


class SizeMissing(ProfileError):
    """Sizes that are not given in full: says which is missing."""


@dataclass(frozen=True)
class Block:
    """One level's block: widths, the height of its rim and of the floor sunk into it, over the plateau."""

    shape: Shape
    base_width: float
    body_width: float
    top_width: float
    foot_height: float
    rim: float
    floor: float


@dataclass(frozen=True)
class Dome:
    """The dome's radius and height."""

    radius: float
    height: float


@dataclass(frozen=True)
class Figure:
    """A worker: radius of its foot, height, and the half widths of body and head."""

    base_radius: float
    height: float
    body_radius: float
    head_radius: float


@dataclass(frozen=True)
class BoardPrint:
    """The board: half sizes, the plateau's height over the table and the printed white outer wall."""

    plateau: float
    base: float
    height: float
    wall_at: float
    wall_width: float


@dataclass(frozen=True)
class PieceProfile:
    """Everything known about one edition's pieces; lengths in cell pitches."""

    name: str
    pitch_mm: float
    board: BoardPrint
    blocks: tuple[Block, Block, Block]
    dome: Dome
    worker: Figure

    def rim(self, height: int) -> float:
        """Where the next piece rests on a tower of so many blocks."""
        return self.blocks[height - 1].rim if height else 0.0

    def floor(self, height: int) -> float:
        """Where a worker's feet stand on a tower of so many blocks."""
        return self.blocks[height - 1].floor if height else 0.0

    @property
    def tallest(self) -> float:
        """The highest point any pile can reach."""
        return max(self.rim(3) + self.dome.height, self.floor(3) + self.worker.height)

    def scaled(self, factor: float) -> PieceProfile:
        """The same pieces, all larger or smaller by a factor; the board stays."""
        blocks = tuple(Block(b.shape, *(factor * v for v in _lengths(b))) for b in self.blocks)
        dome = Dome(self.dome.radius * factor, self.dome.height * factor)
        worker = Figure(*(factor * v for v in asdict(self.worker).values()))
        one, two, three = blocks
        return PieceProfile(self.name, self.pitch_mm, self.board, (one, two, three), dome, worker)

    def to_json(self) -> dict[str, Any]:
        """A dictionary for a profile file."""
        return asdict(self)


def _lengths(block: Block) -> tuple[float, ...]:
    """A block's lengths in field order."""
    return (
        block.base_width,
        block.body_width,
        block.top_width,
        block.foot_height,
        block.rim,
        block.floor,
    )


def profile_from_json(data: Mapping[str, Any]) -> PieceProfile:
    """Read a profile; a missing or impossible value is named."""
    if not isinstance(data, dict):
        raise ProfileError("piece profile: an object is needed")
    try:
        one, two, three = (Block(**block) for block in data["blocks"])
        profile = PieceProfile(
            name=str(data["name"]),
            pitch_mm=float(data["pitch_mm"]),
            board=BoardPrint(**data["board"]),
            blocks=(one, two, three),
            dome=Dome(**data["dome"]),
            worker=Figure(**data["worker"]),
        )
    except KeyError as error:
        raise ProfileError(f"piece profile: {error.args[0]} is missing") from error
    except (TypeError, ValueError) as error:
        raise ProfileError(f"piece profile: {error}") from error
    return checked(profile)


def checked(profile: PieceProfile) -> PieceProfile:
    """Refuse sizes that no set of pieces can have."""
    last = 0.0
    for level, block in enumerate(profile.blocks, start=1):
        if block.shape not in SHAPES:
            raise ProfileError(f"block {level}: shape '{block.shape}' is none of {', '.join(SHAPES)}")
        if not 0 < block.body_width < 1.1 or not 0 < block.base_width < 1.1:
            raise ProfileError(f"block {level}: a width must lie between 0 and 1.1 cell pitches")
        if not last < block.floor <= block.rim:
            raise ProfileError(f"block {level}: its top must be above the block below")
        last = block.rim
    if not 0 < profile.dome.radius < 0.6 or not 0 < profile.worker.height < 2:
        raise ProfileError("dome or worker has an impossible size")
    return profile


def profile_from_geometry(geometry: Mapping[str, Any], name: str = "measured") -> PieceProfile:
    """Read the sizes in millimetres that a picture game gives; the field that is wrong is named."""
    try:
        return checked(_from_geometry(geometry, name))
    except SizeMissing as error:
        raise SizeMissing(f"geometry: {error}") from error
    except ProfileError as error:
        raise ProfileError(f"geometry: {error}") from error


def _from_geometry(geometry: Mapping[str, Any], name: str) -> PieceProfile:
    pitch = _mm(geometry, "cell_pitch")
    if not pitch:
        raise ProfileError("cell_pitch must be more than 0 mm")
    one, two, three = (_block(item, pitch) for item in _blocks(geometry))
    worker, dome = _part(geometry, "worker"), _part(geometry, "dome")
    radius, height = _mm(worker, "base_radius") / pitch, _mm(worker, "height") / pitch
    return PieceProfile(
        name=name,
        pitch_mm=pitch,
        board=_board(geometry, pitch),
        blocks=(one, two, three),
        dome=Dome(_mm(dome, "radius") / pitch, _mm(dome, "height") / pitch),
        worker=Figure(radius, height, 0.5 * radius, 0.13 * height),
    )


def _mm(item: Mapping[str, Any], field: str, otherwise: float | None = None) -> float:
    """A length in millimetres."""
    value = item.get(field, otherwise)
    if value is None:
        raise SizeMissing(f"{field} is missing")
    if not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ProfileError(f"{field} must be a length in mm, not {value!r}")
    return float(value)


def _part(geometry: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    part = geometry.get(field)
    if part is None:
        raise SizeMissing(f"{field} is missing")
    if not isinstance(part, dict):
        raise ProfileError(f"{field} must be an object")
    return part


def _blocks(geometry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    blocks = geometry.get("blocks")
    if blocks is None:
        raise SizeMissing("blocks is missing")
    if not isinstance(blocks, list) or len(blocks) != 3 or not all(isinstance(b, dict) for b in blocks):
        raise ProfileError("blocks: three objects are needed, from the lowest up")
    return blocks


def _board(geometry: Mapping[str, Any], pitch: float) -> BoardPrint:
    plateau = _mm(geometry, "plateau_size", 5.49 * pitch) / 2 / pitch
    base = _mm(geometry, "ocean_base_size", 6.09 * pitch) / 2 / pitch
    high = _mm(geometry, "plateau_height", 2.26 * pitch) / pitch
    wall = _part(geometry, "outer_wall") if geometry.get("outer_wall") else {}
    at = _mm(wall, "centre", 2.543 * pitch) / pitch
    return BoardPrint(plateau, base, high, at, _mm(wall, "width", 0.156 * pitch) / pitch)


def _block(item: Mapping[str, Any], pitch: float) -> Block:
    base, body = _mm(item, "base_width") / pitch, _mm(item, "body_width") / pitch
    stepped = base > 1.01 * body
    octagon = "octagon" in str(item.get("shape", ""))
    shape: Shape = "octagon" if octagon else "round" if "round" in str(item.get("shape", "")) else "square"
    foot = 0.0 if not stepped else FLANGE_HEIGHT if shape == "octagon" else FOOT_HEIGHT
    rim = _mm(item, "rim_height")
    floor, top = _mm(item, "stand_height", rim), _mm(item, "top_width", body * pitch)
    return Block(shape, base, body, top / pitch, foot, rim / pitch, floor / pitch)


def shipped_names() -> tuple[str, ...]:
    """The names of the profiles that come with the product."""
    folder = resources.files("calibration") / "profiles"
    return tuple(sorted(item.name[:-5] for item in folder.iterdir() if item.name.endswith(".json")))


def shipped(name: str = "classic") -> PieceProfile:
    """Load a profile that comes with the product."""
    if name not in shipped_names():
        raise ProfileError(f"there is no piece profile '{name}'; there are: {', '.join(shipped_names())}")
    text = (resources.files("calibration") / "profiles" / f"{name}.json").read_text("utf-8")
    return profile_from_json(cast("dict[str, Any]", json.loads(text)))


def load_profile(path: Path) -> PieceProfile:
    """Load an owner's profile file; a broken one is named."""
    try:
        return profile_from_json(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise ProfileError(f"{path}: {error}") from error
