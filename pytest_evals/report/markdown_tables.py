"""The tables of variants and criteria in Markdown: means, grades, latency and cost side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..model.rating import band, grade_of, usual
from ..model.run import SessionResult
from ..model.summary import Summary
from .filling import Part
from .format import UNKNOWN, count, counted, duration, grade, percent, score
from .grades import all_words, grade_in, words_of
from .markdown import inline, row
from .variants import cost_of, p_value, pair_change

MOST_COLUMNS = 12
"""Criteria that have a column."""

_Column = tuple[str, Callable[[Summary], str]]


def figure_tables(session: SessionResult) -> Iterator[Part]:
    """A row for each variant, and for each suite without any; grades by what was rated; pairs of variants."""
    parts = _parts(session)
    if not parts:
        return
    yield _criteria(parts, session.summary)
    yield from _ratings(parts)
    yield from _pairs(session)


def _parts(session: SessionResult) -> dict[str, Summary]:
    """What has a row, by its name."""
    summary = session.summary
    varied = {suite for suite, _ in summary.by_variant}
    several = len(summary.by_suite) > 1
    found: dict[str, Summary] = {}
    for suite, part in summary.by_suite.items():
        if suite not in varied:
            found[suite] = part
        for (of, name), variant in summary.by_variant.items():
            if of == suite:
                found[f"{suite}: {name}" if several else name] = variant
    return found


def _criteria(parts: Mapping[str, Summary], whole: Summary) -> Part:
    names = list(whole.criteria)
    columns: list[_Column] = [("cases", lambda part: count(part.cases)), ("pass rate", lambda p: percent(p.pass_rate))]
    columns.append(("score", lambda part: score(part.score.mean, 3)))
    if len(names) > 1:  # the mean of a single one is the score
        columns += [(name, _mean_of(name)) for name in names[:MOST_COLUMNS]]
    if words_of(whole):
        columns.append(("grade", lambda part: grade(grade_in(part))))
    columns += [("p50", lambda part: duration(part.latency.p50)), ("p95", lambda part: duration(part.latency.p95))]
    columns.append(("cost", cost_of))
    if whole.counts.errors:
        columns.append(("errored", lambda part: count(part.counts.errors)))
    head = ["### Results", "", row("", *(inline(name, 40) for name, _ in columns))]
    head.append(row("---", *["---:"] * len(columns)))
    rows = [row(inline(name, 80), *(inline(cell(part)) for _, cell in columns)) for name, part in parts.items()]
    left = len(names) - MOST_COLUMNS
    end = [f"and {counted(left, 'more criterion', 'more criteria')}", ""] if left > 0 and len(names) > 1 else []
    return Part(head, rows, ["", *end], ("row of results", "rows of results"), relevance=1)


def _mean_of(name: str) -> Callable[[Summary], str]:
    return lambda part: score(part.criteria[name].score.mean, 3) if name in part.criteria else UNKNOWN


def _ratings(parts: Mapping[str, Summary]) -> Iterator[Part]:
    found = {name: words for name, part in parts.items() if (words := words_of(part))}
    if not found:
        return
    rated = list(dict.fromkeys(by for words in found.values() for by in words))
    kept = rated[:MOST_COLUMNS]
    head = ["### Grades", "", row("", *(inline(by, 40) for by in kept), "grade", "rating")]
    head.append(row("---", *["---:"] * len(kept), "---:", "---"))
    rows = [_grades(name, words, kept) for name, words in found.items()]
    left = len(rated) - len(kept)
    end = [f"and {counted(left, 'more rated thing')}", ""] if left else []
    yield Part(head, rows, ["", *end], ("row of grades", "rows of grades"), relevance=3)


def _grades(name: str, words: Mapping[str, Mapping[str, int]], kept: Sequence[str]) -> str:
    together: Counter[str] = all_words(words)
    value = grade_of(together)
    mostly = usual(together.elements())
    said = f"{band(value) or UNKNOWN} (mostly {mostly})" if mostly else UNKNOWN
    cells = [grade(grade_of(words[by])) if by in words else UNKNOWN for by in kept]
    return row(inline(name, 80), *cells, f"**{grade(value)}**", said)


def _pairs(session: SessionResult) -> Iterator[Part]:
    known = [pair for pair in session.pairs if pair.cases]
    if not known:
        return
    judged = any(pair.pass_rate_difference is not None for pair in known)
    p = "p" if len(known) == 1 else "p (Holm)"
    title = "Variants case by case"
    head = [f"<details><summary>{title}</summary>", ""]
    head.append(row("pair", "cases", "better", "worse", "pass rate" if judged else "score", p))
    head.append(row("---", *["---:"] * 5))
    rows = []
    for pair in known:
        change = pair.pass_rate_difference if judged else pair.score_difference
        numbers = (count(pair.cases), count(pair.better), count(pair.worse))
        name = inline(f"{pair.first} → {pair.second}", 100)
        rows.append(row(name, *numbers, pair_change(change, judged), p_value(pair.p_adjusted)))
    yield Part(head, rows, ["", "</details>", ""], ("pair of variants", "pairs of variants"), relevance=6)
