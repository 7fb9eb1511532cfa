"""Evaluations as they are read back, of this package or another tool, and the report of all of a folder."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ...model.rating import distribution, named_now, usual
from ..files import OURS, fingerprint, read_json, sha256_file, shown, stamp
from ..spent import NOTHING, Spent
from .evaluation import ENDS

CONSOLIDATED = "consolidated_evaluations_report.json"


@dataclass(frozen=True, slots=True)
class EvaluationFile:
    """A file of an evaluation as it was read, of this package or another tool."""

    path: Path
    data: Mapping[str, Any]

    @property
    def metadata(self) -> Mapping[str, Any]:
        return _box(self.data.get("metadata"))

    @property
    def ours(self) -> Mapping[str, Any]:
        return _box(self.metadata.get(OURS))

    @property
    def name(self) -> str:
        """Of the experiment."""
        return str(self.ours.get("experiment_name") or self.path.name.removesuffix(ENDS).removesuffix(".experiment"))

    @property
    def model(self) -> str:
        return str(self.metadata.get("tested_model") or self.name)

    @property
    def items(self) -> list[Mapping[str, Any]]:
        return [item for item in self.data.get("per_question") or () if isinstance(item, Mapping)]

    @property
    def kind(self) -> str:
        """``qa`` or ``summarization``."""
        said = self.ours.get("kind")
        return str(said) if said else "qa" if any("qa_inputs" in item for item in self.items) else "summarization"

    def ratings(self) -> dict[str, list[str]]:
        """The words of each criterion over all items, by its present name."""
        found: dict[str, list[str]] = {}
        for item in self.items:
            given = _box(item.get("analysis")) if self.kind != "qa" else item
            words = {n: r["rating"] for n, r in given.items() if isinstance(r, Mapping) and "rating" in r}
            for name, word in named_now(words).items() if self.kind != "qa" else words.items():
                found.setdefault(name, []).append(str(word))
        return found

    @property
    def verdicts(self) -> list[bool | None]:
        """Whether each answer to a question passed; ``None`` where that is not known."""
        said = [_box(item.get("qa_inputs")).get("is_pass") for item in self.items]
        return [verdict if isinstance(verdict, bool) else None for verdict in said]

    @property
    def errors(self) -> int:
        """Items without a rating and without a verdict."""
        return sum(bool(item.get("error")) for item in self.items)

    @property
    def judged(self) -> Spent:
        return Spent.from_json(self.data.get("total_usage"), self.data.get("total_cost"))

    @property
    def inference(self) -> Spent:
        """What the answers cost; unknown in files of other tools, which have it in those of the experiments."""
        box = _box(self.ours.get("inference"))
        return Spent.from_json(box.get("usage"), box.get("cost"))

    @property
    def latencies_s(self) -> list[float]:
        """Seconds an answer took, as the experiment tells."""
        timing = _box(self.ours.get("inference_timing"))
        times = timing.get("per_item_times_seconds")
        return [float(s) for s in times if isinstance(s, (int, float))] if isinstance(times, list) else []


def read_evaluation(path: Path) -> EvaluationFile:
    """Read a file of an evaluation. Raises ``UsageError`` when it is none."""
    found = EvaluationFile(path, read_json(path))
    if not found.metadata or not isinstance(found.data.get("per_question"), list):
        raise UsageError(f"{shown(path)} is no file of an evaluation: it needs 'metadata' and 'per_question'")
    return found


def find_evaluations(folder: Path) -> list[EvaluationFile]:
    """The evaluations of a folder and those below it, in the order of their paths. Raises ``UsageError``.

    That of a single document is left out where there is one of the whole experiment.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {shown(folder)}; make evaluations with pytest-evals eval")
    found = [read_evaluation(path) for path in sorted(folder.rglob(f"*{ENDS}"))]
    wholes = {(each.kind, each.path.name) for each in found if each.path.parent == folder}
    return [each for each in found if not _is_part(each, wholes, folder)]


def _is_part(file: EvaluationFile, wholes: set[tuple[str, str]], folder: Path) -> bool:
    """``meetings/standup.Model.experiment.eval.json``, where ``Model.experiment.eval.json`` is beside the folder."""
    if file.path.parent == folder or file.path.name.count(".") < 4:
        return False
    rest = file.path.name.partition(".")[2]
    return any(rest == name or rest.endswith(f".{name}") for kind, name in wholes if kind == file.kind)


def consolidated_json(
    files: Iterable[EvaluationFile], folder: Path, experiments: str, when: datetime, created: str = ""
) -> dict[str, Any]:
    """The report of all evaluations of a folder: the same entries in the same order, however they came to be there."""
    entries, listed = [], []
    whole = NOTHING
    for file in files:
        path = file.path.relative_to(folder).as_posix()
        whole += file.judged
        times = file.latencies_s
        entry = {
            "experiment_name": file.path.name.removesuffix(ENDS),
            "file_path": path,
            "timestamp": file.metadata.get("timestamp", ""),
            "evaluator_model": file.metadata.get("evaluator_model", ""),
            "tested_model": file.metadata.get("tested_model", ""),
            "tested_model_type": file.metadata.get("tested_model_type", ""),
            "tested_model_inference": file.metadata.get("tested_model_inference", "unknown"),
            "original_results_file": file.metadata.get("original_results_file", ""),
            "overall_rating": file.data.get("overall_rating"),
            "usage": file.judged.usage_json(),
            "cost": file.judged.cost_json(),
            "inference_cost": file.inference.cost_json(),
            "inference_usage": file.inference.usage_json(),
            "inference_type": file.metadata.get("tested_model_inference", "unknown"),
            "performance": {
                "total_time_seconds": round(sum(times), 3),
                "avg_latency_seconds": round(statistics.fmean(times), 3) if times else 0.0,
                "min_latency_seconds": min(times, default=0.0),
                "max_latency_seconds": max(times, default=0.0),
            },
            "aspect_summary": {
                name: {
                    "most_common_rating": usual(words),
                    "rating_distribution": {word: n for word, n in distribution(words).items() if n},
                }
                for name, words in file.ratings().items()
            },
            "avg_processing_time_seconds": _box(file.data.get("timing")).get(
                "average_per_question_seconds", _box(file.data.get("timing")).get("average_per_summary_seconds", 0.0)
            ),
        }
        entries.append(entry)
        listed.append(
            {
                "file_path": path,
                "added_at": file.metadata.get("timestamp", ""),
                "last_modified": file.metadata.get("timestamp", ""),
                "fingerprint": fingerprint(file.path),
                "sha256": sha256_file(file.path),
            }
        )
    return {
        "metadata": {
            "report_type": "consolidated_evaluations",
            "created_at": created or when.isoformat(),
            "last_updated": when.isoformat(),
            "timestamp": stamp(when),
            "experiment_directory": experiments,
            "output_directory": shown(folder),
            "total_evaluations": len(entries),
            "total_usage": whole.usage_json(),
            "total_cost": whole.cost_json(),
            "evaluation_files": listed,
        },
        "evaluations": entries,
    }


def _box(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
