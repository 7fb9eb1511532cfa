"""Faults reported against tools of this kind, as users would meet them: life with pytest and its plugins."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from projects import Project, asyncio_ini

CASE = "  - {{id: {id}, input: {input}, expected_output: ok, criteria: [contains]}}\n"


def suite(name, *cases, target="echo", extra=""):
    return f"suite: {name}\ntarget: {target}\n{extra}cases:\n" + "".join(CASE.format(id=i, input=q) for i, q in cases)


def test_P01_workers_collect_the_same_whatever_the_hash_seed(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "random")
    files = {}
    for number in range(30):
        cases = "".join(
            f"  - {{input: question {i}, expected_output: q, criteria: [contains], tags: [t{i}, a{i}, z{i}]}}\n"
            for i in range(4)
        )
        files[f"d{number % 3}/s{number}.eval.yaml"] = f"suite: s{number}\ntarget: {{fixture: bot}}\ncases:\n{cases}"
    files["conftest.py"] = (
        "import pytest\n@pytest.fixture(params=['x', 'y'], scope='session')\ndef bot(request): return lambda q: q\n"
    )
    project = Project(pytester, ["-n4"]).write(files)
    for _ in range(5):
        ran = project.run("-q", subprocess=True)
        assert ran.status == 0, ran.out
        assert "Different tests were collected" not in ran.out
        assert len(ran.report["cases"]) == 240


ODD = """
import datetime, decimal, enum, pathlib, pytest
import numpy
class Label(str, enum.Enum): GOOD = "good"
class Odd:
    def __str__(self): raise RuntimeError("no text")
VALUES = {
    "numpy": lambda: numpy.float64(0.5), "decimal": lambda: decimal.Decimal("0.5"), "bool": lambda: numpy.bool_(False),
}
@pytest.fixture
def odd_scorer():
    from pytest_evals import Score
    def score(case, actual):
        value = VALUES[case.id]() if case.id in VALUES else 0.5
        return Score(value, "why", {
            "when": datetime.date(2024, 1, 5), "label": Label.GOOD, "path": pathlib.Path("x"), "array": numpy.arange(3),
            "set": {3, 1}, "bytes": b"\\xff", "odd": Odd(), "surrogate": "\\ud800", 5: datetime.timedelta(seconds=2),
        })
    return score
def bot(q):
    from pytest_evals import Response
    return Response("half \\ud800 surrogate", metadata={"at": datetime.datetime(2024, 1, 5), "n": numpy.int64(3), "nan": float("nan")})
"""


def test_P02_odd_values_leave_the_worker_and_a_red_case_stays_red(pytester):
    cases = "".join(
        f"  - {{id: {i}, input: x, metadata: {{released: 2024-01-05}}, criteria: [odd]}}\n"
        for i in ("numpy", "decimal", "bool", "surrogate")
    )
    good = "".join(CASE.format(id=f"g{i}", input="ok") for i in range(3))
    files = {
        "conftest.py": ODD,
        "a.eval.yaml": "suite: a\ntarget: conftest.py:bot\ncases:\n" + cases,
        "b.eval.yaml": "suite: b\ntarget: echo\ncases:\n" + good,
    }
    alone = Project(pytester, [])(files)
    for _ in range(5):
        both = Project(pytester, ["-n2"]).run("--junitxml=j.xml")
        assert (both.status, both.counts()) == (1, {"failed": 4, "passed": 3})
        assert [c["criteria"] for c in both.report["cases"]] == [c["criteria"] for c in alone.report["cases"]]
        ET.parse(both.path / "j.xml")
    detail = alone.case("numpy")["criteria"][0]["detail"]
    assert (detail["when"], detail["label"], detail["set"], detail["array"]) == (
        "2024-01-05",
        "good",
        [1, 3],
        [0, 1, 2],
    )


CRASH = """
import os, time
def answer(q):
    if q == "exit": os._exit(9)
    if q == "segv":
        import ctypes; ctypes.string_at(0)
    if q == "kill":
        import signal; os.kill(os.getpid(), signal.SIGKILL)
    return q
"""


@pytest.mark.parametrize("death", ["exit", "segv", "kill"])
def test_P04_a_worker_crash_is_an_errored_case_everywhere(pytester, death):
    cases = (("a", "ok"), ("b", death), ("c", "ok"), ("d", "ok"))
    files = {
        "bot.py": CRASH,
        "s.eval.yaml": suite("s", *cases, target="bot.py:answer", extra="defaults: {retries: 0}\n"),
    }
    ran = Project(pytester, ["-n2"])(files, "--junitxml=j.xml")
    assert ran.counts() == {"passed": 3, "failed": 1}
    assert ran.outcomes == {"a": "passed", "b": "errored", "c": "passed", "d": "passed"}
    assert "worker crashed" in ran.case("b")["error"]["message"]
    assert ran.status == 1
    assert "Traceback" not in ran.out
    assert "INTERNALERROR" not in ran.out
    assert ran.report["summary"]["counts"]["errored"] == 1


@pytest.mark.parametrize(
    "args",
    [
        ["--reruns=1"],
        ["-p", "no:cacheprovider"],
        ["--timeout=20"],
        ["-k", "good"],
        ["-x"],
        ["--maxfail=1", "-n2"],
        ["--collect-only", "-q"],
        ["--setup-plan"],
        ["--setup-show"],
        ["-p", "no:terminal"],
        ["-p", "no:cacheprovider", "--tb=short", "-rA"],
        ["--tb=native", "-vv", "-l"],
        ["--import-mode=importlib", "--strict-markers", "-W", "error"],
        ["--fixtures-per-test"],
        ["--cov=.", "--cov-report="],
        ["-p", "no:logging", "-s"],
        ["--asyncio-mode=auto"],
    ],
    ids=" ".join,
)
def test_P07_cases_live_with_other_plugins_and_options(pytester, args):
    bot = "def answer(q): print('asked', q); return q\n"
    conftest = """
import pytest
@pytest.fixture
async def later(): return 1
@pytest.fixture(autouse=True)
def around(request):
    assert request.node.obj and request.function and request.node.fixturenames is not None
    yield
"""
    cases = (("good", "ok"), ("bad", "no"), ("better", "ok too"))
    ini = asyncio_ini()
    files = {
        "pytest.ini": ini,
        "conftest.py": conftest,
        "bot.py": bot,
        "s.eval.yaml": suite("s", *cases, target="bot.py:answer"),
    }
    ran = Project(pytester, [])(files, *args, subprocess=True, plugins=True)
    assert "Error: " not in ran.out.replace("AssertionError", "")
    assert "INTERNALERROR" not in ran.out
    assert "has no attribute" not in ran.out
    looking = {"--collect-only", "--setup-plan", "--fixtures-per-test"} & set(args)
    assert ran.status == (0 if looking or "-k" in args else 1), ran.out
    if looking:
        assert ran.report == {}
    elif "-x" in args:
        assert list(ran.outcomes.values()).count("failed") == 1
    elif "-k" not in args and "-n2" not in args:
        assert ran.outcomes == {"good": "passed", "bad": "failed", "better": "passed"}


IDS = {
    "long": "L" * 140_000,
    "nul": "nul\0x",
    "climb": "../../etc/x",
    "device": "CON",
    "unicode": "ünï☃",
    "newline": "a\nb",
    "upper": "case",
    "lower": "CASE",
    "colons": "a::b::c",
    "brackets": "a[1][b]",
    "spaces": "  padded id  ",
    "slash": "a/b\\c",
    "quotes": 'it\'s "quoted"',
    "percent": "%s {x} $HOME `id`",
    "escape": "\x1b[31mred\x1b[0m",
    "rtl": "abc\u202edef",
    "emoji": "👩\u200d👩\u200d👧",
}


def test_P08_huge_and_odd_ids_run_stay_on_one_line_and_select(project):
    import json

    cases = [{"id": i, "input": "no", "expected_output": "ok", "criteria": ["contains"]} for i in IDS.values()]
    ran = project({"a.eval.json": json.dumps({"target": "echo", "cases": cases})}, "--junitxml=j.xml", "-v")
    assert set(ran.outcomes) == set(IDS.values())
    assert ran.counts() == {"failed": len(IDS)}
    root = ET.parse(ran.path / "j.xml").getroot()
    assert len(root.findall(".//testcase")) == len(IDS)
    assert all(len(line) < 2000 for line in ran.result.outlines)
    assert "\x1b[31mred" not in ran.out
    again = project.run("--lf")
    assert set(again.outcomes) == set(IDS.values())
    nodes = [case["node_id"] for case in ran.report["cases"]]
    assert all(len(node.encode()) < 1000 for node in nodes)
    for node in nodes[1:8]:
        assert len(project.run(node).outcomes) == 1, node


@pytest.mark.parametrize("blank", ['""', '" "', '"\\t"', '"\\n "'])
def test_P08_a_blank_id_is_refused(project, blank):
    ran = project({"a.eval.yaml": suite("a", (blank, "ok"))})
    assert ran.status == 2
    assert "a.eval.yaml:4:" in ran.out


GATE = "gates: ['pass_rate >= 0.9']\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment\n",
        "cases:\n",
        "target: echo\ncases: []\n",
        GATE + "target: echo\ncases: ~\n",
        "---\n",
        "[]\n",
        "null\n",
        "just text\n",
        "\ufeff",
    ],
)
def test_P09_a_suite_without_cases_is_never_green_and_stops_no_other(project, text):
    ran = project({"a.eval.yaml": text, "b.eval.yaml": suite("b", ("x", "ok"))}, "--continue-on-collection-errors")
    assert ran.status == 2
    assert "a.eval.yaml" in ran.out
    assert "NoneType" not in ran.out
    assert "Traceback" not in ran.out
    assert ran.outcomes == {"x": "passed"}


@pytest.mark.parametrize(
    "args", [["-k", "nothing"], ["-m", "absent_tag"], ["-m", "not evals"], ["--deselect", "a.eval.yaml"]]
)
def test_P09_a_selection_of_nothing_is_never_green(project, args):
    ran = project({"a.eval.yaml": suite("a", ("x", "ok"), extra=GATE)}, *args)
    assert ran.status == 5
    assert "100" not in ran.out.replace("[100%]", "")


def test_P09_all_skipped_leaves_the_gate_undecided(project):
    text = suite("a", ("x", "ok"), extra=GATE + "defaults: {skip: later}\n")
    ran = project({"a.eval.yaml": text})
    assert ran.status == 75
    assert ran.report["summary"]["pass_rate"] is None
    assert ran.report["gates"][0]["verdict"] == "undecided"


def test_P13_paths_in_a_suite_are_relative_to_it_and_paths_of_options_to_where_one_stands(pytester, monkeypatch):
    files = {
        "my evals/ä.eval.yaml": suite("s", ("x", "q"), target="{responses: data/ä b.json}"),
        "my evals/b.eval.yaml": suite("b", ("y", "ok"), target="../src dir/bot_p13.py:answer"),
        "my evals/data/ä b.json": '{"x": "ok"}',
        "src dir/bot_p13.py": "def answer(q): return q\n",
        "elsewhere/pytest.ini": "[pytest]\n",
        "pytest.ini": "[pytest]\n",
    }
    project = Project(pytester, []).write(files)
    root = pytester.path
    for start, args in (
        (root, []),
        (root / "my evals", []),
        (root / "elsewhere", [str(root / "my evals")]),
        (root, ["my evals", "--rootdir", str(root / "elsewhere")]),
        (root / "src dir", ["../my evals/b.eval.yaml", "../my evals/ä.eval.yaml::x"]),
    ):
        monkeypatch.chdir(start)
        for ways in ([], ["-n2"]):
            ran = project.run(*args, *ways, "--evals-report=json:here.json", subprocess=True)
            assert ran.outcomes == {"x": "passed", "y": "passed"}, (start, args, ran.out)
            assert (start / "here.json").exists()
            (start / "here.json").unlink()


@pytest.mark.parametrize(
    "target",
    ["{responses: data/gone.json}", "gone/bot.py:answer", "{responses: ../gone.csv}", "/gone/at/all.py:answer"],
)
def test_P13_a_missing_file_is_named_with_the_full_path_that_was_tried(project, target):
    ran = project({"evals/a.eval.yaml": suite("a", ("x", "ok"), target=target)})
    assert ran.status == 2
    wanted = {
        "data": "evals/data/gone.json",
        "gone/b": "evals/gone/bot.py",
        "../g": "gone.csv",
        "/gone": "/gone/at/all.py",
    }
    path = next(v for k, v in wanted.items() if k in target)
    assert (path if path.startswith("/gone/at") else str(ran.path / path)) in ran.out
