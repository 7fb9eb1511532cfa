"""The last runs of an experiment."""

from __future__ import annotations

from factories import result
from histories import history, record

from pytest_evals.model.case import ExperimentSpec
from pytest_evals.store.connect import reading
from pytest_evals.workflow.trend import RUNS, trend_of


def session(location, day, passed, outcome="failed", experiment="support"):
    results = [result("passed" if n < passed else outcome, f"c{n}", experiment=experiment) for n in range(4)]
    started = f"2026-01-{day:02}T10:00:00+00:00"
    experiments = {"bot": ExperimentSpec(experiment)}
    record(location, results, session_id=f"s{day}", started_at=started, experiments=experiments)


def trend(location, session_id, *experiments):
    with reading(location) as connection:
        return trend_of(connection, experiments or ["support"], session_id)


def test_runs_are_the_oldest_first_up_to_that_of_the_session(tmp_path):
    location = history(tmp_path)
    for day, passed in ((3, 2), (1, 4), (2, 3), (4, 1)):
        session(location, day, passed)
    found = trend(location, "s3")
    assert [(point.started_at[:10], point.pass_rate, point.current) for point in found] == [
        ("2026-01-01", 1.0, False),
        ("2026-01-02", 0.75, False),
        ("2026-01-03", 0.5, True),
    ]


def test_runs_of_the_other_type_and_of_other_experiments_are_left_out(tmp_path):
    location = history(tmp_path)
    session(location, 1, 0, outcome="scored")
    session(location, 2, 4, experiment="other")
    session(location, 3, 4)
    assert [point.started_at[8:10] for point in trend(location, "s3", "support", "other")] == ["03"]
    assert trend(location, "none") == []


def test_only_the_last_runs_are_shown(tmp_path):
    location = history(tmp_path)
    for day in range(1, RUNS + 4):
        session(location, day, 4)
    found = trend(location, f"s{RUNS + 3}")
    assert (len(found), found[0].started_at[8:10], found[-1].current) == (RUNS, "04", True)
