"""Sessions that were cut off, or that could not write, lose nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from factories import criterion, error, result, session
from histories import STARTED, made, query, record, start
from postgres import only_sqlite

from pytest_evals.errors import StoreError
from pytest_evals.model.case import ExperimentSpec
from pytest_evals.model.run import SuiteCount
from pytest_evals.report.rows import row_of
from pytest_evals.store.connect import reading
from pytest_evals.store.journal import Journal
from pytest_evals.store.location import locate
from pytest_evals.store.results import case_results
from pytest_evals.store.runs import list_runs
from pytest_evals.workflow.history import journal_header, record_session, recover, suite_facts
from pytest_evals.workflow.provenance import Provenance

RESULTS = [
    result("passed", "a", score=1.0, finished_at="2026-03-01T16:00:07+00:00", criteria=(criterion(score=1.0),)),
    result("errored", "b", error=error()),
    result("skipped", "c", skip_reason="later"),
]


def cut_off(location, results=RESULTS, **header):
    """The journal of a session whose process has ended in the middle."""
    header = journal_header(**{"session_id": "dead", "started_at": STARTED, **header})
    journal = Journal.create(location.journals, header)
    for one in results:
        from pytest_evals.model.codec import result_to_json

        journal.append(result_to_json(one))
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    orphan(journal, child.pid)
    return journal


def orphan(journal, pid):
    first, rest = journal.path.read_text("ascii").split("\n", 1)
    data = json.loads(first)
    data["owner"]["pid"] = pid
    journal.path.write_text(json.dumps(data, separators=(",", ":")) + "\n" + rest, "ascii")


def test_a_run_that_was_cut_off_is_kept_as_cancelled(location):
    journal = cut_off(
        location,
        experiments={"bot": ExperimentSpec("default", "Answers")},
        provenance=Provenance(git_branch="main", host="laptop"),
        run_name="nightly",
    )
    journal.note({"suites": suite_facts([SuiteCount("bot", "bot.eval.yaml", 9, 8)])})
    found = recover(location)
    (run,) = found.runs
    assert (found.empty, found.alive, found.failed) == (0, (), ())
    assert (run.status, run.core_status, run.verdict) == ("cancelled", "cancelled", None)
    assert (run.total_cases, run.passed_cases, run.error_cases, run.skipped_cases, run.n_cancelled) == (7, 1, 1, 1, 5)
    assert (run.name, run.git_branch, run.host, run.exit_status) == ("nightly", "main", "laptop", None)
    assert run.stopped == "the process was killed or the machine went down"
    assert run.error == "the session was cut off before its end; this is what its journal held"
    assert (run.started_at[:19], run.finished_at[:19]) == ("2026-03-01T16:00:00", "2026-03-01T16:00:07")
    with reading(location) as connection:
        kept = list(case_results(connection, run))
    assert [(r.case_id, r.outcome) for r in kept] == [("a", "passed"), ("b", "errored"), ("c", "skipped")]
    assert kept[0].criteria == RESULTS[0].criteria
    assert query(location, "SELECT headline FROM case_runs ORDER BY seq")[1] == ("ValueError: no such product",)
    assert not location.journals.exists()


def test_there_is_nothing_to_recover_twice(location):
    cut_off(location)
    assert len(recover(location).runs) == 1
    again = recover(location)
    assert (again.runs, again.empty) == ([], 0)
    assert query(location, "SELECT count(*) FROM experiment_runs") == [(1,)]


def test_there_is_nothing_to_recover_where_nothing_was(location):
    found = recover(location)
    assert (found.runs, found.empty, found.alive) == ([], 0, ())
    assert not made(location)


def test_the_next_session_recovers_those_before_it_by_itself(location):
    cut_off(location)
    cut_off(location, session_id="dead too", started_at="2026-03-01T15:00:00Z")
    (mine,) = record(location, [result("passed")], started_at="2026-03-02T16:00:00Z")
    with reading(location) as connection:
        runs = list_runs(connection)
    assert [(r.session_id, r.status) for r in runs] == [
        ("s1", "passed"),
        ("dead", "cancelled"),
        ("dead too", "cancelled"),
    ]
    assert runs[0] == mine
    assert not location.journals.exists()


def test_a_session_that_runs_meanwhile_is_left_alone(location):
    mine = start(location, [result("passed", "mine")], session_id="alive")
    cut_off(location)
    found = recover(location)
    assert [r.session_id for r in found.runs] == ["dead"]
    assert [path for path, _ in found.alive] == [mine.path]
    ended = session([row_of(result("passed", "mine"))], session_id="alive", started_at=STARTED)
    assert [r.status for r in record_session(location, ended, mine)] == ["passed"]


def test_a_session_killed_before_any_case_ended_leaves_nothing(location):
    cut_off(location, [])
    cut_off(location, [result("skipped")], session_id="skipping")
    found = recover(location)
    assert (found.runs, found.empty) == ([], 2)
    assert not made(location)
    assert not location.journals.exists()


def test_a_session_killed_between_the_history_and_its_journal_is_not_stored_twice(location):
    runs = record(location, RESULTS, session_id="dead")
    cut_off(location)
    assert recover(location).runs == runs
    assert query(location, "SELECT count(*) FROM experiment_runs") == [(1,)]


def test_a_session_killed_between_two_of_its_runs_gets_the_second(location):
    both = [result("passed", "a", experiment="one"), result("failed", "b", suite="shop", experiment="two")]
    record(location, both[:1], session_id="dead")
    cut_off(location, both)
    assert [(r.experiment, r.status) for r in recover(location).runs] == [("one", "passed"), ("two", "cancelled")]


@only_sqlite
def test_a_session_that_had_ended_and_could_not_write_gets_the_status_it_had(location):
    location.path.parent.mkdir()
    location.path.write_bytes(b"not a database " * 100)
    with pytest.raises(StoreError, match=r"run: pytest-evals history recover$"):
        record(location, [result("passed"), result("failed", "b")], exit_status=1, not_run=["evals/bot.eval.yaml::x"])
    location.path.unlink()
    (run,) = recover(location).runs  # though this process, which owns the journal, lives
    assert (run.status, run.exit_status, run.total_cases, run.stopped, run.error) == ("failed", 1, 3, "", None)


def test_one_journal_that_cannot_be_stored_does_not_hold_up_the_others(location, monkeypatch):
    broken = cut_off(location, session_id="broken")
    broken.path.rename(broken.path.with_name("0-first.jsonl"))
    cut_off(location, session_id="dead")
    from pytest_evals.store import writer

    real = writer.case_columns

    def failing(entry, known, **more):
        if more["run_id"] and entry.data["case_id"] == "a" and not seen:
            seen.append(entry)
            raise ZeroDivisionError("our mistake")
        return real(entry, known, **more)

    seen = []
    monkeypatch.setattr(writer, "case_columns", failing)
    found = recover(location)
    assert [r.session_id for r in found.runs] == ["dead"]
    assert found.failed == (f"{location.journals}/0-first.jsonl: ZeroDivisionError: our mistake",)
    assert [path.name for path in location.journals.iterdir()] == ["0-first.jsonl"]
    assert record(location, [result("passed")])[0].status == "passed"


def test_journals_of_strangers_disturb_nobody(location):
    location.journals.mkdir(parents=True)
    for name, content in {"a.jsonl": b"", "b.jsonl": b"\xff\n", "c.txt": b"x", "d.jsonl": b'{"journal":2}\n'}.items():
        (location.journals / name).write_bytes(content)
    (location.journals / "e.jsonl").mkdir()
    assert [r.status for r in record(location, [result("passed")])] == ["passed"]
    assert len(list(location.journals.iterdir())) == 5


def test_a_session_taken_for_dead_by_another_machine_corrects_that(location):
    mine = start(location, [result("passed")], session_id="slow")
    text = mine.path.read_text("ascii").replace(f'"host":"{mine.owner.host}"', '"host":"elsewhere"')
    copy = mine.path.with_suffix(".copy")  # as the other machine sees it, while this process holds its own
    copy.write_text(text, "ascii")
    copy.replace(mine.path)
    old = mine.path.stat().st_mtime - 7200
    os.utime(mine.path, (old, old))
    (wrong,) = recover(location).runs
    assert wrong.status == "cancelled"
    ended = session([row_of(result("passed"))], session_id="slow", started_at=STARTED)
    (right,) = record_session(location, ended, mine)  # its file is gone, but it still holds it open
    mine.finish()
    assert (right.uid, right.status, right.error) == (wrong.uid, "passed", None)
    assert query(location, "SELECT count(*) FROM experiment_runs") == [(1,)]


def test_another_history_has_journals_of_its_own(tmp_path):
    one, other = locate("one.db", tmp_path), locate("other.db", tmp_path)
    cut_off(one)
    assert recover(other).runs == []
    assert len(recover(one).runs) == 1


@only_sqlite
def test_a_history_that_cannot_be_written_keeps_all_journals(location):
    cut_off(location)
    location.path.write_bytes(b"not a database " * 100)
    with pytest.raises(StoreError, match="it is damaged or no history"):
        recover(location)
    assert len(list(location.journals.iterdir())) == 1


def test_a_torn_last_line_is_the_only_thing_lost(location):
    journal = cut_off(location)
    journal.path.write_bytes(journal.path.read_bytes()[:-30])
    (run,) = recover(location).runs
    assert (run.total_cases, run.skipped_cases) == (2, 0)
