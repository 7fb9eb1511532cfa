"""The JSON report: everything about a session, for programs. Described by ``report.schema.json``.

Version history of ``format``: 1, the first.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from math import isfinite
from pathlib import Path
from typing import Any

from ..atif.calls import calls_by_tool
from ..model.gate import GateVerdict
from ..model.rating import grade_of
from ..model.result import CaseResult, Trial
from ..model.run import SessionResult
from ..model.summary import CriterionSummary, Spread, Summary, Total, Transcripts, TrialSummary
from ..model.wire import plain
from ..stats.intervals import Interval, wilson
from .comparison_json import comparison_plain
from .files import whole_file
from .headline import headline
from .ordered import in_file_order
from .registry import Format

FORMAT_VERSION = 1


def write_json(path: Path, session: SessionResult, results: Iterable[CaseResult]) -> None:
    """Write the report: UTF-8, one case a line, in the order of the files, whatever order the results come in.

    Results are written as they come, one at a time, so that memory does not grow with their texts. Of several results
    of one case the last counts. Raises ``OSError``.
    """
    with whole_file(path) as file:
        head = encode({"format": FORMAT_VERSION, **session_plain(session)}, indent=2)
        file.write(head.removesuffix(b"\n}") + b',\n  "cases": [')
        between = b"\n    "
        for case in encoded_cases(session, results):
            file.write(between + case)
            between = b",\n    "
        file.write(b"\n  ]\n}\n")


FORMAT = Format("json", (".json",), write_json)


def encoded_cases(session: SessionResult, results: Iterable[CaseResult]) -> Iterator[bytes]:
    """Each case in a line of JSON, in the order of the files."""
    return in_file_order(session, ((result.key, encode(case_plain(result))) for result in results))


def session_plain(session: SessionResult) -> dict[str, Any]:
    """All but the cases. Values of applications are as they are: ``encode`` takes care of them."""
    return {
        "session_id": session.session_id,
        "started_at": session.started_at,
        "finished_at": session.finished_at,
        "duration_s": session.duration_s,
        "exit_status": session.exit_status,
        "stopped": session.stopped,
        "params": session.params,
        "suites": [{f.name: getattr(suite, f.name) for f in fields(suite)} for suite in session.suites],
        "summary": summary_plain(session.summary)
        | {
            "by_suite": _groups(session.summary.by_suite),
            "by_category": _groups(session.summary.by_category),
            "by_tag": _groups(session.summary.by_tag),
            "by_variant": [
                {"suite": suite, "name": name, **summary_plain(part)}
                for (suite, name), part in session.summary.by_variant.items()
            ],
        },
        "selection": session.selection,
        "pairs": [{f.name: getattr(pair, f.name) for f in fields(pair)} for pair in session.pairs],
        "gates": [gate_plain(verdict) for verdict in session.verdicts],
        "comparison": None if session.comparison is None else comparison_plain(session.comparison),
        "no_baseline": session.no_baseline,
        "earlier": None if session.earlier is None else plain(session.earlier),
        "flaky": [{"suite": row.suite, "id": row.case_id, "variant": row.variant} for row in session.rows if row.flaky],
        "not_run": list(session.not_run),
        "budget": [
            {f.name: getattr(limit, f.name) for f in fields(limit)} | {"reached": limit.reached}
            for limit in session.budget
        ],
    }


def _groups(groups: Mapping[str, Summary]) -> list[dict[str, Any]]:
    return [{"name": name, **summary_plain(part)} for name, part in groups.items()]


def summary_plain(summary: Summary) -> dict[str, Any]:
    """A summary, without its groups, as plain JSON values."""
    counts = summary.counts
    figures = summary.latency
    return {
        "cases": counts.cases,
        "counts": {f.name: getattr(counts, f.name) for f in fields(counts)} | {"missed": summary.missed},
        "pass_rate": summary.pass_rate,
        "pass_rate_answered": summary.pass_rate_answered,
        "pass_rate_interval": _interval(wilson(counts.passed, counts.rated)),
        "score": _spread(summary.score, summary.unscored),
        "criteria": [_criterion_summary(name, part) for name, part in summary.criteria.items()],
        "latency_ms": {
            "n": figures.n,
            "mean": figures.mean,
            "p50": figures.p50,
            "p95": figures.p95,
            "p99": figures.p99,
            "max": figures.maximum,
        },
        "input_tokens": _tokens(summary.input_tokens),
        "output_tokens": _tokens(summary.output_tokens),
        "cost_usd": _total(summary.cost_usd),
        "unpriced": list(summary.unpriced),
        "judge": {
            "calls": summary.judge_calls,
            "tokens": _tokens(summary.judge_tokens),
            "cost_usd": _total(summary.judge_cost_usd),
        }
        if summary.judge_calls
        else None,
        "cached": summary.cached,
        "trials": None if summary.trials is None else _trials(summary.trials),
        "errors": {kind.value: number for kind, number in summary.error_kinds.items()},
    }


def _trials(trials: TrialSummary) -> dict[str, Any]:
    numbers = {name: getattr(trials, name) for name in ("cases", "planned", "ran", "saved", "errored")}
    return {
        **numbers,
        "flaky": trials.flaky,
        "maybe_flaky": trials.maybe_flaky,
        "of_k": [
            {
                "k": at.k,
                "cases": at.cases,
                "pass_at_k": {"low": at.any_low, "high": at.any_high},
                "pass_hat_k": {"low": at.all_low, "high": at.all_high},
            }
            for at in trials.pass_at
        ],
    }


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _spread(spread: Spread, unscored: int) -> dict[str, Any]:
    return {
        "n": spread.n,
        "mean": spread.mean,
        "sd": spread.sd,
        "min": spread.minimum,
        "max": spread.maximum,
        "not_scored": unscored,
    }


def _criterion_summary(name: str, part: CriterionSummary) -> dict[str, Any]:
    verdicts = {"judged": part.judged, "passed": part.passed, "pass_rate": part.pass_rate}
    words = None if part.transcripts is None else _word_errors(part.transcripts)
    ratings = [{"name": by, "words": dict(given), "grade": grade_of(given)} for by, given in part.ratings.items()]
    spread = _spread(part.score, part.unscored)
    return {"name": name, **spread, **verdicts, "word_errors": words, "ratings": ratings}


def _word_errors(part: Transcripts) -> dict[str, Any]:
    counts = {f.name: getattr(part.errors, f.name) for f in fields(part.errors)}
    return {"corpus_rate": part.errors.rate, "mean_rate": part.rates.mean, "cases": part.rates.n, **counts}


def _total(total: Total) -> dict[str, Any]:
    return {"total": total.value, "known": total.known, "unknown": total.unknown}


def _tokens(total: Total) -> dict[str, Any]:
    return _total(total) | {"total": None if total.value is None else round(total.value)}


def gate_plain(verdict: GateVerdict) -> dict[str, Any]:
    """A decided gate as plain JSON values."""
    gate = verdict.gate
    return {
        "gate": gate.text,
        "suite": gate.suite,
        "place": str(gate.place) if gate.place else None,
        "metric": gate.metric,
        "change": gate.change or None,
        "lower": gate.lower,
        "criterion": gate.criterion,
        "scope": [{"key": key, "value": value} for key, value in gate.scope],
        "operator": gate.op,
        "bound": gate.bound,
        "unit": gate.unit,
        "verdict": verdict.verdict.value,
        "observed": verdict.observed,
        "margin": verdict.margin,
        "cases": verdict.cases,
        "left_out": verdict.left_out,
        "reason": verdict.reason,
    }


def case_plain(result: CaseResult) -> dict[str, Any]:
    """A case with its trials. Values of applications are as they are: ``encode`` takes care of them."""
    known = _fields(result)
    trials = [_trial(trial) for trial in result.trials]
    shown = next((n for n, trial in enumerate(result.trials) if trial is result.shown), None)
    said = {"output": None, "criteria": []} if shown is None else trials[shown]
    counts = result.trial_counts
    return {
        "suite": known.pop("suite"),
        "id": known.pop("case_id"),
        **known,
        "headline": headline(result),
        "output": said["output"],
        "criteria": said["criteria"],
        "latency_ms": finite(result.latency_ms),
        "cost_usd": finite(result.cost_usd),
        "flaky": counts is not None and counts.flaky,
        "shown_trial": None if shown is None else shown + 1,
        "trials": trials,
    }


def _trial(trial: Trial) -> dict[str, Any]:
    packed = _fields(trial)
    packed["criteria"] = [_fields(criterion) for criterion in trial.criteria]
    packed["attempts"] = [_fields(attempt) for attempt in trial.attempts]
    packed["tool_calls"] = [_fields(call) for call in trial.tool_calls]
    packed["trajectories"] = [_fields(reference) for reference in trial.trajectories]
    packed["tools"] = calls_by_tool(trial)
    return packed


_INSIDE = frozenset({"trials", "criteria", "attempts", "tool_calls", "trajectories"})
_VALUES = frozenset({"error", "usage"})
_FREE = frozenset({"input", "context", "expected_output", "output", "args"})
"""May be any value, which ``plain`` takes care of."""


def _fields(value: Any) -> dict[str, Any]:
    """The fields of a value; lists of parts are left to the caller."""
    packed: dict[str, Any] = {}
    for f in fields(value):
        item = getattr(value, f.name)
        if f.name in _INSIDE:
            continue
        if f.name in _VALUES and item is not None:
            item = _fields(item)
        elif f.name not in _FREE:
            item = finite(item)
        packed[f.name] = item
    return packed


def finite(value: Any) -> Any:
    """The value, but a NaN or infinity (a cost or latency that an application made up) is unknown."""
    return None if isinstance(value, float) and not isfinite(value) else value


def encode(value: Mapping[str, Any], indent: int | None = None) -> bytes:
    r"""UTF-8 JSON that every parser reads: no NaN, and lone surrogates as the text ``\ud800``."""
    text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=indent)
    return text.encode("utf-8", _SURROGATES)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    # the backslash itself is escaped: many parsers refuse a surrogate that has no partner even as an escape
    lone = error.object[error.start : error.end]
    return "".join(f"\\\\u{ord(character):04x}" for character in lone), error.end


_SURROGATES = "pytest-evals-surrogates"
codecs.register_error(_SURROGATES, _escaped)
