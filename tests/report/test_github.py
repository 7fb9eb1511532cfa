from __future__ import annotations

from factories import result, row, session
from reportsessions import of, small

from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.place import Place
from pytest_evals.report import said_by, write_report
from pytest_evals.report.github import MOST, VARIABLE, commands
from pytest_evals.report.registry import parse_report_option
from pytest_evals.stats import decide


def test_each_case_is_annotated_on_its_line():
    assert commands(small()[0])[1:] == [
        "::error file=evals/bot.eval.yaml,line=7,title=bot%3A%3Arefund-window failed"
        "::score 0.20 < 0.70; contains 0: '30 days' is missing",
        "::error file=evals/bot.eval.yaml,line=7,title=bot%3A%3Aslow errored::timeout: no answer within 30 s",
    ]


def test_a_broken_gate_is_annotated_where_it_stands():
    rows = [row("failed", "a", gated=True, source="evals/x.eval.yaml:9", headline="50% off,\nsaid it")]
    gate = parse_gate("pass_rate >= 95%", suite="bot", place=Place("evals/x.eval.yaml", 3, 5))
    first, second = commands(session(rows, verdicts=decide([gate], rows)))
    assert first.startswith("::error file=evals/x.eval.yaml,line=3,title=gate broken::pass_rate >= 95%25: broken, 0%25")
    assert second.startswith("::warning file=evals/x.eval.yaml,line=9,title=bot%3A%3Aa missed::50%25 off,%0Asaid it")


def test_only_as_many_as_github_shows_the_rest_is_counted():
    rows = [row("failed", f"c{n}") for n in range(25)]
    assert len(commands(session(rows))) == MOST + 1
    assert commands(session(rows))[-1] == "::notice::and 15 more errors, see the summary"


def test_paths_start_at_the_repository(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    [line] = commands(session([row("failed", source="evals/x.eval.yaml:2")]))
    assert line.startswith("::error file=sub/evals/x.eval.yaml,line=2,")


def test_the_summary_goes_where_the_runner_says_and_is_appended(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "summary.md").write_text("before\n")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "summary.md"))
    name, path = parse_report_option("github")
    assert write_report(name, path, *of([result("failed", "a")])) == "github report: summary.md"
    text = (tmp_path / "summary.md").read_text("utf-8")
    assert text.startswith("before\n## 🟢 passed")
    assert said_by("json", session([])) == ()


def test_elsewhere_there_is_no_summary_and_that_is_said(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    name, path = parse_report_option("github")
    assert write_report(name, path, *of([])) == f"github report: {VARIABLE} is not set: nothing is written"
