from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_evals import Response, Usage, trajectory
from pytest_evals.atif.collector import COLLECTOR, Collector
from pytest_evals.atif.exchange import exchange
from pytest_evals.atif.totals import totals
from pytest_evals.engine.runner import Asking, Engine
from pytest_evals.engine.target import from_callable
from pytest_evals.model.case import Case
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.llm import Reply, Request, Tool
from pytest_evals.model.response import ToolCall
from pytest_evals.workflow.trajectories import TrajectoryFolder

USAGE = Usage(10, 2, 4)


def shop(question, steps):
    steps.system("You sell mugs.")
    steps.user(question)
    call = steps.agent("", usage=USAGE, cost_usd=0.001, reasoning="look it up").call("stock", {"sku": "MUG"})
    call.result({"on_hand": 12})
    steps.agent("12 left", usage=USAGE, cost_usd=0.002, model="small")


def valid(document):
    assert [str(finding) for finding in trajectory.validate(document)] == []
    json.dumps(document)
    return document


def test_a_recording_is_a_valid_document_with_totals():
    with trajectory.record(agent="shop", version="2", model="small", tools=[{"type": "function"}]) as steps:
        shop("How many?", steps)
        steps.artifact("doc-1")
    made = valid(steps.document())
    assert made["schema_version"] == "ATIF-v1.8"
    assert made["agent"] == {
        "name": "shop", "version": "2", "model_name": "small", "tool_definitions": [{"type": "function"}],
    }  # fmt: skip
    assert [step["source"] for step in made["steps"]] == ["system", "user", "agent", "agent"]
    assert made["steps"][2]["observation"]["results"] == [{"content": '{"on_hand": 12}', "source_call_id": "call-1"}]
    assert made["final_metrics"] == {
        "total_prompt_tokens": 20, "total_completion_tokens": 4, "total_cached_tokens": 8, "total_cost_usd": 0.003,
        "total_steps": 4,
    }  # fmt: skip


def test_subagents_context_and_parts_are_recorded():
    picture = {"type": "image", "source": {"media_type": "image/png", "path": "p.png"}}
    with trajectory.record(agent="planner", session_id="s1", extra={"x": 1}) as steps:
        steps.user([{"type": "text", "text": "Look"}, picture])
        call = steps.agent("", model_calls=0).call("delegate", {"task": "describe"}, id="d1")
        with steps.subagent("describer", call=call) as inner:
            inner.agent("a mug", usage=Usage(5, 1), cost_usd=0.5)
        steps.context("compaction", "Summary.")
        steps.agent("A mug.", usage=Usage(7, 1), cost_usd=0.25).observe("saved")
    made = valid(steps.document())
    assert made["session_id"] == "s1"
    assert made["steps"][0]["message"][1] == picture
    assert made["steps"][1]["observation"]["results"][0]["subagent_trajectory_ref"] == [
        {"trajectory_id": made["subagent_trajectories"][0]["trajectory_id"]}
    ]
    assert made["steps"][2]["extra"] == {"context_management": {"type": "compaction", "boundary": "replace"}}
    # the cost includes subagents, tokens are each agent's own
    assert made["final_metrics"]["total_cost_usd"] == 0.75
    assert made["final_metrics"]["total_prompt_tokens"] == 7
    assert totals(trajectory.read(made)).prompt_tokens == 12


def test_arguments_and_results_of_any_kind_stay_valid():
    with trajectory.record(agent="a") as steps:
        step = steps.agent(None)
        step.call("f", ["no", "object"]).result(b"bytes", error=True)
        step.call("g").result(float("nan"))
        steps.agent({"answer": 1}, reasoning_effort=0.5)
    made = valid(steps.document())
    assert made["steps"][0]["tool_calls"][0]["arguments"] == {"value": ["no", "object"]}
    assert made["steps"][0]["observation"]["results"][0]["extra"] == {"is_error": True}


def test_a_boundary_that_is_none_is_refused():
    with trajectory.record(agent="a") as steps, pytest.raises(ValueError, match="boundary must be one of replace"):
        steps.context("pruning", boundary="all")


def test_a_block_that_raises_is_recorded_up_to_there():
    collector = Collector("s1")
    token = COLLECTOR.set(collector)
    try:
        with pytest.raises(ZeroDivisionError), trajectory.record(agent="a") as steps:  # noqa: PT012
            steps.user("1/0?")
            steps.agent(str(1 / 0))
        with trajectory.record(agent="nothing"):
            pass
    finally:
        COLLECTOR.reset(token)
    [kept] = collector.take()
    document = valid(kept.document)
    assert document["notes"] == "ended with ZeroDivisionError: division by zero"
    assert document["session_id"] == "s1"
    assert collector.take() == []


def test_several_threads_may_record_one_trajectory():
    with trajectory.record(agent="a") as steps, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: steps.agent(f"{n}").call("f", {"n": n}).result(n), range(200)))
    made = valid(steps.document())
    assert [step["step_id"] for step in made["steps"]] == list(range(1, 201))


def test_an_exchange_with_a_model_is_a_valid_document():
    request = Request(
        provider="openai",
        model="small",
        messages=(
            {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image_url"}]},
            {"role": "assistant", "tool_calls": [{"id": "x", "function": {"name": "f", "arguments": '{"a": 1}'}}]},
            {"role": "tool", "tool_call_id": "x", "content": "1"},
            {"role": "tool", "tool_call_id": "gone", "content": "2"},
            {"role": "user", "content": "And now?"},
        ),
        system="Be short.",
        tools=(Tool("f"),),
    )
    reply = Reply("", tool_calls=(ToolCall("g", {"b": 2}), ToolCall("h", "text")), usage=USAGE, reasoning="hm")
    made = valid(exchange(request, reply, 0.1))
    assert [step["source"] for step in made["steps"]] == ["system", "user", "agent", "system", "user", "agent"]
    assert made["steps"][1]["message"] == "Hi\n[image_url]"
    found = trajectory.read(made)
    assert [call.name for step in found.agent_steps for call in step.calls] == ["g", "h"]
    assert (totals(found).prompt_tokens, totals(found).cost_usd) == (10, 0.1)


# --- in the engine ---------------------------------------------------------------------------------------------------


@pytest.fixture
def engine(tmp_path):
    engine = Engine(concurrency=8, keeper=TrajectoryFolder(tmp_path / "atif", (tmp_path,)))
    yield engine
    engine.close()


def ask(engine, function, **case):
    made = Case(id="c", input="How many?", criteria=(Criterion("yes", "yes"),), suite="s", retries=0, **case)
    return engine.run(made, from_callable(function, "bot"), {"yes": lambda: True}).trials[-1]


def test_each_of_many_concurrent_calls_has_its_own_trajectory(engine):
    async def waiting(question):
        with trajectory.record(agent=question) as steps:
            steps.user(question)
            await asyncio.sleep(0.001)
            steps.agent(f"to {question}", usage=USAGE, cost_usd=1)
        return question

    def plain(question):
        with trajectory.record(agent=question) as steps:
            steps.user(question)
            steps.agent(f"to {question}")
        return question

    for function in (waiting, plain):
        target = from_callable(function, "bot")
        askings = [
            Asking(
                Case(id=f"c{n}", input=f"{function.__name__}{n}", criteria=(Criterion("yes", "yes"),), suite="s"),
                target,
            )
            for n in range(40)
        ]
        for asking in askings:
            engine.start(asking)
        for asking in askings:
            trial = engine.finish(asking, {"yes": lambda: True}).trials[-1]
            [ref] = trial.trajectories
            assert ref.agent_name == trial.output
            document = valid(json.loads(Path(ref.path).read_text("utf-8")))
            assert document["session_id"] == trial.session_id


def recording(question):
    with trajectory.record(agent="shop") as steps:
        shop(question, steps)
    return steps


def test_tokens_cost_and_calls_come_from_the_trajectory_when_the_answer_has_none(engine):
    trial = ask(engine, lambda question: str(recording(question)))
    assert (trial.usage, trial.cost_usd) == (Usage(20, 4, 8), 0.003)
    assert trial.tool_calls == (ToolCall("stock", {"sku": "MUG"}),)
    assert trial.trajectories[0].calls[0]["query"] == "MUG"


def test_what_the_answer_says_stays_and_nothing_is_counted_twice(engine):
    def answer(question):
        steps = recording(question)
        return Response("x", cost_usd=7, usage=Usage(1, 1), tool_calls=[ToolCall("own")], trajectory=steps.document())

    trial = ask(engine, answer)
    assert (trial.usage, trial.cost_usd, trial.tool_calls) == (Usage(1, 1), 7, (ToolCall("own"),))
    assert len(trial.trajectories) == 1

    trial = ask(engine, lambda question: Response("x", trajectory=recording(question).document()))
    assert (trial.cost_usd, len(trial.trajectories)) == (0.003, 1)


def test_only_the_attempt_that_answered_counts(engine):
    asked = []

    def unsteady(question):
        recording(question)
        asked.append(question)
        if len(asked) < 3:
            raise RuntimeError("again")
        return "x"

    made = Case(id="c", input="q", criteria=(Criterion("yes", "yes"),), suite="s", retries=2)
    trial = engine.run(made, from_callable(unsteady, "bot"), {"yes": lambda: True}).trials[-1]
    assert (len(trial.attempts), len(trial.trajectories), trial.cost_usd) == (3, 1, 0.003)


def test_a_call_that_failed_keeps_what_it_did(engine):
    def failing(question):
        with trajectory.record(agent="shop") as steps:
            steps.user(question)
            raise RuntimeError("no stock")

    trial = ask(engine, failing)
    assert trial.error is not None
    assert trial.trajectories[0].steps == 1


def test_a_file_is_taken_and_copied(engine, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**recording("q").document(), "trajectory_id": "mine"}))
    trial = ask(engine, lambda question: Response("x", trajectory=path))
    assert trial.trajectories[0].path == str(tmp_path / "atif" / "mine.json")
    # the same id again: the run goes on, under another one
    again = ask(engine, lambda question: Response("x", trajectory=str(path)))
    assert len(again.trajectories[0].trajectory_id) == 32
    assert len(list((tmp_path / "atif").iterdir())) == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("/etc/hostname", "outside the folders that trajectories are read from"),
        ("none.json", "no such file"),
        ({"steps": 3}, "$.steps: must be the list of steps, here a number"),
        (7, "a trajectory is a document or the path of one"),
    ],
)
def test_a_trajectory_that_cannot_be_read_is_noted_and_the_case_goes_on(engine, tmp_path, monkeypatch, value, said):
    monkeypatch.chdir(tmp_path)
    trial = ask(engine, lambda question: Response("x", trajectory=value))
    assert (trial.outcome, trial.trajectories) == ("passed", ())
    assert said in trial.metadata["trajectory_problem"]


def test_a_folder_that_cannot_be_written_is_noted(tmp_path):
    (tmp_path / "atif").write_text("no folder")
    engine = Engine(keeper=TrajectoryFolder(tmp_path / "atif"))
    try:
        trial = ask(engine, lambda question: str(recording(question)))
    finally:
        engine.close()
    assert "cannot be written" in trial.metadata["trajectory_problem"]
    assert (trial.trajectories[0].path, trial.cost_usd) == ("", 0.003)


def test_secrets_are_taken_out_before_a_document_is_written(tmp_path):
    keeper = TrajectoryFolder(tmp_path, redact=lambda value: {**value, "notes": "***"})
    _, path, _ = keeper.keep(trajectory.Trajectory(), {"steps": [], "notes": "sk-secret"})
    assert "sk-secret" not in Path(path).read_text("utf-8")
