"""From what a model replied to an analysis, or to what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...scoring.fences import fenced
from ..shapes import check
from ..shapes.groundtruth import normal
from ..shapes.usecases import UseCase

EVIDENCE = "evidence"
"""The key of a pair in a reply under which it quotes the document."""


class UnusableReplyError(Exception):
    """A reply that is no ground truth; the message says why, as a part of a sentence."""


def _object_in(text: str) -> dict[str, Any]:
    """The JSON object that a reply is, or has between marks of code or other text. Nothing is repaired."""
    first, last = text.find("{"), text.rfind("}")
    for piece in (text, *(block.text for block in fenced(text)), text[first : last + 1]):
        try:
            found = json.loads(piece)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise UnusableReplyError("it holds no JSON object")


def analysis_of(text: str, case: UseCase, pairs: int | None, source: str) -> tuple[dict[str, Any], list[str]]:
    """The analysis in a reply, its keys in the order of the format, and what each pair quotes.

    Raises ``UnusableReplyError``.
    """
    data = _object_in(text)
    if isinstance(data.get("analysis"), Mapping):
        data = data["analysis"]
    wrong = list(check.problems(data, "it"))
    if not wrong:
        data = normal(data)
        wrong = list(check.missing(data, case, pairs))
    if wrong:
        raise UnusableReplyError("; ".join(wrong[:3]))
    quotes = [str(pair.get(EVIDENCE) or "") for pair in data.get("qa_pairs") or ()]
    found: dict[str, Any] = {"source": source}
    if case.plain_summary:
        found["summary"] = data["summary"]
    if case.metadata_key:
        found[case.metadata_key] = dict(data.get(case.metadata_key) or {})
    if case.summary_fields:
        found["summaries"] = {
            name: data["summaries"].get(name, [] if name in case.list_fields else "") for name in case.summary_fields
        }
    if pairs:
        found["qa_pairs"] = [{"query": pair["query"], "response": pair["response"]} for pair in data["qa_pairs"]]
    if case.criteria:
        found["evaluation_criteria"] = {
            name: str(value) for name, value in (data.get("evaluation_criteria") or {}).items()
        }
    return found, quotes
