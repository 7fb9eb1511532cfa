"""``tool_calls``: calls that were made against calls that were expected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonvalues import VALUES

from pytest_evals import Response, ToolCall
from pytest_evals.errors import ScorerError
from pytest_evals.model.case import Case
from pytest_evals.scoring import score, scorer, specs


def made(*calls):
    return Response("", tool_calls=[ToolCall(*call) if isinstance(call, tuple) else ToolCall(call) for call in calls])


def one(given, expected, **options):
    """The score of one call of ``t`` with these arguments."""
    return score("tool_calls", made(("t", given)), [{"name": "t", "args": expected}], **options)


@pytest.mark.parametrize(
    ("calls", "expected", "options", "value"),
    [
        (["s", "s"], ["s", "s"], {}, 1),
        (["s"], ["s", "s"], {}, 0.5),
        ([], [], {}, 1),
        (["delete_all"], [], {}, 0),
        (["delete_all"], [], {"extra": True}, 0),
        ([], ["a"], {}, 0),
        (["a", "b"], ["a"], {}, 0.5),
        (["a", "b"], ["a"], {"extra": True}, 1),
        (["b", "a"], ["a", "b"], {}, 1),
        (["b", "a"], ["a", "b"], {"order": "in_order"}, 0.5),
        (["b", "a"], ["a", "b"], {"order": "exact"}, 0),
        (["x", "a", "y", "b"], ["a", "b"], {"order": "in_order", "extra": True}, 1),
        (["x", "a", "y", "b"], ["a", "b"], {"order": "exact", "extra": True}, 0),
        (["a", "b", "x"], ["a", "b"], {"order": "exact", "extra": True}, 1),
    ],
)
def test_the_score_is_the_share_of_calls_that_match(calls, expected, options, value):
    assert score("tool_calls", made(*calls), expected, **options).value == value


def test_the_detail_has_precision_recall_and_f1():
    detail = score("tool_calls", made("a", "x", "y"), ["a", "b"]).detail
    assert (detail["precision"], detail["recall"], detail["f1"]) == (1 / 3, 0.5, 0.4)
    assert (detail["missing"], detail["extra"]) == (["b"], ["x", "y"])
    nothing = score("tool_calls", made(), []).detail
    assert (nothing["precision"], nothing["recall"], nothing["f1"]) == (None, None, None)


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_modes_are_ordered_by_strictness(calls, expected):
    response = made(*calls)
    exact, in_order, any_order = (
        score("tool_calls", response, expected, order=order).value for order in ("exact", "in_order", "any")
    )
    assert exact <= in_order <= any_order <= 1
    assert any_order <= score("tool_calls", response, expected, extra=True).value or not expected
    assert (any_order == 1) == (sorted(calls) == sorted(expected))
    assert (in_order == 1) == (calls == expected) == (exact == 1)


@given(VALUES.filter(lambda value: not isinstance(value, str)))
def test_arguments_match_themselves_and_nothing_is_an_error(value):
    assert one(value, value).value == 1
    assert 0 <= one(value, {"a": 1}, args="subset").value <= 1


@pytest.mark.parametrize(
    ("args", "expected", "options", "says"),
    [
        ({"n": True}, {"n": 1}, {}, "t, n: true where 1 is expected"),
        ({"n": "1"}, {"n": 1}, {}, 't, n: "1" where 1 is expected; it is there as a text'),
        ({"n": 1, "m": 2}, {"n": 1}, {}, "t, m: not expected, here 2"),
        ({}, {"n": 1}, {}, "t, n: missing, 1 is expected"),
        ("{bad json", {"n": 1}, {}, "{bad json"),
        ("{bad json", {}, {}, "t, arguments that are not JSON"),
        ({"o": {"a": 1, "b": 2}}, {"o": {"a": 1}}, {}, "t, o.b: not expected, here 2"),
        ({"o": {"b": 2}}, {"o": {"a": 1}}, {"args": "subset"}, "t, o.a: missing, 1 is expected"),
        ([1], {"n": 1}, {}, 't, [1] where {"n": 1} is expected'),
    ],
)
def test_a_mismatch_is_told(args, expected, options, says):
    found = one(args, expected, **options)
    assert found.value == 0
    assert says in found.reason
    assert found.reason.startswith("0 of 1 call: ")


@pytest.mark.parametrize(
    ("args", "expected", "options"),
    [
        ('{"opt":{"sort":"asc","limit":10.0},"q":"x"}', {"q": "x", "opt": {"limit": 10, "sort": "asc"}}, {}),
        (None, {}, {}),
        ("", {}, {}),
        ("{}", {}, {}),
        ("null", {}, {}),
        ({}, None, {}),
        ({"n": 1, "m": 2}, {"n": 1}, {"args": "subset"}),
        ({"o": {"a": 1, "b": 2}}, {"o": {"a": 1}}, {"args": "subset"}),
        ({"n": 2}, {"n": 1}, {"args": "ignore"}),
        ("{bad json", {"n": 1}, {"args": "ignore"}),
        ({"x": 1}, '{"x": 1}', {}),
    ],
)
def test_arguments_that_mean_the_same_match(args, expected, options):
    assert one(args, expected, **options).value == 1


def test_arguments_that_are_not_given_do_not_count_and_none_are_none():
    assert score("tool_calls", made(("t", {"x": 1})), ["t"]).value == 1
    assert score("tool_calls", made(("t", {"x": 1})), [{"name": "t"}]).value == 1
    assert score("tool_calls", made(("t", {"x": 1})), [{"name": "t", "args": None}]).value == 0


def test_a_call_that_fits_several_leaves_the_other_for_the_one_that_needs_it():
    calls = made(("s", {"q": "x"}), ("s", {"q": "y"}))
    assert score("tool_calls", calls, ["s", {"name": "s", "args": {"q": "x"}}]).value == 1


@pytest.mark.parametrize(
    ("args", "expected", "arguments", "options", "value"),
    [
        ({"q": "weather in paris"}, {"q": "weather paris"}, {"q": "token_f1"}, {}, 1),
        ({"q": "tax law"}, {"q": "weather paris"}, {"q": "token_f1"}, {}, 0),
        ({"q": "Paris"}, {"q": "paris"}, {"q": "exact_match"}, {}, 1),
        ({"q": "hallo"}, {"q": "hello"}, {"t.q": {"levenshtein": {"threshold": 0.9}}}, {}, 0),
        ({"q": "hallo"}, {"q": "hello"}, {"other.q": "levenshtein"}, {}, 0),
        ({"n": 3.04}, {"n": 3}, {"n": {"numeric": {"tolerance": 0.1}}}, {}, 1),
        ({"q": "2026-01-05", "k": 9}, {"q": "?", "k": 1}, {"q": {"regex": r"^\d{4}-\d\d-\d\d$"}, "k": "ignore"}, {}, 1),
        (
            {"o": {"b": 1, "a": [2, 1]}},
            {"o": {"a": [1, 2], "b": 1}},
            {"o": {"json_equals": {"unordered": True}}},
            {},
            1,
        ),
        ({"x": 1}, None, {"t.q": {"regex": "."}}, {}, 0),
        ({"q": "y"}, None, {"t.q": {"regex": "."}}, {}, 1),
        ({"q": "y"}, {}, {"q": "levenshtein"}, {}, 0),
        ({"q": "y"}, {}, {"q": "levenshtein"}, {"args": "subset"}, 1),
        ({}, {"q": "y"}, {"q": "ignore"}, {}, 1),
        ({}, {"q": "y"}, {"q": "levenshtein"}, {}, 0),
    ],
)
def test_an_argument_can_have_a_scorer_of_its_own(args, expected, arguments, options, value):
    wanted = [{"name": "t", "args": expected}] if expected is not None else ["t"]
    assert score("tool_calls", made(("t", args)), wanted, arguments=arguments, **options).value == value


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"expected": 3}, "expected must be a list of tool names"),
        ({"expected": [{"tool": "a"}]}, "is neither"),
        ({"expected": [{"name": "a", "arguments": {}}]}, "is neither"),
        ({"expected": [{"name": "a", "args": "{bad"}]}, "the expected call of a has arguments that are not JSON"),
        ({"arguments": ["q"]}, "arguments must be a mapping"),
        ({"arguments": {"q": "levenshtien"}}, "did you mean 'levenshtein'?"),
        ({"arguments": {"q": {"regex": "("}}}, "arguments.q: regex: the pattern is not a regular expression"),
        ({"arguments": {"q": {"levenshtein": {"case": 1}}}}, "arguments.q: levenshtein has no option 'case'"),
        ({"arguments": {"q": {"levenshtein": {"threshold": 2}}}}, "threshold must be a number from 0 to 1"),
        ({"arguments": {"q": "latency"}}, "'latency' is no scorer of arguments"),
        ({"arguments": {"q": "ignore"}, "args": "ignore"}, "arguments says how arguments are scored"),
    ],
)
def test_wrong_options_are_told(options, says):
    [message] = specs()["tool_calls"].check(options)
    assert says in message


def test_the_case_s_calls_are_expected_unless_the_criterion_has_its_own():
    case = Case("a", "q", (), expected_tool_calls=(ToolCall("a"),), expected_output="not looked at")
    tool_calls = scorer("tool_calls")
    asked = {"actual": "", "expected": "not looked at", "case": case}
    assert tool_calls(**asked, response=made("a")).value == 1
    assert tool_calls(**asked, response=made("a"), options={"expected": ["b"]}).value == 0
    assert tool_calls(**asked, response=made(), options={"expected": []}).value == 1


def test_without_a_response_or_calls_to_expect_there_is_no_score():
    with pytest.raises(ScorerError, match="tool_calls needs a Response"):
        score("tool_calls", "text", ["a"])
    with pytest.raises(ScorerError, match="has nothing to look for; give expected_tool_calls"):
        score("tool_calls", made("a"))


def test_an_agent_in_a_loop_is_no_endless_comparison():
    loop = made(*[("t", {"n": n}) for n in range(20_000)])
    assert score("tool_calls", loop, ["t"], extra=True).value == 1
    assert score("tool_calls", loop, ["t"] * 20, order="exact", extra=True).value == 1
    with pytest.raises(ScorerError, match="20000 tool calls are too many"):
        score("tool_calls", loop, ["t"] * 20)


def test_hostile_names_and_arguments_are_one_line():
    found = score("tool_calls", made(("a\nb\x1b[31m", {"k\n": "v\n" * 1000})), ["t"])
    assert "\n" not in found.reason
    assert "\x1b" not in found.reason
    assert len(found.reason) < 500


def test_arguments_too_deep_to_be_shown_match_nothing():
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    found = score("tool_calls", made(("t", {"x": deep})), [{"name": "t", "args": {"x": 1}}])
    assert found.value == 0
    assert "nested deeper than 200 levels" in found.reason
