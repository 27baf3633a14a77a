"""Render one held-out picture game: python -m tests.renders.make_game NUMBER OUT_DIR."""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.renders import camera as cameras
from tests.renders import film, labels, meshes, painting, play, scene
from tests.renders.place import PITCH, Table, settle
from tests.renders.spec import GAMES, Conditions
from tests.renders.wild import FIRST, wild

Json = dict[str, Any]


@dataclass
class Studio:
    """What one game needs while it is rendered."""

    cond: Conditions
    stage: scene.Stage
    scratch: Path
    samples: int
    one: dict[str, Any]
    gains: Any
    still: Any = None

    def shares(self, later: bool) -> dict[str, float]:
        """Return the shares of the lights before or after the light changed."""
        shares = {"env": self.cond.env[0], **{k: light.share for k, light in self.cond.lights.items()}}
        return {**shares, **(self.cond.later or {})} if later else shares

    def expose(self, later: bool) -> None:
        """Set the lights: a white sheet on the plateau gives 0.55 of full at exposure 1."""
        whole = sum(self.shares(False).values())
        grey = {k: float(rgb.mean()) for k, rgb in self.one.items()}
        level = 0.55 * self.cond.exposure / whole
        self.stage.power({k: s * level / grey[k] for k, s in self.shares(later).items() if k in grey})


def measure(stage: scene.Stage, view: cameras.Camera, scratch: Path) -> dict[str, Any]:
    """Return how bright a white sheet on the plateau is under each light of strength 1."""
    sheet = scene.put(
        meshes.box(-105, -105, 98, 105, 105, 98.2), scene.plastic("sheet", (230, 230, 230), 1.0)
    )
    u, v = cameras.project(view, np.array([[0.0, 0.0, 98.0]]))[0]
    wide, high = cameras.canvas(view)
    x, y = (int((a - c + s / 2) / 8) for a, c, s in zip((u, v), view.centre, (wide, high)))
    found = {}
    for light in stage.lights:
        stage.power({light: 1.0})
        scene.aim(view, 8)
        small = scene.render(48, False, scratch)
        found[light] = small[y - 8 : y + 9, x - 8 : x + 9].mean((0, 1))
        print(f"light {light}: {found[light].round(4)}", flush=True)
    scene.bpy.data.objects.remove(sheet)
    return found


def scatter(cond: Conditions, rng: random.Random) -> list[Json]:
    """Choose things on the table; tall ones never between the camera and the board."""
    kinds = [
        "spare L1",
        "spare L2",
        "spare L3",
        "spare dome",
        "dice",
        "mug",
        "glass",
        "phone",
        "pencil",
        "paper",
        "cards",
    ]
    items: list[Json] = []
    towards = math.radians(cond.view["azimuth"])
    for _ in range(400):
        kind = rng.choice(kinds if rng.random() < 0.5 else kinds[:4])
        big = 110 if kind in ("paper", "mug", "phone", "pencil", "glass") else 0
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(205, 400) + big
        x, y = far * math.cos(angle), far * math.sin(angle)
        near = any(math.hypot(x - i["x"], y - i["y"]) < 70 + big for i in items)
        blocks_view = kind in ("mug", "glass") and math.cos(angle - towards) > 0.2
        on_mat = cond.tags and max(abs(x), abs(y)) < 245
        if not near and not blocks_view and not on_mat and len(items) < cond.things:
            items.append({"kind": kind, "x": round(x, 1), "y": round(y, 1)})
    return items


def clear_lens(stage: scene.Stage, cond: Conditions) -> None:
    """Add the lights of the game."""
    stage.sky(cond.env[1])
    for kind, light in cond.lights.items():
        stage.lamp(kind, light.azimuth, light.elevation, light.size, light.colour)


def balance(cond: Conditions, one: dict[str, Any], shares: dict[str, float]) -> Any:
    """Return the camera's white balance gains: most of the way to neutral."""
    white = sum(one[k] / one[k].mean() * shares[k] for k in one)
    gains = (white.mean() / white) ** cond.balance
    return gains / gains.mean()


def reach(studio: Studio, told: play.Frame, table: Table, rng: random.Random) -> None:
    """Put an arm into the picture."""
    hand = told.hand or {}
    cell = play.index(hand["cell"])
    stack = table.stacks[cell]
    top = (stack[-1].z + 26 if stack else 97) + (
        rng.uniform(34, 60) if hand["holds"] else rng.uniform(15, 90)
    )
    at = ((cell % 5 - 2) * PITCH + rng.uniform(-8, 8), (cell // 5 - 2) * PITCH + rng.uniform(-8, 8), top)
    holds: tuple[str, str | None] | None = None
    if hand["holds"]:
        what = hand["holds"]
        figure = {"1": "worker_m", "2": "worker_f"}
        holds = (figure[what[1]], what[0]) if what[0] in "ABC" else (what, None)
    studio.stage.reach(at, math.radians(hand["azimuth"]), holds)


def window_of(view: cameras.Camera) -> scene.Window:
    """Return the part of the canvas where pieces and their shadows change anything."""
    wide, high = cameras.canvas(view)
    spots = [(x, y, z) for x in (-150, 150) for y in (-150, 150) for z in (20, 195)]
    seen = np.array(spots) @ view.turn.T + view.shift
    flat = seen[:, :2] / seen[:, 2:] * view.focal + [wide / 2, high / 2]
    (x0, y0), (x1, y1) = flat.min(0), flat.max(0)
    return max(0, int(x0)), max(0, int(y0)), min(wide, int(x1)), min(high, int(y1))


def expose_film(studio: Studio, event: str, view: cameras.Camera) -> Any:
    """Return the linear light; in still pictures all but the board is taken over from the last whole one."""
    if studio.still is None or event in ("empty", "hand", "bump", "light"):
        light = scene.render(studio.samples, True, studio.scratch)
        studio.still = studio.still if event == "hand" else light
        return light
    x0, y0, x1, y1 = window_of(view)
    light = studio.still.copy()
    light[y0:y1, x0:x1] = scene.render(studio.samples, True, studio.scratch, (x0, y0, x1, y1))
    return light


def shoot(studio: Studio, told: play.Frame, view: cameras.Camera, file: Path, seed: int) -> None:
    """Render one picture to its file."""
    scene.bpy.context.scene.cycles.seed = seed
    scene.aim(view)
    light = expose_film(studio, told.event, view)
    image = film.develop(light, view, studio.gains, studio.cond.noise, np.random.default_rng(seed))
    film.save(image, file, studio.cond.noise["q"])


def script(cond: Conditions, turns: int) -> list[play.Frame]:
    """Return the frames of the game."""
    rng = random.Random(cond.seed)
    extras = ["hand"] * 3 + ["illegal"] * 2 + ["bump"] * cond.bump + ["light"] * (cond.later is not None)
    return play.any_game(list(cond.gods), play.plan_of(turns, extras, rng), cond.tableau, cond.seed)


def film_game(
    studio: Studio, frames: list[play.Frame], view: cameras.Camera, out: Path, only: set[int]
) -> list[Json]:
    """Shoot every frame in order; return their labels."""
    cond, told = studio.cond, []
    rng, nprng = random.Random(cond.seed + 1), np.random.default_rng(cond.seed + 2)
    tables: list[Table] = []
    for number, frame in enumerate(frames):
        before = Table() if frame.follows is None else tables[frame.follows]
        tables.append(settle(before, frame.label, cond.sizes, rng))
        shown = settle(tables[-1], frame.shown, cond.sizes, rng)
        if frame.event in ("bump", "light"):
            studio.still = None
        if frame.event == "bump":
            view, note = cameras.knock(view, nprng)
            frame = play.replace(frame, note=note)
        if frame.event == "light":
            studio.expose(later=True)
            frame = play.replace(frame, note=cond.later_note)
        studio.stage.show(shown.pieces())
        if frame.event == "hand":
            side = cond.view["azimuth"] + rng.choice([-1, 1]) * rng.uniform(30, 150)
            reach(studio, play.replace(frame, hand={**(frame.hand or {}), "azimuth": side}), shown, rng)
        told.append(labels.frame(number, frame, view, tables[-1].pieces(), len(cond.colours)))
        if not only or number in only:
            start = time.monotonic()
            shoot(studio, frame, view, out / labels.file_of(number), cond.seed * 100 + number)
            print(f"{out.name}/{number:03d} {frame.event} {time.monotonic() - start:.1f} s", flush=True)
    return told


def set_up(cond: Conditions) -> tuple[random.Random, painting.Rng, tuple[float, float, float], scene.Stage]:
    """Return a game's chances, how its island stands on the mat, and the scene without its lights."""
    rng, nprng = random.Random(cond.seed + 3), np.random.default_rng(cond.seed + 4)
    offset = (rng.uniform(-4, 4), rng.uniform(-4, 4), math.radians(rng.uniform(-2.5, 2.5)))
    return rng, nprng, offset, scene.Stage(cond, offset if cond.tags else None)


def make(cond: Conditions, out: Path, turns: int, samples: int, only: set[int]) -> None:
    """Render one game into its directory."""
    out.mkdir(parents=True, exist_ok=True)
    rng, nprng, offset, stage = set_up(cond)
    view, share = cameras.fitting(cond.view, nprng)
    clutter = scatter(cond, rng)
    with tempfile.TemporaryDirectory() as scratch:
        clear_lens(stage, cond)
        one = measure(stage, view, Path(scratch))
        studio = Studio(cond, stage, Path(scratch), samples, one, None)
        studio.gains = balance(cond, one, studio.shares(False))
        studio.expose(later=False)
        stage.litter(clutter)
        exact, tapped = cameras.taps(view, nprng)
        frames = script(cond, turns)
        told = film_game(studio, frames, view, out, only)
    mat = {"x": offset[0], "y": offset[1], "rot_deg": math.degrees(offset[2])} if cond.tags else None
    extra = {
        "facts": labels.facts(cond, view, share),
        "mat": mat,
        "clutter": clutter,
        "shares": studio.shares(False),
    }
    write(out / "labels.json", labels.labels(cond, extra, exact, told))
    write(out / "game.json", labels.game(cond, frames, tapped))


def write(path: Path, what: Json) -> None:
    """Write one JSON file."""
    path.write_text(json.dumps(what, indent=1) + "\n")


def main() -> None:
    """Read the command line and render."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int, help="1-8: the games of spec.py; 11 and more: random conditions")
    parser.add_argument("out", type=Path, help="the set's directory; game-NN is made in it")
    parser.add_argument("--turns", type=int, default=14)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument(
        "--only", type=int, nargs="*", default=[], help="frames to draw (all labels are written)"
    )
    parser.add_argument("--honest", action="store_true", help="tell the true sizes in game.json")
    args = parser.parse_args()
    cond = wild(args.number) if args.number >= FIRST else GAMES[args.number - 1]
    cond = replace(cond, honest_geometry=True) if args.honest else cond
    make(cond, args.out / f"game-{cond.number:02d}", args.turns, args.samples, set(args.only))


if __name__ == "__main__":
    main()
