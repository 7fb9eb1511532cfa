from __future__ import annotations

import csv
import io
import json

import pytest

from pytest_evals.experiments import Trajectory, start


def rows(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_lists_are_given_as_csv(client):
    assert [run["name"] for run in rows(client.get("/export/runs.csv"))] == ["second", ""]
    assert len(rows(client.get("/export/runs.csv?experiment=1"))) == 2
    cases = rows(client.get("/export/runs/second/cases.csv?outcome=failures&outcome=errors&sort=case"))
    assert [(c["case_id"], c["outcome"], c["tags"]) for c in cases] == [
        ("refund-window", "failed", "smoke, legal"),
        ("slow", "errored", "smoke"),
    ]
    points = rows(client.get("/export/history.csv?suite=bot&case=slow"))
    assert [point["outcome"] for point in points] == ["errored", "errored"]
    compared = rows(client.get("/export/compare.csv?run=second&run=last"))
    assert compared[0]["second outcome"] == "passed"


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "html", "markdown"])
def test_a_run_is_given_in_every_format(client, name, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    answer = client.get(f"/export/runs/second/report/{name}")
    assert answer.status_code == 200
    assert "second" in answer.headers["content-disposition"]
    assert "refund-window" in answer.text
    if name == "json":
        assert len(json.loads(answer.content)["cases"]) == 5
    assert list(tmp_path.glob("pytest-evals-*")) == []


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/export/runs/second/report/pdf", 404, "a run is given as json, jsonl, csv, html, markdown, not pdf"),
        ("/export/runs/nope-no/report/json", 404, "there is no run &#39;nope-no&#39;"),
        ("/export/runs/nope-no/cases.csv", 404, "there is no run"),
        ("/export/runs.csv?experiment=x", 400, "write ?experiment=NUMBER"),
        ("/export/history.csv?suite=bot&case=nope", 404, "no run recorded case bot::nope"),
        ("/export/compare.csv", 400, "write ?run=RUN&amp;run=RUN"),
        ("/export/compare.csv?" + "&".join(f"run=r{n}" for n in range(7)), 400, "at most 6 runs"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(client, path, status, words):
    answer = client.get(path)
    assert answer.status_code == status
    assert words in answer.text


def test_labels_of_people_are_read_by_judge_calibrate(client, tmp_path):
    from pytest_evals.suite.labels import read

    client.post("/api/evals/case_runs/2/verdicts", json={"verdict": "pass", "criterion": "tone", "note": "=cmd()"})
    answer = client.get("/export/runs/last/labels.csv")
    assert rows(answer) == []
    run = client.get("/api/evals/case_runs/2").json()["run"]
    answer = client.get(f"/export/runs/{run}/labels.csv")
    assert rows(answer)[0]["note"] != "=cmd()", "a spreadsheet would run it"
    path = tmp_path / "labels.csv"
    path.write_bytes(answer.content)
    (label,) = read(path, "labels.csv")
    assert (label.id, label.run, label.criterion, label.label) == ("refund-window", run, "tone", True)


def test_tool_calls_of_a_run_by_name(source, client_of):
    step = {
        "step_id": 2,
        "source": "agent",
        "message": "",
        "tool_calls": [
            {"tool_call_id": "a", "function_name": "web_search", "arguments": {"query": "blue <mugs>"}},
            {"tool_call_id": "b", "function_name": "stock", "arguments": {"sku": "MUG"}},
        ],
        "observation": {
            "results": [
                {"source_call_id": "a", "content": '[{"title": 1}, {"title": 2}]'},
                {"source_call_id": "b", "content": "Error: no such product"},
            ]
        },
    }
    document = {
        "schema_version": "ATIF-v1.8",
        "trajectory_id": "t1",
        "agent": {"name": "shop", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": "Mugs?"}, step],
    }
    with start("shop", history=source.location.path) as run:
        run.record("agent", "mugs", answer="12", trajectories=[Trajectory(document, kind="query")])
    client = client_of(source)
    found = client.get("/api/evals/runs/last/tool_calls").json()
    assert found["unread"] == []
    (case,) = found["cases"]
    assert (case["name"], case["trajectories"], list(case["tool_calls"])) == ("mugs", ["t1"], ["web_search", "stock"])
    (call,) = case["tool_calls"]["web_search"]
    assert (call["query"], call["result_count"], call["step"]) == ("blue <mugs>", 2, 2)
    only = client.get("/api/evals/runs/last/tool_calls?tool=stock").json()["cases"][0]["tool_calls"]
    assert list(only) == ["stock"]
    page = client.get("/runs/last/tools").text
    assert "blue &lt;mugs&gt;" in page
    assert "no such product" in page
    assert "web search" in page


def test_calls_that_answers_told_of_count_where_nothing_was_recorded(client):
    found = client.get("/api/evals/runs/second/tool_calls").json()["cases"]
    assert [(case["name"], list(case["tool_calls"])) for case in found] == [("refund-window", ["policy_lookup"])]


def test_a_trajectory_is_served_from_the_known_folders_alone(source, client_of, tmp_path):
    from histories import change

    outside = tmp_path / "outside.json"
    outside.write_text('{"secret": true}')
    document = {"schema_version": "ATIF-v1.8", "agent": {"name": "a", "version": "1"}, "trajectory_id": "t1"}
    document["steps"] = [{"step_id": 1, "source": "user", "message": "hello"}]
    with start("shop", history=source.location.path) as run:
        run.record("agent", "mugs", answer="12", trajectories=[Trajectory(document)])
    client = client_of(source)
    assert client.get("/api/evals/trajectories/t1").json() == document
    assert "hello" in client.get("/trajectories/t1").text
    kept = source.atif / "t1.json"
    kept.unlink()
    change(source.location, f"UPDATE case_run_trajectories SET path = '{outside}'")
    for path in ("t1", "..%2Foutside", "%2e%2e%2foutside", "outside", "t1.json"):
        answer = client.get(f"/api/evals/trajectories/{path}")
        assert answer.status_code == 404, path
        assert "secret" not in answer.text
    kept.symlink_to(outside)
    assert client.get("/api/evals/trajectories/t1").status_code == 404
    kept.unlink()
    kept.write_text("[1, 2")
    assert client.get("/api/evals/trajectories/t1").status_code == 503
    assert "is no JSON" in client.get("/trajectories/t1").text
