"""Stored runs as the session a report is made from."""

from __future__ import annotations

from factories import result
from histories import history, record

from pytest_evals.model.redaction import Redactor
from pytest_evals.store import connect
from pytest_evals.store.runs import find_run
from pytest_evals.workflow.reporting import reported


def add(location, number, outcomes, **fields):
    results = [
        result(outcome, case_id, suite, experiment="default", variant=variant, variant_id=variant)
        for (suite, case_id, variant), outcome in outcomes.items()
    ]
    started = f"2026-03-{number:02}T16:00:00Z"
    [run] = record(location, results, session_id=f"s{number}", started_at=started, **fields)
    return run.uid


def read(location, *uids):
    with connect.reading(location) as connection:
        session, results = reported(connection, [find_run(connection, uid) for uid in uids], Redactor({}))
        return session, list(results())


def test_one_run_is_the_session_it_was(tmp_path):
    location = history(tmp_path)
    uid = add(location, 1, {("bot", "a", ""): "passed", ("bot", "b", ""): "failed"}, exit_status=1)
    session, results = read(location, uid)
    assert (session.exit_status, session.summary.counts.passed, session.summary.counts.failed) == (1, 1, 1)
    assert [one.key for one in results] == [row.key for row in session.rows]


def test_runs_of_other_cases_are_added_up(tmp_path):
    location = history(tmp_path)
    first = add(location, 1, {("bot", "a", ""): "passed"})
    second = add(location, 2, {("billing", "a", ""): "failed"}, exit_status=1)
    session, results = read(location, first, second)
    assert [row.key for row in session.rows] == [("bot", "a", ""), ("billing", "a", "")]
    assert session.exit_status == 1
    assert not session.summary.by_variant
    assert len(results) == 2


def test_runs_of_the_same_cases_stand_side_by_side(tmp_path):
    location = history(tmp_path)
    first = add(location, 1, {("bot", "a", ""): "passed", ("bot", "b", ""): "passed"}, run_name="small")
    second = add(location, 2, {("bot", "a", ""): "passed", ("bot", "b", ""): "failed"})
    session, results = read(location, first, second)
    assert list(session.summary.by_variant) == [("bot", "small"), ("bot", second)]
    assert [(pair.first, pair.second, pair.cases, pair.worse) for pair in session.pairs] == [("small", second, 2, 1)]
    assert [one.key for one in results] == [row.key for row in session.rows]


def test_variants_of_runs_side_by_side_keep_their_names(tmp_path):
    location = history(tmp_path)
    first = add(location, 1, {("bot", "a", "tiny"): "passed"}, run_name="old")
    second = add(location, 2, {("bot", "a", "tiny"): "failed"}, run_name="new")
    session, _ = read(location, first, second)
    assert list(session.summary.by_variant) == [("bot", "tiny@old"), ("bot", "tiny@new")]
