"""Ids are kept as written, made when there is none, and stand for one test each."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_evals.model.ids import node_name

from .conftest import only


def suite_of(*ids: str) -> str:
    return "target: echo\ncases:\n" + "".join(f"- {{id: {i}, input: q, criteria: [own]}}\n" for i in ids)


def test_Y07_duplicate_ids_are_refused_with_both_lines(read):
    text = (
        "target: echo\ncases:\n- id: greet\n  input: a\n  criteria: [own]\n- input: b\n  criteria: [own]\n  id: greet\n"
    )
    assert only(read.wrong(text)) == "8:3: duplicate id 'greet', which the case in line 3 has; change one"


@pytest.mark.parametrize(
    ("first", "second"),
    [("a", "'a'"), ("1", '"1"'), ("no", "'no'"), ("&x a", "*x"), ("ä", '"\\xe4"'), ("0123", "'0123'")],
)
def test_Y07_however_they_are_written(read, first, second):
    assert "duplicate id" in only(read.wrong(suite_of(first, second)))


def test_Y07_every_duplicate_names_the_first(read):
    problems = read.wrong(suite_of("a", "b", "a", "a", "b"))
    assert [problem.partition(": ")[0] for problem in problems] == ["5:4", "6:4", "7:4"]
    assert [problem.count("line 3") for problem in problems] == [1, 1, 0]


def test_Y07_a_case_repeated_by_an_alias_is_a_duplicate(read):
    text = "target: echo\ncases:\n- &c {id: a, input: q, criteria: [own]}\n- *c\n"
    assert "duplicate id 'a'" in only(read.wrong(text))


def test_Y07_ids_of_different_files_do_not_clash(read):
    assert read(suite_of("greet"), "a.eval.yaml").cases[0].id == read(suite_of("greet"), "b.eval.yaml").cases[0].id


@pytest.mark.parametrize(
    ("first", "second"), [("'a::b'", "'a:b'"), ("'a[1]'", "a(1)"), ('"a\\nb"', "'a\\nb'"), ("'a:::b'", "'a::b'")]
)
def test_Y07_ids_that_make_one_test_name_are_refused(read, first, second):
    problem = only(read.wrong(suite_of(first, second)))
    assert "(line 3) make one test name" in problem
    assert problem.startswith("4:4: ids ")


ODD = [
    "L" * 140_000,
    "nul\0x",
    "../../etc/x",
    "CON",
    "ünï☃",
    "a\nb",
    "a b",
    "/",
    "\\",
    "*",
    "%",
    "-k",
    "a::b",
    "[x]",
    "😀",
    "\u202eabc",
    "\x7f",
    "'",
    '"',
    "#",
    "a #b",
    ": ",
    "{{x}}",
    "no",
    "~",
    "null",
    "é" * 300,
    "a\u2028b",
    "\ufeff",
]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_P08_odd_ids_are_kept_as_written(read, odd):
    written = json.dumps(odd)
    if "😀" in odd:
        written = f'"{odd}"'
    (case,) = read(suite_of(written)).cases
    assert case.id == odd
    assert len(node_name(case.id)) <= 200


def test_P08_ids_that_differ_only_in_case_are_two(read):
    assert len(read(suite_of("Greet", "greet", "GREET")).cases) == 3


def test_P08_two_long_ids_with_one_beginning_are_two(read):
    assert len(read(suite_of("L" * 5000 + "1", "L" * 5000 + "2")).cases) == 2


@pytest.mark.parametrize("blank", ['""', "''", '" "', '"\\t\\n"', "~", "", "null", "'\u3000'"])
def test_P08_a_blank_id_is_refused(read, blank):
    problem = only(read.wrong_case(f"id: {blank}"))
    assert problem == "4:3: id is blank; give one, or leave the key out to have it made from the name"


@pytest.mark.parametrize("written", ["[a]", "{a: b}"])
def test_an_id_is_text(read, written):
    assert "id must be text, not" in only(read.wrong_case(f"id: {written}"))


# --- ids that are made ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "made"),
    [("Refund window?", "refund-window"), ("Größe & Maß", "größe-maß"), ("a  b", "a-b"), ("0123", "0123")],
)
def test_an_id_is_made_from_the_name(read, name, made):
    case = read.case(f"name: {name}")
    assert (case.id, case.name) == (made, name)


@pytest.mark.parametrize("name", ["'???'", "''", "~", "' '"])
def test_a_name_without_letters_makes_no_id(read, name):
    assert read.case(f"name: {name}").id.startswith("case-")


def test_without_a_name_an_id_is_made_from_the_content(read):
    case = read.case("input: How long?")
    assert case.id == "case-" + case.id[-8:]
    assert set(case.id[-8:]) <= set("0123456789abcdef")
    assert case.name == case.id


BASE = "input: {a: 1, b: no}\nexpected_output: yes\ncriteria: [contains, regex: {pattern: x}]"


@pytest.mark.parametrize(
    "same",
    [
        BASE,
        "criteria: [contains, regex: {pattern: x}]\nexpected_output: yes\ninput: {b: no, a: 1}",
        "expected_output: 'yes'\ninput: {'b': 'no', a: 1}\ncriteria:\n  - contains\n  - regex:\n      pattern: x",
        BASE + "\nskip: later\ntags: [smoke]\nmetadata: {n: 1}\nretries: 3\ntimeout: 1s\nxfail: true\ncategory: c",
        BASE + "\ncontext: ~\nreference_outputs:",
    ],
)
def test_a_made_id_is_the_same_wherever_and_however_the_case_is_written(read, same):
    assert read.case(same).id == read.case(BASE).id
    text = (
        "target: echo\ndefaults: {tags: [a], threshold: 0.4}\ncases:\n- {input: other, criteria: [own]}\n-\n  "
        + same.replace("\n", "\n  ")
    )
    assert read(text + "\n").cases[1].id == read.case(BASE).id


@pytest.mark.parametrize(
    "other",
    [
        BASE.replace("yes", "Yes"),
        BASE.replace("1", "'1'"),
        BASE.replace("pattern: x", "pattern: y"),
        BASE + "\ncontext: c",
        BASE + "\nreference_outputs: [r]",
        BASE + "\nexpected_tool_calls: []",
        BASE.replace("contains, ", ""),
    ],
)
def test_a_made_id_differs_when_something_else_is_asked(read, other):
    assert read.case(other).id != read.case(BASE).id


def test_a_made_id_never_changes(read):
    # results of earlier runs are found by it
    assert read.case("input: How long do I have to return a mug?").id == "case-933fc74d"


def test_two_made_ids_alike_are_told_to_be_given(read):
    text = "target: echo\ncases:\n- {input: q, criteria: [own]}\n- {input: q, criteria: [own], tags: [a]}\n"
    problem = only(read.wrong(text))
    assert problem.startswith("4:3: without an id the case is 'case-")
    assert problem.endswith("like the one in line 3; give each an 'id'")


@pytest.mark.parametrize(
    "cases",
    [
        "- {name: A b, KEYS}\n- {name: a-b, KEYS}\n",
        "- {id: a-b, KEYS}\n- {name: A B, KEYS}\n",
        "- {name: A B, KEYS}\n- {id: a-b, KEYS}\n",
    ],
)
def test_names_that_make_one_id_are_told_to_give_ids(read, cases):
    text = "target: echo\ncases:\n" + cases.replace("KEYS", "input: q, criteria: [own]")
    assert "without an id the case is 'a-b', like the one in line 3; give each an 'id'" in only(read.wrong(text))


def test_a_made_id_of_a_wrong_case_adds_no_mistake(read):
    assert "retries must be" in only(read.wrong_case("retries: x\ninput: {n: 1}"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100, deadline=None)
@given(
    ids=st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip), min_size=1, max_size=5
    )
)
def test_P08_any_ids_are_kept_or_refused_and_never_merged(read, ids):
    cases = [{"id": i, "input": "q", "criteria": ["own"]} for i in ids]
    text = json.dumps({"target": "echo", "cases": cases}, indent=1)
    names = [node_name(i) for i in ids]
    problems = read.wrong(text, "a.eval.json")
    assert len(problems) == len(names) - len(set(names))
    if not problems:
        assert [case.id for case in read(text, "a.eval.json").cases] == ids
