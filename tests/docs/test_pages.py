"""The documentation builds without a warning, and its pages load nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytest.importorskip("sphinx", reason="the docs extra is not installed")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    command += ["-d", str(folder / "doctrees"), str(ROOT / "docs"), str(folder / "html")]
    built = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "html"


class Loads(HTMLParser):
    """What a browser fetches by itself to show a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "link" and (given.get("rel") or "") not in {"canonical", "index", "search", "next", "prev", "author"}:
            self.found.append(given.get("href") or "")
        if tag in {"script", "img", "iframe", "source", "audio", "video", "embed", "input"}:
            self.found += [given[key] for key in ("src", "srcset") if given.get(key)]


def elsewhere(address: str) -> bool:
    return bool(re.match(r"(?:[a-z][a-z0-9+.-]*:)?//", address))


def test_every_page_is_built_and_reached_from_the_index(site):
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert pages <= {path.stem for path in site.glob("*.html")}
    index = (site / "index.html").read_text("utf-8")
    assert {page for page in pages - {"index"} if f'href="{page}.html"' not in index} == set()


def test_no_page_loads_anything_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert pages
    for page in pages:
        loads = Loads()
        loads.feed(page.read_text("utf-8"))
        assert loads.found, page.name
        assert [address for address in loads.found if elsewhere(address)] == [], page.name


def test_no_style_sheet_loads_anything_from_elsewhere(site):
    sheets = sorted(site.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
        addresses = re.findall(r"""(?:url\(\s*|@import\s+)["']?([^"')\s]+)""", text)
        assert [address for address in addresses if elsewhere(address)] == [], sheet.name


def test_every_relative_link_of_readme_leads_to_a_file():
    text = (ROOT / "README.md").read_text("utf-8")
    links = re.findall(r"\]\(([^)#]+)", text)
    assert links
    assert [link for link in links if not elsewhere(link) and not (ROOT / link).exists()] == []
