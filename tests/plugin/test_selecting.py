"""Selecting cases on the command line."""

from __future__ import annotations

import re

import pytest

SUITE = """
suite: shop
target: echo
gates: [pass_rate >= 50%, pass_rate(tag=slow) >= 100%]
defaults: {criteria: [contains]}
cases:
  - {id: a, category: refunds, tags: [smoke], input: yes, expected_output: yes}
  - {id: b, category: refunds, metadata: {ticket: 12}, input: no, expected_output: yes}
  - {id: c, category: hours, tags: [slow], input: yes, expected_output: yes}
  - {id: d, category: hours, input: no, expected_output: yes}
"""
OTHER = "suite: other\ntarget: echo\ncases: [{id: x, input: a, criteria: [exact_match: a]}]\n"
FILES = {"shop.eval.yaml": SUITE}


def ids(ran):
    return [case["id"] for case in ran.report["cases"]]


def test_filters_deselect_as_pytest_does_it(project):
    ran = project({**FILES, "other.eval.yaml": OTHER}, "--evals-filter=category=refunds", "--evals-filter=suite=shop")
    assert ids(ran) == ["a", "b"]
    if not project.args:  # a controller of xdist is not told
        assert ran.counts()["deselected"] == 3
    assert {suite["name"]: (suite["defined"], suite["selected"]) for suite in ran.report["suites"]} == {
        "shop": (4, 2),
        "other": (1, 0),
    }
    assert ran.report["selection"] == "category=refunds, suite=shop"
    assert "selected   2 of 5 cases, category=refunds, suite=shop" in ran.out


def test_gates_over_a_selection_say_so(project):
    ran = project(FILES, "--evals-filter=category=refunds")
    over, slow = ran.report["gates"]
    assert (over["verdict"], over["observed"], over["cases"], over["left_out"]) == ("held", 0.5, 2, 2)
    assert (slow["verdict"], slow["left_out"]) == ("not asked", 1)
    assert re.search(r"pass_rate >= 50% +50.0% +2 of 4  held, nothing to spare", ran.out)
    assert "the other cases of these gates were not selected" in ran.out
    broken = project.run("--evals-filter=id=b")
    assert "pass_rate >= 50%: broken, 0% over 1 case, 50.0 pp too little, 3 more not selected" in broken.out
    whole = project.run()
    assert [gate["left_out"] for gate in whole.report["gates"]] == [0, 0]
    assert "not selected" not in whole.out


def test_a_sample_is_the_same_alone_and_with_workers(project):
    many = "\n".join(f"  - {{id: c{n}, input: x, criteria: [exact_match: x]}}" for n in range(60))
    ran = project({"many.eval.yaml": f"target: echo\ncases:\n{many}\n"}, "--evals-sample=7", "--evals-seed=3")
    # drawn once and written down: the same on every machine
    assert ids(ran) == ["c20", "c27", "c36", "c50", "c52", "c53", "c56"]
    assert "7 of 60 cases, a sample of 7 (seed 3)" in ran.out


def test_the_first_are_chosen_after_k_and_whatever_the_order(alone):
    assert ids(alone(FILES, "--evals-first=2")) == ["a", "b"]
    assert ids(alone.run("--evals-first=1", "-k", "c or d")) == ["c"]
    alone.write({"conftest.py": "def pytest_collection_modifyitems(items): items.reverse()\n"})
    assert ids(alone.run("--evals-first=2")) == ["a", "b"]


def test_with_lf_the_first_of_those_that_failed_are_run(alone):
    alone(FILES)
    assert ids(alone.run("--lf")) == ["b", "d"]
    assert ids(alone.run("--lf", "--evals-first=1")) == ["b"]


def test_ordinary_tests_are_left_alone(alone):
    ran = alone({**FILES, "test_it.py": "def test_it(): pass\n"}, "--evals-filter=id=a")
    assert ran.counts() == {"passed": 2, "deselected": 3}


def test_variants_are_selected_together_or_by_their_name(alone):
    suite = SUITE + "variants: [{id: small}, {id: large}]\n"
    ran = alone({"shop.eval.yaml": suite}, "--evals-first=1")
    assert [(case["id"], case["variant"]) for case in ran.report["cases"]] == [("a", "small"), ("a", "large")]
    ran = alone.run("--evals-filter=variant=large", "--evals-filter=id=a")
    assert [(case["id"], case["variant"]) for case in ran.report["cases"]] == [("a", "large")]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--evals-filter=categroy=x", "--evals-filter: unknown key 'categroy'; did you mean 'category'?"),
        ("--evals-first=0", "--evals-first: at least 1 case must be selected"),
        ("--evals-sample=x", "--evals-sample: 'x' is not a whole number"),
        ("--evals-seed=1", "--evals-seed: it is the seed of a sample; add --evals-sample N"),
        ("--evals-from=last", "--evals-from: write RUN:failed|errored|missed|changed|flaky"),
        ("--evals-from=last:failed", "--evals-from: there is no history yet at"),
    ],
)
def test_what_cannot_be_selected_ends_the_session_at_its_start(project, option, said):
    ran = project(FILES, option)
    assert ran.status == 4
    assert said in ran.out
    assert "Traceback" not in ran.out


def test_a_selection_of_nothing_is_no_pass_and_says_why(project):
    ran = project(FILES, "--evals-filter=category=refund", "--evals-filter=id=a")
    assert ran.status == 5
    assert "none of 4 cases in 1 suite was selected" in ran.out
    assert "  selected   0 of 4 cases, no case has category=refund; did you mean 'refunds'?" in ran.out
    ran = project.run("--evals-filter=category=refunds", "--evals-filter=id=c", "-v")
    assert "  selected   0 of 4 cases, category=refunds, id=c" in ran.out


FLAKY = """
import pathlib

def answer(question):
    file = pathlib.Path("answers.txt")
    return file.read_text() if file.exists() else "yes"
"""
PAST = """
suite: past
target: bot.py:answer
gates: [pass_rate(tag=loose) >= 0%]
defaults: {criteria: [contains], retries: 0}
cases:
  - {id: good, input: q, expected_output: 'yes'}
  - {id: bad, input: q, expected_output: 'no'}
  - {id: loose, tags: [loose], input: q, expected_output: 'no'}
  - {id: broken, input: q, inherit_criteria: false, criteria: [python: 'bot.py:nothing']}
"""


def test_cases_of_a_run_are_run_again(project):
    suite = PAST.replace("python: 'bot.py:nothing'", "python: 'checks.py:broken'")
    files = {"bot.py": FLAKY, "checks.py": "def broken(actual):\n    1 / 0\n", "past.eval.yaml": suite}
    project(files)
    for words, expected in (
        ("failed", ["bad"]),
        ("missed", ["loose"]),
        ("errored", ["broken"]),
        ("failed,errored", ["bad", "broken"]),
    ):
        ran = project.run(f"--evals-from=last:{words}", "--evals-run-name=again", "--evals-no-history")
        assert ids(ran) == expected, words
    assert "failed or errored in run" in ran.out


def test_changed_and_new_cases_are_run(project):
    project({"shop.eval.yaml": SUITE})
    changed = SUITE.replace("id: b, category: refunds, metadata: {ticket: 12}, input: no", "id: b, input: nope")
    changed += "  - {id: e, input: yes, expected_output: yes}\n"
    ran = project({"shop.eval.yaml": changed}, "--evals-from=last:changed")
    assert ids(ran) == ["b", "e"]


def test_flaky_cases_are_those_that_passed_and_failed_when_asked_the_same(alone):
    suite = PAST.partition("  - {id: loose")[0].replace("gates:", "x-gates:")
    alone({"bot.py": FLAKY, "past.eval.yaml": suite})
    assert ids(alone.run("--evals-from=last:flaky", "--evals-no-history")) == []
    alone({"answers.txt": "no"})
    assert ids(alone.run("--evals-from=last:flaky", "--evals-no-history")) == ["good", "bad"]
    # asked something else since: what was before does not count
    alone({"past.eval.yaml": suite.replace("id: bad, input: q", "id: bad, input: q2")})
    assert ids(alone.run("--evals-from=last:flaky", "--evals-no-history")) == ["good"]


def test_a_run_that_is_not_there_is_one_line(alone):
    alone(FILES)
    ran = alone.run("--evals-from=zzzz:failed")
    assert ran.status == 4
    assert "--evals-from: there is no run 'zzzz'" in ran.out


def test_the_selection_is_kept_with_the_run(alone):
    alone(FILES, "--evals-filter=category=hours")
    from pytest_evals.store.connect import reading
    from pytest_evals.store.location import locate
    from pytest_evals.store.runs import find_run

    with reading(locate(None, alone.pytester.path)) as connection:
        run = find_run(connection, "last")
    assert (run.defined_cases, run.selected_cases) == (4, 2)
    assert run.params["selection"] == "category=hours"
    assert run.params["settings"]["filter"] == ["category=hours"]
