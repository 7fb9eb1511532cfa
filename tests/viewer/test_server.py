"""The viewer of a history on a database server."""

from __future__ import annotations

from viewer_records import record_small

from pytest_evals.viewer.source import Source


def test_every_page_reads_a_server_and_people_can_write_to_it(server_location, tmp_path, client_of):
    record_small(server_location, 1)
    record_small(server_location, 2, run_name="second")
    source = Source(server_location, tmp_path / "atif", author="Ada")
    client = client_of(source)
    number = client.get("/api/evals/runs/second/cases?outcome=failures").json()["cases"][0]["id"]
    said = client.post(f"/api/evals/case_runs/{number}/verdicts", json={"verdict": "pass", "note": "ä"})
    assert (said.status_code, said.json()["author"]) == (200, "Ada")
    pages = (
        "/",
        "/experiments/1",
        "/runs/second",
        "/runs/second?text=14+DAYS&tag=smoke&sort=-score",
        "/compare?run=second&run=last",
    )
    more = (f"/results/{number}", "/history?suite=bot&case=slow", "/runs/second/tools", "/export/runs/second/cases.csv")
    for path in (*pages, *more, "/export/runs/second/labels.csv", "/export/runs/second/report/json"):
        assert client.get(path).status_code == 200, path
    version = source.live.version()
    assert isinstance(version, int)
    assert str(server_location) in client.get("/").text
