"""What agents do becomes part of a run: recorded, kept, found again, scored again, and removed on request."""

from __future__ import annotations

import json

from click.testing import CliRunner

from pytest_evals import trajectory
from pytest_evals.cli import main
from pytest_evals.store import connect
from pytest_evals.store.location import locate
from pytest_evals.store.results import find_trajectory

CONFTEST = """
import pytest
from pytest_evals import Response, Usage

@pytest.fixture(scope="session")
def shop(record_trajectory):
    async def answer(question):
        with record_trajectory(agent="shop", kind="query") as steps:
            steps.user(question)
            step = steps.agent("", usage=Usage(10, 2), cost_usd=0.25)
            step.call("web_search", {"query": question}).result(["a", "b"])
            steps.artifact("doc-" + question)
            steps.agent("yes", usage=Usage(20, 3), cost_usd=0.25)
        return Response("yes", trajectory="nowhere.json") if question == "lost" else "yes"
    return answer
"""
SUITE = """
suite: shop
target: {fixture: shop}
defaults: {criteria: [{tool_called: web_search}, {cost: 0.5}, {max_steps: 2}]}
cases: [{id: a, input: one}, {id: b, input: two, trials: 2}, {id: c, input: lost}]
"""
FILES = {"pytest.ini": "[pytest]\n", "conftest.py": CONFTEST, "shop.eval.yaml": SUITE}


def test_trajectories_are_recorded_kept_and_found(project):
    ran = project(FILES)
    assert ran.outcomes == dict.fromkeys("abc", "passed")
    case = ran.case("a")
    [reference] = case["trials"][0]["trajectories"]
    assert (case["cost_usd"], reference["kind"], reference["artifact_ids"]) == (0.5, "query", ["doc-one"])
    assert case["trials"][0]["tools"]["web_search"][0]["result_count"] == 2
    assert "no such file" in ran.case("c")["trials"][0]["metadata"]["trajectory_problem"]
    folder = ran.path / ".evals" / "atif"
    files = sorted(folder.iterdir())
    assert len(files) == 4
    assert all(trajectory.validate(json.loads(file.read_text())) == [] for file in files)
    with connect.reading(locate(None, ran.path)) as connection:
        found = find_trajectory(connection, reference["trajectory_id"])
    assert (found.case_id, found.seq, found.agent_name, found.steps, found.cost_usd) == ("a", 0, "shop", 3, 0.5)
    assert found.path == str(folder / f"{reference['trajectory_id']}.json")


def test_a_run_scored_again_reads_the_steps_of_the_first_and_has_no_files_of_its_own(alone):
    ran = alone(FILES)
    suite = SUITE.replace("{max_steps: 2}", "{max_steps: 1}")
    again = alone({**FILES, "shop.eval.yaml": suite}, "--evals-rescore=last")
    assert again.outcomes == dict.fromkeys("abc", "failed")
    assert "2 steps, above 1" in again.out
    assert len(list((ran.path / ".evals" / "atif").iterdir())) == 4
    where = str(ran.path / ".evals" / "history.db")
    told = CliRunner().invoke(
        main, ["history", "delete", "--experiment", "default", "--yes", "--files", "--history", where]
    )
    assert told.exit_code == 0, told.output
    assert list((ran.path / ".evals" / "atif").iterdir()) == []


def test_another_folder_or_none_at_all(alone):
    ran = alone(FILES, "--evals-atif-dir=steps", "--evals-no-history")
    assert len(list((ran.path / "steps").iterdir())) == 4
    assert alone(FILES, "--evals-no-history").outcomes == dict.fromkeys("abc", "passed")
    assert not (ran.path / ".evals").exists()


def test_an_ordinary_test_records_for_its_next_check(alone):
    test = """
from pytest_evals import trajectory

def test_it(evals, record_trajectory):
    for name in ("one", "two"):
        with record_trajectory(agent=name) as steps:
            steps.agent("hi", cost_usd=1)
        result = evals.check("hi", criteria=[{"max_steps": 1}], name=name)
        assert [ref.agent_name for ref in result.trials[0].trajectories] == [name]
        assert result.trials[0].cost_usd == 1
"""
    assert alone({"test_it.py": test}).counts() == {"passed": 1}
