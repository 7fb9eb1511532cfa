"""A suite that asks an application about the generated documents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from .kinds import Kind

_ASKED = {
    "meetings": "Summarize this meeting: who takes part, what is decided, who does what until when.",
    "emails": "Summarize this e-mail: what it is about, what is asked of whom, and until when.",
    "documents": "Summarize this document.",
}

MOST_WORDS = 400


def draft_suite(kind: Kind, texts: Mapping[str, str]) -> dict[str, Any]:
    """The suite: a case for each document, by file name. What answers have to say is not known: see ``groundtruth``."""
    return {
        "suite": kind.name,
        "description": f"Generated {kind.name}; what answers must say comes with `pytest-evals groundtruth`",
        "target": "echo",
        "defaults": {"status": "draft", "criteria": [{"length": {"max": MOST_WORDS, "unit": "words"}}]},
        "cases": [
            {"id": PurePath(name).stem, "input": _ASKED[kind.name], "context": text.strip()}
            for name, text in texts.items()
        ],
    }
