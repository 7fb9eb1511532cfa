from __future__ import annotations

import sys

import pytest
from viewer_records import record_small

from pytest_evals.errors import UsageError
from pytest_evals.experiments import Trajectory, start
from pytest_evals.viewer.plugins import Plugins
from pytest_evals.viewer.source import Source

SHOWS = """
def pytest_evals_artifacts(ids):
    return [{"id": "a1", "title": "An order", "text": "<script>alert(1)</script>"}]


def pytest_evals_dataset_graph(dataset_id):
    if dataset_id == "gone":
        return None
    if dataset_id == "broken":
        raise KeyError("no such table")
    nodes = [{"id": "n1", "label": "<b>mug</b>", "kind": "product"}, {"id": "n2"}]
    return {"nodes": nodes, "edges": [{"source": "n1", "target": "n2", "label": "sold as"}, {"source": "n1", "target": "?"}]}
"""

DOCUMENT = {
    "schema_version": "ATIF-v1.8",
    "trajectory_id": "order-7",
    "agent": {"name": "a", "version": "1"},
    "steps": [{"step_id": 1, "source": "user", "message": "hello"}],
}


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "shows_things.py").write_text(SHOWS)
    monkeypatch.chdir(tmp_path)
    yield "shows_things"
    sys.modules.pop("shows_things", None)
    sys.path[:] = [path for path in sys.path if path != str(tmp_path)]


@pytest.fixture
def client(source, client_of, module):
    record_small(source.location)
    with start("shop", history=source.location.path) as run:
        trajectories = [Trajectory(DOCUMENT, artifact_ids=["a1", "a2"])]
        run.record("agent", "mugs", answer="12", dataset_id="mugs_run1", trajectories=trajectories)
        run.record("agent", "cups", answer="12", dataset_id="gone")
        run.record("agent", "pots", answer="12", dataset_id="broken")
    return client_of(Source(source.location, source.atif, plugins=Plugins([module])))


def test_a_data_set_is_shown_as_a_graph_and_as_lists(client):
    found = client.get("/api/evals/case_runs/6/graph").json()
    assert (found["dataset_id"], [node["id"] for node in found["nodes"]], len(found["edges"])) == (
        "mugs_run1",
        ["n1", "n2"],
        2,
    )
    assert '<a href="/results/6/graph">graph</a>' in client.get("/results/6").text
    page = client.get("/results/6/graph").text
    assert "&lt;b&gt;mug&lt;/b&gt;" in page
    assert "<b>mug" not in page
    assert "n1 → n2" in page
    assert page.count("<line ") == 1


@pytest.mark.parametrize(
    ("number", "status", "words"),
    [
        (7, 404, "data set gone is not there (any more)"),
        (8, 400, "pytest_evals_dataset_graph raised KeyError"),
        (1, 404, "result 1 names no data set"),
    ],
)
def test_a_data_set_that_is_absent_is_said_to_be(client, number, status, words):
    answer = client.get(f"/api/evals/case_runs/{number}/graph")
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert client.get(f"/results/{number}/graph").status_code == status


def test_artifacts_are_shown_by_their_ids_and_absent_ones_as_absent(client):
    found = client.get("/api/evals/artifacts?id=a1&id=a2").json()["artifacts"]
    assert [(one["id"], one["absent"]) for one in found] == [("a1", False), ("a2", True)]
    page = client.get("/artifacts?id=a1&id=a2").text
    assert "An order" in page
    assert "&lt;script&gt;" in page
    assert "absent: it is not there" in page
    assert 'href="/artifacts?id=a1&amp;id=a2' in client.get("/trajectories/order-7").text


def test_without_a_plugin_there_are_no_links_and_a_reason(source, client_of, client):
    plain = client_of(Source(source.location, source.atif))
    assert "/graph" not in plain.get("/results/6").text
    assert "mugs_run1" in plain.get("/results/6").text
    assert "nothing shows data sets here" in plain.get("/api/evals/case_runs/6/graph").json()["error"]
    assert "nothing shows artifacts here" in plain.get("/api/evals/artifacts?id=a1").json()["error"]


def test_a_module_that_shows_nothing_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "shows_nothing.py").write_text("x = 1")
    with pytest.raises(UsageError, match=r"^--plugin shows_nothing: it has neither pytest_evals_artifacts nor "):
        Plugins(["shows_nothing"])
    with pytest.raises(UsageError, match=r"^--plugin shows_what: ModuleNotFoundError: "):
        Plugins(["shows_what"])
