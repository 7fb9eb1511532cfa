"""Scalars mean what they look like."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_evals.suite.core import core

from .conftest import only

AMBIGUOUS = [
    "no",
    "No",
    "NO",
    "yes",
    "on",
    "On",
    "off",
    "y",
    "n",
    "true",
    "True",
    "FALSE",
    "0123",
    "010",
    "0o17",
    "0x1F",
    "1e3",
    "1E400",
    "12:30",
    "12:30:45",
    "2024-01-05",
    "2024-01-05T10:00:00Z",
    "=",
    "<",
    ".5",
    "5.",
    "+1",
    "-0",
    ".inf",
    ".nan",
    "-.INF",
    "1_000",
    "0b11",
    "nullable",
    "none",
    "None",
    "1.0",
    "1.10",
    "9" * 5000,
    "~x",
    "<<x",
    "a#b",
    "100%",
    "50 %",
]


@pytest.mark.parametrize("word", AMBIGUOUS, ids=lambda word: word[:20])
def test_Y01_text_is_read_as_written(read, word):
    case = read.case(
        f"""
        id: {word}
        name: {word}
        category: {word}
        input: {word}
        context: {word}
        expected_output: {word}
        reference_outputs: [{word}, '{word}']
        criteria: [contains: {word}, contains_any: {{name: {word}, expected: [{word}]}}]
        skip: about {word}
        """
    )
    assert {case.id, case.name, case.category, case.input, case.context, case.expected_output} == {word}
    assert case.reference_outputs == (word, word)
    assert [criterion.options["expected"] for criterion in case.criteria] == [word, [word]]
    assert case.criteria[1].name == word
    assert type(case.id) is type(case.input) is type(case.criteria[0].options["expected"]) is str


@pytest.mark.parametrize("word", ["no", "on", "Yes", "12:30", "0123", "2024-01-05"])
def test_Y01_keys_and_tags_are_text_too(read, word):
    case = read.case(f"metadata: {{{word}: 1}}\ntags: [t-1]\ninput: {{{word}: {{{word}: a}}}}")
    assert case.metadata == {word: 1}
    assert case.input == {word: {word: "a"}}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("1", 1),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("-7", -7),
        ("+7", 7),
        ("1_000", "1_000"),
        ("0b1", "0b1"),
        ("1.50", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1E-2", 0.01),
        ("12:30", "12:30"),
        ("2024-01-05", "2024-01-05"),
        ("~", None),
        ("null", None),
        ("", None),
        ("'1'", "1"),
        ('"true"', "true"),
        ("'~'", "~"),
        ("=", "="),
        ("'<<'", "<<"),
        ("None", "None"),
        ("- ", [None]),
        ("{a: 1, b: [x, 2]}", {"a": 1, "b": ["x", 2]}),
        ("[]", []),
        ("{}", {}),
    ],
)
def test_elsewhere_scalars_have_the_types_of_yaml_1_2(read, written, value):
    case = read.case(f"metadata:\n  k:{' ' if not written.startswith('-') else chr(10) + '    '}{written}")
    assert case.metadata == {"k": value}
    assert type(case.metadata["k"]) is type(value)


@pytest.mark.parametrize("written", [".nan", ".inf", "-.Inf", "1e999", "9" * 700])
def test_numbers_that_json_cannot_hold_are_refused(read, written):
    assert "not a number that JSON can hold" in only(read.wrong_case(f"metadata: {{k: {written}}}"))


@pytest.mark.parametrize("written", ["", "~", "null", "Null", "NULL", " # to be written"])
def test_blank_and_null_are_no_expectation(read, written):
    case = read.case(f"expected_output: {written}\ncontext: {written}\ncategory: {written}")
    assert (case.expected_output, case.context, case.category) == (None, None, None)


@pytest.mark.parametrize("written", ['""', "''", "|-\n    "])
def test_the_empty_text_is_an_expectation(read, written):
    assert read.case(f"expected_output: {written}\ncriteria: [exact_match]").expected_output == ""


def test_mappings_and_lists_are_json_values(read):
    case = read.case("expected_output: {n: 1, s: '1', t: true}\ninput: [{role: user, content: 12:30}]")
    assert case.expected_output == {"n": 1, "s": "1", "t": True}
    assert case.input == [{"role": "user", "content": "12:30"}]
    assert type(case.input) is list
    assert type(case.input[0]) is dict
    assert type(case.input[0]["content"]) is str


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("30s", 30),
        ("500ms", 0.5),
        ("2m", 120),
        ("1h", 3600),
        ("7", 7),
        ("1.5s", 1.5),
        (".5", 0.5),
        ("0", 0),
        ("0s", 0),
        ("'30s'", 30),
        ("1 m", 60),
        ("0.0", 0),
    ],
)
def test_durations(read, written, seconds):
    assert read.case(f"timeout: {written}").timeout_s == seconds


@pytest.mark.parametrize("written", ["-1", "soon", "1d", "1m30s", "~", "", "[1s]", "{}", "1e3", "s", ".", "9" * 400])
def test_what_is_no_duration_is_refused(read, written):
    assert "timeout must be a duration such as 30s" in only(read.wrong_case(f"timeout: {written}"))


@pytest.mark.parametrize(
    ("key", "attribute", "value"),
    [
        ("threshold", "threshold", 0.0),
        ("timeout", "timeout_s", 0.0),
        ("retries", "retries", 0),
        ("expected_output", "expected_output", "0"),
        ("input", "input", "0"),
        ("id", "id", "0"),
        ("context", "context", "0"),
        ("category", "category", "0"),
    ],
)
def test_A08_zero_is_honoured(read, key, attribute, value):
    nines = "threshold: 0.9, timeout: 9s, retries: 9, expected_output: nine, context: nine, category: nine"
    asked = "" if key == "input" else "input: q, "
    suite = read(f"target: echo\ndefaults: {{{nines}}}\ncases: [{{{asked}{key}: 0, criteria: [own]}}]\n")
    found = getattr(suite.cases[0], attribute)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("zero", ["0", "0.0", "-0", "0e5"])
def test_A08_zero_weights_thresholds_and_options_stay_zero(read, zero):
    case = read.case(
        f"criteria: [own: {{weight: {zero}, threshold: {zero}, k: {zero}}}, length: {{min: 0}}]\n"
        f"threshold: {zero}\nmetadata: {{n: {zero}}}"
    )
    own, length = case.criteria
    assert (own.weight, own.threshold, own.options["k"], length.options["min"]) == (0, 0, 0, 0)
    assert (case.threshold, case.metadata["n"]) == (0, 0)


def test_A08_a_warn_of_zero_is_a_warn(read):
    assert read.case("warn: 0\nthreshold: 0.5").warn == 0.0


@pytest.mark.parametrize("word", ["unset", "'unset'"])
def test_threshold_can_be_unset(read, word):
    assert read.case(f"threshold: {word}").threshold == "unset"


def test_a_blank_threshold_undoes_that_of_the_defaults(read):
    suite = read(
        "target: echo\ndefaults: {threshold: 0.5, category: c, expected_output: e, context: c}\ncases:\n"
        "- {input: q, criteria: [own], threshold: ~, category: ~, expected_output: ~, context: ~}\n"
    )
    case = suite.cases[0]
    assert (case.threshold, case.category, case.expected_output, case.context) == (None, None, None, None)


@pytest.mark.parametrize("written", ["1.1", "-0.1", "high", "80%", "true", "[1]", "'0.5'", ".nan", ".inf", "1e999"])
def test_thresholds_lie_between_0_and_1(read, written):
    assert "threshold must be a number from 0 to 1 or the word unset, not" in only(
        read.wrong_case(f"threshold: {written}")
    )


def test_a_number_in_quotes_is_told_to_lose_them(read):
    assert only(read.wrong_case("retries: '2'")).endswith("not the text '2'; remove the quotes")


@pytest.mark.parametrize("written", ["-1", "1.5", "many", "~", "true", ".inf", "9" * 700])
def test_retries_are_whole_numbers(read, written):
    assert "retries must be a whole number of at least 0, not" in only(read.wrong_case(f"retries: {written}"))


def test_a_whole_number_may_be_written_as_a_float(read):
    case = read.case("retries: 2.0")
    assert case.retries == 2
    assert type(case.retries) is int


# --- a ` #` that ends an unquoted text -------------------------------------------------------------------------------


CUT = ["Fix bug #12", "the # key", "What does # mean?", "C #", "a  #tag"]


@pytest.mark.parametrize(
    ("key", "text"),
    [(key, text) for key in ("input", "context", "expected_output", "name", "skip", "xfail") for text in CUT]
    + [(key, text) for key in ("input", "expected_output", "name") for text in ("no #1", "1 #2", "~ #3")],
)
def test_a_text_cut_by_a_hash_is_reported(read, key, text):
    problem = read.wrong_case(f"{key}: {text}")[-1]
    assert problem.startswith("4:3: the text ends at ' #'")
    assert "quote the text" in problem


@pytest.mark.parametrize(
    "comment",
    ["   # text, a list of messages, or any JSON value", "  # said", "\t# tab", "  ## twice", "  #", "  #\t-"],
)
def test_a_comment_set_off_by_two_spaces_is_a_comment(read, comment):
    case = read.case(
        f"input: How long?{comment}\nexpected_output: 30 days{comment}\ncategory: a{comment}\nretries: 2{comment}"
    )
    assert (case.input, case.expected_output, case.category, case.retries) == ("How long?", "30 days", "a", 2)


@pytest.mark.parametrize("quoted", ["'Fix bug #12'", '"Fix bug #12"', "|-\n    Fix bug #12"])
def test_a_quoted_text_keeps_its_hash(read, quoted):
    assert read.case(f"input: {quoted}").input == "Fix bug #12"


def test_a_hash_within_a_word_is_text(read):
    assert read.case("input: C# and a#b").input == "C# and a#b"


@pytest.mark.parametrize(
    "where",
    [
        "metadata: {{k: {}\n  }}",
        "input:\n  - role: {}",
        "criteria:\n  - contains: {}",
        "reference_outputs:\n  - {}",
        "criteria:\n  - own:\n      k: {}",
    ],
)
def test_a_hash_is_found_wherever_a_text_may_stand(read, where):
    assert any("the text ends at ' #'" in problem for problem in read.wrong_case(where.format("bug #12")))


def test_a_value_that_is_all_comment_is_reported(read):
    problems = read.wrong_case("input: #1 in sales\nexpected_output: #1")
    assert [problem.partition(": ")[0] for problem in problems] == ["4:3", "4:3", "5:3"]
    assert "the text ends at ' #'" in problems[1]


@pytest.mark.parametrize(
    "line",
    [
        "category: refunds # said",
        "id: a # said",
        "timeout: 30s # said",
        "retries: 2 #said",
        "threshold: 0.5 # said",
        "criteria: [own] # said",
        "tags: [a] # said",
        "metadata: {n: 1} #said",
    ],
)
def test_names_and_numbers_may_have_a_comment_one_space_away(read, line):
    assert read.wrong_case(line) == []


def test_a_hash_in_a_name_that_starts_a_word_is_reported(read):
    assert "the text ends at ' #'" in only(read.wrong_case("category: bug #12"))


# --- round trips ------------------------------------------------------------------------------------------------------

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(text=anything)
def test_any_text_in_double_quotes_comes_back(read, text):
    written = json.dumps(text, ensure_ascii=True)
    if any(ord(character) > 0xFFFF for character in text):  # YAML has no surrogate pairs
        written = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f")
        written = "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in written)
    case = read.case(f"input: {written}\nexpected_output: {written}\nmetadata: {{{written}: {written}}}")
    assert (case.input, case.expected_output, case.metadata) == (text, text, {text: text})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(
    text=st.text(
        st.characters(exclude_categories=["Cs", "Cc", "Cn"], exclude_characters="\x85\u2028\u2029\ufeff"), min_size=1
    )
)
def test_any_printable_text_in_single_quotes_comes_back(read, text):
    quoted = "'" + text.replace("'", "''") + "'"
    case = read.case(f"id: {quoted}x\nexpected_output: {quoted}".replace(f"{quoted}x", f"'x{quoted[1:]}"))
    assert (case.id, case.expected_output) == ("x" + text, text)


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_numbers_as_python_writes_them_are_read_back(number):
    assert core(repr(number)) == number


@given(st.text(max_size=12))
def test_the_core_schema_is_total(text):
    value = core(text)
    assert value is None or type(value) in (bool, int, float, str)
    if type(value) is str:
        assert value == text
    if type(value) is float and not math.isfinite(value):
        assert "n" in text.lower() or "e" in text.lower()
