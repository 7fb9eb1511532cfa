"""Several judges: what each says, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from ...model.rating import QaVerdict, band, grade, overall
from ...model.score import TOLERANCE, Score, reaches
from ...model.text import one_line
from .scales import Scale
from .verdict import Scored

COMBINE = ("mean", "median", "majority")
"""How the scores of several judges become one."""


@dataclass(frozen=True, slots=True)
class Voice:
    """What one judge says of an answer."""

    model: str
    value: float
    """0 to 1, worked out of its scores."""
    scores: tuple[Scored, ...]
    overview: Mapping[str, Any] | None = None
    qa: QaVerdict | None = None
    """Of a question's answer: whether it passes."""


def put_together(voices: Sequence[Voice], scale: Scale, how: str, mark: float) -> Score:
    """The score of all judges, with what each of them said where there are several.

    ``mean`` and ``median`` are those of the judges' scores. For ``majority`` each judge votes whether its own score
    reaches the ``mark``: more than half of the votes make 1, else the score is 0.
    """
    values = [voice.value for voice in voices]
    votes = [reaches(value, mark) for value in values]
    criteria = _criteria(voices, scale, how)
    detail: dict[str, Any] = {"criteria": criteria}
    if scale.words and all(isinstance(part["given"], str) for part in criteria.values()):
        detail |= _rating(criteria, scale)
    if any(voice.qa for voice in voices):
        detail["qa"] = [_rule(voice.model, voice.qa) for voice in voices if voice.qa is not None]
    if written := [voice.overview for voice in voices if voice.overview is not None]:
        detail["overviews"] = written
    told = _told(voices, criteria, scale)
    if len(voices) == 1:
        return Score(values[0], told, detail)
    apart = max(values) - min(values)
    detail |= {
        "combine": how,
        "disagreement": apart,
        "split": len(set(votes)) > 1,
        "judges": [{"model": voice.model, "score": voice.value, "criteria": _of_one(voice)} for voice in voices],
    }
    said = ", ".join(f"{voice.model} {voice.value:.2f}" for voice in voices)
    agree = "which agree" if apart < TOLERANCE else f"which are {apart:.2f} apart"
    reason = f"{how} of {len(voices)} judges, {agree}: {said}"
    return Score(_combined(values, votes, how), "; ".join(part for part in (reason, told) if part), detail)


def _rule(model: str, qa: QaVerdict) -> dict[str, Any]:
    return {"model": model, "passed": qa.passed, "similarity": qa.similarity, "quality": qa.quality}


def _combined(values: Sequence[float], votes: Sequence[bool], how: str) -> float:
    if how == "majority":
        return float(2 * sum(votes) > len(votes))
    return _median(values) if how == "median" else _mean(values)


def _mean(values: Sequence[float]) -> float:
    return min(max(fsum(values) / len(values), min(values)), max(values))


def _median(values: Sequence[float]) -> float:
    ranked, middle = sorted(values), len(values) // 2
    return ranked[middle] if len(values) % 2 else _mean(ranked[middle - 1 : middle + 1])


def _of_one(voice: Voice) -> dict[str, Any]:
    return {
        each.criterion.name: {
            "score": each.value,
            "given": each.given,
            "weight": each.criterion.weight,
            "reason": each.reason,
        }
        for each in voice.scores
    }


def _criteria(voices: Sequence[Voice], scale: Scale, how: str) -> dict[str, Any]:
    """Each criterion with the score of all; of several words the middle one, the worse of two."""
    if len(voices) == 1:
        return _of_one(voices[0])
    found = {}
    for index, each in enumerate(voices[0].scores):
        ranked = sorted((voice.scores[index] for voice in voices), key=lambda scored: scored.value)
        values = [scored.value for scored in ranked]
        lowest = next(voice for voice in voices if voice.scores[index] is ranked[0])
        found[each.criterion.name] = {
            "score": _mean(values) if how == "mean" else _median(values),
            "given": ranked[(len(ranked) - 1) // 2].given if scale.words else None,
            "weight": each.criterion.weight,
            "reason": f"{lowest.model}: {ranked[0].reason}" if ranked[0].reason else "",
        }
    return found


def _rating(criteria: Mapping[str, Mapping[str, Any]], scale: Scale) -> dict[str, Any]:
    words = [part["given"] for part in criteria.values()]
    value = grade(words) if scale.name == "words" else None
    return {} if value is None else {"rating": {"grade": value, "band": band(value), "overall": overall(words)}}


def _told(voices: Sequence[Voice], criteria: Mapping[str, Mapping[str, Any]], scale: Scale) -> str:
    """The scores by criterion, and the reason for the lowest one; of ratings the grade before them."""
    several = len(criteria) > 1
    shown = {
        name: part["given"] if scale.words and isinstance(part["given"], str) else f"{part['score']:.2f}"
        for name, part in criteria.items()
    }
    parts = ", ".join(f"{name} {value}" for name, value in shown.items()) if several else ""
    worst, least = min(criteria.items(), key=lambda item: item[1]["score"])
    about = f"{worst}: " if parts and least["reason"] else ""
    marks = ""
    if several and scale.name == "words" and (found := _rating(criteria, scale)):
        marks = f"grade {found['rating']['grade']:.1f} ({found['rating']['band']})"
    passing = voices[0].qa.reason if len(voices) == 1 and voices[0].qa is not None else ""
    return "; ".join(part for part in (passing, marks, parts, f"{about}{one_line(least['reason'], 300)}") if part)
