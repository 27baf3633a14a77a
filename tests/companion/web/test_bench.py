"""The bench of the phones measures something and is bounded."""

from __future__ import annotations

import pytest

from companion.bench.phones import measure, quantile


@pytest.mark.slow
def test_a_short_round_reaches_every_phone() -> None:
    measured = measure(2, 1.0, 10.0)
    played = {table for table, _ in measured.decided}
    assert played
    # A phone that is slow for a moment gets the newest view only; the last one reaches all four of a table.
    assert len(measured.newest) == 8
    assert len(measured.waits) >= 4 * len(played)
    assert measured.views >= 8 + 4 * len(played)
    assert 0 < quantile(measured.waits, 0.5) <= quantile(measured.waits, 0.95)


def test_quantiles() -> None:
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile([1], 0.95) == 1
