"""CSV reports: a row for each case, or for each suite and variant. RFC 4180, UTF-8, safe in spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..model.csvguard import guard
from ..model.result import CaseResult, CriterionResult
from ..model.run import SessionResult
from ..model.text import text_of
from .explain import why
from .files import whole_file
from .headline import headline
from .json import finite
from .ordered import in_file_order
from .registry import Format
from .repeats import joined_criteria
from .rows import row_of

# what would end a file for its reader, or act on the terminal it is shown in
_HARMFUL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

Value = str | float | bool | None


def write_csv(path: Path, session: SessionResult, results: Iterable[CaseResult]) -> None:
    """Write a row for each case, in the order of the files, those that never ran at the end. Raises ``OSError``."""
    names = [*session.summary.criteria]
    with whole_file(path) as file:
        heads = [*_CASE, *(f"{what} {name}" for name in names for what in ("score", "passed", "reason"))]
        file.write(csv_row(heads))
        for row in in_file_order(session, ((result.key, csv_row(_case(result, names))) for result in results)):
            file.write(row)
        for node_id in session.not_run:
            missing = {"id": node_id.partition("::")[2], "outcome": "never ran", "node_id": node_id}
            file.write(csv_row([*(missing.get(name) for name in _CASE), *([None] * 3 * len(names))]))


FORMAT = Format("csv", (".csv",), write_csv)

_CASE = (
    "suite",
    "id",
    "variant",
    "name",
    "category",
    "tags",
    "outcome",
    "score",
    "threshold",
    "headline",
    "input",
    "context",
    "expected_output",
    "output",
    "latency_ms",
    "cost_usd",
    "input_tokens",
    "output_tokens",
    "trials_passed",
    "trials_asked",
    "flaky",
    "error_kind",
    "target",
    "experiment",
    "source",
    "node_id",
)


def _case(result: CaseResult, names: Sequence[str]) -> list[Value]:
    row = row_of(result)
    counts = row.trials
    made: dict[str, Value] = {
        "suite": result.suite,
        "id": result.case_id,
        "variant": result.variant,
        "name": result.name,
        "category": result.category,
        "tags": ", ".join(result.tags),
        "outcome": result.outcome.value,
        "score": row.score,
        "threshold": None if isinstance(result.threshold, str) else result.threshold,
        "headline": headline(result),
        "input": text_of(result.input),
        "context": text_of(result.context),
        "expected_output": text_of(result.expected_output),
        "output": text_of(result.output),
        "latency_ms": finite(result.latency_ms),
        "cost_usd": row.cost_usd,
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "trials_passed": counts.passed if counts is not None else None,
        "trials_asked": counts.ran if counts is not None else len(result.trials),
        "flaky": row.flaky,
        "error_kind": row.error_kind.value if row.error_kind is not None else None,
        "target": result.target,
        "experiment": result.experiment,
        "source": result.source,
        "node_id": result.node_id,
    }
    asked = {c.name: c for c in (result.criteria if counts is None else joined_criteria(result))}
    return [*(made[name] for name in _CASE), *(value for name in names for value in _criterion(asked.get(name)))]


def _criterion(criterion: CriterionResult | None) -> tuple[Value, Value, Value]:
    if criterion is None:
        return None, None, None
    return finite(criterion.score), criterion.passed, why(criterion)


def csv_row(values: Iterable[Value]) -> bytes:
    """A line of the file. Numbers as JSON writes them, nothing for what is not known."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_cell(value) for value in values])
    return line.getvalue().encode("utf-8")


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return guard(_HARMFUL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), value))


def flat(values: Mapping[str, Any], *names: str) -> list[Value]:
    """Values at paths with dots in nested mappings: ``latency_ms.p95``."""
    found: list[Value] = []
    for name in names:
        value: Any = values
        for part in name.split("."):
            value = None if value is None else value[part]
        found.append(value)
    return found
