"""Baseline files: what a run came to, small enough for a code review, kept beside the code.

Only ``pytest-evals bless`` writes one. The same results always make the same file: suites and cases are sorted, a line
for each case, scores rounded, no times, no answers.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..model.comparison import Key, Side
from ..model.outcome import Outcome
from ..model.result import CaseRow

FORMAT = "pytest-evals baseline 1"
DIGITS = 3
"""Of scores."""
HASH_DIGITS = 12
"""Of definition hashes."""


def baseline_text(rows: Iterable[CaseRow], definitions: Mapping[Key, str]) -> str:
    """The file's content. Skipped cases are left out: nothing is known of them."""
    suites: dict[str, dict[str, dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: row.key):
        if row.outcome is Outcome.SKIPPED:
            continue
        facts: dict[str, Any] = {"outcome": row.outcome.value}
        if row.xfail:
            facts["xfail"] = True
        if row.score is not None:
            facts["score"] = round(row.score, DIGITS)
        if definition := definitions.get(row.key):
            facts["definition"] = definition[:HASH_DIGITS]
        if row.variant:
            facts["variant"] = row.variant
        suites.setdefault(row.suite, {})[row.case_id + _bracket(row.variant)] = facts
    lines = ["{", f'  "format": {json.dumps(FORMAT)},', '  "suites": {']
    for number, (suite, cases) in enumerate(suites.items()):
        body = ",\n".join(f"      {json.dumps(name)}: {json.dumps(facts)}" for name, facts in cases.items())
        comma = "," if number < len(suites) - 1 else ""
        lines.append(f"    {json.dumps(suite)}: {{\n{body}\n    }}{comma}")
    return "\n".join([*lines, "  }", "}", ""])


def _bracket(variant: str) -> str:
    return f"[{variant}]" if variant else ""


def write_baseline(path: Path, rows: Iterable[CaseRow], definitions: Mapping[Key, str]) -> bool:
    """Write the file whole or not at all; whether it changed. Raises ``UsageError`` when it cannot be written."""
    text = baseline_text(rows, definitions)
    try:
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    return True


def read_baseline(path: Path, shown: str) -> Side:
    """The run a file stands for. Raises ``UsageError`` when it is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"there is no baseline file {shown}; `pytest-evals bless -o {shown}` writes one") from None
    except OSError as error:
        raise UsageError(f"{shown}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{shown}: no baseline file: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("suites"), dict):
        raise UsageError(f"{shown}: no baseline file; `pytest-evals bless` writes them ({FORMAT})")
    rows, definitions = [], {}
    for suite, cases in data["suites"].items():
        for name, facts in cases.items() if isinstance(cases, dict) else ():
            row = _row(suite, name, facts, shown)
            rows.append(row)
            if isinstance(facts.get("definition"), str):
                definitions[row.key] = facts["definition"]
    return Side(shown, rows, definitions, scopes_known=False, rounded=0.5 * 10**-DIGITS)


def _row(suite: str, name: str, facts: Any, shown: str) -> CaseRow:
    try:
        score, variant = facts.get("score"), facts.get("variant", "")
        return CaseRow(
            suite,
            name.removesuffix(_bracket(variant)),
            Outcome(facts["outcome"]),
            variant=variant,
            xfail=facts.get("xfail") is True,
            score=None if score is None else float(score),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        raise UsageError(
            f"{shown}: case {name!r} of suite {suite!r} has no known outcome; bless the run again"
        ) from None
