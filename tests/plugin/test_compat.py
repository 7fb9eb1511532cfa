"""Life with the plugins and options that projects use: cases behave as tests do."""

from __future__ import annotations

import pytest
from projects import OTHERS, Project, asyncio_ini

CASE = "  - {{id: {id}, input: {input}, expected_output: ok, criteria: [contains]}}\n"
INI = "[pytest]\n"


def suite(*cases, target="bot.py:answer", extra="defaults: {retries: 0}\n"):
    lines = "".join(CASE.format(id=i, input=question) for i, question in cases)
    return f"target: {target}\n{extra}cases:\n{lines}"


def only(*names: str) -> list[str]:
    """All other plugins off: each is met by itself."""
    return [word for name in OTHERS if name not in names for word in ("-p", f"no:{name}")]


WAYS = pytest.mark.parametrize("way", [[], ["-n2"]], ids=["alone", "n2"])


@pytest.fixture
def run(pytester):
    """``run(files, *args, using="timeout")``: the project in a process of its own with that plugin alone."""

    def run(files, *args, using, way=()):
        files = {"pytest.ini": INI, **files}
        own = only(*using.split()) if using != "all" else []
        ran = Project(pytester, []).write(files).run(*own, *way, *args, subprocess=True, plugins=True)
        assert "INTERNALERROR" not in ran.out, ran.out
        return ran

    return run


# --- rerunfailures ----------------------------------------------------------------------------------------------------

FLAKY = """
import pathlib
def answer(question):
    log = pathlib.Path(__file__).with_name(question + ".log")
    with log.open("a") as file: file.write("x")
    times = len(log.read_text())
    if question == "raises" and times < 3: raise ValueError(times)
    return "ok" if question in ("good", "raises") or times >= 3 else f"bad {times}"
"""


@WAYS
def test_a_rerun_asks_again_and_its_last_word_counts(run, way):
    files = {
        "bot.py": FLAKY,
        "a.eval.yaml": suite(("a", "good"), ("b", "misses"), ("c", "raises"), ("d", "never-mind")),
    }
    ran = run(files, "--reruns=2", using="rerunfailures", way=way)
    assert ran.status == 0, ran.out
    assert ran.counts() == {"passed": 4, "rerun": 6}
    assert set(ran.outcomes.values()) == {"passed"}
    assert {log.stem: len(log.read_text()) for log in ran.path.glob("*.log")} == {
        "good": 1,
        "misses": 3,
        "raises": 3,
        "never-mind": 3,
    }
    assert ran.report["summary"]["counts"]["passed"] == 4


@WAYS
def test_reruns_that_are_used_up_leave_the_last_result(run, way):
    files = {"bot.py": FLAKY, "a.eval.yaml": suite(("a", "good"), ("b", "misses"), ("c", "raises"))}
    ran = run(files, "--reruns=1", using="rerunfailures", way=way)
    assert ran.status == 1
    assert ran.outcomes == {"a": "passed", "b": "failed", "c": "errored"}
    assert ran.case("b")["output"] == "bad 2"
    assert ran.case("c")["error"]["message"] == "ValueError: 2"
    assert ran.counts() == {"passed": 1, "failed": 1, "errors": 1, "rerun": 2}


def test_a_case_marked_flaky_is_rerun_alone(run):
    conftest = """
import pytest
def pytest_collection_modifyitems(items):
    for item in items:
        if item.name == "b": item.add_marker(pytest.mark.flaky(reruns=2))
"""
    files = {"conftest.py": conftest, "bot.py": FLAKY, "a.eval.yaml": suite(("a", "bad"), ("b", "misses"))}
    ran = run(files, using="rerunfailures")
    assert ran.outcomes == {"a": "failed", "b": "passed"}
    assert len((ran.path / "bad.log").read_text()) == 1


def test_a_tolerated_miss_is_not_rerun(run):
    text = suite(("a", "good"), ("b", "misses"), extra="gates: [pass_rate >= 50%]\ndefaults: {retries: 0}\n")
    ran = run({"bot.py": FLAKY, "a.eval.yaml": text}, "--reruns=2", using="rerunfailures")
    assert ran.status == 0
    assert ran.counts() == {"passed": 1, "missed": 1}
    assert len((ran.path / "misses.log").read_text()) == 1


# --- timeout ----------------------------------------------------------------------------------------------------------

SLOW = """
import asyncio, time
async def answer(question):
    try: await asyncio.sleep(30 if question == "slow" else 0)
    except asyncio.CancelledError:
        open("cancelled", "a").write(question)
        raise
    return "ok"
def blocking(question):
    time.sleep(30 if question == "slow" else 0)
    return "ok"
"""


@WAYS
@pytest.mark.parametrize("target", ["answer", "blocking"])
def test_pytest_timeout_ends_one_case_and_its_call(run, way, target):
    files = {
        "bot.py": SLOW,
        "a.eval.yaml": suite(("a", "good"), ("b", "slow"), ("c", "good"), target=f"bot.py:{target}"),
    }
    ran = run(files, "--timeout=2", using="timeout", way=way)
    assert ran.status == 1
    assert ran.outcomes == {"a": "passed", "b": "errored", "c": "passed"}
    assert "Timeout" in ran.case("b")["error"]["message"]
    assert ran.report["duration_s"] < 12
    if target == "answer":
        assert (ran.path / "cancelled").read_text() == "slow"


def test_the_cases_own_timeout_comes_first(run):
    text = suite(("a", "slow"), extra="defaults: {retries: 0, timeout: 0.5s}\n")
    ran = run({"bot.py": SLOW, "a.eval.yaml": text}, "--timeout=20", using="timeout")
    assert ran.case("a")["error"]["message"] == "no answer within 0.5 s"
    assert ran.status == 75


# --- randomly ---------------------------------------------------------------------------------------------------------

RANDOM = """
import random
def answer(question): return f"ok {random.random()}"
"""


@WAYS
def test_shuffled_cases_come_to_the_same_in_the_same_report(run, way):
    cases = [(f"c{number}", "q") for number in range(12)]
    files = {
        "bot.py": RANDOM,
        "a.eval.yaml": "suite: a\n" + suite(*cases),
        "d/b.eval.yaml": "suite: b\n" + suite(*cases, target="../bot.py:answer"),
        "test_c.py": "def test_c(evals): evals.check('ok', 'ok', criteria=['contains'])\n",
    }
    orders = []
    for seed in ("1", "2"):
        ran = run(files, "-p", "randomly", f"--randomly-seed={seed}", "-v", using="randomly", way=way)
        assert ran.status == 0, ran.out
        assert ran.counts() == {"passed": 25}
        assert [(case["suite"], case["id"]) for case in ran.report["cases"]] == [
            *(("a", i) for i, _ in cases),
            *(("b", i) for i, _ in cases),
            ("test_c.py", "test_c"),
        ]
        orders.append([line for line in ran.result.outlines if "::c" in line])
    assert orders[0] != orders[1]


# --- asyncio and anyio ------------------------------------------------------------------------------------------------

ASYNC_TESTS = """
import asyncio, pytest
@pytest.mark.asyncio
async def test_later(bot):
    await asyncio.sleep(0)
    assert bot("hi") == "ok hi"
def test_now(): pass
"""


@WAYS
@pytest.mark.parametrize("mode", ["strict", "auto"])
@pytest.mark.parametrize("scope", ["function", "session"])
def test_asynchronous_fixtures_of_pytest_asyncio(run, way, mode, scope):
    fixture = "pytest.fixture" if mode == "auto" else "pytest_asyncio.fixture"
    conftest = f"""
import asyncio, pytest, pytest_asyncio
@{fixture}(scope="{scope}")
async def bot():
    await asyncio.sleep(0)
    yield lambda question: f"ok {{question}}"
    await asyncio.sleep(0)
@{fixture}(scope="{scope}")
async def brief_scorer():
    await asyncio.sleep(0)
    async def brief(actual):
        await asyncio.sleep(0)
        return len(actual) < 10
    return brief
"""
    text = suite(("a", "hi"), ("b", "there"), target="{fixture: bot}").replace("[contains]", "[contains, brief]")
    ini = asyncio_ini(scope)
    files = {"pytest.ini": ini, "conftest.py": conftest, "a.eval.yaml": text, "test_b.py": ASYNC_TESTS}
    ran = run(files, f"--asyncio-mode={mode}", "-p", "asyncio", using="asyncio", way=way)
    assert ran.status == 0, ran.out
    assert ran.outcomes == {"a": "passed", "b": "passed"}
    assert ran.counts()["passed"] == 4
    assert "never awaited" not in ran.out


@WAYS
def test_asynchronous_fixtures_of_anyio(run, way):
    conftest = """
import anyio, pytest
@pytest.fixture
def anyio_backend(): return "asyncio"
@pytest.fixture
async def bot(anyio_backend):
    await anyio.sleep(0)
    yield lambda question: f"ok {question}"
    await anyio.sleep(0)
"""
    tests = "import pytest\n@pytest.mark.anyio\nasync def test_later(bot): assert bot('hi') == 'ok hi'\n"
    files = {"conftest.py": conftest, "a.eval.yaml": suite(("a", "hi"), target="{fixture: bot}"), "test_b.py": tests}
    ran = run(files, "-p", "anyio", using="anyio", way=way)
    assert ran.status == 0, ran.out
    assert ran.outcomes == {"a": "passed"}
    assert ran.counts() == {"passed": 2}


# --- cov --------------------------------------------------------------------------------------------------------------

COVERED = """
import asyncio
def answer(question):
    if question == "never":
        return "uncovered"
    return "ok"
async def later(question):
    await asyncio.sleep(0)
    return "ok"
def brief(actual):
    return True
"""


@WAYS
def test_coverage_sees_what_targets_and_scorers_run(run, way):
    one = suite(("a", "q")).replace("[contains]", "[{python: bot.py:brief}]")
    files = {
        "bot.py": COVERED,
        "a.eval.yaml": "suite: a\n" + one,
        "b.eval.yaml": suite(("b", "q"), target="bot.py:later"),
    }
    ran = run(files, "-p", "pytest_cov", "--cov=bot", "--cov-report=term-missing", using="pytest_cov", way=way)
    assert ran.status == 0, ran.out
    (line,) = [line.split() for line in ran.result.outlines if line.startswith("bot.py ")]
    assert line == ["bot.py", "10", "1", "90%", "5"]


def test_a_coverage_that_is_too_low_fails_what_passed(run):
    files = {"bot.py": COVERED, "a.eval.yaml": suite(("a", "q"))}
    ran = run(files, "-p", "pytest_cov", "--cov=bot", "--cov-fail-under=95", using="pytest_cov")
    assert ran.outcomes == {"a": "passed"}
    assert ran.status == 1


# --- pytest's own options ---------------------------------------------------------------------------------------------

BOT = """
import logging, sys
def answer(question):
    print("asked", question)
    print("asked", question, file=sys.stderr)
    logging.getLogger("bot").warning("asked")
    return question
"""
THREE = suite(("good", "ok"), ("bad", "no"), ("better", "ok too"))


@pytest.mark.parametrize("way", [[], ["-n2"]], ids=["alone", "n2"])
@pytest.mark.parametrize(
    "args",
    [
        ["-p", "no:cacheprovider"],
        ["-p", "no:terminal"],
        ["-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:logging", "-p", "no:warnings"],
        ["-p", "no:capture"],
        ["-p", "no:junitxml"],
        ["-p", "no:skipping"],
        ["-p", "no:unraisableexception", "-p", "no:threadexception"],
        ["--import-mode=importlib"],
        ["--import-mode=append"],
        ["--strict-markers", "--strict-config"],
        ["-W", "error"],
        ["-W", "error", "--import-mode=importlib", "--strict-markers", "-p", "no:cacheprovider"],
        ["--capture=no"],
        ["--capture=sys", "--show-capture=no"],
        ["--tb=short", "-q", "--no-header", "--no-summary"],
        ["-o", "python_functions=check_*", "-o", "python_files=check_*.py", "-o", "python_classes=Check"],
        ["-o", "console_output_style=count", "--color=yes", "--durations=3", "--durations-min=0"],
        ["-o", "xfail_strict=true", "-o", "empty_parameter_set_mark=fail_at_collect"],
        ["-o", "addopts=--strict-markers"],
        ["--doctest-modules"],
        ["--log-cli-level=DEBUG"],
        ["--basetemp=tmp"],
        ["--rootdir=evals"],
    ],
    ids=" ".join,
)
def test_options_do_not_change_what_cases_come_to(pytester, way, args):
    files = {"pytest.ini": INI, "evals/bot.py": BOT, "evals/a.eval.yaml": THREE, "evals/pytest.ini": INI}
    own = [*only(), "-p", "xdist"]
    ran = Project(pytester, []).write(files).run(*own, *way, "evals", *args, subprocess=True, plugins=True)
    assert ran.outcomes == {"good": "passed", "bad": "failed", "better": "passed"}, ran.out
    assert ran.status == 1
    assert ran.report["exit_status"] == 1
    assert "INTERNALERROR" not in ran.out
    assert "Error: " not in ran.out


def test_markers_of_tags_are_registered_under_strict_markers(run):
    text = suite(("a", "ok"), extra="defaults: {tags: [smoke, v1.2]}\n")
    files = {"bot.py": BOT, "a.eval.yaml": text}
    ran = run(files, "--strict-markers", "-m", "smoke", "-W", "error", using="xdist")
    assert ran.outcomes == {"a": "passed"}


@WAYS
def test_warnings_of_an_application_are_errors_when_asked_for(run, way):
    bot = "import warnings\ndef answer(question):\n    warnings.warn('old', DeprecationWarning)\n    return 'ok'\n"
    files = {"bot.py": bot, "a.eval.yaml": suite(("a", "q"))}
    assert run(files, using="xdist", way=way).outcomes == {"a": "passed"}
    ran = run(files, "-W", "error", using="xdist", way=way)
    assert ran.outcomes == {"a": "errored"}
    assert ran.case("a")["error"]["message"] == "DeprecationWarning: old"


@pytest.mark.parametrize("way", [[], ["-n0"], ["-n2"], ["-p", "no:xdist"]], ids=["alone", "n0", "n2", "no-xdist"])
def test_everything_installed_at_once(run, way):
    ini = asyncio_ini()
    files = {"pytest.ini": ini, "bot.py": BOT, "a.eval.yaml": THREE, "test_b.py": "def test_b(): pass\n"}
    ran = run(
        files, "--reruns=1", "--timeout=30", "--cov=bot", "--cov-report=", "--asyncio-mode=auto", using="all", way=way
    )
    assert ran.outcomes == {"good": "passed", "bad": "failed", "better": "passed"}, ran.out
    assert ran.counts() == {"passed": 3, "failed": 1, "rerun": 1}
    assert ran.status == 1
