from __future__ import annotations

import asyncio
import json

import pytest
from factories import result
from histories import history, start
from viewer_records import record_small

from pytest_evals.model.codec import result_to_json
from pytest_evals.model.run import SuiteCount
from pytest_evals.viewer import events
from pytest_evals.viewer import live as module
from pytest_evals.viewer.live import Live
from pytest_evals.workflow.history import suite_facts


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(module, "LEAST_S", 0.0)


@pytest.fixture
def live(source):
    return source.live


def more(journal, case_id, outcome="passed"):
    one = result(outcome, case_id, score=1.0 if outcome == "passed" else 0.0)
    journal.append(result_to_json(one), one.key)


def test_a_session_appears_grows_and_becomes_a_run_of_the_history(source, live, client_of):
    assert live.runs() == []
    before = live.version()
    journal = start(source.location, [result("passed", "one", score=1.0)])
    journal.note({"suites": suite_facts([SuiteCount("bot", "bot.eval.yaml", 4, 4)])})
    (run,) = live.runs()
    assert (run.experiment, run.type, len(run.rows), run.total, run.share) == ("default", "checked", 1, 4, 0.25)
    assert live.version() != before
    more(journal, "two", "failed")
    more(journal, "three")
    assert live.find(run.uid[:6]).plain()["outcomes"] == {"passed": 2, "failed": 1}
    client = client_of(source)
    page = client.get(f"/runs/{run.uid}").text
    assert "3 of 4 cases done" in page
    assert "data-live" in page
    assert page.index("three") < page.index("two")
    assert run.uid in client.get("/").text
    found = client.get("/api/evals/running").json()["running"]
    assert [(one["uid"], one["done"], one["total"]) for one in found] == [(run.uid, 3, 4)]
    journal.finish()
    assert live.runs() == []


def test_a_line_that_is_half_written_is_read_when_it_is_whole(source, live):
    journal = start(source.location, [result("passed", "one", score=1.0)])
    assert len(live.runs()[0].rows) == 1
    line = result_to_json(result("passed", "two", score=1.0)).encode()
    with journal.path.open("ab") as file:
        file.write(line[:40])
        file.flush()
        assert len(live.runs()[0].rows) == 1
        file.write(line[40:] + b"\n")
    assert [row.case_id for row in live.runs()[0].rows] == ["one", "two"]
    journal.finish()


def test_a_case_that_is_run_again_counts_once(source, live):
    journal = start(source.location, [result("failed", "one", score=0.0)])
    more(journal, "two")
    assert len(live.runs()[0].rows) == 2
    more(journal, "one")
    (run,) = live.runs()
    assert [(row.case_id, row.outcome.value) for row in run.rows] == [("two", "passed"), ("one", "passed")]
    journal.finish()


def test_the_version_changes_when_the_history_does(source, live):
    versions = [live.version()]
    record_small(source.location)
    versions += [live.version(), live.version()]
    assert versions[0] != versions[1] == versions[2]


def test_a_journal_of_something_else_is_no_run(tmp_path):
    location = history(tmp_path)
    location.journals.mkdir(parents=True)
    (location.journals / "20260101T000000Z-1-aa.jsonl").write_text("{}\n")
    assert Live(location).runs() == []


def test_the_stream_says_hello_and_then_what_changes(source, live, monkeypatch):
    monkeypatch.setattr(events, "LOOK_S", 0.001)
    monkeypatch.setattr(events, "KEEP_ALIVE_S", 0.01)

    async def listen():
        heard = events.stream(live)
        said = [await anext(heard), await anext(heard)]
        journal = start(source.location, [result("passed", "one", score=1.0)])
        while not said[-1].startswith(b"event: changed"):
            said.append(await anext(heard))
        journal.finish()
        await heard.aclose()
        return said

    hello, waiting, *_, changed = asyncio.run(listen())
    assert hello.startswith(b"event: hello\ndata: ")
    assert waiting == b": still here\n\n"
    data = json.loads(changed.partition(b"data: ")[2])
    assert [run["done"] for run in data["running"]] == [1]
