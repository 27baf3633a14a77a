"""Which folders hold pictures of doubtful decisions: those of earlier runs count when a game is deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import structlog

from companion.referee.doubts import Doubts
from companion.store import Store
from companion.store.games import set_setting, setting

LOG = structlog.get_logger("pictures")
KEY: Final = "debug.folders"


def remember_folder(store: Store, folder: Path) -> None:
    """Note that pictures are kept in a folder."""
    known = [str(path) for path in folders(store)]
    if str(folder.resolve()) not in known:
        store.write(set_setting(KEY, [*known, str(folder.resolve())]))


def folders(store: Store) -> tuple[Path, ...]:
    """List the folders in which pictures were ever kept."""
    known = store.read(setting(KEY))
    return tuple(Path(str(name)) for name in known) if isinstance(known, list) else ()


def forget_pictures(store: Store, game: str) -> None:
    """Delete every picture of a game; a folder that cannot be reached is named in the log."""
    for folder in folders(store):
        try:
            Doubts(folder).forget(game)
        except OSError as error:
            LOG.warning("pictures not deleted", folder=str(folder), game=game, problem=str(error))
