"""The ground truth of one document: asked for, checked, asked again where it is at fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import TargetError
from ...model.llm import Message
from ..asking.asker import Talk
from ..shapes.usecases import UseCase
from .prompts import again_prompt, with_document
from .provenance import provenance
from .reply import UnusableReplyError, analysis_of


@dataclass(frozen=True, slots=True)
class Found:
    """What a model says about a document."""

    analysis: dict[str, Any]
    provenance: dict[str, Any]
    notes: tuple[str, ...] = ()


async def write(talk: Talk, case: UseCase, pairs: int | None, prompt: str, text: str, source: str) -> Found:
    """Ask for the ground truth of a text. Raises ``TargetError`` for a reply that is still at fault the second time."""
    asked: list[Message] = [{"role": "user", "content": with_document(prompt, text)}]
    answer = await talk.ask(asked)
    try:
        analysis, quotes = analysis_of(answer.text, case, pairs, source)
        return Found(analysis, provenance(analysis, quotes, text))
    except UnusableReplyError as error:
        wrong = str(error)
        if answer.cut_off:
            wrong = "it is cut off by the limit of its length: be shorter"
    again = [
        *asked,
        {"role": "assistant", "content": answer.text or "(nothing)"},
        {"role": "user", "content": again_prompt(wrong)},
    ]
    answer = await talk.ask(again)
    try:
        analysis, quotes = analysis_of(answer.text, case, pairs, source)
    except UnusableReplyError as error:
        cut = "; it is cut off: allow more with --max-tokens" if answer.cut_off else ""
        raise TargetError(f"{talk.spec.name} was asked twice, but its reply cannot be used: {error}{cut}") from None
    return Found(analysis, provenance(analysis, quotes, text), (f"asked twice: at first {wrong}",))
