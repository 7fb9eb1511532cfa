"""The CSV report of figures: a row for each suite and variant, with the figures of the JSON report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..model.result import CaseResult
from ..model.run import SessionResult
from ..model.summary import Summary
from .csv import Value, csv_row, flat
from .files import whole_file
from .grades import grade_in
from .json import summary_plain
from .registry import Format

_FIGURES = {
    "cases": "cases",
    "passed": "counts.passed",
    "warned": "counts.warned",
    "failed": "counts.failed",
    "missed": "counts.missed",
    "errored": "counts.errored",
    "scored": "counts.scored",
    "skipped": "counts.skipped",
    "pass_rate": "pass_rate",
    "pass_rate_answered": "pass_rate_answered",
    "score_mean": "score.mean",
    "score_sd": "score.sd",
    "latency_ms_mean": "latency_ms.mean",
    "latency_ms_p50": "latency_ms.p50",
    "latency_ms_p95": "latency_ms.p95",
    "latency_ms_p99": "latency_ms.p99",
    "latency_ms_max": "latency_ms.max",
    "input_tokens": "input_tokens.total",
    "output_tokens": "output_tokens.total",
    "cost_usd": "cost_usd.total",
    "cost_unknown": "cost_usd.unknown",
    "judge_cost_usd": "judge.cost_usd.total",
}
"""Columns, and where the JSON report has them."""


def write_csv_summary(
    path: Path,
    session: SessionResult,
    results: Iterable[CaseResult],  # noqa: ARG001 # every format is given them
) -> None:
    """Write a row for each variant, and for each suite that has none. Raises ``OSError``."""
    names = [*session.summary.criteria]
    with whole_file(path) as file:
        heads = ["suite", "variant", "target", "stopped", *_FIGURES, "pass_rate_low", "pass_rate_high", "grade"]
        file.write(csv_row([*heads, *(f"{what} {name}" for name in names for what in ("mean", "pass_rate"))]))
        for start, part in _parts(session):
            file.write(csv_row([*start, session.stopped, *_row(part, names)]))


FORMAT = Format("csv-summary", (".summary.csv",), write_csv_summary)


def _parts(session: SessionResult) -> Iterator[tuple[list[Value], Summary]]:
    targets = {(s.name, str(v.get("id"))): str(v.get("target", "")) for s in session.suites for v in s.variants}
    summary = session.summary
    varied = {suite for suite, _ in summary.by_variant}
    for suite, part in summary.by_suite.items():
        if suite not in varied:
            yield [suite, "", ""], part
        for (of, variant), variant_part in summary.by_variant.items():
            if of == suite:
                yield [suite, variant, targets.get((suite, variant), "")], variant_part


def _row(part: Summary, names: Iterable[str]) -> Iterator[Value]:
    plain = summary_plain(part)
    yield from flat(plain, *_FIGURES.values())
    yield from plain["pass_rate_interval"] or (None, None)
    yield grade_in(part)
    criteria = {criterion["name"]: criterion for criterion in plain["criteria"]}
    for name in names:
        yield from flat(criteria.get(name, {"mean": None, "pass_rate": None}), "mean", "pass_rate")
