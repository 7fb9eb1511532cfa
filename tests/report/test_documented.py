"""The documentation says what the code does."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from factories import row, session

from pytest_evals.model.gate import METRICS, OPERATORS, SCOPES, Verdict
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.run import SuiteCount
from pytest_evals.report.lines import plain_text
from pytest_evals.report.registry import formats
from pytest_evals.report.terminal import section
from pytest_evals.stats import decide
from pytest_evals.stats.percentiles import nearest_rank
from pytest_evals.stats.status import FAILED, INCONCLUSIVE, INTERRUPTED, OK

DOCS = Path(__file__).parents[2] / "docs"
OUTCOMES, GATES, REPORTS = ((DOCS / f"{name}.md").read_text("utf-8") for name in ("outcomes", "gates", "reports"))


def entries(page: str) -> set[str]:
    """What starts a row of a table, in code."""
    return set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE))


def table(page: str, heading: str) -> list[list[str]]:
    """The rows of the table whose head starts with ``heading``."""
    body = page[page.index(f"| {heading} |") :].split("\n\n", maxsplit=1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines()[2:]]


def test_every_outcome_and_no_other_has_a_row():
    assert [line[0] for line in table(OUTCOMES, "outcome")] == [f"`{outcome}`" for outcome in Outcome]


def test_every_kind_of_error_has_a_row_that_says_whether_it_is_outside():
    assert [(line[0], line[2]) for line in table(OUTCOMES, "kind")] == [
        (f"`{kind}`", "yes" if kind.outside else "no") for kind in ErrorKind
    ]


def test_every_exit_status_has_a_row():
    found = {part.strip() for line in table(OUTCOMES, "status") for part in line[0].split(",")}
    assert found == {str(n) for n in (OK, FAILED, INTERRUPTED, 3, 4, 5, INCONCLUSIVE)}


def test_the_table_of_percentiles_is_computed():
    for values, *shown in table(OUTCOMES, "latencies in ms"):
        numbers = [
            float(n) for n in re.findall(r"\d+", values.replace("…", "4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"))
        ]
        found = [nearest_rank(sorted(numbers), percent) for percent in (50, 95, 99)]
        assert shown == ["–" if value is None else f"{value:g}" for value in found]


def test_every_metric_operator_scope_and_verdict_is_explained():
    assert [line[0] for line in table(GATES, "metric")] == [f"`{metric}`" for metric in METRICS]
    assert [line[0].strip("`").split("=")[0] for line in table(GATES, "scope")] == list(SCOPES)
    assert [line[0] for line in table(GATES, "verdict")] == [f"`{verdict}`" for verdict in Verdict]
    assert all(f"`{operator}`" in GATES for operator in OPERATORS)


def gates_of(page: str) -> list[str]:
    quoted = re.findall(r"`([^`\n]+ (?:>=|<=|==|<|>) [^`\n]+)`", page)
    listed = re.findall(r"^  - (\S.* (?:>=|<=|==|<|>) \S+)$", page, re.MULTILINE)
    return [text for text in quoted + listed if not text.startswith(("METRIC", "evals/"))]


@pytest.mark.parametrize("text", gates_of(GATES))
def test_every_gate_of_the_page_can_be_read(text):
    assert parse_gate(text).metric in METRICS


def test_the_page_has_gates_to_read():
    assert len(gates_of(GATES)) >= 10


@pytest.mark.parametrize("line", table(GATES, "metric"), ids=lambda line: line[0])
def test_the_units_of_every_metric_can_be_written_as_shown(line):
    metric = line[0].strip("`").replace("<criterion>", "tone")
    bounds = re.findall(r"`([^`]+)`", line[2]) or ["2s"]
    for bound in bounds:
        assert parse_gate(f"{metric} <= {bound}").text.endswith(bound)


def test_every_key_of_the_json_report_is_explained():
    schema = json.loads(files("pytest_evals.report").joinpath("report.schema.json").read_text("utf-8"))
    keys: set[str] = set()

    def gather(part: object) -> None:
        if isinstance(part, dict):
            keys.update(part.get("properties", ()))
            for value in part.values():
                gather(value)
        elif isinstance(part, list):
            for value in part:
                gather(value)

    gather(schema)
    assert len(keys) > 80
    prose = re.sub(r"^```.*?^```", "", REPORTS, flags=re.MULTILINE | re.DOTALL)
    code = set(re.findall(r"`([^`]+)`", prose))
    assert keys - code == set()


def test_the_schema_is_published_with_the_documentation():
    assert "report.schema.json <../pytest_evals/report/report.schema.json>" in REPORTS


def test_every_format_is_explained():
    rows = {line[0].strip("`"): re.findall(r"`(\.[^`]+)`", line[1]) for line in table(REPORTS, "format")}
    assert rows == {name: list(made.suffixes) for name, made in formats().items()}


def example():
    """The session that docs/reports.md shows."""
    path = "evals/support.eval.yaml"
    good = {"criteria": {"contains": 1.0, "similarity": 0.9}, "score": 0.95}
    rows = [row("passed", f"case-{n}", "support", latencies_ms=(90.0 + n,), **good) for n in range(180)]
    low = "score 0.30 < 0.70; contains 0: "
    late = "timeout: no answer within 30 s (2 attempts)"
    missed = {"criteria": {"contains": 0.0, "similarity": 0.6}, "latencies_ms": (240.0,), "score": 0.3, "gated": True}
    rows += [
        row(
            "failed",
            "refund-window",
            "support",
            headline=f"{low}'30 days' is missing",
            **missed,
        ),
        row(
            "failed",
            "opening-hours",
            "support",
            headline=f"{low}'Sunday' is missing",
            **missed,
        ),
        row("errored", "slow", "support", error_kind=ErrorKind.TIMEOUT, headline=late),
        row("skipped", "later", "support"),
    ]
    gates = [parse_gate(text, suite="support") for text in ("pass_rate >= 95%", "latency.p95 <= 200ms", "errors <= 1%")]
    return session(
        rows,
        suites=[SuiteCount("support", path, 200, 184)],
        verdicts=decide(gates, rows),
        exit_status=1,
        duration_s=31.4,
    )


def test_the_section_of_the_page_is_what_is_printed():
    said = "\n".join(plain_text(line) for line in section(example(), width=80, reports=["json report: evals.json"]))
    shown = re.search(r"^```text\n(.*?)^```", REPORTS, re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert shown[1].strip() == said.strip()
