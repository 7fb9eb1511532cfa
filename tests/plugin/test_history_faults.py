"""A history that cannot be written is one line: reports and exit status stay right, and nothing that ran is lost."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy.dialects.postgresql  # noqa: F401 - pytester would forget it, and it cannot be imported twice
from histories import query
from projects import OTHERS, Project

from pytest_evals.store import connect
from pytest_evals.store.connect import reading
from pytest_evals.store.location import locate
from pytest_evals.store.runs import list_runs
from pytest_evals.workflow.history import recover

SUITE = """
suite: s
target: echo
defaults: {criteria: [contains]}
gates: ['pass_rate >= 50%']
cases:
  - {id: a, input: hello, expected_output: hello}
  - {id: b, input: hello, expected_output: bye}
  - {id: c, input: hello, expected_output: hello}
"""
FILES = {"s.eval.yaml": SUITE}
COMMAND = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(f"-pno:{name}" for name in OTHERS)]
RECOVER = "nothing is lost: when that is mended, run: pytest-evals history recover"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch):
    for name in ("HISTORY", "NO_HISTORY"):
        monkeypatch.delenv(f"PYTEST_EVALS_{name}", raising=False)


@pytest.fixture
def impatient(monkeypatch):
    """Nobody waits for 30 seconds."""
    monkeypatch.setitem(connect.writing.__wrapped__.__kwdefaults__, "timeout_s", 0.2)


def section(ran):
    lines = ran.out.partition(" evaluation ")[2].splitlines()
    return [line.strip() for line in lines]


def complaint(ran):
    """The only line that the section has about the history. All else is as it should be."""
    assert ran.status == 0, ran.out
    assert ran.counts() == {"passed": 2, "missed": 1}
    assert ran.outcomes == {"a": "passed", "b": "failed", "c": "passed"}
    assert ran.report["exit_status"] == 0
    assert ran.report["gates"][0]["verdict"] == "held"
    assert "INTERNALERROR" not in ran.out
    assert "Traceback" not in ran.out
    about = [line for line in section(ran) if "history" in line or "journal" in line or line.startswith("experiment ")]
    assert len(about) == 1, ran.out
    return about[0].replace(str(ran.path), "")


def journals(ran, where=".evals/history.db"):
    return list(locate(where, ran.path).journals.glob("*"))


def statuses(ran, where=".evals/history.db"):
    with reading(locate(where, ran.path)) as connection:
        return [(run.status, run.results, run.exit_status) for run in list_runs(connection)]


# -- damaged, locked, in the way --------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["truncated", "text"])
def test_C06_a_damaged_history_is_one_line_and_recovered_when_it_was_moved_away(project, content):
    first = project(FILES)
    path = first.path / ".evals/history.db"
    path.write_bytes(path.read_bytes()[:100] if content == "truncated" else b"no database" * 500)
    before = path.read_bytes()
    ran = project.run()
    why = "it is damaged; move it away" if content == "truncated" else "it is damaged or no history; move it away"
    assert complaint(ran) == f"history: /.evals/history.db: {why} to start a new one; {RECOVER}"
    assert path.read_bytes() == before
    assert len(journals(ran)) == 1
    path.rename(path.with_name("old.db"))
    third = project.run()  # the next session stores what the other could not
    assert [line for line in section(third) if line.startswith("experiment default, run ")] != []
    assert statuses(third) == [("passed", 3, 0), ("passed", 3, 0)]
    assert journals(third) == []


def test_C06_a_history_that_another_process_locks_is_one_line_and_the_journal_stays(project, impatient):
    first = project(FILES)
    other = sqlite3.connect(first.path / ".evals/history.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        ran = project.run()
    finally:
        other.close()
    assert complaint(ran) == f"history: /.evals/history.db: another process has it locked; try again; {RECOVER}"
    assert len(journals(ran)) == 1
    assert len(recover(locate(None, ran.path)).runs) == 1
    assert statuses(ran) == [("passed", 3, 0)] * 2
    assert journals(ran) == []


def test_C06_a_session_waits_for_another_one_that_writes(project):
    first = project(FILES)
    other = sqlite3.connect(first.path / ".evals/history.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(3, other.rollback)
    release.start()
    try:
        ran = project.run()
    finally:
        release.join()
        other.close()
    assert "experiment default, run " in ran.out
    assert statuses(ran) == [("passed", 3, 0)] * 2


def test_C06_a_reader_that_keeps_looking_does_not_hold_up_a_session(project):
    first = project(FILES)
    with reading(locate(None, first.path)) as viewer:
        assert len(list_runs(viewer)) == 1
        project.run()
        assert len(list_runs(viewer)) == 1
    assert len(statuses(first)) == 2


def test_a_history_of_a_newer_version_is_one_line_and_left_alone(project):
    first = project(FILES)
    with contextlib.closing(sqlite3.connect(first.path / ".evals/history.db")) as other:
        other.execute(
            "INSERT INTO schema_info (version, name, applied_at) SELECT 99, name, applied_at FROM schema_info LIMIT 1"
        )
        other.commit()
    ran = project.run()
    line = complaint(ran)
    assert "newer" in line
    assert line.endswith(RECOVER)
    assert query(locate(None, ran.path), "SELECT count(*) FROM experiment_runs") == [(1,)]


def test_a_database_server_that_is_not_there_is_one_line(project, monkeypatch):
    ran = project(FILES, "--evals-history=postgresql+psycopg://me:secret@localhost:1/evals")
    line = complaint(ran)
    assert line.startswith("history: postgresql+psycopg://me:***@localhost:1/evals: ")
    assert line.endswith(RECOVER)
    assert "secret" not in ran.out
    # the journal lies in the project, and does not say the password either
    (journal,) = (ran.path / ".evals").glob("*.journals/*.jsonl")
    assert "secret" not in journal.read_text()


def test_a_folder_that_cannot_be_made_is_one_line(project):
    ran = project({**FILES, ".evals": "a file, in the way"})
    assert complaint(ran) == "history: /.evals/history.db: File exists; and the run's journal cannot be kept either"
    assert (ran.path / ".evals").read_text() == "a file, in the way"


def test_a_mistake_of_ours_keeps_its_traceback_the_reports_and_the_journal(project, monkeypatch):
    def broken(*arguments, **keywords):
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr("pytest_evals.store.writer.RunWriter.finish", broken)
    ran = project(FILES)
    assert "RuntimeError: a mistake of ours" in ran.out
    assert ran.outcomes == {"a": "passed", "b": "failed", "c": "passed"}
    assert len(journals(ran)) == 1
    monkeypatch.undo()
    assert [run.status for run in recover(locate(None, ran.path)).runs] == ["passed"]


# -- read-only --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def read_only(folder: Path):
    """The folder, which nobody can write to: a user cannot by its rights, root cannot by its mount."""
    if os.getuid():
        mode = folder.stat().st_mode
        folder.chmod(0o555)
        try:
            yield
        finally:
            folder.chmod(mode)
        return
    if shutil.which("mount") is None or mount("--bind", folder, folder):
        pytest.skip("cannot make a folder read-only")
    try:
        if mount("-o", "remount,ro,bind", folder):
            pytest.skip("cannot make a folder read-only")
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def mount(*words) -> int:
    return subprocess.run(["mount", *map(str, words)], check=False, capture_output=True).returncode


def test_C06_a_read_only_folder_is_one_line_and_its_history_can_still_be_read(project):
    first = project(FILES)
    with read_only(first.path / ".evals"):
        ran = project.run()
        readable = statuses(ran)
    line = complaint(ran)
    assert line == "history: /.evals/history.db: its folder is read-only; and the run's journal cannot be kept either"
    assert readable == [("passed", 3, 0)]
    assert statuses(ran) == [("passed", 3, 0)]


@pytest.mark.parametrize("workers", [[], ["-n2"]], ids=["alone", "n2"])
def test_C06_a_project_that_cannot_be_written_at_all_is_one_line(pytester, workers):
    path = Project(pytester, []).write(FILES).pytester.path
    with read_only(path):
        ended = subprocess.run([*COMMAND, *workers], cwd=path, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "2 passed, 1 missed" in ended.stdout
    lines = [line.strip() for line in ended.stdout.splitlines()]
    (about,) = [line for line in lines if line.startswith(("history", "experiment")) or "journal" in line]
    assert about.startswith(f"history: {path}/.evals/history.db: ")
    assert about.endswith("; and the run's journal cannot be kept either")
    assert not (path / ".evals").exists()


# -- a full disk ------------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(pytester):
    """A file system with room for 100 kB below the project: for a journal, but not for a history."""
    folder = pytester.path / "disk"
    folder.mkdir()
    if os.getuid() or shutil.which("mount") is None or mount("-t", "tmpfs", "-o", "size=100k", "tmpfs", folder):
        pytest.skip("only a user who may mount can make a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_C06_a_full_disk_is_one_line_and_recovered_when_there_is_room(small_disk, project):
    ran = project(FILES, "--evals-history=disk/h.db")
    assert complaint(ran) == f"history: /disk/h.db: the disk is full; {RECOVER}"
    assert len(journals(ran, "disk/h.db")) == 1
    assert mount("-o", "remount,size=4m", small_disk) == 0
    again = project.run("--evals-history=disk/h.db")
    assert statuses(again, "disk/h.db") == [("passed", 3, 0)] * 2
    assert journals(again, "disk/h.db") == []


def test_C06_a_disk_that_is_full_for_the_journal_too_loses_no_report(small_disk, project):
    (small_disk / "filler").write_bytes(b"x" * 95_000)
    suite = SUITE.replace(
        "input: hello, expected_output: hello}", f"input: {'hello ' * 2000}, expected_output: hello}}"
    )
    ran = project({"s.eval.yaml": suite}, "--evals-history=disk/h.db")
    line = complaint(ran)
    assert line == "history: /disk/h.db: the disk is full; and the run's journal cannot be kept either"


def test_C06_a_limit_on_the_size_of_files_is_one_line(pytester):
    project = Project(pytester, []).write(FILES)
    ended = subprocess.run(
        COMMAND,
        cwd=project.pytester.path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    lines = [line.strip() for line in ended.stdout.splitlines() if line.strip().startswith("history: ")]
    assert len(lines) == 1
    assert lines[0].endswith(RECOVER)
    location = locate(None, project.pytester.path)
    assert [run.status for run in recover(location).runs] == ["passed"]


# -- many at once -----------------------------------------------------------------------------------------------------

SLOW = "import time\ndef answer(q):\n    time.sleep(0.02)\n    return q\n"


def many(size):
    cases = "".join(
        f"  - {{id: c{n}, input: answer {n}, expected_output: answer {n}, criteria: [exact_match, levenshtein]}}\n"
        for n in range(size)
    )
    return f"suite: many\ntarget: bot.py:answer\ncases:\n{cases}"


def test_C06_eight_sessions_at_once_lose_nothing_while_a_viewer_looks(pytester):
    """Four alone and four with workers; a viewer holds a transaction over all of it."""
    project = Project(pytester, []).write({"bot.py": SLOW, "many.eval.yaml": many(40), "s.eval.yaml": SUITE})
    assert project.run("s.eval.yaml").status == 0
    location = locate(None, project.pytester.path)
    began = time.perf_counter()
    with reading(location) as viewer:
        assert len(list_runs(viewer)) == 1
        children = [
            subprocess.Popen(
                [*COMMAND, f"--evals-run-name=together-{number}", *(["-n2"] if number % 2 else [])],
                cwd=project.pytester.path,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for number in range(8)
        ]
        said = [child.communicate(timeout=180)[0] for child in children]
        assert len(list_runs(viewer)) == 1
    assert [child.returncode for child in children] == [0] * 8, "\n".join(said)
    assert [text.count("experiment default, run ") for text in said] == [1] * 8
    assert [text for text in said if "locked" in text or "history:" in text] == []
    with reading(location) as connection:
        runs = list_runs(connection)
    assert sorted(run.name for run in runs if run.name) == [f"together-{number}" for number in range(8)]
    assert {(run.status, run.total_cases, run.n_cancelled) for run in runs if run.name} == {("passed", 43, 0)}
    assert query(location, "SELECT count(*) FROM case_runs") == [(8 * 43 + 3,)]
    assert query(location, "SELECT count(*) FROM case_scores") == [(8 * 83 + 3,)]
    assert query(location, "PRAGMA integrity_check") == [("ok",)]
    assert query(location, "PRAGMA foreign_key_check") == []
    assert not location.journals.exists()
    assert time.perf_counter() - began < 120
