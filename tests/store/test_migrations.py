from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from factories import criterion, result
from histories import change, history, made, query, record
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


def make_ancestor(location, ancestor):
    """The database as it was: on a server with the tables of that time and the same rows."""
    dump = ancestor.read_text("utf-8")
    if location.path is not None:
        location.path.parent.mkdir()
        old = sqlite3.connect(location.path)
        old.executescript(dump)
        old.close()
        return
    then = [part for m in MIGRATIONS[: int(ancestor.stem[1:])] for part in statements(m.script, "postgresql")]
    rows = [line for line in dump.splitlines() if line.startswith("INSERT INTO")]
    rows.sort(key=lambda line: list(metadata.tables).index(line.split('"')[1]))
    for sql in [*then, *rows]:
        change(location, sql)
    for table in re.findall(r"CREATE TABLE (\w+) \(\s+id ", ";".join(then)):
        change(location, f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), 100) FROM {table}")


@pytest.mark.parametrize("ancestor", ANCESTORS, ids=lambda path: path.stem)
def test_the_history_of_an_ancestor_is_read_and_written(location, ancestor):
    make_ancestor(location, ancestor)
    with reading(location) as connection:
        run = find_run(connection, "last")
        assert (run.experiment, run.status, run.cost_usd, run.git_branch) == ("support", "failed", 0.25, "main")
        kept = list(case_results(connection, run))
    assert [(r.case_id, r.variant, r.outcome, r.score) for r in kept] == [
        (r.case_id, r.variant, r.outcome, r.score) for r in results()
    ]
    assert [r.trials for r in kept] == [r.trials for r in results()]
    said = query(location, "SELECT verdict, note, author FROM human_verdicts")
    assert said == ([("fail", "“x” is no size", "ann")] if ancestor.stem >= "v004" else [])
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


def test_a_step_is_applied_once_and_keeps_what_is_there(location):
    record(location, results())
    script = "ALTER TABLE experiment_runs ADD COLUMN extra REAL;\nUPDATE experiment_runs SET extra = 0.5;"
    longer = (*MIGRATIONS, Migration("m999_extra", script))
    with writing(location) as connection:
        migrate(connection, longer)
        migrate(connection, longer)
    assert query(location, "SELECT extra FROM experiment_runs") == [(0.5,)]
    assert query(location, "SELECT name FROM schema_info ORDER BY version")[-1] == ("m999_extra",)


def test_a_step_that_fails_leaves_the_history_as_it_was(location):
    record(location, results())
    broken = (*MIGRATIONS, Migration("m999_broken", "ALTER TABLE experiments ADD COLUMN x REAL;\nSELECT nonsense;"))
    with pytest.raises(StoreError, match="nonsense"), writing(location) as connection:
        migrate(connection, broken)
    with reading(location) as connection:
        assert "x" not in [column["name"] for column in inspect(connection).get_columns("experiments")]
        assert schema_version(connection) == len(MIGRATIONS)
        assert len(list_runs(connection)) == 1


def test_looking_into_an_empty_database_finds_no_runs_and_makes_no_tables(server_location):
    with reading(server_location) as connection:
        assert list_runs(connection) == []
    assert not made(server_location)


def test_a_table_of_the_same_name_on_a_server_is_refused_and_left_alone(server_location):
    change(server_location, "CREATE TABLE experiments (id INTEGER)")
    with (
        pytest.raises(StoreError, match=r"it has a table 'experiments' that is not ours; use a database or schema of"),
        writing(server_location),
    ):
        pass
    assert query(server_location, "SELECT count(*) FROM experiments") == [(0,)]
    assert not made(server_location)


def test_a_newer_history_is_refused_and_left_alone(location):
    record(location, results())
    change(location, "INSERT INTO schema_info VALUES (99, 'm099_later', '2027-01-01T00:00:00.000000+00:00')")
    for opened in (reading, writing):
        with pytest.raises(StoreError) as raised, opened(location):
            pass
        assert str(raised.value) == (
            f"{location}: a newer version of pytest-evals wrote it (schema 99, this one knows {len(MIGRATIONS)}); "
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


def test_the_tables_in_code_are_those_the_migrations_make(location):
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
                there, here = (kind.compile(connection.dialect) for kind in (real["type"], column.type))
                assert re.sub("REAL|DOUBLE PRECISION", "DOUBLE", there.replace("INTEGER", "BIGINT")) == re.sub(
                    "DOUBLE PRECISION", "DOUBLE", here.replace("INTEGER", "BIGINT")
                ), (table.name, column.name)


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
    from pytest_evals.store.people import add_verdict
    from pytest_evals.workflow.provenance import Provenance

    with tempfile.TemporaryDirectory() as folder:
        here = history(Path(folder))
        spec = {"bot": ExperimentSpec("support", "Answers of the bot", {"k": 3})}
        made = list(results())
        from dataclasses import replace

        made = [replace(r, experiment="support") for r in made]
        record(here, made, experiments=spec, provenance=Provenance(git_branch="main", host="ci"), exit_status=1)
        with writing(here) as database:
            add_verdict(database, 2, verdict="fail", author="ann", note="“x” is no size")
        sys.stdout.write("\n".join(sqlite3.connect(here.path).iterdump()) + "\n")
