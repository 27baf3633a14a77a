"""Meshes of workers, hands and things on the table (Blender's Python module)."""

from __future__ import annotations

import math
import random

from mathutils import Vector

from tests.renders import meshes as m


def limbs(*parts: tuple[m.Point, m.Point, float, float]) -> list[m.Mesh]:
    """Return capsules from (from, to, radius, radius)."""
    return [m.capsule(Vector(a), Vector(b), ra, rb) for a, b, ra, rb in parts]


def base(radius: float) -> m.Mesh:
    """Return the round base of a worker."""
    return m.lathe([(radius * 0.97, 0), (radius, 0.6), (radius, 2.2), (radius * 0.94, 2.8), (0.5, 3)])


def man() -> list[m.Mesh]:
    """Return a stocky figure that carries a stone in front of the chest."""
    parts = limbs(
        ((-2.6, 0, 2), (-2.0, 0, 10), 2.6, 2.6),
        ((2.6, 0, 2), (2.0, 0, 10), 2.6, 2.6),
        ((0, 0, 11), (0, 0, 19), 4.2, 4.6),
        ((-5, 0, 19), (-3.2, 5, 15), 1.9, 1.6),
        ((5, 0, 19), (3.2, 5, 15), 1.9, 1.6),
    )
    return [*parts, m.box(-4, 4, 13, 4, 8, 17), m.ball(Vector((0, 0.4, 27.2)), 4.8)]


def woman() -> list[m.Mesh]:
    """Return a figure in a long dress with a bun and a raised arm."""
    dress = m.lathe([(6.4, 2), (5.6, 6), (4.0, 12), (3.0, 16), (3.8, 20), (2.2, 22), (1.8, 24)], 24)
    arms = limbs(((-3.6, 0, 19.5), (-7, 1.5, 23), 1.5, 1.3), ((3.6, 0, 19.5), (4.4, 4.6, 14), 1.5, 1.3))
    return [dress, *arms, m.ball(Vector((0, 0, 27)), 4.1), m.ball(Vector((0, -4, 29)), 2.5)]


def pawn(female: bool) -> list[m.Mesh]:
    """Return a turned wooden pawn; the female one has a wider skirt and a smaller head."""
    foot, head = (8.6, 4.2) if female else (7.0, 5.2)
    body = [(foot, 2), (foot * 0.8, 6), (4.0, 13), (2.9, 20), (4.2, 21.5), (3, 23)]
    return [m.lathe(body, 28), m.ball(Vector((0, 0, 32 - head)), head)]


def robed(female: bool) -> list[m.Mesh]:
    """Return a cloaked figure with a staff (male) or a jar on the head (female)."""
    cloak = m.lathe([(7.6, 2), (7.0, 8), (5.6, 16), (4.8, 21), (2.2, 23.5)], 20)
    cloak.transform(m.Matrix.Diagonal((1, 0.75, 1, 1)))
    parts = [cloak, m.ball(Vector((0, 0.6, 25)), 3.9)]
    if female:
        return [*parts, m.ball(Vector((0, 0.4, 29.6)), 2.9), *limbs(((4, 1, 19), (2.5, 1, 27), 1.5, 1.3))]
    return [*parts, *limbs(((6.6, 3, 1), (6.6, 3, 31), 1.0, 1.0), ((3.5, 0, 19), (6.6, 3, 18), 1.7, 1.4))]


def worker(style: str, female: bool, scale: float, rng: random.Random) -> m.Mesh:
    """Return one worker with its base, melted like moulded plastic."""
    if style == "pawn":
        body = pawn(female)
    elif style == "robed":
        body = robed(female)
    else:
        body = woman() if female else man()
    rough = [
        m.ball(Vector((rng.uniform(-6, 6), rng.uniform(-6, 6), 2.8)), rng.uniform(0.8, 1.6)) for _ in range(6)
    ]
    mesh = m.melted([base(11.3), *body, *(rough if style == "figure" else [])], 0.42, 4)
    mesh.transform(m.Matrix.Scale(scale, 4))
    return mesh


def finger(root: Vector, lean: float, length: float, bend: float, r: float) -> list[m.Mesh]:
    """Return three bones of a finger that starts along +x and bends down."""
    parts, at, pitch = [], root, 0.15
    for share, thick in ((0.45, 1.0), (0.32, 0.92), (0.23, 0.82)):
        way = Vector((math.cos(pitch) * math.cos(lean), math.cos(pitch) * math.sin(lean), -math.sin(pitch)))
        end = at + way * length * share
        parts.append(m.capsule(at, end, r * thick, r * thick * 0.92))
        at, pitch = end, pitch + bend
    return parts


def hand(rng: random.Random) -> m.Mesh:
    """Return a hand whose fingertips point along +x, the held thing near (0, 0, 0)."""
    bend = rng.uniform(0.4, 0.8)
    palm = Vector((-88, 0, 42))
    parts = [
        m.ball(palm, 42, (1, 0.92, 0.36)),
        m.capsule(Vector((-110, 0, 44)), Vector((-190, 0, 62)), 27, 29),
    ]
    for k, length in enumerate((72, 80, 74, 58)):
        parts += finger(palm + Vector((34, 27 - 18 * k, 0)), 0.1 - 0.07 * k, length, bend, 8.6)
    thumb = palm + Vector((5, 34, -6))
    parts += finger(thumb, -0.15, 66, 0.4, 10)
    return m.melted(parts, 2.2, 6)


def sleeve(rng: random.Random) -> m.Mesh:
    """Return the forearm's sleeve, out to well beyond the picture."""
    start, r = rng.uniform(-185, -120), rng.uniform(38, 48)
    folds = [(r * (1 + 0.05 * math.sin(k * 1.7)), k * 30.0) for k in range(24)]
    mesh = m.lathe([(r - 6, 4), *folds], 28)
    way = Vector((-1, 0, 0.22)).normalized()
    turn = way.to_track_quat("Z", "Y").to_matrix().to_4x4()
    mesh.transform(m.Matrix.Translation(Vector((start, 0, 62 + (-190 - start) * 0.22))) @ turn)
    return mesh


def thing(kind: str, rng: random.Random) -> m.Mesh:
    """Return something that lies about on a table."""
    match kind:
        case "mug":
            outer = m.lathe([(38, 0), (41, 6), (41, 95), (38, 95), (38, 20), (0.1, 19)])
            return m.merged(
                [outer, *limbs(((40, 0, 25), (66, 0, 45), 6, 6), ((66, 0, 45), (40, 0, 75), 6, 6))], kind
            )
        case "glass":
            return m.lathe([(30, 0), (36, 120), (33, 120), (28, 10), (0.1, 10)])
        case "dice":
            return m.bevelled(m.box(-8, -8, 0, 8, 8, 16), 1.5)
        case "phone":
            return m.bevelled(m.box(-37, -76, 0, 37, 76, 8), 3)
        case "pencil":
            return m.capsule(Vector((-85, 0, 3.5)), Vector((85, 0, 3.5)), 3.5, 3.5)
        case "boxbig":
            return m.box(-120, -150, 0, 120, 150, rng.uniform(40, 80))
        case "paper":
            return m.box(-105, -148, 0, 105, 148, 0.4)
        case _:
            return m.box(-44, -63, 0, 44, 63, rng.uniform(0.6, 6))
