"""Reading results: those of a run, and one case's over all runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy import case as when

from ..model.case import DRAFT
from ..model.judge import SCORER as JUDGE_SCORER
from ..model.outcome import ErrorKind, Outcome
from ..model.rating import ratings_in
from ..model.result import CaseResult, CaseRow, CriterionRow
from ..model.trials import TrialCounts
from ..model.words import SCORER, word_errors_in
from . import tables as t
from .rows import result_of
from .values import CasePoint, KnownCase, StoredRun, StoredTrajectory

_CASE = t.case_runs.c
_SCORE = t.case_scores.c
_COUNTED = when((_SCORE.scorer.in_([SCORER, JUDGE_SCORER]), _SCORE.detail)).label("counted")
"""The detail of scores that have more to add up than the score: words of transcripts, ratings of judges."""
_PAGE = 500


def case_results(
    connection: Connection, run: StoredRun, outcomes: frozenset[str] | None = None, *, seq: int | None = None
) -> Iterator[CaseResult]:
    """The run's whole results in the order of the files, read some hundred at a time.

    ``outcomes`` narrows them; ``seq``, a result's place in that order, means this one alone.
    """
    answer = func.coalesce(t.checked_case_meta.c.answer, t.judged_case_meta.c.answer).label("answer")
    cases = (
        select(t.case_runs, answer)
        .outerjoin(t.checked_case_meta, t.checked_case_meta.c.case_run_id == _CASE.id)
        .outerjoin(t.judged_case_meta, t.judged_case_meta.c.case_run_id == _CASE.id)
        .where(_CASE.run_id == run.id)
        .order_by(_CASE.seq)
        .limit(_PAGE)
    )
    if outcomes is not None:
        cases = cases.where(_CASE.outcome.in_(sorted(outcomes)))
    if seq is not None:
        cases = cases.where(_CASE.seq == seq)
    last = -1
    while page := connection.execute(cases.where(_CASE.seq > last)).mappings().all():
        first, last = page[0]["seq"], page[-1]["seq"]
        scores = _scores(connection, run, first, last)
        for row in page:
            yield result_of(dict(row), scores.get(row["id"], ()), run.experiment)


def case_rows(connection: Connection, run: StoredRun) -> list[CaseRow]:
    """The run's results in the order of the files, without their texts: what figures, gates and comparisons need."""
    criteria: dict[int, tuple[CriterionRow, ...]] = {}
    scores = connection.execute(
        select(_SCORE.case_run_id, _SCORE.name, _SCORE.score, _SCORE.passed, _SCORE.weight, _COUNTED)
        .join(t.case_runs, _CASE.id == _SCORE.case_run_id)
        .where(_CASE.run_id == run.id)
        .order_by(_SCORE.case_run_id, _SCORE.seq)
    )
    for number, group in groupby(scores.all(), itemgetter(0)):  # one by one, a server's rows take twice as long
        criteria[number] = tuple(
            CriterionRow(
                name,
                score,
                None if passed is None else bool(passed),
                weight,
                word_errors_in(detail or {}),
                ratings=ratings_in(detail or {}),
            )
            for _, name, score, passed, weight, detail in group
        )
    columns = (
        *(_CASE.id, _CASE.eval, _CASE.case_name, _CASE.outcome, _CASE.variant, _CASE.node_id, _CASE.source),
        *(_CASE.category, _CASE.tags, _CASE.error_kind, _CASE.xfail, _CASE.gated, _CASE.score, _CASE.latencies_ms),
        *(_CASE.input_tokens, _CASE.output_tokens, _CASE.cost_usd, _CASE.headline),
        *(_CASE.planned_trials, _CASE.trial_outcomes, _CASE.variant_id),
    )
    rows = connection.execute(select(*columns).where(_CASE.run_id == run.id).order_by(_CASE.seq))
    return [
        CaseRow(
            suite=row.eval,
            case_id=row.case_name,
            outcome=Outcome(row.outcome),
            variant=row.variant,
            variant_id=row.variant_id,
            node_id=row.node_id,
            source=row.source,
            experiment=run.experiment,
            category=row.category,
            tags=tuple(row.tags),
            error_kind=None if row.error_kind is None else ErrorKind(row.error_kind),
            xfail=row.xfail is not None,
            draft=row.xfail == DRAFT,
            gated=bool(row.gated),
            score=row.score,
            criteria=criteria.get(row.id, ()),
            latencies_ms=tuple(row.latencies_ms),
            input_tokens=row.input_tokens,
            output_tokens=row.output_tokens,
            cost_usd=row.cost_usd,
            headline=row.headline,
            trials=_counts(row.planned_trials, row.trial_outcomes),
        )
        for row in rows.all()
    ]


def _counts(planned: int, outcomes: dict[str, int] | None) -> TrialCounts | None:
    return None if outcomes is None else TrialCounts(max(planned, sum(outcomes.values())), **outcomes)


def case_definitions(connection: Connection, run: StoredRun) -> dict[tuple[str, str, str], str]:
    """Hash of what each case of the run asked, by suite, case id and bracket."""
    query = select(_CASE.eval, _CASE.case_name, _CASE.variant, _CASE.definition_sha256).where(_CASE.run_id == run.id)
    return {(row[0], row[1], row[2]): row[3] for row in connection.execute(query) if row[3]}


def answers(
    connection: Connection, run: StoredRun, keys: Iterable[tuple[str, str, str]]
) -> dict[tuple[str, str, str], str]:
    """What some cases of a run answered, as text, by suite, case id and bracket."""
    answer = func.coalesce(t.checked_case_meta.c.answer, t.judged_case_meta.c.answer)
    query = (
        select(answer)
        .select_from(t.case_runs)
        .outerjoin(t.checked_case_meta, t.checked_case_meta.c.case_run_id == _CASE.id)
        .outerjoin(t.judged_case_meta, t.judged_case_meta.c.case_run_id == _CASE.id)
        .where(_CASE.run_id == run.id)
    )
    found = {}
    for suite, case_id, variant in keys:
        of_case = query.where(_CASE.eval == suite, _CASE.case_name == case_id, _CASE.variant == variant)
        text = connection.execute(of_case.limit(1)).scalar()
        if text is not None:
            found[suite, case_id, variant] = text
    return found


def case_history(
    connection: Connection,
    suite: str,
    case_id: str,
    *,
    variant: str | None = None,
    experiment: str | None = None,
    limit: int | None = None,
) -> list[CasePoint]:
    """One case (of one variant) over the runs (of one experiment), newest first."""
    run, case = t.v_runs.c, t.v_case_runs.c
    same = (case.variant, case.repeat_index, case.outcome, case.status, case.verdict, case.score, case.latency_ms)
    query = (
        select(
            run.uid.label("run"),
            run.name.label("run_name"),
            func.coalesce(t.experiments.c.name, "").label("experiment"),
            *(run.type, run.git_branch, run.git_commit, run.started_at),
            *same,
            *(case.cost_usd, case.headline, case.definition_sha256),
        )
        .select_from(t.v_case_runs)
        .join(t.v_runs, run.id == case.run_id)
        .outerjoin(t.experiments, t.experiments.c.id == run.experiment_id)
        .where(case.eval == suite, case.case_name == case_id)
        .order_by(run.started_at.desc(), run.id.desc(), case.seq)
        .limit(limit)
    )
    if variant is not None:
        query = query.where(case.variant == variant)
    if experiment is not None:
        query = query.where(t.experiments.c.name == experiment)
    return [CasePoint(**row) for row in connection.execute(query).mappings()]


def cases_like(connection: Connection, text: str, limit: int = 5) -> list[tuple[str, str]]:
    """Suite and id of recorded cases whose id or suite holds the text, for a person who wrote it not quite right."""
    c = t.experiment_cases.c
    query = select(c.eval, c.case_name).distinct().order_by(c.eval, c.case_name).limit(limit)
    query = query.where(c.case_name.contains(text, autoescape=True) | c.eval.contains(text, autoescape=True))
    return [(row.eval, row.case_name) for row in connection.execute(query)]


def known_cases(connection: Connection, experiment_id: int) -> list[KnownCase]:
    """Every case an experiment has ever recorded."""
    c = t.experiment_cases.c
    query = select(c.eval, c.case_name, c.definition_sha256, c.first_seen_at).where(c.experiment_id == experiment_id)
    return [KnownCase(*row) for row in connection.execute(query.order_by(c.eval, c.case_name))]


def find_trajectory(connection: Connection, trajectory_id: str) -> StoredTrajectory | None:
    """A trajectory with its case, run and experiment; ``None`` when no run recorded it."""
    found = trajectories(connection, t.case_run_trajectories.c.trajectory_id == trajectory_id)
    return found[0] if found else None


def dataset_of_result(connection: Connection, number: int) -> str | None:
    """The data set that a result came from, by the number of the result."""
    c = t.checked_case_meta.c
    found: str | None = connection.execute(select(c.dataset_id).where(c.case_run_id == number)).scalar()
    return found


def trajectories_of_result(connection: Connection, number: int) -> list[StoredTrajectory]:
    """The trajectories of one result, by the number of the result."""
    return trajectories(connection, t.case_run_trajectories.c.case_run_id == number)


def trajectories(connection: Connection, condition: Any) -> list[StoredTrajectory]:
    """The trajectories of the results for which a condition on the tables holds."""
    c, run = t.case_run_trajectories.c, t.experiment_runs.c
    same = (c.trajectory_id, c.kind, c.seq, c.agent_name, c.steps, c.cost_usd, c.path, c.sha256, c.artifact_ids)
    query = (
        select(
            *same,
            *(_CASE.eval.label("suite"), _CASE.case_name.label("case_id"), _CASE.variant, _CASE.repeat_index),
            *(run.uid.label("run"), run.type, func.coalesce(t.experiments.c.name, "").label("experiment")),
        )
        .join(t.case_runs, _CASE.id == c.case_run_id)
        .join(t.experiment_runs, run.id == _CASE.run_id)
        .outerjoin(t.experiments, t.experiments.c.id == run.experiment_id)
        .where(condition)
        .order_by(c.id)
    )
    return [StoredTrajectory(**row) for row in connection.execute(query).mappings()]


def _scores(connection: Connection, run: StoredRun, first: int, last: int) -> dict[int, list[Mapping[str, Any]]]:
    query = (
        select(t.case_scores)
        .join(t.case_runs, _CASE.id == _SCORE.case_run_id)
        .where(_CASE.run_id == run.id, _CASE.seq.between(first, last))
        .order_by(_SCORE.case_run_id, _SCORE.seq)
    )
    rows = (dict(row) for row in connection.execute(query).mappings())
    return {number: list(group) for number, group in groupby(rows, itemgetter("case_run_id"))}
