"""Draw the labels over the pictures, to be looked at: python -m tests.renders.check GAME_DIR OUT_DIR."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.renders.camera import CORNERS, Array, Camera, project

Json = dict[str, Any]
TOPS = {"L1": (16.0, 26.0), "L2": (16.0, 24.0), "L3": (15.2, 15.0)}
TINTS = {"A": (0, 0, 255), "B": (0, 255, 255), "C": (255, 0, 255)}


def camera_of(told: Json) -> Camera:
    """Return the camera of a frame's label."""
    turn, shift = np.array(told["R_world_to_camera"]), np.array(told["t_world_to_camera_mm"])
    return Camera(told["fx"], (told["cx"], told["cy"]), told["k1"], told["k2"], turn, -turn.T @ shift)


def outline(piece: Json, geometry: Json) -> Array:
    """Return the edge of a piece's top (block, dome: its foot) or of a worker's base, in mm."""
    if piece["kind"] in TOPS:
        level = int(piece["kind"][1])
        rims = [0.0, *(b["rim_height"] for b in geometry["blocks"])]
        half, high = geometry["blocks"][level - 1]["top_width"] / 2, rims[level] - rims[level - 1]
        sides, radius, first = (
            (8, half / math.cos(math.pi / 8), math.pi / 8) if level == 3 else (4, half * 2**0.5, math.pi / 4)
        )
    else:
        radius = geometry["dome"]["radius"] if piece["kind"] == "dome" else geometry["worker"]["base_radius"]
        sides, high, first = 24, 0.0, 0.0
    angles = first + piece["rot"] + 2 * np.pi * np.arange(sides) / sides
    edge = np.stack([np.cos(angles) * radius + piece["x"], np.sin(angles) * radius + piece["y"]], 1)
    return np.hstack([edge, np.full((sides, 1), piece["z"] + high)])


def draw(image: Any, points: Array, colour: tuple[int, int, int]) -> None:
    """Draw a closed line."""
    cv2.polylines(image, [np.round(points * 16).astype(np.int32)], True, colour, 1, cv2.LINE_AA, 4)


def overlay(image: Any, label: Json, geometry: Json) -> Any:
    """Return the picture with what its label says."""
    camera = camera_of(label["camera"])
    draw(image, project(camera, CORNERS), (255, 255, 0))
    for piece in label["pieces"]:
        colour = (
            TINTS[piece["player"]]
            if "player" in piece
            else (255, 128, 0)
            if piece["kind"] == "dome"
            else (0, 0, 0)
        )
        draw(image, project(camera, outline(piece, geometry)), colour)
    cv2.putText(image, f"{label['file']} {label['event']}", (8, 24), 0, 0.8, (0, 0, 255), 2)
    return image


def tags(image: Any, game: Json, label: Json, mat: Json) -> float:
    """Return how far found tags lie from where the labels put them, in px (mean; NaN without tags)."""
    corners, ids, _ = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    ).detectMarkers(image)
    if ids is None:
        return math.nan
    c, s = math.cos(math.radians(mat["rot_deg"])), math.sin(math.radians(mat["rot_deg"]))
    off = []
    for found, tag in zip(corners, ids.ravel()):
        flat = np.array(game["tag_layout"]["corners_mm"][str(tag)]) @ np.array([[c, s], [-s, c]]) + [
            mat["x"],
            mat["y"],
        ]
        seen = project(camera_of(label["camera"]), np.hstack([flat, np.full((4, 1), 0.4)]))
        off.append(np.abs(found[0] - seen).mean())
    return float(np.mean(off))


def main() -> None:
    """Write the overlays and print tag errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    game, told = (json.loads((args.game / f).read_text()) for f in ("game.json", "labels.json"))
    for label in told["frames"]:
        image = cv2.imread(str(args.game / label["file"]))
        if image is None:
            continue
        if game["tags"]:
            print(label["file"], f"tags {tags(image, game, label, told['mat_in_board_frame']):.2f} px off")
        cv2.imwrite(
            str(args.out / f"{args.game.name}-{label['file'][:3]}.png"),
            overlay(image, label, game["geometry"]),
        )


if __name__ == "__main__":
    main()
