"""The powers, one file each; the card in our words is the docstring of its class."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from engine.rules.power import Power


@cache
def power_names() -> tuple[str, ...]:
    """Name every power that has a file here."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__)))


@cache
def power(name: str) -> Power:
    """Give the power of a name; raise KeyError for an unknown one."""
    if name not in power_names():
        raise KeyError(name)
    module = importlib.import_module(f"{__name__}.{name}")
    kind: type[Power] = next(
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Power) and value.__module__ == module.__name__
    )
    kind.id = name
    return kind()


def card_text(name: str) -> str:
    """Give the English text of a power's card."""
    import inspect

    return inspect.getdoc(type(power(name))) or ""
