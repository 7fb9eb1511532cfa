"""Ground truth of many documents in one file, and reading whatever file or folder of ground truth there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..files import OURS, now, read_json, shown, stamp, write_json
from ..spent import NOTHING, Spent
from . import check
from .groundtruth import METADATA_KEYS, SUFFIX, GroundTruth, analysis_hash, from_json, normal, use_case_of
from .usecases import USE_CASES

MOST_PROBLEMS = 20


def consolidated_name(use_case: str) -> str:
    """``consolidated_qa_groundtruth.json``."""
    return f"consolidated_{use_case}_groundtruth.json"


def is_consolidated(data: Mapping[str, Any]) -> bool:
    """Whether a file holds many documents."""
    metadata = data.get("metadata")
    return isinstance(metadata, Mapping) and ("consolidated_from" in metadata or "source_files" in metadata)


def consolidated(truths: Sequence[GroundTruth], use_case: str, when: datetime | None = None) -> dict[str, Any]:
    """The content of a consolidated file, documents in the order of their ids.

    The keys that other tools read are as they know them; the document metadata of every kind, every document's own
    criteria, and its provenance are kept beside them.
    """
    truths = sorted(truths, key=lambda truth: truth.id)
    spent = sum((truth.spent for truth in truths), NOTHING)
    criteria = [dict(truth.criteria) for truth in truths]
    analysis: dict[str, Any] = {
        "summaries": {truth.id: dict(truth.summaries) for truth in truths},
        "transcript_metadata": {truth.id: dict(truth.analysis.get("transcript_metadata") or {}) for truth in truths},
        "qa_pairs": {truth.id: truth.analysis["qa_pairs"] for truth in truths if truth.analysis.get("qa_pairs")},
        "evaluation_criteria": criteria[0] if criteria else {},
    }
    for key in METADATA_KEYS[1:]:
        if found := {truth.id: truth.analysis[key] for truth in truths if truth.analysis.get(key)}:
            analysis[key] = found
    return {
        "metadata": {
            "timestamp": stamp(when or now()),
            "consolidated_from": len(truths),
            "source_files": [
                {
                    "transcript_id": truth.id,
                    "file_path": "" if truth.path is None else shown(truth.path),
                    "source_file": truth.source_file,
                    "timestamp": truth.timestamp,
                }
                for truth in truths
            ],
            "total_usage": spent.usage_json(),
            "total_cost": spent.cost_json(),
            OURS: {
                "use_case": use_case,
                "evaluation_criteria": {truth.id: dict(truth.criteria) for truth in truths},
                "documents": {truth.id: {**truth.ours, **_spent_json(truth.spent)} for truth in truths},
            },
        },
        "analysis": analysis,
    }


def write_consolidated(path: Path, truths: Sequence[GroundTruth], use_case: str, *, force: bool = False) -> str:
    """Write the file, unless it says the same already but for its time, or a person has changed it.

    Returns what a person should be told.
    """
    data = consolidated(truths, use_case)
    data["metadata"][OURS]["analysis_sha256"] = analysis_hash(data["analysis"])
    if path.is_file() and not force:
        try:
            before = read_json(path)
            if {**before, "metadata": {**before["metadata"], "timestamp": data["metadata"]["timestamp"]}} == data:
                return ""
            if before["metadata"].get(OURS, {}).get("analysis_sha256", "") != analysis_hash(before["analysis"]):
                return f"{shown(path)} was changed by a person and is left as it is; --force writes it anew"
        except (UsageError, KeyError, TypeError, AttributeError):
            pass  # it is replaced by one that can be read
    write_json(path, data)
    return ""


def read_ground_truth(path: Path) -> list[GroundTruth]:
    """The documents of a file with one or many, or of all such files in a folder, in the order of their ids.

    In a folder the files with one document count; a consolidated one does only where there are none. Raises
    ``UsageError`` with everything that is wrong in a file, one line each.
    """
    if path.is_dir():
        files = sorted(path.rglob(f"*{SUFFIX}")) or sorted(path.rglob("consolidated_*_groundtruth.json"))
        if not files:
            raise UsageError(f"{shown(path)} has no ground truth: no *{SUFFIX}, no {consolidated_name('…')}")
        return _distinct([truth for file in files for truth in read_ground_truth(file)], path)
    data = read_json(path)
    many = is_consolidated(data)
    analysis = data.get("analysis")
    found = list(_consolidated_problems(analysis) if many else check.problems(analysis))
    if not isinstance(data.get("metadata") or {}, Mapping):
        found.append("metadata must be an object")
    if found:
        more = [f"… and {len(found) - MOST_PROBLEMS} more"] if len(found) > MOST_PROBLEMS else []
        raise UsageError("\n".join(f"{shown(path)}: {problem}" for problem in [*found[:MOST_PROBLEMS], *more]))
    return _of_many(data, path) if many else [from_json(data, path)]


def _consolidated_problems(analysis: Any) -> Iterable[str]:
    if not isinstance(analysis, Mapping):
        return ["analysis must be an object"]
    found: list[str] = []
    for key, problems in (("qa_pairs", check.pair_problems), ("summaries", check.summary_problems)):
        by_id = analysis.get(key) or {}
        if not isinstance(by_id, Mapping):
            found.append(f"analysis.{key} must be an object by document, as this file is a consolidated one")
            continue
        for name, value in by_id.items():
            found += problems(value, f"analysis.{key}[{name!r}]")
    for key in METADATA_KEYS:
        by_id = analysis.get(key) or {}
        if not isinstance(by_id, Mapping) or not all(isinstance(value, Mapping) for value in by_id.values()):
            found.append(f"analysis.{key} must be an object of objects by document")
    return [*found, *check.criteria_problems(analysis.get("evaluation_criteria"), "analysis.evaluation_criteria")]


def _of_many(data: Mapping[str, Any], path: Path) -> list[GroundTruth]:
    metadata, analysis = data["metadata"], data["analysis"]
    ours = _box(metadata.get(OURS))
    listed = [_box(each) for each in metadata.get("source_files") or ()]
    sources = {str(each.get("transcript_id")): each for each in listed}
    summaries, pairs = _box(analysis.get("summaries")), _box(analysis.get("qa_pairs"))
    said = use_case_of({"use_case": ours.get("use_case")}, {"qa_pairs": pairs}, path)
    truths = []
    for name in dict.fromkeys((*sources, *summaries, *pairs)):
        source, own = _box(sources.get(name)), dict(_box(_box(ours.get("documents")).get(name)))
        spent = Spent.from_json(own.pop("usage", None), own.pop("cost", None))
        one: dict[str, Any] = {}
        for key in METADATA_KEYS:
            if found := _box(analysis.get(key)).get(name):
                one[key] = found
        if found := summaries.get(name):
            one |= {"summary": found["summary"]} if set(found) == {"summary"} else {"summaries": found}
        if name in pairs:
            one["qa_pairs"] = pairs[name]
        one["evaluation_criteria"] = _box(ours.get("evaluation_criteria")).get(name) or analysis.get(
            "evaluation_criteria", {}
        )
        truths.append(
            GroundTruth(
                id=name,
                use_case=said if said in USE_CASES else "summarization",
                source_file=str(source.get("source_file") or ""),
                analysis=normal(one),
                timestamp=str(source.get("timestamp") or ""),
                spent=spent,
                ours=own,
                path=path,
            )
        )
    return truths


def _distinct(truths: list[GroundTruth], folder: Path) -> list[GroundTruth]:
    """Documents of a folder under ids of their own: equal stems have the folder in theirs."""
    count: dict[tuple[str, str], int] = {}
    for truth in truths:
        key = (truth.id, truth.use_case)
        count[key] = count.get(key, 0) + 1
    found = []
    for truth in truths:
        if count[truth.id, truth.use_case] > 1 and truth.path is not None:
            within = truth.path.parent.relative_to(folder).as_posix()
            found.append(replace(truth, id=truth.id if within == "." else f"{within}/{truth.id}"))
        else:
            found.append(truth)
    return sorted(found, key=lambda truth: (truth.id, truth.use_case))


def _spent_json(spent: Spent) -> dict[str, Any]:
    return {"usage": spent.usage_json(), "cost": spent.cost_json()}


def _box(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
