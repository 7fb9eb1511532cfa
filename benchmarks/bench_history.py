"""What the history costs: writing a large run, and looking things up among a million results.

    python benchmarks/bench_history.py [--results 1000000] [--repeats 5] [--folder FOLDER | --url URL]

Each figure is the least of several child processes, for what a busy machine adds is not the history's; a command's is
from the start of Python to its end. Exits with 1 when a bound is missed: a run of 10,000 cases with answers of 1 kB is
written in 2 s; `history` and `history case` answer in 0.5 s in a history of 1,000,000 results with answers of 1 kB
(2.3 GB on disk; it takes a minute or two to make); `compare` compares two runs of 10,000 cases there in 1.5 s.

The bounds hold for SQLite and, with `--url postgresql+psycopg://…`, for a server: schemas bench_… are made in that
database, and dropped at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MOST_WRITE_S = 2.0
MOST_LOOK_S = 0.5
MOST_COMPARE_S = 1.5
CASES = 10_000
SMALL_CASES = 100
"""Cases of a run of the second series, whose cases have many runs."""

WRITE = """
import json, sys, time
from pathlib import Path

from pytest_evals.model.codec import result_to_json
from pytest_evals.model.outcome import Outcome
from pytest_evals.model.response import Usage
from pytest_evals.model.result import Attempt, CaseResult, CriterionResult, Trial
from pytest_evals.model.run import SessionResult, SuiteCount
from pytest_evals.report.rows import row_of
from pytest_evals.stats import summarize
from pytest_evals.store.journal import Journal
from pytest_evals.store.location import locate
from pytest_evals.workflow.history import journal_header, record_session

folder, suite, cases, where = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]


def made(n):
    answer = f"Answer {n}: " + "lorem ipsum dolor sit amet, " * 36
    passed = n % 10 != 0
    reason = "" if passed else "'30 days' is not in it"
    criteria = (
        CriterionResult("contains", "contains", 1.0, float(passed), passed, reason=reason),
        CriterionResult("levenshtein", "levenshtein", 0.7, 0.8, True, 2.0, 0.7, "", {"distance": 12}),
    )
    outcome = Outcome.PASSED if passed else Outcome.FAILED
    trial = Trial(
        outcome, answer[:1024], 0.8, criteria, None, (Attempt(120.5),), 120.5, 0.3, Usage(200, 250), 0.0004,
        session_id=f"{n:032x}",
    )
    return CaseResult(
        suite, f"case-{n}", outcome, (trial,), name=f"Case {n}", node_id=f"evals/{suite}.eval.yaml::case-{n}",
        source=f"evals/{suite}.eval.yaml:{n}", experiment=suite, category="refunds", tags=("smoke", "support"),
        metadata={"ticket": n}, input=f"What about {n}?",
        expected_output="30 days", definition_sha256=f"{n:064x}", score=0.8, target="app:bot",
        started_at="2026-03-01T16:00:00.000000+00:00", finished_at="2026-03-01T16:00:00.125000+00:00",
    )


results = [made(n) for n in range(cases)]
lines = [result_to_json(result) for result in results]
rows = [row_of(result) for result in results]
start, end = "2026-03-01T16:00:00+00:00", "2026-03-01T16:10:00+00:00"
session = SessionResult(
    f"session of {suite}", start, end, 600.0, rows, [SuiteCount(suite, f"evals/{suite}.eval.yaml", cases, cases)],
    summarize(rows), exit_status=1,
)
location = locate(where or None, folder)
began = time.perf_counter()
journal = Journal.create(location.journals, journal_header(session_id=session.session_id, started_at=start))
for result, line in zip(results, lines):
    journal.append(line, result.key)
appended = time.perf_counter()
record_session(location, session, journal)
journal.finish()
print(json.dumps({"append_s": appended - began, "record_s": time.perf_counter() - appended}))
"""


def write(folder: Path, suite: str, cases: int, url: str = "") -> dict[str, float]:
    """Write one run in a process of its own; the time to load SQLAlchemy counts."""
    words = [sys.executable, "-c", WRITE, str(folder), suite, str(cases), url]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    times: dict[str, float] = json.loads(done.stdout)
    return times


def multiply(database: Path, suite: str, runs: int) -> None:
    """Copy the suite's one run until there are so many, each begun an hour after the one before."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -400000")
    (run,) = connection.execute(
        "SELECT r.id FROM experiment_runs r JOIN experiments e ON e.id = r.experiment_id WHERE e.name = ?", (suite,)
    ).fetchone()
    names = {t: [row[1] for row in connection.execute(f"PRAGMA table_info({t})")] for t in TABLES}
    for copy in range(1, runs):
        connection.execute("BEGIN")
        at = f"datetime('2026-03-02', '+{copy} hours')"
        at = f"strftime('%Y-%m-%dT%H:%M:%S', {at}) || '.000000+00:00'"
        changed = {"id": "NULL", "uid": f"'copy-{suite}-{copy}'", "session_id": f"'{suite} {copy}'"}
        changed |= dict.fromkeys(("started_at", "heartbeat_at", "finished_at"), at)
        copy_rows(connection, "experiment_runs", names, changed, f"id = {run}")
        new = connection.execute("SELECT max(id) FROM experiment_runs").fetchone()[0]
        first = connection.execute("SELECT min(id) FROM case_runs WHERE run_id = ?", (run,)).fetchone()[0]
        offset = connection.execute("SELECT max(id) FROM case_runs").fetchone()[0] + 1 - first
        which = f"{first} AND {first} + (SELECT total_cases - 1 FROM experiment_runs WHERE id = {run})"
        copy_rows(connection, "case_runs", names, {"id": f"id + {offset}", "run_id": str(new)}, f"id BETWEEN {which}")
        for table in ("case_scores", "checked_case_meta"):
            moved = {"case_run_id": f"case_run_id + {offset}"}
            copy_rows(connection, table, names, moved, f"case_run_id BETWEEN {which}")
        connection.execute("COMMIT")
    connection.close()


def multiply_on_server(url: str, suite: str, runs: int) -> None:
    """As ``multiply``."""
    import psycopg

    with psycopg.connect(url.replace("+psycopg", "")) as connection:

        def one(sql: str) -> int:
            row = connection.execute(sql.encode()).fetchone()
            assert row is not None
            return int(row[0])

        run = one(
            f"SELECT r.id FROM experiment_runs r JOIN experiments e ON e.id = experiment_id WHERE e.name = '{suite}'"
        )
        columns = {}
        for table in TABLES:
            described = connection.execute(f"SELECT * FROM {table} LIMIT 0".encode()).description
            columns[table] = [column.name for column in described or ()]
        columns["experiment_runs"].remove("id")
        for copy in range(1, runs):
            at = f"timestamptz '2026-03-02 00:00+00' + interval '{copy} hours'"
            changed = {"uid": f"'copy-{suite}-{copy}'", "session_id": f"'{suite} {copy}'"}
            changed |= dict.fromkeys(("started_at", "heartbeat_at", "finished_at"), at)
            new = one(copying("experiment_runs", columns, changed, f"id = {run}") + " RETURNING id")
            first = one(f"SELECT min(id) FROM case_runs WHERE run_id = {run}")
            offset = one("SELECT max(id) FROM case_runs") + 1 - first
            results = f"SELECT id FROM case_runs WHERE run_id = {run}"
            moved = {"id": f"id + {offset}", "run_id": str(new)}
            connection.execute(copying("case_runs", columns, moved, f"run_id = {run}").encode())
            for table in ("case_scores", "checked_case_meta"):
                moved = {"case_run_id": f"case_run_id + {offset}"}
                connection.execute(copying(table, columns, moved, f"case_run_id IN ({results})").encode())
            connection.commit()
        connection.execute(b"SELECT setval(pg_get_serial_sequence('case_runs', 'id'), max(id)) FROM case_runs")


TABLES = ("experiment_runs", "case_runs", "case_scores", "checked_case_meta")


def copy_rows(
    connection: sqlite3.Connection, table: str, names: dict[str, list[str]], changed: dict[str, str], where: str
) -> None:
    connection.execute(copying(table, names, changed, where))


def copying(table: str, names: dict[str, list[str]], changed: dict[str, str], where: str) -> str:
    values = ", ".join(changed.get(name, name) for name in names[table])
    return f"INSERT INTO {table} ({', '.join(names[table])}) SELECT {values} FROM {table} WHERE {where}"


class Server:
    """A database on a server, in which every history has a schema of its own; without a URL, of files."""

    def __init__(self, url: str | None) -> None:
        self._url = url

    def schema(self, name: str) -> str:
        """The URL of a new, empty schema; empty without a server."""
        if not self._url:
            return ""
        self.drop(name)
        self._do(f"CREATE SCHEMA bench_{name}")
        return f"{self._url}{'&' if '?' in self._url else '?'}options=-csearch_path%3Dbench_{name}"

    def drop(self, name: str) -> None:
        if self._url:
            self._do(f"DROP SCHEMA IF EXISTS bench_{name} CASCADE")

    def tidy(self) -> None:
        """What a server does by itself, a little after many rows have come."""
        if self._url:
            self._do("VACUUM (ANALYZE)")

    def _do(self, sql: str) -> list[tuple[Any, ...]]:
        import psycopg

        assert self._url is not None
        with psycopg.connect(self._url.replace("+psycopg", ""), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def counts(self) -> tuple[int, int, float]:
        """Results, runs and bytes of the history that is looked into."""
        results = self._do("SELECT count(*) FROM bench_look.case_runs")[0][0]
        runs = self._do("SELECT count(*) FROM bench_look.experiment_runs")[0][0]
        size = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'bench_look'::regnamespace"
        return results, runs, float(self._do(f"{size} AND relkind = 'r'")[0][0])


def look(folder: Path, *arguments: str, repeats: int, command: str = "history", url: str = "") -> float:
    """Seconds a command takes, from its start to its end."""
    words = [str(Path(sys.executable).parent / "pytest-evals"), command, *arguments]
    times = []
    environ = {**os.environ, "PYTEST_EVALS_HISTORY": url} if url else None
    for _ in range(repeats):
        began = time.perf_counter()
        subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, check=True, env=environ)
        times.append(time.perf_counter() - began)
    return min(times)


def counts(database: Path) -> tuple[int, int, float]:
    """Results, runs and bytes of a file."""
    connection = sqlite3.connect(database)
    results = connection.execute("SELECT count(*) FROM case_runs").fetchone()[0]
    runs = connection.execute("SELECT count(*) FROM experiment_runs").fetchone()[0]
    connection.close()
    return results, runs, float(database.stat().st_size)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where to make the history; it stays there")
    parser.add_argument("--url", help="measure a PostgreSQL server instead: a database to make schemas in")
    options = parser.parse_args()
    server = Server(options.url)
    missed = []

    def report(name: str, seconds: float, most: float | None = None) -> None:
        bound = "" if most is None else f"  (bound {most:g} s)"
        print(f"{name:<58} {seconds:7.3f} s{bound}", flush=True)
        if most is not None and seconds > most:
            missed.append(name)

    with tempfile.TemporaryDirectory(prefix="bench-history-") as temporary:
        written = []
        for repeat in range(options.repeats):
            folder = Path(temporary) / f"write-{repeat}"
            folder.mkdir()
            written.append(write(folder, "large", CASES, server.schema("write")))
        server.drop("write")
        report(f"journal of {CASES:,} cases with answers of 1 kB", min(w["append_s"] for w in written))
        name = f"run of {CASES:,} cases with answers of 1 kB written"
        report(name, min(w["record_s"] for w in written), MOST_WRITE_S)

        folder = options.folder or Path(temporary) / "look"
        folder.mkdir(exist_ok=True)
        database = folder / ".evals" / "history.db"
        url = server.schema("look")
        if url or not database.exists():
            began = time.perf_counter()
            write(folder, "large", CASES, url)
            write(folder, "small", SMALL_CASES, url)
            small = max(1, options.results // 10 // SMALL_CASES)
            for suite, runs in {"small": small, "large": (options.results - small * SMALL_CASES) // CASES}.items():
                if url:
                    multiply_on_server(url, suite, runs)
                else:
                    multiply(database, suite, runs)
            server.tidy()
            report("history made", time.perf_counter() - began)
        results, runs, size = server.counts() if url else counts(database)
        print(f"{results:,} results in {runs:,} runs, {size / 1e9:.1f} GB")

        def command(*words: str, of: str = "history") -> float:
            return look(folder, *words, repeats=options.repeats, command=of, url=url)

        report("pytest-evals history", command(), MOST_LOOK_S)
        report("pytest-evals history --json", command("--json"), MOST_LOOK_S)
        one = command("case", "large::case-5000")
        report("pytest-evals history case, of a large suite", one, MOST_LOOK_S)
        one = command("case", "small::case-50")
        report("pytest-evals history case, of a suite with many runs", one, MOST_LOOK_S)
        one = command("case", "small::case-50", "--limit", "0")
        report("pytest-evals history case --limit 0, with many runs", one, MOST_LOOK_S)
        pair = command("copy-large-1", "copy-large-2", of="compare")
        report("pytest-evals compare, two runs of 10,000 cases", pair, MOST_COMPARE_S)
        report("pytest-evals history experiments", command("experiments"))
        report("pytest-evals history show last, 10,000 cases", command("show", "last"))
        server.drop("look")
    for name in missed:
        print(f"missed: {name}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
