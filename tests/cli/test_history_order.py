"""Which run is the newest, as the commands see it: known fault C05."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from factories import result
from histories import history, record

from pytest_evals.cli import main


@pytest.fixture
def location(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_EVALS_HISTORY", raising=False)
    (tmp_path / "pytest.ini").touch()
    return history(tmp_path)


def say(*arguments):
    done = CliRunner().invoke(main, ["history", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def add(location, name, started_at, score=1.0):
    one = result("passed", score=score)
    (run,) = record(location, [one], session_id=name, started_at=started_at, run_name=name)
    return run


def names_in_order():
    """The runs by name, newest first, as every command that lists them must agree."""
    listed = [run["name"] for run in json.loads(say("--json"))["runs"]]
    shown = [line.split()[-1] for line in say().splitlines()[1:]]
    case = [point["run_name"] for point in json.loads(say("case", "bot::refund-window", "--json"))["points"]]
    assert listed == shown == case
    assert json.loads(say("show", "last", "--json"))["run"]["name"] == listed[0]
    (experiment,) = json.loads(say("experiments", "--json"))["experiments"]
    assert experiment["last_run"] == json.loads(say("--json"))["runs"][0]["uid"]
    return listed


def test_C05_the_newest_run_is_the_one_that_began_last_whatever_its_zone(location):
    add(location, "tokyo", "2026-03-02T00:30:00+09:00")  # 15:30 UTC of the day before
    add(location, "utc", "2026-03-01T16:00:00+00:00")
    assert names_in_order() == ["utc", "tokyo"]
    assert "2026-03-01 15:30" in say("show", "tokyo")


def test_C05_recorded_in_the_other_order_it_is_still_the_one_that_began_last(location):
    add(location, "utc", "2026-03-01T16:00:00+00:00")
    add(location, "tokyo", "2026-03-02T00:30:00+09:00")
    assert names_in_order() == ["utc", "tokyo"]


def test_C05_run_10_is_later_than_run_9(location):
    for number in (8, 9, 10, 11):
        add(location, f"run-{number}", f"2026-03-01T16:{number:02d}:00Z")
    assert names_in_order() == ["run-11", "run-10", "run-9", "run-8"]


def test_C05_of_two_runs_of_one_instant_the_one_recorded_later_is_newer(location):
    for name in ("run-10", "run-9", "a", "b"):
        add(location, name, "2026-03-01T16:00:00.500000Z")
    assert names_in_order() == ["b", "a", "run-9", "run-10"]


def test_C05_the_end_of_summer_time_does_not_reorder_runs(location):
    add(location, "before", "2026-10-25T02:59:00+02:00")
    add(location, "after", "2026-10-25T02:01:00+01:00")  # two minutes later, on a clock that was put back
    assert names_in_order() == ["after", "before"]


def test_C05_prune_keeps_the_runs_that_began_last(location):
    add(location, "utc", "2026-03-01T16:00:00+00:00")
    add(location, "tokyo", "2026-03-02T00:30:00+09:00")
    say("prune", "--keep", "1", "--yes")
    assert names_in_order() == ["utc"]
