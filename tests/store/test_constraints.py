"""The database itself refuses what must not be: at least one refused statement for each constraint."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest
from postgres import new_schema

from pytest_evals.store.migrations import MIGRATIONS
from pytest_evals.store.migrations.sql import statements

TIME = "2026-03-01T16:00:00.000000+00:00"
LATER = "2026-03-01T16:00:01.000000+00:00"
SHA = "a" * 64

LEGAL: dict[str, dict[str, Any]] = {
    "experiments": {"type": "checked", "name": "new", "created_at": TIME},
    "experiment_cases": {
        "experiment_id": 1, "type": "checked", "eval": "bot", "case_name": "new", "definition_sha256": SHA,
        "first_seen_at": TIME,
    },
    "experiment_runs": {
        "uid": "uid-of-another", "type": "checked", "experiment_id": 1, "session_id": "another", "status": "passed",
        "total_cases": 3, "passed_cases": 2, "warned_cases": 1, "failed_cases": 1, "missed_cases": 1,
        "started_at": TIME, "heartbeat_at": TIME, "finished_at": LATER,
    },
    "case_runs": {
        "run_id": 1, "type": "checked", "seq": 7, "eval": "bot", "case_name": "new", "outcome": "passed",
        "status": "passed", "input_tokens": 5, "cached_tokens": 5, "started_at": TIME, "finished_at": LATER,
    },
    "case_scores": {"case_run_id": 1, "seq": 1, "name": "tone", "scorer": "judge", "state": "scored", "score": 1},
    "case_run_trajectories": {
        "case_run_id": 1, "seq": 1, "kind": "query", "trajectory_id": "t-2", "steps": 0, "path": "atif/t-2.json",
        "sha256": SHA,
    },
    "human_verdicts": {"case_run_id": 1, "verdict": "fail", "author": "ann", "created_at": TIME},
    "checked_case_meta": {"case_run_id": 3, "answer": "30 days"},
    "judged_run_meta": {"run_id": 3, "eval": "essays", "mean_score": 0.5},
    "judged_case_meta": {"case_run_id": 4, "question": "Write."},
    "schema_info": {"version": 99, "name": "m099_later", "applied_at": TIME},
}  # fmt: skip
"""A row of each table that is accepted; every refused one differs from it in what is wrong."""


def row(table: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    return table, {**LEGAL[table], **changes}


def run(**changes: Any) -> tuple[str, dict[str, Any]]:
    return row("experiment_runs", **changes)


def judged_run(**changes: Any) -> tuple[str, dict[str, Any]]:
    counts = {"total_cases": 1, "passed_cases": 0, "warned_cases": 0, "failed_cases": 0, "missed_cases": 0}
    return run(**{"type": "judged", "experiment_id": 2, "status": "completed", "judged_cases": 1, **counts, **changes})


def case(**changes: Any) -> tuple[str, dict[str, Any]]:
    return row("case_runs", **changes)


def errored(**changes: Any) -> tuple[str, dict[str, Any]]:
    return case(**{"outcome": "errored", "status": "error", "error": "late", "error_kind": "timeout", **changes})


def judged(**changes: Any) -> tuple[str, dict[str, Any]]:
    return case(**{"run_id": 2, "type": "judged", "outcome": "scored", "status": "judged", "score": 0, **changes})


CHECKS = {
    "experiment_type": [row("experiments", type="knowledge")],
    "experiment_name": [row("experiments", name=""), row("experiments", name="  ")],
    "experiment_config": [row("experiments", config="[]"), row("experiments", config="{")],
    "experiment_created": [row("experiments", created_at="2026-03-01T16:00:00+00:00")],
    "known_eval": [row("experiment_cases", eval="")],
    "known_case": [row("experiment_cases", case_name="")],
    "known_definition": [row("experiment_cases", definition_sha256="abc")],
    "known_seen": [row("experiment_cases", first_seen_at="yesterday")],
    "run_uid": [run(uid="short")],
    "run_type": [run(type="training", experiment_id=None)],
    "run_session": [run(session_id="")],
    "run_defined": [run(defined_cases=-1)],
    "run_selected": [run(selected_cases=-1)],
    "run_total": [run(total_cases=-1, passed_cases=0, warned_cases=0, failed_cases=0, missed_cases=0, status="failed")],
    "run_passes": [run(passed_cases=-1, warned_cases=-1, status="failed")],
    "run_warned": [run(warned_cases=3)],
    "run_fails": [run(failed_cases=-1, missed_cases=-1, status="failed")],
    "run_missed": [run(missed_cases=2, status="failed")],
    "run_errors": [run(error_cases=-1, status="failed")],
    "run_judged": [judged_run(judged_cases=-1)],
    "run_skipped": [run(skipped_cases=-1)],
    "run_pass_rate": [run(pass_rate=1.01)],
    "run_score": [run(score=-0.01)],
    "run_cost": [run(cost_usd=-1), run(cost_usd=float("inf"))],
    "run_unpriced": [run(unpriced_cases=-1)],
    "run_gates": [run(gates="{}")],
    "run_params": [run(params="[]"), run(params="text")],
    "run_pinned": [run(pinned=2)],
    "run_dirty": [run(git_dirty=2)],
    "run_started": [run(started_at="2026-03-02T00:30:00.000000+09:00")],
    "run_heartbeat": [run(heartbeat_at="")],
    "run_ended": [run(finished_at="later")],
    "run_experiment": [run(experiment_id=None)],
    "run_status": [run(status="completed"), run(status="error"), judged_run(status="passed"), run(status="done")],
    "run_finished": [run(finished_at=None), run(status="running")],
    "run_counts": [run(total_cases=2, status="failed")],
    "run_kinds": [run(judged_cases=1, total_cases=4, status="failed"), judged_run(passed_cases=1, total_cases=2)],
    "run_passed": [
        run(total_cases=0, passed_cases=0, warned_cases=0, failed_cases=0, missed_cases=0),
        run(total_cases=4),
        run(missed_cases=0),
    ],
    "run_order": [run(started_at=LATER, finished_at=TIME)],
    "run_latency_p50": [run(latency_p50_ms=-1), run(latency_p50_ms=float("inf"))],
    "run_latency_p95": [run(latency_p95_ms=-1), run(latency_p95_ms=float("inf"))],
    "case_seq": [case(seq=-1)],
    "case_eval": [case(eval="")],
    "case_id": [case(case_name="")],
    "case_repeat": [case(repeat_index=-1)],
    "case_score": [case(score=1.5), case(score=-0.1)],
    "case_gated": [case(gated=2)],
    "case_tags": [case(tags='"smoke"')],
    "case_cost": [case(cost_usd=-0.01), case(cost_usd=float("inf"))],
    "case_judge_cost": [case(judge_cost_usd=-0.01)],
    "case_input_tokens": [case(input_tokens=-1, cached_tokens=None)],
    "case_output_tokens": [case(output_tokens=-1)],
    "case_cached": [case(cached_tokens=6), case(cached_tokens=-1), case(input_tokens=None)],
    "case_latency": [case(latency_ms=-1), case(latency_ms=float("inf"))],
    "case_latencies": [case(latencies_ms="12")],
    "case_attempts": [case(attempts=-1)],
    "case_definition": [case(definition_sha256="abc")],
    "case_threshold": [case(threshold=70)],
    "case_no_verdict": [case(no_verdict=2)],
    "case_warn": [case(warn=-0.5)],
    "case_started": [case(started_at="2026-03-01 16:00:00")],
    "case_finished": [case(finished_at="2026-03-01T16:00:00Z")],
    "case_metadata": [case(metadata="[1]")],
    "case_input": [case(input="What is it?")],
    "case_context": [case(context="{")],
    "case_expected": [case(expected_output="thirty")],
    "case_references": [case(reference_outputs="{}")],
    "case_trials": [case(trials="{}")],
    "case_planned": [case(planned_trials=0)],
    "case_trial_outcomes": [case(trial_outcomes="[]")],
    "case_flaky": [case(flaky=2)],
    "case_outcome": [case(outcome="missed")],
    "case_status": [case(status="judged"), judged(status="passed"), judged(status="failed")],
    "case_outcome_status": [case(outcome="failed"), case(status=None), case(outcome="skipped")],
    "case_error": [errored(error=None), errored(error=""), case(error="late")],
    "case_error_kind": [errored(error_kind=None), case(error_kind="timeout")],
    "case_skipped": [case(skip_reason="not now")],
    "case_judged": [judged(score=None)],
    "case_marks": [case(no_verdict=1, threshold=0.5)],
    "score_seq": [row("case_scores", seq=-1)],
    "score_states": [row("case_scores", state="done", score=None)],
    "score_score": [row("case_scores", score=2)],
    "score_passed": [row("case_scores", passed=2)],
    "score_weight": [row("case_scores", weight=-1)],
    "score_mark": [row("case_scores", mark=2)],
    "score_threshold": [row("case_scores", threshold=-1)],
    "score_error": [row("case_scores", state="error", score=None, error='"late"')],
    "score_detail": [row("case_scores", detail="[]")],
    "score_state": [row("case_scores", score=None), row("case_scores", state="skipped")],
    "score_failure": [row("case_scores", state="error", score=None), row("case_scores", error="{}")],
    "trajectory_seq": [row("case_run_trajectories", seq=-1)],
    "trajectory_kind": [row("case_run_trajectories", kind="")],
    "trajectory_name": [
        row("case_run_trajectories", trajectory_id=name) for name in ("", "../up", ".hidden", "a b", "a/b", "x" * 201)
    ],
    "trajectory_steps": [row("case_run_trajectories", steps=-1)],
    "trajectory_cost": [row("case_run_trajectories", cost_usd=-1)],
    "trajectory_sha256": [row("case_run_trajectories", sha256="abc")],
    "trajectory_artifacts": [row("case_run_trajectories", artifact_ids="{}")],
    "human_verdict": [row("human_verdicts", verdict="maybe")],
    "human_author": [row("human_verdicts", author="")],
    "human_created": [row("human_verdicts", created_at="2026-03-01")],
    "human_undone": [row("human_verdicts", undone_at="")],
    "human_says": [row("human_verdicts", verdict=None)],
    "checked_type": [row("checked_case_meta", type="judged")],
    "checked_problems": [row("checked_case_meta", problems="{}")],
    "checked_passed": [row("checked_case_meta", passed_checks='"all"')],
    "checked_steps": [row("checked_case_meta", steps=-1)],
    "judged_run_type": [row("judged_run_meta", type="checked")],
    "judged_mean": [row("judged_run_meta", mean_score=10)],
    "judged_counters": [row("judged_run_meta", counters="[]")],
    "judged_case_type": [row("judged_case_meta", type="checked")],
}  # fmt: skip
"""Refused statements by the name of the CHECK constraint that refuses them."""

KEYS = {
    "experiments.type, experiments.name": row("experiments", name="support"),
    "experiment_cases.experiment_id, experiment_cases.eval, experiment_cases.case_name": row(
        "experiment_cases", case_name="refund"
    ),
    "experiment_runs.uid": run(uid="uid-of-first"),
    "experiment_runs.session_id, experiment_runs.experiment_id, experiment_runs.type": run(session_id="first"),
    "case_runs.run_id, case_runs.seq": case(seq=0),
    "case_runs.eval, case_runs.case_name, case_runs.run_id, case_runs.variant, case_runs.repeat_index": case(
        case_name="refund"
    ),
    "case_scores.case_run_id, case_scores.seq": row("case_scores", seq=0),
    "case_run_trajectories.trajectory_id": row("case_run_trajectories", trajectory_id="t-1"),
    "case_run_trajectories.case_run_id, case_run_trajectories.seq": row("case_run_trajectories", seq=0),
    "checked_case_meta.case_run_id": row("checked_case_meta", case_run_id=1),
    "judged_run_meta.run_id": row("judged_run_meta", run_id=2),
    "judged_case_meta.case_run_id": row("judged_case_meta", case_run_id=2),
    "schema_info.version": row("schema_info", version=1),
}
"""Refused statements by the columns that must be unique."""

TIES = {
    "a registered case of no experiment": row("experiment_cases", experiment_id=99),
    "a registered case of another type than its experiment": row("experiment_cases", type="judged"),
    "a run of no experiment": run(experiment_id=99),
    "a run of another type than its experiment": run(experiment_id=2),
    "a run of no parent": run(parent_run_id=99),
    "a result of no run": case(run_id=99),
    "a result of another type than its run": judged(run_id=1),
    "a score of no result": row("case_scores", case_run_id=99),
    "a trajectory of no result": row("case_run_trajectories", case_run_id=99),
    "a verdict on no result": row("human_verdicts", case_run_id=99),
    "checked metadata of no result": row("checked_case_meta", case_run_id=99),
    "checked metadata of a judged result": row("checked_case_meta", case_run_id=2),
    "judged metadata of no run": row("judged_run_meta", run_id=99),
    "judged metadata of a checked run": row("judged_run_meta", run_id=1),
    "judged metadata of no result": row("judged_case_meta", case_run_id=99),
    "judged metadata of a checked result": row("judged_case_meta", case_run_id=1),
}
"""Refused statements, each of which breaks a foreign key."""

TYPES = {
    "text in a number": run(exit_status="one"),
    "a fraction in a count": run(total_cases=3.5),
    "text in a score": case(score="good"),
    "a number that is none in a cost": case(cost_usd="nan"),
    "a missing name": row("experiments", name=None),
    "a missing start": run(started_at=None),
    "a missing outcome": case(outcome=None),
    "a missing question": row("judged_case_meta", question=None),
    "a missing path": row("case_run_trajectories", path=None),
    "a missing position": case(seq=None),
    "a missing author": row("human_verdicts", author=None),
}
"""Refused statements with a value of the wrong type, or none where there must be one (STRICT tables, NOT NULL)."""

ON_SERVER = {
    "experiment_config": [row("experiments", config="[]")],
    "experiment_created": [row("experiments", created_at="infinity")],
    "known_seen": [row("experiment_cases", first_seen_at="infinity")],
    "run_params": [run(params="[]")],
    "run_started": [run(started_at="-infinity")],
    "run_heartbeat": [run(heartbeat_at="infinity")],
    "run_ended": [run(finished_at="infinity")],
    "case_started": [case(started_at="-infinity")],
    "case_finished": [case(finished_at="infinity")],
    "human_created": [row("human_verdicts", created_at="infinity")],
    "human_undone": [row("human_verdicts", undone_at="-infinity")],
    "case_input": [],
    "case_context": [],
    "case_expected": [],
}
"""What stands for ``CHECKS`` on PostgreSQL, whose types TIMESTAMPTZ, JSON and JSONB refuse the rest."""

TYPES_ON_SERVER = {
    **{name: statement for name, statement in TYPES.items() if name != "a fraction in a count"},  # it is rounded
    "no time in a time": run(started_at="late"),
    "no JSON in a JSON column": case(input="What is it?"),
    "no JSON in an object": row("experiments", config="{"),
}


def schema(dialect: str) -> str:
    return ";\n".join(part for migration in MIGRATIONS for part in statements(migration.script, dialect)) + ";"


class Database:
    """One row in each table, for each type where there are two; results 3 and 4 and run 3 have no metadata yet."""

    def __init__(self, execute: Any, mark: str) -> None:
        self.execute = execute
        self._mark = mark
        for statement in (
            row("schema_info", version=1),
            row("experiments", name="support"),
            row("experiments", name="essays", type="judged"),
            row("experiment_cases", case_name="refund"),
            run(uid="uid-of-first", session_id="first"),
            judged_run(uid="uid-of-second", session_id="first"),
            judged_run(uid="uid-of-third", session_id="third"),
            case(case_name="refund", seq=0),
            judged(case_name="essay", seq=0),
            case(case_name="bare", seq=1),
            judged(case_name="bare", seq=1),
            row("case_scores", seq=0),
            row("case_run_trajectories", seq=0, trajectory_id="t-1"),
            row("human_verdicts"),
            row("checked_case_meta", case_run_id=1),
            row("judged_run_meta", run_id=2),
            row("judged_case_meta", case_run_id=2),
        ):
            self.insert(statement)

    def insert(self, statement: tuple[str, dict[str, Any]]) -> None:
        table, values = statement
        marks = ", ".join([self._mark] * len(values))
        self.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", [*values.values()])

    def count(self, table: str) -> int:
        return self.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


@pytest.fixture
def database():
    """In SQLite."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.executescript(schema("sqlite"))
    yield Database(connection.execute, "?")
    connection.close()


@pytest.fixture(scope="module")
def filled(postgres, worker_id):
    """A connection to a schema with these rows, on the server."""
    import psycopg

    url = new_schema(postgres, f"constraints_{worker_id}").replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        connection.execute(schema("postgresql").encode())
        made = Database(connection.execute, "%s")
        connection.commit()
        yield made, connection


@pytest.fixture
def server(filled):
    """The same on the server; what a test does is undone."""
    made, connection = filled
    yield made
    connection.rollback()


ACCEPTED = [
    *((table, values) for table, values in LEGAL.items()),
    run(status="cancelled", total_cases=9),
    run(status="running", finished_at=None),
    run(status="failed", missed_cases=0),
    judged_run(),
    judged_run(status="error", judged_cases=0, error_cases=1, experiment_id=None),
    judged_run(status="cancelled"),
    case(outcome="warned"),
    case(outcome="failed", status="failed"),
    case(outcome="skipped", status=None, skip_reason="later", attempts=0, started_at=None, finished_at=None),
    case(case_name="refund", variant="small"),
    case(case_name="refund", repeat_index=1),
    errored(),
    judged(),
    row("human_verdicts", verdict=None, note="too long", undone_at=LATER),
    row("case_scores", state="skipped", score=None),
    row("case_scores", state="error", score=None, error='{"kind": "judge", "message": "unreadable"}'),
]


def names(statement: tuple[str, dict[str, Any]]) -> str:
    return statement[0]


@pytest.mark.parametrize("statement", ACCEPTED, ids=names)
@pytest.mark.parametrize("engine", ["database", "server"])
def test_what_may_be_is_accepted(request, engine, statement):
    database = request.getfixturevalue(engine)
    before = database.count(statement[0])
    database.insert(statement)
    assert database.count(statement[0]) == before + 1


@pytest.mark.parametrize(
    ("name", "statement"), [(name, statement) for name, refused in CHECKS.items() for statement in refused]
)
def test_a_check_refuses_what_must_not_be(database, name, statement):
    # a count below 0 breaks several checks at once, and SQLite names the first
    with pytest.raises(sqlite3.IntegrityError, match=rf"CHECK constraint failed: {name}$"):
        database.insert(statement)


@pytest.mark.parametrize(
    ("name", "statement"),
    [(name, statement) for name, refused in {**CHECKS, **ON_SERVER}.items() for statement in refused],
)
def test_a_check_of_the_server_refuses_what_must_not_be(server, filled, name, statement):
    from psycopg.errors import CheckViolation

    said = []
    while name not in said:  # of several that are broken the server names the first by name: take that away
        for other in said:
            server.execute(f"ALTER TABLE {statement[0]} DROP CONSTRAINT {other}")
        with pytest.raises(CheckViolation) as raised:
            server.insert(statement)
        said.append(raised.value.diag.constraint_name)
        filled[1].rollback()


@pytest.mark.parametrize(("columns", "statement"), KEYS.items())
def test_what_is_unique_is_refused_a_second_time(database, columns, statement):
    with pytest.raises(sqlite3.IntegrityError, match=f"UNIQUE constraint failed: {re.escape(columns)}$"):
        database.insert(statement)


@pytest.mark.parametrize(("columns", "statement"), KEYS.items())
def test_what_is_unique_is_refused_a_second_time_by_the_server(server, columns, statement):
    from psycopg.errors import UniqueViolation

    with pytest.raises(UniqueViolation) as raised:
        server.insert(statement)
    said = raised.value.diag.message_detail  # Key (type, name)=(checked, support) already exists.
    assert said.startswith(f"Key ({', '.join(column.partition('.')[2] for column in columns.split(', '))})=")


@pytest.mark.parametrize("statement", TIES.values(), ids=TIES)
@pytest.mark.parametrize("engine", ["database", "server"])
def test_what_belongs_to_nothing_of_its_type_is_refused(request, engine, statement):
    database = request.getfixturevalue(engine)
    with pytest.raises(Exception, match=r"FOREIGN KEY constraint failed|violates foreign key constraint"):
        database.insert(statement)


@pytest.mark.parametrize("statement", TYPES.values(), ids=TYPES)
def test_a_value_of_the_wrong_type_is_refused(database, statement):
    with pytest.raises(sqlite3.IntegrityError, match=r"cannot store|NOT NULL"):
        database.insert(statement)


@pytest.mark.parametrize("statement", TYPES_ON_SERVER.values(), ids=TYPES_ON_SERVER)
def test_a_value_of_the_wrong_type_is_refused_by_the_server(server, statement):
    from psycopg.errors import CheckViolation, DataError, NotNullViolation

    with pytest.raises((DataError, NotNullViolation, CheckViolation)) as raised:
        server.insert(statement)
    if isinstance(raised.value, CheckViolation):  # NaN is a number here
        assert raised.value.diag.constraint_name == "case_cost"


@pytest.mark.parametrize("engine", ["database", "server"])
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE experiments SET type = 'judged', name = 'x' WHERE id = 1",
        "UPDATE case_runs SET run_id = 2, seq = 9 WHERE id = 1",
    ],
)
def test_an_experiment_cannot_become_one_of_another_type_under_its_runs(request, engine, sql):
    database = request.getfixturevalue(engine)
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        database.execute(sql)


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_every_check_of_the_schema_has_a_refused_statement(dialect):
    text = schema(dialect)
    assert set(re.findall(r"CONSTRAINT (\w+) CHECK", text)) == set(CHECKS)
    assert len(re.findall(r"\bCHECK\b", text)) == len(CHECKS), "a check without a name"
    empty = [name for name, refused in {**CHECKS, **ON_SERVER}.items() if not refused]
    assert [name for name in empty if f"CONSTRAINT {name} CHECK ((TRUE))" not in schema("postgresql")] == []


def test_every_key_of_the_schema_has_a_refused_statement(database):
    keys = set()
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for _, index, unique, origin, _ in database.execute(f"PRAGMA index_list({table})").fetchall():
            columns = [name for _, _, name in database.execute(f"PRAGMA index_info('{index}')").fetchall()]
            if unique and origin in ("u", "pk") and columns != ["id", "type"]:  # id alone is unique already
                keys.add(", ".join(f"{table}.{column}" for column in columns))
        primary = [row[1] for row in database.execute(f"PRAGMA table_info({table})").fetchall() if row[5]]
        if primary != ["id"]:
            keys.add(", ".join(f"{table}.{column}" for column in primary))
    assert keys == set(KEYS)


def test_every_foreign_key_of_the_schema_has_a_refused_statement(database):
    ties = {
        (table, key[2])
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for key in database.execute(f"PRAGMA foreign_key_list({table})").fetchall()
    }
    refused = {table for table, _ in TIES.values()}
    assert {table for table, _ in ties} == refused
    assert len(TIES) >= len(ties)


@pytest.mark.parametrize("engine", ["database", "server"])
def test_deleting_an_experiment_deletes_all_below_it_and_nothing_else(request, engine):
    database = request.getfixturevalue(engine)
    database.execute("DELETE FROM experiments WHERE id = 1")
    left = {table: database.count(table) for table in LEGAL}
    assert left == {
        "experiments": 1,
        "experiment_cases": 0,
        "experiment_runs": 2,
        "case_runs": 2,
        "case_scores": 0,
        "case_run_trajectories": 0,
        "human_verdicts": 0,
        "checked_case_meta": 0,
        "judged_run_meta": 1,
        "judged_case_meta": 1,
        "schema_info": 1,
    }


@pytest.mark.parametrize("engine", ["database", "server"])
def test_deleting_a_parent_leaves_the_runs_that_came_of_it(request, engine):
    database = request.getfixturevalue(engine)
    database.insert(run(parent_run_id=1))
    database.execute("DELETE FROM experiment_runs WHERE id = 1")
    left = database.execute("SELECT parent_run_id FROM experiment_runs WHERE session_id = 'another'").fetchall()
    assert left == [(None,)]
