"""Hostile text made fit for Markdown as GitHub and GitLab read it."""

from __future__ import annotations

import re

from .text import escape, fit

# what starts or ends markup, mentions people, closes a cell, or makes a link of an address
_ACTIVE = re.compile(r"[\\`*_\[\]<>#|~@&$]|:(?=//)|(?<=www)\.")


def inline(text: object, width: int = 120) -> str:
    """The text on one line, cut to ``width`` characters, with nothing in it that Markdown or HTML would act on."""
    # references are read as the characters and never as markup, in tables too
    return _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", escape(fit(text, width)))


def row(*cells: str) -> str:
    """A row of a table; the cells are Markdown already."""
    return f"| {' | '.join(cells)} |"


def fenced(text: str, language: str = "text") -> list[str]:
    """The text as a block of code that nothing in it can end."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", escape(text), fence]
