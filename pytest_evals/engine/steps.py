"""What agents did during a call: their trajectories read, and what the answer does not say filled in from them."""

from __future__ import annotations

import hashlib
import json
import secrets
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ..atif.calls import ToolUse, uses
from ..atif.read import Trajectory as Read
from ..atif.read import load_document, read
from ..atif.totals import FIELDS, Totals, totals
from ..errors import StoreError, TrajectoryError
from ..model.response import Response, ToolCall, Usage
from ..model.trajectory import PROBLEM, Trajectory, TrajectoryRef, given_trajectories
from ..model.wire import plain

MOST_CALLS = 200
"""Tool calls of a trajectory that its reference names; the document has them all."""


class Keeper(Protocol):
    """Where trajectories are kept, and which files may be read."""

    def may_read(self, path: Path) -> bool: ...

    def keep(self, trajectory: Trajectory, document: Mapping[str, Any]) -> tuple[str, str, str]:
        """Write the document; returns its id, its path and its SHA-256."""
        ...


class NoKeeper:
    """Keeps nothing; files are read below the current directory and that of temporary files."""

    def may_read(self, path: Path) -> bool:
        return within(path, (Path.cwd(), Path(tempfile.gettempdir())))

    def keep(self, trajectory: Trajectory, document: Mapping[str, Any]) -> tuple[str, str, str]:
        number = trajectory.trajectory_id or str(document.get("trajectory_id") or "") or secrets.token_hex(16)
        content = json.dumps(plain(document), ensure_ascii=True).encode("ascii")
        return number[:200], "", hashlib.sha256(content).hexdigest()


def within(path: Path, roots: Iterable[Path]) -> bool:
    """Whether a path is in one of the folders, links followed."""
    try:
        resolved = path.resolve()
        return any(resolved.is_relative_to(root.resolve()) for root in roots)
    except (OSError, ValueError, RuntimeError):  # a path with a NUL, links in a circle
        return False


@dataclass(frozen=True, slots=True)
class Steps:
    """A trajectory that was read."""

    given: Trajectory
    document: Mapping[str, Any]
    read: Read
    totals: Totals


def gather(recorded: Sequence[Trajectory], value: Any, keeper: Keeper) -> tuple[list[Steps], list[str]]:
    """The trajectories that were recorded and that an answer gives, each once, and what could not be read."""
    found: list[Steps] = []
    problems: list[str] = []
    known: set[str] = set()
    try:
        given = given_trajectories(value)
    except ValueError as error:
        given, problems = [], [str(error)]
    for trajectory in (*given, *recorded):
        try:
            steps = _read(trajectory, keeper)
        except TrajectoryError as error:
            problems.append(str(error))
            continue
        name = steps.read.trajectory_id
        if name and name in known:  # recorded, and given back, too
            continue
        known.add(name)
        found.append(steps)
    return found, problems


def _read(trajectory: Trajectory, keeper: Keeper) -> Steps:
    document: Any = trajectory.document
    if document is None:
        path = Path(str(trajectory.path))
        if not keeper.may_read(path):
            raise TrajectoryError(str(path)[:200], "outside the folders that trajectories are read from")
        document = load_document(path)
    else:
        _check_finite(document)
    found = read(document)
    return Steps(trajectory, document, found, totals(found))


def _check_finite(document: Mapping[str, Any]) -> None:
    """An application may hand over an object that no file could hold: it contains itself, or never ends."""
    try:
        json.dumps(document, default=str, skipkeys=True)
    except (ValueError, RecursionError):
        raise TrajectoryError("$", "the document contains itself, or is nested too deeply") from None
    except Exception as error:  # an object of the application's that cannot even say what it is
        raise TrajectoryError("$", f"the document cannot be written ({type(error).__name__})") from None


def filled(response: Response, found: Sequence[Steps], problems: Sequence[str]) -> Response:
    """The answer with what its trajectories know and it does not: tokens, cost, tool calls.

    What the answer says itself stays; its trajectories are then no second bill.
    """
    if not found and not problems:
        return response
    documents = [steps.document for steps in found]
    changes: dict[str, Any] = {"trajectory": documents[0] if len(documents) == 1 else documents or None}
    if problems:
        changes["metadata"] = {**response.metadata, PROBLEM: "; ".join(problems)[:1000]}
    if found:
        took = {name: _sum(found, name) for name in FIELDS}
        if response.usage is None:
            prompt, cached = took["prompt_tokens"], took["cached_tokens"]
            sound = cached is not None and prompt is not None and cached <= prompt
            usage = Usage(prompt, took["completion_tokens"], cached if sound else None)
            changes["usage"] = None if usage == Usage() else usage
        if response.cost_usd is None:
            changes["cost_usd"] = took["cost_usd"]
        if not response.tool_calls:
            made = [use for steps in found for use in uses(steps.read)]
            changes["tool_calls"] = tuple(ToolCall(use.name, use.arguments) for use in made)
    return replace(response, **changes)


def _sum(found: Sequence[Steps], name: str) -> Any:
    values = [steps.given.cost_usd if name == "cost_usd" else None for steps in found]
    known = [
        value if value is not None else getattr(steps.totals, name) for value, steps in zip(values, found, strict=True)
    ]
    if name == "cached_tokens":
        known = [value for value in known if value is not None]
    return None if not known or None in known else sum(known)


def references(found: Sequence[Steps], keeper: Keeper) -> tuple[tuple[TrajectoryRef, ...], list[str]]:
    """Keep the documents, and say where; what could not be written is a problem, and no reason to lose the case."""
    problems: list[str] = []
    return tuple(_reference(steps, keeper, problems) for steps in found), problems


def _reference(steps: Steps, keeper: Keeper, problems: list[str]) -> TrajectoryRef:
    try:
        number, path, digest = keeper.keep(steps.given, steps.document)
    except StoreError as error:
        problems.append(str(error))
        number, path, digest = NoKeeper().keep(steps.given, steps.document)
    calls: list[ToolUse] = uses(steps.read)
    cost = steps.given.cost_usd
    return TrajectoryRef(
        trajectory_id=number,
        kind=steps.given.kind or "run",
        agent_name=steps.read.agent_name,
        steps=len(steps.read.steps),
        cost_usd=cost if cost is not None else steps.totals.cost_usd,
        path=path,
        sha256=digest,
        artifact_ids=tuple(map(str, steps.given.artifact_ids)),
        calls=tuple(use.plain() for use in calls[:MOST_CALLS]),
        calls_left_out=max(0, len(calls) - MOST_CALLS),
    )
