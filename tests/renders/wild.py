"""Random conditions for any number of further games (pure Python)."""

from __future__ import annotations

import random

from tests.renders.place import Sizes
from tests.renders.spec import DAY, DIM, ODD, SKY, WARM, WORKERS, Conditions, Light, Rgb, film, view

GODS = ("none", "atlas", "demeter", "apollo", "ares", "bia")
TABLES = ("wood", "dark", "cloth", "stone", "green", "white", "red")
FIRST = 11  # lower numbers are the hand-made games


def tinted(rgb: Rgb, rng: random.Random, by: float = 14) -> Rgb:
    """Return a colour of another plastic batch."""
    r, g, b = (min(250.0, max(8.0, v + rng.gauss(0, by))) for v in rgb)
    return (round(r), round(g), round(b))


def lights(rng: random.Random) -> tuple[dict[str, Light], tuple[float, Rgb]]:
    """Return lamps, window or sun, and the even light of the room."""
    chosen: dict[str, Light] = {}
    if rng.random() < 0.4:
        chosen["sun"] = Light(
            rng.uniform(0, 360), rng.uniform(25, 60), rng.uniform(0.4, 3), DAY, rng.uniform(0.6, 1.8)
        )
    if rng.random() < 0.6 or not chosen:
        colour = rng.choice((SKY, DAY))
        chosen["win"] = Light(
            rng.uniform(0, 360), rng.uniform(18, 50), rng.uniform(400, 1200), colour, rng.uniform(0.2, 1)
        )
    if rng.random() < 0.5:
        colour = rng.choice((WARM, WARM, DIM, ODD, DAY))
        chosen["lamp"] = Light(
            rng.uniform(0, 360), rng.uniform(25, 75), rng.uniform(40, 250), colour, rng.uniform(0.2, 1)
        )
    return chosen, (rng.uniform(0.2, 0.7), rng.choice((SKY, DAY, (1.0, 0.85, 0.7))))


def changed(chosen: dict[str, Light], env: float, rng: random.Random) -> dict[str, float]:
    """Return the shares after the light changed: every light is turned up or down."""
    factor = rng.choice((0.5, 0.65, 1.3, 1.5))
    shares = {kind: light.share * factor * rng.uniform(0.7, 1.2) for kind, light in chosen.items()}
    return {**shares, "env": env * rng.uniform(0.8, 1.15)}


def lens(rng: random.Random) -> dict[str, float]:
    """Return a camera: half of them between 50 and 70 degrees, the rest flatter or steeper."""
    elevation = (
        rng.uniform(50, 70) if rng.random() < 0.5 else rng.choice((rng.uniform(36, 50), rng.uniform(70, 79)))
    )
    bend = (rng.uniform(-0.1, 0.1), rng.uniform(-0.06, 0.06))
    return view(
        elevation, rng.uniform(0, 360), rng.uniform(54, 78), rng.uniform(0.48, 0.68), bend, rng.gauss(0, 2)
    )


def sensor(rng: random.Random) -> dict[str, float]:
    """Return a sensor, good or poor."""
    poor = rng.random() ** 2
    blur, q = rng.uniform(0.45, 0.8) + 0.3 * poor, rng.randint(80, 92)
    return film(0.0005 + 0.003 * poor, 0.002 + 0.009 * poor, rng.uniform(0.08, 0.35), blur, q)


def wild(number: int) -> Conditions:
    """Return the random game of a number."""
    rng = random.Random(number)
    players = 3 if rng.random() < 0.25 else 2
    colours = tuple(rng.sample(sorted(WORKERS), players))
    chosen, env = lights(rng)
    change = rng.random() < 0.4
    return Conditions(
        number,
        1000 + number,
        "random conditions",
        colours,
        tuple(rng.sample(GODS, players)),
        lens(rng),
        chosen,
        env,
        later=changed(chosen, env[0], rng) if change else None,
        later_note="the lights change",
        tags=rng.random() < 0.5,
        tableau=rng.random() < 0.5,
        bump=rng.random() < 0.4,
        table=rng.choice(TABLES),
        blocks=rng.choice(("plain", "plain", "deep", "slots", "smooth")),
        figures=rng.choice(("figure", "figure", "robed", "pawn")),
        sizes=Sizes(*(rng.uniform(0.95, 1.05) for _ in range(4))),
        bevel=rng.uniform(0.3, 1.2),
        rough=rng.uniform(0.25, 0.6),
        ivory=tinted((236, 230, 218), rng, 6),
        dome_rgb=tinted((20, 40, 165), rng),
        grass=rng.uniform(0.85, 1.1),
        exposure=rng.uniform(0.7, 1.45),
        balance=rng.uniform(0.5, 1),
        worker_tint=tuple(tinted(WORKERS[c], rng) for c in colours),
        noise=sensor(rng),
        things=rng.randrange(3, 13),
        honest_geometry=rng.random() < 0.5,
    )
