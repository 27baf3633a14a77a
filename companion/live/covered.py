"""A table on which nothing moves and that still looks covered: says so, asks, and remembers the answer."""

from __future__ import annotations

from typing import Final, Literal

from companion.table.seatview import Choice

Said = Literal["read", "not_yet", "by_hand"]
READ: Final = "read"
"""Nobody's hand is in it: the board may be read although it looks covered."""
NOT_YET: Final = "not_yet"
BY_HAND: Final = "by_hand"
"""Nothing is asked again until the board has been read once more."""
SAID: Final[dict[str, Said]] = {READ: READ, NOT_YET: NOT_YET, BY_HAND: BY_HAND}
CHOICES: Final = tuple(Choice(said, f"ask.clear.{said}", {}) for said in SAID)

BEFORE_READING: Final = 8.0
"""Seconds: nothing reaches in from outside, but what is on the board cannot be read."""
BEFORE_ARMS: Final = 20.0
"""Seconds: something reaches in, and hands do rest on tables."""
ONCE_MORE: Final = 60.0
"""Seconds after "not yet", if nothing has moved since."""
RESTLESS: Final = 45.0
"""Seconds: in play a board lies still now and then; one that never does is told of."""
LOOKS: Final = 6
"""Fewer looks than that are no reason to ask, however slow the camera."""


class Covered:
    """How long a table at rest has looked covered, and what somebody has said about that."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._looks = 0
        self._said: Said | None = None
        self._still: float | None = None

    @property
    def clear(self) -> bool:
        """Whether somebody has said that nothing covers the board as it lies now."""
        return self._said == READ

    @property
    def waiting(self) -> bool:
        """Whether something covers the board since it was read last."""
        return self._since is not None

    @property
    def may_ask(self) -> bool:
        """Whether asking could help: nobody has said that it is clear, or would rather not be asked."""
        return self._said in (None, NOT_YET)

    def moved(self, at: float) -> bool:
        """Something moves: what was said before says nothing now; tells whether it never lies still."""
        self._since, self._looks = None, 0
        if self._said != BY_HAND:
            self._said = None
        self._still = at if self._still is None else self._still
        return at - self._still >= RESTLESS

    def rests(self) -> None:
        """Nothing moves."""
        self._still = None

    def seen(self) -> None:
        """The board was read: nothing covers it."""
        self._since, self._looks = None, 0
        if self._said == BY_HAND:
            self._said = None

    def long(self, at: float, reaching: bool = False) -> bool:
        """Note one more look at something that covers the board; whether it has been there for long."""
        if self._since is None:
            self._since = at
        self._looks += 1
        return self._looks >= LOOKS and at - self._since >= (BEFORE_ARMS if reaching else BEFORE_READING)

    def say(self, said: Said, at: float) -> None:
        """Take an answer."""
        self._said = said
        if said == NOT_YET:
            self._since = at + ONCE_MORE - BEFORE_ARMS
        elif said == READ:
            self._since, self._looks = None, 0
