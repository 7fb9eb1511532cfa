"""What changed between the expected text and the answer, when both are long enough for eyes to miss it."""

from __future__ import annotations

import re
from difflib import SequenceMatcher, unified_diff

LONG = 60
"""From this many characters on a difference is shown as a diff; shorter texts are compared at a glance."""
_MAX_PARTS = 1500
"""Words or lines; SequenceMatcher is quadratic, and a longer diff is not read in a terminal."""
_ALIKE = 0.3
"""Less alike texts have a diff that is longer than both."""
_CONTEXT = 6


def diff(expected: str, output: str) -> str:
    """A diff of two texts, or an empty text when it would not help.

    Texts of several lines: lines with ``-`` (expected) and ``+`` (output). Else words, ``[-expected-]{+output+}``.
    """
    if expected == output or max(len(expected), len(output)) < LONG or not expected.strip() or not output.strip():
        return ""
    if "\n" in expected and "\n" in output:
        return _of_lines(expected.splitlines(), output.splitlines())
    return _of_words(_words(expected), _words(output))


def _of_lines(expected: list[str], output: list[str]) -> str:
    if max(len(expected), len(output)) > _MAX_PARTS or _unlike(expected, output):
        return ""
    lines = list(unified_diff(expected, output, "expected", "output", lineterm="", n=1))
    return "\n".join(line for line in lines[2:] if not line.startswith("@@"))


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|\w+|[^\w\s]+", text)


def _of_words(expected: list[str], output: list[str]) -> str:
    if max(len(expected), len(output)) > _MAX_PARTS or _unlike(expected, output):
        return ""
    parts: list[str] = []
    steps = SequenceMatcher(None, expected, output, autojunk=False).get_opcodes()
    for number, (step, a, b, c, d) in enumerate(steps):
        if step == "equal":
            parts.append(_shortened(expected[a:b], first=number == 0, last=number == len(steps) - 1))
            continue
        if b > a:
            parts.append(f"[-{''.join(expected[a:b])}-]")
        if d > c:
            parts.append(f"{{+{''.join(output[c:d])}+}}")
    return "".join(parts).strip()


def _shortened(words: list[str], *, first: bool, last: bool) -> str:
    """Words that both have: all of a few, else those next to a change."""
    head = [] if first else words[: 2 * _CONTEXT]
    tail = [] if last else words[-2 * _CONTEXT :]
    if len(head) + len(tail) >= len(words):
        return "".join(words)
    return "".join([*head, " … ", *tail])


def _unlike(a: list[str], b: list[str]) -> bool:
    return SequenceMatcher(None, a, b, autojunk=False).quick_ratio() < _ALIKE
