"""Cases are selected, ordered and stopped as tests are."""

from __future__ import annotations

import pytest

BOT = """
import os, pathlib
def answer(question):
    with open(os.environ["CALLS"], "a") as file: file.write(question + "\\n")
    return question
"""

SUITE = """
suite: s
target: bot.py:answer
defaults: {criteria: [exact_match]}
cases:
  - {id: one, input: a, expected_output: a, tags: [smoke]}
  - {id: two, input: b, expected_output: wrong, category: hard}
  - {id: three, input: c, expected_output: c, tags: [smoke, slow]}
  - {id: four, input: d, expected_output: wrong too}
"""


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """The questions the target was asked."""
    path = tmp_path / "calls.txt"
    monkeypatch.setenv("CALLS", str(path))

    def read() -> list[str]:
        found = path.read_text().split() if path.exists() else []
        path.unlink(missing_ok=True)
        return sorted(found)

    return read


@pytest.mark.parametrize(
    ("args", "ran"),
    [
        (["-k", "one or two"], ["one", "two"]),
        (["-m", "smoke"], ["one", "three"]),
        (["-m", "smoke and not slow"], ["one"]),
        (["--deselect", "s.eval.yaml::two", "--deselect", "s.eval.yaml::four"], ["one", "three"]),
        (["s.eval.yaml::three"], ["three"]),
    ],
    ids=["k", "m", "m-not", "deselect", "node-id"],
)
def test_what_is_not_selected_is_never_called(project, calls, args, ran):
    outcome = project({"bot.py": BOT, "s.eval.yaml": SUITE}, *args)
    assert sorted(outcome.outcomes) == sorted(ran)
    letter = {"one": "a", "two": "b", "three": "c", "four": "d"}
    assert calls() == sorted(letter[case] for case in ran)
    assert outcome.report["suites"][0]["defined"] == 4
    assert outcome.report["suites"][0]["selected"] == len(ran)


def test_nothing_selected_is_never_green(project, calls):
    ran = project({"bot.py": BOT, "s.eval.yaml": SUITE}, "-k", "nothing")
    assert ran.status == 5
    assert calls() == []


def test_not_evals_deselects_every_case(project, calls):
    files = {"bot.py": BOT, "s.eval.yaml": SUITE + "gates: ['pass_rate >= 90%']\n", "test_a.py": "def test_a(): pass\n"}
    ran = project(files, "-m", "not evals")
    assert (ran.status, ran.counts()["passed"], calls()) == (0, 1, [])
    assert "no case" in ran.out


def test_lf_runs_the_failures_and_ff_runs_them_first(project, calls):
    project({"bot.py": BOT, "s.eval.yaml": SUITE})
    calls()
    assert sorted(project.run("--lf").outcomes) == ["four", "two"]
    assert calls() == ["b", "d"]
    assert len(project.run("--ff").outcomes) == 4


def test_stepwise_stops_at_the_first_failure_and_goes_on_from_there(alone, calls):
    first = alone({"bot.py": BOT, "s.eval.yaml": SUITE}, "--sw")
    assert first.outcomes == {"one": "passed", "two": "failed"}
    again = alone.run("--sw", "--sw-skip")
    assert again.outcomes == {"two": "failed", "three": "passed", "four": "failed"}


def test_x_stops_after_the_first_failure_with_status_1(project, calls):
    ran = project({"bot.py": BOT, "s.eval.yaml": SUITE + "gates: ['score.mean >= 0.1']\n"}, "-x")
    assert ran.status == 1
    assert ran.outcomes["two"] == "failed"
    assert ran.report["gates"][0]["verdict"] == "undecided"
    assert "stopping after" in ran.report["stopped"]


def test_maxfail_counts_cases(alone, calls):
    assert len(alone({"bot.py": BOT, "s.eval.yaml": SUITE}, "--maxfail=2").outcomes) == 4
    assert len(alone.run("--maxfail=1").outcomes) == 2


@pytest.mark.parametrize("flag", ["--collect-only", "--setup-only", "--setup-plan"])
def test_looking_is_not_running(project, calls, flag):
    suite = SUITE + "gates: ['pass_rate >= 90%']\n"
    ran = project({"bot.py": BOT, "s.eval.yaml": suite}, flag)
    assert ran.status == 0
    assert calls() == []
    assert ran.report == {}
    assert "gate[" not in ran.out


def test_collect_only_lists_the_cases(alone):
    ran = alone({"bot.py": BOT, "s.eval.yaml": SUITE}, "--collect-only", "-q")
    assert [line for line in ran.result.outlines if "::" in line] == [
        "s.eval.yaml::one", "s.eval.yaml::two", "s.eval.yaml::three", "s.eval.yaml::four",
    ]  # fmt: skip


def test_durations_show_the_time_of_the_target(project):
    bot = "import time\ndef answer(q): time.sleep(0.3); return q\n"
    suite = "target: bot.py:answer\ncases: [{id: one, input: a, expected_output: a, criteria: [exact_match]}]\n"
    ran = project({"bot.py": bot, "s.eval.yaml": suite}, "--durations=3", "-vv")
    assert any("call" in line and "s.eval.yaml::one" in line and line.startswith("0.3") for line in ran.result.outlines)


def test_parametrised_target_fixtures_give_variants(project):
    conftest = """
import pytest
@pytest.fixture(params=["loud", "quiet"], scope="module")
def bot(request): return lambda q: q.upper() if request.param == "loud" else q
"""
    suite = """
target: {fixture: bot}
defaults: {criteria: [{exact_match: {case_sensitive: true}}]}
cases: [{id: a, input: hi, expected_output: hi}, {id: b, input: ho, expected_output: ho}]
"""
    ran = project({"conftest.py": conftest, "s.eval.yaml": suite})
    found = {(case["id"], case["variant"]): case["outcome"] for case in ran.report["cases"]}
    assert found == {
        ("a", "loud"): "failed", ("b", "loud"): "failed", ("a", "quiet"): "passed", ("b", "quiet"): "passed",
    }  # fmt: skip
    assert len(project.run("s.eval.yaml::a").report["cases"]) == 2
    assert len(project.run("s.eval.yaml::a[quiet]").report["cases"]) == 1


def test_scorers_are_added_and_overridden_by_fixtures(project):
    conftest = """
import pytest
@pytest.fixture
def shout_scorer():
    async def score(actual, options): return actual.isupper() == options.get("wanted", True)
    return score
@pytest.fixture
def contains_scorer(contains_scorer):
    def score(actual, expected, options):
        return contains_scorer(actual=actual.replace("-", ""), expected=expected, options=options)
    return score
"""
    suite = """
target: echo
cases:
  - {id: loud, input: HI, criteria: [shout]}
  - {id: calm, input: hi, criteria: [{shout: {wanted: false}}]}
  - {id: quiet, input: hi, criteria: [shout]}
  - {id: dashes, input: a-b-c, expected_output: abc, criteria: [contains]}
"""
    ran = project({"conftest.py": conftest, "s.eval.yaml": suite})
    assert ran.outcomes == {"loud": "passed", "calm": "passed", "quiet": "failed", "dashes": "passed"}
