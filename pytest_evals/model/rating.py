"""Rating words and what is worked out from them: grades, bands, the word for a whole, and the rule for Q&A.

All of it is arithmetic on the words of a judge or a person. No model has a say in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import floor, fsum
from typing import Any

from .score import TOLERANCE

POINTS: Mapping[str, int] = {"excellent": 4, "good": 3, "fair": 2, "poor": 1}
"""The rating words, the best first, and what each counts."""

BANDS: Mapping[str, int] = {"excellent": 85, "good": 67, "fair": 34, "poor": 0}
"""From which whole grade on each word holds."""

MOST = 70
"""Percent of the ratings that must be of a word, or better, for the whole to be called so."""

SUMMARY_CRITERIA = (
    "executive_summary_quality",
    "detail_completeness",
    "action_items_structure",
    "key_decisions_clarity",
    "participant_information",
    "topic_organization",
)
"""What summaries are rated by."""

DOCUMENT_CRITERIA = ("brief_summary_quality", "detail_completeness")
"""What summaries of documents (PDF) are rated by."""

QA_WEIGHTS: Mapping[str, float] = {"correctness": 0.4, "completeness": 0.3, "conciseness": 0.15, "relevance": 0.15}
"""What answers to questions are rated by, and what each counts."""

QA_SIMILARITY = 0.7
"""The similarity from which on an answer to a question passes, unless another is asked for."""

QA_QUALITY = 0.6
"""The weighted rating from which on an answer to a question passes."""

OLD_NAMES: Mapping[str, str] = {
    "executive_summary_accuracy": "executive_summary_quality",
    "completeness": "detail_completeness",
    "action_items_accuracy": "action_items_structure",
    "key_decisions_accuracy": "key_decisions_clarity",
    "participant_identification": "participant_information",
    "topic_coverage": "topic_organization",
}
"""Names that older result files have for the criteria of summaries."""


def points(word: object) -> int | None:
    """What a rating word counts, 4 to 1; ``None`` for what is none."""
    return POINTS.get(word.strip().lower()) if isinstance(word, str) else None


def named_now(ratings: Mapping[str, Any]) -> dict[str, Any]:
    """Ratings by the present names of their criteria.

    ``completeness`` is an old name only beside others of summaries: it is a criterion of answers to questions, too.
    """
    others = (OLD_NAMES.keys() | {*SUMMARY_CRITERIA}) - {"completeness"}
    if not others & ratings.keys():
        return dict(ratings)
    return {OLD_NAMES.get(name, name): rating for name, rating in ratings.items()}


def grade(words: Iterable[object]) -> float | None:
    """The grade of ratings, 0 (all poor) to 100 (all excellent): ``(mean − 1) · 100 / 3``.

    What is no rating word is left out; ``None`` when nothing is left.
    """
    counted = [number for number in map(points, words) if number is not None]
    return (fsum(counted) / len(counted) - 1) * 100 / 3 if counted else None


def band(value: float | None) -> str | None:
    """The word for a grade: excellent from 85 on, good from 67, fair from 34, else poor.

    Bands begin at whole grades, so the grade is rounded first: all good is 66.67, which is good.
    """
    if value is None:
        return None
    return next(word for word, least in BANDS.items() if floor(value + 0.5) >= least)


def distribution(words: Iterable[object]) -> dict[str, int]:
    """How often each rating word was given, the best first; ``none`` counts what is no rating word."""
    counted = Counter(points(word) for word in words)
    return {word: counted[number] for word, number in POINTS.items()} | {"none": counted[None]}


def overall(words: Iterable[object]) -> str | None:
    """The word for a whole: the best one that at least 70 % of the ratings reach, else poor; ``None`` of no ratings."""
    counts = distribution(words)
    total = sum(counts[word] for word in POINTS)
    reached = 0
    for word in POINTS:
        reached += counts[word]
        if total and 100 * reached >= MOST * total:
            return word
    return None


def usual(words: Iterable[object]) -> str | None:
    """The most frequent rating word; of equally frequent ones the first that was given. ``None`` of no ratings."""
    known = [word.strip().lower() for word in words if isinstance(word, str) and points(word) is not None]
    return Counter(known).most_common(1)[0][0] if known else None


def weakest(by_criterion: Mapping[str, Iterable[object]]) -> str | None:
    """The criterion with the lowest grade, the first of equals; ``None`` where nothing is rated or all are equal."""
    grades = {name: value for name, words in by_criterion.items() if (value := grade(words)) is not None}
    if not grades or max(grades.values()) - min(grades.values()) < TOLERANCE:
        return None
    return min(grades, key=grades.__getitem__)


def ratings_in(detail: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What a judge rated in words, by the detail of its score: the name of each criterion of the judge, and the word.

    Empty for a score that is not made of rating words.
    """
    parts = detail.get("criteria")
    if "rating" not in detail or not isinstance(parts, Mapping):
        return ()
    given = ((str(name), part.get("given")) for name, part in parts.items() if isinstance(part, Mapping))
    words = ((name, word.strip().lower()) for name, word in given if isinstance(word, str))
    return tuple((name, word) for name, word in words if word in POINTS)


def grade_of(counts: Mapping[str, int]) -> float | None:
    """The grade of rating words by how often each was given."""
    return grade(Counter(counts).elements())


@dataclass(frozen=True, slots=True)
class QaVerdict:
    """Whether an answer to a question passes, and what that rests on."""

    passed: bool
    similarity: float | None
    """Of the words of answer and expected output; ``None`` without an expected output."""
    quality: float | None
    """The weighted rating, 0.25 (all poor) to 1; ``None`` without ratings."""
    reason: str


def qa_verdict(
    ratings: Mapping[str, object] | None, similarity: float | None, threshold: float = QA_SIMILARITY
) -> QaVerdict:
    """Whether an answer passes: similar enough, or rated well enough and its correctness at least fair.

    An answer whose correctness is poor never passes. Weights are those of ``QA_WEIGHTS``, over the criteria that are
    rated; a word that is no rating word counts as poor. Without ratings similarity alone decides.
    """
    similar = similarity is not None and similarity >= threshold - TOLERANCE
    rated = {name: points(ratings[name]) or 1 for name in QA_WEIGHTS if name in ratings} if ratings else {}
    alike = "" if similarity is None else f"similarity {similarity:.2f}, "
    if not rated:
        return QaVerdict(similar, similarity, None, f"{alike}not rated")
    weight = fsum(QA_WEIGHTS[name] for name in rated)
    quality = fsum(QA_WEIGHTS[name] * number / 4 for name, number in rated.items()) / weight
    correct = rated.get("correctness", 1)
    well = quality >= QA_QUALITY - TOLERANCE and correct >= POINTS["fair"]
    poor = "correctness" in rated and correct == POINTS["poor"]
    reason = f"{alike}quality {quality:.2f}" + (", correctness poor" if poor else "")
    return QaVerdict(not poor and (similar or well), similarity, quality, reason)
