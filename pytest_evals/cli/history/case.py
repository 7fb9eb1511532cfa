"""``pytest-evals history case SUITE::ID``: one case over the runs."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ..lazy import example
from .options import experiment_option, history_option, json_option, limit_option, print_json, reading

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ...store.values import CasePoint

BAR = 20
"""Columns of a score of 1."""

_SIGNS = {"passed": "✓", "warned": "w", "failed": "✗", "errored": "E", "scored": "·", "skipped": "s"}
_ASCII = str.maketrans({"✓": "+", "✗": "x", "·": ".", "█": "#", "–": "-", "→": ">"})


@click.command("case", epilog=example("pytest-evals history case support-bot::refund-window"))
@click.argument("case", metavar="SUITE::ID")
@limit_option(20)
@experiment_option
@json_option
@history_option
def case_command(case: str, limit: int, experiment: str | None, as_json: bool, where: str | None) -> None:
    """Show how one case went over the runs.

    Each run has the case's verdict, or else its status, and its score as a bar.

    A change of what the case asks is marked where it happened. SUITE::ID[VARIANT] shows one variant.
    """
    with reading(where) as connection:
        suite, case_id, variant, points = _find(connection, case, experiment, limit or None)
    if as_json:
        print_json(case={"suite": suite, "id": case_id}, points=[point.plain() for point in points])
        return
    text = _plot(f"{suite}::{case_id}" + (f"[{variant}]" if variant else ""), points)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = text.translate(_ASCII)
    click.echo(text)


def _find(
    connection: Connection, case: str, experiment: str | None, limit: int | None
) -> tuple[str, str, str, list[CasePoint]]:
    """The case a person means: suites and ids may hold ``::``, and ids brackets, so every reading is tried."""
    from ...store.results import case_history, cases_like

    parts = case.split("::")
    for cut in range(1, len(parts)):
        suite, case_id = "::".join(parts[:cut]), "::".join(parts[cut:])
        if points := case_history(connection, suite, case_id, experiment=experiment, limit=limit):
            return suite, case_id, "", points
        if case_id.endswith("]"):
            case_id, _, variant = case_id[:-1].partition("[")
            points = case_history(connection, suite, case_id, experiment=experiment, variant=variant, limit=limit)
            if points:
                return suite, case_id, variant, points
    like = [f"{suite}::{case_id}" for suite, case_id in cases_like(connection, parts[-1].partition("[")[0])]
    within = f" in experiment {experiment!r}" if experiment else ""
    hint = f"; recorded are: {', '.join(like)}" if like else ""
    raise UsageError(f"no run has recorded a case {case!r}{within}; a case is named SUITE::ID{hint}")


def _plot(title: str, points: list[CasePoint]) -> str:
    from ...report.format import counted, score, usd
    from ...report.text import escape
    from ..table import minute, table

    changed = {
        id(newer)
        for newer, older in pairwise(points)
        if (newer.variant, newer.experiment) == (older.variant, older.experiment)
        and newer.definition_sha256 != older.definition_sha256
    }
    rows = [
        (
            f"{_SIGNS.get(point.outcome, '?')} {point.outcome}",
            score(point.score),
            "█" * round((point.score or 0) * BAR),
            minute(point.started_at),
            point.run,
            point.experiment,
            point.git_branch,
            point.variant,
            "" if point.cost_usd is None else usd(point.cost_usd),
            "the case was changed" if id(point) in changed else "",
            point.headline,
        )
        for point in points
    ]
    signs = "".join(_SIGNS.get(point.outcome, "?") for point in reversed(points))
    headers = ("outcome", "score", "", "started (UTC)", "run", "experiment", "branch", "variant", "cost", "note", "why")
    head = f"{escape(title)}, {counted(len(points), 'result')}, newest first\noldest → newest: {signs}"
    return f"{head}\n\n{table(headers, rows, right=(1, 8), width=40)}"
