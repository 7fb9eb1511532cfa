"""A real browser: Chromium as the system has it, driven by Playwright.

Where one of them is missing the tests are skipped, but not on a build server: there that is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = (
    "--no-sandbox",  # tests of a container run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One for the tests of a file. It ends with them: its event loop would be in the way of other tests."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    try:
        from playwright import sync_api as playwright
    except ImportError:
        _missing("needs playwright: pip install playwright")
    if program is None:
        _missing("needs Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield started
        started.close()


def _missing(why: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="module")
def tabs(browser) -> Iterator[Any]:
    """``tabs(width, scheme)``: an empty page of that width, made once for all tests."""
    made: dict[tuple[int, str], Any] = {}

    def tab(width: int, scheme: str) -> Any:
        if (width, scheme) not in made:
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            made[width, scheme] = context.new_page()
            made[width, scheme].set_default_timeout(10_000)
        return made[width, scheme]

    yield tab
    for page in made.values():
        page.context.close()


@dataclass
class Shown:
    """A report in the browser, and what it did that it must not do."""

    page: Any
    path: Path
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def listen(self) -> None:
        """Keep what the page says and asks for."""
        own = (self.path.as_uri(), "about:blank", "data:image/svg+xml")
        self._listeners = {
            "console": lambda message: self.console.append(message.text),
            "pageerror": lambda error: self.console.append(str(error)),
            "dialog": lambda dialog: (self.console.append(dialog.message), dialog.dismiss()),
            "request": lambda request: request.url.startswith(own) or self.requests.append(request.url),
        }
        for event, listener in self._listeners.items():
            self.page.on(event, listener)

    def leave(self) -> None:
        """Leave the page as the next test wants it."""
        self.page.emulate_media(media="screen")
        self.page.evaluate("localStorage.clear()")
        self.page.goto("about:blank")
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def open(self, address: str = "") -> Shown:
        """Loads the file anew, and waits until the cases are there."""
        self.page.goto("about:blank")
        self.page.goto(self.path.as_uri() + address)
        self.page.wait_for_selector("html[data-ready]")
        return self

    def ids(self) -> list[str]:
        """The cases of the table that are on the screen, in order."""
        return self.page.locator(".case-table .virtual .id").all_inner_texts()

    def shows(self, *ids: str) -> bool:
        """Whether the table comes to show these cases; the page follows its address a moment later."""
        for _ in range(200):
            if self.ids() == list(ids):
                return True
            self.page.wait_for_timeout(10)
        return False

    def note(self) -> str:
        """How many cases are shown, as the page says."""
        return self.page.locator(".filters [role=status]").first.inner_text()

    def hash(self) -> str:
        return self.page.evaluate("decodeURIComponent(location.hash.replace(/\\+/g, ' '))")

    def toggle(self, number: int = 0) -> Any:
        """Opens or closes a case, and gives its details."""
        row = self.page.locator(".case-table .virtual-row").nth(number)
        row.locator(".toggle").click()
        return row.locator("article.case")


@pytest.fixture
def show(tabs, tmp_path) -> Iterator[Any]:
    """``show(session, results)``: writes the report and opens it. No test may cause a message or a request."""
    from pytest_evals.report.html import write_html

    opened: list[Shown] = []

    def shown(session, results, address: str = "", width: int = 1280, scheme: str = "light") -> Shown:
        path = tmp_path / "report.html"
        write_html(path, session, results)
        made = Shown(tabs(width, scheme), path)
        made.listen()
        opened.append(made)
        return made.open(address)

    yield shown
    for made in opened:
        made.leave()
    for made in opened:
        assert (made.console, made.requests) == ([], [])
