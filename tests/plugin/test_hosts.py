"""Workers on several hosts: two interpreters with folders of their own, one of them reached through a socket."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from execnet.script import socketserver
from histories import query

from pytest_evals.errors import UsageError
from pytest_evals.llm.limits import parse_limits
from pytest_evals.plugin.hosts import Attendance, Host, has_own_host
from pytest_evals.store.location import locate

BOT = """
import asyncio, os
from pytest_evals import Response, Usage

NOW = MOST = 0

async def answer(input):
    global NOW, MOST
    with open({calls!r}, "a") as calls:
        calls.write(input + "\\n")
    NOW += 1
    MOST = max(MOST, NOW)
    await asyncio.sleep(0.01)
    NOW -= 1
    return Response(input.upper(), cost_usd=0.1, usage=Usage(3, 4), metadata={{"cwd": os.getcwd(), "most": MOST}})
"""
SUITE = "suite: shop\ntarget: bot.py:answer\ngates: [pass_rate >= 90%]\ncases:\n" + "".join(
    f"  - {{id: c{n}, input: q{n}, criteria: [exact_match: Q{n}]}}\n" for n in range(24)
)
INI = "[pytest]\nevals_limits =\n    bot.py:answer: 5 in flight\n"


@pytest.fixture
def server(tmp_path):
    """The address of another interpreter, which has its own working directory and folder for temporary files."""
    for folder in ("away", "away-tmp"):
        (tmp_path / folder).mkdir()
    environment = {"PATH": "", "TMPDIR": str(tmp_path / "away-tmp"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-u", socketserver.__file__, "127.0.0.1:0"]
    process = subprocess.Popen(command, cwd=tmp_path / "away", env=environment, stdout=subprocess.PIPE, text=True)
    try:
        found = re.search(r"\('127\.0\.0\.1', (\d+)\)", process.stdout.readline())
        yield f"socket=127.0.0.1:{found[1]}"
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def hosts(alone, server, tmp_path):
    """Runs the project with a worker on each of two hosts."""
    folder = alone.pytester.path / "shop"
    (tmp_path / "here").mkdir()
    calls = tmp_path / "calls.txt"
    alone.write({"shop/pytest.ini": INI, "shop/bot.py": BOT.format(calls=str(calls)), "shop/e/shop.eval.yaml": SUITE})
    (folder / "bot.py").rename(folder / "e" / "bot.py")
    places = ["--dist=load", f"--tx=popen//python={sys.executable}//chdir={tmp_path / 'here'}", f"--tx={server}"]

    def run(*args):
        # in a process of its own: execnet leaves sockets to be closed at the end
        ran = alone.run(*places, f"--rsyncdir={folder}", str(folder / "e"), *args, subprocess=True)
        asked = calls.read_text().split()
        calls.unlink()
        return ran, sorted(asked)

    return run


def test_results_limits_budget_history_and_resume_hold_across_hosts(hosts, tmp_path):
    ran, asked = hosts("--evals-max-cost=1")
    trials = [case["trials"][0] for case in ran.report["cases"] if case["trials"]]
    places = {trial["metadata"]["cwd"] for trial in trials}
    assert places == {str(tmp_path / "here"), str(tmp_path / "away" / "pyexecnetcache")}
    # five at a time are two on each of them
    assert max(trial["metadata"]["most"] for trial in trials) <= 2
    # a dollar is half a dollar on each; what was in flight when it was spent is finished
    assert 10 <= len(asked) == len(trials) <= 12
    assert ran.status == 75
    [budget] = ran.report["budget"]
    assert budget["limit"] == 1
    assert budget["spent"] == pytest.approx(len(asked) / 10)
    location = locate(None, Path(ran.path, "shop"))
    stored = "select passed_cases, skipped_cases, status from experiment_runs"
    assert query(location, stored) == [(len(asked), 24 - len(asked), "cancelled")]
    # paths are those of where pytest was started, not of where the files were copied to
    assert ran.case("c0")["source"] == "shop/e/shop.eval.yaml:5"
    assert ran.case("c0")["node_id"] == "e/shop.eval.yaml::c0"

    resumed, again = hosts("--evals-resume")
    assert sorted([*asked, *again]) == sorted(f"q{n}" for n in range(24))
    assert (resumed.status, resumed.report["earlier"]["cases"]) == (0, len(asked))
    assert query(location, stored)[1:] == [(24, 0, "passed")]
    assert list((tmp_path / "away-tmp").glob("pytest-evals-*")) == []


def test_a_limit_that_cannot_be_shared_ends_the_session_at_its_start(alone, server):
    alone.write({"shop/pytest.ini": INI.replace("5 in", "1 in"), "shop/shop.eval.yaml": SUITE})
    folder = alone.pytester.path / "shop"
    places = ("--dist=load", "--tx=popen", f"--tx={server}", f"--rsyncdir={folder}")
    ran = alone.run(*places, str(folder), report=False, subprocess=True)
    assert ran.status == 4
    assert "bot.py:answer: 1 in flight cannot be shared between the hosts of this session" in ran.out


def test_shares_of_limits_are_whole_and_never_more_than_all():
    limits = parse_limits("a: 50 rpm, 7 in flight\n*: 3 rps")
    shared = limits.shared(Host("b", Fraction(1, 3)).share)
    assert str(shared.by_name["a"]) == "16 rpm, 2 in flight"
    assert str(shared.default) == "1 rps"
    assert limits.shared(Host().share) == limits
    with pytest.raises(UsageError, match=r"^\*: 3 rps cannot be shared"):
        limits.shared(Host("b", Fraction(1, 4)).share)


@pytest.mark.parametrize(
    ("spec", "away"),
    [("popen", False), ("popen//chdir=x", False), ("ssh=me@host//python=p", True), ("socket=h:1", True)],
)
def test_which_workers_are_on_another_host(spec, away):
    import execnet

    node = SimpleNamespace(gateway=SimpleNamespace(spec=execnet.XSpec(spec)))
    assert has_own_host(node) is away


def test_the_last_worker_of_a_host_clears_up(tmp_path):
    folder = tmp_path / "session"
    place = Host("other").meeting_place(folder)
    first, second = Attendance(folder, place, "gw0"), Attendance(folder, place, "gw1")
    (place / "spent").touch()
    first.leave()
    assert (place / "spent").exists()
    second.leave()
    assert not folder.exists()
