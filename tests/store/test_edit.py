from __future__ import annotations

import pytest
from factories import result
from histories import query, record
from postgres import only_sqlite

from pytest_evals.errors import StoreError, UsageError
from pytest_evals.store.connect import compact, reading, writing
from pytest_evals.store.edit import delete_experiment, note_run, pin_run, rename_run, runs_to_prune
from pytest_evals.store.edit import delete_runs as delete
from pytest_evals.store.names import check_run_name
from pytest_evals.store.runs import find_run, list_runs


@pytest.fixture
def location(location):
    for n in range(1, 6):
        record(
            location, [result("passed", output="x" * 1000)], session_id=f"s{n}", started_at=f"2026-03-0{n}T16:00:00Z"
        )
    return location


def test_a_run_is_renamed_pinned_and_noted(location):
    with writing(location) as connection:
        run = find_run(connection, "last")
        rename_run(connection, run, "  release 1.4 ")
        pin_run(connection, run, True)
        note_run(connection, run, "two\nlines")
        run = find_run(connection, "release 1.4")
    assert (run.session_id, run.pinned, run.note) == ("s5", True, "two\nlines")
    with writing(location) as connection:
        rename_run(connection, run, "")
        pin_run(connection, run, False)
        note_run(connection, run, "")
    assert query(location, "SELECT DISTINCT name, pinned, note FROM experiment_runs") == [("", 0, "")]


@pytest.mark.parametrize("name", ["last", " last ", "last:main", "a\nb", "\x1b[31m", "\u202e"])
def test_a_name_that_means_something_else_is_refused(name):
    with pytest.raises(UsageError, match=r"named|name is one line"):
        check_run_name(name)


@pytest.mark.parametrize(
    ("keep", "before", "pruned"),
    [
        (2, None, ["s3", "s1"]),
        (5, None, []),
        (0, None, ["s5", "s4", "s3", "s1"]),
        (None, "2026-03-03T16:00:00Z", ["s1"]),
        (None, "2026-03-04T00:00:00+09:00", ["s1"]),
        (4, "2026-03-05T00:00:00Z", ["s1"]),
        (4, "2026-03-01T00:00:00Z", []),
    ],
)
def test_prune_takes_old_runs_and_never_a_pinned_one(location, keep, before, pruned):
    with writing(location) as connection:
        pin_run(connection, next(r for r in list_runs(connection) if r.session_id == "s2"), True)
    with reading(location) as connection:
        assert [run.session_id for run in runs_to_prune(connection, keep=keep, before=before)] == pruned


def test_prune_counts_each_experiment_by_itself(location):
    record(location, [result("scored", score=1.0)], session_id="old", started_at="2026-01-01T00:00:00Z")
    with reading(location) as connection:
        assert [run.session_id for run in runs_to_prune(connection, keep=4)] == ["s1"]


def test_deleted_runs_take_their_results_with_them(location):
    with writing(location) as connection:
        delete(connection, list_runs(connection)[:3])
    for table in ("experiment_runs", "case_runs", "checked_case_meta"):
        assert query(location, f"SELECT count(*) FROM {table}") == [(2,)]
    assert query(location, "SELECT count(*) FROM experiment_cases") == [(1,)]
    with writing(location) as connection:
        delete_experiment(connection, 1)
    assert query(location, "SELECT count(*) FROM experiment_cases") == [(0,)]


def test_a_server_looks_after_its_space_by_itself(server_location):
    with pytest.raises(StoreError, match="a database server looks after its space by itself"):
        compact(server_location)


@only_sqlite
def test_compacting_gives_space_back(location):
    big = [result("passed", f"case-{n}", output="x" * 10_000) for n in range(100)]
    record(location, big, session_id="big", started_at="2026-04-01T00:00:00Z")
    before = location.path.stat().st_size
    with writing(location) as connection:
        delete(connection, list_runs(connection)[:1])
    compact(location)
    assert location.path.stat().st_size < before / 2
    with reading(location) as connection:
        assert len(list_runs(connection)) == 5
