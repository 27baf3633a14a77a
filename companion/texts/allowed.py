"""Texts that may look English: the same word in both languages, and Latin words Russian keeps."""

SAME_IN_ENGLISH: dict[str, frozenset[str]] = {}
LATIN_IN_RUSSIAN: frozenset[str] = frozenset()
