from __future__ import annotations

from dataclasses import replace

from factories import criterion, result
from histories import record
from postgres import only_sqlite

from pytest_evals.report.rows import row_of
from pytest_evals.store import results as module
from pytest_evals.store.connect import reading
from pytest_evals.store.results import case_history, case_results, case_rows, cases_like, known_cases
from pytest_evals.store.runs import list_runs


def many(number, **fields):
    """Results that end in another order than that of their file."""
    return [
        result(
            "failed" if n % 5 == 0 else "passed",
            f"case-{n}",
            criteria=(criterion("tone", n / 100, 0.5), criterion("contains", 1.0)),
            score=n / 100,
            **fields,
        )
        for n in range(number)
    ]


def test_results_are_read_page_by_page_in_the_order_of_the_file(location, monkeypatch):
    made = many(23)
    record(location, made)
    monkeypatch.setattr(module, "_PAGE", 5)
    with reading(location) as connection:
        (run,) = list_runs(connection)
        kept = list(case_results(connection, run))
        failed = list(case_results(connection, run, frozenset({"failed"})))
    assert [r.case_id for r in kept] == [r.case_id for r in made]
    assert [r.criteria for r in kept] == [r.criteria for r in made]
    assert [r.case_id for r in failed] == ["case-0", "case-5", "case-10", "case-15", "case-20"]


def test_fault_N06_results_that_end_out_of_order_are_kept_in_that_of_the_rows(location):
    from factories import session
    from histories import STARTED, start

    from pytest_evals.workflow.history import record_session

    made = many(6)
    ended = [made[n] for n in (1, 3, 5, 4, 2, 0)]
    journal = start(location, ended)
    record_session(location, session([row_of(r) for r in made], session_id="s1", started_at=STARTED), journal)
    journal.finish()
    with reading(location) as connection:
        (run,) = list_runs(connection)
        assert [r.case_id for r in case_results(connection, run)] == [f"case-{n}" for n in range(6)]
        assert [row.case_id for row in case_rows(connection, run)] == [f"case-{n}" for n in range(6)]


def test_a_case_is_followed_over_the_runs_newest_first(location):
    for n, (outcome, score) in enumerate([("passed", 1.0), ("failed", 0.2), ("warned", 0.6)]):
        one = result(
            outcome, "refund", score=score, latency_ms=10.0 * n, cost_usd=0.1, definition_sha256="ab"[n > 1] * 64
        )
        record(location, [one, result("passed", "other")], session_id=f"s{n}", started_at=f"2026-03-0{n + 1}T16:00:00Z")
    with reading(location) as connection:
        points = case_history(connection, "bot", "refund")
        assert [(p.outcome, p.status, p.verdict, p.score, p.latency_ms) for p in points] == [
            ("warned", "passed", "pass", 0.6, 20.0),
            ("failed", "failed", "fail", 0.2, 10.0),
            ("passed", "passed", "pass", 1.0, 0.0),
        ]
        assert [p.definition_sha256[0] for p in points] == ["b", "a", "a"]
        assert [p.started_at[:10] for p in points] == ["2026-03-03", "2026-03-02", "2026-03-01"]
        assert len(case_history(connection, "bot", "refund", limit=2)) == 2
        assert case_history(connection, "bot", "refund", experiment="never") == []
        assert case_history(connection, "bot", "never") == []


def test_variants_of_a_case_are_apart_and_together(location):
    record(location, [result("passed", "a", variant="small"), result("failed", "a", variant="large")])
    with reading(location) as connection:
        assert [p.variant for p in case_history(connection, "bot", "a")] == ["small", "large"]
        assert [p.outcome for p in case_history(connection, "bot", "a", variant="large")] == ["failed"]


def test_cases_are_registered_when_they_are_first_recorded(location):
    first = [result("passed", "a", definition_sha256="a" * 64), result("passed", "b")]
    record(location, first, session_id="s1", started_at="2026-03-01T16:00:00Z")
    changed = [replace(first[0], definition_sha256="b" * 64), result("passed", "c")]
    record(location, changed, session_id="s2", started_at="2026-03-02T16:00:00Z")
    with reading(location) as connection:
        runs = list_runs(connection)
        known = known_cases(connection, runs[0].experiment_id)
        assert [p.definition_sha256[0] for p in case_history(connection, "bot", "a")] == ["b", "a"]
    assert [(case.case_id, case.first_seen_at[:10]) for case in known] == [
        ("a", "2026-03-01"),
        ("b", "2026-03-01"),
        ("c", "2026-03-02"),
    ]
    assert known[0].definition_sha256 == "a" * 64


def test_cases_whose_name_is_nearly_right_are_found(location):
    record(location, [result("passed", "refund-window"), result("passed", "100%_sure"), result("passed", "other")])
    with reading(location) as connection:
        assert cases_like(connection, "refund") == [("bot", "refund-window")]
        assert cases_like(connection, "%") == [("bot", "100%_sure")]
        assert len(cases_like(connection, "bot")) == 3


LOOK_UPS = {
    "SELECT * FROM case_runs WHERE eval = 'bot' AND case_name = 'x'": "eval=? AND case_name=?",
    "SELECT * FROM case_runs WHERE run_id = 1 ORDER BY seq": "run_id=?",
    "SELECT * FROM experiment_runs ORDER BY started_at DESC, id DESC LIMIT 20": "experiment_runs_newest",
    "SELECT * FROM case_scores WHERE case_run_id = 1": "case_run_id=?",
}


def test_a_history_on_a_server_is_read_by_index(server_location):
    record(server_location, many(3))
    with reading(server_location) as connection:
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        for sql in LOOK_UPS:
            plan = " ".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {sql}"))
            assert "Index Scan" in plan, (sql, plan)
            assert "Seq Scan" not in plan, (sql, plan)


@only_sqlite
def test_a_history_of_many_runs_is_read_by_index(location):
    record(location, many(3))
    with reading(location) as connection:
        for sql, used in LOOK_UPS.items():
            plan = " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}"))
            assert used in plan, (sql, plan)
            assert "TEMP B-TREE" not in plan, (sql, plan)
