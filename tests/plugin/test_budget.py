"""What a session may spend: what is in flight finishes, the rest is skipped, and the run says so."""

from __future__ import annotations

import sqlite3
import tempfile
import time

import pytest
from projects import Project

BOT = """
import asyncio, pathlib
from pytest_evals import Response, Usage
async def answer(question):
    with open("calls.txt", "a") as file: file.write(question + "\\n")
    await asyncio.sleep(0.05)
    odd = {"unknown": (None, None), "partial": (float("nan"), Usage(None, 10))}
    cost, usage = odd.get(question, (0.1, Usage(90, 10)))
    if question == "boom": raise ValueError(question)
    return Response("no" if question == "bad" else "ok", usage=usage, cost_usd=cost)
"""


def suite(questions, target="bot.py:answer", extra="", name="s"):
    cases = "".join(f"  - {{id: c{i}, input: {q}, expected_output: ok}}\n" for i, q in enumerate(questions))
    return f"suite: {name}\ntarget: {target}\ndefaults: {{criteria: [contains], retries: 0}}\n{extra}cases:\n{cases}"


def calls(ran):
    path = ran.path / "calls.txt"
    return path.read_text().split() if path.exists() else []


def test_what_is_in_flight_finishes_and_the_rest_is_skipped(project, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gate = "gates: ['pass_rate >= 90%']\n"
    ran = project(
        {"bot.py": BOT, "s.eval.yaml": suite(["q"] * 60, extra=gate)},
        "--evals-max-cost=0.5",
        "--evals-concurrency=4",
        "-rs",
    )
    asked = len(calls(ran))
    processes = 2 if "-n2" in project.args else 1
    assert 5 <= asked <= 5 + 4 * processes
    assert list(ran.outcomes.values()).count("passed") == asked
    assert ran.counts() == {"passed": asked, "skipped": 60 - asked, "failed": 1}  # the gate
    assert ran.status == 75
    assert ran.report["stopped"] == "budget of $0.50 spent (--evals-max-cost)"
    assert ran.case("c59")["skip_reason"] == "budget of $0.50 spent (--evals-max-cost)"
    assert ran.report["gates"][0]["verdict"] == "undecided"
    [limit] = ran.report["budget"]
    assert limit["spent"] == pytest.approx(0.1 * asked)
    assert (limit["name"], limit["limit"], limit["unknown"], limit["reached"]) == ("cost_usd", 0.5, 0, True)
    assert "inconclusive: budget spent, 1 of 1 gate undecided" in ran.out
    assert f"SKIPPED [{60 - asked}] s.eval.yaml:2: budget of $0.50 spent (--evals-max-cost)" in ran.out
    assert list(tmp_path.glob("pytest-evals-*")) == []


def test_without_a_gate_it_is_inconclusive_and_with_a_failure_it_has_failed(project):
    files = {"bot.py": BOT, "s.eval.yaml": suite(["q"] * 30)}
    ran = project(files, "--evals-max-tokens=300", "--evals-concurrency=1")
    assert ran.status == 75
    assert ran.report["stopped"] == "budget of 300 tokens spent (--evals-max-tokens)"
    assert 3 <= len(calls(ran)) <= 5
    (ran.path / "calls.txt").unlink()
    ran = project({"s.eval.yaml": suite(["bad"] * 30)}, "--evals-max-tokens=300", "--evals-concurrency=1")
    assert ran.status == 1


def test_workers_know_what_the_others_have_spent(pytester):
    project = Project(pytester, ["-n2"])
    ran = project({"bot.py": BOT, "s.eval.yaml": suite(["q"] * 40)}, "--evals-max-cost=1.2", "--evals-concurrency=1")
    assert 12 <= len(calls(ran)) <= 13


def test_time_counts_from_the_start_of_the_session(project):
    bot = BOT.replace("0.05", "0.3")
    conftest = "import time\ndef pytest_configure(): time.sleep(0.5)\n"
    files = {"bot.py": bot, "conftest.py": conftest, "s.eval.yaml": suite(["q"] * 80)}
    ran = project(files, "--evals-max-time=7s", "--evals-concurrency=1")
    assert ran.status == 75
    outcomes = list(ran.outcomes.values())
    assert outcomes.count("passed") + outcomes.count("skipped") == 80
    assert outcomes.count("passed") == len(calls(ran)) > 0
    [limit] = ran.report["budget"]
    assert limit["name"] == "time_s"
    assert 7 <= limit["spent"] < 20


def test_a_limit_that_only_the_last_case_reaches_stops_nothing(project):
    files = {"bot.py": BOT, "s.eval.yaml": suite(["q"] * 10, extra="gates: ['pass_rate >= 90%']\n")}
    ran = project(files, "--evals-max-cost=1", "--evals-concurrency=1")
    assert (ran.status, ran.report["stopped"]) == (0, "")
    assert ran.report["budget"][0]["reached"]
    assert ran.report["gates"][0]["verdict"] == "held"


def test_a_budget_of_nothing_asks_nothing(alone):
    ran = alone(
        {"bot.py": BOT, "s.eval.yaml": suite(["q"] * 3), "test_a.py": "def test_a(): pass\n"}, "--evals-max-cost=0"
    )
    assert calls(ran) == []
    assert ran.counts() == {"passed": 1, "skipped": 3}
    assert ran.status == 75
    assert not (ran.path / ".evals").exists()  # nothing was executed: there is no run to keep


def test_what_nobody_knows_counts_as_nothing_and_is_said(alone):
    files = {"bot.py": BOT, "s.eval.yaml": suite(["unknown", "partial", "boom", "q"])}
    ran = alone(files, "--evals-max-cost=5", "--evals-max-tokens=5000")
    cost, tokens = ran.report["budget"]
    assert (cost["spent"], cost["unknown"]) == (0.1, 3)
    assert (tokens["spent"], tokens["unknown"]) == (110, 3)  # output tokens of one answer are known
    assert "$0.10 of $5.00, cost unknown for 3 calls, which count as 0" in " ".join(ran.out.split())


def test_a_case_in_flight_keeps_its_retries(alone):
    bot = """
import asyncio
from pytest_evals import Response
tries = {}
async def answer(question):
    with open("calls.txt", "a") as file: file.write(question + "\\n")
    tries[question] = tries.get(question, 0) + 1
    await asyncio.sleep(0.1 if question == "first" else 0.3)
    if question == "flaky" and tries[question] < 3: raise ConnectionError("try again")
    return Response("ok", cost_usd=1)
"""
    files = {"bot.py": bot, "s.eval.yaml": suite(["first", "flaky", "q", "q"]).replace("retries: 0", "retries: 2")}
    ran = alone(files, "--evals-max-cost=1", "--evals-concurrency=2")
    assert ran.outcomes == {"c0": "passed", "c1": "passed", "c2": "skipped", "c3": "skipped"}
    assert calls(ran) == ["first", "flaky", "flaky", "flaky"]


def test_calls_that_wait_for_a_limit_of_rate_are_not_waited_for(alone):
    files = {
        "bot.py": BOT,
        "s.eval.yaml": suite(["q"] * 30),
        "pytest.ini": "[pytest]\nevals_limits = bot.py:answer: 30 rpm\n",
    }
    started = time.monotonic()
    ran = alone(files, "--evals-max-cost=0.1")
    assert time.monotonic() - started < 15  # at that rate all of them would take a minute
    assert 1 <= len(calls(ran)) <= 3
    assert ran.status == 75


def test_recorded_answers_cost_nothing_now(alone):
    answers = "".join(f'{{"id": "c{i}", "output": "ok", "cost_usd": 0.5}}\n' for i in range(5))
    files = {"a.jsonl": answers, "s.eval.yaml": suite(["q"] * 5, "{responses: a.jsonl}")}
    ran = alone(files, "--evals-max-cost=1")
    assert (ran.status, ran.counts()) == (0, {"passed": 5})
    assert ran.report["summary"]["cost_usd"]["total"] == 2.5
    assert ran.report["budget"][0]["spent"] == 0


def test_checks_of_ordinary_tests_count_and_those_tests_run_on(alone):
    test = """
from pytest_evals import Response
def test_a(evals): evals.check(Response("ok", cost_usd=0.6), expected="ok", criteria=["contains"])
def test_b(evals): evals.check(Response("ok", cost_usd=0.6), expected="ok", criteria=["contains"])
def test_c(evals): evals.check("no call", scores={"x": 1})
"""
    ran = alone({"test_a.py": test, "z.eval.yaml": suite(["q"] * 2, "echo")}, "--evals-max-cost=1")
    assert ran.counts() == {"passed": 3, "skipped": 2}
    assert (ran.report["budget"][0]["spent"], ran.report["budget"][0]["unknown"]) == (1.2, 0)
    assert ran.status == 75


def test_fixtures_are_not_set_up_for_what_is_skipped(alone):
    conftest = """
import pytest
@pytest.fixture
def bot():
    from pytest_evals import Response
    with open("set-up.txt", "a") as file: file.write("x")
    return lambda question: Response("ok", cost_usd=1)
"""
    ran = alone({"conftest.py": conftest, "s.eval.yaml": suite(["q"] * 5, "{fixture: bot}")}, "--evals-max-cost=2")
    assert ran.counts() == {"passed": 2, "skipped": 3}
    assert (ran.path / "set-up.txt").read_text() == "xx"


def test_the_run_is_kept_as_cancelled_with_what_it_answered(project):
    ran = project({"bot.py": BOT, "s.eval.yaml": suite(["q"] * 60)}, "--evals-max-cost=0.5", "--evals-concurrency=2")
    with sqlite3.connect(ran.path / ".evals" / "history.db") as history:
        [(status, passed, stopped)] = history.execute("SELECT status, passed_cases, stopped FROM v_runs")
    assert (status, passed) == ("cancelled", len(calls(ran)))
    assert stopped == "budget of $0.50 spent (--evals-max-cost)"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"pytest.ini": "[pytest]\nevals_max_cost = $0.20\n"}, "budget of $0.20 spent (evals_max_cost)"),
        ({"pytest.ini": "[pytest]\nevals_max_time = 0\n"}, "budget of 0 ms spent (evals_max_time)"),
    ],
    ids=["cost", "time"],
)
def test_limits_can_stand_in_the_ini_file(project, files, reason):
    ran = project({"bot.py": BOT, "s.eval.yaml": suite(["q"] * 40), **files}, "--evals-concurrency=1")
    assert (ran.status, ran.report["stopped"]) == (75, reason)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--evals-max-cost=-1", "--evals-max-cost: '-1' is not a sum of dollars such as 0.50 or 20"),
        ("--evals-max-cost=nan", "--evals-max-cost: 'nan' is not a sum of dollars such as 0.50 or 20"),
        ("--evals-max-tokens=2k", "--evals-max-tokens: '2k' is not a whole number from 0 on"),
        ("--evals-max-time=soon", "--evals-max-time: 'soon' is not a time such as 30s, 500ms or 2m"),
        ("--evals-progress=yes", "--evals-progress: 'yes' is not one of auto, on, off"),
    ],
)
def test_a_bad_limit_is_a_usage_error(alone, option, said):
    ran = alone({}, option)
    assert ran.status == 4
    assert f"ERROR: {said}" in ran.out


def test_a_limit_with_a_slip_of_the_pen_is_said_and_one_for_other_suites_is_not(project):
    ini = "[pytest]\nevals_limits =\n  bot.py:answr: 50 rps\n  anthropic: 50 rpm\n"
    ran = project({"bot.py": BOT, "s.eval.yaml": suite(["q"]), "pytest.ini": ini})
    assert ran.out.count("limits: no call goes by the limit of") == 1
    assert "limits: no call goes by the limit of 'bot.py:answr'; did you mean 'bot.py:answer'?" in ran.out
