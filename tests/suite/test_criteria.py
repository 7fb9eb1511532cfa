"""Criteria in all their forms."""

from __future__ import annotations

import pytest

from .conftest import only


def criteria(read, written: str, more: str = ""):
    return read.case(f"criteria: {written}\nexpected_output: yes\n{more}").criteria


@pytest.mark.parametrize(
    ("written", "scorer", "options"),
    [
        ("contains", "contains", {}),
        ("'contains'", "contains", {}),
        ("contains: ", "contains", {}),
        ("{contains: {}}", "contains", {}),
        ("{contains: hello}", "contains", {"expected": "hello"}),
        ("{contains: 0123}", "contains", {"expected": "0123"}),
        ("{contains: ~}", "contains", {}),
        ("{contains_any: [a, 0123, no]}", "contains_any", {"expected": ["a", "0123", "no"]}),
        ("{contains_any: 23.50}", "contains_any", {"expected": "23.50"}),
        ("{regex: '(30|thirty) days'}", "regex", {"pattern": "(30|thirty) days"}),
        (
            "{regex: {pattern: a+, mode: fullmatch, time_limit: 2}}",
            "regex",
            {"pattern": "a+", "mode": "fullmatch", "time_limit": 2},
        ),
        ("{scorer: regex, pattern: a+}", "regex", {"pattern": "a+"}),
        ("{scorer: contains}", "contains", {}),
        ("{json_schema: {schema: {type: object, n: 1}}}", "json_schema", {"schema": {"type": "object", "n": 1}}),
        ("{json_schema: [a, 1]}", "json_schema", {"required": ["a", 1]}),
        ("own", "own", {}),
        ("{own: 5}", "own", {"value": 5}),
        ("{own: text}", "own", {"value": "text"}),
        ("{own: [1, no]}", "own", {"value": [1, "no"]}),
        ("{own: {depth: {a: [1, true]}, n: 010}}", "own", {"depth": {"a": [1, True]}, "n": 10}),
        ("{scorer: own, value: 1, weight: 2}", "own", {"value": 1}),
    ],
)
def test_each_form_gives_scorer_and_options(read, written, scorer, options):
    (criterion,) = criteria(read, f"[{written}]")
    assert (criterion.scorer, criterion.name, criterion.options) == (scorer, scorer, options)
    assert type(criterion.options) is dict
    assert all(type(key) is str for key in criterion.options)
    assert criterion.parts == ()


@pytest.mark.parametrize("form", ["{own: {KEYS}}", "{scorer: own, KEYS}"])
def test_own_keys_are_not_options(read, form):
    keys = "name: tone, weight: 2, threshold: 0.5, description: Polite and calm, k: 1"
    (criterion,) = criteria(read, f"[{form.replace('KEYS', keys)}]")
    assert (criterion.name, criterion.weight, criterion.threshold) == ("tone", 2.0, 0.5)
    assert (criterion.description, criterion.options) == ("Polite and calm", {"k": 1})
    assert type(criterion.weight) is float


def test_without_own_keys_there_are_defaults(read):
    (criterion,) = criteria(read, "[own]")
    assert (criterion.weight, criterion.threshold, criterion.description) == (1.0, None, "")


def test_criteria_know_their_place(read):
    own, contains, never = criteria(read, "\n  - own\n  - contains: x\n  - not:\n      regex: y")
    assert [(c.place.line, c.place.column) for c in (own, contains, never, never.parts[0])] == [
        (5, 7),
        (6, 7),
        (7, 7),
        (8, 9),
    ]


# --- combinations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name", "parts"),
    [
        ("{not: own}", "not_own", ["own"]),
        ("{not: {contains: sorry}}", "not_contains", ["contains"]),
        ("{not: [contains]}", "not_contains", ["contains"]),
        ("{not: {scorer: regex, pattern: x, name: odd}}", "not_odd", ["odd"]),
        ("{not: {not: own}}", "not_not_own", ["not_own"]),
        ("{all_of: [own, {contains: x}]}", "all_of", ["own", "contains"]),
        ("{any_of: [{contains: a}, {contains: b}, {contains: c}]}", "any_of", ["contains", "contains_2", "contains_3"]),
        ("{all_of: [{not: {any_of: [own, contains]}}, {regex: x}]}", "all_of", ["not_any_of", "regex"]),
        ("{not: own, name: fine}", "fine", ["own"]),
        ("{scorer: any_of, criteria: [own, contains], name: either}", "either", ["own", "contains"]),
        ("{scorer: not, criteria: {contains: x}}", "not_contains", ["contains"]),
    ],
)
def test_combinations(read, written, name, parts):
    (criterion,) = criteria(read, f"[{written}]")
    assert criterion.name == name
    assert [part.name for part in criterion.parts] == parts
    assert criterion.options == {}


@pytest.mark.parametrize(
    "form",
    [
        "{all_of: [own, contains], weight: 3, threshold: 0.4, name: both, description: Both}",
        "{scorer: all_of, criteria: [own, contains], weight: 3, threshold: 0.4, name: both, description: Both}",
    ],
)
def test_a_combination_has_its_own_keys_beside_it(read, form):
    (criterion,) = criteria(read, f"[{form}]")
    assert (criterion.weight, criterion.threshold, criterion.name, criterion.description) == (3.0, 0.4, "both", "Both")


@pytest.mark.parametrize("key", ["weight", "threshold"])
@pytest.mark.parametrize("part", ["{own: {KEY: 1}}", "{scorer: own, KEY: 1}", "{any_of: [own], KEY: 1}"])
def test_weight_and_threshold_of_a_part_belong_on_the_combination(read, key, part):
    problem = only(read.wrong_case(f"criteria: [all_of: [own, {part.replace('KEY', key)}]]"))
    assert f"'{key}' cannot stand on a part of 'all_of'; put it on the combination" in problem


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[not]", "'not' is made of criteria: write 'not: {contains: sorry}'"),
        ("[all_of]", "'all_of' is made of criteria"),
        ("[{scorer: any_of}]", "'any_of' is made of criteria: add 'criteria', or write 'any_of:"),
        ("[all_of: []]", "'all_of' takes a list of criteria"),
        ("[all_of: {contains: x}]", "'all_of' takes a list of criteria"),
        ("[any_of: contains]", "'any_of' takes a list of criteria"),
        ("[any_of: ~]", "'any_of' takes a list of criteria"),
        ("[not: [own, contains]]", "'not' takes one criterion; for several write 'not: {any_of: [...]}'"),
        ("[not: []]", "'not' takes one criterion"),
        ("[not: ~]", "a criterion names a scorer; nothing does not"),
        ("[{all_of: [own], wieght: 2}]", "unknown key 'wieght'; did you mean 'weight'?"),
        ("[{all_of: [own], any_of: [own]}]", "unknown key 'any_of'"),
        ("[{not: own, contains: x}]", "unknown key 'contains'"),
        ("[{scorer: not, criteria: own, k: 1}]", "unknown key 'k'"),
    ],
)
def test_what_a_combination_cannot_be(read, written, said):
    assert said in only(read.wrong_case(f"expected_output: x\ncriteria: {written}"))


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("contains", "criteria must be a list, not the text 'contains'; write 'criteria: [contains]'"),
        ("{contains: x}", "criteria must be a list, not a mapping"),
        ("[[contains]]", "a criterion names a scorer; a list does not"),
        ("[~]", "a criterion names a scorer; nothing does not"),
        ("['']", "'' cannot be the name of a scorer"),
        ("[1]", "'1' cannot be the name of a scorer"),
        ("[The answer is polite]", "'The answer is polite' cannot be the name of a scorer"),
        ("[exact-match]", "'exact-match' cannot be the name of a scorer; did you mean 'exact_match'?"),
        ("[exact-match: x]", "did you mean 'exact_match'?"),
        ("[{scorer: exact-match}]", "did you mean 'exact_match'?"),
        ("[{scorer: ~}]", "'' cannot be the name of a scorer"),
        ("[{scorer: [own]}]", "scorer must be text, not a list"),
        ("[{}]", "a criterion names a scorer: write 'contains'"),
        ("[{name: tone, weight: 2}]", "a criterion names a scorer: write 'contains', 'regex: …' or 'scorer: …'"),
        (
            "[{own: 1, weight: 2}]",
            "a criterion is one scorer, here are 2 keys; indent the options below 'own:', or write 'scorer: own'",
        ),
        ("[{own: 1, contains: 2, x: 3}]", "here are 3 keys"),
    ],
)
def test_what_is_no_criterion(read, written, said):
    problems = read.wrong_case(f"expected_output: x\ncriteria: {written}")
    assert any(said in problem for problem in problems), problems


@pytest.mark.parametrize("weight", ["-1", "-0.001", ".nan", ".inf", "heavy", "'2'", "true", "~", "1e999", "[1]"])
def test_weights_are_numbers_of_at_least_0(read, weight):
    assert "weight must be a number of at least 0, not" in only(
        read.wrong_case(f"criteria: [own: {{weight: {weight}}}]")
    )


@pytest.mark.parametrize("threshold", ["-0.1", "1.01", "unset", "~", "70%", ".nan"])
def test_thresholds_of_criteria_are_numbers_from_0_to_1(read, threshold):
    problem = only(read.wrong_case(f"criteria: [own: {{threshold: {threshold}}}]"))
    assert "threshold must be a number from 0 to 1, not" in problem


@pytest.mark.parametrize("name", ["''", "'  '"])
def test_a_blank_name_is_refused(read, name):
    assert "name is blank" in only(read.wrong_case(f"criteria: [own: {{name: {name}}}]"))


def test_a_case_without_criterion_is_refused(read):
    text = "target: echo\ncases:\n- id: a\n  input: q\n"
    text += "- {id: b, input: q, criteria: []}\n- {id: c, input: q, criteria: ~}\n"
    said = "the case has no criterion; add 'criteria' to it or to 'defaults'"
    assert read.wrong(text) == [f"3:3: {said}", f"5:21: {said}", f"6:21: {said}"]


@pytest.mark.parametrize("written", ["[own: {weight: 0}]", "[own: {weight: 0}, contains: {expected: a, weight: 0.0}]"])
def test_weights_that_are_all_0_are_refused(read, written):
    assert "the weights of all criteria of the case are 0" in only(read.wrong_case(f"criteria: {written}"))


def test_a_weight_of_0_beside_another_is_fine(read):
    assert [c.weight for c in read.case("criteria: [own: {weight: 0}, other]").criteria] == [0.0, 1.0]


@pytest.mark.parametrize(
    "written",
    [
        "[own, own]",
        "[contains: a, contains: b]",
        "[own: {name: x}, regex: {pattern: a, name: x}]",
        "[not: own, not: own]",
    ],
)
def test_a_second_criterion_of_one_name_is_refused(read, written):
    problem = only(read.wrong_case(f"criteria: {written}"))
    assert "is there already (in line 4); give one of them another 'name'" in problem


def test_a_criterion_like_an_inherited_one_is_refused_with_the_line_in_defaults(read):
    text = "target: echo\ndefaults:\n  criteria: [own]\ncases:\n- {input: q, criteria: [own: 1]}\n"
    assert only(read.wrong(text)) == (
        "5:25: criterion 'own' is there already (in defaults, in line 3); give one of them another 'name'"
    )
    assert read.wrong(text.replace("own: 1", "own: {name: again}")) == []


def test_every_mistake_of_a_list_is_reported(read):
    problems = read.wrong_case("criteria: [exact-match, own: {weight: -1, name: ''}, regex, {not: 1}, contains]")
    assert [problem.split(": ")[0] for problem in problems] == ["4:14", "4:33", "4:45", "4:56", "4:64", "4:73"]


def test_a_criterion_that_cannot_be_read_does_not_leave_the_case_without_criteria(read):
    assert only(read.wrong_case("criteria: [exact-match]")).startswith("4:14: 'exact-match' cannot be")
