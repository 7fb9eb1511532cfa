"""From a result in plain form to the rows that keep it, and back. Arithmetic only; no database.

What an application, a scorer or a model put into a result cannot make the database refuse the run: a number that is
none (a negative cost, NaN as text) is unknown, and text that no database takes is written with escapes.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ..model.codec import case_result
from ..model.outcome import ErrorKind, Outcome
from ..model.result import CaseResult, CaseRow, CriterionRow
from ..model.run import RunType
from ..model.text import one_line, text_of
from ..model.trials import OUTCOMES, TrialCounts
from .journal import Entry
from .times import utc_or_none

STATUS = {"passed": "passed", "warned": "passed", "failed": "failed", "errored": "error", "scored": "judged"}
"""A case's status by its outcome; a skipped one has none."""

LONGEST_KEY = 600
"""Bytes of a suite's, case's, variant's or experiment's name."""

_HUGE = 2**1023
"""Whole numbers above it are no floats."""

CHECK = "check"
"""The scorer of checks a program made itself: their reason is the whole problem."""


def run_type(data: Mapping[str, Any]) -> RunType:
    """Which run a result belongs to: *judged* when no verdict was asked for, else *checked*."""
    return "judged" if data["outcome"] == Outcome.SCORED or data.get("threshold") == "unset" else "checked"


def clean(value: Any) -> Any:
    """Text (in lists and mappings too) as every database takes it: NUL and lone surrogates become escapes."""
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, Mapping):
        return {_clean(str(key)): clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(item) for item in value]
    return value


def _clean(text: str) -> str:
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")


def key_text(text: str) -> str:
    """A name that is part of a key, as ``clean``; one above 600 bytes is cut and ends in its hash.

    PostgreSQL refuses to index more than 2,704 bytes, and a result has three such names.
    """
    text = _clean(text)
    data = text.encode()
    if len(data) <= LONGEST_KEY:
        return text
    return f"{data[: LONGEST_KEY - 40].decode(errors='ignore')}…{hashlib.sha256(data).hexdigest()[:24]}"


def case_columns(entry: Entry, known: CaseRow, *, run_id: int, kind: RunType, seq: int) -> dict[str, Any]:
    """The row of ``case_runs``. ``known`` is what aggregates know of the result."""
    data = _sound(entry.data)
    outcome = data["outcome"]
    error = data.get("error") if outcome == Outcome.ERRORED else None
    trials: Sequence[Mapping[str, Any]] = data.get("trials", ())
    latencies = [ms for trial in trials if (ms := _amount(trial.get("latency_ms"))) is not None]
    threshold = data.get("threshold")
    input_tokens = _sum(_whole(_usage(trial).get("input_tokens")) for trial in trials)
    cached_tokens = _sum(_whole(_usage(trial).get("cached_tokens")) for trial in trials)
    if cached_tokens is not None and (input_tokens is None or cached_tokens > input_tokens):
        cached_tokens = None
    return {
        "run_id": run_id,
        "type": kind,
        "seq": seq,
        "eval": key_text(data["suite"]),
        "case_name": key_text(data["case_id"]),
        "variant": key_text(data.get("variant", "")),
        "repeat_index": entry.repeat,
        "outcome": outcome,
        "status": STATUS.get(outcome),
        "score": _unit(data.get("score")),
        "error": _clean(error["message"]) if error else None,
        "error_kind": error["kind"] if error else None,
        "error_type": _clean(error.get("type", "")) or None if error else None,
        "error_detail": _clean(error.get("detail", "")) or None if error else None,
        "headline": _clean(known.headline),
        "skip_reason": _text(data.get("skip_reason")) if outcome == Outcome.SKIPPED else None,
        "xfail": _text(data.get("xfail")),
        "gated": int(data.get("gated", False)),
        "category": _text(data.get("category")),
        "tags": clean(data.get("tags", [])),
        "cost_usd": _sum(_amount(trial.get("cost_usd")) for trial in trials),
        "judge_cost_usd": _amount(entry.extra.get("judge_cost_usd", known.judge_cost_usd)),
        "input_tokens": input_tokens,
        "output_tokens": _sum(_whole(_usage(trial).get("output_tokens")) for trial in trials),
        "cached_tokens": cached_tokens,
        "latency_ms": sum(latencies) / len(latencies) if latencies else None,
        "latencies_ms": latencies,
        "attempts": sum(len(trial.get("attempts", ())) for trial in trials),
        "definition_sha256": sha if len(sha := data.get("definition_sha256", "")) == 64 else None,
        "threshold": _unit(threshold),
        "no_verdict": int(threshold == "unset"),
        "warn": _unit(data.get("warn")),
        "title": _clean(data.get("name", "")),
        "node_id": _clean(data.get("node_id", "")),
        "source": _clean(data.get("source", "")),
        "target": _clean(data.get("target", "")),
        "started_at": utc_or_none(data.get("started_at")),
        "finished_at": utc_or_none(data.get("finished_at")),
        "metadata": data.get("metadata", {}),
        "input": data.get("input"),
        "context": data.get("context"),
        "expected_output": data.get("expected_output"),
        "reference_outputs": data.get("reference_outputs", []),
        "trials": _single(trials[0]) if len(trials) == 1 and known.trials is None else list(trials),
        "planned_trials": max(1, data.get("planned_trials", 1)),
        "pass_if": _clean(data.get("pass_if", "")),
        "trial_outcomes": _outcomes(known.trials),
        "flaky": None if known.trials is None else int(known.trials.flaky),
        "variant_id": _clean(data.get("variant_id", "")),
    }


def score_columns(entry: Entry, case_run_id: int, joined: Sequence[CriterionRow] = ()) -> list[dict[str, Any]]:
    """The rows of ``case_scores``: the criteria of a single trial, or what several say together."""
    rows = []
    criteria = _criteria(entry.data)
    for seq, criterion in enumerate(_together(entry.data, joined) if joined else criteria):
        error, score = criterion.get("error"), _unit(criterion.get("score"))
        passed = criterion.get("passed")
        rows.append(
            {
                "case_run_id": case_run_id,
                "seq": seq,
                "name": _clean(criterion["name"]),
                "scorer": _clean(criterion["scorer"]),
                "state": "error" if error else "skipped" if score is None else "scored",
                "score": None if error else score,
                "passed": None if passed is None else int(passed),
                "weight": weight if (weight := _amount(criterion.get("weight", 1.0))) is not None else 1.0,
                "mark": _unit(criterion.get("mark")),
                "threshold": _unit(criterion.get("threshold")),
                "reason": _clean(criterion.get("reason", "")),
                "error": error,
                "detail": criterion.get("detail", {}),
            }
        )
    return rows


def checked_columns(entry: Entry, case_run_id: int) -> dict[str, Any]:
    """The row of ``checked_case_meta``."""
    criteria = _criteria(entry.data)
    return {
        "case_run_id": case_run_id,
        "type": "checked",
        "answer": _answer(entry.data),
        "problems": [_clean(_problem(c)) for c in criteria if c.get("passed") is False or c.get("error")],
        "passed_checks": [_clean(c["name"]) for c in criteria if c.get("passed") is True],
        "dataset_id": _text(entry.extra.get("dataset_id") or _dataset(entry)),
        "steps": _steps(entry),
    }


def _dataset(entry: Entry) -> Any:
    """The data set that the last answer says it came from."""
    trials: list[dict[str, Any]] = entry.data.get("trials") or [{}]
    return (trials[-1].get("metadata") or {}).get("dataset_id")


def judged_columns(entry: Entry, case_run_id: int) -> dict[str, Any]:
    """The row of ``judged_case_meta``."""
    data = entry.data
    reasons = [f"{c['name']}: {c['reason']}" for c in _criteria(data) if c.get("reason")]
    expected = data.get("expected_output")
    raw = entry.extra.get("judge_score")
    return {
        "case_run_id": case_run_id,
        "type": "judged",
        "question": _clean(text_of(data.get("input"))),
        "expected": None if expected is None else _clean(text_of(expected)),
        "answer": _answer(data),
        "judge_score": raw if _finite(raw) else _unit(data.get("score")),
        "judge_reasoning": _clean("\n".join(reasons)) or None,
    }


def trajectory_columns(entry: Entry, case_run_id: int) -> list[dict[str, Any]]:
    """The rows of ``case_run_trajectories``."""
    return [
        {
            "case_run_id": case_run_id,
            "seq": seq,
            "kind": _clean(reference.get("kind", "run")),
            "trajectory_id": reference["trajectory_id"],
            "agent_name": _clean(reference.get("agent_name", "")),
            "steps": _whole(reference.get("steps")) or 0,
            "cost_usd": _amount(reference.get("cost_usd")),
            "path": _clean(reference["path"]),
            "sha256": reference.get("sha256"),
            "artifact_ids": clean(reference.get("artifact_ids", [])),
        }
        for seq, reference in enumerate(_references(entry))
    ]


def _references(entry: Entry) -> list[Mapping[str, Any]]:
    """The trajectories whose files were kept: those a program gave, then those of the trials that were asked now."""
    own = [
        reference
        for trial in entry.data.get("trials", ())
        if not trial.get("answered_in")  # the run that asked it has them
        for reference in trial.get("trajectories", ())
        if reference.get("path")
    ]
    return [*entry.extra.get("trajectories", ()), *own]


_SAME = (
    *("outcome", "variant", "variant_id", "node_id", "source", "target", "category", "tags", "metadata", "input"),
    *("context", "expected_output", "reference_outputs", "score", "warn", "skip_reason", "xfail"),
)


def result_of(row: Mapping[str, Any], scores: Iterable[Mapping[str, Any]], experiment: str) -> CaseResult:
    """The result that was stored: ``row`` has the columns of ``case_runs`` and the ``answer``."""
    trials = row["trials"]
    if len(trials) == 1 and row["trial_outcomes"] is None:
        trials[-1]["criteria"] = [_criterion(score) for score in scores]
        if row["answer"] is not None:
            trials[-1].setdefault("output", row["answer"])
    data: dict[str, Any] = {
        "suite": row["eval"],
        "case_id": row["case_name"],
        "name": row["title"],
        "experiment": experiment,
        "threshold": "unset" if row["no_verdict"] else row["threshold"],
        "definition_sha256": row["definition_sha256"] or "",
        "gated": bool(row["gated"]),
        "started_at": row["started_at"] or "",
        "finished_at": row["finished_at"] or "",
        "trials": trials,
    }
    data |= {name: row[name] for name in _SAME}
    data |= {"planned_trials": row["planned_trials"], "pass_if": row["pass_if"]}
    if row["error"] is not None:
        data["error"] = {
            "kind": row["error_kind"],
            "message": row["error"],
            "type": row["error_type"] or "",
            "detail": row["error_detail"] or "",
        }
    return case_result(data)


def _criterion(score: Mapping[str, Any]) -> dict[str, Any]:
    same = ("name", "scorer", "mark", "score", "weight", "threshold", "reason", "detail")
    data = {name: score[name] for name in same}
    data["passed"] = None if score["passed"] is None else bool(score["passed"])
    if score["error"] is not None:
        data["error"] = dict(score["error"])
    return data


def _sound(data: dict[str, Any]) -> dict[str, Any]:
    """The result with what its outcome promises: an errored one says why, a scored one has a score."""
    if data["outcome"] == Outcome.SCORED and _unit(data.get("score")) is None:
        error = {"kind": ErrorKind.SCORER.value, "message": "it has neither a verdict nor a score"}
        return {**data, "outcome": Outcome.ERRORED.value, "error": error}
    if data["outcome"] == Outcome.ERRORED:
        error = {"kind": ErrorKind.TARGET.value, **(data.get("error") or {})}
        return {**data, "error": {**error, "message": error.get("message") or "no reason was given"}}
    return data


def _single(trial: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A single trial without what other columns hold: its criteria, and its output when that is plain text."""
    only = {name: value for name, value in trial.items() if name != "criteria"}
    output = only.get("output")
    if isinstance(output, str) and output == _clean(output):
        del only["output"]
    return [only]


def _together(data: Mapping[str, Any], joined: Sequence[CriterionRow]) -> Iterator[Mapping[str, Any]]:
    """What the trials say of each criterion, with the words of the one that is shown."""
    said: dict[str, Mapping[str, Any]] = {}
    for trial in (*data["trials"], _shown(data)):
        said |= {criterion["name"]: criterion for criterion in trial.get("criteria", ())}
    for row in joined:
        criterion = {**said[row.name], "score": row.score, "passed": row.passed}
        if row.score is not None:
            criterion["error"] = None
        if row.words is not None:
            criterion["detail"] = {**criterion.get("detail", {}), **asdict(row.words)}
        yield criterion


def _outcomes(trials: TrialCounts | None) -> dict[str, int] | None:
    """``{"passed": 3, "failed": 2}``."""
    if trials is None:
        return None
    numbers = {name: getattr(trials, name) for name in OUTCOMES}
    return {name: number for name, number in numbers.items() if number}


def _shown(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The trial that stands for the case, as ``CaseResult.shown`` chooses it; empty if there is none."""
    trials: Sequence[Mapping[str, Any]] = data.get("trials", ())
    alike = (trial for trial in reversed(trials) if trial["outcome"] == data["outcome"])
    return next(alike, trials[-1] if trials else {})


def _criteria(data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    criteria: Sequence[Mapping[str, Any]] = _shown(data).get("criteria", ())
    return criteria


def _answer(data: Mapping[str, Any]) -> str | None:
    output = _shown(data).get("output")
    return None if output is None else _clean(text_of(output))


def _problem(criterion: Mapping[str, Any]) -> str:
    error = criterion.get("error") or {}
    why = error.get("message") or criterion.get("reason") or "not reached"
    if criterion["scorer"] == CHECK:
        return str(why)
    return f"{criterion['name']}: {one_line(why, 500)}"


def _steps(entry: Entry) -> int | None:
    trajectories = _references(entry)
    return sum(_whole(t.get("steps")) or 0 for t in trajectories) if trajectories else None


def _usage(trial: Mapping[str, Any]) -> Mapping[str, Any]:
    usage: Mapping[str, Any] = trial.get("usage") or {}
    return usage


def _text(value: Any) -> str | None:
    return None if value is None else _clean(str(value))


def _finite(value: Any) -> bool:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return abs(value) < _HUGE and math.isfinite(value)


def _unit(value: Any) -> float | None:
    return float(value) if _finite(value) and 0 <= value <= 1 else None


def _amount(value: Any) -> float | None:
    return float(value) if _finite(value) and value >= 0 else None


def _whole(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 2**63 else None


def _sum(values: Iterable[Any]) -> Any:
    """The sum; unknown as soon as one is, or when there is none."""
    known = list(values)
    return None if not known or None in known else sum(known)
