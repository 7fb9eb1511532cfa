"""Faults reported against tools of this kind, as users would meet them: calls that never come back."""

from __future__ import annotations

import time

import pytest
from projects import Project, Ran

SUITE = """
suite: stuck
target: {target}
defaults: {{criteria: [contains], retries: 0, timeout: 1, expected_output: ok}}
cases:
  - {{id: first, input: stuck 1}}
  - {{id: second, input: stuck 2}}
  - {{id: third, input: stuck 3}}
  - {{id: fast, input: fast, expected_output: nothing like it, timeout: 20}}
"""

SLEEPS = """
import logging, socket, sys, threading, time
def late(question):
    print("late words of", question); print("late words of", question, file=sys.stderr)
    logging.getLogger("bot").warning("late words of %s", question)
def answer(question):
    print("first words of", question)
    if question == "fast":
        time.sleep(2.5)
        return "ok fast"
    time.sleep(1.5)
    late(question)
    time.sleep(60)
    return f"ok late answer of {question}"
"""

ACCEPTS = """
import socket
def answer(question):
    if question == "fast": return "ok fast"
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.accept()
    return "ok late answer"
"""

IGNORES = """
import time
def answer(question):
    if question == "fast": return "ok fast"
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            time.sleep(0.5)
        except BaseException:
            pass
    return "ok late answer"
"""

CLIENT = """
import pathlib, pytest, time
class Client:
    def ask(self, question):
        if question != "fast": time.sleep(60)
        return "ok fast"
@pytest.fixture(scope="session")
def bot():
    yield Client().ask
    pathlib.Path("torn-down").write_text("")
"""

HANDS_OVER = """
import asyncio, time
async def answer(question):
    if question == "fast": return "ok fast"
    await asyncio.to_thread(time.sleep, 60)
    return "ok late answer"
"""

BLOCKS_THE_LOOP = """
import time
async def answer(question):
    if question == "fast": return "ok fast"
    time.sleep(60)
    return "ok late answer"
"""


def run(pytester: pytest.Pytester, files: dict[str, str], *args: str) -> tuple[Ran, float]:
    """What a run came to, and how many seconds the whole process took."""
    project = Project(pytester, []).write(files)
    started = time.monotonic()
    ran = project.run(*args, subprocess=True)
    return ran, time.monotonic() - started


def each_timed_out(ran: Ran, at_most_s: float = 3.0) -> None:
    for name in ("first", "second", "third"):
        case = ran.case(name)
        assert (case["outcome"], case["error"]["kind"], case["output"]) == ("errored", "timeout", None)
        assert case["error"]["message"].startswith("no answer within 1 s")
        [attempt] = case["trials"][0]["attempts"]
        assert 900 < attempt["latency_ms"] < at_most_s * 1000


@pytest.mark.parametrize("args", [[], ["--evals-concurrency=1"], ["-n2"]], ids=["alone", "in turn", "n2"])
def test_P14_stuck_calls_time_out_and_what_they_say_later_is_nobodys(pytester, args):
    ran, seconds = run(pytester, {"bot.py": SLEEPS, "s.eval.yaml": SUITE.format(target="bot.py:answer")}, *args)
    each_timed_out(ran)
    assert ran.case("fast")["output"] == "ok fast"
    assert "first words of fast" in ran.out
    assert "first words of stuck 1" in ran.out
    assert "late words" not in ran.out
    assert seconds < 25  # each of them would have slept for a minute


@pytest.mark.parametrize(
    ("files", "target"),
    [
        ({"bot.py": ACCEPTS}, "bot.py:answer"),
        ({"bot.py": IGNORES}, "bot.py:answer"),
        ({"conftest.py": CLIENT}, "{fixture: bot}"),
        ({"bot.py": HANDS_OVER}, "bot.py:answer"),
    ],
    ids=["a socket nobody connects to", "a thread that ignores everything", "a client of a fixture", "to_thread"],
)
def test_P14_other_calls_that_never_come_back(pytester, files, target):
    ran, seconds = run(pytester, {**files, "s.eval.yaml": SUITE.format(target=target)})
    each_timed_out(ran)
    assert ran.case("fast")["output"] == "ok fast"
    assert (pytester.path / "torn-down").exists() == ("conftest.py" in files)
    assert seconds < 25


def test_P14_async_targets_that_block_the_loop_time_out_one_by_one(pytester):
    ran, seconds = run(pytester, {"bot.py": BLOCKS_THE_LOOP, "s.eval.yaml": SUITE.format(target="bot.py:answer")})
    each_timed_out(ran, at_most_s=10)
    assert "blocks its event loop" in ran.case("first")["error"]["message"]
    assert ran.case("fast")["output"] == "ok fast"
    assert seconds < 40


def test_P14_what_waits_on_a_loop_that_was_given_up_is_asked_once(alone):
    bot = """
import asyncio, time
async def answer(question):
    with open("calls.txt", "a") as file: file.write(question + "\\n")
    if question == "block": time.sleep(5)
    await asyncio.sleep(0.5)
    return "ok"
"""
    cases = "  - {id: block, input: block}\n" + "".join(f"  - {{id: c{n}, input: q{n}}}\n" for n in range(40))
    head = SUITE.partition("cases:")[0].format(target="bot.py:answer")
    ran = alone({"bot.py": bot, "s.eval.yaml": f"{head}cases:\n{cases}"}, "--evals-concurrency=4")
    assert ran.counts() == {"passed": 40, "errors": 1}
    asked = (ran.path / "calls.txt").read_text().split()
    assert len(set(asked)) == 41
    assert len(asked) <= 41 + 3  # those that were under way beside it
    assert all(len(case["trials"][0]["attempts"]) == 1 for case in ran.report["cases"])


def test_P14_threads_of_coroutines_are_not_starved_by_stuck_ones(alone):
    bot = """
import asyncio, time
async def answer(question):
    await asyncio.to_thread(time.sleep, 30 if question == "stuck" else 0.05)
    return "ok"
"""
    cases = "".join(f"  - {{id: s{n}, input: stuck}}\n" for n in range(40))
    cases += "".join(f"  - {{id: f{n}, input: fast}}\n" for n in range(20))
    head = SUITE.partition("cases:")[0].format(target="bot.py:answer").replace("timeout: 1,", "timeout: 5,")
    ran = alone({"bot.py": bot, "s.eval.yaml": f"{head}cases:\n{cases}"}, "--evals-concurrency=40")
    assert ran.counts() == {"passed": 20, "errors": 40}
