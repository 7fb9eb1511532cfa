"""The recorded steps of an agent, as tables of an open case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.result import Trial
from ...model.trajectory import TrajectoryRef
from ..format import UNKNOWN, count, counted, usd
from .cells import Cell, Table, cell, heads_of, table_of


def trajectory_tables(trial: Trial) -> Iterator[Table]:
    """What was recorded and where it is kept, then the calls of tools in it. Nothing for a trial without any."""
    if not trial.trajectories:
        return
    rows = [{"cells": _recorded(ref)} for ref in trial.trajectories]
    yield table_of("trajectories", "Trajectories", heads_of("kind|agent|>steps|>cost|file"), rows)
    several = len(trial.trajectories) > 1
    for ref in trial.trajectories:
        if ref.calls:
            of = f" of {ref.kind}" if several else ""
            left = f"and {counted(ref.calls_left_out, 'more call')}" if ref.calls_left_out else ""
            calls = [{"cells": _call(call)} for call in ref.calls]
            heads = heads_of("tool|>step|agent|query|>results|error")
            yield table_of("trajectory-calls", f"Calls of tools{of}", heads, calls, left)


def _recorded(ref: TrajectoryRef) -> list[Cell]:
    kept = ref.path or "not kept"
    return [cell(ref.kind), cell(ref.agent_name), cell(count(ref.steps)), cell(usd(ref.cost_usd)), cell(kept)]


def _call(call: Mapping[str, Any]) -> list[Cell]:
    numbers = {name: UNKNOWN if call.get(name) is None else str(call[name]) for name in ("step", "result_count")}
    error = str(call.get("error") or "")
    return [
        cell(str(call.get("name") or UNKNOWN)),
        cell(numbers["step"]),
        cell(str(call.get("agent") or "")),
        cell(str(call.get("query") or "")[:200]),
        cell(numbers["result_count"]),
        cell(error[:200], "red" if error else ""),
    ]
