from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.companion.web.browsing import Home, Phones, at_home, launched


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    running = launched(playwright)
    yield running
    running.close()


@pytest.fixture
def phones(playwright: Playwright, browser: Browser) -> Iterator[Phones]:
    all_phones = Phones(playwright, browser)
    yield all_phones
    for context in all_phones.open:
        context.close()
    assert all_phones.complaints == []


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with at_home(tmp_path) as running:
        yield running
