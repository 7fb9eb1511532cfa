"""Ground truth of one document: what a good answer or summary of it says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...suite.groundtruth import stem_of
from ..files import OURS, sha256_text
from ..spent import NOTHING, Spent
from .usecases import USE_CASES, UseCase

SUFFIX = ".groundtruth.json"
"""The end of a file's name, after the stem and the use case."""

DRAFT, ACCEPTED = "draft", "accepted"


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with the answer that is expected."""

    query: str
    response: str


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """Of one document and one use case."""

    id: str
    """The file's stem, longer where two would be the same; what a consolidated file calls transcript id."""
    use_case: str
    source_file: str
    """The document, as a path from the working directory; empty when a person did not say."""
    analysis: Mapping[str, Any]
    """As the file has it, with ``query`` and ``response`` in every pair."""
    model: str = ""
    prompt: str = ""
    """The whole text that the model was sent."""
    timestamp: str = ""
    num_samples_requested: int | None = None
    spent: Spent = NOTHING
    ours: Mapping[str, Any] = field(default_factory=dict)
    """What other tools do not know: hashes of the source and the question, status, provenance."""
    path: Path | None = None
    """The file it was read from, or will be written to; of a consolidated one that file."""

    @property
    def kind(self) -> UseCase:
        return USE_CASES[self.use_case]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple(Pair(pair["query"], pair["response"]) for pair in self.analysis.get("qa_pairs") or ())

    @property
    def summaries(self) -> Mapping[str, Any]:
        """Texts and lists of texts by field; a ``summary`` that is one text is the field ``summary``."""
        found = dict(self.analysis.get("summaries") or {})
        plain = self.analysis.get("summary")
        return {**found, "summary": plain} if isinstance(plain, str) and plain else found

    @property
    def criteria(self) -> Mapping[str, str]:
        """What a judge looks at, by name."""
        return self.analysis.get("evaluation_criteria") or {}

    @property
    def document(self) -> Mapping[str, Any]:
        """What is said about the document, whatever the key."""
        for key in METADATA_KEYS:
            if self.analysis.get(key):
                return self.analysis[key]  # type: ignore[no-any-return]
        return {}

    @property
    def is_draft(self) -> bool:
        """Whether nobody has looked at it yet; a file that does not say was written, or checked, by a person."""
        return self.ours.get("status") == DRAFT

    def to_json(self) -> dict[str, Any]:
        """The content of its own file."""
        return {
            "metadata": {
                "timestamp": self.timestamp,
                "model": self.model,
                "source_file": self.source_file,
                "use_case": self.use_case,
                "prompt": self.prompt,
                "num_samples_requested": self.num_samples_requested,
                "usage": self.spent.usage_json(),
                "cost": self.spent.cost_json(),
                **({OURS: dict(self.ours)} if self.ours else {}),
            },
            "analysis": dict(self.analysis),
        }


METADATA_KEYS = ("transcript_metadata", "email_metadata", "document_metadata")
"""Of documents of all kinds."""


def analysis_hash(analysis: Mapping[str, Any]) -> str:
    """Tells an analysis that a person has changed from one that was written."""
    return sha256_text(json.dumps(analysis, sort_keys=True, ensure_ascii=True))


def file_name(stem: str, use_case: str) -> str:
    """``standup_meeting.qa.groundtruth.json``."""
    return f"{stem}.{use_case}{SUFFIX}"


def from_json(data: Mapping[str, Any], path: Path) -> GroundTruth:
    """The ground truth of a file with one document. What is wrong in it is said by ``check.problems`` before."""
    metadata: Mapping[str, Any] = data.get("metadata") or {}
    analysis = normal(data["analysis"])
    use_case = use_case_of(metadata, analysis, path)
    return GroundTruth(
        id=stem_of(path.name),
        use_case=use_case,
        source_file=str(metadata.get("source_file") or ""),
        analysis=analysis,
        model=str(metadata.get("model") or ""),
        prompt=str(metadata.get("prompt") or ""),
        timestamp=str(metadata.get("timestamp") or ""),
        num_samples_requested=metadata.get("num_samples_requested"),
        spent=Spent.from_json(metadata.get("usage"), metadata.get("cost")),
        ours=metadata.get(OURS) or {},
        path=path,
    )


def use_case_of(metadata: Mapping[str, Any], analysis: Mapping[str, Any], path: Path) -> str:
    """What the file says; else what its name says, else what it holds."""
    said = metadata.get("use_case")
    if said in USE_CASES:
        return str(said)
    for name in USE_CASES:
        if f".{name}." in path.name or f"_{name}_groundtruth" in path.name:
            return name
    for case in USE_CASES.values():
        if case.metadata_key in analysis and case.metadata_key != "transcript_metadata":
            return case.name
    if analysis.get("qa_pairs"):
        return "rag" if "summary" in analysis else "qa"
    return "summarization"


def normal(analysis: Mapping[str, Any]) -> dict[str, Any]:
    """The analysis with ``query`` and ``response``, where a file says ``question`` and ``answer``."""
    pairs = analysis.get("qa_pairs")
    if not isinstance(pairs, list):
        return dict(analysis)
    return {**analysis, "qa_pairs": [_pair(pair) for pair in pairs]}


def _pair(pair: Mapping[str, Any]) -> dict[str, Any]:
    said = {"question": "query", "answer": "response"}
    return {said.get(key, key) if said.get(key) not in pair else key: value for key, value in pair.items()}
