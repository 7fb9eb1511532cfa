"""A case in the report: an entry of the table, and the details that are shown when it is opened."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...model.comparison import CaseChange, Change, Comparison, Key
from ...model.outcome import Outcome
from ...model.result import CaseError, CaseResult, CaseRow, CriterionResult, Trial
from ...model.wire import plain
from ..brief import MOST, case_text, rerun
from ..cases import shown_as
from ..comparison import FLAGS
from ..comparison import outcome as outcome_words
from ..explain import sign, standing, weighted, why
from ..format import count, duration, score, usd
from ..headline import cause, headline
from ..json import finite
from ..repeats import of_trial, trials_said
from ..rows import row_of
from ..text import escape, indented, readable
from .trajectories import trajectory_tables

EXCERPT = 140
"""Characters of an answer that the comparison of variants shows."""

_REASON = 2000
"""Characters of a scorer's reason that are kept."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of a case since the baseline."""

    case: CaseChange
    answer: str | None
    """What it answered before, where that is known."""


def changes_of(comparison: Comparison | None) -> dict[Key, Changed]:
    """By the key of the case."""
    if comparison is None:
        return {}
    before = {key: answers[0] for key, answers in comparison.answers.items()}
    return {case.key: Changed(case, before.get(case.key)) for case in comparison.cases}


def entry(result: CaseResult, changed: Changed | None, at: tuple[int, int]) -> dict[str, Any]:
    """What the table shows, sorts and filters by. Keys without a value are left out."""
    row = row_of(result)
    answer = indented(result.output)
    made = {
        "suite": result.suite,
        "id": result.case_id,
        "name": "" if result.name == result.case_id else result.name,
        "variant": result.variant,
        "variant_id": result.variant_id,
        "category": result.category,
        "tags": list(result.tags),
        "outcome": outcome_word(result, row),
        "why": row.headline,
        "score": row.score,
        "score_shown": score(row.score),
        "latency": finite(result.latency_ms),
        "latency_shown": duration(finite(result.latency_ms)),
        "cost": row.cost_usd,
        "cost_shown": usd(row.cost_usd),
        "criteria": [[c.name, c.score, c.passed] for c in row.criteria],
        "flaky": row.flaky,
        "at": at,
    }
    if changed is not None:
        made["change"] = changed.case.change.value
        made["flags"] = [word for word, test in FLAGS.items() if test(changed.case)]
    if result.variant_id:
        digest = hashlib.blake2b(answer.encode("utf-8", "backslashreplace"), digest_size=6).hexdigest()
        made["answer"] = {"is": digest, "begins": escape(answer[:EXCERPT]), "cut": len(answer) > EXCERPT}
    return {key: _shown(value) for key, value in made.items() if value not in (None, "", [], False)}


def outcome_word(result: CaseResult, row: CaseRow | None = None) -> str:
    """The outcome as people are told it: a failed case may be *missed*, or *xfailed*. ``row`` is that of the result."""
    if result.xfail is not None and result.outcome in {Outcome.PASSED, Outcome.WARNED}:
        return "xpassed"
    if result.xfail is not None and result.outcome is Outcome.FAILED:
        return "xfailed"
    return shown_as(row or row_of(result)) or result.outcome.value


def detail(result: CaseResult, changed: Changed | None, most: int) -> dict[str, Any]:
    """Everything known about a case. Every number is a text, as all reports show it."""
    text = _cutter(most)
    shown = next((n for n, trial in enumerate(result.trials) if trial is result.shown), 0)
    made = {
        "source": escape(result.source),
        "node_id": escape(result.node_id),
        "target": escape(result.target),
        "experiment": escape(result.experiment),
        "skip_reason": text(result.skip_reason),
        "xfail": text(result.xfail),
        "input": text(readable(result.input)),
        "context": None if result.context is None else text(readable(result.context)),
        "expected": None if result.expected_output is None else text(_comparable(result.expected_output)),
        "references": [text(reference) for reference in result.reference_outputs],
        "metadata": text(_json(result.metadata)),
        "weighted": weighted(result),
        "trials_said": trials_said(result),
        "trials_left": max(result.planned_trials - len(result.trials), 0) if result.trials else 0,
        "error": _error(result.error, text),
        "shown": shown,
        "trials": [_trial(result, trial, text) for trial in result.trials],
        "baseline": None if changed is None else _baseline(changed, text),
        "logs": [[stream, text(printed)] for stream, printed in result.logs.items()],
        "brief": _brief(result, changed, most),
        "command": escape(rerun(result)),
    }
    return {key: value for key, value in made.items() if value not in (None, "", [])}


def _brief(result: CaseResult, changed: Changed | None, most: int) -> str:
    """What is copied of a case that did not pass; empty for the others."""
    if result.outcome not in {Outcome.FAILED, Outcome.ERRORED} or not shown_as(row_of(result)):
        return ""
    change, answer = (None, None) if changed is None else (changed.case, changed.answer)
    return case_text(result, change, answer, min(most, MOST))


_Text = str | list[Any] | None
"""A text; one that was cut comes with how many characters are left out."""
_Cutter = Callable[[str | None], _Text]


def _cutter(most: int) -> _Cutter:
    def text(whole: str | None) -> _Text:
        if whole is None or len(whole) <= most:
            return None if whole is None else escape(whole)
        return [escape(whole[:most]), count(len(whole) - most)]

    return text


def _trial(result: CaseResult, trial: Trial, text: _Cutter) -> dict[str, Any]:
    usage = trial.usage
    made = {
        "outcome": trial.outcome.value,
        "why": headline(of_trial(result, trial)),
        "score": score(trial.score),
        "output": None if trial.output is None else text(_comparable(trial.output)),
        "criteria": [_criterion(criterion, text) for criterion in trial.criteria],
        "attempts": [
            {
                "latency": duration(finite(attempt.latency_ms)),
                "queue": duration(finite(attempt.queue_ms)),
                "said": escape(cause(attempt.error)) if attempt.error else "answered",
            }
            for attempt in trial.attempts
        ],
        "error": _error(trial.error, text),
        "latency": duration(finite(trial.latency_ms)),
        "scoring": duration(finite(trial.scoring_ms)),
        "tokens_in": count(usage.input_tokens) if usage else None,
        "tokens_out": count(usage.output_tokens) if usage else None,
        "tokens_cached": count(usage.cached_tokens) if usage and usage.cached_tokens is not None else None,
        "cost": usd(finite(trial.cost_usd)),
        "tool_calls": [
            {"name": escape(call.name), "args": None if call.args is None else text(indented(call.args))}
            for call in trial.tool_calls
        ],
        "trajectories": list(trajectory_tables(trial)),
        "metadata": text(_json(trial.metadata)),
        "session_id": escape(trial.session_id),
    }
    return {key: value for key, value in made.items() if value not in (None, "", [])}


def _criterion(criterion: CriterionResult, text: _Cutter) -> dict[str, Any]:
    reason = why(criterion)
    made = {
        "name": escape(criterion.name),
        "scorer": escape(criterion.scorer) if criterion.scorer != criterion.name else "",
        "sign": sign(criterion),
        "standing": standing(criterion),
        "score": finite(criterion.score),
        "reason": escape(reason[:_REASON]) + ("…" if len(reason) > _REASON else ""),
        "detail": text(_json(criterion.detail)),
        "error": _error(criterion.error, text),
    }
    return {key: value for key, value in made.items() if value not in (None, "")}


def _error(error: CaseError | None, text: _Cutter) -> dict[str, Any] | None:
    if error is None:
        return None
    made = {"kind": error.kind.value, "message": escape(error.message[:_REASON]), "detail": text(error.detail or None)}
    return {key: value for key, value in made.items() if value is not None}


def _baseline(changed: Changed, text: _Cutter) -> dict[str, Any]:
    case = changed.case
    return {
        "change": case.change.value,
        "before": outcome_words(case.before) if case.before or case.change is not Change.NEW else "–",
        "why": escape(case.before.headline) if case.before else "",
        "answer": text(changed.answer),
        "flags": [word for word, test in FLAGS.items() if test(case)],
    }


def _comparable(value: Any) -> str:
    """As a person reads it, but with a line for each part of a JSON value, so that it can be compared."""
    shown = readable(value)
    return indented(value) if not isinstance(value, str) and shown.startswith(("{", "[")) else shown


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(plain(value), ensure_ascii=False, indent=2) if value else ""


def _shown(value: Any) -> Any:
    """Texts with control characters, bidirectional overrides and lone surrogates made visible."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list | tuple):
        return [_shown(part) for part in value]
    return value
