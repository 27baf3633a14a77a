"""Whoever waits for a long command sees that it is at work, on a terminal and nowhere else."""

from __future__ import annotations

import importlib
import io
import re
import threading

import pytest

from companion.cli._waiting import waiting


class Screen(io.StringIO):
    """A terminal that tells when something has been written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        count = super().write(text)
        self.written.set()
        return count


def test_a_long_command_shows_its_seconds_and_wipes_them() -> None:
    screen = Screen()
    with waiting(screen, first=0.01, between=0.01):
        assert screen.written.wait(30)
    assert re.match("… 0 s\x1b\\[K\r", screen.getvalue())
    assert screen.getvalue().endswith("\x1b[K")


def test_a_short_command_shows_nothing() -> None:
    screen = Screen()
    with waiting(screen, first=3600):
        pass
    assert screen.getvalue() == ""


def test_a_file_is_never_written_to() -> None:
    file = io.StringIO()
    with waiting(file, first=0, between=0.001):
        threading.Event().wait(0.05)
    assert file.getvalue() == ""


def test_a_count_of_turns_shows_that_it_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    main = importlib.import_module("companion.cli.main")
    monkeypatch.setattr(main, "waiting", lambda out: waiting(out, first=0.0, between=0.01))
    monkeypatch.setattr("sys.stderr", screen)
    fen = "0000000000000000000000000/1/mortal:B2,D4/mortal:B4,D2"
    assert main.dispatch(["rules", "perft", "--fen", fen, "--depth", "2"]) == 0
    assert "… 0 s" in screen.getvalue()
