"""Trajectory documents to start from."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[0] / "data" / "atif"


def sample(name: str) -> Any:
    return json.loads((DATA / name).read_text("utf-8"))


def document(**changes: Any) -> dict[str, Any]:
    """A valid document with one tool call, and root fields of one's own."""
    made = {
        "schema_version": "ATIF-v1.8",
        "trajectory_id": "t1",
        "agent": {"name": "shop", "version": "1"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "How many mugs?"},
            {
                "step_id": 2,
                "source": "agent",
                "message": "",
                "tool_calls": [{"tool_call_id": "c1", "function_name": "stock", "arguments": {"sku": "MUG"}}],
                "observation": {"results": [{"source_call_id": "c1", "content": "12"}]},
                "metrics": {"prompt_tokens": 10, "completion_tokens": 2, "cost_usd": 0.001},
            },
            {
                "step_id": 3,
                "source": "agent",
                "message": "12 mugs.",
                "metrics": {"prompt_tokens": 20, "completion_tokens": 4, "cost_usd": 0.002},
            },
        ],
    }
    return copy.deepcopy({**made, **changes})


def changed(path: str, value: Any) -> dict[str, Any]:
    """The document with a value at a path such as ``steps.1.metrics.prompt_tokens``."""
    made: Any = document()
    *way, last = path.split(".")
    at = made
    for name in way:
        at = at[int(name)] if isinstance(at, list) else at.setdefault(name, {})
    if isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return made
