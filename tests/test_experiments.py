"""``from pytest_evals import experiments``: recording runs of one's own, and reading the history."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import pytest
from factories import result
from histories import history, query

from pytest_evals import experiments
from pytest_evals.errors import EvalsError, StoreError, UsageError
from pytest_evals.experiments import RunFinishedError, Trajectory
from pytest_evals.model.response import Usage
from pytest_evals.workflow.history import recover


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A project of its own as the current directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_EVALS_HISTORY", raising=False)
    (tmp_path / "pytest.ini").touch()
    return tmp_path


@pytest.fixture
def location(here):
    return history(here)


def test_start_record_finish(here, location):
    run = experiments.start(
        "retrieval", description="New index", config={"k": 3}, params={"depth": 2}, run_name="first"
    )
    run.record("facts", "job", answer="Pell & Co", passed_checks=["employer", "date"], cost_usd=0.5, latency_ms=12.0)
    run.record("facts", "home", answer="Rome", problems=["edge lives_in is missing"], passed_checks=["date"])
    run.record("facts", "pet", error=TimeoutError("no answer\nafter 5 s"))
    stored = run.finish()
    assert stored.uid == run.uid
    assert (stored.experiment, stored.type, stored.status, stored.name) == ("retrieval", "checked", "failed", "first")
    assert (stored.total_cases, stored.passed_cases, stored.failed_cases, stored.error_cases) == (3, 1, 1, 1)
    assert (stored.cost_usd, stored.params["depth"]) == (0.5, 2)
    assert stored.params["versions"]["python"]
    meta = "SELECT answer, problems, passed_checks FROM checked_case_meta ORDER BY case_run_id"
    assert query(location, meta) == [
        ("Pell & Co", "[]", '["employer","date"]'),
        ("Rome", '["edge lives_in is missing"]', '["date"]'),
        (None, "[]", "[]"),
    ]
    assert query(location, "SELECT error_kind, error FROM case_runs WHERE case_name = 'pet'") == [
        ("timeout", "no answer after 5 s")
    ]
    assert experiments.get("retrieval").config == {"k": 3}
    assert not location.journals.exists()


def test_recording_after_the_end_is_an_error_of_its_own(here):
    run = experiments.start()
    run.record("facts", "a")
    run.finish()
    with pytest.raises(RunFinishedError, match=f"run {run.uid} is finished; start another one"):
        run.record("facts", "b")
    with pytest.raises(RunFinishedError, match="is finished already"):
        run.finish()
    assert issubclass(RunFinishedError, EvalsError)
    assert len(experiments.get_run("last").results) == 1


def test_a_judged_run_has_scores_and_no_verdict(here, location):
    with experiments.start("quality", type="judged", subject_model="small", judge_model="large") as run:
        run.record(
            "essays", "a", answer="Text", input="Write.", expected_output="A text", score=0, reason="empty words"
        )
        run.record("essays", "b", error="the judge did not answer")
    stored = experiments.get_run("last").run
    assert (stored.status, stored.verdict, stored.judged_cases, stored.error_cases, stored.score) == (
        "error",
        None,
        1,
        1,
        0,
    )
    meta = query(location, "SELECT question, expected, answer, judge_score, judge_reasoning FROM judged_case_meta")
    assert meta[0] == ("Write.", "A text", "Text", 0.0, "judge: empty words")
    assert query(location, "SELECT eval, subject_model, judge_model, mean_score FROM judged_run_meta") == [
        ("essays", "small", "large", 0.0)
    ]


def test_a_judged_case_needs_a_score_or_an_error(here):
    run = experiments.start(type="judged")
    with pytest.raises(UsageError, match="essays::a: a case of a judged run needs a score or an error"):
        run.record("essays", "a", answer="Text")
    with pytest.raises(EvalsError, match="a score lies between 0 and 1"):
        run.record("essays", "a", score=7)
    with pytest.raises(UsageError, match="nothing was recorded"):
        run.finish()


def test_one_experiment_name_may_have_both_types(here):
    for kind in ("checked", "judged"):
        with experiments.start("both", type=kind) as run:
            run.record("s", "a", score=1)
    assert {e.type for e in experiments.list()} == {"checked", "judged"}
    assert experiments.get("both", type="judged").runs == {"completed": 1}
    with pytest.raises(UsageError, match="exists as checked and as judged"):
        experiments.get("both")


def test_a_case_recorded_again_is_a_repeat(here, location):
    with experiments.start() as run:
        for answer in ("one", "two", "three"):
            run.record("facts", "a", answer=answer)
        run.record("facts", "a", answer="other", variant="small")
    assert query(location, "SELECT variant, repeat_index FROM case_runs ORDER BY seq") == [
        ("", 0),
        ("", 1),
        ("", 2),
        ("small", 0),
    ]
    assert [r.output for r in experiments.get_run("last").results] == ["one", "two", "three", "other"]


def test_everything_that_is_known_of_a_case_is_kept(here, location):
    with experiments.start() as run:
        run.record(
            "facts", "a", answer={"city": "Rome"}, input=["a", 1], expected_output="Rome",
            scores={"f1": 0.5, "tone": True}, score=0.75, category="geo", tags=["smoke"], metadata={"ticket": 1},
            usage=Usage(10, 5, 2), cost_usd=0.25, judge_cost_usd=0.125, dataset_id="a_run1", definition_sha256="a" * 64,
        )  # fmt: skip
    (kept,) = experiments.get_run("last").results
    assert (kept.output, kept.input, kept.expected_output) == ({"city": "Rome"}, ["a", 1], "Rome")
    assert (kept.score, kept.category, kept.tags, kept.metadata) == (0.75, "geo", ("smoke",), {"ticket": 1})
    assert [(c.name, c.score, c.passed) for c in kept.criteria] == [("f1", 0.5, None), ("tone", 1.0, None)]
    assert kept.last.usage == Usage(10, 5, 2)
    assert query(location, "SELECT cost_usd, judge_cost_usd, definition_sha256 FROM case_runs") == [
        (0.25, 0.125, "a" * 64)
    ]
    assert query(location, "SELECT dataset_id, answer FROM checked_case_meta") == [("a_run1", '{"city": "Rome"}')]


def test_whole_results_can_be_recorded(here):
    with experiments.start("mine") as run:
        run.record_result(result("failed", "a", experiment="ignored", score=0.5))
    record = experiments.get_run("last")
    assert (record.run.experiment, record.results[0].experiment, record.results[0].score) == ("mine", "mine", 0.5)


def test_a_block_that_raises_leaves_a_cancelled_run(here):
    with pytest.raises(KeyError), experiments.start() as run:  # noqa: PT012
        run.record("facts", "a")
        raise KeyError("app")
    stored = experiments.get_run("last").run
    assert (stored.status, stored.stopped, stored.total_cases) == ("cancelled", "KeyError: 'app'", 1)


def test_a_block_that_raises_before_any_case_leaves_nothing(here, location):
    with pytest.raises(KeyError), experiments.start():
        raise KeyError("app")
    assert experiments.runs() == []
    assert not location.journals.exists()


def test_trajectories_are_kept_and_found(here, location):
    document = {"trajectory_id": "t-1", "agent": {"name": "shop"}, "steps": [{}, {}]}
    with experiments.start("agents") as run:
        run.record("shop", "mugs", trajectories=[Trajectory(document, kind="query", artifact_ids=["x"])])
        with pytest.raises(UsageError, match="'t-1' is recorded already"):
            run.record("shop", "cups", trajectories=[Trajectory(document)])
    found = experiments.find_trajectory("t-1")
    assert (found.suite, found.case_id, found.experiment, found.run) == ("shop", "mugs", "agents", run.uid)
    assert (found.kind, found.agent_name, found.steps, found.artifact_ids) == ("query", "shop", 2, ["x"])
    assert found.path == str(here / ".evals" / "atif" / "t-1.json")
    assert experiments.get_run("last").trajectories == (found,)
    assert experiments.find_trajectory("t-2") is None
    assert query(location, "SELECT steps FROM checked_case_meta") == [(2,)]
    another = experiments.start("agents")
    with pytest.raises(UsageError, match="'t-1' is recorded already"):
        another.record("shop", "cups", trajectories=[Trajectory(document)], directory=here / "elsewhere")
    assert not (here / "elsewhere").exists()


def test_the_readers_of_a_history_that_is_not_there(here):
    assert experiments.list() == []
    assert experiments.runs() == []
    assert experiments.find_trajectory("t-1") is None
    with pytest.raises(StoreError, match="there is no history yet"):
        experiments.get("default")
    with pytest.raises(StoreError, match="there is no history yet"):
        experiments.get_run("last")
    assert not (here / ".evals").exists()


def test_runs_are_listed_newest_first(here):
    for name in ("one", "two", "one"):
        with experiments.start(name) as run:
            run.record("facts", "a")
    assert [r.experiment for r in experiments.runs()] == ["one", "two", "one"]
    assert len(experiments.runs("one", limit=1)) == 1
    assert experiments.runs("one", type="judged") == []
    assert experiments.get_run("last", experiment="two").run.experiment == "two"


def test_another_history_can_be_named(here):
    with experiments.start(history="runs/own.db") as run:
        run.record("facts", "a")
    assert (here / "runs" / "own.db").exists()
    assert not (here / ".evals").exists()
    assert len(experiments.runs(history=here / "runs" / "own.db")) == 1
    assert experiments.runs() == []


@pytest.mark.parametrize("arguments", [{"name": " "}, {"type": "knowledge"}, {"run_name": "last"}])
def test_a_run_that_cannot_be_is_refused_at_once(here, arguments):
    with pytest.raises(UsageError):
        experiments.start(**arguments)
    assert not (here / ".evals").exists()


@pytest.mark.parametrize(("suite", "case"), [("", "a"), ("s", "")])
def test_a_case_needs_its_suite_and_id(here, suite, case):
    run = experiments.start()
    with pytest.raises(UsageError, match="the name of its suite and its own id"):
        run.record(suite, case)


def test_several_threads_may_record(here):
    with experiments.start() as run:
        threads = [
            threading.Thread(target=lambda part=part: [run.record("s", f"{part}-{n}") for n in range(25)])
            for part in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert experiments.get_run("last").run.total_cases == 100


def test_a_history_that_cannot_be_written_at_the_end_keeps_the_journal(here, location):
    run = experiments.start("kept", judge_model="large", type="judged")
    run.record("facts", "a", score=1)
    whole = location.path.read_bytes()
    location.path.write_bytes(b"not a database " * 100)
    with pytest.raises(StoreError, match=r"run: pytest-evals history recover$"):
        run.finish()
    location.path.write_bytes(whole)
    (stored,) = recover(location).runs
    assert (stored.uid, stored.status) == (run.uid, "completed")
    assert query(location, "SELECT judge_model FROM judged_run_meta") == [("large",)]


def test_secrets_are_not_written(here, location, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "sesame-open-now")
    with experiments.start(params={"key": "sesame-open-now", "url": "https://me:pw@host"}) as run:
        run.record("facts", "a")
    assert experiments.get_run("last").run.params["key"] == "***"
    assert experiments.get_run("last").run.params["url"] == "https://me:***@host"
    assert json.dumps(experiments.get_run("last").run.plain()).count("sesame") == 0


def test_the_example_of_the_documentation_runs(here, capsys):
    page = (Path(__file__).parents[1] / "docs" / "history.md").read_text("utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(example, "docs/history.md", "exec"), {})
    uid, status, cost = capsys.readouterr().out.split()
    assert (status, cost) == ("failed", "0.002")
    assert experiments.get_run(uid).run.experiment == "retrieval"


def test_every_public_name_is_in_the_documentation():
    page = (Path(__file__).parents[1] / "docs" / "history.md").read_text("utf-8")
    assert [name for name in experiments.__all__ if not re.search(rf"experiments\.{name}\b|`{name}`", page)] == []
