"""What a phone may say on its WebSocket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Number = Annotated[int, Field(ge=0, le=2**53)]
Name = Annotated[str, Field(min_length=1, max_length=64)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Watch(_Message):
    """Show me this table: as the seat I hold, as a seat I speak for, or as the public sees it."""

    ask: Literal["watch"]
    id: Number
    table: Name
    seat: Annotated[str, Field(pattern="^[A-D]$")] | None = None
    screen: bool = False
    """Whether this is a table screen: it is told a sign, by which the host may seat players there."""


class Ping(_Message):
    """Are you there?"""

    ask: Literal["ping"]
    id: Number


class Seen(_Message):
    """I have shown this view; the next one may come."""

    ask: Literal["seen"]
    seq: Number


class Do(_Message):
    """A command to the table; the host's own device may give it as the host instead of as its seat."""

    ask: Literal["do"]
    id: Number
    as_host: bool = False
    command: dict[str, Any]


Incoming = Annotated[Watch | Ping | Seen | Do, Field(discriminator="ask")]
INCOMING: TypeAdapter[Watch | Ping | Seen | Do] = TypeAdapter(Incoming)
