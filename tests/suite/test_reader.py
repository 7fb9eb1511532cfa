"""A whole file: its keys, its name, and every mistake at once."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.model.case import ExperimentSpec
from pytest_evals.suite import RunDefaults, read_suite

from .conftest import SPECS, only

CASES = "cases: [{id: a, input: q, criteria: [own]}]\n"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("support.eval.yaml", "support"),
        ("support.eval.yml", "support"),
        ("support.v2.eval.yaml", "support.v2"),
        ("SUPPORT.EVAL.YAML", "SUPPORT"),
        ("support.yaml", "support"),
        ("größe und maß.eval.yaml", "größe und maß"),
        (".eval.yaml", ".eval.yaml"),
        ("support.cases", "support.cases"),
    ],
)
def test_the_name_of_a_suite_is_that_of_its_file(read, file, name):
    suite = read(f"target: echo\n{CASES}", file)
    assert (suite.name, suite.path.name) == (name, file)
    assert suite.cases[0].suite == name


@pytest.mark.parametrize(
    ("written", "name"), [("shop", "shop"), ("0123", "0123"), ("no", "no"), ("~", "a"), ("a b # said", "a b")]
)
def test_the_name_of_a_suite_can_be_given(read, written, name):
    assert read(f"suite: {written}\ntarget: echo\n{CASES}").name == name


def test_a_blank_name_is_refused(read):
    assert only(read.wrong(f"suite: ' '\ntarget: echo\n{CASES}")) == (
        "1:1: suite is blank; give a text or leave the key out"
    )


def test_the_description_is_text(read):
    assert read(f"description: 2024-01-05\ntarget: echo\n{CASES}").description == "2024-01-05"
    assert read(f"description:\ntarget: echo\n{CASES}").description == ""
    assert "description must be text, not a list" in only(read.wrong(f"description: [a]\ntarget: echo\n{CASES}"))


@pytest.mark.parametrize(
    ("written", "experiment"),
    [
        ("", ExperimentSpec()),
        ("~", ExperimentSpec("default", "", {})),
        ("support", ExperimentSpec("support")),
        ("0123", ExperimentSpec("0123")),
        ("{name: a}", ExperimentSpec("a")),
        ("{name: a, description: b, config: {n: 1, on: no}}", ExperimentSpec("a", "b", {"n": 1, "on": "no"})),
        ("{description: b}", ExperimentSpec("default", "b")),
        ("{name: a, description: ~, config: ~}", ExperimentSpec("a")),
    ],
)
def test_experiments(read, written, experiment):
    assert read(f"experiment: {written}\ntarget: echo\n{CASES}").experiment == experiment


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[a]", "experiment must be text, not a list"),
        ("''", "experiment is blank"),
        ("{nmae: a}", "unknown key 'nmae'; did you mean 'name'?"),
        ("{name: ''}", "name is blank"),
        ("{name: a, config: [1]}", "config must be a mapping, not a list"),
        ("{name: a, config: text}", "config must be a mapping, not the text 'text'"),
        ("{name: a, description: [x]}", "description must be text, not a list"),
    ],
)
def test_what_is_no_experiment(read, written, said):
    assert said in only(read.wrong(f"experiment: {written}\ntarget: echo\n{CASES}"))


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("case", "unknown key 'case'; did you mean 'cases'?"),
        ("targets", "did you mean 'target'?"),
        ("criteria", "unknown key 'criteria'; it belongs in a case or in 'defaults'"),
        ("timeout", "it belongs in a case or in 'defaults'"),
        ("x_free", "unknown key 'x_free'; there are suite, description, experiment, target, variants, matrix,"),
        ("varaints", "unknown key 'varaints'; did you mean 'variants'?"),
        ("jugde", "unknown key 'jugde'; did you mean 'judge'?"),
        ("X-free", "unknown key 'X-free'"),
    ],
)
def test_unknown_keys_of_a_file(read, key, said):
    assert said in only(read.wrong(f"target: echo\n{CASES}{key}: [1]\n"))


def test_keys_with_x_are_free(read):
    assert read.wrong(f"x-a: {{any: [thing]}}\nx-: 1\ntarget: echo\n{CASES}x-b: ~\n") == []


# --- nothing to run ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1: the file is empty; a suite file has a 'target' and 'cases'"),
        ("  \n\n", "1:1: the file is empty"),
        ("# only\n# comments\n", "1:1: the file has no content; a suite file has a 'target' and 'cases'"),
        ("---\n", "1:1: the file has no content"),
        ("~\n", "1:1: the file has no content"),
        ("\ufeff", "1:1: the file is empty"),
        ("target: echo\n", "1:1: the suite has no cases; add at least one under 'cases'"),
        ("target: echo\ncases:\n", "2:1: the suite has no cases"),
        ("target: echo\ncases: ~\n", "2:1: the suite has no cases"),
        ("target: echo\ncases: []\n", "2:1: the suite has no cases"),
        ("target: echo\ncases:\n  # - {id: a}\n", "2:1: the suite has no cases"),
        ("target: echo\ncases: {}\n", "2:1: cases must be a list, not a mapping; start each case with '- '"),
        ("target: echo\ncases: {id: a, input: q}\n", "2:1: cases must be a list, not a mapping"),
        ("target: echo\ncases: text\n", "2:1: cases must be a list, not the text 'text'"),
        ("- {id: a, input: q}\n", "1:1: a suite file has a 'target' and 'cases'; this one is a list"),
        ("just text\n", "1:1: a suite file has a 'target' and 'cases'; this one is the text 'just text'"),
        ("3\n", "this one is 3"),
    ],
)
def test_P09_a_file_without_cases_is_refused(read, text, said):
    problem = only(read.wrong(text))
    assert said in problem


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("null", "the file has no content"),
        ("[]", "this one is a list"),
        ('"a"', "the text 'a'"),
        ('{"target": "echo"}', "the suite has no cases"),
        ('{"target": "echo", "cases": null}', "the suite has no cases"),
        ('{"target": "echo", "cases": []}', "the suite has no cases"),
    ],
)
def test_P09_a_json_file_without_cases_is_refused(read, text, said):
    assert said in only(read.wrong(text, "a.eval.json"))


def test_P09_a_suite_without_cases_has_no_other_mistake_because_of_it(read):
    assert only(read.wrong("target: echo\ndefaults: {tags: [a]}\ngates: [pass_rate >= 1]\ncases: []\n"))


# --- every mistake at once --------------------------------------------------------------------------------------------


def test_every_mistake_of_a_file_in_its_order(read):
    problems = read.wrong(
        """\
        suite: ""
        targt: echo
        experiment: {nam: x}
        defaults:
          timeout: soon
          tags: [skip]
          criteria: [regex: '(']
        gates:
          - pass_rat >= 1
        cases:
          - id: a
            input: Fix #1
            expected: x
            criteria: [contains, own: {weight: -1}]
          - id: a
            id: b
            input: q
            threshold: 2
          - {id: a, input: *gone}
        """
    )
    assert problems == [
        "1:1: suite is blank; give a text or leave the key out",
        "1:1: the suite names no target; write 'package.module:callable', 'file.py:callable', 'echo',"
        " {fixture: name}, {responses: file}, {http: {url: …}}, {command: [program, …]} or {model: provider/name}",
        "2:1: unknown key 'targt'; did you mean 'target'?",
        "3:14: unknown key 'nam'; did you mean 'name'?",
        "5:3: timeout must be a duration such as 30s, 500ms or 2m (0 for no limit), not the text 'soon'",
        "6:10: tag 'skip' is a pytest marker that does something by itself; use the key 'skip'",
        "7:14: regex: the pattern is no regular expression: missing ), unterminated subpattern at position 0",
        "9:5: gate 'pass_rat >= 1': unknown metric 'pass_rat'; the metrics are pass_rate, score.mean,"
        " score.<criterion>.mean, latency.mean, latency.p50, latency.p95, latency.p99, cost.total, tokens.total, errors,"
        " flaky, regressions, judge.kappa; did you mean 'pass_rate'?",
        "12:5: the text ends at ' #', what follows is a comment; quote the text, or put the comment on its own line",
        "13:5: unknown key 'expected'; did you mean 'expected_output'?",
        "14:16: criterion 'contains' needs expected_output or reference_outputs; add it to the case, or name it here:"
        " 'contains: …'",
        "14:32: weight must be a number of at least 0, not -1",
        "15:5: duplicate id 'a', which the case in line 11 has; change one",
        "16:5: duplicate key 'id', which is also in line 15; remove one",
        "18:5: threshold must be a number from 0 to 1 or the word unset, not 2",
        "19:6: duplicate id 'a', which the case in line 11 has; change one",
        "19:20: unknown anchor '*gone'; define it with '&gone', or quote a text that starts with '*'"
        " (in single quotes)",
    ]


def test_problems_carry_their_places(read):
    with pytest.raises(SuiteError) as raised:
        read("target: echo\ncases: [{id: a, input: q, criteria: [own], x: 1}]\n")
    (problem,) = raised.value.problems
    assert (problem.place.path, problem.place.line, problem.place.column) == ("a.eval.yaml", 2, 44)


def test_thousands_of_mistakes_are_all_reported(read):
    text = "target: echo\ncases:\n" + "".join(f"- {{id: c{n}, input: q, criteria: [own], k: 1}}\n" for n in range(3000))
    assert len(read.wrong(text)) == 3000


def test_hostile_text_in_messages_stays_on_one_line(read):
    problems = read.wrong_case('"a\\x1b[31m\\nb": 1\nthreshold: "x\\ny"\ntags: ["a\\rb"]\ncriteria: ["c\\x00d"]')
    assert len(problems) == 4
    assert all(problem.isprintable() for problem in problems)


def test_long_texts_in_messages_are_cut(read):
    problems = read.wrong_case(f"{'k' * 900}: 1\nthreshold: {'t' * 5000}\ntags: [{'x y ' * 900}]")
    assert all(len(problem) < 400 for problem in problems)


# --- reading is cheap and leaves nothing behind -----------------------------------------------------------------------


def test_the_garbage_collector_is_as_it_was(read):
    assert gc.isenabled()
    read(f"target: echo\n{CASES}")
    read.wrong("x: [")
    assert gc.isenabled()
    gc.disable()
    try:
        read(f"target: echo\n{CASES}")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_door_is_cheap_to_open():
    script = (
        "import sys; import pytest_evals.suite; "
        "print([name for name in ('yaml', 'json', 'csv', 'pydantic', 'asyncio') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        timeout=60,
    )
    loaded = ran.stdout.strip()
    assert "yaml" not in loaded
    assert "pydantic" not in loaded
    assert "asyncio" not in loaded


def test_reading_takes_no_longer_for_each_case_when_there_are_many(read, tmp_path):
    # a bound on the order of growth, not on the machine: marks, ids and names are all looked up, never searched
    from time import process_time

    def cost(count: int) -> float:
        case = (
            "- {{id: c{0}, name: n{0}, input: q{0}, expected_output: x, tags: [t{0}], criteria: [contains, own: 1]}}\n"
        )
        path = tmp_path / f"{count}.eval.yaml"
        path.write_text("target: echo\ncases:\n" + "".join(case.format(n) for n in range(count)))
        best = min(_timed(process_time, path) for _ in range(3))
        return best / count

    assert cost(4000) < 4 * cost(400)


def _timed(clock, path):
    start = clock()
    read_suite(path, specs=SPECS)
    return clock() - start


def test_cases_are_read_the_same_in_any_order(read):
    lines = [f"- {{input: question {n}, criteria: [own], metadata: {{n: {n}}}}}" for n in range(50)]
    plain = {case.input: case.id for case in read("target: echo\ncases:\n" + "\n".join(lines) + "\n").cases}
    random.Random(7).shuffle(lines)
    shuffled = {case.input: case.id for case in read("target: echo\ncases:\n" + "\n".join(lines) + "\n").cases}
    assert plain == shuffled


def test_the_defaults_of_a_run_are_those_of_the_product():
    assert RunDefaults() == RunDefaults(threshold=None, warn=None, timeout_s=60.0, retries=1)
