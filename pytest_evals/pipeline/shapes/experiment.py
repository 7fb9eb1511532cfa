"""Files of experiments: what models said about documents, and what it took."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import UsageError
from ..files import OURS, read_json, sha256_text, shown, stamp
from ..spent import NOTHING, Spent

SUFFIX = ".experiment.json"
CONSOLIDATED = "consolidated_experiments_report.json"

QA, DOCUMENTS_QA, SUMMARIES = "qa_results", "transcript_qa_results", "summarization_results"
"""The keys of ``analysis``, of which a file has one."""

EXCERPT = 500
"""Characters of a document that results repeat."""

THRESHOLD = 0.7
"""Of the similarity from which on an answer passes, as the files note it."""


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What a model said about one document, as the file has it."""

    id: str
    source_file: str
    rows: tuple[Mapping[str, Any], ...]
    """Of ``analysis``: one for a document, or one for each question."""
    spent: Spent = NOTHING
    took_s: tuple[float, ...] = ()
    """For each row, or each question."""
    errors: tuple[str, ...] = ()
    sha256: str = ""
    """Of all that was asked and with which settings: what says the same needs no asking."""


@dataclass(frozen=True, slots=True)
class ExperimentFile:
    """A file of results as it was read."""

    path: Path
    metadata: Mapping[str, Any]
    analysis: Mapping[str, Any]
    ours: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.metadata.get("experiment_name") or self.path.name.removesuffix(SUFFIX))

    @property
    def key(self) -> str:
        """Which kind of results it has. Empty when it has none."""
        return next((key for key in (QA, DOCUMENTS_QA, SUMMARIES) if isinstance(self.analysis.get(key), list)), "")

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [row for row in self.analysis.get(self.key) or () if isinstance(row, Mapping)] if self.key else []

    @property
    def is_part(self) -> bool:
        """Whether it holds one document of an experiment that has a file for all."""
        return "source_item" in self.metadata


def read_experiment(path: Path) -> ExperimentFile:
    """Read a file of results. Raises ``UsageError`` when it is none."""
    data = read_json(path)
    metadata, analysis = data.get("metadata"), data.get("analysis")
    if not isinstance(metadata, Mapping) or not isinstance(analysis, Mapping):
        raise UsageError(f"{shown(path)} is no file of an experiment: it needs 'metadata' and 'analysis'")
    found = ExperimentFile(path, metadata, analysis, metadata.get(OURS) or {})
    if not found.key:
        raise UsageError(f"{shown(path)} has no results: analysis needs one of {QA}, {DOCUMENTS_QA}, {SUMMARIES}")
    return found


def safe_names(names: Sequence[str]) -> dict[str, str]:
    """A file name for each experiment: letters, digits, ``-`` and ``_``. Names that come out alike get a hash."""
    plain = {name: _safe(name) for name in names}
    taken = [safe.lower() for safe in plain.values()]
    return {
        name: safe if safe and taken.count(safe.lower()) == 1 else f"{safe or 'experiment'}-{sha256_text(name)[:6]}"
        for name, safe in plain.items()
    }


def _safe(name: str) -> str:
    kept = re.sub(r"[^A-Za-z0-9 _-]", "", name.replace(".", "_"))
    return re.sub(r" +", "_", kept.strip())[:120]


def part_path(item: ItemResult, safe: str) -> PurePosixPath:
    """Where the file of one document goes, below the output folder: ``meetings/standup.Model.experiment.json``."""
    source = PurePosixPath(item.source_file.replace("\\", "/"))
    parts = source.parts
    if "test_data" in parts and parts.index("test_data") < len(parts) - 2:
        folder = PurePosixPath(*(part for part in parts[parts.index("test_data") + 1 : -1] if part != ".."))
    else:
        name = item.id.lower()
        folder = PurePosixPath("emails" if "email" in name else "meetings" if "meeting" in name else "misc")
    name = re.sub(r"[\\/]+", "-", item.id)  # an id has folders in it where only they tell documents apart
    return folder / f"{name}.{safe}{SUFFIX}"


def to_json(
    facts: Mapping[str, Any],
    key: str,
    items: Sequence[ItemResult],
    when: datetime,
    *,
    more: Mapping[str, Any] | None = None,
    took_s: float | None = None,
) -> dict[str, Any]:
    """The content of a file. ``facts`` are name, type, model and settings; ``more`` comes after what it took.

    Tokens and dollars are those of these items and no others.
    """
    times = [second for item in items for second in item.took_s]
    spent = sum((item.spent for item in items), NOTHING)
    rows = [dict(row) for item in items for row in item.rows]
    metadata = {
        **facts,
        "timestamp": stamp(when),
        "similarity_threshold": THRESHOLD,
        "total_items": len(rows),
        "total_usage": spent.usage_json(),
        "total_cost": spent.cost_json(),
        "errors": [error for item in items for error in item.errors],
        "timing": timing("experiment", "item", times, took_s),
        **(more or {}),
        OURS: {
            "items": {
                item.id: {
                    "sha256": item.sha256,
                    "source_file": item.source_file,
                    "rows": len(item.rows),
                    "usage": item.spent.usage_json(),
                    "cost": item.spent.cost_json(),
                    "took_s": list(item.took_s),
                    "errors": list(item.errors),
                }
                for item in items
            }
        },
    }
    return {"metadata": metadata, "analysis": {key: rows}}


def timing(whole: str, part: str, times: Sequence[float], took_s: float | None = None) -> dict[str, Any]:
    """``total_…_time_seconds`` and, of each part, the times with their mean and ends; seconds to milliseconds."""
    rounded = [round(second, 3) for second in times]
    return {
        f"total_{whole}_time_seconds": round(sum(times) if took_s is None else took_s, 3),
        f"per_{part}_times_seconds": rounded,
        f"average_per_{part}_seconds": round(sum(times) / len(times), 3) if times else 0.0,
        f"max_per_{part}_seconds": max(rounded, default=0.0),
        f"min_per_{part}_seconds": min(rounded, default=0.0),
    }


def items_of(file: ExperimentFile) -> dict[str, ItemResult]:
    """The items of a file that was written here, by id; of other files nothing: they do not say which row is whose."""
    listed = file.ours.get("items")
    if not isinstance(listed, Mapping):
        return {}
    found: dict[str, ItemResult] = {}
    start = 0
    for name, facts in listed.items():
        try:
            end = start + int(facts["rows"])
            found[name] = ItemResult(
                id=name,
                source_file=str(facts["source_file"]),
                rows=tuple(file.rows[start:end]),
                spent=Spent.from_json(facts["usage"], facts["cost"]),
                took_s=tuple(map(float, facts["took_s"])),
                errors=tuple(map(str, facts["errors"])),
                sha256=str(facts["sha256"]),
            )
        except (KeyError, TypeError, ValueError):
            return {}
        start = end
    return found if start == len(file.rows) else {}


def consolidated_json(
    files: Iterable[tuple[str, Mapping[str, Any]]], source: str, folder: str, when: datetime, took_s: float
) -> dict[str, Any]:
    """The report of several experiments: ``files`` are the paths below the folder, and what they hold."""
    entries = []
    whole = NOTHING
    for path, data in files:
        metadata = data["metadata"]
        spent = Spent.from_json(metadata["total_usage"], metadata["total_cost"])
        whole += spent
        entry = {
            "experiment_name": metadata["experiment_name"],
            "experiment_type": metadata["experiment_type"],
            "model": metadata["model"],
            "llm_type": metadata["llm_type"],
            "file_path": path,
            "timestamp": metadata["timestamp"],
            "total_items": metadata["total_items"],
            "usage": spent.usage_json(),
            "cost": spent.cost_json(),
            "individual_files": metadata.get("individual_files", []),
            "consolidated_from": metadata.get("consolidated_from", metadata["total_items"]),
        }
        entries.append(entry)
    return {
        "metadata": {
            "report_type": "consolidated_experiments",
            "timestamp": stamp(when),
            "input_source": source,
            "output_directory": folder,
            "total_experiments": len(entries),
            "total_usage": whole.usage_json(),
            "total_cost": whole.cost_json(),
            "total_execution_time_seconds": round(took_s, 3),
        },
        "experiments": entries,
    }
