"""What pages and API show, as plain values: the same queries for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..store import browse, runs
from ..store.results import case_history, case_rows, known_cases

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..model.comparison import Comparison
    from ..model.summary import Summary
    from ..store.values import StoredExperiment, StoredRun
    from .source import Source

RECENT = 60
"""So many runs make a trend."""
MOST = 1000
"""So many results at most are given at once."""
ALL = 2**31
"""More than any run has."""


class NotFoundError(UsageError):
    """What the address names is not there."""


def overview(source: Source) -> dict[str, Any]:
    """Totals, the experiments, and the newest runs."""
    if source.location.missing:
        return {"totals": _totals([], {}, 0, 0), "experiments": [], "recent": []}
    with source.read() as connection:
        experiments = runs.list_experiments(connection)
        statuses = browse.count_results(connection)
        totals = _totals(experiments, statuses, browse.count_cases(connection), runs.count_runs(connection))
        recent = runs.list_runs(connection, limit=RECENT)
    return {
        "totals": totals,
        "experiments": [experiment.plain() for experiment in experiments],
        "recent": [run_plain(run) for run in recent],
    }


def _totals(
    experiments: Sequence[StoredExperiment], statuses: Mapping[str, int], cases: int, number: int
) -> dict[str, Any]:
    by_status: dict[str, int] = {}
    for experiment in experiments:
        for status, count in experiment.runs.items():
            by_status[status] = by_status.get(status, 0) + count
    known = [e.cost_usd for e in experiments if e.cost_usd is not None]
    return {
        "experiments": len(experiments),
        "runs": number,
        "runs_by_status": by_status,
        "cases": cases,
        "case_runs": dict(statuses),
        "cost_usd": sum(known) if known else None,
    }


def run_plain(run: StoredRun) -> dict[str, Any]:
    """A run as the API gives it: stored fields, and the counts in the words of the viewer."""
    return run.plain() | {"counts": counts(run)}


def counts(run: StoredRun) -> dict[str, int]:
    """How many of its cases are how far."""
    return {
        "total": run.total_cases,
        "pending": run.n_pending,
        "running": 0,
        "completed": run.passed_cases + run.failed_cases + run.judged_cases,
        "errored": run.error_cases,
        "cancelled": run.n_cancelled,
        "passed": run.passed_cases,
        "failed": run.failed_cases,
    }


def experiment_by_number(connection: Connection, number: int) -> StoredExperiment:
    """Raises ``NotFoundError`` when there is none."""
    for experiment in runs.list_experiments(connection):
        if experiment.id == number:
            return experiment
    raise NotFoundError(f"there is no experiment {number}")


def experiment(source: Source, number: int, *, limit: int | None = None, cases: bool = True) -> dict[str, Any]:
    """An experiment with its ``cases`` and runs, the newest first."""
    with source.read() as connection:
        found = experiment_by_number(connection, number)
        listed = runs.list_runs(connection, experiment=found.name, kind=found.type, limit=limit)
        known = known_cases(connection, found.id) if cases else []
    return {
        "experiment": found.plain(),
        "cases": [{"eval": case.suite, "name": case.case_id} for case in known],
        "runs": [run_plain(run) for run in listed],
    }


def history(
    source: Source, number: int | None, suite: str, case_id: str, *, variant: str | None = None, limit: int = 500
) -> dict[str, Any]:
    """One case over the runs (of one experiment), the oldest first, as a chart needs it."""
    with source.read() as connection:
        name = None if number is None else experiment_by_number(connection, number).name
        points = case_history(connection, suite, case_id, variant=variant, experiment=name, limit=limit)
    if not points:
        raise NotFoundError(f"no run recorded case {suite}::{case_id}")
    shown = [{"run_id": point.run, **point.plain()} for point in reversed(points)]
    return {"case": {"eval": suite, "name": case_id}, "points": shown}


def find_run(connection: Connection, spec: str) -> StoredRun:
    """The run a person or an address names. Raises ``NotFoundError``."""
    try:
        return runs.find_run(connection, spec)
    except UsageError as error:
        raise NotFoundError(str(error)) from error


def finished(run: StoredRun) -> bool:
    """Whether nothing about it will change any more."""
    return run.finished_at is not None


def summary(source: Source, connection: Connection, run: StoredRun) -> Summary:
    """The figures of a run, as every report has them."""
    from ..stats import summarize

    return source.once(("summary", run.uid), finished(run), lambda: summarize(case_rows(connection, run)))


def facets(source: Source, connection: Connection, run: StoredRun) -> browse.Facets:
    """What its results can be narrowed by."""
    return source.once(("facets", run.uid), finished(run), lambda: browse.facets(connection, run))


def comparison(source: Source, connection: Connection, before: StoredRun, after: StoredRun) -> Comparison:
    """Two runs against each other."""
    from ..workflow.comparing import compare_sides, side_of

    def compute() -> Comparison:
        first, second = side_of(connection, before.uid), side_of(connection, after.uid)
        return compare_sides(first, second, partial=bool(second.incomplete))

    return source.once(("comparison", before.uid, after.uid), finished(before) and finished(after), compute)


def run_before(connection: Connection, run: StoredRun) -> StoredRun | None:
    """The finished run of the same experiment and type that began last before this one."""
    for other in runs.list_runs(connection, experiment=run.experiment, kind=run.type):
        if (other.started_at, other.id) < (run.started_at, run.id) and other.core_status == "completed":
            return other
    return None


def result_plain(
    listed: browse.ListedCase, result: Any, trajectories: Sequence[Any] = (), said: Sequence[Any] = ()
) -> dict[str, Any]:
    """A whole result as the API gives it."""
    from ..report.text import readable

    criteria = result.criteria
    judged = listed.plain()
    return judged | {
        "eval": listed.suite,
        "name": listed.case_id,
        "answer": None if result.output is None else readable(result.output),
        "input": result.input,
        "expected_output": result.expected_output,
        "problems": [c.reason or c.name for c in criteria if c.passed is False or c.error],
        "passed_checks": [c.name for c in criteria if c.passed],
        "scores": [
            {"name": c.name, "scorer": c.scorer, "score": c.score, "passed": c.passed, "mark": c.mark}
            | {"weight": c.weight, "reason": c.reason, "error": c.error.message if c.error else None}
            for c in criteria
        ],
        "error": result.error.message if result.error else None,
        "trajectories": [t.plain() for t in trajectories],
        "verdicts": [one.plain() for one in said],
    }


def figures(source: Source, connection: Connection, run: StoredRun) -> dict[str, Any]:
    """Verdict, figures, tables and charts of a run, as the HTML report shows them."""
    from ..report.html.page import page
    from ..workflow.stored import session_of_run

    return source.once(("figures", run.uid), finished(run), lambda: page(session_of_run(connection, run)))


def neighbour_runs(connection: Connection, run: StoredRun) -> list[StoredRun]:
    """The newest runs of the same experiment, to compare with."""
    listed = runs.list_runs(connection, experiment=run.experiment, kind=run.type, limit=RECENT)
    return [other for other in listed if other.id != run.id]
