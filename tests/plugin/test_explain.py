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


def facts(out, node_id, part=0):
    """What is said of a case: a list of values by label; of where they come from with ``part`` 1."""
    lines = out.splitlines()
    found: dict[str, list[str]] = {}
    label = ""
    for line in lines[lines.index(node_id) + 1 :]:
        if not line.startswith("  "):
            break
        if line[13:].startswith("← "):  # no room beside the value
            found[label][-1] = line[15:] if part else found[label][-1]
            continue
        label = line[2:11].strip() or label
        found.setdefault(label, []).append([*line[13:].split("  ← "), ""][part])
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
    assert weighted["threshold"] == ["0.80, to be reached by the weighted mean"]
    assert weighted["warn"] == ["from 0.50 on"]
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


LAYERS = {
    "evals.defaults.yaml": "defaults: {timeout: 5s, tags: [all], category: shop}\n",
    "evals/included.yaml": "defaults: {retries: 3}\n",
    "evals/layers.eval.yaml": """
include: [included.yaml]
target: {fixture: shared}
defaults: {threshold: 0.8, tags: [some], criteria: [contains], metadata: {team: web}}
cases:
  - id: one
    input: x
    expected_output: x
    tags: [own]
    warn: 0.5
    vars: {}
    criteria: [levenshtein]
  - {id: two, input: x, expected_output: x, timeout: 1s}
""",
}


def test_it_tells_where_each_setting_comes_from(project, files):
    ran = project({**files, **LAYERS}, "--evals-explain=one", "--evals-trials=4", "-o", "evals_pass_if=any")
    values = facts(ran.out, "evals/layers.eval.yaml::one")
    origins = facts(ran.out, "evals/layers.eval.yaml::one", 1)
    suite = "evals/layers.eval.yaml"
    said = {label: list(zip(values[label], origins[label], strict=True)) for label in values}
    assert said["target"] == [("fixture: shared", f"{suite}:3")]
    assert said["timeout"] == [("5.00 s an attempt", "defaults of evals.defaults.yaml")]
    assert said["retries"] == [("3, after an error or a timeout", "defaults of evals/included.yaml")]
    assert said["threshold"] == [("0.80, to be reached by the weighted mean", f"defaults of {suite}")]
    assert said["warn"] == [("from 0.50 on", "the case")]
    assert said["trials"] == [("4, of which one must pass", "--evals-trials")]
    assert said["criteria"] == [
        ("contains, no mark of its own", f"{suite}:4"),
        ("levenshtein, no mark of its own", f"{suite}:12"),
    ]
    assert said["category"] == [("shop", "defaults of evals.defaults.yaml")]
    assert said["tags"] == [("all, some, own", f"the case, defaults of evals.defaults.yaml, {suite}")]
    assert said["metadata"] == [('{"team": "web"}', f"defaults of {suite}")]


def test_it_tells_which_flag_or_ini_key_a_setting_comes_from(alone, files, monkeypatch):
    monkeypatch.setenv("PYTEST_EVALS_RETRIES", "2")
    ran = alone(files, "--evals-explain=opening-hours", "--evals-threshold=0.5", "-o", "evals_timeout=3s")
    origins = facts(ran.out, "evals/shared.eval.yaml::opening-hours", 1)
    assert (origins["timeout"], origins["retries"], origins["threshold"]) == (
        ["the case"],
        ["PYTEST_EVALS_RETRIES"],
        ["--evals-threshold"],
    )
    ran = alone.run("--evals-explain=weighted", "-o", "evals_timeout=3s")
    origins = facts(ran.out, "evals/own.eval.yaml::weighted", 1)
    assert (origins["timeout"], origins["retries"]) == (["evals_timeout"], ["PYTEST_EVALS_RETRIES"])
    monkeypatch.delenv("PYTEST_EVALS_RETRIES")
    origins = facts(alone.run("--evals-explain=weighted").out, "evals/own.eval.yaml::weighted", 1)
    assert origins["retries"] == ["default"]
