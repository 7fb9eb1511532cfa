"""Results, rows and sessions for tests: only what a test is about needs to be said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.result import CaseError, CaseResult, CaseRow, CriterionResult, CriterionRow, Trial
from pytest_evals.model.run import SessionResult, SuiteCount
from pytest_evals.stats.summarize import summarize


def row(outcome: str = "passed", case_id: str = "case", suite: str = "bot", **fields: Any) -> CaseRow:
    """A row; ``criteria`` may be ``{name: score}``, and reaches its mark from 0.7 on."""
    criteria = fields.pop("criteria", ())
    if isinstance(criteria, dict):
        criteria = tuple(CriterionRow(n, s, None if s is None else s >= 0.7) for n, s in criteria.items())
    if outcome == "errored":
        fields.setdefault("error_kind", ErrorKind.TARGET)
    fields.setdefault("node_id", f"evals/{suite}.eval.yaml::{case_id}")
    return CaseRow(suite, case_id, Outcome(outcome), criteria=criteria, **fields)


def rows(**outcomes: int) -> list[CaseRow]:
    """``rows(passed=3, failed=1)``: four rows, each with an id of its own."""
    return [row(outcome, f"{outcome}-{n}") for outcome, many in outcomes.items() for n in range(many)]


def criterion(
    name: str = "contains", score: float | None = 0.0, mark: float | None = 1.0, **fields: Any
) -> CriterionResult:
    """A criterion's answer, passed when the score reaches the mark."""
    fields.setdefault("passed", None if score is None or mark is None else score >= mark)
    return CriterionResult(name, fields.pop("scorer", name), mark, score, **fields)


def result(outcome: str = "failed", case_id: str = "refund-window", suite: str = "bot", **fields: Any) -> CaseResult:
    """A result of one trial; ``output``, ``criteria``, ``attempts``, ``latency_ms`` … go into the trial."""
    inside = ("output", "criteria", "attempts", "latency_ms", "usage", "cost_usd", "scoring_ms")
    inside += ("tool_calls", "trajectories")
    trial = {name: fields.pop(name) for name in inside if name in fields}
    trial.setdefault("output", None if outcome == "errored" else "Two weeks.")
    fields.setdefault("input", "How long do I have to return a mug?")
    fields.setdefault("node_id", f"evals/{suite}.eval.yaml::{case_id}")
    fields.setdefault("source", f"evals/{suite}.eval.yaml:7")
    made = Trial(Outcome(outcome), error=fields.get("error"), score=fields.get("score"), **trial)
    trials = fields.pop("trials", () if outcome == "skipped" else (made,))
    return CaseResult(suite, case_id, Outcome(outcome), trials, **fields)


def error(kind: str = "target", message: str = "ValueError: no such product", **fields: Any) -> CaseError:
    return CaseError(ErrorKind(kind), message, **fields)


def session(rows: Sequence[CaseRow] = (), **fields: Any) -> SessionResult:
    """A session over these rows, all of whose suites were selected whole unless ``suites`` says otherwise."""
    sizes: dict[str, int] = {}
    for one in rows:
        sizes[one.suite] = sizes.get(one.suite, 0) + 1
    fields.setdefault("suites", [SuiteCount(name, f"evals/{name}.eval.yaml", n, n) for name, n in sizes.items()])
    fields.setdefault("session_id", "3f2a")
    fields.setdefault("started_at", "2026-01-05T10:00:00+00:00")
    fields.setdefault("finished_at", "2026-01-05T10:00:12+00:00")
    fields.setdefault("duration_s", 12.3)
    return SessionResult(rows=rows, summary=summarize(rows), **fields)
