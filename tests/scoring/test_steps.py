from __future__ import annotations

import pytest
from documents_atif import document

from pytest_evals import Response, ScorerError, ScriptedClient, ToolCall, run_suite, score
from pytest_evals.atif import read
from pytest_evals.atif.calls import calls_by_tool
from pytest_evals.atif.summary import summary
from pytest_evals.engine.steps import NoKeeper, gather, references
from pytest_evals.model.outcome import Outcome
from pytest_evals.model.result import Trial


def agent(*calls, **changes):
    """An answer of an agent that made these calls, each (name, arguments) or (name, arguments, result), a step each."""
    steps = [{"step_id": 1, "source": "user", "message": "?"}]
    for number, (name, arguments, *result) in enumerate(calls, 2):
        steps.append(
            {
                "step_id": number,
                "source": "agent",
                "message": "",
                "tool_calls": [{"tool_call_id": "c", "function_name": name, "arguments": arguments}],
                "observation": {"results": [{"source_call_id": "c", "content": text} for text in result]},
                "metrics": {"cost_usd": number / 1000},
            }
        )
    return Response("done", trajectory=document(steps=steps, **changes))


SHOP = agent(
    ("search", {"query": "mug", "page": 1}), ("stock", {"sku": "MUG"}, "12"), ("stock", {"sku": "CUP"}, "Error: gone")
)


def holds(scorer, answer=SHOP, **options):
    return score(scorer, answer, **options)


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("tool_called", {"tool": "stock"}, True),
        ("tool_called", {"tool": "stock", "args": {"sku": "CUP"}}, True),
        ("tool_called", {"tool": "stock", "args": {"sku": "POT"}}, False),
        ("tool_called", {"tool": "stock", "min": 3}, False),
        ("tool_called", {"tool": "stock", "max": 1}, False),
        ("tool_called", {"tool": "refund"}, False),
        ("tool_not_called", {"tool": "refund"}, True),
        ("tool_not_called", {"tool": ["refund", "stock"]}, False),
        ("tool_order", {"tools": ["search", "stock"]}, True),
        ("tool_order", {"tools": ["stock", "stock"]}, True),
        ("tool_order", {"tools": ["stock", "search"]}, False),
        ("tool_order", {"tools": ["search", "refund"]}, False),
        ("tool_arguments", {"tool": "search", "args": {"query": "mug"}}, True),
        ("tool_arguments", {"tool": "search", "args": {"query": "mug"}, "match": "exact"}, False),
        ("tool_arguments", {"tool": "search", "args": {"query": "mug", "page": 1}, "match": "exact"}, True),
        ("tool_arguments", {"tool": "stock", "args": {"sku": "CUP"}}, True),
        ("tool_arguments", {"tool": "stock", "args": {"sku": "CUP"}, "which": "all"}, False),
        ("tool_arguments", {"tool": "stock", "args": {"sku": "CUP"}, "which": "first"}, False),
        ("tool_arguments", {"tool": "stock", "args": {"sku": "CUP"}, "which": "last"}, True),
        ("tool_arguments", {"tool": "search", "arguments": {"query": {"regex": "^m"}}}, True),
        ("tool_arguments", {"tool": "search", "arguments": {"query": {"regex": "^c"}}}, False),
        ("tool_arguments", {"tool": "refund", "args": {}}, False),
        ("max_steps", {"max": 3}, True),
        ("max_steps", {"max": 2}, False),
        ("max_tool_calls", {"max": 3}, True),
        ("max_tool_calls", {"max": 2}, False),
        ("max_tool_calls", {"max": 1, "tool": "search"}, True),
        ("no_repeated_calls", {}, True),
        ("no_tool_errors", {}, False),
        ("no_tool_errors", {"max": 1}, True),
        ("no_tool_errors", {"ignore": "stock"}, True),
        ("step_cost", {"max": "$0.004"}, True),
        ("step_cost", {"max": 0.003}, False),
    ],
)
def test_what_an_agent_did(name, options, value):
    found = holds(name, **options)
    assert found.value is value
    assert found.reason


def test_reasons_name_the_step_and_what_was_there():
    assert holds("tool_arguments", tool="stock", args={"sku": "POT"}, which="all").reason.startswith(
        "stock in step 3: sku"
    )
    assert holds("no_tool_errors").reason == "stock in step 4: Error: gone"
    assert holds("tool_not_called", tool="search").reason == "search was called in step 2"
    assert (
        holds("tool_called", tool="refund").reason
        == "refund was not called, at least 1 wanted; called: stock 2×, search"
    )
    assert holds("step_cost", max=0.003).reason == "step 4 cost $0.004, above $0.003"


def test_a_loop_is_caught_whatever_the_order_of_arguments():
    loop = agent(("search", {"a": 1, "b": 2}), ("stock", {}), ("search", {"b": 2, "a": 1}))
    found = holds("no_repeated_calls", loop)
    assert found.value is False
    assert found.reason == 'search {"a": 1, "b": 2} was called 2× (steps 2, 4)'
    assert holds("no_repeated_calls", loop, max=2).value is True
    assert holds("no_repeated_calls", loop, ignore=["search"]).value is True


WAY = ["search", "stock", "pay"]


@pytest.mark.parametrize(
    ("made", "order", "value"),
    [
        ("search stock pay", "exact", 1),
        ("search pay stock", "exact", 0),
        ("search stock pay pay", "exact", 0),
        ("search pay stock", "in_order", 2 * 2 / 6),
        ("search pay stock", "any", 1),
        ("search search search", "any", 2 * 1 / 6),
        ("search stock look pay", "in_order", 2 * 3 / 7),
        ("", "in_order", 0),
    ],
)
def test_the_way_is_compared_exactly_in_order_or_in_any_order(made, order, value):
    answer = agent(*((name, {}) for name in made.split()))
    assert holds("trajectory_match", answer, expected=WAY, order=order).value == pytest.approx(value)


def test_no_way_at_all_is_a_match_when_none_is_expected():
    assert holds("trajectory_match", agent(), expected=[]).value == 1


def test_arguments_count_in_a_match_as_in_tool_calls():
    wanted = [{"name": "stock", "args": {"sku": "MUG"}}]
    assert holds("trajectory_match", SHOP, expected=wanted).value == pytest.approx(2 / 4)
    assert holds("trajectory_match", SHOP, expected=[{"name": "stock", "args": {"sku": "POT"}}]).value == 0
    assert (
        holds("trajectory_match", SHOP, expected=[{"name": "stock", "args": {"sku": "POT"}}], args="ignore").value > 0
    )


def test_tool_calls_reads_trajectories_too():
    assert holds("tool_calls", expected=["search", "stock", "stock"]).value == 1


def test_calls_that_the_answer_tells_of_are_enough_for_scorers_of_calls():
    told = Response("x", tool_calls=[ToolCall("stock", {"sku": "A"}), ToolCall("stock", '{"sku": "A"}')])
    assert holds("tool_called", told, tool="stock", min=2).value is True
    assert holds("no_repeated_calls", told).value is False


@pytest.mark.parametrize(
    ("name", "options"), [("max_steps", {"max": 1}), ("no_tool_errors", {}), ("step_cost", {"max": 1})]
)
def test_scorers_of_steps_need_recorded_steps(name, options):
    with pytest.raises(ScorerError, match="none were recorded"):
        holds(name, Response("x"), **options)


def test_a_trajectory_that_cannot_be_read_is_no_score():
    with pytest.raises(ScorerError, match=r"cannot be read: \$\.steps"):
        holds("tool_not_called", Response("x", trajectory={"steps": 1}), tool="pay")
    with pytest.raises(ScorerError, match="cannot be read: lost"):
        holds("tool_not_called", Response("x", metadata={"trajectory_problem": "lost"}), tool="pay")


def test_an_unknown_cost_of_a_step_is_no_score():
    answer = agent(("f", {}))
    del answer.trajectory["steps"][1]["metrics"]
    with pytest.raises(ScorerError, match="the cost of step 2 is unknown"):
        holds("step_cost", answer, max=1)
    answer.trajectory["steps"][1]["llm_call_count"] = 0
    assert holds("step_cost", answer, max=1).reason == "no step asked a model"


def test_subagents_count_unless_said_otherwise():
    answer = agent(("delegate", {}), subagent_trajectories=[agent(("pay", {})).trajectory])
    assert holds("tool_not_called", answer, tool="pay").value is False
    assert holds("tool_not_called", answer, tool="pay", subagents=False).value is True
    assert holds("max_steps", answer, max=1).value is False
    assert holds("max_steps", answer, max=1, subagents=False).value is True


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("tool_called", {}, "needs the option 'tool'"),
        ("tool_called", {"tool": "f", "min": 3, "max": 1}, "max is below min"),
        ("tool_called", {"tool": "f", "args": "{"}, "arguments that are not JSON"),
        ("tool_arguments", {"tool": "f"}, "say what is expected of the arguments"),
        ("tool_arguments", {"tool": "f", "arguments": {"x": "max_steps"}}, "'max_steps' is no scorer of arguments"),
        ("trajectory_match", {"expected": [1]}, "expected must be a list of tool names"),
        ("step_cost", {"max": "a lot"}, "must be an amount of US dollars"),
        ("max_steps", {"max": -1}, "max must be a whole number of at least 0"),
    ],
)
def test_options_that_cannot_be_are_refused(name, options, said):
    with pytest.raises(ScorerError, match=said):
        holds(name, **options)


class TestEvidence:
    def test_short_trajectories_are_whole(self):
        told = summary([read(SHOP.trajectory)])
        assert told.splitlines()[0] == "Agent shop, 4 steps"
        assert '   calls stock {"sku": "MUG"}\n   gets 12' in told
        assert "left out" not in told

    def test_long_ones_are_shortened_and_what_is_missing_is_said(self):
        answer = agent(*((f"tool{n % 2}", {"n": n}, "x" * 10_000) for n in range(200)))
        told = summary([read(answer.trajectory)], limit=8000)
        assert len(told) < 9000
        assert "… [9750 more characters]" in told
        assert "steps are left out, " in told
        assert "tools called in them: tool" in told
        assert "200. agent" in told
        assert "[200 texts were cut to 250 characters]" in told

    def test_no_trajectory_is_said(self):
        assert summary([]) == "no steps were recorded"


def test_the_calls_of_a_trial_are_told_by_tool():
    found, _ = gather((), SHOP.trajectory, NoKeeper())
    trial = Trial(Outcome.PASSED, trajectories=references(found, NoKeeper())[0])
    assert [call["query"] for call in calls_by_tool(trial)["stock"]] == ["MUG", "CUP"]
    assert list(calls_by_tool(trial, "search")) == ["search"]
    told = Trial(Outcome.PASSED, tool_calls=(ToolCall("web_search", {"query": "q"}),))
    assert calls_by_tool(told)["web_search"][0]["step"] is None


def test_a_judge_sees_the_steps_as_evidence():
    seen = []

    def reply(request):
        seen.append(request.messages[-1]["content"])
        return '{"reason": "it looked", "score": 1}'

    case = {
        "id": "a",
        "input": "mugs?",
        "criteria": [{"llm_judge": {"rubric": "It looked the stock up.", "evidence": "trajectory"}}],
    }

    def judged(answer):
        client = {"mine": ScriptedClient(reply)}
        return run_suite([case], lambda input: answer, clients=client, judge="mine/judge", history=False)

    with_steps, without = judged(SHOP), judged("12")
    assert with_steps.results[0].outcome == "passed"
    assert "BEGIN STEPS>>>\nAgent shop, 4 steps" in seen[0]
    assert 'calls stock {"sku": "MUG"}' in seen[0]
    assert without.results[0].outcome == "errored"
    assert "none were recorded" in without.results[0].trials[0].criteria[0].error.message
    assert len(seen) == 1
