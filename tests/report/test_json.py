"""The JSON report."""

from __future__ import annotations

import copy
import json
import tracemalloc
from importlib.resources import files

import pytest
from factories import criterion, error, result, session
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.outcome import Outcome
from pytest_evals.model.response import ToolCall, Usage
from pytest_evals.model.result import Attempt, Trial
from pytest_evals.model.run import Budget
from pytest_evals.report.json import write_json
from pytest_evals.report.rows import row_of
from pytest_evals.stats import decide

SCHEMA = json.loads(files("pytest_evals.report").joinpath("report.schema.json").read_text("utf-8"))


@pytest.fixture
def validator():
    Draft202012Validator.check_schema(SCHEMA)
    return Draft202012Validator(SCHEMA)


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


def written(path, results, **fields):
    """The report of these results, read by a parser that takes nothing but JSON."""
    rows = [row_of(one) for one in results]
    write_json(path, session(rows, **fields), results)
    return json.loads(path.read_bytes().decode("utf-8"), parse_constant=refuse)


def mixed():
    late = error("timeout", "no answer within 30 s")
    return [
        result(
            "passed",
            "good",
            output={"answer": ["30 days"]},
            expected_output="30 days",
            reference_outputs=("thirty days",),
            tags=("smoke", "a b"),
            category="refunds",
            metadata={"ticket": 1234},
            context=["c"],
            score=1.0,
            criteria=(criterion("contains", 1.0, reason="found", detail={"at": 3}),),
            attempts=(Attempt(30_000.0, late), Attempt(340.0)),
            latency_ms=340.0,
            scoring_ms=0.5,
            usage=Usage(100, 20, 50),
            cost_usd=0.25,
            tool_calls=(ToolCall("lookup", {"topic": "returns"}), ToolCall("end")),
            variant="small",
        ),
        result(
            "failed", "bad", criteria=(criterion("contains", 0.0, threshold=1.0),), score=0.0, threshold=0.7, warn=0.5
        ),
        result("warned", "near", score=0.6, threshold=0.7, gated=True),
        result("errored", "late", error=late, attempts=(Attempt(30_000.0, late),)),
        result("scored", "open", threshold="unset", score=0.4),
        result("skipped", "later", skip_reason="no key"),
        result("failed", "known", xfail="a bug", suite="other"),
        result("passed", "twice", trials=(Trial(Outcome.PASSED, "a"), Trial(Outcome.PASSED, "b", latency_ms=1.0))),
    ]


def full(path, **fields):
    results = mixed()
    rows = [row_of(one) for one in results]
    gates = [parse_gate(t) for t in ("pass_rate(tag=smoke) >= 95%", "score.contains.mean >= 0.9", "latency.p95 <= 2s")]
    verdicts = [*decide(gates, rows), *decide(gates[:1], [])]
    fields = {"not_run": ["x::y"], "params": {"args": ["-x"]}, "stopped": "why", **fields}
    return written(path, results, verdicts=verdicts, budget=[Budget("cost_usd", 1.0, 1.25, 2)], **fields)


def test_a_report_of_everything_fits_the_schema(validator, tmp_path):
    report = full(tmp_path / "r.json", exit_status=1)
    validator.validate(report)
    assert report["format"] == 1
    assert report["exit_status"] == 1
    assert report["summary"]["counts"] == {
        "passed": 2,
        "warned": 1,
        "failed": 1,
        "errored": 1,
        "scored": 1,
        "skipped": 1,
        "xfailed": 1,
        "xpassed": 0,
        "xerrored": 0,
        "missed": 0,
    }
    assert report["summary"]["pass_rate"] == 0.4
    assert [group["name"] for group in report["summary"]["by_suite"]] == ["bot", "other"]
    assert [group["name"] for group in report["summary"]["by_tag"]] == ["smoke", "a b"]
    assert report["summary"]["by_category"][0]["latency_ms"]["p95"] == 340.0
    assert report["summary"]["input_tokens"] == {"total": 100, "known": 1, "unknown": 6}
    assert [gate["verdict"] for gate in report["gates"]] == ["held", "broken", "held", "undecided"]
    assert report["gates"][0]["scope"] == [{"key": "tag", "value": "smoke"}]
    assert (report["not_run"], report["params"], report["stopped"]) == (["x::y"], {"args": ["-x"]}, "why")
    assert report["budget"] == [{"name": "cost_usd", "limit": 1.0, "spent": 1.25, "unknown": 2, "reached": True}]


def test_a_case_has_everything_of_its_result(tmp_path):
    good, bad, *_ = full(tmp_path / "r.json")["cases"]
    assert (good["id"], good["suite"], good["variant"], good["outcome"]) == ("good", "bot", "small", "passed")
    assert (good["tags"], good["category"], good["metadata"]) == (["smoke", "a b"], "refunds", {"ticket": 1234})
    assert (good["output"], good["expected_output"]) == ({"answer": ["30 days"]}, "30 days")
    assert good["criteria"][0] == {
        "name": "contains",
        "scorer": "contains",
        "mark": 1.0,
        "score": 1.0,
        "passed": True,
        "weight": 1.0,
        "threshold": None,
        "reason": "found",
        "detail": {"at": 3},
        "error": None,
    }
    (trial,) = good["trials"]
    assert trial["attempts"][0]["error"]["kind"] == "timeout"
    assert trial["attempts"][1] == {"latency_ms": 340.0, "error": None, "queue_ms": None}
    assert trial["usage"] == {"input_tokens": 100, "output_tokens": 20, "cached_tokens": 50}
    assert trial["tool_calls"] == [{"name": "lookup", "args": {"topic": "returns"}}, {"name": "end", "args": None}]
    assert bad["headline"] == "score 0 < 0.70; contains 0"


def test_the_last_trial_stands_for_the_case(tmp_path):
    cases = {case["id"]: case for case in full(tmp_path / "r.json")["cases"]}
    assert (cases["twice"]["output"], cases["twice"]["latency_ms"]) == ("b", 1.0)
    assert [trial["output"] for trial in cases["twice"]["trials"]] == ["a", "b"]
    assert (cases["later"]["output"], cases["later"]["criteria"], cases["later"]["trials"]) == (None, [], [])


def test_p09_a_report_of_nothing_is_unknown_not_perfect(validator, tmp_path):
    report = written(tmp_path / "r.json", [])
    validator.validate(report)
    assert report["cases"] == []
    assert (report["summary"]["pass_rate"], report["summary"]["latency_ms"]["p95"]) == (None, None)


def places(value, path=()):
    """Every place of a report: ``("cases", 0, "outcome")``."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield (*path, key)
        yield from places(part, (*path, key))


FREE = ("params", "metadata", "input", "context", "expected_output", "output", "args", "detail", "tools")
"""What may hold anything."""


def test_the_schema_rejects_a_report_without_any_one_of_its_keys_or_with_one_more(validator, tmp_path):
    report = full(tmp_path / "r.json")
    keys = [p for p in places(report) if isinstance(p[-1], str) and not any(part in FREE for part in p[:-1])]
    keys = [p for p in keys if "errors" not in p[:-1]]
    assert len(keys) > 500
    for path in keys[:: max(1, len(keys) // 400)] + [p for p in keys if len(p) < 3]:
        broken = copy.deepcopy(report)
        holder = broken
        for part in path[:-1]:
            holder = holder[part]
        taken = holder.pop(path[-1])
        assert not validator.is_valid(broken), f"valid without {path}"
        holder[path[-1]] = taken
        holder["unheard of"] = taken
        assert not validator.is_valid(broken), f"valid with a further key beside {path}"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), 2),
        (("exit_status",), "0"),
        (("duration_s",), -1),
        (("summary", "pass_rate"), 1.5),
        (("summary", "pass_rate"), "NaN"),
        (("summary", "cases"), -1),
        (("summary", "errors"), {"weather": 1}),
        (("summary", "errors"), {"timeout": 0}),
        (("budget", 0, "name"), "patience"),
        (("budget", 0, "spent"), -1),
        (("gates", 0, "verdict"), "maybe"),
        (("gates", 0, "metric"), "pass_rat"),
        (("gates", 0, "operator"), "=>"),
        (("cases", 0, "outcome"), "great"),
        (("cases", 0, "score"), 7),
        (("cases", 0, "tags"), "smoke"),
        (("cases", 0, "threshold"), "none"),
        (("cases", 0, "trials", 0, "latency_ms"), -5),
        (("cases", 0, "trials", 0, "usage", "input_tokens"), 0.5),
        (("cases", 3, "error", "kind"), "weather"),
        (("cases",), {}),
    ],
)
def test_the_schema_rejects_values_that_cannot_be(validator, tmp_path, path, value):
    report = full(tmp_path / "r.json")
    holder = report
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = value
    assert not validator.is_valid(report)


HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\x00\x0b\ufffe\uffff",
    "]]>",
    "lone \ud83d surrogate \udc00",
    "\U0001f600 \U00020000",
    "</script>",
    'quote " backslash \\ tab \t newline \n \r \u2028 \u2029',
    "\\ud83d as typed",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_o03_hostile_text_is_valid_json_for_every_parser(validator, tmp_path, text):
    of = result(
        "failed",
        text,
        name=text,
        input=text,
        output={text: text},
        tags=(text,),
        criteria=(criterion(text, reason=text),),
    )
    report = written(tmp_path / "r.json", [of], not_run=[text], stopped=text)
    validator.validate(report)
    shown = text.replace("\ud83d", "\\ud83d").replace("\udc00", "\\udc00")
    (case,) = report["cases"]
    assert (case["id"], case["input"], case["output"], case["tags"]) == (shown, shown, {shown: shown}, [shown])
    # no surrogate is left in the file, not even as an escape
    (tmp_path / "r.json").read_bytes().decode("utf-8")
    json.dumps(report, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a01_nan_is_unknown_in_figures_and_text_in_answers(validator, tmp_path, value):
    of = result(
        "errored",
        output=value,
        input=[value],
        score=value,
        criteria=(criterion("tone", value, detail={"x": value}),),
        latency_ms=value,
        cost_usd=value,
        attempts=(Attempt(value),),
        metadata={"x": value},
    )
    report = written(tmp_path / "r.json", [of])
    validator.validate(report)
    case = report["cases"][0]
    assert (case["score"], case["latency_ms"], case["cost_usd"], case["criteria"][0]["score"]) == (None,) * 4
    assert (case["output"], case["input"], case["metadata"]) == (str(value), [str(value)], {"x": str(value)})
    assert report["summary"]["score"]["mean"] is None


texts = st.text(st.characters(), max_size=20)  # lone surrogates as well
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=60)
@given(anything, texts)
def test_whatever_an_application_returns_the_report_fits_the_schema(tmp_path_factory, value, text):
    of = result(
        "passed", text or "x", output=value, input=value, metadata={"v": value}, tool_calls=(ToolCall(text, value),)
    )
    report = written(tmp_path_factory.mktemp("r") / "r.json", [of])
    Draft202012Validator(SCHEMA).validate(report)


def test_cases_are_in_the_order_of_the_session_whatever_order_they_come_in(tmp_path):
    results = [result("passed", f"c{n}") for n in range(50)]
    rows = [row_of(one) for one in results]
    write_json(tmp_path / "r.json", session(rows), reversed(results))
    cases = json.loads((tmp_path / "r.json").read_text("utf-8"))["cases"]
    assert [case["id"] for case in cases] == [f"c{n}" for n in range(50)]


def test_the_last_result_of_a_case_counts(tmp_path):
    first, second = result("failed", "c", output="first"), result("passed", "c", output="second")
    write_json(tmp_path / "r.json", session([row_of(second)]), [first, second])
    (case,) = json.loads((tmp_path / "r.json").read_text("utf-8"))["cases"]
    assert (case["outcome"], case["output"]) == ("passed", "second")


def test_memory_does_not_grow_with_the_texts(tmp_path):
    """2,000 cases with 20 kB each: 40 MB of texts, twice in the file."""
    rows = [row_of(result("passed", f"c{n}")) for n in range(2000)]
    of = session(rows)
    tracemalloc.start()
    try:
        write_json(tmp_path / "r.json", of, (result("passed", f"c{n}", output="x" * 20_000) for n in range(2000)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (tmp_path / "r.json").stat().st_size > 40_000_000
    assert peak < 4_000_000


def test_a_file_is_whole_or_as_it_was(tmp_path):
    path = tmp_path / "r.json"
    path.write_text("before")

    def results():
        yield result("passed", "a")
        raise OSError("the journal is gone")

    with pytest.raises(OSError, match="journal"):
        write_json(path, session([]), results())
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]
