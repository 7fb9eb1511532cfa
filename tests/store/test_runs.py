from __future__ import annotations

from dataclasses import replace

import pytest
from factories import result
from histories import change, history, query, record
from postgres import only_sqlite

from pytest_evals.errors import StoreError, UsageError
from pytest_evals.model.case import ExperimentSpec
from pytest_evals.store.connect import reading
from pytest_evals.store.runs import count_runs, find_experiment, find_run, list_experiments, list_runs
from pytest_evals.workflow.provenance import Provenance


def add(
    location, session_id, started_at="2026-03-01T16:00:00Z", *, experiment="default", branch=None, name="", **fields
):
    results = fields.pop("results", [result("passed", score=1.0, cost_usd=0.5)])
    results = [replace(r, experiment=experiment) for r in results]
    provenance = Provenance(git_branch=branch)
    experiments = {r.suite: ExperimentSpec(experiment) for r in results}
    return record(
        location, results, session_id=session_id, started_at=started_at, provenance=provenance, run_name=name,
        experiments=experiments, **fields,
    )  # fmt: skip


def sessions(location, **narrow):
    with reading(location) as connection:
        return [run.session_id for run in list_runs(connection, **narrow)]


def find(location, spec, **narrow):
    with reading(location) as connection:
        return find_run(connection, spec, **narrow).session_id


def test_fault_C05_the_newest_run_is_the_one_that_began_last_wherever(location):
    add(location, "A", "2026-03-02T00:30:00+09:00")
    add(location, "B", "2026-03-01T16:00:00+00:00")
    assert sessions(location) == ["B", "A"]
    assert find(location, "last") == "B"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-10-25T02:30:00+02:00", "2026-10-25T02:10:00+01:00"),  # the hour that comes twice when summer time ends
        ("2026-03-01T23:59:59.9-05:00", "2026-03-02T05:00:00Z"),
        ("2026-03-01T16:00:00.000009Z", "2026-03-01T16:00:00.00001Z"),
        ("2026-03-01T16:00:00", "2026-03-01T16:00:01+00:00"),
    ],
)
def test_fault_C05_zones_summer_time_and_microseconds_do_not_reorder_runs(location, earlier, later):
    add(location, "later", later)
    add(location, "earlier", earlier)
    assert sessions(location) == ["later", "earlier"]


def test_fault_C05_names_are_not_compared_as_texts(location):
    add(location, "nine", "2026-03-01T16:00:00Z", name="run-9")
    add(location, "ten", "2026-03-01T17:00:00Z", name="run-10")
    assert sessions(location) == ["ten", "nine"]
    assert find(location, "run-9") == "nine"


def test_fault_C05_of_two_runs_of_one_second_the_one_recorded_later_is_newer(location):
    for name in ("first", "second", "third"):
        add(location, name)
    assert sessions(location) == ["third", "second", "first"]
    assert find(location, "last") == "third"


def test_runs_are_narrowed_and_limited(location):
    add(location, "s1", experiment="support", branch="main")
    add(location, "s2", experiment="support", branch="topic")
    add(location, "s3", experiment="other", branch="main")
    add(location, "s4", results=[result("scored", score=0.5)])
    assert sessions(location, experiment="support") == ["s2", "s1"]
    assert sessions(location, branch="main") == ["s3", "s1"]
    assert sessions(location, kind="judged") == ["s4"]
    assert sessions(location, limit=2) == ["s4", "s3"]
    assert sessions(location, experiment="never") == []
    with reading(location) as connection:
        assert count_runs(connection) == 4


def test_last_of_a_branch_and_of_an_experiment(location):
    add(location, "s1", "2026-03-01T16:00:00Z", branch="main", experiment="support")
    add(location, "s2", "2026-03-02T16:00:00Z", branch="feature/x", experiment="support")
    add(location, "s3", "2026-03-03T16:00:00Z", branch="main")
    assert find(location, "last:main") == "s3"
    assert find(location, "last:main", experiment="support") == "s1"
    assert find(location, "last:feature/x") == "s2"
    with pytest.raises(UsageError, match="there is no run of branch 'never'"):
        find(location, "last:never")
    with pytest.raises(UsageError, match="there is no run in experiment 'x' of branch 'main'"):
        find(location, "last:main", experiment="x")


def test_a_run_is_found_by_its_id_and_by_a_unique_beginning(location):
    (run,) = add(location, "s1")
    assert len(run.uid) == 12
    for spec in (run.uid, run.uid.upper(), run.uid[:4], run.uid[:11]):
        assert find(location, spec) == "s1"


@pytest.mark.parametrize("spec", ["", "abc", "%%%%", "____", "never-was", "last-one", "' OR 1=1"])
def test_what_names_no_run_says_how_runs_are_named(location, spec):
    add(location, "s1")
    with pytest.raises(
        UsageError, match=r"^there is no run .*; a run is named by its id .*, its name, last or last:BRANCH$"
    ):
        find(location, spec)


def test_a_beginning_of_several_ids_lists_them(location):
    for n in range(7):
        add(location, f"s{n}")
    raw = [uid for (uid,) in query(location, "SELECT uid FROM experiment_runs")]
    for n, uid in enumerate(raw):
        change(location, f"UPDATE experiment_runs SET uid = 'same{n}xxxxxxx' WHERE uid = '{uid}'")
    with pytest.raises(
        UsageError, match=r"^'same' begins the ids of several runs: (same\dxxxxxxx, ){5}…; write more of it$"
    ):
        find(location, "same")
    assert find(location, "same3") == "s3"


def test_a_name_that_is_shared_means_the_newest_and_wins_over_a_beginning(location):
    (first,) = add(location, "s1", "2026-03-01T16:00:00Z", name="nightly")
    add(location, "s2", "2026-03-02T16:00:00Z", name="nightly")
    assert find(location, "nightly") == "s2"
    add(location, "s3", "2026-03-03T16:00:00Z", name=first.uid[:6])
    assert find(location, first.uid[:6]) == "s3"
    assert find(location, first.uid) == "s1"


def test_an_id_is_the_same_wherever_the_session_is_recorded(tmp_path, new_location):
    one, other = new_location(tmp_path / "a"), history(tmp_path / "b")
    add(other, "s0")
    assert add(one, "s1")[0].uid == add(other, "s1")[0].uid
    assert len({add(one, f"t{n}")[0].uid for n in range(20)}) == 20


def test_experiments_are_listed_with_their_runs_by_status(location):
    add(location, "s1", "2026-03-01T16:00:00Z", experiment="support")
    add(location, "s2", "2026-03-02T16:00:00Z", experiment="support", results=[result("failed", "b")])
    add(location, "s3", "2026-03-01T17:00:00Z", experiment="other", results=[result("scored", score=0.5)])
    with reading(location) as connection:
        support, other = list_experiments(connection)
    assert (support.name, support.type, support.runs, support.cases) == (
        "support", "checked", {"passed": 1, "failed": 1}, 2,
    )  # fmt: skip
    assert (support.last_started_at, support.cost_usd) == ("2026-03-02T16:00:00.000000+00:00", 0.5)
    assert (other.name, other.type, other.runs, other.cost_usd) == ("other", "judged", {"completed": 1}, None)
    assert support.last_run
    assert support.last_run != other.last_run


def test_an_experiment_is_found_by_name_and_type(location):
    add(location, "s1", experiment="support", results=[result("passed"), result("scored", "b", score=1.0)])
    with reading(location) as connection:
        assert find_experiment(connection, "support", "judged").type == "judged"
        with pytest.raises(UsageError, match="as checked and as judged; say which with --type"):
            find_experiment(connection, "support")
        with pytest.raises(UsageError, match="there is no experiment 'never'"):
            find_experiment(connection, "never")


@only_sqlite
def test_there_is_no_history_to_read_before_the_first_run(location):
    with pytest.raises(StoreError, match=r"history\.db: there is no history yet$"), reading(location):
        pass
    assert not location.path.parent.exists()
