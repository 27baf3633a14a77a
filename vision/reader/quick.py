"""Functions over arrays that are compiled when they are first needed (decision 0210)."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast

Taken = ParamSpec("Taken")
Given = TypeVar("Given")


class Loop(Generic[Taken, Given]):
    """A function over arrays that is compiled when it is first called; `plain` is the function itself."""

    def __init__(self, plain: Callable[Taken, Given]) -> None:
        self.plain = plain
        self.quick: Callable[Taken, Given] | None = None
        LOOPS.append(self)

    def __call__(self, *args: Taken.args, **named: Taken.kwargs) -> Given:
        """Call the compiled function."""
        if self.quick is None:
            prepare()
        assert self.quick is not None
        return self.quick(*args, **named)


LOOPS: Final[list[Loop[..., Any]]] = []
PREPARING: Final = Lock()


def prepare() -> None:
    """Hand all loops to the compiler, which is only loaded now: most commands never read a picture."""
    with PREPARING:
        if all(loop.quick is not None for loop in LOOPS):
            return
        quick = [quickened(loop.plain) for loop in LOOPS]
        # loops call each other in their compiled form
        for loop, fast in zip(LOOPS, quick, strict=True):
            loop.plain.__globals__[loop.plain.__name__] = fast
        for loop, fast in zip(LOOPS, quick, strict=True):
            loop.quick = loop.quick or fast


def quickened(plain: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled form; kept beside the source or, where that is read-only, in the user's cache."""
    from numba import njit

    try:
        return cast(Callable[..., Any], njit(cache=True, nogil=True)(plain))
    except RuntimeError:
        # nowhere to keep it: compiled anew in every process
        return cast(Callable[..., Any], njit(nogil=True)(plain))
