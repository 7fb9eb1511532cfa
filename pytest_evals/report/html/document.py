"""The file itself: styles, the overview, the scripts, then the cases in packed blocks."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape as escape_html
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from ...model.codec import result_from_json, result_to_json
from ...model.result import CaseResult
from ...model.run import SessionResult
from ..files import whole_file
from ..json import encode
from ..lines import plain_text
from ..registry import Format
from ..terminal import section
from ..text import escape
from .cases import changes_of, detail, entry
from .packing import Blocks, packed
from .page import page

MOST_CHARACTERS = (100_000, 30_000, 10_000, 3_000, 1_000)
"""A text is cut at the first of these with which all texts together stay below ``MOST_TOGETHER``."""
MOST_TOGETHER = 48_000_000

_STYLES = ("base.css", "overview.css", "table.css", "detail.css", "print.css")
_SCRIPTS = (
    "dom.js",
    "data.js",
    "words.js",
    "diff.js",
    "charts.js",
    "tables.js",
    "overview.js",
    "filters.js",
    "address.js",
    "virtual.js",
    "detail.js",
    "cases.js",
    "variants.js",
    "main.js",
)
_ICON_COLOURS = {"passed": "%2315803d", "failed": "%23c02626"}


def write_html(path: Path, session: SessionResult, results: Iterable[CaseResult]) -> None:
    """Write the report: overview first, then every case with all its texts, in the order of the files.

    Results are written as they come, one at a time, so that memory does not grow with their texts. Of several results
    of one case the last counts. Raises ``OSError``.
    """
    with TemporaryFile() as spool, whole_file(path) as file:
        places, most = _spool(spool, results)
        file.write(_head(session))
        file.write(b"<script>" + _script().encode("utf-8") + b"</script>\n")
        blocks = Blocks(file)
        changes = changes_of(session.comparison)
        index = []
        for result in _in_file_order(session, spool, places):
            at = blocks.add(encode(detail(result, changes.get(result.key), most)))
            index.append(entry(result, changes.get(result.key), at))
        blocks.finish()
        file.write(packed("index", encode({"cases": index, "most_characters": most})))
        file.write(b"</body>\n</html>\n")


FORMAT = Format("html", (".html", ".htm"), write_html)

_Key = tuple[str, str, str]


def _spool(spool: IO[bytes], results: Iterable[CaseResult]) -> tuple[dict[_Key, tuple[int, int]], int]:
    """Write each result to a temporary file; returns where each is, and how many characters of a text are kept."""
    places: dict[_Key, tuple[int, int]] = {}
    position = 0
    for result in results:
        line = result_to_json(result).encode("ascii")
        spool.write(line)
        places[result.key] = (position, len(line))
        position += len(line)
    lengths = [length for _, length in places.values()]
    # a case has about four texts that may be long: input, output, what was expected, the trace of an error
    fitting = (most for most in MOST_CHARACTERS if sum(min(n, 4 * most) for n in lengths) <= MOST_TOGETHER)
    return places, next(fitting, MOST_CHARACTERS[-1])


def _in_file_order(
    session: SessionResult, spool: IO[bytes], places: dict[_Key, tuple[int, int]]
) -> Iterator[CaseResult]:
    ordered = [row.key for row in session.rows if row.key in places]
    for key in dict.fromkeys([*ordered, *places]):
        start, length = places[key]
        spool.seek(start)
        yield result_from_json(spool.read(length).decode("ascii"))


def _head(session: SessionResult) -> bytes:
    shown = page(session)
    title = escape_html(f"{shown['verdict']['word']}: {shown['title']}")
    style, script = _style(), _script()
    # nothing may be loaded, and no script or style but these two applies, whatever a text contains
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    plain_section = "\n".join(escape(plain_text(line)) for line in section(session, width=100, command=""))
    text = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="pytest-evals">
<title>{title}</title>
<link rel="icon" href="{_icon(shown["verdict"]["word"])}">
<style>{style}</style>
</head>
<body>
<noscript><pre>{escape_html(plain_section)}</pre></noscript>
<div id="app"></div>
<script type="application/json" id="page">{_harmless(shown)}</script>
"""
    return text.encode("utf-8")


def _harmless(value: Any) -> str:
    """JSON in which no text can end the element it stands in."""
    return encode(value).decode("utf-8").replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _icon(word: str) -> str:
    colour = _ICON_COLOURS.get(word, "%23b45309")
    return (
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
        f"%3Crect width='16' height='16' rx='4' fill='{colour}'/%3E%3C/svg%3E"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


@cache
def _style() -> str:
    return _joined(_STYLES)


@cache
def _script() -> str:
    return '"use strict";\n(() => {\n' + _joined(_SCRIPTS) + "})();\n"


def _joined(names: Iterable[str]) -> str:
    folder = files(__package__).joinpath("static")
    return "".join(folder.joinpath(name).read_text("utf-8") for name in names)
