"""The two sides of a bridge: lamps that show pictures; desks that give pictures and take presses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from firmware_bridge.frames import Beep, Picture

LinkName: TypeAlias = Literal["searching", "greeting", "up", "waiting", "closed"]


@dataclass(frozen=True)
class LinkState:
    """How the lamp is; `detail` is one sentence for a person."""

    name: LinkName
    detail: str = ""


@dataclass(frozen=True)
class ButtonPress:
    """A button of the board went down or up; buttons count from 0."""

    button: int
    down: bool


class Lamp(Protocol):
    """Something that shows pictures; every method returns at once and may be called from any thread."""

    def show(self, picture: Picture) -> None:
        """Show this; it replaces what has not been shown yet."""

    def beep(self, beep: Beep) -> None:
        """Sound this, if the lamp can."""

    def close(self) -> None:
        """Stop; the lamp goes dark."""


class Desk(Protocol):
    """Where pictures come from and presses go: a table in this process, or a message bus far away."""

    def attach(self, lamp: Lamp) -> None:
        """Begin to give pictures to this lamp, from a thread or task of the desk's own."""

    def pressed(self, press: ButtonPress) -> None:
        """A button moved; called from the lamp's thread, must return soon."""

    def link_changed(self, state: LinkState) -> None:
        """The lamp came, went, or has something to say; called from the lamp's thread."""

    def wait(self) -> None:
        """Return when the desk has nothing more to show."""

    def close(self) -> None:
        """Give up what `attach` began."""


class QuietDesk:
    """A desk that gives nothing and remembers what it was told; also a base for small desks."""

    def __init__(self) -> None:
        self.presses: list[ButtonPress] = []
        self.states: list[LinkState] = []

    def attach(self, lamp: Lamp) -> None:
        """Give nothing."""

    def pressed(self, press: ButtonPress) -> None:
        """Remember it."""
        self.presses.append(press)

    def link_changed(self, state: LinkState) -> None:
        """Remember it."""
        self.states.append(state)

    def wait(self) -> None:
        """Have nothing to show from the start."""

    def close(self) -> None:
        """Have nothing to give up."""


class FakeLamp:
    """A lamp that remembers."""

    def __init__(self) -> None:
        self.pictures: list[Picture] = []
        self.beeps: list[Beep] = []
        self.closed = False

    def show(self, picture: Picture) -> None:
        """Remember it."""
        self.pictures.append(picture)

    def beep(self, beep: Beep) -> None:
        """Remember it."""
        self.beeps.append(beep)

    def close(self) -> None:
        """Note it."""
        self.closed = True
