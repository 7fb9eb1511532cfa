"""What pytest's own JUnit file says of a case, as properties of its test."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..model.result import CaseResult
from .rows import row_of
from .text import escape


def junit_properties(result: CaseResult) -> list[tuple[str, str]]:
    """``outcome``, ``score``, ``latency_ms``, ``cost_usd`` and ``criterion.NAME``, as the JSON report has them.

    What is not known is left out. Names and values are fit for XML.
    """
    return [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in _known(result)]


def _known(result: CaseResult) -> Iterator[tuple[str, str | float]]:
    row = row_of(result)
    yield "outcome", row.outcome.value
    latency = result.latency_ms
    figures = {"score": row.score, "latency_ms": latency if row.latencies_ms else None, "cost_usd": row.cost_usd}
    for name, value in figures.items():
        if value is not None:
            yield name, value
    for criterion in row.criteria:
        if criterion.score is not None:
            yield f"criterion.{escape(criterion.name)}", criterion.score
