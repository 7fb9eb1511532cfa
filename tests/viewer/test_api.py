from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

import pytest
from histories import history, query

from pytest_evals.viewer.source import Source

API = "/api/evals"


def get(client, path, status=200, **asked):
    answer = client.get(f"{API}{path}", params=asked)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def test_the_overview_counts_experiments_runs_cases_and_results(client):
    found = get(client, "/")
    assert found["totals"] | {"cost_usd": None} == {
        "experiments": 1,
        "runs": 2,
        "runs_by_status": {"failed": 2},
        "cases": 5,
        "case_runs": {"passed": 4, "failed": 2, "error": 2, "judged": 0, "skipped": 2},
        "cost_usd": None,
    }
    assert found["totals"]["cost_usd"] == pytest.approx(0.006)
    assert [(e["name"], e["runs"]) for e in found["experiments"]] == [("support", {"failed": 2})]


def test_an_experiment_has_its_cases_and_its_runs_the_newest_first(client):
    number = get(client, "/")["experiments"][0]["id"]
    found = get(client, f"/experiments/{number}")
    assert {"eval": "bot", "name": "refund-window"} in found["cases"]
    assert [run["name"] for run in found["runs"]] == ["second", ""]
    assert len(get(client, f"/experiments/{number}", limit=1)["runs"]) == 1
    assert get(client, "/experiments/99", 404) == {"error": "there is no experiment 99"}


def test_counts_of_a_run_have_the_words_of_the_viewer(client):
    run = get(client, "/runs/second")["run"]
    assert run["counts"] == {
        "total": 4,
        "pending": 0,
        "running": 0,
        "completed": 3,
        "errored": 1,
        "cancelled": 0,
        "passed": 2,
        "failed": 1,
    }


def test_a_result_says_what_held_what_did_not_and_what_it_took(client):
    failed = get(client, "/runs/second/cases", outcome="failed")["cases"]
    found = get(client, f"/case_runs/{failed[0]['id']}")
    assert found["problems"] == ["'30 days' is missing", "A little curt."]
    assert found["answer"].startswith("Returns are accepted within 14 days")
    assert [(s["name"], s["score"], s["passed"]) for s in found["scores"]] == [
        ("contains", 0.0, False),
        ("tone", 0.4, False),
    ]
    assert (found["status"], found["verdict"], found["attempts"]) == ("failed", "fail", 2)
    whole = get(client, "/runs/second")["case_runs"]
    listed = {case["id"]: case for case in whole}[failed[0]["id"]]
    assert listed == {name: value for name, value in found.items() if name != "run"}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ["opening-hours", "refund-window", "slow", "later", "voucher"]),
        ({"outcome": "failures"}, ["refund-window"]),
        ({"outcome": "errors,passed"}, ["opening-hours", "slow", "voucher"]),
        ({"suite": "billing"}, ["later", "voucher"]),
        ({"tag": "smoke"}, ["refund-window", "slow"]),
        ({"category": "hours"}, ["opening-hours", "slow"]),
        ({"criterion": "tone"}, ["refund-window"]),
        ({"flaky": "1"}, ["voucher"]),
        ({"text": "14 DAYS"}, ["refund-window"]),
        ({"text": "%"}, []),
        ({"sort": "-score"}, ["opening-hours", "voucher", "refund-window", "slow", "later"]),
        ({"sort": "latency"}, ["opening-hours", "refund-window", "slow", "later", "voucher"]),
        ({"offset": "1", "limit": "2"}, ["refund-window", "slow"]),
        ({"changed": "same"}, ["opening-hours", "refund-window", "slow", "voucher"]),
        ({"changed": "broken"}, []),
    ],
    ids=str,
)
def test_results_are_narrowed_sorted_and_paged(client, asked, expected):
    found = get(client, "/runs/second/cases", **asked)
    assert [case["case_id"] for case in found["cases"]] == expected
    if "limit" not in asked:
        assert found["total"] == len(expected)


def test_facets_count_what_can_be_chosen(client):
    found = get(client, "/runs/second/facets")
    assert found["outcomes"] == {"passed": 2, "failed": 1, "errored": 1, "skipped": 1}
    assert found["criteria"] == {"contains": 1, "tone": 1}
    assert (found["flaky"], found["tags"]) == (1, {"smoke": 2, "legal": 1})


def test_the_history_of_a_case_is_in_the_order_of_time(client):
    found = get(client, "/history", eval="bot", name="refund-window")
    assert [point["started_at"][:10] for point in found["points"]] == ["2026-03-01", "2026-03-02"]
    assert {point["outcome"] for point in found["points"]} == {"failed"}
    assert get(client, "/experiments/1/history", eval="bot", name="refund-window") == found
    assert get(client, "/history", 404, eval="bot", name="nope")["error"] == "no run recorded case bot::nope"


def test_two_runs_are_compared(client):
    runs = [run["uid"] for run in get(client, "/experiments/1")["runs"]]
    found = get(client, "/compare", before=runs[1], after=runs[0])
    assert (found["shared_cases"], found["regressions"]) == (4, 0)


@pytest.mark.parametrize(
    ("path", "asked", "status", "words"),
    [
        ("/nowhere", {}, 404, "there is nothing at /api/evals/nowhere"),
        ("/runs/nope-no", {}, 404, "there is no run 'nope-no'"),
        ("/case_runs/999", {}, 404, "there is no result 999"),
        ("/trajectories/nope", {}, 404, "no run recorded a trajectory 'nope'"),
        ("/runs/second/cases", {"outcome": "pased"}, 400, "there is no outcome 'pased'"),
        ("/runs/second/cases", {"sort": "scor"}, 400, "did you mean 'score'?"),
        ("/runs/second/cases", {"limit": "0"}, 400, "limit is a whole number from 1 to 1,000, not '0'"),
        ("/runs/second/cases", {"offset": "-1"}, 400, "offset is a whole number from 0"),
        ("/runs/second/cases", {"changed": "broke"}, 400, "changed is any, "),
        ("/history", {"eval": "bot"}, 400, "write ?eval=SUITE&name=CASE"),
        ("/compare", {}, 400, "write ?before=RUN&after=RUN"),
    ],
)
def test_a_wrong_question_gets_one_line(client, path, asked, status, words):
    error = get(client, path, status, **asked)["error"]
    assert words in error
    assert "\n" not in error


def test_a_number_no_database_has_is_no_error_of_the_server(client):
    assert get(client, f"/case_runs/{10**30}", 404)["error"].startswith("there is no number 1000")
    assert get(client, f"/experiments/{10**30}", 404)["error"].startswith("there is no number 1000")


def test_a_history_that_is_not_there_yet_is_empty_and_is_not_made(tmp_path, client_of):
    location = history(tmp_path)
    client = client_of(Source(location, tmp_path / "atif"))
    assert get(client, "/")["totals"]["runs"] == 0
    assert get(client, "/runs/last", 503)["error"].endswith("there is no history yet")
    assert not location.path.exists()


def test_a_newer_history_is_said_in_one_line(client, source):
    import sqlite3

    raw = sqlite3.connect(source.location.path)
    raw.execute("INSERT INTO schema_info VALUES (99, 'm099_later', '2027-01-01T00:00:00.000000+00:00')")
    raw.commit()
    raw.close()
    assert "a newer version of pytest-evals wrote it" in get(client, "/runs/second", 503)["error"]
    page = client.get("/runs/second")
    assert page.status_code == 503
    assert "a newer version of pytest-evals wrote it" in page.text


def test_the_viewer_reads_only(client, source):
    before = source.location.path.read_bytes()
    for path in ("/", "/runs/second", "/runs/second/cases", "/history?eval=bot&name=slow", "/running"):
        assert client.get(API + path).status_code == 200
    for path in (
        "/",
        "/runs/second",
        "/experiments/1",
        "/compare",
        "/results/2",
        "/history?suite=bot&case=slow",
        "/api",
    ):
        assert client.get(path).status_code == 200
    for verb in ("put", "delete", "patch"):
        assert getattr(client, verb)(f"{API}/runs/second").status_code in (403, 405)
    assert source.location.path.read_bytes() == before
    assert query(source.location, "SELECT count(*) FROM human_verdicts") == [(0,)]


def test_the_description_names_every_route(client):
    from starlette.routing import Route

    from pytest_evals.viewer.api import routes

    described = {
        path.replace("{number}", "{number:int}").replace("{path}", "{path:path}")
        for path in get(client, "/openapi.json")["paths"]
    }
    read = {route.path for route in routes() if isinstance(route, Route)} - {"/{rest:path}"}
    written = {"/case_runs/{number:int}/verdicts", "/verdicts/{number:int}/undo"}
    assert described == read | written


def test_the_answers_are_as_the_description_says(client, monkeypatch):
    """What schemathesis makes up of the description is answered as the description says."""
    schemathesis = beside("schemathesis", monkeypatch)
    document = get(client, "/openapi.json")
    asked = 0
    for operation in schemathesis.openapi.from_dict({**document}).get_all_operations():
        asked += ask(client, operation.ok(), document)
    assert asked > 100


def beside(name, monkeypatch):
    """A package that `make test` installs in a folder of its own, since it is a plugin of pytest's too."""
    folder = Path(sys.prefix) / "beside"
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])  # it imports more while it works
    try:
        return importlib.import_module(name)
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{name} is not in {folder}: make test installs it there")


def ask(client, operation, document) -> int:
    """Asks what can be made up for one operation; returns how often."""
    from hypothesis import HealthCheck, Phase, given, settings

    asked = 0

    @given(case=operation.as_strategy())
    @settings(
        max_examples=8,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    def one(case):
        nonlocal asked
        sent = case.as_transport_kwargs(base_url=f"http://127.0.0.1:3000{API}")
        kept = {name: sent[name] for name in ("method", "url", "params", "headers", "json") if name in sent}
        answer = client.request(**kept)
        asked += 1
        responses = operation.definition.raw["responses"]
        assert answer.status_code in (200, 400, 404), (case.method, case.path, answer.text)
        check(document, responses[str(answer.status_code)], json.loads(answer.content))

    one()
    return asked


def check(document, response, found):
    """Whether a value fits the schema of a response."""
    jsonschema = pytest.importorskip("jsonschema", reason="needs jsonschema")
    schema = response["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**schema, "components": document["components"]}).validate(found)
