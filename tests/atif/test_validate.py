from __future__ import annotations

import pytest
from documents_atif import DATA, changed, document, sample

from pytest_evals.atif import validate

ROWS = sample("atif_validation_matrix.json")

# documents that the package `atif` takes and the owner of the format refuses (and one the other way round)
DEPARTURES_OF_ATIF = {
    "v1.9 (future) tag",
    "garbage tag",
    "schema_version missing",
    "steps empty",
    "source_call_id set, step has no tool_calls",
    "source_call_id refers to an earlier step's call",
    "final_metrics.total_steps=-1",
}


def errors(value):
    return [finding for finding in validate(value) if finding.severity == "error"]


def warnings(value):
    assert errors(value) == []
    return [str(finding) for finding in validate(value)]


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_every_document_of_the_matrix_is_judged_as_the_owner_of_the_format_does(row):
    assert bool(errors(row["document"])) == (row["harbor_0_25_0"] == "reject")


def test_the_package_atif_judges_alike_but_for_its_known_departures():
    atif = pytest.importorskip("atif", reason="the package atif is not installed")
    pydantic = pytest.importorskip("pydantic")
    differ = set()
    for row in ROWS:
        try:
            atif.Trajectory.model_validate(row["document"])
            valid = True
        except pydantic.ValidationError:
            valid = False
        if valid != (not errors(row["document"])):
            differ.add(row["case"])
    assert differ == DEPARTURES_OF_ATIF


@pytest.mark.parametrize("path", sorted(DATA.glob("*/*.json")), ids=lambda path: path.stem)
def test_the_samples_are_valid_and_nothing_about_them_is_odd(path):
    assert validate(sample(f"{path.parent.name}/{path.name}")) == []


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("steps.1.tool_calls.0.arguments", "{}", "$.steps[1].tool_calls[0].arguments: must be an object, not text"),
        ("steps.1.mesage", "x", "$.steps[1].mesage: no field of a step; did you mean 'message'?"),
        ("agent.version", None, "$.agent.version: must not be null"),
        ("steps.1.metrics.prompt_tokens", 1.5, "$.steps[1].metrics.prompt_tokens: must be a whole number, not 1.5"),
        ("steps.0.message", [{"type": "video"}], "$.steps[0].message[0].type: must be text, image or audio, not video"),
        ("subagent_trajectories", {}, "$.subagent_trajectories: must be a list, not an object"),
        ("extra", [], "$.extra: must be an object, not a list"),
    ],
)
def test_an_error_says_where_and_what(path, value, said):
    assert said in [str(finding) for finding in errors(changed(path, value))]


def test_all_errors_are_told_at_once():
    broken = {"schema_version": "ATIF-v2.0", "agent": {"name": 1}, "steps": [{"step_id": "x"}], "more": 1}
    assert len(errors(broken)) >= 7


@pytest.mark.parametrize("value", [None, 1, "text", [], [{}]])
def test_what_is_no_object_is_no_trajectory(value):
    assert next(str(f) for f in errors(value)).startswith("$: a trajectory must be an object, not ")


def child(**changes):
    return {**document(trajectory_id="sub"), **changes}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (changed("steps.1.metrics.cached_tokens", 11), "$.steps[1].metrics.cached_tokens: warning: 11 cached of 10"),
        (changed("steps.1.metrics.cost_usd", -1), "$.steps[1].metrics.cost_usd: warning: negative: -1"),
        (
            changed("final_metrics", {"total_prompt_tokens": 31}),
            "total_prompt_tokens: warning: 31, but the steps add up",
        ),
        (changed("final_metrics", {"total_cost_usd": 0.5}), "0.5, but the steps (subagents included) add up to 0.003"),
        (
            changed("final_metrics", {"total_steps": 4}),
            "total_steps: warning: 4, but there are 3, and no notes say why",
        ),
        (changed("subagent_trajectories", [child(trajectory_id="t1")]), "warning: the id of the trajectory it is in"),
        (changed("steps.1.metrics.prompt_token_ids", [1]), "prompt_token_ids: warning: 1 values, but 10 prompt tokens"),
        (
            changed("schema_version", "ATIF-v1.6"),
            "$.trajectory_id: warning: trajectory_id of a trajectory came with 1.7",
        ),
        (
            changed("steps.1.observation.results.0", {"subagent_trajectory_ref": [{"trajectory_id": "x"}]}),
            "subagent_trajectory_ref[0].trajectory_id: warning: no embedded trajectory is 'x'",
        ),
        (
            changed("steps.2.tool_calls", [{"tool_call_id": "c1", "function_name": "f", "arguments": {}}]),
            "$.steps[2].tool_calls[0].tool_call_id: warning: 'c1' is the id of a call in step 2, too",
        ),
    ],
)
def test_what_nobody_checks_is_a_warning(value, said):
    assert any(said in warning for warning in warnings(value)), warnings(value)


def test_times_that_go_backwards_are_a_warning_whatever_their_zones():
    value = changed("steps.0.timestamp", "2026-01-01T10:00:00+02:00")
    value["steps"][1]["timestamp"] = "2026-01-01T08:00:01Z"
    assert warnings(value) == []
    value["steps"][2]["timestamp"] = "2026-01-01T07:59:00"
    assert warnings(value) == ["$.steps[2].timestamp: warning: earlier than that of a step before it"]


def test_totals_of_subagents_count_for_the_cost_but_not_for_the_tokens():
    value = document(
        subagent_trajectories=[child()],
        final_metrics={"total_prompt_tokens": 30, "total_cost_usd": 0.006, "total_steps": 3},
    )
    assert warnings(value) == []


def test_notes_explain_another_number_of_steps():
    assert warnings(document(final_metrics={"total_steps": 9}, notes="steps 4 to 9 were lost")) == []
