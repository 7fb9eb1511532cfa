"""A suite over the ground truth of a folder."""

from __future__ import annotations

from typing import Any

from ..shapes.usecases import UseCase

_CRITERIA: dict[str, list[Any]] = {
    "qa": ["tfidf_similarity"],
    "rag": ["tfidf_similarity"],
    "email": ["rouge"],
    "summarization": ["rouge"],
    "pdf": ["rouge"],
}


def draft_suite(case: UseCase, consolidated: str) -> dict[str, Any]:
    """The suite: the consolidated file as a data set, whose rows are drafts as long as the file says so."""
    return {
        "suite": f"groundtruth-{case.name}",
        "description": "Ground truth that a model wrote",
        "target": "echo",
        "cases": [{"file": consolidated, "criteria": _CRITERIA[case.name]}],
    }
