"""What is wrong with a text that a model wrote: sections that sum up, a missing head, a twin of another text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

HEADINGS = (
    *("summary", "action items", "key decisions", "next steps", "key takeaways", "meeting minutes"),
    *("executive summary", "meeting summary", "decisions", "decisions made", "takeaways", "conclusion", "conclusions"),
    *("outcomes", "recap", "key points", "follow-up items", "follow-ups", "to-do list", "minutes", "wrap-up summary"),
)
"""Titles of sections in which a transcript would already say what a summary of it should find out."""

_HEADING = re.compile(
    r"^[\s#*_>=~\d.)(\-–—|]*("
    + "|".join(re.escape(heading) for heading in sorted(HEADINGS, key=len, reverse=True))
    + r")"
    r"[\s*_=~#|\-–—]*(?::[^\n]*)?[\s*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
_SPEAKER = re.compile(r"^[*_\[(\d:\]) ]*([^\W\d_][^:\n]{0,60}?)[*_]*:\s*\S", re.MULTILINE)
_HEAD = ("date", "participants", "attendees", "time", "location", "title", "meeting", "duration")
_EMAIL_HEAD = ("From", "To", "Subject", "Date")

ALIKE = 0.5
"""Texts that share this much of their runs of words are twins."""

_RUN = 3


def summary_section(text: str) -> str:
    """The title of a section that sums up; empty when there is none. What people say does not count."""
    found = _HEADING.search(text)
    return found[1].strip() if found else ""


def wrong_with(kind: str, text: str) -> str:
    """Why a text cannot be used as one of its kind; empty if it can."""
    if not text.strip():
        return "it is empty"
    if kind == "meetings":
        if found := summary_section(text):
            return f"it has a section {found!r}, which sums the meeting up"
        names = {match[1].strip().casefold() for match in _SPEAKER.finditer(text)} - {*_HEAD}
        if len(names) < 2:
            return "it is no dialogue: fewer than two people speak"
    if kind == "emails":
        top = text.lstrip()[:2000]
        gone = [
            name for name in _EMAIL_HEAD if not re.search(rf"^[*_]*{name}[*_]*:", top, re.MULTILINE | re.IGNORECASE)
        ]
        if gone:
            return f"its head lacks {' and '.join(gone)}"
    return ""


def cleaned(text: str) -> str:
    """The text without what models put around it: marks of code, a line that announces it."""
    lines = text.strip().splitlines()
    if lines and re.match(r"(here is|here's|sure|certainly|of course)\b.*[:!.]$", lines[0].strip(), re.IGNORECASE):
        lines = lines[1:]
    text = "\n".join(lines).strip()
    fenced = re.fullmatch(r"```[^\n]*\n(.*?)\n?```", text, re.DOTALL)
    return (fenced[1] if fenced else text).strip()


def twin_of(text: str, others: Mapping[str, str]) -> str:
    """The name of a text that says nearly the same; empty when there is none."""
    own = _runs(text)
    return next((name for name, other in others.items() if _likeness(own, _runs(other)) >= ALIKE), "")


def twins(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """All pairs of texts that say nearly the same."""
    names = list(texts)
    for index, name in enumerate(names):
        for other in names[index + 1 :]:
            if _likeness(_runs(texts[name]), _runs(texts[other])) >= ALIKE:
                yield name, other


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return frozenset(tuple(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1)))


def _likeness(one: Iterable[object], other: Iterable[object]) -> float:
    a, b = frozenset(one), frozenset(other)
    return len(a & b) / len(a | b) if a or b else 1.0
