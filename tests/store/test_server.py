"""What can go wrong with a database on a server is one line with the cure, and loses nothing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from factories import result
from histories import query, record
from postgres import GUARDED, own_server

from pytest_evals.errors import StoreError
from pytest_evals.store.connect import reading, writing
from pytest_evals.store.edit import delete_runs
from pytest_evals.store.location import locate
from pytest_evals.store.probe import probe
from pytest_evals.store.runs import list_runs
from pytest_evals.store.server import reason
from pytest_evals.workflow.history import recover

RESULTS = [result("passed", "a", score=1.0, cost_usd=0.5), result("failed", "b", output="a secret answer")]


def refused(location, **fields):
    """The one line that recording a session ends in, without the URL before it and the instruction behind it."""
    with pytest.raises(StoreError) as raised:
        record(location, RESULTS, exit_status=1, **fields)
    line = str(raised.value)
    assert "\n" not in line
    before, instruction = f"{location}: ", "; nothing is lost: when that is mended, run: pytest-evals history recover"
    assert line.startswith(before)
    assert line.endswith(instruction)
    assert len(list(location.journals.glob("*.jsonl"))) == 1
    return line[len(before) : -len(instruction)]


def kept(location):
    with reading(location) as connection:
        return [(run.session_id, run.status, run.exit_status, run.cost_usd) for run in list_runs(connection)]


def test_a_connection_dropped_at_the_end_of_a_run_leaves_the_journal_and_recover_finishes_the_run(
    server_location, postgres, monkeypatch
):
    from pytest_evals.store.writer import RunWriter

    real = RunWriter.finish

    def dropped(writer, columns):
        pid = writer._connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        assert postgres.do(f"SELECT pg_terminate_backend({pid}, 5000)") == [(True,)]
        real(writer, columns)

    monkeypatch.setattr(RunWriter, "finish", dropped)
    assert refused(server_location) == "the connection was lost"
    assert kept(server_location) == []
    monkeypatch.undo()
    (run,) = recover(server_location).runs
    assert (run.status, run.exit_status, run.total_cases, run.stopped, run.error) == ("failed", 1, 2, "", None)
    assert kept(server_location) == [("s1", "failed", 1, 0.5)]
    assert not server_location.journals.exists()


def test_a_server_that_is_down_at_the_end_of_a_run_loses_nothing(tmp_path):
    with own_server() as server:
        location = locate(server.url(), tmp_path)
        record(location, RESULTS, session_id="before")
        server.stop()
        assert refused(location, session_id="after", started_at="2026-04-01T16:00:00Z") == (
            "no server listens there; is it running, and are host and port right?"
        )
        with pytest.raises(StoreError, match="no server listens there"):
            recover(location)
        server.start()
        (mine,) = record(location, RESULTS, session_id="next", started_at="2026-04-02T16:00:00Z", exit_status=1)
        assert mine.session_id == "next"  # and found the other's journal
        assert [session for session, *_ in kept(location)] == ["next", "after", "before"]
    assert not location.journals.exists()


def test_a_wrong_password_a_wrong_user_and_a_missing_database_are_a_line_with_the_cure(postgres, tmp_path):
    postgres.do(f"DROP ROLE IF EXISTS {GUARDED}")
    postgres.do(f"CREATE ROLE {GUARDED} LOGIN PASSWORD 'right'")
    for user, database, said in (
        (f"{GUARDED}:wrong", "postgres", "the server refuses the user or the password: mend the URL, PGPASSWORD or"),
        (GUARDED, "postgres", "the server refuses the user or the password: mend the URL, PGPASSWORD or ~/.pgpass"),
        ("nobody-here", "postgres", "the server knows no user 'nobody-here'"),
        ("postgres", "missing", "there is no database 'missing' on that server; make it: createdb missing"),
    ):
        location = locate(postgres.url(database, user=user), tmp_path / database)
        with pytest.raises(StoreError) as raised:
            probe(location)
        assert said in str(raised.value)
        assert "wrong" not in str(raised.value)
        assert "\n" not in str(raised.value)


def test_a_host_that_is_not_there_is_a_line_with_the_cure(tmp_path):
    pytest.importorskip("psycopg")
    for host, said in (
        ("nowhere.invalid", "there is no host 'nowhere.invalid'; is the URL right?"),
        ("127.0.0.1:1", "no server listens there; is it running, and are host and port right?"),
        ("?host=/nowhere", "no server listens there; is it running, and are host and port right?"),
    ):
        location = locate(f"postgresql+psycopg://me:secret@{host}", tmp_path)
        assert refused(location) == said
        (journal,) = location.journals.glob("*.jsonl")
        journal.unlink()


def test_a_user_who_may_not_make_tables_is_told_so(postgres, tmp_path):
    postgres.do("DROP SCHEMA IF EXISTS closed CASCADE")
    postgres.do("DROP ROLE IF EXISTS guest")
    postgres.do("CREATE SCHEMA closed")
    postgres.do("CREATE ROLE guest LOGIN")
    postgres.do("GRANT USAGE ON SCHEMA closed TO guest")
    location = locate(postgres.url(user="guest", options="-csearch_path=closed"), tmp_path)
    assert refused(location) == (
        "the user may not do that (permission denied for schema closed); the database's owner can grant it"
    )
    nowhere = locate(postgres.url(options="-csearch_path=never"), tmp_path)
    assert refused(nowhere) == "the user's search_path names no schema that exists; make it: CREATE SCHEMA …"


def test_a_role_that_may_only_read_looks_and_one_that_may_write_rows_records(server_location, postgres, tmp_path):
    """What docs/history.md says of permissions: the tables are made, or brought up to date, by their owner."""
    record(server_location, RESULTS, session_id="owner")
    (schema,) = re.findall(r"search_path%3D(\w+)", server_location.url)
    for role, may in (("looker", "SELECT"), ("keeper", "SELECT, INSERT, UPDATE")):
        postgres.do(f"DROP ROLE IF EXISTS {role}")
        postgres.do(f"CREATE ROLE {role} LOGIN")
        postgres.do(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
        postgres.do(f"GRANT {may} ON ALL TABLES IN SCHEMA {schema} TO {role}")
    looker, keeper = (
        locate(server_location.url.replace("postgres@", f"{role}@", 1), tmp_path / role)
        for role in ("looker", "keeper")
    )
    assert len(kept(looker)) == 1
    assert refused(looker).startswith("the user may not do that (permission denied for table ")
    (stored,) = record(keeper, RESULTS, session_id="keeper", started_at="2026-03-02T16:00:00Z")
    with pytest.raises(StoreError, match=r"permission denied for table experiment_runs"), writing(keeper) as connection:
        delete_runs(connection, [stored])
    assert [session for session, *_ in kept(looker)] == ["keeper", "owner"]


def test_a_database_in_another_encoding_is_refused(postgres, tmp_path):
    postgres.do("DROP DATABASE IF EXISTS latin")
    postgres.do("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    assert refused(locate(postgres.url("latin"), tmp_path)) == (
        "its encoding is LATIN1; a history needs a database made with --encoding=UTF8"
    )


def test_a_session_waits_for_another_only_so_long(server_location):
    record(server_location, RESULTS, session_id="before")
    with writing(server_location):
        with (
            pytest.raises(StoreError, match=r"another session has it locked; try again$"),
            writing(server_location, timeout_s=0.05),
        ):
            pass
        assert len(kept(server_location)) == 1  # reading does not wait for those who write


def test_what_the_server_refuses_is_a_line_without_what_was_to_be_stored(server_location):
    with pytest.raises(StoreError) as raised, writing(server_location) as connection:
        connection.exec_driver_sql(
            "INSERT INTO experiments (type, name, created_at) VALUES ('x', 'secret', '2026-03-01')"
        )
    assert str(raised.value).endswith('violates check constraint "experiment_type"')
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("url", ["postgres://", "postgresql://", "postgresql+psycopg://", "PostgreSQL://"])
def test_urls_as_servers_hand_them_out_are_understood(postgres, tmp_path, url):
    location = locate(url + postgres.url().partition("://")[2], tmp_path)
    assert probe(location).runs == 0


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense://host/db", "not a database URL this package can use"),
        ("mysql+nothing://host/db", "not a database URL this package can use"),
        ("oracle://user:secret@host/db", "not a database this package can use: it keeps a history in SQLite or Postgr"),
        ("postgresql+pg8000://user:secret@host/db", "PostgreSQL is reached through psycopg: write postgresql+psycopg:"),
        ("postgresql://user:secret@host:port/db", "not a database URL this package can use"),
    ],
)
def test_a_url_that_cannot_be_used_is_one_line_without_the_password(tmp_path, url, reason):
    with pytest.raises(StoreError) as raised, writing(locate(url, tmp_path)):
        pass
    assert reason in str(raised.value)
    assert "secret" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_without_the_driver_the_line_says_what_to_install(tmp_path):
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from pathlib import Path\n"
        "from pytest_evals.store.connect import reading\n"
        "from pytest_evals.store.location import locate\n"
        "with reading(locate('postgresql+psycopg://me:secret@host/db', Path('.'))): pass\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == (
        "pytest_evals.errors.StoreError: postgresql+psycopg://me:***@host/db: "
        "a PostgreSQL history needs the psycopg package: pip install 'pytest-evals-suite[postgres]'"
    )


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("server closed the connection unexpectedly\n\tThis probably means …", "the connection was lost"),
        ("[Errno -2] Name or service not known", "there is no such host; is the URL right?"),
        ("connection timeout expired", "the server does not answer; is it reachable from here?"),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.1"', "the server lets nobody in from this host"),
        ("FATAL:  sorry, too many clients already", "the server has no connection left; try again"),
        ("FATAL:  the database system is starting up", "the server is not ready; try again"),
        ("could not extend file: No space left on device", "the server's disk is full"),
        ("cannot execute INSERT in a read-only transaction", "it is read-only: name the primary server, not a replica"),
        ("permission denied for table case_runs", "the user may not do that (permission denied for table case_runs)"),
        ("something new\nDETAIL:  Failing row contains (secret).", "something new"),
    ],
)
def test_what_a_server_says_becomes_a_line(said, line):
    assert reason(Exception(said)).startswith(line)
    assert "secret" not in reason(Exception(said))


def test_what_was_recorded_on_a_server_is_there_for_other_programs_as_the_schema_says(server_location):
    record(server_location, RESULTS, params={"b": 1, "a": 2})
    kinds = query(
        server_location,
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() "
        "AND table_name IN ('experiment_runs', 'case_runs') AND column_name IN "
        "('started_at', 'params', 'gates', 'tags', 'trials', 'input', 'cost_usd', 'input_tokens') ORDER BY 1, 2",
    )
    assert dict(kinds) == {
        "started_at": "timestamp with time zone",
        "params": "jsonb",
        "gates": "jsonb",
        "tags": "jsonb",
        "trials": "json",
        "input": "json",
        "cost_usd": "double precision",
        "input_tokens": "bigint",
    }
    assert query(server_location, "SELECT params ->> 'a' FROM experiment_runs") == [("2",)]
