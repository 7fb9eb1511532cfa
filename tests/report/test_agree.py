"""One place computes each figure: what two formats say of it is the same, to the digit."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from factories import criterion, result
from reportsessions import of, rated, small

from pytest_evals.model.response import Usage
from pytest_evals.report import format as f
from pytest_evals.report.csv import write_csv
from pytest_evals.report.csv_summary import write_csv_summary
from pytest_evals.report.figures import figures
from pytest_evals.report.grades import grade_in
from pytest_evals.report.html.page import page
from pytest_evals.report.json import write_json
from pytest_evals.report.jsonl import write_jsonl
from pytest_evals.report.junit import junit_properties
from pytest_evals.report.lines import plain_text
from pytest_evals.report.pull_request import markdown
from pytest_evals.report.terminal import section


def many():
    """Figures with endless digits, of two variants of one suite and of a suite without any."""
    made = [_varied(n, variant) for n in range(37) for variant in ("small", "large")]
    made += [result("passed", f"other-{n}", "billing", score=1 / (n + 1), latency_ms=n / 3) for n in range(37)]
    return of(made)


def _varied(n, variant):
    outcome = ("passed", "passed", "failed", "errored", "warned")[n % 5]
    told = {} if outcome == "errored" else {"score": (n % 7) / 7, "latency_ms": 1000 / (n + 1.7) + 9 * len(variant)}
    if told:
        told["criteria"] = (criterion("tone", (n % 3) / 3, 0.7), criterion("facts", (n % 11) / 11, 0.5))
    cost = None if n == 3 else 0.01 / (n + 3)
    usage = Usage(100 + n, 7 * n)
    return result(outcome, f"case-{n}", variant=variant, variant_id=variant, cost_usd=cost, usage=usage, **told)


@pytest.fixture(scope="module", params=[small, many])
def made(request):
    return request.param()


@pytest.fixture
def plain(made, tmp_path):
    write_json(tmp_path / "r.json", *made)
    return json.loads((tmp_path / "r.json").read_text("utf-8"))


def read_csv(path):
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8"), newline="")))


def number(cell):
    return None if cell == "" else float(cell)


def test_json_lines_say_what_json_says(made, plain, tmp_path):
    write_jsonl(tmp_path / "r.jsonl", *made)
    first, *cases = map(json.loads, (tmp_path / "r.jsonl").read_text("utf-8").splitlines())
    assert {k: v for k, v in first.items() if k != "type"} == {k: v for k, v in plain.items() if k != "cases"}
    assert [{k: v for k, v in case.items() if k != "type"} for case in cases] == plain["cases"]


def test_the_csv_of_cases_says_what_json_says(made, plain, tmp_path):
    write_csv(tmp_path / "r.csv", *made)
    rows = read_csv(tmp_path / "r.csv")
    assert len(rows) == len(plain["cases"])
    for row, case in zip(rows, plain["cases"], strict=True):
        for key in ("suite", "id", "variant", "outcome", "headline", "node_id", "source"):
            assert row[key] == case[key]
        for key in ("score", "latency_ms", "cost_usd"):
            assert number(row[key]) == case[key]
        if len(case["trials"]) == 1:
            for one in case["criteria"]:
                assert number(row[f"score {one['name']}"]) == one["score"]
                assert row[f"reason {one['name']}"] == one["reason"]


def test_the_csv_of_figures_says_what_json_says(made, plain, tmp_path):
    write_csv_summary(tmp_path / "r.csv", *made)
    rows = read_csv(tmp_path / "r.csv")
    summary = plain["summary"]
    varied = {part["suite"] for part in summary["by_variant"]}
    parts = [part for part in summary["by_suite"] if part["name"] not in varied] + summary["by_variant"]
    found = {(part.get("suite", part["name"]), part["name"] if "suite" in part else ""): part for part in parts}
    assert {(row["suite"], row["variant"]) for row in rows} == set(found)
    for row in rows:
        part = found[row["suite"], row["variant"]]
        assert number(row["pass_rate"]) == part["pass_rate"]
        assert [number(row["pass_rate_low"]), number(row["pass_rate_high"])] == part["pass_rate_interval"]
        assert number(row["score_mean"]) == part["score"]["mean"]
        assert number(row["score_sd"]) == part["score"]["sd"]
        assert number(row["cost_usd"]) == part["cost_usd"]["total"]
        for key in ("mean", "p50", "p95", "p99", "max"):
            assert number(row[f"latency_ms_{key}"]) == part["latency_ms"][key]
        for key in ("passed", "warned", "failed", "missed", "errored", "skipped"):
            assert int(row[key]) == part["counts"][key]
        for one in part["criteria"]:
            assert number(row[f"mean {one['name']}"]) == one["mean"]


def test_junit_says_what_json_says(made, plain):
    cases = {case["node_id"] + case["variant"]: case for case in plain["cases"]}
    for one in made[1]:
        case = cases[one.node_id + one.variant]
        found = dict(junit_properties(one))
        assert found.pop("outcome") == case["outcome"]
        for key in ("score", "latency_ms", "cost_usd"):
            assert (json.loads(found.pop(key)) if key in found else None) == case[key]
        if len(case["trials"]) == 1:
            assert {k: json.loads(v) for k, v in found.items()} == {
                f"criterion.{each['name']}": each["score"] for each in case["criteria"] if each["score"] is not None
            }


def unescaped(text):
    return re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), text)


def test_every_figure_of_the_terminal_is_in_markdown_and_html(made):
    session, results = made
    text = unescaped(markdown(session, results))
    terminal = "\n".join(plain_text(line) for line in section(session, width=200))
    html = json.dumps(page(session)["figures"], ensure_ascii=False)
    parts = [(label, part) for label, found in figures(session) for part, _ in found]
    assert len(parts) > 8
    for label, part in parts:
        assert label in terminal
        assert part in terminal
        assert part in text
        assert json.dumps(part, ensure_ascii=False) in html


def test_the_table_of_variants_is_that_of_json(made, plain):
    text = unescaped(markdown(*made))
    for part in plain["summary"]["by_variant"]:
        [line] = [line for line in text.splitlines() if re.match(rf"\| (?:{part['suite']}: )?{part['name']} \|", line)]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for shown in (
            f.count(part["cases"]),
            f.percent(part["pass_rate"]),
            f.score(part["score"]["mean"], 3),
            f.duration(part["latency_ms"]["p50"]),
            f.duration(part["latency_ms"]["p95"]),
            *(f.score(one["mean"], 3) for one in part["criteria"]),
        ):
            assert shown in cells


def test_gates_say_the_same_everywhere(made, plain):
    text = unescaped(markdown(*made))
    terminal = "\n".join(plain_text(line) for line in section(made[0], width=200))
    for verdict, gate in zip(made[0].verdicts, plain["gates"], strict=True):
        assert gate["observed"] == verdict.observed
        for said in (f.observed(verdict), f.margin(verdict), gate["gate"]):
            assert said in text
            assert said in terminal


def test_grades_say_the_same_everywhere(tmp_path):
    session, results = rated()
    write_json(tmp_path / "r.json", session, results)
    write_csv_summary(tmp_path / "r.csv", session, results)
    parts = json.loads((tmp_path / "r.json").read_text("utf-8"))["summary"]["by_variant"]
    rows = read_csv(tmp_path / "r.csv")
    text = unescaped(markdown(session, results))
    html = json.dumps(page(session)["tables"])
    assert len(parts) == len(rows) > 1
    for part, row in zip(parts, rows, strict=True):
        summary = session.summary.by_variant[part["suite"], part["name"]]
        assert number(row["grade"]) == grade_in(summary)
        shown = f.grade(grade_in(summary))
        assert f"**{shown}**" in text
        assert shown in html
        for judged in part["criteria"]:
            for one in judged["ratings"]:
                assert f.grade(one["grade"]) in text
                assert f.grade(one["grade"]) in html
