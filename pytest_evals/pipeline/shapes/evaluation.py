"""Files of evaluations: how answers were rated, and what that comes to. All figures are worked out here."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ...model.rating import distribution, grade, overall
from ..files import OURS, stamp
from ..spent import NOTHING, Spent
from .experiment import timing

SUFFIX = ".experiment.eval.json"
"""The end of a file's name, after that of the experiment."""
ENDS = ".eval.json"

OVERVIEW = ("overall_analysis", "strengths", "weaknesses", "recommendations", "use_case_fit")
"""What a model writes about the whole. No figure is taken from it."""


@dataclass(frozen=True, slots=True)
class Rated:
    """One answer, or the summaries of one document, as a judge rated it."""

    id: str
    ratings: Mapping[str, tuple[str, str]]
    """Word and reason of each criterion; empty where there is none."""
    spent: Spent = NOTHING
    took_s: float = 0.0
    error: str = ""
    """Why it could not be judged, or why there was no answer."""
    reply: str = ""
    """What a judge said whose reply was no verdict."""
    source_file: str = ""
    query: str = ""
    expected: str | None = None
    answer: str | None = None
    passed: bool | None = None
    """Of an answer to a question."""
    similarity: float | None = None
    quality: float | None = None
    reason: str = ""

    @property
    def words(self) -> list[str]:
        return [word for word, _ in self.ratings.values()]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is in the file of an evaluation."""

    name: str
    """Of the experiment."""
    kind: str
    """``qa`` or ``summarization``."""
    judge: str
    tested: Mapping[str, Any]
    """The metadata of the experiment."""
    results_file: str
    truth_file: str | None
    items: tuple[Rated, ...]
    threshold: float = 0.7
    comparative: bool = True
    overview: Mapping[str, Any] = field(default_factory=dict)
    overview_spent: Spent = NOTHING
    took_s: float = 0.0
    inference: Spent = NOTHING
    """What the answers cost."""
    unanswered: tuple[str, ...] = ()
    ours: Mapping[str, Any] = field(default_factory=dict)

    @property
    def spent(self) -> Spent:
        """What judging cost, without the words about the whole."""
        return sum((item.spent for item in self.items), NOTHING)

    def to_json(self, when: datetime) -> dict[str, Any]:
        """The content of the file."""
        times = [item.took_s for item in self.items]
        per_item = [_question(item, self.threshold) for item in self.items]
        if self.kind != "qa":
            per_item = [_summary(item, index) for index, item in enumerate(self.items)]
        part = "question" if self.kind == "qa" else "summary"
        whole = timing("processing", part, times, sum(times))
        total = self.spent + self.overview_spent
        return {
            "metadata": {
                "timestamp": stamp(when),
                "evaluator_model": self.judge,
                "tested_model": self.tested.get("model", ""),
                "tested_model_type": self.tested.get("llm_type", ""),
                "tested_model_inference": self.tested.get("inference_type", "unknown"),
                "original_results_file": self.results_file,
                "groundtruth_file": self.truth_file,
                "report_generation_time_seconds": round(self.took_s, 3),
                OURS: {
                    **self.ours,
                    "experiment_name": self.name,
                    "kind": self.kind,
                    "comparative": self.comparative,
                    "unanswered": list(self.unanswered),
                    "inference": {"usage": self.inference.usage_json(), "cost": self.inference.cost_json()},
                    "inference_timing": dict(_box(self.tested.get("timing"))),
                },
            },
            "overall_analysis": self.overview.get("overall_analysis", ""),
            "strengths": list(self.overview.get("strengths", ())),
            "weaknesses": list(self.overview.get("weaknesses", ())),
            "recommendations": list(self.overview.get("recommendations", ())),
            "use_case_fit": self.overview.get("use_case_fit", ""),
            "per_question": per_item,
            "overall_rating": overall_rating(self.kind, self.items, self.threshold),
            "timing": whole,
            "overall_usage": self.overview_spent.usage_json(),
            "overall_cost": self.overview_spent.cost_json(),
            "overall_processing_time_seconds": float(self.overview.get("took_s", 0.0)),
            "total_usage": total.usage_json(),
            "total_cost": total.cost_json(),
        }


def overall_rating(kind: str, items: Sequence[Rated], threshold: float) -> dict[str, Any]:
    """The word for the whole, and the figures behind it. Items that could not be judged count as errors."""
    errors = sum(bool(item.error) for item in items)
    if kind == "qa":
        return _qa_rating(items, errors, threshold)
    words = [overall(item.words) for item in items if item.ratings]
    counts = distribution(words)
    rating = overall(words)
    value = grade(words)
    good = counts["excellent"] + counts["good"]
    said = f"{len(words)} of {len(items)} summaries judged, {good} of them good or excellent"
    return {
        "rating": rating or "error",
        "explanation": said,
        "metrics": {
            "total_summaries": len(items),
            **{f"{word}_count": counts[word] for word in ("excellent", "good", "fair", "poor")},
            "error_count": errors,
            "quality_score": None if value is None else round(value, 2),
        },
    }


def _qa_rating(items: Sequence[Rated], errors: int, threshold: float) -> dict[str, Any]:
    judged = [item for item in items if item.passed is not None]
    passed = sum(bool(item.passed) for item in judged)
    rate = passed / len(items) if items else 0.0
    likeness = [item.similarity for item in judged if item.similarity is not None]
    rating = overall([word for item in judged for word in item.words]) if judged else None
    missing = f", {errors} could not be judged" if errors else ""
    return {
        "rating": rating or "error",
        "explanation": f"{passed} of {len(items)} answers passed{missing}",
        "metrics": {
            "num_questions": len(items),
            "similarity_threshold": threshold,
            "num_passed": passed,
            "num_failed": len(judged) - passed,
            "pass_rate": rate,
            "accuracy": rate,
            "accuracy_percentage": round(rate * 100, 2),
            "mean_similarity": statistics.fmean(likeness) if likeness else None,
            "median_similarity": statistics.median(likeness) if likeness else None,
            "min_similarity": min(likeness, default=None),
            "max_similarity": max(likeness, default=None),
            "std_similarity": statistics.pstdev(likeness) if likeness else None,
            "error_count": errors,
        },
    }


def _took(item: Rated) -> dict[str, Any]:
    found: dict[str, Any] = {
        "usage": item.spent.usage_json(),
        "cost": item.spent.cost_json(),
        "processing_time_seconds": round(item.took_s, 3),
    }
    if item.error:
        found["error"] = item.error
    if item.reply:
        found["raw_response"] = item.reply
    return found | {OURS: {"id": item.id}}


def _summary(item: Rated, index: int) -> dict[str, Any]:
    word = overall(item.words) or "error"
    analysis = {name: {"rating": rating, "explanation": why} for name, (rating, why) in item.ratings.items()}
    return {
        "summary_index": index,
        "source_file": item.source_file,
        "analysis": {**analysis, "overall_quality": word},
        "overall_quality": word,
        **_took(item),
    }


def _question(item: Rated, threshold: float) -> dict[str, Any]:
    ratings = {name: {"rating": rating, "explanation": why} for name, (rating, why) in item.ratings.items()}
    points = {"excellent": 4, "good": 3, "fair": 2, "poor": 1}
    details = [f"{name}: {rating} ({points.get(rating, 1)}/4)" for name, (rating, _) in item.ratings.items()]
    return {
        **ratings,
        "qa_inputs": {
            "query": item.query,
            "ground_truth": item.expected,
            "response": item.answer,
            "similarity": item.similarity,
            "threshold": threshold,
            "is_pass": item.passed,
            "pass_fail": "error" if item.passed is None else "pass" if item.passed else "fail",
            "criteria": "comprehensive" if item.ratings else "similarity_only",
            "reasoning": item.reason or item.error,
            "scores": {
                "similarity": item.similarity,
                "qualitative_normalized": item.quality,
                "qualitative_details": details,
            },
        },
        **_took(item),
    }


def _box(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
