"""Faults reported against tools of this kind, as users would meet them: scores and statistics."""

from __future__ import annotations

import json

import pytest

PER_CASE = """
import json, pytest
@pytest.fixture
def given_scorer():
    return lambda case: float(case.metadata["value"])
@pytest.fixture
def fine_scorer():
    return lambda: 1.0
"""


def given(values, extra=""):
    cases = "".join(
        f"  - {{id: c{i}, input: x, metadata: {{value: '{v}'}}, criteria: [given], threshold: unset}}\n"
        for i, v in enumerate(values)
    )
    return f"suite: s\ntarget: echo\n{extra}cases:\n{cases}"


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("contains", '""'),
        ("{contains: ''}", "blue"),
        ("{contains_any: []}", "~"),
        ("{contains_all: []}", "~"),
        ("{contains_any: ['']}", "~"),
        ("{starts_with: ''}", "~"),
        ("{equals_any: []}", "~"),
    ],
)
def test_S01_an_expectation_that_everything_fulfils_is_refused(project, criterion, expected):
    suite = f"target: echo\ncases: [{{id: a, input: anything, expected_output: {expected}, criteria: [{criterion}]}}]\n"
    ran = project({"a.eval.yaml": suite})
    assert ran.status == 2
    assert "a.eval.yaml:2:" in ran.out


def test_S01_empty_answers_and_empty_texts_are_compared_as_such(project):
    suite = """
target: {responses: answers.json}
cases:
  - {id: blue, input: q, expected_output: blue, criteria: [contains]}
  - {id: same, input: q, expected_output: "", criteria: [exact_match]}
  - {id: other, input: q, expected_output: "", criteria: [exact_match]}
  - {id: any, input: q, criteria: [{contains_any: [a, b]}]}
"""
    answers = json.dumps({"blue": "", "same": "", "other": "x", "any": ""})
    ran = project({"a.eval.yaml": suite, "answers.json": answers})
    assert ran.outcomes == {"blue": "failed", "same": "passed", "other": "failed", "any": "failed"}


def test_A01_a_value_that_is_no_score_is_neither_pass_nor_fail_and_poisons_nothing(project):
    values = ["0.9", "0.8", "nan", "0.7", "inf", "-inf", "-0.5", "1.0001"]
    ran = project({"conftest.py": PER_CASE, "a.eval.yaml": given(values)})
    assert [ran.outcomes[f"c{i}"] for i in range(8)] == [
        "scored", "scored", "errored", "scored", "errored", "errored", "errored", "errored",
    ]  # fmt: skip
    criterion = next(c for c in ran.report["summary"]["criteria"] if c["name"] == "given")
    assert criterion["mean"] == pytest.approx(0.8)
    assert (criterion["n"], criterion["not_scored"]) == (3, 5)
    assert ran.report["summary"]["score"]["max"] == 0.9
    assert ran.status == 1


@pytest.mark.parametrize("threshold", ["threshold: 0", "threshold: 0.5", ""])
def test_A01_nan_is_an_error_under_every_threshold(project, threshold):
    suite = f"target: echo\ncases: [{{id: c, input: x, metadata: {{value: nan}}, criteria: [given], {threshold}}}]\n"
    ran = project({"conftest.py": PER_CASE, "a.eval.yaml": suite})
    assert ran.outcomes == {"c": "errored"}
    assert "NaN" not in (ran.path / "report.json").read_text()


@pytest.mark.parametrize(
    ("latencies", "percentiles"),
    [
        ([250], (250, 250, 250)),
        ([100, 300], (100, 300, 300)),
        ([120, 80, 95, 400, 110], (110, 400, 400)),
        (list(range(20, 0, -1)), (10, 19, 20)),
        ([7, 7, 7], (7, 7, 7)),
        ([0, 1000], (0, 1000, 1000)),
        (list(range(1, 101)), (50, 95, 99)),
        ([], (None, None, None)),
    ],
)
def test_A03_percentiles_are_the_nearest_rank_of_those_that_answered(project, latencies, percentiles):
    lines = [json.dumps({"id": f"c{i}", "output": "x", "latency_ms": v}) for i, v in enumerate(latencies)]
    lines.append(json.dumps({"id": "unknown", "output": "x"}))
    case = "  - {{id: {}, input: q, expected_output: x, criteria: [contains]}}\n"
    ids = [f"c{i}" for i in range(len(latencies))] + ["unknown", "missing"]
    suite = "target: {responses: a.jsonl}\ncases:\n" + "".join(case.format(i) for i in ids)
    ran = project({"a.eval.yaml": suite, "a.jsonl": "\n".join(lines) + "\n"})
    latency = ran.report["summary"]["latency_ms"]
    assert (latency["p50"], latency["p95"], latency["p99"]) == percentiles
    assert latency["n"] == len(latencies)


def test_A08_zero_is_a_value_everywhere(project):
    bot = """
calls = []
def answer(q):
    calls.append(q)
    if q == "fail": raise ValueError(len(calls))
    return q
"""
    suite = """
suite: s
target: bot.py:answer
defaults: {retries: 0}
gates: [errors <= 5, score.mean >= 0]
cases:
  - {id: threshold, input: a, expected_output: b, criteria: [levenshtein], threshold: 0}
  - {id: mark, input: a, expected_output: b, criteria: [{levenshtein: {threshold: 0}}]}
  - {id: weight, input: a, expected_output: a, criteria: [exact_match, {levenshtein: {expected: zzz, weight: 0, threshold: 0}}], threshold: 1}
  - {id: retries, input: fail, expected_output: a, criteria: [exact_match]}
  - {id: expected, input: 0, expected_output: 0, criteria: [exact_match]}
  - {id: number, input: "is 0", expected_output: 0, criteria: [numeric]}
  - {id: timeout, input: a, expected_output: a, criteria: [exact_match], timeout: 0}
"""
    ran = project({"bot.py": bot, "a.eval.yaml": suite})
    assert ran.outcomes == {
        "threshold": "passed", "mark": "passed", "weight": "passed", "retries": "errored",
        "expected": "passed", "number": "passed", "timeout": "passed",
    }  # fmt: skip
    assert ran.case("threshold")["score"] == 0
    assert ran.case("weight")["score"] == 1
    assert len(ran.case("retries")["trials"][0]["attempts"]) == 1
    assert ran.case("expected")["expected_output"] == "0"


@pytest.mark.parametrize(("cost", "shown"), [(0, 0), (0.0, 0), (None, None)])
def test_A08_a_cost_of_zero_is_known_and_an_unknown_one_is_not_zero(project, cost, shown):
    answers = json.dumps([{"id": "a", "output": "x", "cost_usd": cost, "latency_ms": 0}])
    suite = "target: {responses: a.json}\ncases: [{id: a, input: q, expected_output: x, criteria: [contains]}]\n"
    ran = project({"a.eval.yaml": suite, "a.json": answers})
    assert ran.report["summary"]["cost_usd"]["total"] == shown
    assert ran.report["summary"]["latency_ms"]["p50"] == 0
