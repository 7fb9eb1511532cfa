"""Reports of sessions as pytest runs them: JUnit, GitHub, secrets, sessions that were stopped."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hostile import strings

NEW_PYTEST = pytest.version_tuple >= (8, 1)

BOT = """
import json, logging, pathlib

def answer(text):
    print("printed api_key=PLANTED-PRINT-1")
    logging.getLogger("app").warning("Authorization: Bearer PLANTED-LOG-2")
    if text == "boom":
        raise ValueError("https://me:PLANTED-URL-3@host/ said sk-PLANTED0123456789abcd")
    if text == "scan":
        found = [str(p) for p in pathlib.Path(".evals").rglob("*") if p.is_file() and b"PLANTED" in p.read_bytes()]
        return json.dumps(found)
    return f"the key is {text} and ACME-PLANTED-4"
"""

SUITE = """
target: bot.py:answer
cases:
  - {id: a, input: sk-PLANTED0123456789abcd, expected_output: not it, criteria: [contains]}
  - {id: b, input: boom, expected_output: x, criteria: [contains]}
  - {id: c, input: hello, expected_output: ACME-PLANTED-4, criteria: [contains], metadata: {password: PLANTED-META-5}}
  - {id: scan, input: scan, expected_output: "[]", criteria: [exact_match]}
"""


FIXTURE = """
target: {fixture: broken}
cases:
  - {id: f, input: x, expected_output: x, criteria: [contains]}
"""

BROKEN = """
import pytest
from pytest import version_tuple

@pytest.fixture
def broken():
    raise RuntimeError("no connection with password=PLANTED-FIXTURE-6")
"""


def test_no_secret_gets_into_anything_that_is_written(project):
    """Every file of the session, and what it prints; scorers have seen the whole."""
    ran = project(
        {
            "bot.py": BOT,
            "evals/s.eval.yaml": SUITE.replace("bot.py", "../bot.py"),
            "test_it.py": "def test_it(evals):\n    evals.record('ACME-PLANTED-4 sk-PLANTED0123456789abcd', scores={'s': 1})\n",
            "pytest.ini": "[pytest]\nevals_redact = ACME-[\\w-]+\npythonpath = .\n",
            "evals/t.eval.yaml": FIXTURE,
            "conftest.py": BROKEN,
        },
        "--junitxml=out/j.xml",
        "--evals-concurrency=1",
        "--evals-retries=0",
        *(
            f"--evals-report=out/r.{suffix}"
            for suffix in ("json", "jsonl", "md", "brief.md", "csv", "summary.csv", "html")
        ),
    )
    assert ran.outcomes == {
        "a": "failed",
        "b": "errored",
        "c": "passed",
        "scan": "passed",
        "test_it": "scored",
        "f": "errored",
    }
    written = [path for path in ran.path.rglob("*") if path.is_file()]
    sources = {"bot.py", "s.eval.yaml", "test_it.py", "conftest.py"}
    leaks = [
        str(path.relative_to(ran.path))
        for path in written
        if path.name not in sources and path.suffix != ".pyc" and b"PLANTED" in path.read_bytes()
    ]
    assert leaks == []
    assert len([path for path in written if path.parent.name == "out"]) == 8
    assert (ran.path / ".evals" / "history.db").exists()
    assert "PLANTED" not in ran.out.replace("ACME-[", "")
    assert "***" in ran.case("a")["output"]


def test_junit_has_figures_and_criteria_as_properties(project):
    suite = """
target: bot.py:answer
cases:
  - {id: a, input: x, expected_output: y, criteria: [contains, {levenshtein: {threshold: 0.1}}]}
  - {id: b, input: y, expected_output: y, criteria: [contains]}
"""
    bot = "from pytest_evals import Response\ndef answer(text):\n    return Response(text, cost_usd=0.25)\n"
    ran = project({"bot.py": bot, "s.eval.yaml": suite, "pytest.ini": "[pytest]\npythonpath = .\n"}, "--junitxml=j.xml")
    cases = ElementTree.parse(ran.path / "j.xml").getroot().iter("testcase")
    for case in cases:
        plain = ran.case(case.get("name"))
        found = {one.get("name"): one.get("value") for one in case.iter("property")}
        assert found.pop("outcome") == plain["outcome"]
        assert {name: json.loads(value) for name, value in found.items()} == {
            "score": plain["score"],
            "latency_ms": plain["latency_ms"],
            "cost_usd": 0.25,
            **{f"criterion.{one['name']}": one["score"] for one in plain["criteria"]},
        }


def test_o03_junit_parses_whatever_the_application_says(alone):
    """300 texts as answers, errors, ids and reasons; what XML may hold is kept as it is."""
    texts = strings(300)
    # before pytest 8.1 its report wrote characters beyond the first 65,536 as #x1F600
    keep = "\U0001f600 \U00020000 <b> & é" if NEW_PYTEST else "☃ <b> & é"
    bot = (
        "import json, pathlib\n"
        "texts = json.loads(pathlib.Path('texts.json').read_text())\n"
        "def answer(n):\n"
        "    if int(n) % 3 == 1:\n        raise ValueError(texts[int(n)])\n"
        "    return texts[int(n)]\n"
    )
    cases = [{"id": f"c{n}", "input": str(n), "expected_output": "none of it"} for n in range(len(texts))]
    cases += [{"id": keep, "input": "0", "expected_output": "x", "skip": f"{keep} ]]>"}]
    suite = {"target": "bot.py:answer", "defaults": {"criteria": ["exact_match"], "retries": 0}, "cases": cases}
    files = {
        "bot.py": bot,
        "texts.json": json.dumps(texts),
        "s.eval.json": json.dumps(suite),
        "pytest.ini": "[pytest]\npythonpath = .\n",
    }
    ran = alone(files, "--junitxml=j.xml", report=False)
    root = ElementTree.parse(ran.path / "j.xml").getroot()
    [counts] = root.iter("testsuite")
    found = list(root.iter("testcase"))
    assert int(counts.get("tests")) == len(found) == 301
    assert int(counts.get("errors")) == 100
    [skipped] = root.iter("skipped")
    assert f"{keep} ]]>" in skipped.get("message")
    assert keep in [case.get("name") for case in found]
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", (ran.path / "j.xml").read_text("utf-8"))


STOPPED = """
target: echo
cases:
  - {id: a, input: x, expected_output: y, criteria: [contains]}
  - {id: b, input: "=y", expected_output: y, criteria: [contains]}
"""


def test_reports_of_a_stopped_session_are_marked_and_one_that_cannot_be_written_is_a_line(project):
    names = ("r.md", "r.brief.md", "r.csv", "r.summary.csv", "r.jsonl", "r.html")
    ran = project(
        {"s.eval.yaml": STOPPED, "file": ""},
        "-x",
        "--evals-report=file/r.json",
        *(f"--evals-report={name}" for name in names),
    )
    assert ran.status == 1
    assert "json report: cannot write file/r.json: " in ran.out
    text = {name: (ran.path / name).read_text("utf-8") for name in names}
    assert "**Interrupted: stopping after 1 failures.**" in text["r.md"]
    assert "It was interrupted (stopping after 1 failures)" in text["r.brief.md"]
    assert "stopping after 1 failures" in text["r.summary.csv"]
    assert json.loads(text["r.jsonl"].splitlines()[0])["stopped"] == "stopping after 1 failures"
    assert "stopping after 1 failures" in text["r.html"]
    if "b" not in ran.outcomes:  # a second worker may have run it meanwhile
        assert ",never ran," in text["r.csv"]


def test_annotations_and_summary_for_github(project, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.pytester.path / "summary.md"))
    ran = project({"s.eval.yaml": STOPPED}, "--evals-report=github")
    [line] = [line.strip() for line in ran.result.outlines if "::error" in line]
    assert line == "::error file=s.eval.yaml,line=4,title=s%3A%3Aa failed::contains 0 < 1: 'y' does not occur"
    assert (ran.path / "summary.md").read_text("utf-8").startswith("## 🔴 failed: 1 of 2 cases failed")


def test_a_pattern_that_is_none_is_a_usage_error(alone):
    ran = alone({"s.eval.yaml": STOPPED}, "--evals-redact=(", report=False)
    assert ran.status == 4
    assert "--evals-redact: '(' is not a regular expression" in ran.out
