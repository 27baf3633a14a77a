"""game.json and labels.json in the picture sets' format (pure Python and numpy)."""

from __future__ import annotations

from typing import Any

from tests.renders.camera import Array, Camera
from tests.renders.place import Sizes
from tests.renders.play import Frame, Position, name
from tests.renders.spec import Conditions

Json = dict[str, Any]
TAG_SIZE, TAG_AT = 40.0, 170.0


def board(position: Position, players: int) -> Json:
    """Return heights, domes and workers, rows from 5 down to 1."""
    rows = [range(row * 5, row * 5 + 5) for row in range(4, -1, -1)]
    return {
        "heights": [[position.heights[c] for c in row] for row in rows],
        "domes": [[c in position.domes for c in row] for row in rows],
        "workers": {
            p: [name(c) for w, c in sorted(position.workers.items()) if w[0] == p] for p in "ABC"[:players]
        },
    }


def tag_layout() -> Json:
    """Return where the mat's tags lie, in the mat frame."""
    half, centres = TAG_SIZE / 2, {}
    for tag, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        centres[str(tag)] = [x * TAG_AT, y * TAG_AT]
    around = ((-half, half), (half, half), (half, -half), (-half, -half))
    corners = {tag: [[x + dx, y + dy] for dx, dy in around] for tag, (x, y) in centres.items()}
    return {
        "family": "36h11",
        "size_mm": TAG_SIZE,
        "frame": "mat frame: origin under the nominal board centre, x along columns a->e, "
        "y along rows 1->5, z up; the board stands on the mat by hand, up to 6 mm and 3 degrees off",
        "centres_mm": centres,
        "corners_mm": corners,
        "corners_order": "same order as cv2.aruco.ArucoDetector: top-left, top-right, bottom-right, "
        "bottom-left of the tag as printed (top of the print towards row 5)",
    }


def blocks(sizes: Sizes) -> list[Json]:
    """Return the sizes of the three blocks."""
    wide = [(40.0, 32.0, 32.0), (32.0, 32.0, 32.0), (33.0, 30.4, 30.4)]
    told = []
    for level, widths in enumerate(wide, 1):
        block: Json = {"level": level}
        block |= {
            k: round(v * sizes.wide, 2) for k, v in zip(("base_width", "body_width", "top_width"), widths)
        }
        block |= {"shape": "octagon on a square flange"} if level == 3 else {}
        block |= {"rim_height": round(sizes.rims[level], 2), "stand_height": round(sizes.stands[level], 2)}
        told.append(block)
    return told


def geometry(sizes: Sizes) -> Json:
    """Return the sizes a program is told."""
    return {
        "units": "mm",
        "frame": "origin on the table plane under the board centre; "
        "x along columns a->e, y along rows 1->5, z up",
        "cell_pitch": 43.0,
        "grid_size": 215.0,
        "plateau_size": 236.0,
        "plateau_height": 97.0,
        "ocean_base_size": 262.0,
        "blocks": blocks(sizes),
        "heights_note": "rim_height and stand_height are measured from the plateau to the top of a tower "
        "of that many blocks: rim = where the next block or dome rests, stand = sunk floor on which a "
        "worker stands",
        "dome": {"radius": round(15.1 * sizes.dome, 2), "height": round(14.3 * sizes.dome, 2)},
        "worker": {"base_radius": round(11.3 * sizes.figure, 2), "height": round(32.0 * sizes.figure, 2)},
    }


def file_of(number: int) -> str:
    """Return the file name of a frame."""
    return f"{number:03d}.jpg"


def game(cond: Conditions, frames: list[Frame], tapped: list[list[float]]) -> Json:
    """Return game.json: what a program may know."""
    players = [
        {"id": p, "color": colour, "god": None if god == "none" else god}
        for p, colour, god in zip("ABC", cond.colours, cond.gods)
    ]
    given = {file_of(k): f for k, f in enumerate(frames) if f.event in ("empty", "tableau", "placed")}
    return {
        "name": f"game-{cond.number:02d}",
        "image_size": [1280, 720],
        "camera": "fixed",
        "players": players,
        "tags": cond.tags,
        "tag_layout": tag_layout() if cond.tags else None,
        "corner_taps": tapped,
        "corner_taps_order": ["a1", "e1", "e5", "a5"],
        "frames": [{"file": file_of(k), "event": f.event} for k, f in enumerate(frames)],
        "geometry": geometry(cond.sizes if cond.honest_geometry else Sizes()),
        "known": {file: board(f.label, len(players)) for file, f in given.items()},
    }


def frame(number: int, told: Frame, camera: Camera, pieces: list[Any], players: int) -> Json:
    """Return one frame of labels.json."""
    label: Json = {"file": file_of(number), "event": told.event, **board(told.label, players)}
    label["follows"] = None if told.follows is None else file_of(told.follows)
    label |= {"turn": told.turn} if told.turn else {}
    label |= {"note": told.note} if told.note else {}
    return label | {"camera": camera.label(), "pieces": [p.label() for p in pieces]}


def facts(cond: Conditions, camera: Camera, share: float) -> Json:
    """Return the camera facts of labels.json."""
    away = camera.eye - [0, 0, 97]
    return {
        "elevation_deg": cond.view["elevation"],
        "azimuth_deg": cond.view["azimuth"],
        "hfov_deg": cond.view["hfov"],
        "distance_mm": float((away @ away) ** 0.5),
        "board_height_fraction": share,
        "roll_deg": cond.view["roll"],
        "tags_in_frame": None,
    }


def labels(cond: Conditions, extra: Json, exact: Array, frames: list[Json]) -> Json:
    """Return labels.json: the truth."""
    return {
        "name": f"game-{cond.number:02d}",
        "style": f"{cond.blocks}/{cond.figures}",
        "camera_facts": extra["facts"],
        "table": cond.table,
        "shadow": "strong" if "sun" in cond.lights else "medium",
        "mat_in_board_frame": extra["mat"],
        "worker_rgb": {p: list(rgb) for p, rgb in cond.worker_rgb.items()},
        "clutter": extra["clutter"],
        "light_shares": extra["shares"],
        "noise": cond.noise,
        "true_corners": exact.tolist(),
        "about": cond.about,
        "true_sizes": {"wide": cond.sizes.wide, "tall": cond.sizes.tall, "figure": cond.sizes.figure},
        "frames": frames,
    }
