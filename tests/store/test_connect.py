"""What can go wrong with a database is one line, and leaves what was there."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from factories import result
from histories import STARTED, history, query, record, start

from pytest_evals.errors import StoreError
from pytest_evals.store.connect import reading, writing
from pytest_evals.store.location import locate
from pytest_evals.store.runs import list_runs


@pytest.fixture
def location(tmp_path):
    location = history(tmp_path)
    record(location, [result("passed")], session_id="before")
    return location


def read(location):
    with reading(location) as connection:
        return list_runs(connection)


def refused(location, **fields):
    """The one line that recording a session ends in; the session's journal stays."""
    with pytest.raises(StoreError) as raised:
        record(location, [result("passed")], session_id="after", started_at="2026-04-01T16:00:00Z", **fields)
    line = str(raised.value)
    assert "\n" not in line
    assert line.startswith(str(location))
    return line


def test_what_a_block_wrote_is_undone_when_it_raises(location):
    def write_and_fail():
        with writing(location) as connection:
            connection.exec_driver_sql("DELETE FROM experiments")
            raise KeyError("ours")

    with pytest.raises(KeyError, match="ours"):
        write_and_fail()
    assert query(location, "SELECT count(*) FROM experiment_runs") == [(1,)]


def test_the_pragmas_of_a_connection_that_writes(location):
    with writing(location) as connection:
        said = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    assert said == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1, "busy_timeout": 30_000}


def test_a_history_keeps_working_in_a_folder_with_an_odd_name(tmp_path):
    location = locate(tmp_path / "a?b #1%20 größe" / "h.db", tmp_path)
    record(location, [result("passed")])
    with reading(location) as connection:
        assert len(list_runs(connection)) == 1


@pytest.mark.parametrize("size", [100, 4096, 9000])
def test_fault_C06_a_truncated_history_is_one_line_and_the_journal_stays(location, size):
    with location.path.open("r+b") as file:
        file.truncate(size)
    line = refused(location)
    assert "it is damaged" in line
    assert line.endswith("; nothing is lost: when that is mended, run: pytest-evals history recover")
    assert len(list(location.journals.iterdir())) == 1
    with pytest.raises(StoreError, match="it is damaged"):
        read(location)


@pytest.mark.parametrize("content", [b"not a database, but long enough to be taken for one" * 50, b"\0" * 5000])
def test_fault_C06_a_file_that_is_no_database_is_left_as_it_is(location, content):
    location.path.write_bytes(content)
    assert "it is damaged or no history; move it away to start a new one" in refused(location)
    assert location.path.read_bytes() == content


def test_fault_C06_a_history_that_another_process_locks_is_one_line_after_a_while(location):
    other = sqlite3.connect(location.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with (
            pytest.raises(StoreError, match=r"history\.db: another process has it locked; try again$"),
            writing(location, timeout_s=0.2),
        ):
            pass
        with reading(location) as connection:  # reading does not wait for those who write
            assert len(list_runs(connection)) == 1
    finally:
        other.close()


def test_fault_C06_a_reader_that_keeps_looking_does_not_hold_up_a_session(location):
    with reading(location) as viewer:
        assert len(list_runs(viewer)) == 1
        record(location, [result("passed")], session_id="after", started_at="2026-04-01T16:00:00Z")
        assert len(list_runs(viewer)) == 1  # one unchanging state
    with reading(location) as viewer:
        assert len(list_runs(viewer)) == 2


AS_NOBODY = """
import os, sys, tempfile
sys.path[:0] = {path}
from pathlib import Path
from factories import result
from histories import record
from pytest_evals.errors import StoreError
from pytest_evals.store.connect import reading
from pytest_evals.store.location import locate
from pytest_evals.store.runs import list_runs

def run(folder, name):
    location = locate(name, Path(folder))
    try:
        record(location, [result("passed")], session_id="after")
        print("recorded")
    except StoreError as error:
        print(error)
    with reading(location) as connection:
        print([run.session_id for run in list_runs(connection)])

with tempfile.TemporaryDirectory() as folder:
    run(folder, "h.db")  # loads what is loaded late: nobody may not read the standard library everywhere
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
run("/", {where!r})
"""


@contextlib.contextmanager
def folder_for_all():
    """A folder that a process without rights can get to, which tmp_path is not."""
    folder = Path(tempfile.mkdtemp(prefix="evals-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755)
        shutil.rmtree(folder)


def as_nobody(where: Path) -> list[str]:
    """What a process says that may not write what the tests' own user made: of recording, and of reading."""
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY.format(where=str(where), path=sys.path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    ready, first, *said = done.stdout.splitlines()
    assert (ready, first) == ("recorded", "['after']")
    return said


def test_fault_C06_a_read_only_folder_is_one_line_and_its_history_can_be_read():
    with folder_for_all() as folder:
        location = locate(folder / "history.db", folder)
        record(location, [result("passed")], session_id="before")
        location.path.chmod(0o444)
        folder.chmod(0o555)
        refusal, runs = as_nobody(location.path)
    assert refusal == f"{folder}/history.db.journals: cannot keep a journal there (Permission denied)"
    assert runs == "['before']"


def test_fault_C06_a_read_only_history_is_one_line_and_the_journal_stays():
    with folder_for_all() as folder:
        location = locate(folder / "history.db", folder)
        record(location, [result("passed")], session_id="before")
        location.path.chmod(0o444)
        folder.chmod(0o777)
        refusal, runs = as_nobody(location.path)
        journals = list(location.journals.iterdir())
    assert refusal == (
        f"{folder}/history.db: it is read-only; nothing is lost: when that is mended, run: pytest-evals history recover"
    )
    assert runs == "['before']"
    assert len(journals) == 1


@pytest.fixture
def small_disk(tmp_path):
    """A file system with room for 600 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)]
    if (
        os.getuid()
        or shutil.which("mount") is None
        or subprocess.run(command, check=False, capture_output=True).returncode
    ):
        pytest.skip("only a user who may mount can make a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # a traceback may still hold a file open


def test_a_full_disk_is_one_line_and_the_journal_stays(small_disk):
    location = locate(small_disk / "history.db", small_disk)
    record(location, [result("passed")], session_id="before")
    big = [result("passed", f"case-{n}", output="x" * 10_000) for n in range(25)]
    with pytest.raises(StoreError) as raised:
        record(location, big, session_id="after")
    assert str(raised.value) == (
        f"{location.path}: the disk is full; nothing is lost: when that is mended, run: pytest-evals history recover"
    )
    assert query(location, "SELECT session_id FROM experiment_runs") == [("before",)]

    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    record(location, [result("passed")], session_id="next")
    assert query(location, "SELECT session_id, total_cases FROM experiment_runs ORDER BY id") == [
        ("before", 1),
        ("after", 25),
        ("next", 1),
    ]
    assert not location.journals.exists()


def test_a_disk_that_is_full_for_the_journal_too_is_said_and_loses_nothing_before(small_disk):
    location = locate(small_disk / "history.db", small_disk)
    record(location, [result("passed")], session_id="before")
    big = [result("passed", f"case-{n}", output="x" * 10_000) for n in range(100)]
    journal = start(location)
    from pytest_evals.model.codec import result_to_json

    complaints = []
    for one in big:
        try:
            journal.append(result_to_json(one), one.key)
        except StoreError as error:
            complaints.append(str(error))
    assert len(complaints) == 1
    assert "No space left on device" in complaints[0]
    assert len(list(journal.results())) == 100  # the reports are whole
    from factories import session

    from pytest_evals.report.rows import row_of
    from pytest_evals.workflow.history import record_session

    ended = session([row_of(r) for r in big], session_id="s1", started_at=STARTED)
    with pytest.raises(StoreError, match="the run's journal cannot be kept either"):
        record_session(location, ended, journal)
    journal.finish()
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    assert query(location, "SELECT session_id FROM experiment_runs") == [("before",)]


def test_a_limit_on_file_sizes_is_one_line(location):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED.format(where=str(location.path), path=sys.path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)),
    )
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert line.startswith(f"{location.path}: ")
    assert "pytest-evals history recover" in line
    assert query(location, "SELECT session_id FROM experiment_runs") == [("before",)]
    assert query(location, "PRAGMA integrity_check") == [("ok",)]


LIMITED = """
import sys
sys.path[:0] = {path}
from pathlib import Path
from factories import result
from histories import record
from pytest_evals.errors import StoreError
from pytest_evals.store.location import locate
results = [result("passed", f"case-{{n}}", output="x" * 5000) for n in range(50)]
try:
    record(locate({where!r}, Path('/')), results, session_id="x")
except StoreError as error:
    print(error)
"""


def test_an_answer_never_stands_in_an_error(location):
    from sqlalchemy.exc import IntegrityError

    with pytest.raises(IntegrityError) as raised, writing(location) as connection:
        connection.exec_driver_sql(
            "INSERT INTO experiments (type, name, created_at) VALUES (?, ?, ?)", ("x", "secret", "y")
        )
    assert "secret" not in str(raised.value)
