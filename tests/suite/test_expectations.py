"""A scorer that compares needs something to compare with."""

from __future__ import annotations

import pytest

from .conftest import only


@pytest.mark.parametrize(
    ("criterion", "said"),
    [
        (
            "contains",
            "needs expected_output or reference_outputs; add it to the case, or name it here: 'contains: …'",
        ),
        ("exact_match", "criterion 'exact_match' needs expected_output or reference_outputs"),
        ("levenshtein", "criterion 'levenshtein' needs expected_output; add it to the case"),
        ("tool_calls", "criterion 'tool_calls' needs expected_tool_calls; add it to the case"),
        ("contains: {case_sensitive: true}", "criterion 'contains' needs"),
        ("contains: {name: polite}", "criterion 'polite' needs"),
        ("{not: contains}", "criterion 'contains' needs"),
        ("{any_of: [own, {all_of: [levenshtein]}]}", "criterion 'levenshtein' needs expected_output"),
    ],
)
def test_a_missing_expectation_is_an_error_at_the_criterion(read, criterion, said):
    problem = only(read.wrong_case(f"criteria: [{criterion}]"))
    assert said in problem
    assert problem.startswith("4:")


@pytest.mark.parametrize(
    ("criterion", "expectation"),
    [
        ("contains", "expected_output: yes"),
        ("contains", "expected_output: {a: 1}"),
        ("contains", "expected_output: 0"),
        ("contains", "reference_outputs: [yes]"),
        ("contains: yes", "context: nothing expected"),
        ("contains_any: [a]", "context: nothing expected"),
        ("exact_match", 'expected_output: ""'),
        ("exact_match", "reference_outputs: ['']"),
        ("levenshtein", 'expected_output: ""'),
        ("tool_calls", "expected_tool_calls: []"),
        ("tool_calls", "expected_tool_calls: [{name: search}]"),
        ("own", "context: nothing expected"),
    ],
)
def test_an_expectation_of_any_kind_will_do(read, criterion, expectation):
    assert read.wrong_case(f"criteria: [{criterion}]\n{expectation}") == []


@pytest.mark.parametrize(
    "nothing", ["expected_output: ~", "expected_output:", "reference_outputs: []", "expected_tool_calls: ~"]
)
def test_nothing_is_no_expectation(read, nothing):
    criterion = "tool_calls" if "tool" in nothing else "contains"
    assert "needs" in only(read.wrong_case(f"criteria: [{criterion}]\n{nothing}"))


@pytest.mark.parametrize(
    ("expectation", "field"),
    [
        ('expected_output: ""', "expected_output"),
        ("expected_output: ''", "expected_output"),
        ("reference_outputs: ['']", "reference_outputs"),
        ("reference_outputs: [a, '']", "reference_outputs"),
        ("expected_output: a\nreference_outputs: [b, '']", "reference_outputs"),
    ],
)
@pytest.mark.parametrize("criterion", ["contains", "contains_any", "not: contains"])
def test_S01_an_empty_expectation_that_every_answer_holds_is_refused(read, criterion, expectation, field):
    problem = only(read.wrong_case(f"criteria: [{criterion}]\n{expectation}"))
    assert f"{field} is an empty text, which tells no answer from another" in problem


def test_an_inherited_criterion_is_missed_where_the_case_stands(read):
    text = """\
    target: echo
    defaults: {criteria: [contains, own]}
    cases:
      - {id: a, input: q, expected_output: x}
      - {id: b, input: q}
      - {id: c, input: q, criteria: [levenshtein]}
    """
    problems = read.wrong(text)
    assert [problem.partition(" needs")[0] for problem in problems] == [
        "5:5: criterion 'contains'",
        "6:5: criterion 'contains'",
        "6:34: criterion 'levenshtein'",
    ]


def test_an_expectation_in_the_defaults_is_one_for_all(read):
    text = (
        "target: echo\ndefaults: {expected_output: x, criteria: [contains]}\ncases: [{input: q}, {input: r, id: r}]\n"
    )
    assert [case.expected_output for case in read(text).cases] == ["x", "x"]
