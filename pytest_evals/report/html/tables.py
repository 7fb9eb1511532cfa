"""The tables of the overview, as cells of a text, a style and, for a bar behind the number, a share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ...model.comparison import Change, Comparison
from ...model.run import SessionResult
from ...model.summary import CriterionSummary, Summary
from .. import comparison as c
from ..format import UNKNOWN, count, counted, duration, percent, rate, score, usd
from ..gates import gate_row, ranked_gates
from ..text import escape
from ..variants import p_value, pair_change
from .cells import Table, cell, heads_of, table_of
from .ratings import rating_tables

MOST_GROUPS = 200
"""Rows of a table; of categories and tags without end, the worst are shown."""


def tables(session: SessionResult) -> list[Table]:
    """In the order of the page."""
    summary = session.summary
    made = [*_gates(session), *_comparison(session.comparison)]
    made += _matrix(session)
    made += rating_tables(session)
    if summary.criteria:
        made.append(_criteria(summary))
    made += _pairs(session)
    for key, title, groups, least in (
        ("suite", "Suites", summary.by_suite, 2),
        ("category", "Categories", summary.by_category, 1),
        ("tag", "Tags", summary.by_tag, 1),
    ):
        if len(groups) >= least:
            made.append(_groups(key, title, groups))
    made += _transcripts(summary)
    return made


def _gates(session: SessionResult) -> Iterator[Table]:
    if not session.verdicts:
        return
    several = len({verdict.gate.suite for verdict in session.verdicts}) > 1
    rows = []
    for verdict in ranked_gates(session.verdicts):
        name, seen, cases, (said, style) = gate_row(verdict, several)
        place = str(verdict.gate.place) if verdict.gate.place else ""
        word, _, words = said.partition(", ")
        cells = [cell(name), cell(seen), cell(cases), cell(word, style), cell(words)]
        rows.append({"cells": cells, "sign": verdict.verdict.value, "title": escape(place)})
    yield table_of("gates", "Gates", heads_of("gate|>observed|>cases|verdict|margin"), rows)


def _comparison(comparison: Comparison | None) -> Iterator[Table]:
    if comparison is None:
        return
    rows = [
        {
            "cells": [
                cell(c.label(metric.name)),
                cell(c.value(metric, metric.before)),
                cell(c.value(metric, metric.after)),
                cell(c.change(metric, metric.difference) + c.relative(metric)),
                cell(c.interval(metric)),
                cell(c.standing(metric), c.STYLES.get(metric.standing, "dim")),
            ]
        }
        for metric in comparison.metrics
    ]
    word, style = c.verdict(comparison)
    before = comparison.before
    incomplete = f" (incomplete: {before.incomplete})" if before.incomplete else ""
    notes = [f"{counted(comparison.shared, 'shared case')}, baseline {before.label}{incomplete}"]
    made = table_of(
        "comparison",
        "Since the baseline",
        heads_of("figure|>before|>after|>change|>95% interval|standing"),
        rows,
        escape("; ".join([*notes, *c.explanations(comparison)])),
    )
    made["verdict"] = [word, style]
    made["changes"] = [[kind.value, count(number)] for kind in Change if (number := len(comparison.of(kind)))]
    yield made


def _criteria(summary: Summary) -> Table:
    rows = [
        {
            "cells": [
                cell(name),
                cell(count(part.score.n)),
                cell(score(part.score.mean, 3), "", part.score.mean),
                cell(score(part.score.sd, 3)),
                cell(percent(part.pass_rate)),
                cell(count(part.judged - part.passed), "red" if part.judged > part.passed else "dim"),
                cell(count(part.unscored), "red" if part.unscored else "dim"),
            ],
            "link": {"criterion": [f"missed {name}" if part.judged > part.passed else name]},
        }
        for name, part in summary.criteria.items()
    ]
    weakest = weakest_criterion(summary.criteria)
    note = f"the weakest: {escape(weakest)}" if weakest else ""
    heads = "criterion|>n|>mean|>sd|>pass rate|>missed|>not scored"
    return table_of("criteria", "Criteria", heads_of(heads), rows, note)


def _groups(key: str, title: str, groups: Mapping[str, Summary]) -> Table:
    ranked = sorted(groups.items(), key=lambda item: 2.0 if item[1].pass_rate is None else item[1].pass_rate)
    rows = []
    for name, part in ranked[:MOST_GROUPS]:
        failed = part.counts.failed - part.missed
        rows.append(
            {
                "cells": [
                    cell(name),
                    cell(count(part.cases)),
                    cell(count(failed), "red" if failed else "dim"),
                    cell(count(part.missed), "yellow" if part.missed else "dim"),
                    cell(count(part.counts.errors), "red" if part.counts.errors else "dim"),
                    cell(percent(part.pass_rate), "", part.pass_rate),
                    cell(score(part.score.mean, 3)),
                    cell(duration(part.latency.p50)),
                    cell(_cost(part)),
                ],
                "link": {key: [name]},
            }
        )
    left = len(groups) - len(rows)
    note = f"and {count(left)} more, no worse than these" if left else ""
    heads = f"{key}|>cases|>failed|>missed|>errored|>pass rate|>score|>p50|>cost"
    return table_of(f"by-{key}", title, heads_of(heads), rows, note)


def _matrix(session: SessionResult) -> Iterator[Table]:
    """Variants against criteria; in each row the weakest criterion is named."""
    for suite, group in groupby(session.summary.by_variant.items(), key=lambda item: item[0][0]):
        parts = {name: part for (_, name), part in group}
        names = list(dict.fromkeys(name for part in parts.values() for name in part.criteria))
        several = len({one for one, _ in session.summary.by_variant}) > 1
        rows = [_variant(suite, name, part, names, several) for name, part in parts.items()]
        heads = [*heads_of("variant"), *((escape(name), True) for name in names)]
        heads += heads_of(">score|>pass rate|>errored|>p50|>p95|>cost|weakest criterion")
        title = f"Variants and criteria of {escape(suite)}" if several else "Variants and criteria"
        yield table_of("matrix", title, heads, rows, "mean score of each criterion; the weakest of a row is underlined")


def _variant(suite: str, name: str, part: Summary, names: Sequence[str], several: bool) -> Mapping[str, Any]:
    cells = [cell(name)]
    weakest = weakest_criterion(part.criteria)
    for criterion in names:
        mean = part.criteria[criterion].score.mean if criterion in part.criteria else None
        cells.append(cell(score(mean, 3), "weakest" if criterion == weakest else "", mean))
    cells += [
        cell(score(part.score.mean, 3), "bold"),
        cell(percent(part.pass_rate)),
        cell(count(part.counts.errors), "red" if part.counts.errors else "dim"),
        cell(duration(part.latency.p50)),
        cell(duration(part.latency.p95)),
        cell(_cost(part)),
        cell(weakest or UNKNOWN, "" if weakest else "dim"),
    ]
    link = {"variant": [name], **({"suite": [suite]} if several else {})}
    return {"cells": cells, "link": link}


def weakest_criterion(criteria: Mapping[str, CriterionSummary]) -> str:
    """The one with the lowest mean score; empty when there is none, or all are alike."""
    means = {name: part.score.mean for name, part in criteria.items() if part.score.mean is not None}
    if len(means) < 2 or len(set(means.values())) == 1:
        return ""
    return min(means, key=lambda name: means[name])


def _pairs(session: SessionResult) -> Iterator[Table]:
    known = [pair for pair in session.pairs if pair.cases]
    if not known:
        return
    judged = any(pair.pass_rate_difference is not None for pair in known)
    several = len({pair.suite for pair in known}) > 1
    rows = []
    for pair in known:
        change = pair.pass_rate_difference if judged else pair.score_difference
        style = "" if change in (None, 0) else "green" if change > 0 else "red"
        name = f"{pair.suite}: " if several else ""
        cells = [cell(f"{name}{pair.first} → {pair.second}"), cell(count(pair.cases)), cell(count(pair.better))]
        cells += [cell(count(pair.worse)), cell(pair_change(change, judged), style), cell(p_value(pair.p_adjusted))]
        rows.append({"cells": cells})
    p = "p" if len(known) == 1 else "p (Holm)"
    heads = f"pair|>cases|>better|>worse|>{'pass rate' if judged else 'score'}|>{p}"
    note = "better: cases that the second passed and the first did not; p of the exact McNemar test"
    yield table_of("pairs", "Variants case by case", heads_of(heads), rows, note)


def _transcripts(summary: Summary) -> Iterator[Table]:
    rows = []
    for name, part in summary.criteria.items():
        if part.transcripts is not None:
            errors = part.transcripts.errors
            numbers = (errors.reference_words, errors.substitutions, errors.deletions, errors.insertions)
            cells = [cell(name), cell(rate(errors.rate), "bold"), cell(rate(part.transcripts.rates.mean))]
            rows.append({"cells": [*cells, *(cell(count(number)) for number in numbers)]})
    if rows:
        heads = "word error rate|>corpus|>mean of cases|>words|>substituted|>deleted|>inserted"
        yield table_of("word-errors", "Word errors", heads_of(heads), rows)


def _cost(part: Summary) -> str:
    return usd(part.cost_usd.value) + ("+" if part.cost_usd.partial else "")
