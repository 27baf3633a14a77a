"""The scene of one picture game, drawn with Blender's Python module."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from tests.renders import figures, meshes, painting
from tests.renders.camera import Camera, canvas
from tests.renders.place import Piece
from tests.renders.spec import Conditions

Rgb = tuple[float, float, float]
Window = tuple[int, int, int, int]


def linear(rgb: Iterable[float]) -> Rgb:
    """Return linear light from sRGB bytes."""
    r, g, b = ((v / 255 / 12.92) if v < 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb)
    return (r, g, b)


def plastic(name: str, rgb: Iterable[float], rough: float) -> Any:
    """Return a plain material."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    node = material.node_tree.nodes["Principled BSDF"]
    node.inputs["Base Color"].default_value = (*linear(rgb), 1)
    node.inputs["Roughness"].default_value = rough
    return material


def printed(name: str, picture: painting.Image, mm: float, rough: float) -> Any:
    """Return a material that carries a picture of that many mm across, centred on the object."""
    high, wide = picture.shape[:2]
    image = bpy.data.images.new(name, wide, high)
    rgba = np.ones((high, wide, 4), np.float32)
    rgba[..., :3] = picture[::-1] / 255.0
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    material = plastic(name, (128, 128, 128), rough)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    where, shift, paint = (nodes.new(f"ShaderNode{n}") for n in ("TexCoord", "Mapping", "TexImage"))
    shift.inputs["Scale"].default_value = (1 / mm, 1 / mm, 1 / mm)
    shift.inputs["Location"].default_value = (0.5, 0.5, 0)
    paint.image = image
    links.new(where.outputs["Object"], shift.inputs["Vector"])
    links.new(shift.outputs["Vector"], paint.inputs["Vector"])
    links.new(paint.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return material


def put(mesh: Any, material: Any, at: Iterable[float] = (0, 0, 0), rot: float = 0.0) -> Any:
    """Put a mesh into the scene."""
    thing = bpy.data.objects.new(mesh.name, mesh)
    if not mesh.materials:
        mesh.materials.append(None)
    thing.material_slots[0].link = "OBJECT"
    thing.material_slots[0].material = material
    thing.location, thing.rotation_euler = tuple(at), (0, 0, rot)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def smooth(mesh: Any) -> Any:
    """Shade a mesh as a curved surface."""
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return mesh


def ragged(half: float, rough: float, n: int, rng: random.Random) -> list[tuple[float, float]]:
    """Return a wavy square outline."""
    points, wave = [], [rng.uniform(0, 6) for _ in range(4)]
    for k in range(n):
        a = 2 * math.pi * k / n
        reach = half / max(abs(math.cos(a)), abs(math.sin(a)))
        reach += rough * (math.sin(23 * a + wave[0]) + math.sin(37 * a + wave[1]) + rng.uniform(-1, 1)) / 2
        points.append((reach * math.cos(a), reach * math.sin(a)))
    return points


def scaled(outline: list[tuple[float, float]], by: float, z: float, rough: float, rng: random.Random) -> Any:
    """Return an outline as a ring, shrunk and roughened."""
    return [
        (x * by * rng.uniform(1 - rough, 1 + rough), y * by * rng.uniform(1 - rough, 1 + rough), z)
        for x, y in outline
    ]


def island(cond: Conditions, rng: random.Random, nprng: painting.Rng) -> None:
    """Build plateau, cliff and ocean."""
    outline = ragged(117.5, 1.6, 240, rng)
    rings = [scaled(outline, b, z, 0, rng) for b, z in ((0.985, 92.5), (1.0, 93.5), (1.0, 97.0))]
    top = printed("board", painting.board(nprng, cond.grass), painting.BOARD_MM, 0.55)
    put(meshes.loft(rings, "plateau"), top)
    cliff = [
        scaled(outline, b, z, 0.02, rng)
        for b, z in ((0.72, 1), (0.7, 20), (0.74, 45), (0.83, 70), (0.95, 86), (0.98, 92.6))
    ]
    put(meshes.loft(cliff, "cliff"), plastic("rock", (96, 66, 46), 0.9))
    sea = ragged(131, 2.0, 240, rng)
    water = printed("ocean", painting.ocean(nprng), 270, 0.35)
    put(meshes.loft([scaled(sea, 1, z, 0, rng) for z in (0.5, 3.5)], "sea"), water)


def room(cond: Conditions, rng: random.Random, nprng: painting.Rng) -> None:
    """Build table, floor and walls; walls are only seen, they shade nothing."""
    picture = painting.table(cond.table, nprng)
    material = printed("table", picture, 900, {"dark": 0.35, "white": 0.4}.get(cond.table, 0.7))
    sheet = meshes.box(-750, -520, -30, 750, 520, 0)
    put(sheet, material, (rng.uniform(-150, 150), rng.uniform(-100, 100), 0), rng.uniform(0, 6.28))
    floor = plastic("floor", [rng.randrange(40, 150)] * 3, 0.9)
    put(meshes.box(-4000, -4000, -760, 4000, 4000, -740), floor)
    for k in range(4):
        wall = meshes.box(2300, -2600, -740, 2350, 2600, 1900)
        shade = [rng.randrange(50, 210)] * 3
        screen = put(wall, plastic(f"wall{k}", shade, 0.9), rot=k * math.pi / 2 + 0.3)
        screen.visible_shadow = screen.visible_diffuse = False
        door = meshes.box(2280, -300 + 250 * k, -740, 2299, 500, 1200)
        panel = put(
            door, plastic(f"door{k}", [rng.randrange(256) for _ in range(3)], 0.8), rot=k * math.pi / 2 + 0.3
        )
        panel.visible_shadow = panel.visible_diffuse = False


class Stage:
    """Everything that stays, and the pieces that come and go."""

    def __init__(self, cond: Conditions, mat: tuple[float, float, float] | None) -> None:
        self.cond, self.loose, self.lights = cond, [], {}
        self.rng, nprng = random.Random(cond.seed), np.random.default_rng(cond.seed)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        island(cond, self.rng, nprng)
        room(cond, self.rng, nprng)
        if mat:
            paper = meshes.box(-210, -210, 0.05, 210, 210, 0.4)
            put(paper, printed("mat", painting.mat(), painting.MAT_MM, 0.6), (mat[0], mat[1], 0), mat[2])
        self.meshes = self.shapes()
        self.paints = self.colours()

    def shapes(self) -> dict[str, Any]:
        """Build one mesh per kind of piece."""
        c, args = (
            self.cond,
            (self.cond.blocks, self.cond.sizes.wide, self.cond.sizes.tall, self.cond.bevel, self.rng),
        )
        kinds = {
            f"L{k + 1}": make(*args) for k, make in enumerate((meshes.level1, meshes.level2, meshes.level3))
        }
        kinds["dome"] = smooth(meshes.dome(c.sizes.dome))
        for kind, female in (("worker_m", False), ("worker_f", True)):
            kinds[kind] = smooth(figures.worker(c.figures, female, c.sizes.figure, self.rng))
        return kinds

    def colours(self) -> dict[str, Any]:
        """Return a material per player, and for ivory and domes."""
        paints = {p: plastic(p, rgb, self.cond.rough) for p, rgb in self.cond.worker_rgb.items()}
        return paints | {
            "ivory": plastic("ivory", self.cond.ivory, self.cond.rough),
            "dome": plastic("dome", self.cond.dome_rgb, 0.15),
        }

    def paint(self, kind: str, player: str | None) -> Any:
        """Return the material of a piece."""
        return self.paints[player or ("dome" if kind == "dome" else "ivory")]

    def litter(self, clutter: list[dict[str, Any]]) -> None:
        """Put spare pieces and other things on the table."""
        for item in clutter:
            kind, at = item["kind"], (item["x"], item["y"], 0.5)
            rot = self.rng.uniform(0, 6.28)
            if kind.startswith("spare "):
                put(self.meshes[kind[6:]], self.paint(kind[6:], None), at, rot)
            else:
                rgb = (235, 235, 232) if kind == "paper" else [self.rng.randrange(15, 240) for _ in range(3)]
                put(figures.thing(kind, self.rng), plastic(kind, rgb, self.rng.uniform(0.1, 0.7)), at, rot)

    def show(self, pieces: list[Piece]) -> None:
        """Replace the pieces on the board."""
        for thing in self.loose:
            bpy.data.objects.remove(thing)
        self.loose = [
            put(self.meshes[p.kind], self.paint(p.kind, p.player), (p.x, p.y, p.z), p.rot) for p in pieces
        ]

    def reach(
        self, at: tuple[float, float, float], azimuth: float, holds: tuple[str, str | None] | None
    ) -> None:
        """Let an arm reach to a point, coming from the azimuth (radians)."""
        rng = self.rng
        skin = plastic(
            "skin", rng.choice([(224, 172, 138), (198, 134, 96), (120, 78, 54), (240, 198, 170)]), 0.5
        )
        wear = plastic("wear", [rng.randrange(20, 230) for _ in range(3)], 0.9)
        turn = azimuth + math.pi
        self.loose += [
            put(smooth(figures.hand(rng)), skin, at, turn),
            put(smooth(figures.sleeve(rng)), wear, at, turn),
        ]
        if holds:
            low = Vector(at) - Vector((0, 0, 24))
            self.loose.append(put(self.meshes[holds[0]], self.paint(*holds), low, rng.uniform(0, 6.28)))

    def lamp(self, name: str, azimuth: float, elevation: float, size: float, colour: Rgb) -> None:
        """Add a sun (size in degrees) or an area light (size in mm, 1.1 m off)."""
        light = bpy.data.lights.new(name, "SUN" if name == "sun" else "AREA")
        light.color = colour
        e, a = math.radians(elevation), math.radians(azimuth)
        way = Vector((math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)))
        if name == "sun":
            light.angle = math.radians(size)
        else:
            light.size = size
        thing = bpy.data.objects.new(name, light)
        thing.location = way * (1800 if name == "win" else 1000) + Vector((0, 0, 97))
        thing.rotation_euler = way.to_track_quat("Z", "Y").to_euler()
        bpy.context.scene.collection.objects.link(thing)
        self.lights[name] = light

    def sky(self, colour: Rgb) -> None:
        """Add the even light of the room."""
        world = bpy.data.worlds.new("room")
        world.use_nodes = True
        bpy.context.scene.world = world
        self.lights["env"] = world.node_tree.nodes["Background"]
        self.lights["env"].inputs["Color"].default_value = (*colour, 1)

    def power(self, strengths: dict[str, float]) -> None:
        """Set the strength of every light."""
        for name, light in self.lights.items():
            if name == "env":
                light.inputs["Strength"].default_value = strengths.get(name, 0.0)
            else:
                light.energy = strengths.get(name, 0.0) * (1.0 if name == "sun" else 1e6)


def aim(camera: Camera, shrink: int = 1) -> None:
    """Point Blender's camera: the ideal picture of our camera, on a slightly larger canvas."""
    scene = bpy.context.scene
    if scene.camera is None:
        lens = bpy.data.cameras.new("camera")
        scene.camera = bpy.data.objects.new("camera", lens)
        scene.collection.objects.link(scene.camera)
    wide, high = canvas(camera)
    lens = scene.camera.data
    lens.sensor_fit, lens.sensor_width, lens.lens = "HORIZONTAL", 36.0, 36.0 * camera.focal / wide
    lens.clip_start, lens.clip_end = 10, 20000
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = camera.turn.T @ np.diag([1.0, -1.0, -1.0]), camera.eye
    scene.camera.matrix_world = Matrix(pose.tolist())
    scene.render.resolution_x, scene.render.resolution_y = wide // shrink, high // shrink
    scene.render.resolution_percentage = 100


def frame_off(window: Window | None) -> None:
    """Draw only a window (x0, y0, x1, y1 in canvas pixels, y down), or everything again."""
    draw = bpy.context.scene.render
    draw.use_border = draw.use_crop_to_border = window is not None
    if window is not None:
        x0, y0, x1, y1 = window
        wide, high = draw.resolution_x, draw.resolution_y
        draw.border_min_x, draw.border_max_x = (x0 + 0.25) / wide, (x1 + 0.25) / wide
        draw.border_min_y, draw.border_max_y = (high - y1 + 0.25) / high, (high - y0 + 0.25) / high


def render(samples: int, denoise: bool, scratch: Path, window: Window | None = None) -> np.ndarray:
    """Draw the scene or a window of it; return linear light, top row first."""
    scene = bpy.context.scene
    frame_off(window)
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.cycles.samples, scene.cycles.use_adaptive_sampling = samples, False
    scene.cycles.use_denoising, scene.cycles.max_bounces = denoise, 3
    scene.cycles.denoiser, scene.cycles.denoising_prefilter = "OPENIMAGEDENOISE", "NONE"
    scene.cycles.denoising_quality = "FAST"
    scene.cycles.use_light_tree, scene.cycles.light_sampling_threshold = False, 0.0
    scene.cycles.diffuse_bounces, scene.cycles.glossy_bounces = 2, 1
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.render.use_persistent_data = True
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    scene.view_settings.view_transform = "Raw"
    scene.render.filepath = str(scratch / "frame.exr")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    wide, high = image.size
    raw = np.empty(wide * high * 4, np.float32)
    image.pixels.foreach_get(raw)
    bpy.data.images.remove(image)
    return raw.reshape(high, wide, 4)[::-1, :, :3].astype(np.float64)
