"""``run_suite``: cases without pytest, through the same engine and into the same history."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from histories import query

import pytest_evals
from pytest_evals import (
    Case,
    CaseResult,
    Criterion,
    Outcome,
    Response,
    Score,
    SuiteError,
    TargetError,
    Usage,
    UsageError,
    experiments,
    run_suite,
)
from pytest_evals.store.location import locate

CASES = [
    {"id": "greet", "input": "hello", "expected_output": "HELLO"},
    {"id": "part", "input": "bye", "expected_output": "good bye"},
]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_EVALS_HISTORY", raising=False)


def shout(question):
    return question.upper()


def outcomes(run):
    return {result.case_id: result.outcome.value for result in run.results}


def run(cases=CASES, target=shout, **options):
    options.setdefault("criteria", ["exact_match"])
    options.setdefault("history", False)
    return run_suite(cases, target, **options)


# -- what is run ------------------------------------------------------------------------------------------------------


def test_a_list_of_mappings_and_a_callable_are_a_suite():
    done = run(name="greetings")
    assert outcomes(done) == {"greet": "passed", "part": "failed"}
    assert not done.passed
    assert done.exit_status == 1
    assert done.summary.pass_rate == 0.5
    assert {(r.suite, r.target, r.source, r.node_id) for r in done.results} == {
        ("greetings", f"{__name__}:shout", "", "")
    }
    assert (done.runs, done.run, done.problems) == ((), None, ())


def test_nothing_is_written_without_a_history(tmp_path):
    run()
    assert list(tmp_path.iterdir()) == []


def test_cases_may_be_values_of_this_package():
    cases = [Case("a", "x", (Criterion("contains", "contains"),), expected_output="X")]
    done = run(cases, criteria=(), name="mine")
    assert outcomes(done) == {"a": "passed"}
    assert done.results[0].suite == "mine"


def test_a_generator_of_cases_and_a_partial_target_will_do():
    done = run((case for case in CASES), functools.partial(lambda word, question: word, "HELLO"))
    assert outcomes(done) == {"greet": "passed", "part": "failed"}
    assert done.results[0].target.endswith("<lambda>")


def test_defaults_and_criteria_add_up_as_in_a_suite_file():
    done = run(
        CASES,
        criteria=["contains"],
        defaults={"criteria": [{"levenshtein": {"threshold": 0.1}}], "threshold": 0.2, "tags": ["smoke"]},
    )
    assert [c.name for c in done.results[0].criteria] == ["levenshtein", "contains"]
    assert done.results[0].tags == ("smoke",)
    assert done.results[0].threshold == 0.2


def test_one_criterion_need_not_be_a_list():
    assert outcomes(run(criteria="exact_match")) == {"greet": "passed", "part": "failed"}
    assert outcomes(run(criteria={"length": {"min": 1}})) == {"greet": "passed", "part": "passed"}


def test_scorers_of_ones_own_stand_before_the_built_in_ones():
    def exact_match(actual, expected):
        return Score(actual.lower() == expected.lower(), "letters do not matter")

    async def polite(actual):
        await asyncio.sleep(0)
        return 1.0

    done = run(
        [{"id": "a", "input": "hello", "expected_output": "hello", "criteria": ["exact_match", "polite"]}],
        criteria=(),
        scorers={"exact_match": exact_match, "polite": polite},
    )
    assert outcomes(done) == {"a": "passed"}
    assert done.results[0].criteria[0].reason == "letters do not matter"


@pytest.mark.parametrize("target", ["echo", "bot.py:answer", {"responses": "answers.json"}])
def test_a_target_may_be_written_as_in_a_suite_file(tmp_path, target):
    (tmp_path / "bot.py").write_text("def answer(q): return q\n")
    (tmp_path / "answers.json").write_text('{"a": "hello"}')
    given = {"id": "a", "expected_output": "hello"}
    if target != {"responses": "answers.json"}:
        given["input"] = "hello"
    assert outcomes(run([given], target)) == {"a": "passed"}


def test_skip_and_xfail_mean_what_they_mean_in_a_suite():
    done = run(
        [
            {**CASES[0], "skip": "not yet"},
            {**CASES[1], "xfail": "ticket 7"},
            {"id": "c", "input": "x", "expected_output": "X"},
        ]
    )
    assert outcomes(done) == {"greet": "skipped", "part": "failed", "c": "passed"}
    assert done.results[0].skip_reason == "not yet"
    assert done.summary.counts.xfailed == 1
    assert done.passed


def test_an_answer_may_say_what_it_cost():
    done = run(target=lambda q: Response(q.upper(), Usage(3, 2), cost_usd=0.25))
    assert done.summary.cost_usd.value == 0.5
    assert done.summary.input_tokens.value == 6


def test_a_target_that_raises_makes_an_errored_case_and_no_error():
    def broken(question):
        raise ValueError(question)

    done = run(target=broken, defaults={"retries": 0})
    assert outcomes(done) == {"greet": "errored", "part": "errored"}
    assert done.exit_status == 1


def test_an_error_from_outside_the_application_is_inconclusive():
    done = run(target=lambda _: time.sleep(5), defaults={"retries": 0, "timeout": 0.05})
    assert {r.error.kind.value for r in done.results} == {"timeout"}
    assert done.exit_status == 75
    assert not done.passed


def test_the_calls_of_many_cases_are_under_way_at_a_time():
    together, most, lock = 0, 0, threading.Lock()

    def slow(question):
        nonlocal together, most
        with lock:
            together += 1
            most = max(most, together)
        time.sleep(0.02 + 0.01 * random.random())
        with lock:
            together -= 1
        return question

    cases = [{"id": f"c{n}", "input": f"{n}", "expected_output": f"{n}"} for n in range(40)]
    done = run(cases, slow, concurrency=8)
    assert done.passed
    assert [r.case_id for r in done.results] == [c["id"] for c in cases]
    assert most == 8
    most = 0
    assert run(cases[:4], slow, concurrency=1).passed
    assert most == 1


def test_calls_keep_to_limits():
    cases = [{"id": f"c{n}", "input": "x", "expected_output": "X"} for n in range(4)]
    began = time.perf_counter()
    assert run(cases, limits=[f"{__name__}:shout: 10 rps"]).passed
    assert time.perf_counter() - began >= 0.3


def test_a_criterion_may_be_a_function(tmp_path):
    (tmp_path / "checks.py").write_text("def polite(actual): return actual.endswith('!')\n")
    assert outcomes(run([{"id": "a", "input": "hi!"}], "echo", criteria=[{"python": "checks.py:polite"}])) == {
        "a": "passed"
    }


def test_it_runs_inside_a_running_event_loop():
    async def notebook():
        async def answer(question):
            await asyncio.sleep(0.001)
            return question.upper()

        here = run(target=answer)
        elsewhere = await asyncio.to_thread(run, CASES, answer)
        return here, elsewhere

    assert [outcomes(done) for done in asyncio.run(notebook())] == [{"greet": "passed", "part": "failed"}] * 2


# -- gates ------------------------------------------------------------------------------------------------------------


def test_gates_are_decided_and_forgive_misses():
    done = run(gates=["pass_rate >= 50%", "score.mean > 0.9"])
    assert [(v.gate.text, v.verdict.value) for v in done.gates] == [
        ("pass_rate >= 50%", "held"),
        ("score.mean > 0.9", "broken"),
    ]
    assert done.summary.missed == 1
    assert done.exit_status == 1
    assert run(gates=["pass_rate >= 50%"]).passed


def test_a_gate_that_cannot_be_decided_is_inconclusive():
    done = run(target="echo", gates=["latency.p95 < 1s", "pass_rate >= 0"])
    assert done.exit_status == 75


# -- what cannot be run -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cases": [{**CASES[0], "expcted": 1}, CASES[0]]}, "case 1: unknown key 'expcted'; did you mean 'expected_o"),
        ({"cases": [CASES[0], CASES[0]]}, "case 2: duplicate id 'greet', which case 1 has; change one"),
        ({"cases": []}, "the suite has no cases; add at least one under 'cases'"),
        ({"cases": CASES[0]}, "cases are given as a list: [case, …]"),
        ({"cases": [3, CASES[0]]}, "cases are either all Case objects or all mappings, not int, dict"),
        ({"criteria": ["exact_mach"]}, "unknown criterion 'exact_mach'; did you mean 'exact_match'?"),
        ({"criteria": ["kindness"]}, "unknown criterion 'kindness'; give one with scorers={'kindness': …}"),
        ({"criteria": ["tone"], "scorers": {"tone": 3}}, "scorer 'tone' cannot be called: it is of type int"),
        ({"criteria": [{"python": "nowhere.py:polite"}]}, "criterion 'python: nowhere.py:polite': there is no file"),
        ({"limits": ["all: 5 rpx"]}, "limits: 'all: 5 rpx': unknown unit 'rpx'"),
        ({"defaults": {"timeot": 3}}, "unknown key 'timeot'; did you mean 'timeout'?"),
        ({"target": None}, "cases need a target: run_suite(cases, target)"),
        ({"target": 3}, "the target is of type int; give a callable, or what stands under target in a suite file"),
        ({"target": {"fixture": "bot"}}, "fixtures are pytest's; give run_suite a callable in its place"),
        ({"concurrency": 0}, "concurrency is at least 1, not 0"),
        ({"experiment": " "}, "an experiment needs a name that is not blank"),
        ({"experiment": {"nmae": "x"}}, "unknown key 'nmae'; did you mean 'name'?"),
        ({"run_name": "last"}, "a run cannot be named 'last': that means the newest run"),
        ({"gates": ["pass_rte >= 1"]}, "unknown metric 'pass_rte'"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_runs(arguments, message):
    asked = []
    with pytest.raises(UsageError) as raised:
        run(**{"target": asked.append, **arguments})
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert asked == []


def test_values_of_this_package_are_checked_too():
    one = (Criterion("contains", "contains"),)
    cases = [Case("a", "x", one), Case("a", "x", one), Case("b", "x", ()), Case("c", "x", (Criterion("tne", "t"),))]
    with pytest.raises(UsageError) as raised:
        run(cases, criteria=(), scorers={"tone": lambda: 1})
    assert str(raised.value) == (
        "two cases have the id 'a'; change one; case 'b' has no criterion; "
        "unknown criterion 'tne'; did you mean 'tone'?"
    )
    with pytest.raises(UsageError, match="a Case has its own criteria"):
        run(cases[:1])
    with pytest.raises(UsageError, match="case 'a' has no input"):
        run([Case("a", None, one)], criteria=())


def test_mistakes_of_a_file_and_a_target_keep_their_own_errors(tmp_path):
    (tmp_path / "bad.eval.yaml").write_text("target: echo\ncases: [{input: x, criteria: [tone, contans]}]\n")
    with pytest.raises(SuiteError) as raised:
        run_suite("bad.eval.yaml", scorers={"tone": lambda: 1})
    assert [str(problem) for problem in raised.value.problems] == [
        "bad.eval.yaml:2:37: unknown criterion 'contans'; did you mean 'contains'?"
    ]
    with pytest.raises(TargetError, match="there is no module 'no_such_app'"):
        run(target="no_such_app:answer")
    with pytest.raises(UsageError, match="a suite states its own"):
        run_suite("bad.eval.yaml", criteria=["contains"])


# -- a suite file -----------------------------------------------------------------------------------------------------

SUITE = """
suite: support
experiment: {name: support, description: The bot, config: {k: 1}}
target: bot.py:answer
defaults: {retries: 0, criteria: [contains]}
gates: ['pass_rate >= 25%', 'pass_rate(tag=smoke) >= 100%', 'score.mean >= 0.1', 'errors <= 1']
cases:
  - {id: good, input: hello, expected_output: HELLO, tags: [smoke], category: easy}
  - {id: bad, input: hello, expected_output: bye}
  - {id: fine, input: hello, expected_output: HELL, criteria: [levenshtein], threshold: 0.8, warn: 0.5}
  - {id: near, input: hello, expected_output: HELL, criteria: [levenshtein], threshold: 0.95, warn: 0.5}
  - {id: broken, input: crash, expected_output: x}
  - {id: graded, input: hello, expected_output: HELP, criteria: [levenshtein], threshold: unset}
  - {id: later, input: hello, expected_output: HELLO, skip: not yet}
  - {id: known, input: hello, expected_output: nothing, xfail: ticket 3}
  - {id: 'odd::[id]', input: hello, expected_output: HELLO}
"""

BOT = """
from pytest_evals import Response, Usage

def answer(question, context=None):
    if question == "crash":
        raise ValueError("no")
    return Response(question.upper(), Usage(len(question), 1), cost_usd=0.001)
"""


def test_the_figures_are_those_of_the_same_suite_through_pytest(tmp_path):
    """Everything a report says but ids, times, latencies and how the session was invoked."""
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "s.eval.yaml").write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir=.", "--evals-report=theirs.json"]
    ended = subprocess.run(command, capture_output=True, check=False, text=True, timeout=60)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    theirs = json.loads((tmp_path / "theirs.json").read_text())
    done = run_suite("s.eval.yaml")
    done.report(tmp_path / "mine.json")
    mine = json.loads((tmp_path / "mine.json").read_text())
    assert without_times(mine) == without_times(theirs)
    assert outcomes(done)["odd::[id]"] == "passed"
    assert {r.node_id for r in done.results} >= {"s.eval.yaml::odd:(id)"}

    location = locate(None, tmp_path)
    stored = query(
        location,
        "SELECT type, status, pass_rate, score, cost_usd, unpriced_cases, defined_cases, selected_cases, total_cases, "
        "passed_cases, warned_cases, failed_cases, missed_cases, error_cases, judged_cases, skipped_cases, "
        "exit_status, gates FROM experiment_runs ORDER BY id",
    )
    assert len(stored) == 4
    assert stored[2:] == stored[:2]
    cases = "SELECT eval, case_name, outcome, score, definition_sha256, headline, tags, node_id, source FROM case_runs"
    by_run = [query(location, f"{cases} WHERE run_id = {n} ORDER BY seq") for n in range(1, 5)]
    assert by_run[2:] == by_run[:2]
    assert (
        query(location, "SELECT name, description, config FROM experiments ORDER BY type")
        == [("support", "The bot", '{"k":1}')] * 2
    )


def without_times(value, inside=""):
    left_out = {"session_id", "started_at", "finished_at", "duration_s", "params", "latency_ms", "scoring_ms"}
    if isinstance(value, dict):
        return {
            key: without_times(item, key)
            for key, item in value.items()
            if key not in left_out and not key.startswith(("latenc", "queue"))
        }
    return [without_times(item) for item in value] if isinstance(value, list) else value


def test_a_suite_file_may_be_asked_of_another_target_and_by_more_gates(tmp_path):
    (tmp_path / "s.eval.yaml").write_text(SUITE)  # there is no bot.py
    done = run_suite(tmp_path / "s.eval.yaml", shout, gates=["latency.p50 < 10s"], history=False, experiment="other")
    assert outcomes(done)["good"] == "passed"
    assert len(done.gates) == 5
    assert {(r.experiment, r.target) for r in done.results} == {("other", f"{__name__}:shout")}


# -- the history ------------------------------------------------------------------------------------------------------


def test_the_run_is_kept_where_a_session_would_keep_it(tmp_path):
    done = run(history=None, experiment="shouting", run_name="first", params={"model": "small"})
    assert (tmp_path / ".evals" / ".gitignore").exists()
    assert sorted(p.name for p in (tmp_path / ".evals").iterdir() if not p.name.endswith(("-wal", "-shm"))) == [
        ".gitignore",
        "history.db",
    ]
    record = experiments.get_run("last")
    assert record.run == done.run
    assert (record.run.experiment, record.run.name, record.run.status) == ("shouting", "first", "failed")
    assert (record.run.defined_cases, record.run.selected_cases, record.run.exit_status) == (2, 2, 1)
    assert record.run.params["model"] == "small"
    assert record.run.params["command"] == experiments_command()
    assert {r.case_id: r.outcome for r in record.results} == {
        "greet": Outcome.PASSED,
        "part": Outcome.FAILED,
    }


def experiments_command():
    from pytest_evals.workflow.provenance import collect_provenance

    return list(collect_provenance(Path.cwd(), command=sys.argv).command)


def test_the_history_may_lie_elsewhere_and_cases_of_both_types_are_two_runs(tmp_path):
    done = run(
        [CASES[0], {**CASES[1], "threshold": "unset", "criteria": ["levenshtein"], "inherit_criteria": False}],
        history=tmp_path / "h.db",
    )
    assert [(r.type, r.status) for r in done.runs] == [("checked", "passed"), ("judged", "completed")]
    assert done.run.type == "checked"
    assert len({r.session_id for r in done.runs}) == 1
    assert len(experiments.runs(history=tmp_path / "h.db")) == 2


def test_nothing_is_made_when_every_case_is_skipped(tmp_path):
    done = run([{**case, "skip": "later"} for case in CASES], history=None)
    assert done.runs == ()
    assert done.passed
    assert list(tmp_path.iterdir()) == []


def test_a_history_that_cannot_be_written_loses_no_result(tmp_path):
    (tmp_path / "h.db").write_bytes(b"not a database, but long enough to be taken for one" * 50)
    with pytest.warns(UserWarning, match="it is damaged or no history") as warned:
        done = run(history=tmp_path / "h.db")
    assert outcomes(done) == {"greet": "passed", "part": "failed"}
    assert done.runs == ()
    assert len(done.problems) == 1
    assert done.problems[0].endswith("nothing is lost: when that is mended, run: pytest-evals history recover")
    assert warned[0].filename == __file__
    assert done.problems[0] in str(done)
    (tmp_path / "h.db").unlink()
    from pytest_evals.workflow.history import recover

    (again,) = recover(locate("h.db", tmp_path)).runs
    assert (again.status, again.results) == ("failed", 2)


# -- an end before the end --------------------------------------------------------------------------------------------


def test_an_error_of_the_listener_keeps_what_was_finished():
    def listen(result: CaseResult) -> None:
        if result.case_id == "greet":
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError) as raised:
        run(history=None, on_result=listen)
    (note,) = raised.value.__notes__
    record = experiments.get_run("last")
    assert note == f"kept in the history: experiment default, run {record.run.uid}: cancelled, cost –"
    assert (record.run.status, record.run.stopped) == ("cancelled", "RuntimeError: enough")
    assert (record.run.results, record.run.n_cancelled) == (1, 1)


SCRIPT = """
import sys, time
from pytest_evals import run_suite

def answer(question):
    if question == "20":
        time.sleep(60)
    return question

cases = [{"id": f"c{n}", "input": f"{n}", "expected_output": f"{n}"} for n in range(40)]

def told(result):
    print(result.case_id, flush=True)

try:
    run_suite(cases, answer, criteria=["exact_match"], gates=["pass_rate >= 10%"], on_result=told)
finally:
    print("ended", flush=True)
"""


def test_ctrl_c_keeps_what_was_finished_in_a_cancelled_run(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(pytest_evals.__file__).parents[1])}
    child = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    said = []
    for line in child.stdout:
        said.append(line.strip())
        if line == "c19\n":
            time.sleep(0.1)
            began = time.perf_counter()
            child.send_signal(signal.SIGINT)
            break
    rest, complaints = child.communicate(timeout=30)
    assert time.perf_counter() - began < 5
    assert child.returncode in (-signal.SIGINT, 130)
    assert said == [f"c{n}" for n in range(20)]
    assert rest.split() == ["ended"]
    assert complaints.rstrip().splitlines()[-1].startswith("kept in the history: experiment default, run ")
    record = experiments.get_run("last")
    assert (record.run.status, record.run.stopped, record.run.exit_status) == ("cancelled", "interrupted", 2)
    assert (record.run.results, record.run.n_cancelled) == (20, 20)
    assert [gate["verdict"] for gate in record.run.gates] == ["undecided"]
    assert list(locate(None, tmp_path).journals.parent.glob("*.journals")) == []


# -- what is shown ----------------------------------------------------------------------------------------------------


def test_a_run_prints_as_the_section_of_a_session():
    done = run(name="greetings", history=None)
    text = str(done)
    assert text.startswith("failed: 1 of 2 cases failed")
    assert "pass rate  50.0%" in text
    assert "failed   part" in text
    assert "pytest" not in text
    assert text.endswith(f"experiment default, run {done.run.uid}: failed, cost –")
    assert repr(done) == "<SuiteRun greetings, failed: 1 of 2 cases failed>"


def test_a_report_of_a_format_that_is_none_is_a_usage_error(tmp_path):
    done = run()
    with pytest.raises(UsageError, match="unknown report format 'jsn'"):
        done.report("jsn:out")
    with pytest.raises(OSError, match="directory"):
        done.report(f"json:{tmp_path}")


VARIANTS = """
target: echo
variants:
  - {id: plain}
  - {id: asked, prompt: 'Greetings, {{ input }}'}
gates: [pass_rate(variant=asked) >= 100%]
defaults: {criteria: [contains]}
cases:
  - {id: greet, input: hello, expected_output: Greetings}
  - {id: later, input: hello, expected_output: Greetings, skip: not now}
"""


def test_every_case_of_a_file_runs_with_every_variant(tmp_path):
    (tmp_path / "v.eval.yaml").write_text(VARIANTS)
    done = run_suite("v.eval.yaml", history=False)
    assert [(r.case_id, r.variant, r.variant_id, r.outcome.value) for r in done.results] == [
        ("greet", "plain", "plain", "failed"),
        ("greet", "asked", "asked", "passed"),
        ("later", "plain", "plain", "skipped"),
        ("later", "asked", "asked", "skipped"),
    ]
    assert done.results[1].node_id == "v.eval.yaml::greet[asked]"
    assert [gate.verdict.value for gate in done.gates] == ["held"]
    assert (done.session.pairs[0].better, done.session.suites[0].defined) == (1, 4)
    assert "plain → asked" in str(done)


def test_a_target_that_is_given_is_told_of_the_variant(tmp_path):
    (tmp_path / "v.eval.yaml").write_text(VARIANTS)
    done = run_suite("v.eval.yaml", lambda question, variant: f"{variant['id']} {question}", history=False)
    assert [r.output for r in done.results if r.trials] == ["plain hello", "asked Greetings, hello"]


def test_prices_of_ones_own_are_used_and_kept_with_the_run(tmp_path):
    from pytest_evals.llm.scripted import ScriptedClient
    from pytest_evals.model.llm import Reply
    from pytest_evals.model.response import Usage

    (tmp_path / "prices.toml").write_text('[models."mine/*"]\ninput = 10\noutput = 20\n', "utf-8")
    run = run_suite(
        [{"id": "a", "input": "x", "criteria": [{"contains": "x"}]}],
        {"model": "mine/m"},
        clients={"mine": ScriptedClient([Reply("x", usage=Usage(1000, 100))])},
        prices=tmp_path / "prices.toml",
        history=tmp_path / "history.db",
    )
    assert run.results[0].cost_usd == pytest.approx(0.012)
    assert run.runs[0].params["prices"]["file"]["path"] == str(tmp_path / "prices.toml")


def test_trials_stop_once_the_decision_is_made_unless_all_are_asked_for():
    def bot(question, trial):
        return "no" if trial == 1 else "ok"

    cases = [{"id": "a", "input": "q", "expected_output": "ok", "criteria": ["contains"], "trials": 4}]
    [early] = run_suite(cases, bot, history=False).results
    [whole] = run_suite(cases, bot, history=False, all_trials=True).results
    assert (len(early.trials), len(whole.trials)) == (1, 4)
    assert early.outcome is whole.outcome is Outcome.FAILED
    assert (early.score, whole.score) == (0.0, 0.75)
