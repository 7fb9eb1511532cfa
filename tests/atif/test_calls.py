from __future__ import annotations

import pytest
from documents_atif import changed, document, sample

from pytest_evals.atif import read
from pytest_evals.atif.calls import by_name, is_web_search, query_of, uses


def answered(content, **extra):
    value = document()
    value["steps"][1]["observation"]["results"][0] = {"source_call_id": "c1", "content": content, **extra}
    return uses(read(value))[0]


def test_calls_are_found_by_name_with_query_results_and_step():
    value = document()
    value["steps"][1]["tool_calls"].append(
        {"tool_call_id": "c2", "function_name": "web_search", "arguments": {"query": "blue mugs", "limit": 5}}
    )
    value["steps"][1]["observation"]["results"].append({"source_call_id": "c2", "content": '{"results": [1, 2, 3]}'})
    found = by_name(use.plain() for use in uses(read(value)))
    assert list(found) == ["stock", "web_search"]
    assert found["web_search"] == [
        {"name": "web_search", "step": 2, "agent": "shop", "query": "blue mugs", "result_count": 3, "error": ""}
    ]
    assert list(by_name((use.plain() for use in uses(read(value))), "stock")) == ["stock"]


def test_calls_of_subagents_are_told_apart_and_copied_steps_left_out():
    value = document(subagent_trajectories=[document(agent={"name": "helper", "version": "1"})])
    value["steps"][1]["is_copied_context"] = True
    assert [(use.agent, use.name) for use in uses(read(value))] == [("helper", "stock")]
    assert uses(read(value), subagents=False) == []


@pytest.mark.parametrize(
    ("content", "count"),
    [
        ('["a", "b"]', 2),
        ('{"items": []}', 0),
        ('{"total": 17, "page": 1}', 17),
        ('{"on_hand": 12}', None),
        ("plain text", None),
        ("[not json", None),
    ],
)
def test_results_are_counted_where_the_answer_tells(content, count):
    assert answered(content).result_count == count


def test_a_stated_number_of_results_goes_before_the_content():
    assert answered("three links", extra={"result_count": 3}).result_count == 3


@pytest.mark.parametrize(
    ("content", "extra", "error"),
    [
        ("Error: no such table", {}, "Error: no such table"),
        ('{"error": "timeout"}', {}, "timeout"),
        ("it broke", {"is_error": True}, "it broke"),
        ("", {"is_error": True}, "error"),
        ("late", {"status": "failed"}, "late"),
        ('{"error": null, "rows": []}', {}, ""),
        ("errors were found: none", {}, ""),
    ],
)
def test_a_tool_that_failed_says_so(content, extra, error):
    assert answered(content, extra=extra).error == error


def test_a_call_without_an_answer_is_no_error():
    use = uses(read(changed("steps.1.observation", {"results": []})))[0]
    assert (use.answered, use.error, use.result_count) == (False, "", None)


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        ({"q": "x"}, "x"),
        ({"queries": ["a", "b"]}, "a; b"),
        ({"sku": "MUG"}, "MUG"),
        ({"from": "a", "to": "b"}, None),
        ({}, None),
        ("not an object", None),
    ],
)
def test_what_was_looked_for(arguments, query):
    assert query_of(arguments) == query


@pytest.mark.parametrize("name", ["web_search", "WebSearch", "tavily-search", "google_search", "search_web", "serpapi"])
def test_searches_of_the_web_are_known_by_name(name):
    assert is_web_search(name)


@pytest.mark.parametrize("name", ["search", "google_calendar", "absorbing", "binge", "policy_lookup", "webhook"])
def test_other_tools_are_none(name):
    assert not is_web_search(name)


def test_the_sample_has_one_call():
    assert [use.plain()["query"] for use in uses(read(sample("own/tool_call_v1_4.json")))] == ["MUG-BLUE"]
