"""Where pictures come from: one Protocol, latest picture only, and a source that fails says so."""

from vision.reading import Picture
from vision.sources.base import Frame, Phase, Source, SourceError, State
from vision.sources.latest import Backoff, LatestSource
from vision.sources.opening import open_source
from vision.sources.pushed import PushedPictures

__all__ = [
    "Backoff",
    "Frame",
    "LatestSource",
    "Phase",
    "Picture",
    "PushedPictures",
    "Source",
    "SourceError",
    "State",
    "open_source",
]
