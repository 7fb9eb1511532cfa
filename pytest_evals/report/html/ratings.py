"""The tables of ratings in words: grades by variant and by what was rated, and how often each word was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ...model.rating import POINTS, band, grade_of, usual, weakest
from ...model.run import SessionResult
from ..format import UNKNOWN, count, grade
from ..grades import all_words, words_of
from ..text import escape
from .cells import Cell, Table, cell, heads_of, table_of

Words = Mapping[str, Mapping[str, int]]
"""By what was rated, how often each word was given."""

_STYLES = {"excellent": "green", "good": "", "fair": "yellow", "poor": "red"}


def rating_tables(session: SessionResult) -> Iterator[Table]:
    """Nothing where no judge rates in words."""
    summary = session.summary
    whole = words_of(summary)
    if not whole:
        return
    several = len({suite for suite, _ in summary.by_variant}) > 1
    parts: dict[str, Words] = {}
    rows: list[Mapping[str, Any]] = []
    for (suite, name), part in summary.by_variant.items():
        if words := words_of(part):
            label = f"{suite}: {name}" if several else name
            parts[label] = words
            rows.append({**_grades(label, words, list(whole)), "link": {"suite": [suite], "variant": [name]}})
    if len(parts) != 1:
        rows.append(_grades("all" if parts else "all cases", whole, list(whole)))
    heads = [*heads_of("variant"), *((escape(name), True) for name in whole)]
    heads += heads_of(">grade|rating|weakest")
    note = "grades from 0 (all poor) to 100 (all excellent); the weakest of a row is underlined"
    yield table_of("ratings", "Ratings: grades", heads, rows, note)
    yield _distributions(whole, parts if len(parts) > 1 else {})


def _grades(name: str, words: Words, columns: list[str]) -> Mapping[str, Any]:
    lowest = weakest({by: Counter(counts).elements() for by, counts in words.items()})
    cells = [cell(name)]
    for by in columns:
        value = grade_of(words[by]) if by in words else None
        share = None if value is None else value / 100
        cells.append(cell(grade(value), "weakest" if by == lowest else "", share))
    return {"cells": [*cells, *_whole(words), cell(lowest or UNKNOWN, "" if lowest else "dim")]}


def _whole(words: Words) -> list[Cell]:
    """Grade and rating word of all ratings together."""
    value = grade_of(all_words(words))
    word = band(value)
    return [cell(grade(value), "bold"), cell(word or UNKNOWN, _STYLES.get(word or "", ""))]


def _distributions(whole: Words, parts: Mapping[str, Words]) -> Table:
    rows: list[Mapping[str, Any]] = []
    for by, counts in whole.items():
        rows.append(_distribution(by, counts))
        rows += [_distribution(f"{by}, {name}", words[by]) for name, words in parts.items() if by in words]
    heads = heads_of("rated|mostly|>excellent|>good|>fair|>poor|>grade")
    return table_of("distributions", "Ratings: how often each word was given", heads, rows)


def _distribution(name: str, counts: Mapping[str, int]) -> Mapping[str, Any]:
    """A row with a bar of the words, the best first; the numbers beside it say the same."""
    total = sum(counts.values())
    shares = [[word, counts.get(word, 0) / total] for word in POINTS if total]
    numbers = [cell(count(counts.get(word, 0)), "" if counts.get(word) else "dim") for word in POINTS]
    mostly: Cell = [usual(Counter(counts).elements()) or UNKNOWN, "", None, shares]
    return {"cells": [cell(name), mostly, *numbers, cell(grade(grade_of(counts)))]}
