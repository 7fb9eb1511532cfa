"""The styles of summaries, what is asked for each, and taking a reply apart that has several of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """One way to summarise."""

    name: str
    """As configurations and options name it."""
    key: str
    """As files of results name it."""
    asked: str
    """What the model is told to write."""


STYLES: Mapping[str, Style] = {
    style.name: style
    for style in (
        Style("executive", "executive_summary", "two or three sentences for somebody who decides: outcome and impact"),
        Style("detailed", "detailed_summary", "a full account in paragraphs, with all facts, figures and reasons"),
        Style("action_items", "action_items", "every task as a list, each with who does it and until when"),
        Style("key_decisions", "key_decisions", "every decision that was made, as a list"),
        Style("participants", "participants", "everyone who takes part, as a list, with their role"),
        Style("topics_discussed", "topics_discussed", "the topics, as a list, in the order in which they came up"),
        Style("brief", "brief_summary", "the gist in at most three sentences"),
        Style("bullets", "bullet_summary", "the most important points as a list"),
    )
}
"""All of them by name."""

FULL = ("executive", "detailed", "action_items", "key_decisions", "participants", "topics_discussed")
"""The six of transcripts and e-mails, when a configuration names none."""
OF_DOCUMENTS = ("brief", "detailed")
"""Those of documents (PDF)."""
USUAL = ("executive", "participants", "action_items")
"""Those of ``summarize``, when none are named."""

_OTHER_NAMES = {
    "executive_summary": "executive",
    "detailed_summary": "detailed",
    "brief_summary": "brief",
    "topics": "topics_discussed",
    "decisions": "key_decisions",
    "actions": "action_items",
}


def style_named(text: str) -> Style | None:
    """The style a person means, ``None`` for none."""
    name = text.strip().lower().replace("-", "_").replace(" ", "_")
    return STYLES.get(_OTHER_NAMES.get(name, name))


def ask_one(style: Style, text: str) -> str:
    """What is asked for one style."""
    return f"Summarise the text below. Write {style.asked}. Write nothing else.\n\n{_fenced(text)}"


def ask_many(styles: Sequence[Style], text: str) -> str:
    """What is asked for several styles at once."""
    wanted = "\n".join(f"# {style.key}\n{style.asked}" for style in styles)
    return (
        "Summarise the text below in several ways. Begin each with its heading, exactly as it stands here, on a line "
        f"of its own; write nothing before the first heading.\n\n{wanted}\n\n{_fenced(text)}"
    )


def take_apart(reply: str, styles: Sequence[Style]) -> tuple[dict[str, str], list[str]]:
    """The sections of a reply by the key of their style, and the keys of those that are missing or empty.

    A heading is ``# key``, ``## KEY``, ``**Key**:`` or ``KEY:``, alone at the start of a line. What stands before the
    first heading belongs to no style.
    """
    names = {name: style.key for style in styles for name in (style.key, style.name)}
    spelt = "|".join(re.escape(name).replace("_", "[_ ]") for name in sorted(names, key=len, reverse=True))
    heading = re.compile(rf"^[ \t]*(?:#{{1,6}}[ \t]*)?(?:\*\*)?({spelt})(?:\*\*)?[ \t]*:?(?:\*\*)?[ \t]*", re.I | re.M)
    found: dict[str, str] = {}
    marks = [match for match in heading.finditer(reply) if _is_heading(match, reply)]
    for match, following in zip(marks, [*marks[1:], None], strict=True):
        key = names[match[1].lower().replace(" ", "_")]
        text = reply[match.end() : following.start() if following else len(reply)].strip()
        if text and key not in found:
            found[key] = text
    return found, [style.key for style in styles if style.key not in found]


def _is_heading(match: re.Match[str], reply: str) -> bool:
    """Whether it is marked as a heading, by a mark or a colon; words at the start of a sentence are none."""
    marked = "#" in match[0] or "**" in match[0] or ":" in match[0]
    rest = reply[match.end() : match.end() + 1]
    return marked or rest in ("", "\n", "\r")


def _fenced(text: str) -> str:
    return f"<text>\n{text}\n</text>"
