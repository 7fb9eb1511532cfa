"""What a model is asked for."""

from __future__ import annotations

from .checks import HEADINGS
from .kinds import SETTINGS, DocumentType, Kind

_CHARACTERS = 4
"""Of a token, as its length is estimated."""

_RULES = {
    "meetings": (
        "Write the transcript of a meeting: a title line, a line 'Date: …', a line 'Participants: …' with names and "
        "roles, then nothing but what people say, one line for each contribution, beginning with the speaker's name "
        "and a colon. Things that are decided, promised and left open come up in what people say, with owners and "
        "dates. Do not sum anything up: no section such as {headings}, no closing remarks of a note taker."
    ),
    "emails": (
        "Write an e-mail: the lines 'From: …', 'To: …', 'Subject: …' and 'Date: …', a blank line, then the text with "
        "greeting and signature. It holds facts that can be asked for: numbers, names, dates, requests."
    ),
    "documents": (
        "Write a document: a title in a line that begins with '# ', sections under lines that begin with '## ', "
        "paragraphs and short lists below them. It holds facts that can be asked for: numbers, names, dates, rules."
    ),
}


def prompt_for(kind: Kind, wanted: DocumentType, number: int, target_tokens: int) -> str:
    """The question for one document; ``number`` tells those of one type apart, from 1."""
    position = list(kind.types).index(wanted.name)
    # types are eight apart from each other within the settings: the first three of each have one of their own
    setting = SETTINGS[(position + len(kind.types) * (number - 1)) % len(SETTINGS)]
    rules = _RULES[kind.name].format(headings=", ".join(repr(heading.title()) for heading in HEADINGS[:6]))
    lines = [
        rules,
        "",
        f"Type: {wanted.name} ({wanted.description})",
        f"Setting: {setting}",
        f"Number: {number}, so that names, subject and facts are others than in numbers before",
        f"Length: about {target_tokens} tokens, which is {target_tokens * _CHARACTERS} characters",
    ]
    if people := wanted.about.get("participants"):
        lines += [
            f"Participants: people in roles like those of {', '.join(people)}, with names of your own",
            f"Duration: {wanted.about['estimated_duration_minutes']} minutes",
        ]
    if senders := wanted.about.get("sender_roles"):
        lines += [
            f"Sender: one of {', '.join(senders)}",
            f"Recipient: one of {', '.join(wanted.about['recipient_types'])}",
        ]
    return "\n".join([*lines, "", "Reply with the text alone."])


def longer_prompt(kind: Kind, missing_tokens: int) -> str:
    """What is asked when a text is too short."""
    return (
        f"That is too short by about {missing_tokens} tokens. Continue it from where it ends, in the same form, with "
        f"new content and without repeating anything of the {kind.noun}. Reply with what comes after it alone."
    )


def again_prompt(wrong: str) -> str:
    """What is asked when a text cannot be used."""
    return f"That cannot be used: {wrong}. Write the whole text again without that fault. Reply with the text alone."
