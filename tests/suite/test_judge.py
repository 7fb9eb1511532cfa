"""The judge of a suite, and the criteria it answers."""

from __future__ import annotations

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.model.place import Problem
from pytest_evals.scoring import specs
from pytest_evals.suite import RunDefaults, judge_named

CASES = "cases:\n  - {id: a, input: q, criteria: [llm_judge]}\n  - {id: b, input: q, criteria: [{contains: x}]}\n"
SCORERS = specs()
DEFAULTS = RunDefaults(judge=judge_named("openai/gpt-5-mini", "here"))


def no_judge(judge, place):
    return () if judge else [Problem(place, "llm_judge needs a judge: write one")]


def test_the_cases_that_are_judged_know_their_judge(read):
    suite = read(
        f"target: echo\njudge: {{model: anthropic/m, temperature: 0, max_tokens: 500}}\n{CASES}", specs=SCORERS
    )
    judged, other = suite.cases
    [judge] = judged.judges
    assert (judge.name, judge.temperature, judge.max_tokens) == ("anthropic/m", 0, 500)
    assert other.judges == ()


def test_a_judge_can_be_its_name_alone(read):
    suite = read(f"target: echo\njudge: anthropic/m\n{CASES}", specs=SCORERS)
    assert suite.cases[0].judges[0].name == "anthropic/m"


def test_several_judges_are_a_list(read):
    text = f"target: echo\njudge: [a/b, {{model: c/d, temperature: 0}}, {{model: c/d, temperature: 1}}]\n{CASES}"
    judges = read(text, specs=SCORERS).cases[0].judges
    assert [(judge.name, judge.temperature) for judge in judges] == [("a/b", None), ("c/d", 0), ("c/d", 1)]


def test_each_of_several_judges_is_checked(read):
    seen = []
    text = f"target: echo\njudge: [a/b, c/d]\n{CASES}"
    read.wrong(text, specs=SCORERS, check_judge=lambda judge, place: seen.append(judge.name) or ())
    assert seen == ["a/b", "c/d"]


def test_the_judge_of_the_suite_goes_before_that_of_the_settings(read):
    own = read(f"target: echo\njudge: anthropic/m\n{CASES}", specs=SCORERS, defaults=DEFAULTS)
    assert own.cases[0].judges[0].name == "anthropic/m"
    given = read(f"target: echo\n{CASES}", specs=SCORERS, defaults=DEFAULTS)
    assert given.cases[0].judges[0].name == "openai/gpt-5-mini"


def test_judged_criteria_inside_others_have_a_judge_too(read):
    text = "target: echo\njudge: anthropic/m\ncases: [{input: q, criteria: [{not: {llm_judge: It is rude}}]}]\n"
    assert read(text, specs=SCORERS).cases[0].judges[0].name == "anthropic/m"


def test_no_judge_is_told_once_where_it_is_needed(read):
    wrong = read.wrong(f"target: echo\n{CASES}", specs=SCORERS, check_judge=no_judge)
    assert wrong == ["3:34: llm_judge needs a judge: write one"]
    assert read.wrong(f"target: echo\njudge: anthropic/m\n{CASES}", specs=SCORERS, check_judge=no_judge) == []


def test_a_suite_without_judged_criteria_needs_none(read):
    text = "target: echo\ncases: [{input: q, criteria: [{contains: x}]}]\n"
    assert read.wrong(text, specs=SCORERS, check_judge=no_judge) == []


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ("gpt-5", "'gpt-5' names no judge; write judge: provider/name or judge: {model: …}"),
        ("[]", "judge is an empty list; name a model, or leave it away"),
        ("[a/b, gpt-5]", "'gpt-5' names no judge; write judge: provider/name"),
        ("[a/b, {model: a/b}]", "the judge 'a/b' is there already, with the same settings"),
        ("[a/b, {modle: a/c}]", "unknown key of a judge 'modle'; did you mean 'model'?"),
        ("[[a/b]]", "judge must be text, not a list"),
        ("''", "judge is blank"),
        ("{modle: a/b}", "unknown key of a judge 'modle'; did you mean 'model'?"),
        ("{model: a/b, system: Be strict}", "unknown key of a judge 'system'"),
        ("{temperature: 0}", "a judge needs a 'model'"),
        ("{model: b}", "'b' names no model"),
        ("{model: a/b, api_key: sk-1}", "a key does not belong into a file"),
    ],
)
def test_a_judge_that_cannot_be_used_is_told(read, judge, message):
    assert any(message in line for line in read.wrong(f"target: echo\njudge: {judge}\n{CASES}", specs=SCORERS))


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        ("{scale: 1-7}", "scale must be one of 0-1, 1-5, 0-10, 1-10, yes/no, words"),
        ("{preset: safty}", "preset must be one of"),
        ("{rubric: x, preset: safety}", "preset and rubric each say what is judged"),
        ("{criteria: [{name: x, wieght: 1}]}", "criterion 1: unknown key 'wieght'; did you mean 'weight'?"),
        ("{error_score: 2}", "error_score"),
        ("{retries: -1}", "retries"),
        ("{rubrik: x}", "unknown option of llm_judge 'rubrik'; did you mean 'rubric'?"),
        ("{name: tone}", "criterion 'tone' does not say what is judged"),
        ("{preset: faithfulness}", "the preset faithfulness goes by the context; give one (context)"),
        ("{rubric: x, standalone: false}", "standalone is false, and there is nothing to compare with"),
        ("{preset: qa_rating, scale: 1-5}", "the preset qa_rating is judged in words; leave scale away"),
        ("{rubric: x, combine: mode}", "combine must be one of mean, median, majority"),
        ("{rubric: x, evidence: calls}", "evidence must be one of answer, tool_calls, trajectory"),
    ],
)
def test_options_are_checked_at_collection(read, criterion, message):
    text = f"target: echo\njudge: a/b\ncases: [{{input: q, criteria: [{{llm_judge: {criterion}}}]}}]\n"
    [line] = read.wrong(text, specs=SCORERS)
    assert message in line


@pytest.mark.parametrize("criterion", ["{name: tone, description: Calm}", "{name: tone, preset: default}", "Polite"])
def test_a_criterion_that_says_what_is_judged_is_read(read, criterion):
    text = f"target: echo\njudge: a/b\ncases: [{{input: q, criteria: [{{llm_judge: {criterion}}}]}}]\n"
    assert read.wrong(text, specs=SCORERS) == []


@pytest.mark.parametrize(
    "case",
    [
        "{input: q, context: c, criteria: [{llm_judge: {preset: faithfulness}}]}",
        "{input: q, expected_output: '', criteria: [{llm_judge: {rubric: x, standalone: false}}]}",
        "{input: q, reference_outputs: [r], criteria: [{llm_judge: {rubric: x, standalone: false}}]}",
    ],
)
def test_a_case_that_has_what_is_asked_for_is_read(read, case):
    assert read.wrong(f"target: echo\njudge: a/b\ncases: [{case}]\n", specs=SCORERS) == []


def test_a_setting_that_names_no_model_is_told():
    with pytest.raises(UsageError, match=r"--evals-judge-model: 'gpt-5' names no model; write provider/name"):
        judge_named("gpt-5", "--evals-judge-model")
