"""``--evals-explain``: how a case will run, and that nothing is run."""

from __future__ import annotations

import pytest

CONFTEST = """
import pathlib, pytest
@pytest.fixture(scope="session")
def shared():
    pathlib.Path("set-up").write_text("")
    return lambda question: question
@pytest.fixture
def client(): pathlib.Path("set-up").write_text("")
@pytest.fixture
def bot(client): return lambda question: question
@pytest.fixture
def tone_scorer(): return lambda actual: 1.0
"""

SHARED = """
suite: shared
target: {fixture: shared}
gates: ['pass_rate >= 90%']
cases:
  - {id: refund-window, name: Refund window, input: x, criteria: [contains: x], timeout: 90s, retries: 0}
  - {id: opening-hours, input: x, criteria: [tone], timeout: 0, skip: not now}
  - {id: "odd[1]", input: x, expected_output: x, criteria: [contains], xfail: known}
"""

OWN = """
suite: own
target: {fixture: bot}
defaults: {threshold: 0.8, warn: 0.5}
cases:
  - id: weighted
    input: x
    expected_output: x
    criteria:
      - tone
      - levenshtein: {weight: 2, threshold: 0.5}
      - not: {contains: y}
  - id: unset
    input: x
    expected_output: x
    criteria: [contains, {any_of: [{contains: y}, levenshtein]}]
    threshold: unset
"""

MARKS = """
target: echo
cases:
  - id: marks
    input: x
    expected_output: x
    criteria:
      - contains
      - levenshtein
      - tone
      - all_of: [{contains: x}, levenshtein]
      - {scorer: contains, name: words}
"""


@pytest.fixture
def files():
    named = {"shared": SHARED, "own": OWN, "marks": MARKS}
    return {"conftest.py": CONFTEST, "test_a.py": "def test_a(): 1 / 0\n"} | {
        f"evals/{name}.eval.yaml": text for name, text in named.items()
    }


def facts(out, node_id):
    """What is said of a case: a list of values by label."""
    lines = out.splitlines()
    found: dict[str, list[str]] = {}
    label = ""
    for line in lines[lines.index(node_id) + 1 :]:
        if not line.startswith("  "):
            break
        label = line[2:11].strip() or label
        found.setdefault(label, []).append(line[13:])
    return found


def test_a_case_is_explained_and_nothing_is_run(project, files):
    ran = project(files, "--evals-explain=refund-window", "--evals-concurrency=8")
    assert ran.status == 0
    assert facts(ran.out, "evals/shared.eval.yaml::refund-window") == {
        "defined": ["evals/shared.eval.yaml:6"],
        "name": ["Refund window"],
        "target": ["fixture: shared"],
        "runs": ["ahead of its turn, with at most 8 calls in flight in a process"],
        "timeout": ["1 min 30 s an attempt"],
        "retries": ["none"],
        "threshold": ["none: every criterion must reach its mark"],
        "a miss": ["does not fail the session: a pass_rate gate of the suite decides"],
        "criteria": ["contains, mark 1"],
    }
    assert ran.report == {}
    assert not (ran.path / "set-up").exists()
    assert not (ran.path / ".evals").exists()
    assert "opening-hours" not in ran.out


def test_it_says_why_a_call_waits_for_its_turn(alone, files):
    ran = alone(files, "--evals-explain=*")
    assert facts(ran.out, "evals/own.eval.yaml::weighted")["runs"] == [
        "in its turn: it uses fixture 'bot' of function scope"
    ]
    assert facts(ran.out, "evals/marks.eval.yaml::marks")["runs"] == ["in its turn: its target answers at once"]
    assert facts(ran.out, "evals/shared.eval.yaml::opening-hours")["runs"] == ["not at all: it is skipped (not now)"]
    assert facts(ran.out, "evals/shared.eval.yaml::opening-hours")["timeout"] == ["none"]
    assert facts(ran.out, "evals/shared.eval.yaml::odd(1)")["xfail"] == ["known"]
    assert ran.out.count("  defined    ") == 6
    ran = alone.run("--evals-explain=odd*", "--evals-concurrency=1")
    assert facts(ran.out, "evals/shared.eval.yaml::odd(1)")["runs"] == ["in its turn: one call at a time was asked for"]


def test_it_tells_what_each_criterion_must_reach(alone, files):
    ran = alone(files, "--evals-explain=*")
    weighted = facts(ran.out, "evals/own.eval.yaml::weighted")
    assert weighted["threshold"] == ["0.80, to be reached by the weighted mean; warned from 0.50 on"]
    assert weighted["criteria"] == [
        "tone, no mark of its own, weight 1",
        "levenshtein, mark 0.50, weight 2",
        "not_contains: not (contains), no mark of its own, weight 1",
    ]
    assert facts(ran.out, "evals/own.eval.yaml::unset")["criteria"] == ["contains", "any_of (contains, levenshtein)"]
    assert facts(ran.out, "evals/marks.eval.yaml::marks")["criteria"] == [
        "contains, mark 1",
        "levenshtein, mark 0.70",
        "tone, mark 1 if it answers yes or no, 0.70 if it grades",
        "all_of (contains, levenshtein), mark 0.70",
        "words (contains), mark 1",
    ]


@pytest.mark.parametrize(
    "wanted",
    ["odd[1]", "odd(1)", "evals/shared.eval.yaml::odd(1)", "*shared*::odd*", "o?d*"],
)
def test_a_case_is_named_by_id_node_id_or_glob(alone, files, wanted):
    ran = alone(files, f"--evals-explain={wanted}")
    assert "evals/shared.eval.yaml::odd(1)" in ran.result.outlines
    assert ran.out.count("  defined    ") == 1


def test_node_ids_may_start_where_pytest_was_started(alone, files, monkeypatch):
    alone.write({**files, "pytest.ini": "[pytest]\n"})
    monkeypatch.chdir(alone.pytester.path / "evals")
    ran = alone.run("--evals-explain=shared.eval.yaml::refund-window", "shared.eval.yaml")
    assert "evals/shared.eval.yaml::refund-window" in ran.result.outlines


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("refund-windw", "no selected case is 'refund-windw'; did you mean 'refund-window'?"),
        ("zzz", "no selected case is 'zzz'"),
        ("test_a", "no selected case is 'test_a'"),
    ],
)
def test_an_unknown_case_is_a_usage_error_of_one_line(project, files, wanted, said):
    ran = project(files, f"--evals-explain={wanted}")
    assert ran.status == 4
    assert [line for line in ran.out.splitlines() if "ERROR" in line] == [f"ERROR: --evals-explain: {said}"]


def test_an_unreadable_suite_is_2(project, files):
    ran = project({**files, "bad.eval.yaml": "cases: [{id: a}]\n"}, "--evals-explain=*")
    assert ran.status == 2


def test_hostile_names_are_shown_escaped(alone):
    case = '{id: "a\\e[31mred", name: "two\\nlines\\e[0m", input: x, criteria: [{contains: x}]}'
    ran = alone({"s.eval.yaml": f"target: echo\ncases:\n  - {case}\n"}, "--evals-explain=*")
    assert ran.status == 0
    assert "\x1b" not in ran.out
    assert "two lines" in ran.out
