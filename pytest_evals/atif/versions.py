"""Versions of the format, and which of them brought what."""

from __future__ import annotations

import re

NEWEST = 8
"""The newest 1.x that is known in full."""

CURRENT = f"ATIF-v1.{NEWEST}"
"""The tag of documents that are written here."""

_TAG = re.compile(r"ATIF-v1\.(\d{1,4})", re.ASCII)


def minor_of(tag: object) -> int | None:
    """The x of ``ATIF-v1.x``; ``None`` for anything else."""
    found = _TAG.fullmatch(tag) if isinstance(tag, str) else None
    return int(found[1]) if found else None


SINCE: dict[str, dict[str, int]] = {
    "trajectory": {"extra": 1, "trajectory_id": 7, "subagent_trajectories": 7},
    "agent": {"tool_definitions": 5},
    "step": {"llm_call_count": 7, "is_copied_context": 5},
    "tool call": {"extra": 7},
    "result": {"extra": 7},
    "metrics": {"completion_token_ids": 3, "prompt_token_ids": 4},
    "reference": {"trajectory_id": 7},
}
"""The 1.x that brought a field, by the object that has it; all others are there from the beginning."""

PARTS_SINCE = 6
AUDIO_SINCE = 8
SYSTEM_OBSERVATIONS_SINCE = 2
SESSION_OPTIONAL_SINCE = 7
