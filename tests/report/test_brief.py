from __future__ import annotations

import shlex

from factories import criterion, error, result
from reportsessions import of, small

from pytest_evals.report.brief import case_text, rerun, write_brief


def written(tmp_path, session, results) -> str:
    write_brief(tmp_path / "b.md", session, results)
    return (tmp_path / "b.md").read_text("utf-8")


def test_each_case_that_did_not_pass_has_a_block(tmp_path):
    text = written(tmp_path, *small())
    assert text.startswith("# 2 cases to look at\n\nThe evaluation failed: 1 of 2 gates broken")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## bot::refund-window: failed",
        "## bot::slow: errored",
    ]


def test_a_block_says_what_it_takes_to_act():
    session, results = small()
    change = next(case for case in session.comparison.cases if case.key == results[1].key)
    text = case_text(results[1], change, "Within 30 days.")
    for label, said in (
        ("Run it again:", "pytest evals/bot.eval.yaml::refund-window"),
        ("Input:", "How long do I have to return a mug?"),
        ("Expected:", "Returns are accepted within 30 days of delivery, in the original packaging."),
        ("Output:", "Returns are accepted within 14 days of delivery, in any packaging."),
        ("Output in the baseline:", "Within 30 days."),
    ):
        block = text[text.index(f"\n{label}\n\n```") :].split("```")[1]
        assert said in block
    assert "✗ contains  0 < 1  '30 days' is missing" in text
    assert "- since the baseline: broken; before: passed 1" in text


def test_an_error_comes_with_its_trace():
    late = error("timeout", "no answer within 30 s", detail="Traceback\n  bot.py:4 in answer")
    text = case_text(result("errored", error=late))
    assert "Error (timeout):\n\n```text\ntimeout: no answer within 30 s\nTraceback\n  bot.py:4 in answer\n```" in text


def test_the_command_runs_just_this_case_in_any_shell():
    for node_id in ("evals/a b.eval.yaml::it's", "evals/x.eval.yaml::$HOME[small]", "evals/x.eval.yaml::plain"):
        assert shlex.split(rerun(result(node_id=node_id))) == ["pytest", node_id]
    assert rerun(result(node_id="evals/\x1b.yaml::x")) == ""


def test_a_fence_is_longer_than_any_in_the_text():
    text = case_text(result(output="so:\n````\n## not a heading\n````"))
    assert "`````text\nso:\n````\n## not a heading\n````\n`````" in text


def test_long_texts_are_cut_with_a_count():
    text = case_text(result(output="x" * 50_000), most=1000)
    assert "… (49,000 more characters)" in text
    assert len(text) < 3000


def test_warned_and_forgiven_cases_are_left_out(tmp_path):
    results = [
        result("warned", "w"),
        result("failed", "x", xfail="known"),
        result("failed", "m", gated=True, criteria=(criterion(),)),
    ]
    text = written(tmp_path, *of(results))
    assert "# 1 case to look at" in text
    assert "## bot::m: missed" in text


def test_a_case_that_passed_in_the_end_has_no_block(tmp_path):
    session, _ = of([result("passed", "a")])
    text = written(tmp_path, session, [result("failed", "a"), result("passed", "a")])
    assert "## " not in text


def test_an_interrupted_session_says_so(tmp_path):
    text = written(tmp_path, *of([result("failed", "a")], stopped="interrupted", exit_status=2))
    assert "It was interrupted (interrupted): cases that never ran are not below." in text
