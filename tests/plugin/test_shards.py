"""One evaluation in three parts, merged: the same as in one session, to the digit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from histories import query

from pytest_evals.cli import main
from pytest_evals.store.location import locate

BOT = """
import zlib
from pytest_evals import Response, ToolCall, Usage

def answer(input, trial, variant=None):
    number = zlib.crc32(f"{input} {trial} {variant and variant['id']}".encode())
    if number % 11 == 0:
        raise ValueError("boom")
    if number % 17 == 0:
        raise ConnectionError("gone")
    said = "red blue" if number % 3 else "green blue"
    return Response(said, cost_usd=number % 7 / 1000, usage=Usage(number % 50, 4), latency_ms=number % 900 / 7)
"""
SUITE = """
suite: shop
target: bot.py:answer
defaults: {retries: 0}
variants: [{id: small}, {id: large}]
gates: [pass_rate >= 50%, latency.p95 <= 50ms, errors <= 1, score.mean(tag=even) >= 0.9]
cases:
""" + "".join(
    f"  - {{id: c{n}, input: question {n}, tags: [{'even' if n % 2 else 'odd'}], expected_output: red blue,"
    f" criteria: [exact_match, levenshtein: {{threshold: 0.2}}], trials: {1 + n % 3}, pass_if: mean}}\n"
    for n in range(24)
)
OTHER = """
suite: lines
target: echo
cases:
""" + "".join(f"  - {{id: l{n}, input: a{n}, expected_output: a{n % 4}, criteria: [exact_match]}}\n" for n in range(9))
CHECKED = """
def test_in_python(evals):
    evals.check("a", "a", input="q", criteria=["exact_match"])

def test_plain():
    assert True
"""
FILES = {
    "pytest.ini": "[pytest]\n",
    "bot.py": BOT,
    "a/shop.eval.yaml": SUITE.replace("bot.py", "../bot.py"),
    "b/lines.eval.yaml": OTHER,
    "test_python.py": CHECKED,
}
VARIES = {"started_at", "finished_at", "duration_s", "session_id", "params", "scoring_ms", "queue_ms", "exit_status"}


def say(*arguments, status):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == status, done.output + repr(done.exception)
    assert "Traceback" not in done.output
    return done.output


def steady(value):
    """The report without what no two sessions have in common: times, ids, the queue."""
    if isinstance(value, dict):
        value = {name: item for name, item in value.items() if name not in VARIES}
        return {
            name: steady(item) if name != "attempts" else [one["error"] for one in item] for name, item in value.items()
        }
    return [steady(item) for item in value] if isinstance(value, list) else value


def shards(project, number=3, *args):
    return [project.run(f"--evals-shard={n}/{number}", *args, report=False) for n in range(1, number + 1)]


def test_three_shards_merged_are_one_session_to_the_digit(project, monkeypatch):
    whole = project(FILES, "--evals-gate=cost.total <= $0.01", "--evals-history=whole.db")
    assert len(whole.report["cases"]) == 24 * 2 + 9 + 1
    parts = shards(project, 3, "--evals-gate=cost.total <= $0.01")
    assert all("not asked" in part.out and "for pytest-evals merge" in part.out for part in parts)
    assert not (whole.path / ".evals/history.db").exists()
    monkeypatch.chdir(whole.path)
    files = sorted(whole.path.glob("*.shard"))
    assert [path.name for path in files] == ["evals-1-of-3.shard", "evals-2-of-3.shard", "evals-3-of-3.shard"]
    said = say("merge", *reversed(files), "-o", "merged.json", "-o", "evals.plan.json", status=whole.status)
    merged = json.loads((whole.path / "merged.json").read_text("utf-8"))
    assert steady(merged) == steady(whole.report)
    assert merged["exit_status"] == whole.status
    # what the history keeps is the same, too
    stored = "select status, passed_cases, failed_cases, error_cases, pass_rate, score, cost_usd, latency_p95_ms,"
    stored += " defined_cases, selected_cases, gates from experiment_runs order by id"
    rows = query(locate(None, whole.path), stored)
    assert rows == query(locate("whole.db", whole.path), stored)
    assert f"experiment default, run {query(locate(None, whole.path), 'select uid from experiment_runs')[0][0]}" in said
    # merged again it is the same run
    say("merge", *files, status=whole.status)
    assert query(locate(None, whole.path), "select count(*) from experiment_runs") == [(len(rows),)]
    plan = json.loads((whole.path / "evals.plan.json").read_text("utf-8"))
    assert plan["seconds"].keys() == {f"{case['suite']}::{case['id']}" for case in merged["cases"]}


def test_shards_are_of_what_was_selected_and_say_what_was_not(alone, monkeypatch):
    options = ("--evals-filter=tag=even", "--evals-sample=7", "a")
    whole = alone(FILES, *options)
    shards(alone, 2, *options, "--evals-no-history")
    monkeypatch.chdir(whole.path)
    say("merge", *whole.path.glob("*.shard"), "-o", "merged.json", "--no-history", status=whole.status)
    merged = json.loads((whole.path / "merged.json").read_text("utf-8"))
    assert steady(merged) == steady(whole.report)
    assert merged["suites"][0]["selected"] == 14


def test_a_plan_balances_shards_and_workers_are_told(project, monkeypatch):
    seconds = {f"shop::c{n}": 1.0 for n in range(24)} | {f"lines::l{n}": 1.0 for n in range(9)}
    project.write({**FILES, "plan.json": json.dumps({"format": 1, "seconds": seconds})})
    project.write({"pytest.ini": "[pytest]\nevals_shard_plan = plan.json\n"})
    counts = []
    for number in (1, 2, 3):
        ran = project.run(f"--evals-shard={number}/3", f"--evals-shard-file=out/{number}.shard", "a", "b")
        counts.append(len({(case["suite"], case["id"]) for case in ran.report["cases"]}))
    assert counts == [11, 11, 11]
    monkeypatch.chdir(ran.path)
    say("merge", *Path("out").iterdir(), "--no-history", status=1)


def test_a_shard_without_cases_is_no_failure(alone, monkeypatch):
    one = OTHER.splitlines()[:4]
    alone.write(
        {"pytest.ini": "[pytest]\n", "b/lines.eval.yaml": "\n".join([*one, one.pop(), ""])[: len("\n".join(one)) + 80]}
    )
    alone.write(
        {"b/lines.eval.yaml": "suite: lines\ntarget: echo\ncases:\n  - {id: l0, input: a, criteria: [regex: a]}\n"}
    )
    parts = shards(alone, 2)
    assert [part.status for part in parts] == [0, 0]
    monkeypatch.chdir(parts[0].path)
    assert "1 passed" in say("merge", *parts[0].path.glob("*.shard"), status=0)


def test_a_stopped_shard_is_kept_for_resume_and_leaves_the_whole_undecided(alone, monkeypatch):
    alone(FILES, "--evals-shard=1/2", "--evals-max-cost=0.001", "--evals-concurrency=1", "a", report=False)
    path = alone.run("--evals-shard=2/2", "a", report=False).path
    location = locate(None, path)
    assert query(location, "select status from experiment_runs") == [("cancelled",)]
    monkeypatch.chdir(path)
    said = say("merge", *path.glob("*.shard"), "-o", "m.json", status=1)
    assert "stopped early: shard 1/2: " in said
    # gone on with, what was paid for is taken over
    resumed = alone.run("--evals-resume", "--evals-shard=1/2", "a", report=False)
    assert "resumed" in resumed.out
    say("merge", *path.glob("*.shard"), "-o", "m.json", status=1)
    merged = json.loads((path / "m.json").read_text("utf-8"))
    assert (merged["stopped"], merged["not_run"]) == ("", [])
    assert {trial["answered_in"] != "" for case in merged["cases"] for trial in case["trials"]} == {True, False}


def test_the_baseline_waits_for_all_shards(alone, monkeypatch):
    suite = FILES["b/lines.eval.yaml"]
    ran = alone(FILES, "b", report=False)
    monkeypatch.chdir(ran.path)
    alone.write({"b/lines.eval.yaml": suite.replace("expected_output: a1", "expected_output: b")})
    parts = shards(alone, 2, "b", "--evals-baseline=last", "--evals-gate=regressions == 0")
    assert "regressions == 0" in parts[0].out
    said = say("merge", *ran.path.glob("*.shard"), status=1)
    assert "broken" in said
    assert "lines::l1" in said or "l1 " in said


def test_mistakes_of_shards_are_said_at_the_start(alone):
    for option, why in [
        ("--evals-shard=4/3", "--evals-shard: '4/3': the shards of 3 are 1/3 to 3/3"),
        ("--evals-shard-file=x.shard", "--evals-shard-file: there is no shard to write; add --evals-shard"),
    ]:
        ran = alone(FILES, option, report=False)
        assert (ran.status, why in ran.out) == (4, True)
    ran = alone.run("--evals-shard=1/2", "--evals-shard-plan=gone.json", report=False)
    assert (ran.status, "gone.json: No such file" in ran.out) == (4, True)
    assert not list(ran.path.glob("*.shard"))


def test_a_shard_that_cannot_be_written_is_kept_in_the_history(alone):
    ran = alone({**FILES, "closed": ""}, "--evals-shard=1/2", "--evals-shard-file=closed/a.shard", "b", report=False)
    assert ran.status == 75
    assert "cannot write closed/a.shard: " in ran.out
    assert query(locate(None, ran.path), "select count(*) from experiment_runs") == [(1,)]


# -- what cannot be merged --------------------------------------------------------------------------------------------


@pytest.fixture
def two(alone, monkeypatch):
    """Two shards, in the current directory."""
    ran = alone(FILES, "--evals-shard=1/2", "b", report=False)
    alone.run("--evals-shard=2/2", "b", report=False)
    monkeypatch.chdir(ran.path)
    return alone


def test_shards_that_do_not_make_a_whole_are_refused_by_name(two):
    one, other = "evals-1-of-2.shard", "evals-2-of-2.shard"
    assert "there is no file of 2/2" in say("merge", one, status=2)
    assert f"{one} and {one} are both shard 1/2" in say("merge", one, other, one, status=2)
    two.run("--evals-shard=1/3", "b", report=False)
    assert "evals-1-of-3.shard is shard 1/3, evals-2-of-2.shard is 2/2" in say(
        "merge", other, "evals-1-of-3.shard", status=2
    )
    two.run("--evals-shard=1/2", "b", "--evals-trials=2", "--evals-shard-file=t.shard", report=False)
    assert "t.shard and evals-2-of-2.shard are not of one evaluation: the settings differs" in say(
        "merge", other, "t.shard", status=2
    )
    two.run("--evals-shard=1/2", "b", "-k", "l1", "--evals-shard-file=k.shard", report=False)
    assert "the selection of cases differs" in say("merge", other, "k.shard", status=2)
    two.write({"b/lines.eval.yaml": OTHER.replace("input: a1", "input: a9")})
    two.run("--evals-shard=1/2", "b", "--evals-shard-file=s.shard", report=False)
    assert "the suite b/lines.eval.yaml differs" in say("merge", other, "s.shard", status=2)
    assert not Path(".evals/history.db").exists()


def test_damaged_files_are_refused_by_name(two):
    one, other = Path("evals-1-of-2.shard"), Path("evals-2-of-2.shard")
    lines = one.read_bytes().splitlines(keepends=True)
    for content in (b"".join(lines[:-1]), b"".join(lines)[:-30], b"".join([*lines[:2], b"x\n", *lines[2:]])):
        Path("cut.shard").write_bytes(content)
        said = say("merge", "cut.shard", other, status=2)
        assert "cut.shard: cut off or damaged" in said
    Path("twice.shard").write_bytes(lines[0] + other.read_bytes().split(b"\n", 1)[1])
    assert "twice.shard" in say("merge", "twice.shard", other, status=2)
    for content, why in [
        (b"", "not the file of a shard"),
        (b'{"a": 1}\n', "not the file of a shard"),
        (lines[0].replace(b'{"shard":1', b'{"shard":9'), "written by another version"),
    ]:
        Path("none.shard").write_bytes(content)
        assert f"none.shard: {why}" in say("merge", "none.shard", status=2)
    assert "gone.shard: No such file" in say("merge", "gone.shard", status=2)
    assert "gate 'speed > 1'" in say("merge", one, other, "-g", "speed > 1", status=2)
    assert not Path(".evals/history.db").exists()
