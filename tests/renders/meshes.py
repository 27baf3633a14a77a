"""Meshes of the pieces in millimetres (Blender's Python module)."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import bpy
from mathutils import Matrix, Vector

Mesh = Any
Point = tuple[float, float, float]


def build(verts: Sequence[Any], faces: Sequence[Sequence[int]], name: str = "mesh") -> Mesh:
    """Return a mesh from corners and faces."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(v) for v in verts], [], [tuple(f) for f in faces])
    mesh.update()
    return mesh


def loft(rings: Sequence[Sequence[Point]], name: str = "loft") -> Mesh:
    """Return a closed mesh through rings of equally many points, bottom to top."""
    n, verts, faces = len(rings[0]), [p for ring in rings for p in ring], []
    for k in range(len(rings) - 1):
        a, b = k * n, (k + 1) * n
        faces += [(a + i, a + (i + 1) % n, b + (i + 1) % n, b + i) for i in range(n)]
    faces += [tuple(reversed(range(n))), tuple(range((len(rings) - 1) * n, len(rings) * n))]
    return build(verts, faces, name)


def ring(radius: float, z: float, n: int, turn: float = 0.0, at: tuple[float, float] = (0, 0)) -> list[Point]:
    """Return a regular polygon's corners."""
    angles = (turn + 2 * math.pi * i / n for i in range(n))
    return [(at[0] + radius * math.cos(a), at[1] + radius * math.sin(a), z) for a in angles]


def square(half: float, z: float) -> list[Point]:
    """Return a square's corners."""
    return [(-half, -half, z), (half, -half, z), (half, half, z), (-half, half, z)]


def box(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> Mesh:
    """Return a box."""
    return loft([[(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)] for z in (z0, z1)], "box")


def lathe(profile: Sequence[tuple[float, float]], n: int = 40) -> Mesh:
    """Return a solid of revolution from (radius, z) pairs."""
    return loft([ring(max(r, 0.01), z, n) for r, z in profile], "lathe")


def capsule(a: Vector, b: Vector, ra: float, rb: float) -> Mesh:
    """Return a round limb from a to b with two radii."""
    axis = (b - a).normalized()
    length, steps = (b - a).length, [i * math.pi / 12 for i in range(7)]
    profile = [(ra * math.sin(t), -ra * math.cos(t)) for t in steps[:6]]
    profile += [(rb * math.cos(t), length + rb * math.sin(t)) for t in steps]
    mesh = lathe(profile, 16)
    mesh.transform(Matrix.Translation(a) @ axis.to_track_quat("Z", "Y").to_matrix().to_4x4())
    return mesh


def ball(at: Vector, radius: float, scale: Point = (1, 1, 1)) -> Mesh:
    """Return an ellipsoid."""
    steps = [i * math.pi / 14 for i in range(15)]
    mesh = lathe([(radius * math.sin(t), -radius * math.cos(t)) for t in steps], 20)
    mesh.transform(Matrix.Translation(at) @ Matrix.Diagonal((*scale, 1)))
    return mesh


def merged(meshes: Sequence[Mesh], name: str) -> Mesh:
    """Return one mesh of many."""
    verts: list[Any] = []
    faces: list[Any] = []
    for mesh in meshes:
        start = len(verts)
        verts += [v.co[:] for v in mesh.vertices]
        faces += [[start + i for i in p.vertices] for p in mesh.polygons]
    return build(verts, faces, name)


def modified(mesh: Mesh, change: Callable[[Any], None]) -> Mesh:
    """Return the mesh after modifiers."""
    thing = bpy.data.objects.new("work", mesh)
    bpy.context.scene.collection.objects.link(thing)
    change(thing)
    graph = bpy.context.evaluated_depsgraph_get()
    done = bpy.data.meshes.new_from_object(thing.evaluated_get(graph))
    bpy.data.objects.remove(thing)
    return done


def cut(mesh: Mesh, holes: Sequence[Mesh]) -> Mesh:
    """Return the mesh without the holes."""
    if not holes:
        return mesh
    knife = bpy.data.objects.new("knife", merged(holes, "knife"))
    bpy.context.scene.collection.objects.link(knife)

    def change(thing: Any) -> None:
        step = thing.modifiers.new("cut", "BOOLEAN")
        step.operation, step.object, step.solver, step.use_self = "DIFFERENCE", knife, "EXACT", True

    done = modified(mesh, change)
    bpy.data.objects.remove(knife)
    return done


def melted(meshes: Sequence[Mesh], voxel: float, soften: int) -> Mesh:
    """Return the parts grown into one smooth skin."""

    def change(thing: Any) -> None:
        grow = thing.modifiers.new("grow", "REMESH")
        grow.mode, grow.voxel_size, grow.use_smooth_shade = "VOXEL", voxel, True
        ease = thing.modifiers.new("ease", "SMOOTH")
        ease.iterations, ease.factor = soften, 0.5

    return modified(merged(meshes, "melt"), change)


def bevelled(mesh: Mesh, width: float) -> Mesh:
    """Return the mesh with rounded edges."""

    def change(thing: Any) -> None:
        step = thing.modifiers.new("bevel", "BEVEL")
        step.width, step.segments, step.limit_method, step.angle_limit = width, 2, "ANGLE", 0.6

    return modified(mesh, change)


def arch(wide: float, z0: float, z1: float, depth: float, at: float, side: int, half: float) -> Mesh:
    """Return a window hole in one of the four sides (0 = +x), round on top."""
    turns = [math.pi * i / 6 for i in range(7)]
    spring = max(z0 + 0.5, z1 - wide / 2)
    outline = [(-wide / 2, z0), (wide / 2, z0)]
    outline += [(wide / 2 * math.cos(t), spring + (z1 - spring) * math.sin(t)) for t in turns]
    rings = [[(x, at + y, z) for y, z in outline] for x in (half - depth, half + 3)]
    mesh = loft(rings, "arch")
    mesh.transform(Matrix.Rotation(side * math.pi / 2, 4, "Z"))
    return mesh


def windows(style: str, half: float, low: float, high: float, rng: random.Random) -> list[Mesh]:
    """Return the window holes of one block."""
    if style == "smooth":
        return []
    holes, depth = [], {"plain": 2.2, "slots": 1.4, "deep": 4.5}[style]
    for side in range(4):
        places = rng.choice([(-8.0, 0.0, 8.0), (-6.5, 6.5), (-8.0, 4.0)]) if style != "slots" else (0.0,)
        wide = {"plain": 4.6, "slots": 20.0, "deep": 5.5}[style]
        for at in places:
            top = low + (high - low) * (0.5 if style == "slots" else rng.uniform(0.75, 1.0))
            holes.append(arch(wide * rng.uniform(0.85, 1.1), low, top, depth, at, side, half))
    return holes


def stairs(half: float, high: float) -> list[Mesh]:
    """Return the stair on one side of the level 1 block, within its 40 mm foot."""
    steps = []
    for k in range(7):
        x0, x1 = -half + k * 2 * half / 7, -half + (k + 1) * 2 * half / 7
        steps.append(box(x0, half - 0.2, 0, x1, 19.9 * half / 16, 2.5 + (k + 1) * high * 0.62 / 7))
    return steps


def roof(half: float, z: float, sink: float, lip: float) -> Mesh:
    """Return the square hole sunk into a roof."""
    return loft([square(half - lip, z - sink), square(half - lip, z + 5)], "roof")


def level1(style: str, wide: float, tall: float, bevel: float, rng: random.Random) -> Mesh:
    """Return the lowest block: foot of 40 mm, stair, body of 32 mm, sunk roof."""
    half, high = 16 * wide, 26 * tall
    body = cut(box(-half, -half, 0.2, half, half, high), [roof(half, high, 2.5 * tall, 2.4)])
    body = bevelled(cut(body, windows(style, half, 4, 13 * tall, rng)), bevel)
    foot = loft([square(20 * wide, 0), square(20 * wide, 1.6), square(19.4 * wide, 2.0)], "foot")
    return merged([body, foot, *stairs(half, high)], "L1")


def level2(style: str, wide: float, tall: float, bevel: float, rng: random.Random) -> Mesh:
    """Return the middle block."""
    half, high = 16 * wide, 24 * tall
    body = cut(box(-half, -half, 0, half, half, high), [roof(half, high, 2.5 * tall, 2.4)])
    return merged([bevelled(cut(body, windows(style, half, 8, 17 * tall, rng)), bevel)], "L2")


def level3(style: str, wide: float, tall: float, bevel: float, rng: random.Random) -> Mesh:
    """Return the top block: an octagon on a square flange with a round sunk roof."""
    apothem, high = 15.2 * wide, 15 * tall
    radius = apothem / math.cos(math.pi / 8)
    body = loft([ring(radius, z, 8, math.pi / 8) for z in (0.5, high)], "oct")
    body = cut(body, [loft([ring(13.2 * wide, z, 32) for z in (high - 2 * tall, high + 5)], "round")])
    if style not in ("smooth", "slots"):
        holes = [arch(4.2, 5 * tall, 11 * tall, 2, 0, side, apothem) for side in range(4)]
        more = [arch(4.2, 5 * tall, 11 * tall, 2, 0, side, apothem) for side in range(4)]
        for hole in more:
            hole.transform(Matrix.Rotation(math.pi / 4, 4, "Z"))
        body = cut(body, holes + more)
    flange = loft([square(16.5 * wide, 0), square(16.5 * wide, 2.2 * tall)], "flange")
    return merged([bevelled(body, bevel), bevelled(flange, bevel)], "L3")


def dome(scale: float) -> Mesh:
    """Return the dome: a cap on a low ring."""
    radius, high = 15.1 * scale, 14.3 * scale
    steps = [i * math.pi / 36 for i in range(19)]
    cap = [(radius * math.cos(t), 1 + (high - 1) * math.sin(t)) for t in steps]
    return lathe([(radius * 0.97, 0), *cap], 56)
