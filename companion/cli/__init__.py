"""The `santorini` console script: one module a command, found by its place in this folder."""

from companion.cli.main import main

__all__ = ["main"]
