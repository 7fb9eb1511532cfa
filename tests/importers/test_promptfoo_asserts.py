"""Assertions of promptfoo give the verdicts that its documentation states.

The files are written for these tests in the shapes of promptfoo's configuration reference; what passes and fails is what
its pages on deterministic metrics and on assertions say.
"""

from __future__ import annotations

import json

import pytest

from pytest_evals.importers.promptfoo.kinds import EQUIVALENTS, JUDGED, WITHOUT
from pytest_evals.importers.promptfoo.makers import MAKERS

HEAD = "providers: [echo]\nprompts: ['{{answer}}']\ntests:\n"

SCHEMA = {"type": "object", "required": ["latitude"], "properties": {"latitude": {"type": "number", "minimum": -90}}}
XML = "<analysis><classification>T-shirt</classification></analysis>"

# what is asked, what is answered, whether it passes
STATED = [
    ({"type": "equals", "value": "The expected output"}, "The expected output", True),
    ({"type": "equals", "value": "The expected output"}, "the expected output", False),
    ({"type": "equals", "value": {"key": "value"}}, '{"key": "value"}', True),
    ({"type": "equals", "value": {"key": "value"}}, '{"key": "other"}', False),
    ({"type": "equals", "value": {"key": "value"}}, "no JSON", False),
    ({"type": "not-equals", "value": {"key": "value"}}, "no JSON", True),
    ({"type": "not-equals", "value": "a"}, "a", False),
    ({"type": "contains", "value": "substring"}, "a substring of it", True),
    ({"type": "contains", "value": "Substring"}, "a substring of it", False),
    ({"type": "icontains", "value": "Substring"}, "a substring of it", True),
    ({"type": "contains", "value": 0}, "containing 0", True),
    ({"type": "not-icontains", "value": "SORRY"}, "so sorry", False),
    ({"type": "contains-all", "value": ["1,000", "in stock"]}, "1,000 are in stock", True),
    ({"type": "contains-all", "value": ["1,000", "in stock"]}, "1,000 are in Stock", False),
    ({"type": "icontains-all", "value": ["1,000", "in stock"]}, "1,000 are in Stock", True),
    ({"type": "contains-any", "value": ["yes", "no"]}, "oh no", True),
    ({"type": "contains-any", "value": ["yes", "no"]}, "NO", False),
    ({"type": "icontains-any", "value": ["yes", "no"]}, "NO", True),
    ({"type": "contains-any", "value": "yes, no"}, "oh no", True),
    ({"type": "not-contains-any", "value": ["yes", "no"]}, "maybe", True),
    ({"type": "starts-with", "value": "Yes"}, "Yes, it is", True),
    ({"type": "starts-with", "value": "Yes"}, "yes, it is", False),
    ({"type": "regex", "value": r"\d{4}"}, "in 1999", True),
    ({"type": "regex", "value": r"\d{4}"}, "in 199", False),
    ({"type": "not-regex", "value": r"\d{4}"}, "in 199", True),
    ({"type": "is-json"}, '{"a": 1}', True),
    ({"type": "is-json"}, 'Here: {"a": 1}', False),
    ({"type": "contains-json"}, 'Here: {"a": 1}', True),
    ({"type": "not-contains-json"}, "nothing", True),
    ({"type": "is-json", "value": SCHEMA}, '{"latitude": 12}', True),
    ({"type": "is-json", "value": SCHEMA}, '{"latitude": -91}', False),
    ({"type": "is-json", "value": json.dumps(SCHEMA)}, '{"longitude": 1}', False),
    ({"type": "contains-json", "value": SCHEMA}, 'Sure: {"latitude": 12} is it', True),
    ({"type": "not-is-json", "value": SCHEMA}, '{"latitude": -91}', True),
    ({"type": "is-xml"}, "<root><child>Content</child></root>", True),
    ({"type": "is-xml"}, "<root><child>Content</child></root", False),
    ({"type": "not-is-xml"}, "no XML", True),
    ({"type": "word-count", "value": 3}, "one two three", True),
    ({"type": "word-count", "value": 3}, "one two", False),
    ({"type": "word-count", "value": {"min": 2, "max": 3}}, "one two three", True),
    ({"type": "word-count", "value": {"min": 2}}, "one", False),
    ({"type": "word-count", "value": {"max": 2}}, "one two three", False),
    ({"type": "levenshtein", "value": "hello world", "threshold": 2}, "hello worlds", True),
    ({"type": "levenshtein", "value": "hello world", "threshold": 2}, "hallo wurlds", False),
    ({"type": "levenshtein", "value": "hello world"}, "hello world", True),
    ({"type": "rouge-n", "value": "hello world"}, "hello world", True),
    ({"type": "rouge-n", "value": "hello world", "threshold": 0.6}, "good bye", False),
    ({"type": "not-rouge-n", "value": "hello world", "threshold": 0.75}, "good bye", True),
    ({"type": "not-rouge-n", "value": "hello world"}, "hello world", False),
    ({"type": "rouge-n", "value": "The Cat Sat"}, "the cat sat", True),
    ({"type": "bleu", "value": "hello world of words"}, "hello world of words", True),
    ({"type": "bleu", "value": "hello world of words", "threshold": 0.7}, "nothing like it", False),
    ({"type": "bleu", "value": ["another", "hello world of words"]}, "hello world of words", True),
]


def test_stated_verdicts(importing):
    tests = [
        f"  - {json.dumps({'description': f't{n}', 'vars': {'answer': answer}, 'assert': [asked]})}\n"
        for n, (asked, answer, _) in enumerate(STATED)
    ]
    made = importing("promptfoo", HEAD + "".join(tests))
    assert made.notes("dropped") == []
    outcomes = made.outcomes()
    wrong = [
        (asked, answer, outcomes[f"t{n}"])
        for n, (asked, answer, passes) in enumerate(STATED)
        if outcomes[f"t{n}"] != ("passed" if passes else "failed")
    ]
    assert wrong == []


def test_every_equivalent_has_a_maker_and_no_type_is_in_two_tables():
    assert set(MAKERS) == set(EQUIVALENTS) - {"assert-set"}
    listed = [*EQUIVALENTS, *JUDGED, *WITHOUT]
    assert len(listed) == len(set(listed))


def test_tool_calls_are_compared_by_name(importing):
    config = """
        providers: [echo]
        prompts: ['{{q}}']
        tests:
          - {description: same, vars: {q: x}, assert: [{type: tool-call-f1, value: [get_weather, book_flight]}]}
          - {description: one-missing, vars: {q: x}, assert: [{type: tool-call-f1, value: 'get_weather, book_flight'}]}
          - {description: used, vars: {q: x}, assert: [{type: 'trajectory:tool-used', value: search_orders}]}
          - {description: not-used, vars: {q: x}, assert: [{type: 'not-trajectory:tool-used', value: delete_all}]}
          - description: args
            vars: {q: x}
            assert:
              - {type: 'trajectory:tool-args-match', value: {name: orders, args: {id: '123'}}}
          - description: exact-args
            vars: {q: x}
            assert:
              - {type: 'trajectory:tool-args-match', value: {name: orders, mode: exact, args: {id: '123'}}}
          - description: sequence
            vars: {q: x}
            assert: [{type: 'trajectory:tool-sequence', value: {steps: [a, c]}}]
    """
    calls = {
        "same": ["book_flight", "get_weather"],
        "one-missing": ["get_weather"],
        "used": ["search_orders", "other"],
        "not-used": ["search_orders"],
        "args": [{"name": "orders", "args": {"id": "123", "page": 1}}],
        "exact-args": [{"name": "orders", "args": {"id": "123", "page": 1}}],
        "sequence": ["a", "b", "c"],
    }
    rows = [
        json.dumps(
            {"id": case_id, "output": "", "tool_calls": [c if isinstance(c, dict) else {"name": c} for c in made]}
        )
        for case_id, made in calls.items()
    ]
    files = {"promptfooconfig.yaml": config, "evals/calls.jsonl": "\n".join(rows)}
    made = importing("promptfoo", files, target='{"responses": "calls.jsonl"}')
    assert made.outcomes() == {
        "same": "passed",
        "one-missing": "failed",
        "used": "passed",
        "not-used": "passed",
        "args": "passed",
        "exact-args": "failed",
        "sequence": "passed",
    }


def test_cost_and_latency_are_criteria_of_the_call(importing):
    config = HEAD + (
        "  - {description: t, vars: {answer: x}, assert: [{type: cost, threshold: 0.001}, {type: latency, threshold: 200}]}\n"
    )
    made = importing("promptfoo", config)
    assert made.case("t")["criteria"] == [{"cost": {"max": 0.001}}, {"latency": {"max": "200ms"}}]
    assert made.written.problems == ()


def test_weight_metric_and_threshold_of_a_test(importing):
    # equal weights: one of two is a score of 0.5
    config = (
        HEAD
        + """
  - description: half-is-enough
    vars: {answer: good}
    threshold: 0.5
    assert: [{type: contains, value: good}, {type: contains, value: bad}]
  - description: half-is-not-enough
    vars: {answer: good}
    threshold: 0.6
    assert: [{type: contains, value: good}, {type: contains, value: bad}]
  - description: weight-counts
    vars: {answer: good}
    threshold: 0.6
    assert: [{type: contains, value: good, weight: 2, metric: kind}, {type: contains, value: bad}]
  - description: a-mark-decides-nothing
    vars: {answer: good}
    threshold: 0.5
    assert: [{type: contains, value: good}, {type: rouge-n, value: another text, threshold: 0.9}]
  - description: all-without-weight
    vars: {answer: good}
    assert: [{type: contains, value: bad, weight: 0}]
  - description: without-weight-it-cannot-fail
    vars: {answer: good}
    assert: [{type: contains, value: good}, {type: contains, value: bad, weight: 0}]
"""
    )
    made = importing("promptfoo", config)
    assert made.outcomes() == {
        "half-is-enough": "passed",
        "half-is-not-enough": "failed",
        "weight-counts": "passed",
        "a-mark-decides-nothing": "passed",
        "all-without-weight": "passed",
        "without-weight-it-cannot-fail": "passed",
    }
    assert made.case("weight-counts")["criteria"][0]["contains"]["name"] == "kind"


def test_assert_sets(importing):
    cheap = [{"type": "contains", "value": "cheap"}, {"type": "contains", "value": "fast"}]

    def test(name, answer, **options):
        given = {"type": "assert-set", "assert": cheap, **options}
        return f"  - {json.dumps({'description': name, 'vars': {'answer': answer}, 'assert': [given]})}\n"

    config = HEAD + "".join(
        [
            test("all-pass", "cheap and fast"),
            test("one-fails", "cheap"),
            test("one-of-two", "cheap", threshold=0.5),
            test("none-of-two", "slow", threshold=0.5),
            test("two-of-two", "cheap", threshold=0.9),
        ]
    )
    made = importing("promptfoo", config)
    assert made.outcomes() == {
        "all-pass": "passed",
        "one-fails": "failed",
        "one-of-two": "passed",
        "none-of-two": "failed",
        "two-of-two": "failed",
    }


def test_the_metric_of_a_set_is_told(importing):
    given = {"type": "assert-set", "metric": "m", "assert": [{"type": "contains", "value": "x"}]}
    made = importing(
        "promptfoo", HEAD + f"  - {json.dumps({'description': 't', 'vars': {'answer': 'x'}, 'assert': [given]})}\n"
    )
    assert "metric m of assert-set (case t): its parts stand in the case" in made.notes("changed")[0]


def test_a_set_keeps_its_part_of_the_score(importing):
    config = (
        HEAD
        + """
  - description: t
    vars: {answer: x}
    threshold: 0.5
    assert:
      - {type: contains, value: x}
      - {type: assert-set, weight: 2, assert: [{type: contains, value: a}, {type: contains, value: b, weight: 3}]}
"""
    )
    criteria = importing("promptfoo", config).case("t")["criteria"]
    assert [c["contains"].get("weight", 1) for c in criteria] == [1, 0.5, 1.5]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"type": "llm-rubric", "value": "is kind"}, "assert llm-rubric (case t): a model judges it"),
        ({"type": "not-factuality", "value": "x"}, "assert not-factuality (case t): a model judges it"),
        ({"type": "javascript", "value": "output.length < 5"}, "assert javascript (case t): its code is not run"),
        ({"type": "python", "value": "file://check.py"}, "assert python (case t): there is no file check.py"),
        ({"type": "is-refusal"}, "say which with contains_any or regex"),
        ({"type": "contians", "value": "x"}, "no assertion of promptfoo that is known here"),
        ({"type": "contains", "value": "x", "transform": "output.trim()"}, "its 'transform' changes the answer"),
        ({"type": "contains", "value": "{% if a %}x{% endif %}"}, "'{% if %}' is not read"),
        ({"type": "equals", "value": "file://gone.txt"}, "there is no file"),
        ({"type": "is-xml", "value": {"requiredElements": ["a.b"]}}, "no scorer looks for elements of XML"),
        ({"type": "tool-call-f1", "value": ["a"], "threshold": 0.8}, "not F1"),
        ({"type": "cost", "weight": 0, "metric": "m"}, "it has no threshold"),
        ({"type": "assert-set", "threshold": 0.5, "assert": [{"type": "is-json"}] * 3}, "not for a share of them"),
        ({"type": "trajectory:tool-used", "value": {"pattern": "s*"}}, "compares names, not patterns"),
        ("x", "an assertion is a mapping"),
    ],
)
def test_what_has_no_equivalent_is_listed_with_its_place_and_kept(importing, asked, told):
    test = {"description": "t", "vars": {"answer": "x"}, "assert": [{"type": "contains", "value": "x"}, asked]}
    made = importing("promptfoo", HEAD + f"  - {json.dumps(test)}\n")
    (note,) = made.notes("dropped")
    assert note.startswith("promptfooconfig.yaml:4: ")
    assert told in note
    assert "x-not-imported:" in made.text
    assert "# not imported: promptfooconfig.yaml:4: " in made.text
    assert made.outcomes() == {"t": "passed"}


def test_a_test_of_which_nothing_could_be_imported_is_skipped(importing):
    config = HEAD + "  - {description: t, vars: {answer: x}, assert: [{type: llm-rubric, value: is kind}]}\n"
    made = importing("promptfoo", config)
    assert made.outcomes() == {"t": "skipped"}


def test_a_test_that_asks_nothing_is_scored_and_passes_nothing(importing):
    assert importing("promptfoo", HEAD + "  - {description: t, vars: {answer: x}}\n").outcomes() == {"t": "scored"}


def test_files_of_values_and_schemas_are_found_from_the_suite(importing):
    config = (
        HEAD
        + """
  - {description: schema, vars: {answer: '{"latitude": 1}'}, assert: [{type: is-json, value: 'file://data/s.json'}]}
  - {description: value, vars: {answer: '{"a": 1}'}, assert: [{type: equals, value: 'file://data/v.json'}]}
  - {description: text, vars: {answer: some text}, assert: [{type: contains, value: 'file://data/t.txt'}]}
"""
    )
    files = {"promptfooconfig.yaml": config, "data/s.json": SCHEMA, "data/v.json": {"a": 1}, "data/t.txt": "some"}
    made = importing("promptfoo", files)
    assert made.case("schema")["criteria"] == [{"json_schema": "../data/s.json"}]
    assert made.outcomes() == {"schema": "passed", "value": "passed", "text": "passed"}
