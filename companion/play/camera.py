"""From the word behind --camera to a source of pictures, with one sentence where that fails."""

from __future__ import annotations

from vision.sources import Source, SourceError, open_source


class BadCameraError(Exception):
    """The camera's name leads nowhere; the text is one sentence for the user."""


def source_of(text: str) -> Source:
    """Open the source that the user named."""
    try:
        return open_source(text)
    except SourceError as error:
        raise BadCameraError(str(error)) from error
