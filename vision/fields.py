"""Fields of JSON that people write by hand: what is missing or wrong is named."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


class FieldError(ValueError):
    """A field that is missing or wrong: its name comes first, then what it should be."""


def listed(data: Mapping[str, Any], field: str) -> list[Any]:
    """A list; one that is missing or null is empty."""
    value = data.get(field)
    if value is not None and not isinstance(value, list):
        raise FieldError(f"{field}: must be a list")
    return value or []


def mapped(data: Mapping[str, Any], field: str, within: str = "") -> Mapping[str, Any]:
    """An object; one that is missing or null is empty."""
    value = data.get(field)
    if value is not None and not isinstance(value, dict) and value != []:
        raise FieldError(f"{within}{field}: must be an object")
    return value or {}


def objects(data: Mapping[str, Any], field: str) -> list[Mapping[str, Any]]:
    """A list of objects."""
    items = listed(data, field)
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            raise FieldError(f"{field}[{number}]: must be an object")
    return items


def spot(value: Any, field: str) -> tuple[float, float]:
    """Two numbers, and perhaps a third that says nothing."""
    if not isinstance(value, list) or len(value) < 2 or not all(map(finite, value[:2])):
        raise FieldError(f"{field}: two numbers are needed")
    return float(value[0]), float(value[1])


def four_spots(value: Any, field: str) -> tuple[tuple[float, float], ...]:
    """The places of four corners."""
    if not isinstance(value, list) or len(value) != 4:
        given = f", there are {len(value)}" if isinstance(value, list) else ""
        raise FieldError(f"{field}: four corners as [x, y] are needed{given}")
    return tuple(spot(item, f"{field}[{number}]") for number, item in enumerate(value))


def finite(value: Any) -> bool:
    """Whether a value is a number, and neither endless nor none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
