"""Options of the scorers that are known are checked; those of others are any JSON values."""

from __future__ import annotations

import pytest

from pytest_evals.model.criterion import Option, ScorerSpec

from .conftest import SPECS, only


def wrong(read, criterion: str, **options):
    return read.wrong_case(f"expected_output: x\ncriteria: [{criterion}]", **options)


@pytest.mark.parametrize(
    ("criterion", "said"),
    [
        (
            "{contains: {ignore_case: true}}",
            "unknown option of contains 'ignore_case'; there are expected, case_sensitive, name,",
        ),
        (
            "{contains: {case_sensitve: true}}",
            "unknown option of contains 'case_sensitve'; did you mean 'case_sensitive'?",
        ),
        ("{scorer: contains, expect: x}", "unknown option of contains 'expect'; did you mean 'expected'?"),
        ("{levenshtein: {k: 1}}", "unknown option of levenshtein 'k'; there are name, weight, threshold, description"),
        ("{contains: {case_sensitive: yes}}", "case_sensitive must be true or false, not the text 'yes'"),
        ("{contains: {case_sensitive: 1}}", "case_sensitive must be true or false, not 1"),
        ("{contains: {case_sensitive: ~}}", "case_sensitive must be true or false, not nothing"),
        ("{contains: {expected: ~}}", "expected is blank; give a text ('\"\"' for the empty one) or leave it out"),
        ("{contains: {expected: [a]}}", "expected must be text, not a list"),
        ("{contains: [a]}", "contains must be text, not a list"),
        ("{contains_any: [a, {b: c}]}", "each of contains_any must be text, not a mapping"),
        ("{contains_any: [a, ~]}", "an empty place in contains_any"),
        ("{contains_any: {expected: [a, ~]}}", "an empty place in expected"),
        ("{length: {min: 1.5}}", "min must be a whole number of at least 0, not 1.5"),
        ("{length: {max: -1}}", "max must be a whole number of at least 0, not -1"),
        ("{length: {max: many}}", "max must be a whole number of at least 0, not the text 'many'"),
        ("{regex: {pattern: a, time_limit: 0}}", "time_limit must be a number from 0.001 to 60, not 0"),
        ("{regex: {pattern: a, time_limit: '1'}}", "not the text '1'; remove the quotes"),
        ("{regex: {pattern: a, mode: match}}", "mode must be one of search, fullmatch, not the text 'match'"),
        ("{regex: {pattern: a, mode: [search]}}", "mode must be one of search, fullmatch, not a list"),
        ("regex", "regex needs the option 'pattern': write regex: {pattern: …}"),
        ("{regex: }", "regex needs the option 'pattern'"),
        ("{regex: {mode: search}}", "regex needs the option 'pattern'"),
        ("{regex: '(a'}", "regex: the pattern is no regular expression: missing ), unterminated subpattern"),
        ("{regex: {pattern: '(a'}}", "regex: the pattern is no regular expression"),
        ("{not: {regex: '(a'}}", "regex: the pattern is no regular expression"),
        ("length", "length: give min, max or both"),
        ("{length: {weight: 2}}", "length: give min, max or both"),
        (
            "{levenshtein: near}",
            "levenshtein takes no bare value, here the text 'near'; it has no options: write the bare name",
        ),
        ("{length: 5}", "length takes no bare value, here 5; its options are min, max"),
        ("{json_schema: {schema: {n: .nan}}}", "not a number that JSON can hold"),
    ],
)
def test_what_is_wrong_with_an_option(read, criterion, said):
    assert said in only(wrong(read, criterion))


@pytest.mark.parametrize(
    "criterion",
    [
        "{contains: ''}",
        "{contains: {expected: ''}}",
        "{contains_any: []}",
        "{contains_any: ['']}",
        "{contains_any: [a, '']}",
        "{regex: ''}",
        "{scorer: contains, expected: ''}",
    ],
)
def test_S01_an_empty_text_that_every_answer_holds_is_refused(read, criterion):
    problem = only(wrong(read, criterion))
    assert "empty" in problem
    assert problem.startswith("5:")


def test_S01_an_empty_text_may_be_asked_for_where_it_means_something(read):
    (criterion,) = read.case("criteria: [exact_match: '']").criteria
    assert criterion.options == {"expected": ""}


def test_every_wrong_option_is_reported_but_not_what_follows_from_it(read):
    problems = wrong(read, "{regex: {patern: a, mode: b, time_limit: c}}")
    assert [problem.split(": ")[0] for problem in problems] == ["5:23", "5:34", "5:43"]


def test_a_wrong_main_option_does_not_make_the_expectation_missing(read):
    assert "must be text, not a list" in only(read.wrong_case("criteria: [contains: [a]]"))


def test_further_checks_see_the_options_as_python_values(read):
    seen = []
    kinds = ("text", "texts", "number", "integer", "boolean", "json")
    spec = ScorerSpec(
        "all_kinds",
        "",
        graded=True,
        options=tuple(Option(kind, kind, "") for kind in kinds),
        check=lambda options: seen.append(options) or [],
    )
    read.case(
        "criteria: [all_kinds: {text: 0123, texts: [no, 1], number: 1.5, integer: 2, boolean: true, json: {a: no}}]",
        specs={"all_kinds": spec},
    )
    assert seen == [
        {"text": "0123", "texts": ["no", "1"], "number": 1.5, "integer": 2, "boolean": True, "json": {"a": "no"}}
    ]
    assert {type(value) for value in seen[0].values()} == {str, list, float, int, bool, dict}


def test_a_scorer_that_is_not_known_is_left_to_the_project(read):
    (criterion,) = read.case("criteria: [contians: {anything: {goes: [1]}}]").criteria
    assert criterion.options == {"anything": {"goes": [1]}}
    assert "contians" not in SPECS
