"""The bench measures what it says: real subscribers, every state counted."""

from __future__ import annotations

import argparse

import pytest

from companion.bench._things_mqtt import configure, measure, seq_of


@pytest.mark.broker
@pytest.mark.slow
def test_it_measures_every_subscriber() -> None:
    parser = argparse.ArgumentParser()
    configure(parser)
    found = {f.name: f for f in measure(parser.parse_args(["--subscribers", "5", "--changes", "10"]))}
    assert found["subscribers"].value == 5
    assert found["changes of the table"].value == 10
    assert found["states that did not arrive"].value == 0
    assert 0 < found["change to subscriber, p50"].value <= found["change to subscriber, p99"].value


def test_it_reads_the_number_of_a_state() -> None:
    assert seq_of(b'{"schema":1,"seq":41,"session":"x"}') == 41
