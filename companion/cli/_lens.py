"""The lens session in the terminal: show the board from many sides, watch what is missing, save."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from calibration.lens_profile import LensError, save_lens
from calibration.lens_session import MOST_VIEWS, LensSession
from companion.cli._terminal import Terminal, fresh_frame
from vision.sources import Source
from vision.sources.base import SourceEnded

PAUSE: Final = 0.4


def run_lens_session(
    terminal: Terminal, source: Source, session: LensSession, file: Path, pause: float = PAUSE
) -> int:
    """Take pictures until every part of the picture has seen the board from enough sides."""
    terminal.say("Hold the printed board into the picture, tilt it slowly, bring it to every corner.")
    told = ""
    while session.wants and len(session.views) < MOST_VIEWS:
        try:
            session.add(fresh_frame(source, time.monotonic()).picture)
        except SourceEnded:
            break
        if session.wants != told:
            told = session.wants
            terminal.say(f"{len(session.views)} pictures taken. {told}")
        time.sleep(pause)
    try:
        lens = session.solve(file.stem)
    except LensError as error:
        terminal.say(f"{error}; nothing was saved")
        return 1
    save_lens(lens, file)
    terminal.say(f"focal length {lens.focal:.1f} px, reprojection error {lens.error_px:.2f} px")
    terminal.say(f"saved: {file}; use it with: santorini calibrate --lens {file}")
    return 0
