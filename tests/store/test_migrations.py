from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from factories import criterion, result
from histories import history, query, record
from sqlalchemy import inspect

from pytest_evals.errors import StoreError
from pytest_evals.model.response import Usage
from pytest_evals.store.connect import reading, writing
from pytest_evals.store.migrations import MIGRATIONS, Migration, migrate, schema_version
from pytest_evals.store.migrations.sql import statements
from pytest_evals.store.results import case_results
from pytest_evals.store.runs import find_run, list_runs
from pytest_evals.store.tables import metadata, views

ANCESTORS = sorted((Path(__file__).parent / "ancestors").glob("v*.sql"))


def results():
    """What every ancestor in ``ancestors/`` holds."""
    return [
        result("passed", "refund", criteria=(criterion(score=1.0, reason="has 30 days"),), score=1.0, tags=("smoke",)),
        result(
            "failed",
            "größe “x”",
            criteria=(criterion("tone", 0.25, 0.7, scorer="judge", threshold=0.7, detail={"said": [1, "é"]}),),
            usage=Usage(12, 5, 3),
            cost_usd=0.25,
            latency_ms=12.5,
            variant="small",
            metadata={"ticket": 1234, "nested": {"a": None}},
        ),
    ]


def test_there_is_an_ancestor_of_every_version():
    assert [path.stem for path in ANCESTORS] == [f"v{number:03}" for number in range(1, len(MIGRATIONS) + 1)]
    assert [m.name[:4] for m in MIGRATIONS] == [f"m{number:03}" for number in range(1, len(MIGRATIONS) + 1)]


@pytest.mark.parametrize("ancestor", ANCESTORS, ids=lambda path: path.stem)
def test_the_history_of_an_ancestor_is_read_and_written(tmp_path, ancestor):
    location = history(tmp_path)
    location.path.parent.mkdir()
    old = sqlite3.connect(location.path)
    old.executescript(ancestor.read_text("utf-8"))
    old.close()
    with reading(location) as connection:
        run = find_run(connection, "last")
        assert (run.experiment, run.status, run.cost_usd, run.git_branch) == ("support", "failed", 0.25, "main")
        kept = list(case_results(connection, run))
    assert [(r.case_id, r.variant, r.outcome, r.score) for r in kept] == [
        (r.case_id, r.variant, r.outcome, r.score) for r in results()
    ]
    assert [r.trials for r in kept] == [r.trials for r in results()]
    record(location, results(), session_id="s2", started_at="2026-03-02T16:00:00Z")
    with reading(location) as connection:
        assert [r.session_id for r in list_runs(connection)] == ["s2", "s1"]
    versions = [row[0] for row in query(location, "SELECT version FROM schema_info ORDER BY version")]
    assert versions == list(range(1, len(MIGRATIONS) + 1))


def test_an_empty_file_is_a_history_without_runs(tmp_path):
    location = history(tmp_path)
    location.path.parent.mkdir()
    location.path.touch()
    with reading(location) as connection:
        assert list_runs(connection) == []
    assert query(location, "SELECT version, name FROM schema_info ORDER BY version") == [
        (number, migration.name) for number, migration in enumerate(MIGRATIONS, 1)
    ]


def test_a_step_is_applied_once_and_keeps_what_is_there(tmp_path):
    location = history(tmp_path)
    record(location, results())
    script = "ALTER TABLE experiment_runs ADD COLUMN extra REAL;\nUPDATE experiment_runs SET extra = 0.5;"
    longer = (*MIGRATIONS, Migration("m999_extra", script))
    with writing(location) as connection:
        migrate(connection, longer)
        migrate(connection, longer)
    assert query(location, "SELECT extra FROM experiment_runs") == [(0.5,)]
    assert query(location, "SELECT name FROM schema_info ORDER BY version")[-1] == ("m999_extra",)


def test_a_step_that_fails_leaves_the_history_as_it_was(tmp_path):
    location = history(tmp_path)
    record(location, results())
    broken = (*MIGRATIONS, Migration("m999_broken", "ALTER TABLE experiments ADD COLUMN x REAL;\nSELECT nonsense;"))
    with pytest.raises(StoreError, match="nonsense"), writing(location) as connection:
        migrate(connection, broken)
    columns = [row[1] for row in query(location, "PRAGMA table_info(experiments)")]
    assert "x" not in columns
    with reading(location) as connection:
        assert schema_version(connection) == len(MIGRATIONS)
        assert len(list_runs(connection)) == 1


def test_a_newer_history_is_refused_and_left_alone(tmp_path):
    location = history(tmp_path)
    record(location, results())
    raw = sqlite3.connect(location.path)
    raw.execute("INSERT INTO schema_info VALUES (99, 'm099_later', '2027-01-01T00:00:00.000000+00:00')")
    raw.commit()
    raw.close()
    for opened in (reading, writing):
        with pytest.raises(StoreError) as raised, opened(location):
            pass
        assert str(raised.value) == (
            f"{location.path}: a newer version of pytest-evals wrote it (schema 99, this one knows {len(MIGRATIONS)}); "
            "upgrade pytest-evals-suite"
        )


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path):
    location = history(tmp_path)
    location.path.parent.mkdir()
    raw = sqlite3.connect(location.path)
    raw.execute("CREATE TABLE customers (id INTEGER)")
    raw.close()
    for opened in (reading, writing):
        with pytest.raises(StoreError, match="it is a database of something else; name another file"), opened(location):
            pass
    assert query(location, "SELECT name FROM sqlite_master") == [("customers",)]


def test_the_tables_in_code_are_those_the_migrations_make(tmp_path):
    location = history(tmp_path)
    with writing(location) as connection:
        made = inspect(connection)
        assert set(made.get_table_names()) == set(metadata.tables)
        assert set(made.get_view_names()) == set(views.tables)
        for table in (*metadata.tables.values(), *views.tables.values()):
            columns = {column["name"]: column for column in made.get_columns(table.name)}
            assert list(columns) == [column.name for column in table.columns], table.name
            for column in table.columns if table.name in metadata.tables else ():
                real = columns[column.name]
                assert real["nullable"] == column.nullable or column.primary_key, (table.name, column.name)
                assert str(real["type"]).replace("REAL", "DOUBLE").replace("INTEGER", "BIGINT") == str(
                    column.type.compile(connection.dialect)
                ).replace("INTEGER", "BIGINT"), (table.name, column.name)


def test_every_table_and_column_has_a_comment():
    for table in (*metadata.tables.values(), *views.tables.values()):
        assert table.comment, table.name
        for column in table.columns:
            assert column.comment, (table.name, column.name)
            assert column.comment.endswith("."), (table.name, column.name)


def test_both_engines_get_the_same_tables_and_constraints():
    def shape(dialect):
        script = "\n".join(text for m in MIGRATIONS for text in statements(m.script, dialect))
        lines = [line.split() for line in script.splitlines()]
        return [words[0] for words in lines if words], script.count("CONSTRAINT"), script.count("REFERENCES")

    assert shape("sqlite")[1:] == shape("postgresql")[1:]
    assert shape("sqlite")[0] == shape("postgresql")[0]
    assert "STRICT" not in "".join(statements(MIGRATIONS[0].script, "postgresql"))
    left = ["ROW_ID", "ROW_REF", "INSTANT", "END_", "IS_", "FINITE"]
    for dialect in ("sqlite", "postgresql"):
        script = "\n".join(statements(MIGRATIONS[0].script, dialect))
        assert [word for word in left if f" {word}" in script or f"({word}" in script] == []


if __name__ == "__main__":  # makes the ancestor of the present version: python tests/store/test_migrations.py
    import sys
    import tempfile

    from pytest_evals.model.case import ExperimentSpec
    from pytest_evals.workflow.provenance import Provenance

    with tempfile.TemporaryDirectory() as folder:
        here = history(Path(folder))
        spec = {"bot": ExperimentSpec("support", "Answers of the bot", {"k": 3})}
        made = list(results())
        from dataclasses import replace

        made = [replace(r, experiment="support") for r in made]
        record(here, made, experiments=spec, provenance=Provenance(git_branch="main", host="ci"), exit_status=1)
        sys.stdout.write("\n".join(sqlite3.connect(here.path).iterdump()) + "\n")
