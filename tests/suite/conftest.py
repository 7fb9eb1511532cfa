"""Suites written as text, and what the reader makes of them."""

from __future__ import annotations

import re
import textwrap
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.model.case import Case, Suite
from pytest_evals.model.criterion import Option, ScorerSpec
from pytest_evals.suite import read_suite


def compiles(options: Mapping[str, Any]) -> list[str]:
    try:
        with warnings.catch_warnings(action="ignore"):  # of what may mean something else one day
            re.compile(options["pattern"])
    except re.error as error:
        return [f"the pattern is no regular expression: {error}"]
    return []


EXPECTED = ("expected_output", "reference_outputs")

# Scorers of every make, so that these tests hold whatever the built-in ones become.
SPECS = {
    spec.name: spec
    for spec in (
        ScorerSpec(
            "exact_match",
            "equal",
            graded=False,
            options=(Option("expected", "text", ""), Option("case_sensitive", "boolean", "")),
            main="expected",
            needs=EXPECTED,
        ),
        ScorerSpec(
            "contains",
            "has it",
            graded=False,
            options=(Option("expected", "text", ""), Option("case_sensitive", "boolean", "")),
            main="expected",
            needs=EXPECTED,
            refuses_empty=True,
        ),
        ScorerSpec(
            "contains_any",
            "has one",
            graded=False,
            options=(Option("expected", "texts", ""),),
            main="expected",
            needs=EXPECTED,
            refuses_empty=True,
        ),
        ScorerSpec(
            "regex",
            "matches",
            graded=False,
            options=(
                Option("pattern", "text", ""),
                Option("mode", "choice", "", choices=("search", "fullmatch")),
                Option("time_limit", "number", "", minimum=0.001, maximum=60),
            ),
            main="pattern",
            requires=("pattern",),
            refuses_empty=True,
            check=compiles,
        ),
        ScorerSpec(
            "length",
            "long enough",
            graded=False,
            options=(Option("min", "integer", "", minimum=0), Option("max", "integer", "", minimum=0)),
            check=lambda options: [] if options else ["give min, max or both"],
        ),
        ScorerSpec("levenshtein", "near", graded=True, needs=("expected_output",)),
        ScorerSpec(
            "json_schema",
            "fits",
            graded=False,
            options=(Option("schema", "json", ""), Option("required", "json", "")),
            main="required",
        ),
        ScorerSpec("tool_calls", "called", graded=True, needs=("expected_tool_calls",)),
    )
}


PAGE = (Path(__file__).parents[2] / "docs" / "suite-file.md").read_text("utf-8")
MESSAGES = re.findall(r"^\| `(.+?)` \| .+ \|$", PAGE.partition("## Messages")[2], re.MULTILINE)
_PATTERNS = [re.compile(".*".join(re.escape(part) for part in row.split("…"))) for row in MESSAGES]


def explained(error: SuiteError) -> list[str]:
    """The problems of an error, each of which the documentation must list with its cure."""
    for problem in error.problems:
        by_scorer = problem.message.partition(": ")[0] in (*SPECS, "llm_judge", "better_than")
        listed = by_scorer or any(pattern.fullmatch(problem.message) for pattern in _PATTERNS)
        assert listed, f"not in docs/suite-file.md: {problem.message}"
    return [str(problem) for problem in error.problems]


class Reader:
    """Reads suites given as text; ``path`` is the file that is written and read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, text: str | bytes, name: str = "a.eval.yaml", **options: Any) -> Suite:
        path = self.folder / name
        data = text if isinstance(text, bytes) else textwrap.dedent(text).encode("utf-8", "surrogatepass")
        path.write_bytes(data)
        return read_suite(path, **{"specs": SPECS, "shown": name, **options})

    def case(self, keys: str, **options: Any) -> Case:
        """One case from its keys, a line each; input and a criterion are there unless given."""
        keys = textwrap.dedent(keys).strip("\n")
        if not re.search(r"^input:", keys, re.MULTILINE):
            keys += "\ninput: a question"
        if not re.search(r"^criteria:", keys, re.MULTILINE):
            keys += "\ncriteria: [own]"
        return self("target: echo\ncases:\n-\n" + textwrap.indent(keys, "  ") + "\n", **options).cases[0]

    def wrong(self, text: str | bytes, name: str = "a.eval.yaml", **options: Any) -> list[str]:
        """The problems as ``line:column: message``; empty when the suite is right."""
        try:
            self(text, name, **options)
        except SuiteError as error:
            found = error
        else:
            return []
        assert found.problems == tuple(sorted(set(found.problems)))
        lines = explained(found)
        assert lines == str(found).split("\n"), "a problem is one line"
        assert all(line.startswith(f"{name}:") for line in lines)
        return [line.removeprefix(f"{name}:") for line in lines]

    def wrong_case(self, keys: str, **options: Any) -> list[str]:
        """The problems of a case that ``case`` would read; its keys start at line 4."""
        try:
            self.case(keys, **options)
        except SuiteError as error:
            return [line.removeprefix("a.eval.yaml:") for line in explained(error)]
        return []


@pytest.fixture
def read(tmp_path):
    return Reader(tmp_path)


def only(problems: list[str]) -> str:
    """The one problem that there should be."""
    assert len(problems) == 1, problems
    return problems[0]
