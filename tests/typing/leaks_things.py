"""Lines about MQTT and lights that must not type-check; see leaks.py."""

# ruff: noqa: F841
from __future__ import annotations

from companion.bus.messages import Health, State
from companion.bus.outgoing import events, state
from companion.bus.topics import HEALTH, STATE, packet
from companion.bus.wording import Wording
from companion.lights.buttons import Panel
from companion.lights.picture import Look, picture_of, shown
from companion.lights.simulated import lights_seen
from companion.table.live import Table
from companion.table.seatview import PublicView, SeatView
from companion.table.session import Session
from firmware_bridge.layouts import UNDER


def allowed(table: Table, view: PublicView) -> None:
    """Nothing here is a leak: the test checks that these lines pass."""
    picture_of(view, UNDER)
    shown(view, "ring", Look())
    lights_seen(view, "cells")
    packet(STATE, state(view, "", Wording()), table=table.id)
    Panel(table)


def leaks(table: Table, own: SeatView, session: Session, view: PublicView) -> None:
    """Every line marked so has to be refused."""
    picture_of(own, UNDER)  # leak
    picture_of(session, UNDER)  # leak
    shown(own, "cells", Look())  # leak
    shown(session.game, "cells", Look())  # leak
    lights_seen(own, "ring")  # leak
    state(own, "", Wording())  # leak
    state(session, "", Wording())  # leak
    list(events(view, own, Wording()))  # leak
    packet(STATE, own, table=table.id)  # leak
    packet(STATE, view, table=table.id)  # leak
    packet(HEALTH, {"secret": 1}, table=table.id)  # leak
    Health(session="", accepted=0, refused={}, connects=0, secret="c3")  # leak
    sent: State = view  # leak
