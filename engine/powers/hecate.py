"""Hecate, Goddess of Magic."""

from __future__ import annotations

from engine.rules.power import Power


class Hecate(Power):
    """Setup: Take the map, the shield and the two worker tokens. Place last, secretly on the map; none of
    your workers stand on the board.
    Your Turn: Move a worker token on the map as if it stood on the board, then build on the board.
    Any Time: If an opponent's step is made illegal by your secret workers, it is taken back and the
    rest of that turn is lost. Where the opponent's own power can make the turn legal, it is used for
    them, and nothing is said.
    """

    places = "last"
    hides_workers = True
    # Nothing more to say: a committed step is tried on the truth, whatever power is in play.
