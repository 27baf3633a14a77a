"""The conditions of each held-out game: what is harder or different about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.renders.place import Sizes

Rgb = tuple[float, float, float]
WORKERS = {
    "blue": (52, 150, 222),
    "cream": (238, 226, 200),
    "grey": (134, 124, 126),
    "brown": (144, 106, 84),
    "orange": (230, 114, 32),
    "purple": (124, 60, 160),
    "red": (190, 34, 44),
    "green": (58, 145, 60),
}


@dataclass(frozen=True)
class Light:
    """One light: direction in degrees, size (mm, sun: degrees), colour, share of the whole."""

    azimuth: float
    elevation: float
    size: float
    colour: Rgb
    share: float


@dataclass(frozen=True)
class Conditions:
    """All that varies between games."""

    number: int
    seed: int
    about: str
    colours: tuple[str, ...]
    gods: tuple[str, ...]
    view: dict[str, float]
    lights: dict[str, Light]
    env: tuple[float, Rgb]
    later: dict[str, float] | None = None
    later_note: str = "the sun comes out"
    tags: bool = False
    tableau: bool = True
    bump: bool = False
    table: str = "wood"
    blocks: str = "plain"
    figures: str = "figure"
    sizes: Sizes = field(default_factory=Sizes)
    bevel: float = 0.5
    rough: float = 0.45
    ivory: Rgb = (236, 230, 218)
    dome_rgb: Rgb = (14, 16, 168)
    grass: float = 1.0
    exposure: float = 1.0
    balance: float = 0.85
    worker_tint: tuple[Rgb, ...] | None = None
    noise: dict[str, float] = field(default_factory=dict)
    things: int = 9
    honest_geometry: bool = True

    @property
    def worker_rgb(self) -> dict[str, Rgb]:
        """Return each player's true plastic colour."""
        tints = self.worker_tint or tuple(WORKERS[c] for c in self.colours)
        return dict(zip("ABC", tints))


def view(
    elevation: float,
    azimuth: float,
    hfov: float,
    share: float,
    k: tuple[float, float] = (0, 0),
    roll: float = 0,
) -> dict[str, float]:
    """Return a camera's description."""
    told = {"elevation": elevation, "azimuth": azimuth, "hfov": hfov, "share": share}
    return told | {"k1": k[0], "k2": k[1], "roll": roll}


def film(shot: float, read: float, vign: float, blur: float, q: int) -> dict[str, float]:
    """Return a sensor's description."""
    return {"shot": shot, "read": read, "vign": vign, "blur": blur, "q": q}


WARM, DIM, DAY, SKY, ODD = (1, 0.72, 0.42), (1, 0.62, 0.3), (1, 0.96, 0.9), (0.8, 0.9, 1), (1, 0.5, 0.75)

GAMES = (
    Conditions(
        1,
        101,
        "steep camera, hard sun",
        ("blue", "red"),
        ("demeter", "atlas"),
        view(74, 118, 66, 0.62, (-0.03, 0.02), 1.5),
        {"sun": Light(70, 36, 0.6, DAY, 1.5)},
        (0.42, SKY),
        later={"env": 0.5, "sun": 0.15},
        later_note="a cloud before the sun",
        table="white",
        sizes=Sizes(1.03, 0.97),
        exposure=1.15,
        noise=film(0.0008, 0.003, 0.2, 0.6, 88),
    ),
    Conditions(
        2,
        102,
        "cream workers on ivory, warm lamp",
        ("cream", "brown"),
        ("apollo", "none"),
        view(55, 232, 62, 0.66, (0.02, -0.01), -2),
        {"lamp": Light(150, 48, 160, WARM, 1.0), "win": Light(20, 30, 900, SKY, 0.12)},
        (0.3, (1, 0.85, 0.7)),
        bump=True,
        table="cloth",
        sizes=Sizes(0.97, 1.03, 1.04),
        worker_tint=((236, 226, 206), (150, 108, 80)),
        ivory=(238, 228, 208),
        exposure=1.05,
        balance=0.6,
        noise=film(0.001, 0.004, 0.25, 0.7, 86),
    ),
    Conditions(
        3,
        103,
        "dark workers in shadow",
        ("brown", "grey"),
        ("ares", "demeter"),
        view(50, 300, 58, 0.52, (0.05, -0.03), 2.5),
        {"win": Light(112, 24, 700, SKY, 0.8), "lamp": Light(130, 35, 60, WARM, 0.5)},
        (0.16, SKY),
        later={"env": 0.12, "win": 0.35, "lamp": 0.4},
        later_note="the window light drops",
        tags=True,
        table="dark",
        worker_tint=((86, 58, 44), (84, 80, 82)),
        exposure=0.75,
        noise=film(0.0016, 0.006, 0.3, 0.8, 85),
        bevel=0.9,
        tableau=False,
    ),
    Conditions(
        4,
        104,
        "green workers on grass, steep, sun",
        ("green", "orange"),
        ("none", "atlas"),
        view(73, 25, 70, 0.55, (-0.05, 0.02), -1),
        {"sun": Light(200, 42, 0.5, (1, 0.93, 0.8), 1.2)},
        (0.5, SKY),
        tags=True,
        bump=True,
        table="green",
        noise=film(0.0014, 0.0045, 0.2, 0.7, 88),
        exposure=0.95,
        grass=0.9,
        worker_tint=((48, 140, 52), (232, 120, 40)),
        sizes=Sizes(1.0, 1.0, 0.95),
    ),
    Conditions(
        5,
        105,
        "other piece style, phone lens, tags",
        ("purple", "blue"),
        ("demeter", "apollo"),
        view(62, 190, 72, 0.55, (0.09, -0.12), 3),
        {"win": Light(100, 40, 1000, SKY, 0.9), "lamp": Light(300, 60, 120, WARM, 0.3)},
        (0.5, DAY),
        tags=True,
        table="stone",
        blocks="deep",
        figures="robed",
        bevel=1.2,
        rough=0.25,
        sizes=Sizes(0.95, 1.06, 1.08, 0.96),
        dome_rgb=(30, 84, 190),
        ivory=(228, 226, 224),
        noise=film(0.0005, 0.002, 0.12, 0.5, 91),
        honest_geometry=False,
    ),
    Conditions(
        6,
        106,
        "webcam at 40 degrees, little light, noise",
        ("grey", "red"),
        ("atlas", "bia"),
        view(40, 262, 70, 0.5, (-0.09, 0.05), -2.5),
        {"lamp": Light(350, 55, 200, DIM, 0.8)},
        (0.4, (1, 0.8, 0.62)),
        later={"env": 0.35, "lamp": 0.45},
        later_note="the lamp is dimmed",
        table="red",
        exposure=0.9,
        balance=0.7,
        noise=film(0.004, 0.013, 0.35, 1.0, 78),
        sizes=Sizes(1.0, 0.96),
        tableau=False,
    ),
    Conditions(
        7,
        107,
        "three players, odd light on domes",
        ("cream", "green", "purple"),
        ("demeter", "none", "atlas"),
        view(58, 75, 64, 0.64, (0.03, 0.0), 1),
        {"lamp": Light(250, 28, 60, ODD, 0.9), "win": Light(70, 45, 600, (0.6, 0.8, 1), 0.45)},
        (0.3, DAY),
        table="wood",
        dome_rgb=(40, 70, 150),
        rough=0.3,
        figures="pawn",
        balance=0.5,
        noise=film(0.0009, 0.004, 0.22, 0.7, 87),
        bump=True,
    ),
    Conditions(
        8,
        108,
        "overexposed window, smooth blocks, cream",
        ("cream", "blue"),
        ("apollo", "ares"),
        view(66, 340, 60, 0.55, (-0.02, 0.0), -3),
        {"win": Light(340, 35, 900, SKY, 1.2), "sun": Light(15, 50, 1.5, DAY, 0.4)},
        (0.35, DAY),
        table="plain",
        blocks="smooth",
        bevel=0.8,
        exposure=1.7,
        sizes=Sizes(1.04, 1.05, 0.97),
        noise=film(0.0008, 0.003, 0.2, 0.7, 88),
        tags=True,
        tableau=False,
        bump=True,
        honest_geometry=False,
    ),
)
