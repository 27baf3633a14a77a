"""Upcasters: how payloads of an older schema become today's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from companion.store.errors import NewerEvent
from companion.store.events import Event
from companion.store.values import Payload

Upcaster: TypeAlias = Callable[[Payload], Payload]


@dataclass(frozen=True)
class Upcasters:
    """For each (type, schema) the function that leads to schema + 1; what is on disk stays as written.

    A type without an upcaster is at schema 1. Payloads that are sealed are upcast by whoever unseals
    them, with `raised`.
    """

    steps: Mapping[tuple[str, int], Upcaster] = field(default_factory=dict)

    def current(self, event_type: str) -> int:
        """Give the schema number that this program writes for a type."""
        return 1 + max((number for name, number in self.steps if name == event_type), default=0)

    def raised(self, event_type: str, schema: int, payload: Payload) -> Payload:
        """Bring one payload to today's schema."""
        known = self.current(event_type)
        if schema > known:
            raise NewerEvent(event_type, schema, known)
        for number in range(schema, known):
            payload = self.steps[event_type, number](payload)
        return payload

    def upcast(self, event: Event) -> Event:
        """Bring one event to today's schema; a sealed one keeps its number for whoever unseals it."""
        if event.visibility != "public":
            if event.schema > self.current(event.type):
                raise NewerEvent(event.type, event.schema, self.current(event.type))
            return event
        payload = self.raised(event.type, event.schema, event.payload)
        return replace(event, payload=payload, schema=self.current(event.type))
