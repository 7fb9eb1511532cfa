"""The five things ground truth is made for, and what a file of each must hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UseCase:
    """What an analysis has."""

    name: str
    metadata_key: str = ""
    """The key about the document; empty: there is none."""
    metadata_fields: tuple[str, ...] = ()
    summary_fields: tuple[str, ...] = ()
    """Of ``summaries``; empty: there are none."""
    list_fields: frozenset[str] = frozenset()
    """Those of them that are lists of texts."""
    pairs: int | None = None
    """How many pairs of question and answer: a fixed number, as many as asked for (0), or none."""
    criteria: tuple[str, ...] = ()
    """Of ``evaluation_criteria``: what a judge looks at, in a sentence each."""
    plain_summary: bool = False
    """Whether there is a ``summary`` that is one text."""


_TRANSCRIPT = ("estimated_duration", "participant_count", "meeting_type")
_LISTS = frozenset(
    {"action_items", "key_decisions", "participants", "topics_discussed", "key_points", "decisions_mentioned"}
)

USE_CASES: Mapping[str, UseCase] = {
    case.name: case
    for case in (
        UseCase(
            "summarization",
            "transcript_metadata",
            _TRANSCRIPT,
            (
                *("executive_summary", "detailed_summary", "action_items"),
                *("key_decisions", "participants", "topics_discussed"),
            ),
            _LISTS,
            criteria=("summary_completeness", "summary_accuracy", "relevance", "structure"),
        ),
        UseCase(
            "qa",
            "transcript_metadata",
            _TRANSCRIPT,
            pairs=0,
            criteria=("qa_accuracy", "relevance", "completeness"),
        ),
        UseCase(
            "email",
            "email_metadata",
            ("email_type", "sender_role", "recipient_type", "urgency_level"),
            (
                *("executive_summary", "detailed_summary", "key_points", "action_items", "decisions_mentioned"),
                *("follow_up_required", "key_decisions", "participants", "topics_discussed"),
            ),
            _LISTS,
            pairs=5,
            criteria=(
                *("summary_completeness", "summary_accuracy", "relevance"),
                *("context_understanding", "action_identification"),
            ),
        ),
        UseCase(
            "pdf",
            "document_metadata",
            ("document_type", "estimated_pages", "primary_topic", "complexity_level"),
            ("brief_summary", "detailed_summary"),
            criteria=(
                *("summary_completeness", "summary_accuracy", "relevance"),
                *("technical_understanding", "structure_preservation"),
            ),
        ),
        UseCase("rag", pairs=0, plain_summary=True),
    )
}
"""By name, as ``--use-case`` takes them."""

DEFAULT = "summarization"

WRITTEN_LATER = frozenset({"key_decisions", "participants", "topics_discussed"})
"""Of e-mails: what the six criteria of a summary go by, and files of other tools do not have."""
