"""Servers and programs as targets, through pytest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from projects import Project
from servers import Reply, serve

SERVER = """
target:
  http:
    url: ${SHOP_URL}/ask
    headers: {Authorization: 'Bearer ${SHOP_KEY}'}
    body: {question: '{{ input }}', session: '{{ session_id }}'}
    output: answer.text
defaults: {retries: 0, timeout: 5s, criteria: [contains]}
cases:
"""
KEY = "hush-1234567890"


def cases(*inputs, extra=""):
    return "".join(
        f"  - {{id: c{number}, input: {text!r}, expected_output: ok{extra}}}\n" for number, text in enumerate(inputs)
    )


@pytest.fixture
def shop(monkeypatch):
    """A server that answers with the question, or as the question says: ``HTTP 500``, ``hang``."""

    def answer(asked):
        question = asked.json["question"]
        if question.startswith("HTTP "):
            return Reply(f"no: {asked.headers['Authorization']}", int(question[5:]))
        if question == "hang":
            time.sleep(1.5)
        return {"answer": {"text": f"{question} {asked.headers['Authorization']}"}}

    with serve(answer) as server:
        monkeypatch.setenv("SHOP_URL", server.url)
        monkeypatch.setenv("SHOP_KEY", KEY)
        yield server


def test_a_server_answers_the_cases_over_few_connections(project, shop):
    ran = project({"a.eval.yaml": SERVER + cases(*["ok"] * 8, "no")})
    assert ran.status == 1
    assert ran.outcomes == {**{f"c{number}": "passed" for number in range(8)}, "c8": "failed"}
    assert ran.case("c0")["target"] == f"http: POST {shop.url}/ask"
    assert len({asked.json["session"] for asked in shop.asked}) == 9
    assert len(shop.asked) == 9


def test_connections_are_kept_open_when_cases_run_in_turn(alone: Project, shop):
    alone({"a.eval.yaml": SERVER + cases(*["ok"] * 8)}, "--evals-concurrency=1")
    assert len(shop.connections) == 1


@pytest.mark.parametrize(
    ("question", "kind", "status"),
    [("HTTP 500", "target", 1), ("HTTP 404", "target", 1), ("HTTP 429", "provider", 75), ("hang", "timeout", 75)],
)
def test_what_goes_wrong_there_decides_the_exit_status(project, shop, question, kind, status):
    text = SERVER.replace("timeout: 5s", "timeout: 0.5s") + cases("ok", question)
    ran = project({"a.eval.yaml": text})
    assert ran.outcomes == {"c0": "passed", "c1": "errored"}
    assert ran.case("c1")["error"]["kind"] == kind
    assert ran.status == status


def test_no_secret_reaches_any_report(project, shop):
    text = SERVER.replace("/ask", "/ask?key=${SHOP_KEY}") + cases("ok", "no", "HTTP 500")
    ran = project({"a.eval.yaml": text}, "--junitxml=j.xml", "-v", "-rA", "-l", "--log-level=DEBUG")
    assert ran.outcomes == {"c0": "passed", "c1": "failed", "c2": "errored"}
    assert shop.asked[0].headers["Authorization"] == f"Bearer {KEY}"
    assert ran.case("c1")["output"] == "no ***"
    assert KEY not in ran.out
    files = [path for path in ran.path.rglob("*") if path.is_file()]
    assert {"j.xml", "report.json", "history.db"} <= {path.name for path in files}
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


def test_collecting_calls_nothing(project, shop):
    ran = project({"a.eval.yaml": SERVER + cases("ok")}, "--collect-only")
    assert ran.status == 0
    assert shop.asked == []


def test_a_variable_that_is_not_set_is_said_at_collection(project, monkeypatch):
    monkeypatch.delenv("SHOP_URL", raising=False)
    monkeypatch.delenv("SHOP_KEY", raising=False)
    ran = project({"a.eval.yaml": SERVER + cases("ok")})
    assert ran.status == 2
    assert "a.eval.yaml:4:5: the environment variable SHOP_URL is not set" in ran.out
    assert "a.eval.yaml:5:15: the environment variable SHOP_KEY is not set" in ran.out


PROGRAM = """
import os, subprocess, sys, time
question = sys.stdin.read()
if question == "fail": sys.exit("no such product")
if question == "hang":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    open("pids", "w").write(f"{os.getpid()} {child.pid}")
    print("thinking", file=sys.stderr, flush=True)
    child.wait()
print(question)
"""
COMMAND = "target: {command: [python, ../bot.py]}\ndefaults: {retries: 0, criteria: [contains]}\ncases:\n"


def test_a_program_answers_the_cases(project):
    ran = project({"bot.py": PROGRAM, "evals/a.eval.yaml": COMMAND + cases("ok", "two ok lines\n", "fail", "no")})
    assert ran.outcomes == {"c0": "passed", "c1": "passed", "c2": "errored", "c3": "failed"}
    assert ran.case("c2")["error"]["message"] == "exit status 1: no such product"
    assert ran.case("c0")["target"] == "command: python ../bot.py"


def test_a_program_that_hangs_is_errored_and_killed_with_its_child(project):
    ran = project({"bot.py": PROGRAM, "evals/a.eval.yaml": COMMAND + cases("hang", "ok", extra=", timeout: 1s")})
    assert ran.outcomes == {"c0": "errored", "c1": "passed"}
    assert ran.status == 75
    error = ran.case("c0")["error"]
    assert (error["kind"], error["message"], error["detail"]) == ("timeout", "no answer within 1 s", "thinking")
    assert gone(ran.path / "evals" / "pids")


def gone(file: Path) -> bool:
    """Whether the processes named in a file have ended; zombies have."""

    def runs(pid: str) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False

    until = time.monotonic() + 3
    while any(map(runs, file.read_text().split())) and time.monotonic() < until:
        time.sleep(0.02)
    return not any(map(runs, file.read_text().split()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ending_pytest_ends_the_program_and_its_child(alone: Project, number):
    alone.write({"bot.py": PROGRAM, "evals/a.eval.yaml": COMMAND + cases("hang"), "pytest.ini": "[pytest]\n"})
    pids = alone.pytester.path / "evals" / "pids"
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q"],
        cwd=alone.pytester.path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_evals.plugin"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    until = time.monotonic() + 20
    while not (pids.exists() and len(pids.read_text().split()) == 2):
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(number)
    process.communicate(timeout=10)
    if number == signal.SIGINT:
        assert process.returncode == 2
    assert gone(pids)


def test_a_program_that_is_not_there_is_said_at_collection(project):
    ran = project({"a.eval.yaml": COMMAND.replace("python", "no-such-program-x") + cases("ok")})
    assert ran.status == 2
    assert "a.eval.yaml:1:1: there is no program 'no-such-program-x' in PATH" in ran.out
