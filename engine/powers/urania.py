"""Urania, Muse of Astronomy."""

from __future__ import annotations

from engine.rules.power import Power


class Urania(Power):
    """Your Turn: When your workers move or build, opposite edges and corners of the board touch, so that
    every space has eight neighbours.
    """

    wraps = True
