"""The bench of the phones measures something and is bounded."""

from __future__ import annotations

import pytest

from companion.bench.phones import measure, quantile


@pytest.mark.slow
def test_a_short_round_reaches_every_phone() -> None:
    measured = measure(2, 1.0, 10.0)
    assert len(measured.decided) >= 5
    # Four phones a table; each decision reaches those of its own table, and the first view all eight.
    assert measured.views >= 8 + 4 * (len(measured.decided) - 1)
    assert len(measured.waits) >= 4 * (len(measured.decided) - 1)
    assert quantile(measured.waits, 0.95) < 1000


def test_quantiles() -> None:
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile([1], 0.95) == 1
