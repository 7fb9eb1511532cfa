"""The HTML report of a session: what only a real run can put into it."""

from __future__ import annotations

import pytest
from htmlfile import HtmlFile

from pytest_evals.plugin.reports import MOST_LOGGED, logs_in

BOT = """\
import logging, sys
def answer(question):
    print(f"asked: {question}, api_key=sk-1234567890abcdefghij"); print("slow", file=sys.stderr)
    logging.getLogger("bot").warning("no such topic: %s", question)
    if question == "boom": raise ValueError(question)
    return question
"""
SUITE = """\
suite: s
experiment: shop
target: bot.py:answer
defaults: {criteria: [exact_match], retries: 0}
cases:
  - {id: good, input: a, expected_output: a}
  - {id: bad, input: b, expected_output: a}
  - {id: boom, input: boom, expected_output: a}
"""


def test_the_report_has_the_logs_of_each_case_and_the_last_runs(project):
    project({"bot.py": BOT, "s.eval.yaml": SUITE}, report=False)
    ran = project.run("--evals-report=html:deep/r.html", "--evals-baseline=last")
    assert "html report: deep/r.html" in ran.out
    html = HtmlFile(ran.path / "deep" / "r.html")
    details = {entry["id"]: html.detail(entry) for entry in html.entries}
    for case_id, question in (("good", "a"), ("bad", "b"), ("boom", "boom")):
        logs = dict(details[case_id]["logs"])
        assert logs["stdout"].startswith(f"asked: {question}, api_key=***")
        assert (logs["stderr"], "no such topic: " + question in logs["log"]) == ("slow\n", True)
        assert dict(ran.case(case_id)["logs"]) == logs
    trend = next(chart for chart in html.page["charts"] if chart["kind"] == "trend")
    assert trend["summary"] == "2 runs, 33.3% at first, 33.3% at last"
    assert [point["current"] for point in trend["points"]] == [False, True]
    assert {entry["change"] for entry in html.entries} == {"same"}


def test_without_a_history_there_is_no_trend(alone):
    ran = alone({"bot.py": BOT, "s.eval.yaml": SUITE}, "--evals-report=r.htm", "--evals-no-history", "-s")
    html = HtmlFile(ran.path / "r.htm")
    assert [chart["kind"] for chart in html.page["charts"]] == ["histogram", "histogram"]
    streams = [[stream for stream, _ in html.detail(entry)["logs"]] for entry in html.entries]
    assert streams == [["log"]] * 3, "what is printed is not captured with -s"


@pytest.mark.parametrize(
    ("sections", "logs"),
    [
        ([], {}),
        ([("Captured stdout setup", "a"), ("Captured stdout call", "b")], {"stdout": "ab"}),
        ([("Captured log call", "x" * MOST_LOGGED)], {"log": "x" * MOST_LOGGED}),
        (
            [("Captured log call", "y" + "x" * MOST_LOGGED)],
            {"log": "(1 characters before this are not kept)\n" + "x" * MOST_LOGGED},
        ),
        ([("of another plugin", "z"), ("Captured", "z")], {}),
    ],
)
def test_logs_are_what_pytest_captured_by_stream(sections, logs):
    assert logs_in(sections) == logs
