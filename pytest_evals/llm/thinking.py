"""Reasoning that a model writes into its answer: ``<think>…</think>``."""

from __future__ import annotations

import re

_OPENED = re.compile(r"\s*<(think(?:ing)?)>", re.IGNORECASE)
# the template of some models opens the tag itself, so that only its end is in the answer, on a line of its own
_ENDED = re.compile(r"(?:\A|\n)[ \t]*</think(?:ing)?>[ \t]*(?:\n|\Z)", re.IGNORECASE)


def split_thinking(text: str) -> tuple[str, str]:
    """The answer and the reasoning before it. One that was cut off within the reasoning has no answer.

    Tags within the answer stay where they are.
    """
    thoughts: list[str] = []
    while opened := _OPENED.match(text):
        thought, closed, rest = _cut(text[opened.end() :], f"</{opened[1]}>")
        thoughts.append(thought)
        text = rest.lstrip() if closed else ""
    if not thoughts and (ended := _ENDED.search(text)):
        thoughts.append(text[: ended.start()])
        text = text[ended.end() :].lstrip()
    return text, "\n\n".join(thought.strip() for thought in thoughts if thought.strip())


def _cut(text: str, tag: str) -> tuple[str, bool, str]:
    at = text.lower().find(tag.lower())
    return (text, False, "") if at < 0 else (text[:at], True, text[at + len(tag) :])
