"""Cases and what they inherit from the defaults of the file and of the run."""

from __future__ import annotations

import pytest

from pytest_evals.model.case import Case
from pytest_evals.model.response import ToolCall
from pytest_evals.suite import RunDefaults

from .conftest import only


def test_a_case_with_every_key(read):
    suite = read(
        """\
        target: echo
        cases:
          - id: refund-window
            name: Refund window
            category: refunds
            tags: [smoke, slow]
            input: [{role: user, content: How long?}]
            context: Returns are accepted within 30 days.
            expected_output: 30 days
            reference_outputs: [thirty days]
            expected_tool_calls: [{name: policy_lookup, args: {topic: returns}}, {name: log}]
            criteria: [contains]
            inherit_criteria: false
            threshold: 0.7
            warn: 0.5
            timeout: 30s
            retries: 2
            metadata: {ticket: 1234}
            skip: broken upstream
            xfail: too hard
        """
    )
    (case,) = suite.cases
    assert case == Case(
        id="refund-window",
        name="Refund window",
        suite="a",
        category="refunds",
        tags=("smoke", "slow"),
        input=[{"role": "user", "content": "How long?"}],
        context="Returns are accepted within 30 days.",
        expected_output="30 days",
        reference_outputs=("thirty days",),
        expected_tool_calls=(ToolCall("policy_lookup", {"topic": "returns"}), ToolCall("log")),
        criteria=case.criteria,
        threshold=0.7,
        warn=0.5,
        timeout_s=30.0,
        retries=2,
        metadata={"ticket": 1234},
        skip="broken upstream",
        xfail="too hard",
    )
    assert str(case.place) == "a.eval.yaml:3:5"


def test_a_case_with_nothing_but_input_and_criteria(read):
    (case,) = read("target: echo\ncases: [{input: q, criteria: [own]}]\n").cases
    assert case == Case(id=case.id, input="q", criteria=case.criteria, name=case.id, suite="a")
    assert (case.timeout_s, case.retries, case.threshold, case.metadata) == (60.0, 1, None, {})


DEFAULTS = """\
target: echo
defaults:
  category: general
  tags: [all, smoke]
  context: a context
  expected_output: an answer
  reference_outputs: [another]
  expected_tool_calls: [{name: tool}]
  criteria: [contains, own: {weight: 2}]
  threshold: 0.6
  warn: 0.4
  timeout: 5
  retries: 0
  metadata: {team: a, kept: 1}
  skip: all of them
  xfail: all of them
cases:
  - {id: plain, input: q}
  - id: own
    input: q
    category: special
    tags: [smoke, slow]
    context: {}
    expected_output: mine
    reference_outputs: []
    expected_tool_calls: []
    criteria: [levenshtein]
    threshold: 0.9
    warn: 0.8
    timeout: 1m
    retries: 3
    metadata: {team: b}
    skip: false
    xfail: "mine"
"""


def test_defaults_hold_for_every_case(read):
    plain = read(DEFAULTS).cases[0]
    assert (plain.category, plain.tags, plain.context) == ("general", ("all", "smoke"), "a context")
    assert (plain.expected_output, plain.reference_outputs) == ("an answer", ("another",))
    assert plain.expected_tool_calls == (ToolCall("tool"),)
    assert [(c.scorer, c.weight) for c in plain.criteria] == [("contains", 1.0), ("own", 2.0)]
    assert (plain.threshold, plain.warn, plain.timeout_s, plain.retries) == (0.6, 0.4, 5.0, 0)
    assert plain.metadata == {"team": "a", "kept": 1}
    assert (plain.skip, plain.xfail) == ("all of them", "all of them")


def test_a_case_overrides_adds_and_unites(read):
    own = read(DEFAULTS).cases[1]
    assert (own.category, own.context, own.expected_output) == ("special", {}, "mine")
    assert own.tags == ("all", "smoke", "slow")
    assert (own.reference_outputs, own.expected_tool_calls) == ((), ())
    assert [c.scorer for c in own.criteria] == ["contains", "own", "levenshtein"]
    assert (own.threshold, own.warn, own.timeout_s, own.retries) == (0.9, 0.8, 60.0, 3)
    assert own.metadata == {"team": "b", "kept": 1}
    assert (own.skip, own.xfail) == (None, "mine")


def test_inherited_criteria_are_the_same_objects(read):
    text = "target: echo\ndefaults: {criteria: [own]}\ncases: [{id: a, input: q}, {id: b, input: q}]\n"
    first, second = read(text).cases
    assert first.criteria[0] is second.criteria[0]


@pytest.mark.parametrize(
    ("default", "key", "expected"),
    [
        ("", "", ["own", "regex"]),
        ("", "inherit_criteria: true", ["own", "regex"]),
        ("", "inherit_criteria: false", ["regex"]),
        # in defaults it is about what is beneath them
        ("inherit_criteria: false", "", ["own", "regex"]),
        ("inherit_criteria: false", "inherit_criteria: false", ["regex"]),
    ],
)
def test_inherited_criteria_can_be_replaced(read, default, key, expected):
    defaults = f"defaults:\n  criteria: [own]\n  {default}\n"
    text = f"target: echo\n{defaults}cases:\n- input: q\n  criteria: [regex: x]\n  {key}\n"
    assert [c.scorer for c in read(text).cases[0].criteria] == expected


@pytest.mark.parametrize("written", ["no", "0", "~", "'true'", "[]"])
def test_inherit_criteria_is_true_or_false(read, written):
    assert "inherit_criteria must be true or false, not" in only(read.wrong_case(f"inherit_criteria: {written}"))


def test_the_defaults_of_the_run_lie_beneath_those_of_the_file(read):
    run = RunDefaults(threshold=0.5, warn=0.3, timeout_s=7.0, retries=4)
    zeros = "{id: b, input: q, criteria: [own], threshold: 0, timeout: 0, retries: 0, warn: ~}"
    text = f"target: echo\nDEFAULTS\ncases: [{{input: q, criteria: [own]}}, {zeros}]\n"
    first, second = read(text.replace("DEFAULTS\n", ""), defaults=run).cases
    assert (first.threshold, first.warn, first.timeout_s, first.retries) == (0.5, 0.3, 7.0, 4)
    assert (second.threshold, second.warn, second.timeout_s, second.retries) == (0.0, None, 0.0, 0)
    file = "defaults: {threshold: 0.8, timeout: 1s, retries: 9, warn: 0.1}"
    first = read(text.replace("DEFAULTS", file), defaults=run).cases[0]
    assert (first.threshold, first.warn, first.timeout_s, first.retries) == (0.8, 0.1, 1.0, 9)


def test_a_run_without_time_limit(read):
    text = "target: echo\ncases: [{input: q, criteria: [own]}]\n"
    assert read(text, defaults=RunDefaults(timeout_s=None, threshold="unset")).cases[0].timeout_s is None


@pytest.mark.parametrize("key", ["id", "name", "input"])
def test_defaults_cannot_hold_what_every_case_has_of_its_own(read, key):
    text = f"target: echo\ndefaults: {{{key}: x}}\ncases: [{{input: q, criteria: [own]}}]\n"
    assert only(read.wrong(text)) == f"2:12: unknown key '{key}'; every case has its own"


@pytest.mark.parametrize("written", ["", "~", "{}"])
def test_defaults_may_be_empty(read, written):
    assert read.wrong(f"target: echo\ndefaults: {written}\ncases: [{{input: q, criteria: [own]}}]\n") == []


@pytest.mark.parametrize("written", ["[]", "text", "3", "[{tags: [a]}]"])
def test_defaults_are_a_mapping(read, written):
    text = f"target: echo\ndefaults: {written}\ncases: [{{input: q, criteria: [own]}}]\n"
    assert "2:1: defaults must be a mapping of the keys of cases, not" in only(read.wrong(text))


# --- input, warn, reasons, tool calls, metadata -----------------------------------------------------------------------


@pytest.mark.parametrize("written", ["", "input: ~", "input:", "input: null"])
def test_a_case_without_input_is_refused(read, written):
    text = f"target: echo\ncases:\n- id: a\n  criteria: [own]\n  {written}\n"
    problem = only(read.wrong(text))
    assert "input" in problem
    assert problem.startswith("5:3" if written else "3:3")


@pytest.mark.parametrize("written", ['""', "{}", "[]", "0", "false", "'~'"])
def test_the_empty_text_and_empty_values_are_inputs(read, written):
    assert read.wrong_case(f"input: {written}") == []


@pytest.mark.parametrize("file", ["gone.json", "''", "'${EVALS_NOT_SET}'", "*gone"])
def test_a_mistake_in_the_file_of_answers_does_not_make_input_missing(read, file):
    only(read.wrong(f"target: {{responses: {file}}}\ncases: [{{id: a, criteria: [own]}}]\n"))


def test_recorded_answers_need_no_input(read, tmp_path):
    (tmp_path / "answers.json").write_text('{"a": "x"}')
    (case,) = read("target: {responses: answers.json}\ncases: [{id: a, criteria: [own]}]\n").cases
    assert case.input is None


@pytest.mark.parametrize(
    ("defaults", "keys", "said"),
    [
        ("", "warn: 0.5", "warn needs a threshold above it; add 'threshold'"),
        ("", "warn: 0.5, threshold: 0.5", "warn (0.5) must be below threshold (0.5)"),
        ("", "warn: 0.8, threshold: 0.5", "warn (0.8) must be below threshold (0.5)"),
        ("", "warn: 0.8, threshold: unset", "warn needs a threshold above it"),
        ("threshold: 0.5", "warn: 0.8", "warn (0.8) must be below threshold (0.5)"),
        ("threshold: 0.5, warn: 0.6", "", "warn (0.6) must be below threshold (0.5)"),
    ],
)
def test_warn_lies_below_threshold(read, defaults, keys, said):
    text = f"target: echo\ndefaults: {{{defaults}}}\ncases: [{{input: q, criteria: [own], {keys}}}]\n"
    assert said in only(read.wrong(text))


@pytest.mark.parametrize(
    ("defaults", "keys"),
    [
        ("threshold: 0.9, warn: 0.7", "threshold: 0.5"),
        ("warn: 0.7", "threshold: 0.9"),
        ("warn: 0.7", ""),
        ("threshold: 0.9, warn: 0.7", "threshold: unset"),
        ("threshold: 0.9", "warn: 0"),
        ("", "warn: ~"),
    ],
)
def test_an_inherited_warn_is_no_mistake_of_the_case(read, defaults, keys):
    text = f"target: echo\ndefaults: {{{defaults}}}\ncases: [{{input: q, criteria: [own], {keys}}}]\n"
    assert read.wrong(text) == []


def test_a_wrong_threshold_is_one_mistake(read):
    assert "threshold must be" in only(read.wrong_case("threshold: high\nwarn: 0.9"))
    assert "warn must be" in only(read.wrong_case("threshold: 0.5\nwarn: high"))


@pytest.mark.parametrize("key", ["skip", "xfail"])
@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("waits for the new model", "waits for the new model"),
        ("'true'", "true"),
        ("false", None),
        ("False", None),
        ("~", None),
        ("", None),
        ("true", ...),
        ("''", ...),
        ("'  '", ...),
    ],
)
def test_reasons(read, key, written, reason):
    usual = {"skip": "skipped in the suite file", "xfail": "expected to fail"}[key]
    case = read.case(f"{key}: {written}")
    assert getattr(case, key) == (usual if reason is ... else reason)
    assert getattr(case, {"skip": "xfail", "xfail": "skip"}[key]) is None


@pytest.mark.parametrize("written", ["no", "yes", "off", "0", "1", "[]", "{reason: x}", "1.5"])
def test_what_is_no_reason(read, written):
    assert "skip must be a reason, true or false, not" in only(read.wrong_case(f"skip: {written}"))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("search", "expected_tool_calls must be a list, not the text 'search'"),
        ("[search]", "a tool call is a mapping with 'name' and, if they matter, 'args', not the text 'search'"),
        ("[{args: {}}]", "a tool call needs the 'name' of the tool"),
        ("[{name: ~}]", "a tool call needs the 'name' of the tool"),
        ("[{name: ''}]", "name is blank"),
        ("[{name: [a]}]", "name must be text, not a list"),
        ("[{name: a, arg: 1}]", "unknown key 'arg'; did you mean 'args'?"),
    ],
)
def test_what_is_no_tool_call(read, written, said):
    assert said in only(read.wrong_case(f"expected_tool_calls: {written}"))


def test_arguments_of_tool_calls_are_json_values(read):
    (call,) = read.case("expected_tool_calls: [{name: no, args: {n: 1, on: no, d: 2024-01-05}}]").expected_tool_calls
    assert call == ToolCall("no", {"n": 1, "on": "no", "d": "2024-01-05"})


@pytest.mark.parametrize("written", ["[]", "text", "1", "[{a: 1}]"])
def test_metadata_is_a_mapping(read, written):
    assert "metadata must be a mapping, not" in only(read.wrong_case(f"metadata: {written}"))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("thirty days", "reference_outputs must be a list of texts, not the text 'thirty days'; write [thirty days]"),
        ("{a: b}", "reference_outputs must be a list of texts, not a mapping"),
        ("[[a]]", "each of reference_outputs must be text, not a list"),
        ("[a, ~]", "an empty place in reference_outputs"),
        ("[a, , b]", "quote"),
    ],
)
def test_references_are_a_list_of_texts(read, written, said):
    assert said in only(read.wrong_case(f"reference_outputs: {written}"))


# --- cases that are none ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["text", "1", "~", "[{input: q}]", ""])
def test_a_case_is_a_mapping(read, part):
    text = f"target: echo\ncases:\n- {{input: q, criteria: [own]}}\n- {part}\n"
    assert ": a case is a mapping with 'input' and 'criteria', not" in only(read.wrong(text))


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("expected", "unknown key 'expected'; did you mean 'expected_output'?"),
        ("Input", "unknown key 'Input'; did you mean 'input'?"),
        ("treshold", "did you mean 'threshold'?"),
        ("xyz", "unknown key 'xyz'; there are id, name, input, category, tags,"),
        ("gates", "unknown key 'gates'; it stands at the top of the file, not in a case"),
        ("x-free", "it stands at the top of the file, not in a case"),
        ("variants", "unknown key 'variants'"),
        ("trails", "unknown key 'trails'; did you mean 'trials'?"),
        ("where", "unknown key 'where'; it belongs to a data set, beside 'file'"),
        ("judge", "unknown key 'judge'"),
        ("'a\\nb'", "unknown key 'a\\nb'"),
        ("''", "unknown key ''"),
    ],
)
def test_unknown_keys_of_a_case(read, key, said):
    assert said in only(read.wrong_case(f"{key}: 1"))
