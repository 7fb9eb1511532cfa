"""The tools that agents called in a run, by name: from recorded trajectories, else from the answers themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..atif import calls as atif
from ..atif import read
from ..errors import EvalsError
from ..store import browse
from ..store.edit import trajectories_of_runs
from ..store.results import case_results
from . import data
from .trace import document

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request

    from ..store.values import StoredRun
    from .source import Source


def calls_of_run(source: Source, connection: Connection, run: StoredRun, name: str | None = None) -> dict[str, Any]:
    """Of each case that called tools its calls by the tool's name, or those of one tool; and what cannot be read."""
    from_files: dict[tuple[str, str, str], list[atif.ToolUse]] = {}
    ids: dict[tuple[str, str, str], list[str]] = {}
    unread = []
    for kept in trajectories_of_runs(connection, [run]):
        key = (kept.suite, kept.case_id, kept.variant)
        try:
            uses = atif.uses(read(document(source, kept.trajectory_id)))
        except EvalsError as error:
            unread.append(f"{kept.trajectory_id}: {error}")
            continue
        from_files.setdefault(key, []).extend(uses)
        ids.setdefault(key, []).append(kept.trajectory_id)
    cases = []
    numbers = {case.key: case.id for case in browse.listed_cases(connection, run)}
    for key, uses in {**_said(connection, run, from_files.keys()), **from_files}.items():
        by_name = atif.by_name((use.plain() for use in uses), name)
        if by_name:
            suite, case_id, variant = key
            found = {"eval": suite, "name": case_id, "variant": variant, "id": numbers.get(key)}
            cases.append({**found, "tool_calls": by_name, "trajectories": ids.get(key, [])})
    return {"run": run.uid, "cases": cases, "unread": unread}


def _said(connection: Connection, run: StoredRun, recorded: Any) -> dict[tuple[str, str, str], list[atif.ToolUse]]:
    """The calls that answers told of, for cases without a trajectory."""
    found: dict[tuple[str, str, str], list[atif.ToolUse]] = {}
    for result in case_results(connection, run):
        if result.key in recorded or not result.trials:
            continue
        calls = result.trials[-1].tool_calls
        if calls:
            found[result.key] = [
                atif.ToolUse(str(call.name), call.args, None, atif.query_of(call.args)) for call in calls
            ]
    return found


def tools_page(source: Source, request: Request) -> Mapping[str, Any]:
    """The calls of a run, tool by tool."""
    only = request.query_params.get("tool", "")
    with source.read() as connection:
        run = data.find_run(connection, request.path_params["run"])
        found = source.once(("tools", run.uid), data.finished(run), lambda: calls_of_run(source, connection, run))
    by_tool: dict[str, list[dict[str, Any]]] = {}
    for case in found["cases"]:
        for name, calls in case["tool_calls"].items():
            by_tool.setdefault(name, []).extend({**call, "case": case} for call in calls)
    names = sorted(by_tool, key=lambda name: (not atif.is_web_search(name), -len(by_tool[name]), name))
    tables = [
        {
            "name": name,
            "search": atif.is_web_search(name),
            "calls": by_tool[name][:MOST],
            "more": max(0, len(by_tool[name]) - MOST),
            "errors": sum(bool(call["error"]) for call in by_tool[name]),
        }
        for name in names
        if not only or name == only
    ]
    return {
        "run": run,
        "names": {name: len(by_tool[name]) for name in names},
        "tables": tables,
        "unread": found["unread"],
    }


MOST = 200
"""Calls of one tool that a page shows; the API gives all of them."""
