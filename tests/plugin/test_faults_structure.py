"""Faults reported against tools of this kind, as users would meet them: JSON and tool calls."""

from __future__ import annotations

import json

MEMO = 'My verdict: {"verdict": "fine", "memo": "curly } and \\"open{\\" kept"} - see {below}'
TWO = '{"a": 1} {"a": 2}'
CURLY = "Use {curly} words, then [1, 2]"


def suite(rows):
    """A suite with a case for each ``(id, answer, criterion)``, and the file with its answers."""
    cases = [{"id": id, "input": "q", "criteria": [criterion]} for id, _, criterion in rows]
    text = json.dumps({"suite": "s", "target": {"responses": "answers.json"}, "cases": cases})
    return {"s.eval.json": text, "answers.json": json.dumps({id: {"output": answer} for id, answer, _ in rows})}


def equals(value, **options):
    return {"json_equals": {"expected": value, "extract": True, **options}}


def first(ran, case_id):
    return ran.case(case_id)["trials"][0]["criteria"][0]


def test_J01_the_json_inside_an_answer_is_found_by_its_grammar(alone):
    rows = [
        ("strict", MEMO, "json_valid"),
        ("strict-two", TWO, "json_valid"),
        ("strict-curly", CURLY, "json_valid"),
        ("memo", MEMO, equals({"verdict": "fine", "memo": 'curly } and "open{" kept'})),
        ("two", TWO, equals({"a": 1})),
        ("curly", CURLY, equals([1, 2])),
        ("whole", {"memo": "}"}, equals({"memo": "}"})),
        ("none", "just {words}", equals({})),
    ]
    ran = alone(suite(rows))
    assert ran.outcomes == {
        "strict": "failed", "strict-two": "failed", "strict-curly": "failed", "memo": "passed", "two": "passed",
        "curly": "passed", "whole": "passed", "none": "failed",
    }  # fmt: skip
    assert first(ran, "two")["reason"].endswith("; the first of 2 JSON values in the answer")
    assert "there is no JSON object or list in it" in first(ran, "none")["reason"]


def test_G03_json_that_parses_is_never_repaired_and_json_that_does_not_is_none(alone):
    kept = '{"score": 1, "reason": "lists a, b, ] and stops,} ok"}'
    rows = [
        ("kept", kept, equals({"score": 1, "reason": "lists a, b, ] and stops,} ok"})),
        ("in-words", f"So: {kept}.", {"json_path": {"path": "reason", "expected": "lists a, b, ] and stops,} ok", "extract": True}}),
        ("comma", '{"score": 1, "reason": "fine",}', equals({"score": 1, "reason": "fine"})),
    ]  # fmt: skip
    assert alone(suite(rows)).outcomes == {"kept": "passed", "in-words": "passed", "comma": "failed"}


def test_J03_types_are_those_of_json_schema_and_formats_are_checked(alone):
    def schema(value):
        return {"json_schema": {"schema": value}}

    day = schema({"type": "string", "format": "date"})
    rows = [
        ("true", "true", schema({"type": "integer"})),
        ("float", "1.0", schema({"type": "integer"})),
        ("text", '"1"', schema({"type": "integer"})),
        ("structured-true", True, schema({"type": "integer"})),
        ("enum", "[1]", schema({"enum": [[True]]})),
        ("const-true", "true", schema({"const": 1})),
        ("const-float", "1.0", schema({"const": 1})),
        ("day", '"2024-12-31"', day),
        ("no-day", '"2024-13-45"', day),
    ]
    ran = alone(suite(rows))
    assert ran.outcomes == {
        "true": "failed", "float": "passed", "text": "failed", "structured-true": "failed", "enum": "failed",
        "const-true": "failed", "const-float": "passed", "day": "passed", "no-day": "failed",
    }  # fmt: skip
    assert first(ran, "no-day")["reason"] == "'2024-13-45' is not a 'date'"


MISTAKES = {
    "json_schema: {schema: {type: objekt}}": "json_schema: the schema is wrong at $.type: 'objekt' is not valid",
    "json_schema: {schema: {minimum: '1'}}": "json_schema: the schema is wrong at $.minimum: '1' is not of type",
    "json_schema: gone.json": "json_schema: there is no file",
    "json_schema: [1]": "json_schema: a schema is a mapping",
    "json_schema": "json_schema needs the option 'schema'",
    "json_path: {path: a..b, expected: 1}": "json_path: 'a..b' is no path",
    "json_path: a": "criterion 'json_path' needs expected_output; add it to the case, or name it here: 'json_path: {exp",
    "json_equals: '{a'": "json_equals: expected is not JSON",
    "tool_calls": "criterion 'tool_calls' needs expected_tool_calls",
    "tool_calls: {expected: [{nam: a}]}": "tool_calls: expected must be a list of tool names",
    "latency: fast": "latency: max: 'fast' is no time",
    "cost: 1€": "cost: max must be an amount of US dollars",
    "sql_valid: postgress": "sql_valid: unknown dialect 'postgress'; did you mean 'postgres'?",
    "embedding_similarity: {expected: x, model: ada}": "embedding_similarity: model is written provider/name",
}


def test_J03_a_mistake_in_a_criterion_is_an_error_of_its_line(alone):
    cases = "".join(f"  - {{id: c{n}, input: x, criteria: [\n    {written}]}}\n" for n, written in enumerate(MISTAKES))
    broken = "  - {id: file, input: x, criteria: [{json_schema: broken.json}]}\n"
    ran = alone({"s.eval.yaml": f"target: echo\ncases:\n{cases}{broken}", "broken.json": "{\n'a': 1}"})
    assert ran.status == 2
    lines = [line for line in ran.out.splitlines() if line.startswith(("s.eval.yaml:", "broken.json:"))]
    assert len(lines) == len(MISTAKES) + 1
    for number, says in enumerate(MISTAKES.values()):
        at = (f"s.eval.yaml:{3 + 2 * number}:", f"s.eval.yaml:{4 + 2 * number}:")
        assert [line for line in lines if line.startswith(at) and says in line], says
    assert [line for line in lines if line.startswith("broken.json:2:1: this is not JSON")]
    assert "Traceback" not in ran.out


BOT = """
import json
from pytest_evals import Response, ToolCall

def answer(question):
    return Response("done", tool_calls=[ToolCall(*call) for call in json.loads(question)])
"""


def tools(rows):
    """A suite with a case for each ``(id, calls made, calls expected, options)``."""
    cases = [
        {
            "id": id,
            "input": json.dumps(made),
            "expected_tool_calls": [{"name": name} if args == "-" else {"name": name, "args": args} for name, args in wanted],
            "criteria": [{"tool_calls": options}],
        }
        for id, made, wanted, options in rows
    ]  # fmt: skip
    return {"s.eval.json": json.dumps({"suite": "s", "target": "bot.py:answer", "cases": cases}), "bot.py": BOT}


def test_L01_repeated_and_unwanted_calls_count(alone):
    search, delete, a, b = ["search"], ["delete_all"], ["a"], ["b"]
    wanted = {name: [name, "-"] for name in ("search", "a")}
    rows = [
        ("both", [search, search], [wanted["search"]] * 2, {}),
        ("one-of-two", [search], [wanted["search"]] * 2, {}),
        ("none-none", [], [], {}),
        ("unwanted", [delete], [], {}),
        ("unwanted-subset", [delete], [], {"extra": True}),
        ("extra-exact", [a, b], [wanted["a"]], {"order": "exact"}),
        ("extra-any", [a, b], [wanted["a"]], {}),
        ("extra-allowed", [a, b], [wanted["a"]], {"extra": True}),
    ]
    ran = alone(tools(rows))
    assert {case["id"]: case["score"] for case in ran.report["cases"]} == {
        "both": 1, "one-of-two": 0.5, "none-none": 1, "unwanted": 0, "unwanted-subset": 0, "extra-exact": 0.5,
        "extra-any": 0.5, "extra-allowed": 1,
    }  # fmt: skip
    passed = {case_id for case_id, outcome in ran.outcomes.items() if outcome == "passed"}
    assert passed == {"both", "none-none", "extra-allowed"}
    assert first(ran, "unwanted")["reason"] == "no call is expected: not expected: delete_all"


def test_L01_three_of_four_calls_are_not_enough(alone):
    rows = [("most", [["a"], ["b"], ["c"]], [[name, "-"] for name in "abcd"], {})]
    ran = alone(tools(rows))
    assert (ran.outcomes, ran.case("most")["score"], first(ran, "most")["mark"]) == ({"most": "failed"}, 0.75, 1)


def test_L02_arguments_are_compared_as_values(alone):
    nested = {"q": "x", "opt": {"limit": 10, "sort": "asc"}}
    rows = [
        ("decoded", [["t", '{"opt":{"sort":"asc","limit":10.0},"q":"x"}']], [["t", nested]], {}),
        ("true", [["t", {"n": True}]], [["t", {"n": 1}]], {}),
        ("text", [["t", {"n": "1"}]], [["t", {"n": 1}]], {}),
        ("blank", [["t", ""]], [["t", {"n": 1}]], {}),
        ("bad", [["t", "{bad json"]], [["t", {"n": 1}]], {}),
        ("null", [["t", None]], [["t", {}]], {}),
        ("empty-text", [["t", ""]], [["t", {}]], {}),
        ("empty", [["t", {}]], [["t", {}]], {}),
    ]
    ran = alone(tools(rows))
    assert ran.outcomes == {
        "decoded": "passed", "true": "failed", "text": "failed", "blank": "failed", "bad": "failed", "null": "passed",
        "empty-text": "passed", "empty": "passed",
    }  # fmt: skip
    assert "{bad json" in first(ran, "bad")["reason"]
