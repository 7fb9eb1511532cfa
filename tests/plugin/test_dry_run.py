"""A dry run: how many calls there would be, to what; nothing is called, kept or written."""

from __future__ import annotations

import pytest

BOT = """
import pathlib
def answer(question):
    pathlib.Path("called").write_text(question)
    return question
"""

CASE = "  - {{id: {id}, input: x, expected_output: x, criteria: [{criteria}]{more}}}\n"


def suite(name, target, *cases, extra=""):
    return f"suite: {name}\ntarget: {target}\n{extra}cases:\n" + "".join(cases)


def case(case_id, criteria="contains", more=""):
    return CASE.format(id=case_id, criteria=criteria, more=more)


@pytest.fixture
def files():
    """Two suites of one target, answers that are there, and an ordinary test that would fail."""
    three = [case("a"), case("b", more=", retries: 3"), case("c", more=", skip: not now")]
    return {
        "bot.py": BOT,
        "one.eval.yaml": suite("one", "bot.py:answer", *three, extra="gates: ['pass_rate >= 100%']\n"),
        "two.eval.yaml": suite("two", "bot.py:answer", case("a", more=", retries: 0")),
        "three.eval.yaml": suite("three", "echo", case("a"), case("b")),
        "test_ordinary.py": "def test_a(): 1 / 0\n",
    }


def table(out):
    """The rows below the header, as words with their columns apart."""
    lines = out.splitlines()
    head = next(n for n, line in enumerate(lines) if line.split()[:2] == ["target", "cases"])
    rows = []
    for line in lines[head + 1 :]:
        if not line.strip():
            break
        rows.append([cell.strip() for cell in line.strip().split("  ") if cell.strip()])
    return rows


def test_it_tells_how_many_calls_to_what_and_runs_nothing(project, files):
    ran = project(files, "--evals-dry-run", "--evals-max-cost=1")
    assert ran.status == 0
    assert table(ran.out) == [
        ["bot.py:answer", "4", "3", "7", "unknown"],
        ["echo", "2", "0", "0", "nothing: it answers at once"],
    ]
    assert "3 calls, up to 7 with retries, at a price that is not known" in ran.out
    assert "1 case is skipped and not called" in ran.out
    assert "1 ordinary test is not run either" in ran.out
    assert ran.report == {}
    assert ran.counts() == {}
    left = {path.name for path in ran.path.iterdir()} - {"__pycache__", ".pytest_cache", *files}
    assert left == set()


def test_it_counts_what_is_selected(alone, files):
    ran = alone(files, "--evals-dry-run", "-k", "b")
    assert table(ran.out) == [
        ["bot.py:answer", "1", "1", "4", "unknown"],
        ["echo", "1", "0", "0", "nothing: it answers at once"],
    ]


def test_answers_that_are_there_cost_nothing(alone):
    files = {"s.eval.yaml": suite("s", "{responses: a.jsonl}", case("a")), "a.jsonl": '{"id": "a", "output": "x"}\n'}
    ran = alone(files, "--evals-dry-run")
    assert "0 calls, nothing to pay" in ran.out
    assert table(ran.out) == [["responses: a.jsonl", "1", "0", "0", "nothing: it answers at once"]]


def test_targets_of_one_name_in_two_folders_are_two(alone):
    files = {f"{folder}/bot.py": BOT for folder in "ab"}
    files |= {f"{folder}/s.eval.yaml": suite(f"of-{folder}", "bot.py:answer", case("a")) for folder in "ab"}
    ran = alone(files, "--evals-dry-run")
    assert [row[:2] for row in table(ran.out)] == [["bot.py:answer (of-a)", "1"], ["bot.py:answer (of-b)", "1"]]


def test_fixture_targets_and_scorers_of_the_project_are_named(alone):
    conftest = """
import pytest
@pytest.fixture
def bot(): raise RuntimeError("set up")
@pytest.fixture
def tone_scorer(): raise RuntimeError("set up")
"""
    tone, own = case("a", "contains, tone"), case("b", "{python: 'scores.py:polite'}")
    files = {"conftest.py": conftest, "scores.py": "def polite(actual): return 1.0\n"}
    ran = alone({**files, "s.eval.yaml": suite("s", "{fixture: bot}", tone, own)}, "--evals-dry-run")
    assert ran.status == 0
    assert table(ran.out) == [["fixture: bot", "2", "2", "4", "unknown"]]
    assert "not counted: what scorers of the project call (tone, python:scores.py:polite)" in ran.out


def test_an_unreadable_suite_is_2_and_no_selection_is_5(project, files):
    ran = project(files, "--evals-dry-run", "-k", "nothing_like_it")
    assert (ran.status, "no case was selected" in ran.out) == (5, True)
    ran = project({"bad.eval.yaml": "cases: [{id: a}]\n"}, "--evals-dry-run")
    assert ran.status == 2
    assert "bad.eval.yaml:1" in ran.out
    ran = project.run("--evals-dry-run", "--continue-on-collection-errors")
    assert ran.status == 2
    assert "3 calls, up to 7 with retries" in ran.out


def test_ordinary_tests_alone_are_not_run_either(project):
    ran = project({"test_a.py": "def test_a(): 1 / 0\ndef test_b(): 1 / 0\n"}, "--evals-dry-run")
    assert ran.status == 0
    assert "no case was selected" in ran.out
    assert "2 ordinary tests are not run either" in ran.out


def test_it_cannot_be_left_on_in_a_file_or_the_environment(alone, files, monkeypatch):
    monkeypatch.setenv("PYTEST_EVALS_DRY_RUN", "1")
    assert alone({**files, "pytest.ini": "[pytest]\n"}).counts()["passed"] == 5
