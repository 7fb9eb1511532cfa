from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner
from factories import criterion, error, result
from histories import history, query, record, start

from pytest_evals import experiments
from pytest_evals.cli import main
from pytest_evals.model.case import ExperimentSpec
from pytest_evals.model.gate import GateVerdict, Verdict
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.store.connect import reading
from pytest_evals.store.runs import list_runs
from pytest_evals.workflow.provenance import Provenance


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_EVALS_HISTORY", raising=False)
    (tmp_path / "pytest.ini").touch()
    return tmp_path


@pytest.fixture
def location(here):
    return history(here)


def say(*arguments, answer=None, status=0):
    """What a command prints on standard output; its errors when it is to fail."""
    done = CliRunner().invoke(main, ["history", *arguments], input=answer)
    assert done.exit_code == status, done.output + repr(done.exception)
    return done.stdout if not status else done.stderr


def add(location, number, *results, experiment="default", branch="main", **fields):
    made = [replace(r, experiment=experiment) for r in results or [result("passed", score=1.0, cost_usd=0.5)]]
    (run,) = record(
        location, made, session_id=f"s{number}", started_at=f"2026-03-0{number}T16:00:00Z",
        experiments={r.suite: ExperimentSpec(experiment) for r in made},
        provenance=Provenance(git_branch=branch, command=["pytest", "evals"]), **fields,
    )  # fmt: skip
    return run


# -- a history that is missing or empty ---------------------------------------------------------------------------


@pytest.mark.parametrize("command", [[], ["list"], ["experiments"], ["prune", "--keep", "3"]])
def test_a_missing_history_is_said_and_no_error(here, command):
    done = CliRunner().invoke(main, ["history", *command])
    assert (done.exit_code, done.stdout) == (0, "")
    where = f"{here}/.evals/history.db"
    assert (
        done.stderr == f"There is no history yet at {where}; it is made by the first pytest session that runs cases.\n"
    )
    assert not (here / ".evals").exists()


def test_a_history_in_a_folder_below_is_named(here):
    for folder in ("evals", "more"):
        record(history(here / folder), [result("passed")])
    missing = (
        f"here is no history yet at {here}/.evals/history.db; there is one at evals/.evals/history.db (and 1 more)"
    )
    done = CliRunner().invoke(main, ["history"])
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"T{missing}.\n")
    done = CliRunner().invoke(main, ["history", "show", "last"])
    assert (done.exit_code, done.stderr) == (2, f"Error: t{missing}; name it with --history\n")


@pytest.mark.parametrize(("command", "key"), [("list", "runs"), ("experiments", "experiments")])
def test_a_missing_history_is_an_empty_list_in_json(here, command, key):
    assert json.loads(say(command, "--json")) == {"format": 1, key: []}


@pytest.mark.parametrize(
    "command",
    [
        ["show", "last"],
        ["case", "a::b"],
        ["rename", "last", "x"],
        ["pin", "last"],
        ["note", "last", "x"],
        ["delete", "last"],
    ],
)
def test_a_run_of_a_missing_history_is_an_error(here, command):
    assert say(*command, status=2) == (
        f"Error: there is no history yet at {here}/.evals/history.db; name another one with --history\n"
    )
    assert not (here / ".evals").exists()


def test_an_empty_history_is_said(location):
    location.path.parent.mkdir()
    location.path.touch()
    assert say() == f"No runs in {location}.\n"
    assert say("experiments") == f"No experiments in {location}.\n"
    assert "there is no run" in say("show", "last", status=2)


@pytest.mark.parametrize("content", [b"x" * 100, b"SQLite format 3\0" + b"\0" * 84])
def test_a_damaged_history_is_one_line(location, content):
    location.path.parent.mkdir()
    location.path.write_bytes(content)
    line = say(status=2)
    assert line.startswith(f"Error: {location}: it is damaged")
    assert line.count("\n") == 1


# -- list ---------------------------------------------------------------------------------------------------------


def test_runs_are_listed_newest_first(location):
    first = add(location, 1, experiment="support")
    second = add(location, 2, result("failed", score=0.25, cost_usd=0.001), result("passed", "b"), run_name="nightly")
    third = add(location, 3, result("scored", score=0.5), branch=None)
    assert say().splitlines() == [
        "run           started (UTC)     experiment  status     passed  score       cost  branch  name",
        f"{third.uid}  2026-03-03 16:00  default     completed           0.50          –",
        f"{second.uid}  2026-03-02 16:00  default     failed      50.0%   0.25  ≥ $0.0010  main    nightly",
        f"{first.uid}  2026-03-01 16:00  support     passed       100%   1.00      $0.50  main",
    ]
    assert say() == say("list")


def test_the_list_is_narrowed(location):
    for number in range(1, 6):
        add(location, number, experiment="support" if number % 2 else "other", branch="main" if number < 4 else "topic")
    assert [line[14:24] for line in say("--limit", "2").splitlines()[1:3]] == ["2026-03-05", "2026-03-04"]
    assert say("--limit", "2").splitlines()[-1] == "(2 of 5 runs; --limit 0 shows all)"
    assert len(say("-n", "0").splitlines()) == 6
    assert len(say("--experiment", "other").splitlines()) == 3
    assert len(say("--branch", "topic").splitlines()) == 3
    assert say("--type", "judged") == f"No runs match in {location}.\n"


def test_the_list_as_json_has_every_column(location):
    run = add(location, 1)
    (listed,) = json.loads(say("--json"))["runs"]
    assert listed == json.loads(json.dumps(run.plain()))
    assert (listed["status"], listed["core_status"], listed["verdict"]) == ("passed", "completed", "pass")


def test_another_history_is_named_by_option_or_variable(location, monkeypatch):
    add(location, 1)
    moved = location.path.rename(location.path.parent.parent / "moved.db")
    assert len(say("--history", str(moved)).splitlines()) == 2
    assert len(say("list", "--history", "moved.db").splitlines()) == 2
    monkeypatch.setenv("PYTEST_EVALS_HISTORY", "moved.db")
    assert len(say().splitlines()) == 2


# -- show ---------------------------------------------------------------------------------------------------------


def test_a_run_is_shown_with_its_cases_that_did_not_pass(location):
    verdict = GateVerdict(parse_gate("pass_rate >= 95%"), Verdict.BROKEN, 0.5, -0.45, 2)
    run = add(
        location, 1,
        result("passed", "fine", score=1.0, latency_ms=12.0),
        result("failed", "refund", criteria=(criterion(reason="no '30 days'"),), score=0.0, variant="small"),
        result("errored", "late", error=error("timeout", "no answer after 60 s")),
        result("skipped", "off", skip_reason="later"),
        run_name="nightly", verdicts=[verdict], exit_status=1, finished_at="2026-03-01T16:12:00Z",
    )  # fmt: skip
    assert say("show", "nightly").splitlines() == [
        f"run          {run.uid}",
        "name         nightly",
        "experiment   default (checked)",
        "status       failed",
        "started      2026-03-01 16:00 UTC, took 12 min 0 s",
        "cases        1 passed, 1 failed, 1 errored, 1 skipped",
        "figures      pass rate 33.3%, score 0.50, cost –",
        "gate         pass_rate >= 95%: broken, observed 50.0%",
        "git          main",
        "command      pytest evals",
        "exit status  1",
        "",
        "outcome  score  case                why",
        "failed    0.00  bot::refund[small]  contains 0 < 1: no '30 days'",
        "errored      –  bot::late           timeout: no answer after 60 s",
    ]
    assert "passed    1.00    12 ms  bot::fine" in say("show", run.uid[:5], "--all")


def test_of_a_session_with_a_run_of_each_type_the_checked_one_is_meant(location):
    found = record(
        location,
        [result("passed"), result("scored", "b", score=0.5), result("scored", "c", score=0.5, experiment="other")],
        run_name="mixed",
    )
    checked, judged, other = found
    for spec in ("last", "mixed"):
        assert json.loads(say("show", spec, "--experiment", "default", "--json"))["run"]["uid"] == checked.uid
        assert json.loads(say("show", spec, "--json"))["run"]["uid"] == other.uid
    assert json.loads(say("show", judged.uid, "--json"))["run"]["uid"] == judged.uid
    assert f"same session {judged.uid} (default, judged), {other.uid} (other, judged)\n" in say("show", checked.uid)


def test_a_command_can_be_copied_and_a_gate_says_what_it_observed(location):
    verdicts = [
        GateVerdict(parse_gate(text), verdict, observed, None, 2)
        for text, verdict, observed in (
            ("latency.p95 <= 2s", Verdict.HELD, 340.0),
            ("errors <= 1%", Verdict.BROKEN, 0.5),
            ("score.mean > 0.5", Verdict.UNDECIDED, None),
        )
    ]
    origin = Provenance(command=["pytest", "-k", "a or b"])
    record(location, [result("passed")], provenance=origin, verdicts=verdicts)
    shown = [line for line in say("show", "last").splitlines() if line.startswith(("gate", "command"))]
    assert shown == [
        "gate         latency.p95 <= 2s: held, observed 340 ms",
        "gate         errors <= 1%: broken, observed 50.0%",
        "gate         score.mean > 0.5: undecided",
        "command      pytest -k 'a or b'",
    ]


def test_what_a_run_shows_is_limited(location):
    add(location, 1, *(result("failed", f"case-{n}") for n in range(30)))
    assert say("show", "last").splitlines()[-1] == "(20 of 30 cases; --limit 0 shows all)"
    assert say("show", "last", "--limit", "0").splitlines()[-1].endswith("case-29  failed")


def test_a_run_as_json_has_its_whole_results(location):
    add(location, 1, *(result("failed", f"case-{n}", output="x" * 10_000) for n in range(30)))
    shown = json.loads(say("show", "last", "--json"))
    assert len(shown["results"]) == 30
    assert shown["results"][3]["trials"][0]["output"] == "x" * 10_000
    assert shown["run"]["failed_cases"] == 30
    assert shown["trajectories"] == []


def test_a_run_that_was_cut_short_says_why(location):
    add(location, 1, result("passed"), not_run=["evals/bot.eval.yaml::b"], stopped="interrupted", exit_status=2)
    shown = say("show", "last")
    assert "status       cancelled: interrupted\n" in shown
    assert "cases        1 passed, 1 never reached\n" in shown


def test_hostile_text_stays_on_its_line(location):
    add(location, 1, result("failed", "a\x1b[31mb\n\u202ec", criteria=(criterion(reason="x\ny\x07"),)), run_name="n")
    shown = say("show", "last") + say("case", "bot::a\x1b[31mb\n\u202ec") + say()
    for bad in "\x1b\x07\u202e":
        assert bad not in shown
    assert "a\\x1b[31mb \\u202ec" in shown


@pytest.mark.parametrize("spec", ["nightly", "abcd", "last:topic"])
def test_an_unknown_run_is_one_line(location, spec):
    add(location, 1)
    assert say("show", spec, status=2).startswith("Error: there is no run")


# -- case ---------------------------------------------------------------------------------------------------------


def test_a_case_is_plotted_over_the_runs(location):
    for number, (outcome, score) in enumerate(
        [("passed", 1.0), ("failed", 0.25), ("errored", None), ("warned", 0.5)], 1
    ):
        failure = error("provider", "HTTP 500") if outcome == "errored" else None
        one = result(outcome, "refund", score=score, error=failure, definition_sha256="ab"[number > 2] * 64)
        add(location, number, one, result("passed", "b"))
    lines = say("case", "bot::refund").splitlines()
    assert lines[:3] == ["bot::refund, 4 results, newest first", "oldest → newest: ✓✗Ew", ""]
    assert [line.split("  ")[0] for line in lines[4:]] == ["w warned", "E errored", "✗ failed", "✓ passed"]
    bars = [line.count("█") for line in lines[4:]]
    assert bars == [10, 0, 5, 20]
    assert ["the case was changed" in line for line in lines[4:]] == [False, True, False, False]
    assert "provider: HTTP 500" in lines[5]


def test_a_case_without_verdict_or_score_shows_its_status(location):
    add(location, 1, result("scored", "a", score=0.0), result("scored", "b", score=1.0))
    assert "· scored   0.00" in say("case", "bot::a")


def test_a_case_is_found_whatever_its_id_holds(location):
    add(location, 1, result("passed", "a::b[c]", suite="x::y"), result("passed", "plain", variant="small-4k"))
    for name in ("x::y::a::b[c]", "bot::plain", "bot::plain[small-4k]"):
        assert say("case", name).startswith(f"{name}, 1 result,")
    assert "no run has recorded a case 'bot::plain[large]'" in say("case", "bot::plain[large]", status=2)


def test_an_unknown_case_says_which_there_are(location):
    add(location, 1, result("passed", "refund-window"))
    assert say("case", "bot::refund", status=2) == (
        "Error: no run has recorded a case 'bot::refund'; a case is named SUITE::ID; recorded are: bot::refund-window\n"
    )
    assert "a case is named SUITE::ID" in say("case", "refund", status=2)
    assert "in experiment 'x'" in say("case", "bot::refund-window", "--experiment", "x", status=2)


def test_a_case_as_json_has_its_points(location):
    add(location, 1, result("failed", "a", score=0.25, latency_ms=5.0))
    shown = json.loads(say("case", "bot::a", "--json"))
    assert shown["case"] == {"suite": "bot", "id": "a"}
    (point,) = shown["points"]
    assert (point["outcome"], point["verdict"], point["score"], point["latency_ms"]) == ("failed", "fail", 0.25, 5.0)


# -- experiments, rename, pin, note -------------------------------------------------------------------------------


def test_experiments_are_listed(location):
    add(location, 1, experiment="support")
    run = add(location, 2, result("failed", "b"), experiment="support")
    assert say("experiments").splitlines() == [
        "experiment  type     runs                cases  last (UTC)        last run       cost",
        f"support     checked  1 failed, 1 passed      2  2026-03-02 16:00  {run.uid}  $0.50",
    ]


def test_a_run_is_named_pinned_and_noted(location):
    run = add(location, 1)
    assert say("rename", "last", "release 1.4") == f"Run {run.uid} is named release 1.4.\n"
    assert say("pin", "release 1.4") == f"Run {run.uid} is pinned.\n"
    assert say("note", "release 1.4", "with ticket 7") == f"Run {run.uid} has a note.\n"
    assert f"{run.uid}*" in say()
    shown = say("show", run.uid)
    assert f"run          {run.uid}, pinned\nname         release 1.4\n" in shown
    assert "note         with ticket 7\n" in shown
    assert say("rename", run.uid, "") == f"Run {run.uid} has no name.\n"
    assert say("pin", "--off", run.uid) == f"Run {run.uid} is no longer pinned.\n"
    assert say("note", run.uid, "") == f"Run {run.uid} has no note.\n"
    assert query(location, "SELECT name, pinned, note FROM experiment_runs") == [("", 0, "")]


def test_a_run_cannot_be_named_last(location):
    add(location, 1)
    assert say("rename", "last", "last:main", status=2).startswith("Error: a run cannot be named 'last:main'")


# -- delete, prune ------------------------------------------------------------------------------------------------


def with_trajectory(here, number):
    with experiments.start("agents") as run:
        document = {"trajectory_id": f"t-{number}", "steps": []}
        run.record("shop", "mugs", trajectories=[experiments.Trajectory(document)])
    return here / ".evals" / "atif" / f"t-{number}.json"


def test_a_run_is_deleted_after_asking(location):
    add(location, 1)
    run = add(location, 2)
    assert "Aborted" in say("delete", "last", answer="n\n", status=1)
    assert len(say().splitlines()) == 3
    assert say("delete", "last", answer="y\n").endswith("Deleted 1 run (1 result).\n")
    assert run.uid not in say()


def test_several_runs_are_deleted_at_once_each_once(location):
    runs = [add(location, number) for number in range(1, 5)]
    assert say("delete", runs[0].uid, runs[1].uid[:6], runs[0].uid, "--yes") == "Deleted 2 runs (2 results).\n"
    assert [line[:12] for line in say().splitlines()[1:]] == [runs[3].uid, runs[2].uid]


def test_deleting_lists_the_files_of_trajectories_and_removes_them_when_asked(here):
    path = with_trajectory(here, 1)
    other = with_trajectory(here, 2)
    said = say("delete", "last", "--yes")
    assert f"Files of 1 trajectory:\n  {other}\n" in said
    assert said.endswith("The files of trajectories stay; --files removes them.\n")
    assert other.exists()
    assert say("delete", "last", "--yes", "--files").endswith("Removed 1 of 1 files.\n")
    assert not path.exists()


def test_an_experiment_is_deleted_with_all_its_runs(location):
    add(location, 1, experiment="support")
    add(location, 2, experiment="scratch")
    add(location, 3, result("passed"), result("failed", "b"), experiment="scratch")
    assert (
        say("delete", "--experiment", "scratch", "-y")
        == "Deleted experiment scratch (checked) with 2 runs (3 results).\n"
    )
    for table in ("experiments", "experiment_runs", "case_runs", "checked_case_meta"):
        assert query(location, f"SELECT count(*) FROM {table}") == [(1,)], table


def test_a_pinned_run_is_not_deleted(location):
    run = add(location, 1)
    say("pin", "last")
    line = f"Error: pinned: {run.uid}; unpin first: pytest-evals history pin --off {run.uid}\n"
    assert say("delete", "last", "-y", status=2) == line
    assert say("delete", "--experiment", "default", "-y", status=2) == line
    assert say("prune", "--keep", "0", "-y") == "No run is to be deleted.\n"


@pytest.mark.parametrize("arguments", [[], ["last", "--experiment", "x"]])
def test_what_to_delete_is_said_in_one_way(location, arguments):
    add(location, 1)
    assert say("delete", *arguments, status=2) == "Error: name either runs or --experiment NAME\n"


def test_old_runs_are_pruned(location, here):
    runs = [add(location, number) for number in range(1, 6)]
    shown = say("prune", "--keep", "3", "--dry-run")
    assert shown.endswith("2 runs would be deleted.\n")
    assert runs[0].uid in shown
    assert len(say().splitlines()) == 6
    assert "Aborted" in say("prune", "--keep", "3", answer="\n", status=1)
    assert say("prune", "--keep", "3", "-y", "--compact").endswith("Deleted 2 runs.\nCompacted.\n")
    assert [line[:12] for line in say().splitlines()[1:]] == [runs[4].uid, runs[3].uid, runs[2].uid]


def test_runs_are_pruned_by_age(here):
    with experiments.start() as run:
        run.record("s", "a")
    add(history(here), 1)
    assert say("prune", "--older-than", "1h", "-y").endswith("Deleted 1 run.\n")
    assert len(experiments.runs()) == 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "Error: say which runs are old: --keep N, --older-than AGE, or both\n"),
        (["--older-than", "soon"], "Error: 'soon' is not an age such as 36h, 30d or 8w\n"),
        (["--older-than", "5"], "Error: '5' is not an age such as 36h, 30d or 8w\n"),
    ],
)
def test_what_is_old_must_be_said(location, arguments, line):
    add(location, 1)
    assert say("prune", *arguments, status=2) == line


# -- recover ------------------------------------------------------------------------------------------------------


def killed(location, results):
    """A session that ends in the middle, as by ``kill -9``."""
    code = (
        "import os, sys; sys.path[:0] = %r\n"
        "from pathlib import Path; from factories import result; from histories import history, start\n"
        "start(history(Path(%r)), [result('passed', f'case-{n}') for n in range(%d)]); os._exit(9)"
    )
    parent = str(location.path.parent.parent)
    subprocess.run([sys.executable, "-c", code % (sys.path, parent, results)], check=False, timeout=60)


def test_a_killed_session_is_recovered(location):
    killed(location, 3)
    said = say("recover")
    with reading(location) as connection:
        (run,) = list_runs(connection)
    assert said == f"Recovered run {run.uid} of experiment default: cancelled, 3 results.\n"
    assert say("recover") == "There is nothing to recover.\n"


def test_a_living_session_is_left_alone(location):
    journal = start(location, [result("passed")])
    assert say("recover").splitlines() == [
        "There is nothing to recover.",
        f"Left alone: {journal.path} of a session that runs.",
    ]
    journal.finish()


def test_a_session_of_another_machine_is_recovered_when_told_so(location):
    killed(location, 2)
    (path,) = location.journals.iterdir()
    owner = json.loads(path.read_text("ascii").splitlines()[0])["owner"]
    path.write_text(path.read_text("ascii").replace(f'"host":"{owner["host"]}"', '"host":"ci-7"'), "ascii")
    assert f"Left alone: {path} of a session on ci-7, which may still run (--foreign)." in say("recover")
    assert "cancelled, 2 results" in say("recover", "--foreign")


def test_what_cannot_be_recovered_is_said_and_exit_1(location, monkeypatch):
    from pytest_evals.store import writer

    killed(location, 1)
    monkeypatch.setattr(writer, "case_columns", lambda *_, **__: 1 / 0)
    assert "Cannot be recovered: " in say("recover", status=1)
    assert len(list(location.journals.iterdir())) == 1
