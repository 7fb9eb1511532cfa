"""What a session leaves in the history."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

import pytest
from factories import criterion, error, result, session
from histories import STARTED, made, query, record, start

from pytest_evals.errors import StoreError
from pytest_evals.model.case import ExperimentSpec
from pytest_evals.model.gate import GateVerdict, Verdict
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.run import SuiteCount
from pytest_evals.report.rows import row_of
from pytest_evals.store.connect import reading
from pytest_evals.store.results import case_results
from pytest_evals.store.runs import list_experiments, list_runs
from pytest_evals.workflow.history import record_session
from pytest_evals.workflow.provenance import Provenance

MIXED = [
    result("passed", "a", score=1.0, cost_usd=0.5),
    result("warned", "b", score=0.6, cost_usd=0.25),
    result("failed", "c", score=0.2),
    result("failed", "d", score=0.1, gated=True),
    result("failed", "e", xfail="known"),
    result("passed", "f", xfail="known", score=1.0),
    result("errored", "g", error=error("timeout", "no answer after 60 s")),
    result("skipped", "h", skip_reason="not now"),
]


def test_a_run_says_what_its_cases_came_to(location):
    (run,) = record(location, MIXED, exit_status=1, finished_at="2026-03-01T16:10:00Z")
    assert (run.status, run.core_status, run.verdict, run.type) == ("failed", "completed", "fail", "checked")
    counts = (run.total_cases, run.passed_cases, run.warned_cases, run.failed_cases, run.missed_cases, run.error_cases)
    assert counts == (7, 3, 1, 3, 2, 1)
    assert (run.judged_cases, run.skipped_cases, run.n_cancelled, run.n_pending) == (0, 1, 0, 0)
    assert run.pass_rate == 1 / 5
    assert run.score == pytest.approx((1 + 0.6 + 0.2 + 0.1 + 1) / 5)
    assert (run.cost_usd, run.unpriced_cases) == (0.75, 5)
    assert (run.started_at, run.finished_at) == ("2026-03-01T16:00:00.000000+00:00", "2026-03-01T16:10:00.000000+00:00")
    assert (run.exit_status, run.stopped, run.error) == (1, "", None)
    assert query(
        location, "SELECT case_name, outcome, status, missed FROM (SELECT *, gated AS missed FROM case_runs) AS c"
    ) == [
        ("a", "passed", "passed", 0),
        ("b", "warned", "passed", 0),
        ("c", "failed", "failed", 0),
        ("d", "failed", "failed", 1),
        ("e", "failed", "failed", 0),
        ("f", "passed", "passed", 0),
        ("g", "errored", "error", 0),
        ("h", "skipped", None, 0),
    ]
    assert query(location, "SELECT error_kind, error, headline FROM case_runs WHERE case_name = 'g'") == [
        ("timeout", "no answer after 60 s", "timeout: no answer after 60 s")
    ]


STATUS = {
    "passed": ([result("passed")], {}, "passed"),
    "warned": ([result("warned")], {}, "passed"),
    "failed": ([result("passed"), result("failed", "b")], {"exit_status": 1}, "failed"),
    "errored": ([result("passed"), result("errored", "b", error=error())], {"exit_status": 75}, "failed"),
    "missed under a gate": ([result("passed"), result("failed", "b", gated=True)], {}, "passed"),
    "missed under a gate that is broken": ([result("failed", gated=True)], {"exit_status": 1}, "passed"),
    "failed as expected": ([result("passed"), result("failed", "b", xfail="known")], {}, "passed"),
    "errored though expected to fail": ([result("errored", xfail="known", error=error())], {}, "failed"),
    "passed and skipped": ([result("passed"), result("skipped", "b")], {}, "passed"),
    "interrupted": ([result("passed")], {"exit_status": 2, "stopped": "interrupted"}, "cancelled"),
    "interrupted after a failure": ([result("failed")], {"exit_status": 2, "stopped": "interrupted"}, "cancelled"),
    "stopped by -x": ([result("failed")], {"exit_status": 1, "stopped": "stopping after 1 failures"}, "failed"),
    "a case never ran": ([result("passed")], {"not_run": ["evals/bot.eval.yaml::x"], "exit_status": 75}, "cancelled"),
    "a case never ran and one failed": ([result("failed")], {"not_run": ["evals/bot.eval.yaml::x"]}, "failed"),
    "an unreadable file beside": ([result("passed")], {"exit_status": 2}, "passed"),
    "scored": ([result("scored", score=0)], {}, "completed"),
    "scored with an error": (
        [result("scored", score=1), result("errored", "b", threshold="unset", error=error())], {}, "error",
    ),
    "scored and interrupted": ([result("scored", score=1)], {"exit_status": 2, "stopped": "interrupted"}, "cancelled"),
}  # fmt: skip


@pytest.mark.parametrize(("results", "fields", "status"), STATUS.values(), ids=STATUS)
def test_the_status_of_a_run(location, results, fields, status):
    (run,) = record(location, results, **fields)
    assert run.status == status
    assert run.exit_status == fields.get("exit_status", 0)


def test_cases_that_never_ran_are_counted_and_never_a_pass(location):
    suites = [SuiteCount("bot", "evals/bot.eval.yaml", 5, 4), SuiteCount("other", "evals/other.eval.yaml", 2, 2)]
    not_run = ["evals/bot.eval.yaml::x", "evals/bot.eval.yaml::y", "evals/other.eval.yaml::z"]
    (run,) = record(location, [result("passed"), result("passed", "b")], suites=suites, not_run=not_run)
    assert (run.total_cases, run.passed_cases, run.n_cancelled) == (5, 2, 3)
    assert (run.defined_cases, run.selected_cases) == (7, 6)


def test_cases_that_never_ran_are_counted_though_their_file_is_shown_otherwise(location):
    (run,) = record(location, [result("passed")], not_run=["somewhere/else.eval.yaml::x"])
    assert (run.total_cases, run.n_cancelled, run.status) == (2, 1, "cancelled")


def test_a_session_stores_a_run_for_each_experiment_and_type_tied_by_its_id(location):
    results = [
        result("passed", "a", suite="bot", experiment="support"),
        result("scored", "b", suite="bot", experiment="support", score=0.5),
        result("failed", "c", suite="shop", experiment="sales"),
        result("errored", "d", suite="bot", experiment="support", threshold="unset", error=error()),
        result("passed", "e", suite="loose"),
    ]
    experiments = {"bot": ExperimentSpec("support", "Answers", {"k": 3}), "shop": ExperimentSpec("sales")}
    runs = record(location, results, experiments=experiments, exit_status=1)
    assert [(r.experiment, r.type, r.status, r.total_cases) for r in runs] == [
        ("support", "checked", "passed", 1),
        ("support", "judged", "error", 2),
        ("sales", "checked", "failed", 1),
        ("default", "checked", "passed", 1),
    ]
    assert {run.session_id for run in runs} == {"s1"}
    assert len({run.uid for run in runs}) == 4
    with reading(location) as connection:
        known = {(e.name, e.type): (e.description, e.config) for e in list_experiments(connection)}
        support = next(r for r in list_runs(connection) if (r.experiment, r.type) == ("support", "judged"))
        assert [r.case_id for r in case_results(connection, support)] == ["b", "d"]
    assert known == {
        ("support", "checked"): ("Answers", {"k": 3}),
        ("support", "judged"): ("Answers", {"k": 3}),
        ("sales", "checked"): ("", {}),
        ("default", "checked"): ("", {}),
    }


def test_cases_that_never_ran_are_counted_once_in_a_suite_of_both_types(location):
    results = [result("passed", "a"), result("scored", "b", score=0.5)]
    runs = record(location, results, not_run=["evals/bot.eval.yaml::c"])
    assert [(r.type, r.n_cancelled) for r in runs] == [("checked", 1), ("judged", 0)]


def test_an_experiment_is_made_once_and_what_is_stated_last_holds(location):
    def again(number, description="", config=None):
        spec = {"bot": ExperimentSpec("support", description, config or {})}
        record(location, [result("passed", experiment="support")], session_id=f"s{number}", experiments=spec)
        with reading(location) as connection:
            (found,) = list_experiments(connection)
        return found.description, found.config

    assert again(1, "Answers", {"k": 3}) == ("Answers", {"k": 3})
    assert again(2) == ("Answers", {"k": 3})
    assert again(3, "Better answers") == ("Better answers", {"k": 3})
    assert again(4, "", {"k": 4}) == ("Better answers", {"k": 4})


def test_a_run_knows_where_it_comes_from_without_secrets(location):
    provenance = Provenance(
        command=["pytest", "--token", "***"], settings={"retries": 1}, versions={"python": "3.11.7"}, host="ci-7",
        git_commit="c0ffee", git_branch="main", git_dirty=True, ci_provider="github", ci_url="https://ci/1",
    )  # fmt: skip
    (run,) = record(
        location, [result("passed")], provenance=provenance, run_name="nightly",
        params={"args": ["--api-key=topsecret"], "rootdir": "/x"},
    )  # fmt: skip
    assert (run.name, run.host, run.git_commit, run.git_branch, run.git_dirty) == (
        "nightly",
        "ci-7",
        "c0ffee",
        "main",
        True,
    )
    assert (run.ci_provider, run.ci_url) == ("github", "https://ci/1")
    assert run.params == {
        "command": ["pytest", "--token", "***"], "settings": {"retries": 1}, "versions": {"python": "3.11.7"},
        "args": ["--api-key=***"], "rootdir": "/x",
    }  # fmt: skip
    assert "topsecret" not in str(query(location, "SELECT * FROM experiment_runs"))


def test_what_is_not_known_of_a_runs_origin_is_null(location):
    (run,) = record(location, [result("passed")])
    assert (run.git_commit, run.git_branch, run.git_dirty, run.ci_provider, run.ci_url) == (None,) * 5
    assert (run.name, run.note, run.pinned, run.parent_run_id) == ("", "", False, None)


def test_gates_stand_with_the_runs_they_are_about(location):
    mine, of_shop = parse_gate("pass_rate >= 95%", suite="bot"), parse_gate("errors == 0", suite="shop")
    whole = parse_gate("score.mean >= 0.8")
    verdicts = [
        GateVerdict(mine, Verdict.BROKEN, 0.5, -0.45, 2),
        GateVerdict(of_shop, Verdict.HELD, 0.0, 0.0, 1),
        GateVerdict(whole, Verdict.UNDECIDED, reason="no case has a score"),
    ]
    results = [result("passed", suite="bot", experiment="one"), result("passed", suite="shop", experiment="two")]
    experiments = {"bot": ExperimentSpec("one"), "shop": ExperimentSpec("two")}
    one, two = record(location, results, experiments=experiments, verdicts=verdicts, exit_status=1)
    assert [(g["gate"], g["verdict"]) for g in one.gates] == [
        ("pass_rate >= 95%", "broken"),
        ("score.mean >= 0.8", "undecided"),
    ]
    assert [g["gate"] for g in two.gates] == ["errors == 0", "score.mean >= 0.8"]
    assert one.gates[0] == {
        "gate": "pass_rate >= 95%", "suite": "bot", "metric": "pass_rate", "op": ">=", "bound": 0.95, "unit": "share",
        "verdict": "broken", "observed": 0.5, "margin": -0.45, "cases": 2, "reason": "",
    }  # fmt: skip
    assert (one.status, one.exit_status) == ("passed", 1)  # whether gates held stands with the gates


def test_a_session_in_which_nothing_was_executed_leaves_nothing(location):
    assert record(location, [result("skipped"), result("skipped", "b")]) == []
    assert record(location, []) == []
    assert not made(location)
    assert not location.journals.exists()


def test_an_experiment_all_of_whose_cases_were_skipped_gets_no_run(location):
    results = [
        result("skipped", "a", suite="shop", experiment="sales"),
        result("passed", "b", suite="bot", experiment="support"),
        result("skipped", "c", suite="bot", experiment="support"),
    ]
    runs = record(location, results)
    assert [(r.experiment, r.total_cases, r.skipped_cases) for r in runs] == [("support", 1, 1)]
    assert query(location, "SELECT name FROM experiments") == [("support",)]


def test_a_rerun_counts_with_its_last_result(location):
    journal = start(location, [result("failed"), result("passed", "b"), result("passed")])
    ended = session([row_of(result("passed")), row_of(result("passed", "b"))], session_id="s1", started_at=STARTED)
    (run,) = record_session(location, ended, journal)
    journal.finish()
    assert (run.status, run.total_cases) == ("passed", 2)


def test_recording_a_session_again_changes_nothing(location):
    first = record(location, MIXED)
    assert record(location, [result("failed")]) == first
    assert query(location, "SELECT count(*) FROM case_runs") == [(8,)]


def test_a_run_that_scores_stored_answers_again_knows_its_parent(location):
    (first,) = record(location, [result("passed")])
    journal = start(location, [result("failed")], session_id="s2")
    ended = session([row_of(result("failed"))], session_id="s2", started_at=STARTED)
    (second,) = record_session(location, ended, journal, parent=first.uid)
    journal.finish()
    assert second.parent_run_id == first.id


def test_a_clock_that_was_set_back_does_not_lose_the_run(location):
    (run,) = record(location, [result("passed")], finished_at="2026-03-01T15:00:00Z")
    assert run.finished_at == run.started_at


def test_a_judged_run_says_who_answered(location):
    record(
        location, [result("scored", score=0.25, target="app:bot"), result("scored", "b", score=0.75, target="app:bot")]
    )
    assert query(location, "SELECT eval, subject_model, judge_model, mean_score FROM judged_run_meta") == [
        ("bot", "app:bot", None, 0.5)
    ]


def test_what_this_package_does_wrong_keeps_its_traceback_and_the_journal(location, monkeypatch):
    from pytest_evals.store import writer

    monkeypatch.setattr(writer, "score_columns", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        record(location, [result("passed", criteria=(criterion(),))])
    assert len(list(location.journals.iterdir())) == 1


def test_reports_can_be_read_from_the_journal_after_recording(location):
    journal = start(location, MIXED)
    record_session(location, session([row_of(r) for r in MIXED], session_id="s1", started_at=STARTED), journal)
    assert [r.case_id for r in journal.results()] == [r.case_id for r in MIXED]
    journal.finish()
    assert not location.journals.exists()


def test_nothing_is_imported_from_sqlalchemy_before_there_is_a_run_to_store():
    import subprocess
    import sys

    code = "import sys, pytest_evals.workflow.history, pytest_evals.store.journal; print('sqlalchemy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"


def test_a_server_that_is_not_there_is_one_line(tmp_path):
    from pytest_evals.store.location import locate

    location = locate("postgresql+nodriver://me:secret@127.0.0.1:1/evals", tmp_path)
    with pytest.raises(StoreError) as raised:
        record(location, [result("passed")])
    assert "secret" not in str(raised.value)
    assert str(raised.value).endswith("nothing is lost: when that is mended, run: pytest-evals history recover")
    assert len(list(location.journals.iterdir())) == 1


def test_the_cases_of_a_large_run_are_written_in_batches(location, monkeypatch):
    from pytest_evals.store import writer

    monkeypatch.setattr(writer, "BATCH", 7)
    made = [result("passed", f"case-{n}", criteria=(criterion(score=1.0),)) for n in range(30)]
    (run,) = record(location, made)
    assert run.total_cases == 30
    with reading(location) as connection:
        kept = list(case_results(connection, run))
    assert [replace(r, experiment="") for r in kept] == made


class Label(StrEnum):
    RED = "red"


def test_fault_P02_values_that_json_does_not_know_are_kept_in_plain_types(location):
    odd = {
        "released": date(2024, 1, 5), "price": Decimal("0.5"), "label": Label.RED, "path": Path("a/b"),
        "seen": {3, 1}, "nan": float("nan"), "raw": b"x", "at": datetime(2026, 3, 1, 16, tzinfo=UTC),
    }  # fmt: skip
    failed = result("failed", metadata=odd, output=odd, criteria=(criterion(detail=odd),))
    (run,) = record(location, [failed, result("passed", "b")])
    with reading(location) as connection:
        kept, _ = case_results(connection, run)
    plain = {
        "released": "2024-01-05", "price": 0.5, "label": "red", "path": "a/b",
        "seen": [1, 3], "nan": "nan", "raw": "x", "at": "2026-03-01T16:00:00+00:00",
    }  # fmt: skip
    assert (kept.metadata, kept.output, kept.criteria[0].detail) == (plain, plain, plain)
    assert (run.status, run.total_cases) == ("failed", 2)


def test_fault_P04_a_case_whose_worker_crashed_is_an_error_among_the_others(location):
    crashed = result("errored", "b", trials=(), error=error("crash", "worker 'gw1' crashed while running it"))
    (run,) = record(
        location, [result("passed", "a"), crashed, result("passed", "c"), result("passed", "d")], exit_status=1
    )
    assert (run.status, run.passed_cases, run.error_cases, run.n_cancelled) == ("failed", 3, 1, 0)
    assert query(location, "SELECT error_kind, error, attempts, latency_ms FROM case_runs WHERE status = 'error'") == [
        ("crash", "worker 'gw1' crashed while running it", 0, None)
    ]
