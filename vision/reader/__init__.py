"""The reader of still pictures."""

from vision.reader.core import Reader

__all__ = ["Reader"]
