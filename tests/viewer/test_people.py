from __future__ import annotations

import pytest
from histories import query

from pytest_evals.store.people import labels, standing_verdicts
from pytest_evals.store.runs import find_run

HERE = {"origin": "http://127.0.0.1:3000"}


def say(client, number=2, status=200, **said):
    answer = client.post(f"/api/evals/case_runs/{number}/verdicts", json=said)
    assert answer.status_code == status, answer.text
    return answer.json()


def undo(client, number, status=200, **said):
    answer = client.post(f"/api/evals/verdicts/{number}/undo", json=said)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_verdict_stands_beside_the_automatic_one_with_its_author(client, source):
    made = say(client, verdict="pass", note="It is right after all.")
    assert (made["verdict"], made["author"], made["undone_at"]) == ("pass", "Ada", None)
    found = client.get("/api/evals/case_runs/2").json()
    assert (found["verdict"], found["verdicts"]) == ("fail", [made])
    page = client.get("/results/2").text
    assert "It is right after all." in page
    assert "Ada" in page
    with source.read() as connection:
        assert standing_verdicts(connection, find_run(connection, found["run"])) == {2: "pass"}
    assert "people say" in client.get(f"/runs/{found['run']}").text


def test_undo_takes_it_back_and_restore_brings_it_again(client, source):
    made = say(client, verdict="fail")
    taken = undo(client, made["id"])
    assert taken["undone_at"] is not None
    with source.read() as connection:
        run = find_run(connection, client.get("/api/evals/case_runs/2").json()["run"])
        assert labels(connection, run) == []
    assert undo(client, made["id"], restore=True)["undone_at"] is None
    with source.read() as connection:
        assert [(label.case, label.verdict) for label in labels(connection, run)] == [("refund-window", "fail")]


def test_labels_are_the_newest_that_hold_by_criterion(client):
    say(client, verdict="fail")
    say(client, verdict="pass", author="Bob")
    say(client, verdict="pass", criterion="tone")
    say(client, note="only a note")
    run = client.get("/api/evals/case_runs/2").json()["run"]
    found = client.get(f"/api/evals/runs/{run}/labels").json()["labels"]
    assert [(label["criterion"], label["verdict"], label["author"]) for label in found] == [
        ("", "pass", "Bob"),
        ("tone", "pass", "Ada"),
    ]
    assert [(label["automatic"], label["score"]) for label in found] == [("failed", 0.2), ("failed", 0.4)]


@pytest.mark.parametrize(
    ("said", "status", "words"),
    [
        ({}, 400, "say pass or fail, or write a note"),
        ({"verdict": "maybe"}, 400, "a verdict is pass or fail, not 'maybe'"),
        ({"verdict": 1}, 400, "verdict is a text"),
        ({"verdict": "pass", "author": "  "}, 400, "a verdict needs the name of who gives it"),
        ({"verdict": "pass", "criterion": "nope"}, 400, "result 2 has no criterion 'nope'"),
        ({"note": "x" * 10_001}, 400, "a note has at most 10,000 characters, a name 200"),
        ({"note": "x" * 70_000}, 400, "that is more than 64 kB"),
    ],
    ids=str,
)
def test_what_says_nothing_is_refused_in_one_line(client, source, said, status, words):
    assert words in say(client, status=status, **said)["error"]
    assert query(source.location, "SELECT count(*) FROM human_verdicts") == [(0,)]


def test_a_result_or_verdict_that_is_not_there(client):
    assert say(client, 999, 404, verdict="pass") == {"error": "there is no result 999"}
    assert undo(client, 999, 404) == {"error": "there is no verdict 999"}


def test_the_form_of_the_page_keeps_a_verdict_and_shows_the_result_again(client):
    sent = {"verdict": "fail", "criterion": "tone", "note": "ä <b>", "author": "Bob"}
    answer = client.post("/results/2/verdicts", data=sent, headers=HERE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/results/2#people")
    page = client.get("/results/2").text
    assert "ä &lt;b&gt;" in page
    number = client.get("/api/evals/case_runs/2").json()["verdicts"][0]["id"]
    assert (
        client.post(
            f"/verdicts/{number}/undo", headers=HERE | {"content-type": "application/x-www-form-urlencoded"}
        ).status_code
        == 303
    )
    assert "taken back" in client.get("/results/2").text
    wrong = client.post("/results/2/verdicts", data={"verdict": "maybe"}, headers=HERE)
    assert wrong.status_code == 400
    assert "a verdict is pass or fail" in wrong.text


def test_what_people_say_goes_with_the_run(client, source):
    from pytest_evals.store.connect import writing
    from pytest_evals.store.edit import delete_runs

    say(client, verdict="pass")
    with writing(source.location) as connection:
        delete_runs(connection, [find_run(connection, "last"), find_run(connection, "second")])
    with writing(source.location) as connection:
        delete_runs(connection, [find_run(connection, "last")])
    assert query(source.location, "SELECT count(*) FROM human_verdicts") == [(0,)]
