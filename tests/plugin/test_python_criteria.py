"""Criteria that a function answers, without a fixture."""

from __future__ import annotations

import pytest
from projects import Project

CHECKS = """
import asyncio
from pytest_evals import Score

def polite(actual, options):
    words = options.get("words", ["please"])
    found = [word for word in words if word in actual]
    return Score(len(found) / len(words), f"{len(found)} of {len(words)}", {"found": found})

async def later(actual, expected):
    await asyncio.sleep(0.01)
    return actual == expected

class Checks:
    @staticmethod
    def short(actual, case): return len(actual) < 20 and case.id == "a"

broken = lambda: 1 / 0
def odd(actual, tone): return 1.0
number = 3
class Class: pass
"""


def suite(*criteria, expected="hi"):
    lines = "".join(f"      - {criterion}\n" for criterion in criteria)
    return (
        "target: echo\ncases:\n  - id: a\n    input: hi there, please\n"
        f"    expected_output: {expected}\n    criteria:\n{lines}"
    )


def test_a_function_answers_as_a_scorer_does(project):
    criteria = [
        "python: ../checks_pc.py:polite",
        "{python: ../checks_pc.py:polite, name: kind, words: [please, thanks], threshold: 0.5, weight: 2}",
        "python: ../checks_pc.py:later",
        "python: ../checks_pc.py:Checks.short",
        "not: {python: ../checks_pc.py:polite, words: [sorry]}",
        "any_of: [{python: ../checks_pc.py:later}, contains: please]",
    ]
    files = {"checks_pc.py": CHECKS, "evals/a.eval.yaml": suite(*criteria, expected="hi there, please")}
    ran = project(files)
    assert ran.outcomes == {"a": "passed"}, ran.out
    found = {criterion["name"]: criterion for criterion in ran.case("a")["criteria"]}
    assert {name: criterion["score"] for name, criterion in found.items()} == {
        "polite": 1,
        "kind": 0.5,
        "later": 1,
        "short": 1,
        "not_polite": 1,
        "any_of": 1,
    }
    assert found["kind"]["scorer"] == "python:../checks_pc.py:polite"
    assert (found["kind"]["reason"], found["kind"]["detail"]) == ("1 of 2", {"found": ["please"]})
    assert (found["polite"]["mark"], found["short"]["mark"]) == (0.7, 1)


def test_a_module_is_found_as_tests_find_it(project):
    files = {
        "pytest.ini": "[pytest]\npythonpath = src\n",
        "src/checks_pm.py": CHECKS,
        "evals/a.eval.yaml": suite("python: checks_pm:polite"),
    }
    assert project(files).outcomes == {"a": "passed"}


def test_one_file_is_one_module_for_target_and_criteria(alone: Project):
    bot = "asked = []\ndef answer(q):\n    asked.append(q)\n    return q\ndef was_asked(): return len(asked) == 1\n"
    text = suite("python: bot_pc.py:was_asked").replace("echo", "bot_pc.py:answer")
    assert alone({"bot_pc.py": bot, "a.eval.yaml": text}).outcomes == {"a": "passed"}


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("checks_pw.py:polit", ": checks_pw.py has no 'polit'; did you mean 'polite'?"),
        ("gone.py:polite", ": there is no file "),
        ("no_such_module:polite", ": there is no module 'no_such_module' in "),
        ("checks_pw.py:odd", ": a scorer asks for 'tone'; a scorer can ask for actual"),
        ("checks_pw.py:number", " is a int; name a function"),
        ("checks_pw.py:Class", " is a class; name a function"),
        ("bad_pw.py:f", ": importing it raised ZeroDivisionError: division by zero ("),
    ],
    ids=lambda value: value[:20],
)  # fmt: skip
def test_a_function_that_cannot_answer_is_said_at_collection(project, reference, said):
    files = {"checks_pw.py": CHECKS, "bad_pw.py": "1 / 0\n", "a.eval.yaml": suite(f"python: {reference}")}
    ran = project(files)
    assert ran.status == 2
    assert f"a.eval.yaml:7:9: criterion 'python: {reference}'{said}" in ran.out
    assert "Traceback" not in ran.out


def test_all_mistakes_are_said_with_the_others_of_the_file(project):
    text = suite("python: checks_pa.py:polit", "contains", "python: gone.py:f") + "    tresh: 1\n"
    ran = project({"checks_pa.py": CHECKS, "a.eval.yaml": text})
    assert ran.status == 2
    for place in ("a.eval.yaml:7:9: ", "a.eval.yaml:9:9: ", "a.eval.yaml:10:5: unknown key 'tresh'"):
        assert place in ran.out


def test_a_function_that_raises_makes_the_case_errored(project):
    ran = project({"checks_pr.py": CHECKS, "a.eval.yaml": suite("python: checks_pr.py:broken", "contains")})
    assert ran.outcomes == {"a": "errored"}
    error = ran.case("a")["error"]
    assert error["message"] == "scorer 'python:checks_pr.py:broken' raised ZeroDivisionError: division by zero"
    assert error["kind"] == "scorer"


def test_a_check_of_an_ordinary_test_takes_a_function_too(project):
    files = {
        "checks_pt.py": CHECKS,
        "test_a.py": "def test_a(evals): evals.check('please', criteria=[{'python': 'checks_pt.py:polite'}])\n",
    }
    ran = project(files)
    assert ran.counts() == {"passed": 1}, ran.out
    assert ran.report["cases"][0]["criteria"][0]["name"] == "polite"


def test_gates_name_the_function(project):
    text = suite("python: checks_pg.py:polite") + "gates: [score.polite.mean >= 1]\n"
    ran = project({"checks_pg.py": CHECKS, "a.eval.yaml": text})
    assert ran.status == 0, ran.out
    assert ran.report["gates"][0]["verdict"] == "held"
