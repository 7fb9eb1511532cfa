"""What only shows with workers: crashes, cases that never ran, counts."""

from __future__ import annotations

import pytest
from projects import Project


@pytest.fixture
def workers(pytester) -> Project:
    """A project that is run with two workers."""
    return Project(pytester, ["-n2"])


BOT = "import os\ndef answer(q):\n    if q == 'die': os._exit(9)\n    return q\n"


def suite(*inputs: str, extra: str = "") -> str:
    cases = "".join(
        f"  - {{id: c{i}, input: {q}, expected_output: ok, criteria: [contains]}}\n" for i, q in enumerate(inputs)
    )
    return f"suite: s\ntarget: bot.py:answer\ndefaults: {{retries: 0}}\n{extra}cases:\n{cases}"


def test_a_worker_that_dies_loses_only_what_it_ran(workers):
    ran = workers({"bot.py": BOT, "s.eval.yaml": suite("ok", "die", "ok", "ok")})
    assert ran.outcomes == {"c0": "passed", "c1": "errored", "c2": "passed", "c3": "passed"}
    assert ran.case("c1")["error"]["kind"] == "crash"
    assert "crashed" in ran.case("c1")["error"]["message"]
    assert ran.status == 1


def test_cases_that_never_ran_are_listed_and_are_no_pass(workers):
    ran = workers(
        {"bot.py": BOT, "s.eval.yaml": suite("die", "die", *["ok"] * 20, extra="gates: ['score.mean >= 0.1']\n")},
        "--max-worker-restart=0",
    )
    assert ran.status != 0
    assert ran.report["not_run"]
    assert len(ran.report["not_run"]) + len(ran.outcomes) == 22
    assert ran.report["gates"][0]["verdict"] == "undecided"


def test_results_are_the_same_alone_and_with_workers(pytester):
    files = {"bot.py": BOT, "s.eval.yaml": suite(*(["ok", "no", "okay"] * 5), extra="gates: ['pass_rate >= 60%']\n")}
    alone = Project(pytester, [])(files)
    both = Project(pytester, ["-n2"])(files)
    assert both.status == alone.status == 0
    assert both.outcomes == alone.outcomes
    assert list(both.outcomes) == list(alone.outcomes)
    strip = {"session_id", "started_at", "finished_at", "duration_s", "params", "cases", "latency", "by_suite"}

    def figures(report):
        summary = {k: v for k, v in report["summary"].items() if not k.startswith(("latency", "by_"))}
        return {**{k: v for k, v in report.items() if k not in strip}, "summary": summary}

    assert figures(both.report) == figures(alone.report)
