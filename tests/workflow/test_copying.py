"""Runs go from one database to another whole, and only once."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from factories import criterion, error, result
from histories import change, history, query, record
from postgres import new_schema

from pytest_evals import experiments
from pytest_evals.cli import main
from pytest_evals.errors import StoreError, UsageError
from pytest_evals.model.case import ExperimentSpec
from pytest_evals.model.gate import GateVerdict, Verdict
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.response import Usage
from pytest_evals.store.browse import listed_cases
from pytest_evals.store.connect import reading, writing
from pytest_evals.store.edit import note_run, pin_run
from pytest_evals.store.location import locate
from pytest_evals.store.people import add_verdict, undo_verdict, verdicts_of_result
from pytest_evals.store.results import case_results, case_rows, known_cases, trajectories
from pytest_evals.store.runs import list_experiments, list_runs
from pytest_evals.store.tables import metadata
from pytest_evals.workflow.copying import copy_history
from pytest_evals.workflow.provenance import Provenance

HOSTILE = "NUL \0, a lone \ud800 surrogate, größe"


def fill(location, tmp_path):
    """Two sessions: checked and judged results of two experiments, gates, trajectories, a note, a pin, a parent."""
    gate = GateVerdict(parse_gate("pass_rate >= 95%"), Verdict.BROKEN, 0.5, -0.45, ["refund"], "")
    first = [
        result(
            "failed", "refund", experiment="support", score=0.25, output=HOSTILE, metadata={"z": 1, "a": [HOSTILE]},
            criteria=(criterion("tone", 0.25, 0.7, detail={"said": [1, "é"]}), criterion("judge", None, error=error())),
            usage=Usage(12, 5, 3), cost_usd=0.25, latency_ms=12.5, variant="small", tags=("smoke",),
        ),
        result("passed", "repeat", experiment="support", score=1.0, finished_at="2026-03-01T16:00:07+00:00"),
        result("skipped", "later", experiment="support", skip_reason="not now"),
        result("scored", "essay", suite="essays", experiment="essays", score=0.0),
    ]  # fmt: skip
    specs = {"bot": ExperimentSpec("support", "Answers", {"k": 3}), "essays": ExperimentSpec("essays")}
    parent, judged = record(
        location, first, session_id="one", experiments=specs, verdicts=[gate], exit_status=1, run_name="nightly",
        provenance=Provenance(git_branch="main", host="ci", versions={"python": "3.11"}),
    )  # fmt: skip
    with writing(location) as connection:
        pin_run(connection, parent, True)
        note_run(connection, judged, "two\nlines")
        add_verdict(connection, listed_cases(connection, parent)[0].id, verdict="pass", author="ann", note="größe")
        taken_back = add_verdict(connection, listed_cases(connection, judged)[0].id, verdict="fail", author="bob")
        undo_verdict(connection, taken_back.id)
    record(location, [first[1]], session_id="two", started_at="2026-03-02T16:00:00Z", experiments={"bot": specs["bot"]})
    change(location, f"UPDATE experiment_runs SET parent_run_id = {parent.id} WHERE session_id = 'two'")
    where = location.url or location.path
    run = experiments.start("agents", history=where)
    document = {"steps": [{}], "agent": {"name": "planner"}, "trajectory_id": "t-1"}
    run.record("facts", "home", answer="Rome", trajectories=[experiments.Trajectory(document, kind="query")])
    run.record("facts", "home", answer="Rome again")
    run.finish()


def everything(location):
    """All that readers give, without the numbers of rows."""
    with reading(location) as connection:
        runs = list_runs(connection)
        uids = {run.id: run.uid for run in runs}
        return {
            "runs": [
                replace(run, id=0, experiment_id=0, parent_run_id=uids.get(run.parent_run_id) or None) for run in runs
            ],
            "results": [list(case_results(connection, run)) for run in runs],
            "rows": [case_rows(connection, run) for run in runs],
            "known": [(e.name, e.type, known_cases(connection, e.id)) for e in list_experiments(connection)],
            "experiments": [replace(e, id=0) for e in list_experiments(connection)],
            "trajectories": trajectories(connection, True),
            "said": [
                (case.key, [replace(said, id=0, case_run_id=0) for said in verdicts_of_result(connection, case.id)])
                for run in runs
                for case in listed_cases(connection, run)
            ],
        }


@pytest.fixture(params=["to a file", "to a server"])
def target(request, tmp_path):
    if request.param == "to a file":
        return history(tmp_path / "target")
    server, worker = request.getfixturevalue("postgres"), request.getfixturevalue("worker_id")
    return locate(new_schema(server, worker), tmp_path / "target")


def test_runs_are_copied_whole_from_any_engine_to_any(location, target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fill(location, tmp_path)
    copied = copy_history(location, target)
    assert [run.session_id for run in copied.runs][:3] == ["one", "one", "two"]
    assert (copied.there, copied.different, copied.trajectories_left_out) == ([], [], 0)
    assert everything(target) == everything(location)
    for table in sorted(set(metadata.tables) - {"schema_info"}):
        sql = f"SELECT count(*) FROM {table}"
        assert query(target, sql) == query(location, sql) != [(0,)]
    # the numbers that the database gives go on after those that came from elsewhere
    record(target, [result("passed")], session_id="mine", started_at="2026-03-04T16:00:00Z")


def test_a_second_copy_changes_nothing_and_names_what_is_there(tmp_path):
    source, target = history(tmp_path), locate("target.db", tmp_path)
    (first,) = record(source, [result("passed")], session_id="one", run_name="nightly")
    copy_history(source, target)
    change(target, "UPDATE experiment_runs SET name = 'of mine', note = 'kept', pinned = 1")
    (second,) = record(source, [result("passed")], session_id="two", started_at="2026-03-02T16:00:00Z")
    done = copy_history(source, target)
    assert ([run.uid for run in done.runs], [run.uid for run in done.there]) == ([second.uid], [first.uid])
    assert query(target, "SELECT name, note, pinned FROM experiment_runs ORDER BY id") == [
        ("of mine", "kept", 1),
        ("", "", 0),
    ]


def test_a_run_of_the_same_id_with_other_results_is_refused_and_left_alone(tmp_path):
    source, target = history(tmp_path), locate("target.db", tmp_path)
    record(source, [result("passed")], session_id="one")
    record(target, [result("failed")], session_id="one", exit_status=1)
    done = copy_history(source, target)
    assert (done.runs, done.there, [run.status for run in done.different]) == ([], [], ["passed"])
    assert query(target, "SELECT status FROM experiment_runs") == [("failed",)]


def test_a_copy_that_is_cut_off_goes_on_where_it_was(tmp_path, monkeypatch):
    source, target = history(tmp_path), locate("target.db", tmp_path)
    for n in range(1, 5):
        record(source, [result("passed", f"case-{k}") for k in range(3)], session_id=f"s{n}",
               started_at=f"2026-03-0{n}T16:00:00Z")  # fmt: skip
    from pytest_evals.store import transfer

    real, calls = transfer.insert_all, []

    def failing(connection, table, rows):
        calls.append(table.name)
        real(connection, table, rows)
        if calls.count("checked_case_meta") == 3:
            raise StoreError("the disk is full")

    monkeypatch.setattr(transfer, "insert_all", failing)
    with pytest.raises(StoreError, match="the disk is full"):
        copy_history(source, target)
    assert query(target, "SELECT session_id FROM experiment_runs ORDER BY id") == [("s1",), ("s2",)]
    monkeypatch.undo()
    done = copy_history(source, target)
    assert [run.session_id for run in done.runs] == ["s3", "s4"]
    assert [run.session_id for run in done.there] == ["s1", "s2"]
    assert everything(target) == everything(source)


def test_an_experiment_that_is_there_keeps_what_it_says_and_learns_when_its_cases_were_first_seen(tmp_path):
    source, target = history(tmp_path), locate("target.db", tmp_path)
    made = [replace(result("passed", "a", definition_sha256="a" * 64), experiment="support")]
    record(source, made, session_id="old", experiments={"bot": ExperimentSpec("support", "Of old", {"k": 1})})
    newer = [replace(made[0], definition_sha256="b" * 64)]
    record(target, newer, session_id="new", started_at="2026-03-05T16:00:00Z",
           experiments={"bot": ExperimentSpec("support", "Of today", {"k": 2})})  # fmt: skip
    copy_history(source, target)
    assert query(target, "SELECT description, config FROM experiments") == [("Of today", '{"k":2}')]
    assert query(target, "SELECT definition_sha256, first_seen_at FROM experiment_cases") == [
        ("a" * 64, "2026-03-01T16:00:00.000000+00:00")
    ]


def test_a_trajectory_whose_id_another_run_has_is_left_out_and_counted(tmp_path):
    places = [tmp_path / "one" / "h.db", tmp_path / "two" / "h.db"]
    for place in places:
        run = experiments.start("agents", history=place)
        document = {"steps": [{}], "trajectory_id": "t-1"}
        run.record("facts", "home", answer="Rome", trajectories=[experiments.Trajectory(document)])
        run.finish()
    source, target = (locate(place, tmp_path) for place in places)
    done = copy_history(source, target)
    assert (len(done.runs), done.trajectories_left_out) == (1, 1)
    assert query(target, "SELECT count(*) FROM case_run_trajectories") == [(1,)]


def test_a_history_is_not_copied_onto_itself(tmp_path):
    location = history(tmp_path)
    record(location, [result("passed")])
    (tmp_path / "link.db").symlink_to(location.path)
    with pytest.raises(UsageError, match="the source and the target are the same history"):
        copy_history(location, locate("link.db", tmp_path))


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for n, experiment in enumerate(("support", "support", "other"), 1):
        made = [replace(result("passed", f"case-{n}"), experiment=experiment)]
        record(locate("mine.db", tmp_path), made, session_id=f"s{n}", started_at=f"2026-03-0{n}T16:00:00Z",
               experiments={"bot": ExperimentSpec(experiment)}, run_name=f"night-{n}")  # fmt: skip
    return tmp_path


def say(*words, status=0):
    done = CliRunner().invoke(main, ["history", "copy", *words])
    assert done.exit_code == status, done.output + repr(done.exception)
    return done


def test_the_command_copies_what_is_selected_and_says_what_is_there(here):
    assert say("mine.db", "team.db", "--dry-run").stdout == "3 runs (3 results) would be copied.\n"
    assert not (here / "team.db").exists()
    assert say("mine.db", "team.db", "--run", "night-2").stdout == "Copied 1 run (1 result).\n"
    with reading(locate("team.db", here)) as connection:
        (there,) = list_runs(connection)
    assert say("mine.db", "team.db", "--experiment", "support").stdout == (
        f"Copied 1 run (1 result).\nAlready there, left alone: {there.uid} (night-2).\n"
    )
    assert say("mine.db", "team.db", "--run", "night-2", status=1).stdout.startswith("Copied 0 runs")
    assert "there is no run of experiment 'never'" in say("mine.db", "x.db", "--experiment", "never", status=2).stderr
    data = json.loads(say("mine.db", "team.db", "--json").stdout)
    assert (data["format"], len(data["copied"]), len(data["there"]), data["different"]) == (1, 1, 2, [])


def test_the_command_refuses_what_is_different_by_name(here):
    say("mine.db", "team.db", "--run", "night-1")
    change(locate("team.db", here), "UPDATE experiment_runs SET exit_status = 7")
    done = say("mine.db", "team.db", status=1)
    assert done.stdout == "Copied 2 runs (2 results).\n"
    assert "(night-1) is there with other results; delete one of the two." in done.stderr


def test_a_source_that_is_not_there_is_a_line(here):
    done = say("never.db", "team.db", status=2)
    assert done.stderr == f"Error: {here}/never.db: there is no history yet\n"
