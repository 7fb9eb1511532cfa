"""A session whose history is a database on a server."""

from __future__ import annotations

import pytest
import sqlalchemy.dialects.postgresql  # noqa: F401 - pytester would forget it, and it cannot be imported twice
from click.testing import CliRunner
from histories import query

from pytest_evals.cli import main
from pytest_evals.store.location import locate
from pytest_evals.store.writer import RunWriter

pytest.importorskip("psycopg")  # as above

SUITE = """
suite: s
experiment: support
target: echo
defaults: {criteria: [contains]}
gates: ['pass_rate >= 50%', 'regressions == 0']
cases:
  - {id: a, input: hello, expected_output: hello}
  - {id: b, input: hello, expected_output: bye}
  - {id: c, input: hello, expected_output: hello}
"""
RUNS = "SELECT status, exit_status, passed_cases, missed_cases FROM experiment_runs ORDER BY id"


@pytest.fixture
def url(server_location):
    """A new history on the server, with a password that nobody asks for."""
    return server_location.url.replace("postgres@", "postgres:hunter2@", 1)


def test_runs_are_kept_on_a_server_and_compared_there(project, url):
    where = f"--evals-history={url}"
    first = project({"s.eval.yaml": SUITE}, where)
    second = project({"s.eval.yaml": SUITE.replace("hello, expected_output: hello", "no, expected_output: yes", 1)},
                     where, "--evals-baseline=last")  # fmt: skip
    assert (first.status, second.status) == (0, 1)
    assert [(gate["verdict"], gate["observed"]) for gate in second.report["gates"]] == [
        ("broken", 1 / 3),
        ("broken", 1),
    ]
    assert query(locate(url, first.path), RUNS) == [("passed", 0, 2, 1), ("passed", 1, 1, 2)]
    assert "hunter2" not in first.out + second.out
    assert "hunter2" not in str(query(locate(url, first.path), "SELECT params FROM experiment_runs"))
    assert list((first.path / ".evals").glob("*.journals")) == []


def test_a_connection_that_drops_at_the_end_changes_nothing_and_recover_stores_the_run(
    project, url, postgres, monkeypatch
):
    real = RunWriter.finish

    def dropped(writer, columns):
        pid = writer._connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        postgres.do(f"SELECT pg_terminate_backend({pid}, 5000)")
        real(writer, columns)

    monkeypatch.setattr(RunWriter, "finish", dropped)
    ran = project({"s.eval.yaml": SUITE}, f"--evals-history={url}")
    monkeypatch.undo()
    assert (ran.status, ran.outcomes) == (0, {"a": "passed", "b": "failed", "c": "passed"})
    (line,) = [line for line in ran.out.splitlines() if "history" in line]
    location = locate(url, ran.path)
    assert line.strip() == (
        f"history: {location}: the connection was lost; "
        "nothing is lost: when that is mended, run: pytest-evals history recover"
    )
    assert "hunter2" not in ran.out
    monkeypatch.chdir(ran.path)
    done = CliRunner().invoke(main, ["history", "recover", "--history", url])
    assert done.exit_code == 0, done.output
    assert query(location, RUNS) == [("passed", 0, 2, 1)]
    assert not location.journals.exists()
