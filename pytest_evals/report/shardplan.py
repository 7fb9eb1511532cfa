"""The plan by which shards are balanced: how long each case took, all its variants and trials together."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ..model.outcome import Outcome
from ..model.result import CaseResult
from ..model.run import SessionResult
from .files import whole_file
from .registry import Format

PLAN_FORMAT = 1


def write_plan(path: Path, _session: SessionResult, results: Iterable[CaseResult]) -> None:
    """Write the seconds of each case, in the order of their names. Raises ``OSError``."""
    seconds: dict[str, float] = {}
    for result in results:
        if result.outcome is not Outcome.SKIPPED:
            name = f"{result.suite}::{result.case_id}"
            seconds[name] = seconds.get(name, 0.0) + _took_s(result)
    known = {name: round(took, 3) for name, took in sorted(seconds.items())}
    with whole_file(path) as file:
        file.write(json.dumps({"format": PLAN_FORMAT, "seconds": known}, indent=1).encode("ascii") + b"\n")


def _took_s(result: CaseResult) -> float:
    """Of all attempts of all trials, and of scoring; what is not known counts as nothing."""
    times = [trial.scoring_ms for trial in result.trials]
    times += [attempt.latency_ms for trial in result.trials for attempt in trial.attempts]
    return sum(took for took in times if took is not None and took >= 0) / 1000


FORMAT = Format("shard-plan", (".plan.json",), write_plan)
