from __future__ import annotations

import json

import pytest
from documents_atif import DATA, changed, document, sample

from pytest_evals.atif import load, read
from pytest_evals.atif.read import parse
from pytest_evals.atif.totals import Totals, totals
from pytest_evals.errors import TrajectoryError


def test_a_trajectory_is_read_with_all_its_parts():
    found = read(sample("own/subagent_multimodal_v1_8.json"))
    assert (found.agent_name, found.model, found.session_id, found.continued) == (
        "planner",
        "m-large",
        "run-8",
        "root-8-cont.json",
    )
    assert [step.source for step in found.steps] == ["system", "user", "agent", "agent", "system", "agent"]
    assert found.steps[0].copied
    assert [step.number for step in found.agent_steps] == [3, 4, 6]
    assert [part.kind for part in found.steps[1].parts] == ["text", "image", "audio"]
    assert "[audio: audio/wav, audio/c1.wav]" in found.steps[1].text
    delegate, failed = found.steps[2].calls
    assert found.steps[2].results_of(delegate)[0].subagents == ({"trajectory_id": "sub-1", "session_id": "run-8"},)
    assert found.steps[2].results_of(failed)[0].text == "failed: no audio"
    assert [each.trajectory_id for each in found.everyone()] == ["root-8", "sub-1"]
    assert found.warnings == ()


@pytest.mark.parametrize("minor", range(9))
def test_every_version_is_read(minor):
    assert read(document(schema_version=f"ATIF-v1.{minor}")).warnings == ()


def test_a_later_version_is_read_with_a_warning_and_keeps_what_is_new():
    found = read(document(schema_version="ATIF-v1.12", mood="fine"))
    assert found.warnings == (
        "$.schema_version: ATIF-v1.12 is newer than ATIF-v1.8; what is new in it is not understood",
    )
    assert found.raw["mood"] == "fine"


def test_a_missing_version_is_a_warning():
    value = document()
    del value["schema_version"]
    assert read(value).warnings == ("$.schema_version: missing; read as ATIF-v1.8",)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("schema_version", "ATIF-v2.0", "$.schema_version: 'ATIF-v2.0' is not ATIF-v1.x"),
        ("steps", {}, "$.steps: must be the list of steps, here an object"),
        ("steps.1", "x", "$.steps[1]: a step is an object, not text"),
        ("steps.1.tool_calls", {}, "$.steps[1].tool_calls: must be a list, not an object"),
        ("steps.1.tool_calls.0", 3, "$.steps[1].tool_calls[0]: a tool call is an object, not a number"),
        ("steps.1.tool_calls.0.function_name", 3, "$.steps[1].tool_calls[0].function_name: must name the tool, here 3"),
        ("subagent_trajectories", [{}], "$.subagent_trajectories[0].steps: must be the list of steps, here missing"),
    ],
)
def test_what_leaves_nothing_to_read_is_an_error_with_its_place(path, value, said):
    with pytest.raises(TrajectoryError) as raised:
        read(changed(path, value))
    assert str(raised.value) == said


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("steps.0.source", "tool", "$.steps[0].source: must be system, user or agent, not tool"),
        ("steps.0.timestamp", "today", "$.steps[0].timestamp: 'today' is no time in ISO 8601"),
        ("steps.1.metrics.prompt_tokens", "many", "$.steps[1].metrics.prompt_tokens: many is no number: unknown"),
        ("steps.1.metrics.cost_usd", -1, "$.steps[1].metrics.cost_usd: -1 is negative: unknown"),
        ("steps.1.observation", [], "$.steps[1].observation: must be an object with a list of results"),
        ("trajectory_id", 7, "$.trajectory_id: must be text, not a number"),
    ],
)
def test_what_cannot_be_is_unknown_and_said(path, value, said):
    assert said in read(changed(path, value)).warnings


def test_files_that_cannot_be_read_are_named(tmp_path):
    (tmp_path / "x.json").write_text("{")
    (tmp_path / "b.json").write_bytes(b"\xff\xfe\x00")
    for path, said in (
        ("x.json", "not JSON"),
        ("b.json", "not JSON"),
        ("none.json", "no such file"),
        (".", "not a file"),
    ):
        with pytest.raises(TrajectoryError, match=said) as raised:
            load(tmp_path / path)
        assert str(raised.value).startswith(str(tmp_path / path))


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(document()), "utf-8-sig")
    assert load(path).agent_name == "shop"


def test_deep_nesting_is_an_error_and_no_crash():
    with pytest.raises(TrajectoryError, match="nested too deeply"):
        parse("[" * 200_000)


class TestTotals:
    def test_the_stated_totals_go_before_the_sum_of_the_steps(self):
        value = document(final_metrics={"total_prompt_tokens": 99, "total_cost_usd": 1})
        assert totals(read(value)) == Totals(99, 6, None, 1.0)

    def test_steps_add_up(self):
        assert totals(read(document())) == Totals(30, 6, None, pytest.approx(0.003))

    def test_a_step_that_does_not_say_leaves_the_sum_unknown(self):
        value = document()
        del value["steps"][2]["metrics"]
        assert totals(read(value)) == Totals()
        value["steps"][2]["llm_call_count"] = 0
        assert totals(read(value)) == Totals(10, 2, None, 0.001)

    def test_steps_taken_over_were_paid_for_elsewhere(self):
        value = changed("steps.1.is_copied_context", True)
        assert totals(read(value)).prompt_tokens == 20

    def test_subagents_are_counted_once(self):
        value = document(subagent_trajectories=[document(trajectory_id="sub")])
        assert totals(read(value)) == Totals(60, 12, None, pytest.approx(0.006))
        value["final_metrics"] = {"total_cost_usd": 0.006}
        assert totals(read(value)).cost_usd == 0.006

    def test_an_agent_without_a_model_costs_nothing(self):
        value = document()
        for step in value["steps"][1:]:
            step.pop("metrics", None)
            step["llm_call_count"] = 0
        assert totals(read(value)) == Totals(0, 0, 0, 0)

    @pytest.mark.parametrize("path", sorted(DATA.glob("nvidia_nat/*.json")), ids=lambda path: path.stem)
    def test_samples_of_others_are_read(self, path):
        assert load(path).steps
        totals(load(path))
