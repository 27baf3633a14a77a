"""A game whose keys are not here yet: it shows what was shown last, and waits for its phones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from companion.store import Store
from companion.store.games import set_setting, setting
from companion.table.seatview import Common, PublicView, Say, SeatView
from companion.table.session import Session
from engine.opening import position_to_json
from engine.remembering import memory_to_json
from engine.view import observe_public

PUBLIC_VIEW: Final = TypeAdapter(PublicView)
LINE: Final = Say("hidden.key_awaited", {})


@dataclass(frozen=True)
class Snapshot:
    """What everybody was shown last, and the public state that a secret can be entered into again."""

    view: PublicView
    position: Mapping[str, Any]
    memory: Mapping[str, Any]


def setting_name(game: str) -> str:
    """Name the place where a game's snapshot is kept."""
    return f"snapshot.{game}"


def snapshot_of(session: Session, view: PublicView) -> Snapshot:
    """Take what everybody may know: the view, and the position without what is hidden."""
    public = observe_public(session.game)
    between = session.game.between
    hidden = session.game.table.hidden
    position = position_to_json(between.pos)
    position["workers"] = {w: c for w, c in position["workers"].items() if w[0] not in hidden}
    position |= {"to_move": between.to_move, "out": list(between.out)}
    return Snapshot(view, position, memory_to_json(public.state.memory))


def keep_snapshot(store: Store, game: str, snapshot: Snapshot) -> None:
    """Write the snapshot; it holds nothing that is not public."""
    data = {
        "view": to_jsonable_python(asdict(snapshot.view)),
        "position": dict(snapshot.position),
        "memory": dict(snapshot.memory),
    }
    store.write(set_setting(setting_name(game), data))


def read_snapshot(store: Store, game: str) -> Snapshot | None:
    """Read the snapshot of a game, if there is one."""
    data = store.read(setting(setting_name(game)))
    if not isinstance(data, dict):
        return None
    view = PUBLIC_VIEW.validate_python(data["view"], strict=False)
    return Snapshot(view, _object(data["position"]), _object(data["memory"]))


def _object(value: object) -> Mapping[str, Any]:
    """Read an object of the snapshot."""
    assert isinstance(value, dict)
    return value


def sleeping_public(snapshot: Snapshot, seq: int, missing: tuple[str, ...]) -> PublicView:
    """Show everybody what was shown last, and for whom the game waits."""
    return replace(
        snapshot.view, seq=seq, prompt=None, asked=None, now=LINE, waiting_for_key=missing, notice=None
    )


def sleeping_seat(snapshot: Snapshot, seq: int, missing: tuple[str, ...], seat: str) -> SeatView:
    """Show a seat the same; its phone learns whether its key is wanted."""
    public = sleeping_public(snapshot, seq, missing)
    common = {f.name: getattr(public, f.name) for f in fields(Common)}
    return SeatView(**common, seat=seat, key_wanted=seat in missing)
