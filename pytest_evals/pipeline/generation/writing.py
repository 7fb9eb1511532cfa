"""One document: asked for, checked, asked again where it is at fault, made longer where it is too short."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...errors import TargetError
from ...model.llm import Message
from ..asking.asker import Answer, Talk
from ..shapes.testdata import estimated_tokens
from .checks import cleaned, wrong_with
from .kinds import DocumentType, Kind
from .prompts import again_prompt, longer_prompt, prompt_for

ENOUGH = 0.8
"""The share of the target below which a text is made longer, once."""

Rival = Callable[[str], str]
"""The name of another document that says nearly the same as a text."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A document that is wanted."""

    kind: Kind
    type: DocumentType
    number: int
    """Of those of its type, from 1."""
    target_tokens: int
    name: str
    """The file's, without its suffix."""

    @property
    def prompt(self) -> str:
        return prompt_for(self.kind, self.type, self.number, self.target_tokens)


@dataclass(frozen=True, slots=True)
class Written:
    """A document that was made."""

    text: str
    notes: tuple[str, ...] = ()
    """What a reader should know: shorter than asked for, written twice."""


async def write(talk: Talk, wish: Wish, rival: Rival) -> Written:
    """Make a document. Raises ``TargetError`` for one that is still at fault when it was asked again."""
    asked: list[Message] = [_user(wish.prompt)]
    answer = await talk.ask(asked, trial=wish.number)
    text, notes = cleaned(answer.text), []
    if wrong := _wrong(wish, text, rival):
        again = [*asked, _model(answer), _user(again_prompt(wrong))]
        answer = await talk.ask(again, trial=wish.number)
        text = cleaned(answer.text)
        if still := _wrong(wish, text, rival):
            raise TargetError(f"{talk.spec.name} was asked twice, but what it wrote cannot be used: {still}")
        asked = again
        notes.append(f"written twice: at first {wrong}")
    if answer.cut_off:
        text = _whole_lines(text)
    tokens = estimated_tokens(text)
    if tokens < ENOUGH * wish.target_tokens:
        more = _user(longer_prompt(wish.kind, wish.target_tokens - tokens))
        answer = await talk.ask([*asked, _said(text), more], trial=wish.number)
        longer = f"{text}\n{_whole_lines(cleaned(answer.text)) if answer.cut_off else cleaned(answer.text)}"
        # what goes on with a fault is worse than what is too short
        text = text if _wrong(wish, longer, rival) else longer
        tokens = estimated_tokens(text)
    if tokens < ENOUGH * wish.target_tokens:
        notes.append(f"short: about {tokens} of {wish.target_tokens} tokens")
    return Written(text, tuple(notes))


def _wrong(wish: Wish, text: str, rival: Rival) -> str:
    if found := wrong_with(wish.kind.name, text):
        return found
    twin = rival(text)
    return f"it says nearly the same as {twin}" if twin else ""


def _whole_lines(text: str) -> str:
    """A text that was cut off, without its broken last line."""
    head, newline, _ = text.rpartition("\n")
    return head.rstrip() if newline else text


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _model(answer: Answer) -> Message:
    return _said(answer.text or "(nothing)")


def _said(text: str) -> Message:
    return {"role": "assistant", "content": text}
