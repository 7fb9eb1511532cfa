"""An HTML report read without a browser: its elements, and the data that is packed in it."""

from __future__ import annotations

import base64
import json
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from pytest_evals.model.result import CaseResult
from pytest_evals.model.run import SessionResult
from pytest_evals.report.html import write_html


class HtmlFile(HTMLParser):
    """What a parser of HTML finds in a report."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.title = ""
        self._scripts: dict[str, str] = {}
        self._inside = ""
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._inside = dict(attrs).get("id") or tag if tag in {"script", "title"} else ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self.title += data
        elif self._inside:
            self._scripts[self._inside] = self._scripts.get(self._inside, "") + data

    @property
    def page(self) -> dict[str, Any]:
        return json.loads(self._scripts["page"])

    def packed(self, name: str) -> Any:
        return json.loads(zlib.decompress(base64.b64decode(self._scripts[name])))

    @property
    def entries(self) -> list[dict[str, Any]]:
        return self.packed("index")["cases"]

    def detail(self, entry: dict[str, Any]) -> dict[str, Any]:
        block, place = entry["at"]
        return self.packed(f"block-{block}")[place]


def written(tmp_path: Path, session: SessionResult, results: list[CaseResult]) -> HtmlFile:
    """The report of a session, as it stands in the file."""
    path = tmp_path / "report.html"
    write_html(path, session, results)
    return HtmlFile(path)
