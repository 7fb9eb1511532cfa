"""What is wrong with an analysis: the same for a model's reply and for a file that a person wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.place import did_you_mean
from ...model.text import one_line
from .usecases import USE_CASES, WRITTEN_LATER, UseCase

KNOWN = ("summary", *dict.fromkeys(name for case in USE_CASES.values() for name in case.summary_fields))
_LISTS = frozenset(name for case in USE_CASES.values() for name in case.list_fields)
QUERY, RESPONSE = ("query", "question"), ("response", "answer")


def problems(analysis: Any, at: str = "analysis") -> Iterator[str]:
    """What cannot be used in any case, each with the way to it: ``analysis.qa_pairs[2].response is blank``."""
    if not isinstance(analysis, Mapping):
        yield f"{at} must be an object, not {one_line(analysis, 30)}"
        return
    if not any(analysis.get(key) for key in ("qa_pairs", "summaries", "summary")):
        yield f"{at} has neither qa_pairs nor summaries"
    yield from pair_problems(analysis.get("qa_pairs"), f"{at}.qa_pairs")
    yield from summary_problems(analysis.get("summaries"), f"{at}.summaries")
    if not isinstance(analysis.get("summary", ""), str):
        yield f"{at}.summary must be a text"
    yield from criteria_problems(analysis.get("evaluation_criteria"), f"{at}.evaluation_criteria")
    for case in USE_CASES.values():
        if case.metadata_key and not isinstance(analysis.get(case.metadata_key) or {}, Mapping):
            yield f"{at}.{case.metadata_key} must be an object"


def pair_problems(pairs: Any, at: str) -> Iterator[str]:
    """Of a list of questions with their answers."""
    if pairs is None:
        return
    if not isinstance(pairs, list):
        yield f"{at} must be a list"
        return
    for number, pair in enumerate(pairs):
        if not isinstance(pair, Mapping):
            yield f"{at}[{number}] must be an object with query and response"
            continue
        for keys in (QUERY, RESPONSE):
            value = next((pair[key] for key in keys if key in pair), None)
            if value is None:
                near = next((f"; did you mean {key!r} to be it?" for key in pair if did_you_mean(key, keys)), "")
                yield f"{at}[{number}] has no {keys[0]!r}{near}"
            elif not isinstance(value, str) or not value.strip():
                yield f"{at}[{number}].{keys[0]} must be a text that is not blank"


def summary_problems(summaries: Any, at: str) -> Iterator[str]:
    """Of the summaries by field."""
    if summaries is None:
        return
    if not isinstance(summaries, Mapping):
        yield f"{at} must be an object"
        return
    for name, value in summaries.items():
        if name in _LISTS:
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                yield f"{at}.{name} must be a list of texts"
        elif name in KNOWN:
            if not isinstance(value, str):
                yield f"{at}.{name} must be a text"
        elif hint := did_you_mean(name, KNOWN):
            yield f"{at} has an unknown field {one_line(name, 40)!r}{hint}"


def criteria_problems(criteria: Any, at: str) -> Iterator[str]:
    """Of what a judge looks at."""
    if criteria is None:
        return
    if not isinstance(criteria, Mapping) or not all(isinstance(value, str) for value in criteria.values()):
        yield f"{at} must be an object whose values are texts"


def missing(analysis: Mapping[str, Any], case: UseCase, pairs: int | None) -> Iterator[str]:
    """What a model's reply lacks of what it was asked for."""
    summaries = analysis.get("summaries") or {}
    for name in case.summary_fields:
        value = summaries.get(name)
        if value is None and name not in (WRITTEN_LATER if case.name == "email" else ()):
            yield f"summaries.{name} is missing"
        elif isinstance(value, str) and not value.strip():
            yield f"summaries.{name} is blank"
    if case.plain_summary and not analysis.get("summary"):
        yield "summary is missing"
    found = len(analysis.get("qa_pairs") or ())
    if pairs is not None and found != pairs:
        yield f"there are {found} pairs of question and answer, not {pairs}"
    if pairs:
        asked = [pair.get("query") or pair.get("question") for pair in analysis.get("qa_pairs") or ()]
        if len({" ".join(str(query).casefold().split()) for query in asked}) < len(asked):
            yield "a question is asked twice"
