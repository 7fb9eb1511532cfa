"""``pytest-evals history show RUN``: one run with its cases."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from ..lazy import example
from .options import experiment_option, history_option, json_option, limit_option, print_json, reading, run_argument

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...model.result import CaseRow
    from ...store.values import StoredRun


@click.command(
    "show", epilog=example("pytest-evals history show last:main", "pytest-evals history show k3f9x --all --limit 0")
)
@run_argument
@click.option("--all", "every", is_flag=True, help="Show the cases that passed, too.")
@limit_option(20)
@experiment_option
@json_option
@history_option
def show_command(run: str, every: bool, limit: int, experiment: str | None, as_json: bool, where: str | None) -> None:
    """Show a run and its cases that did not pass, or are flaky.

    With --json, all its results as they are stored (--limit does not apply).
    """
    from ...store.edit import trajectories_of_runs
    from ...store.results import case_results, case_rows
    from ...store.runs import find_run, runs_beside

    with reading(where) as connection:
        found = find_run(connection, run, experiment=experiment)
        if as_json:
            import json

            from ...model.codec import result_to_json

            print_json(
                run=found.plain(),
                results=[json.loads(result_to_json(result)) for result in case_results(connection, found)],
                trajectories=[trajectory.plain() for trajectory in trajectories_of_runs(connection, [found])],
            )
            return
        rows = case_rows(connection, found)
        beside = runs_beside(connection, found)
    click.echo(_facts(found, beside, rows))
    if not every:
        rows = [row for row in rows if row.outcome in ("failed", "errored", "warned") or row.flaky]
    shown = rows[:limit] if limit else rows
    if shown:
        click.echo("\n" + _cases(shown))
    if len(rows) > len(shown):
        click.echo(f"({len(shown)} of {len(rows):,} cases; --limit 0 shows all)")


def _facts(run: StoredRun, beside: list[StoredRun], rows: list[CaseRow]) -> str:
    from ...report.format import counted, duration, percent, score, usd
    from ...report.text import escape
    from ...store.times import seconds_between
    from ..table import minute

    counts = (
        ("passed", run.passed_cases - run.warned_cases),
        ("warned", run.warned_cases),
        ("failed", run.failed_cases),
        ("errored", run.error_cases),
        ("scored", run.judged_cases),
        ("skipped", run.skipped_cases),
        ("never reached", run.n_cancelled),
    )
    figures = [f"pass rate {percent(run.pass_rate)}"] if run.type == "checked" else []
    figures.append(f"score {score(run.score)}")
    cost = f"cost {'at least ' if run.cost_usd is not None and run.unpriced_cases else ''}{usd(run.cost_usd)}"
    git = " ".join(filter(None, (run.git_branch, (run.git_commit or "")[:12], "with changes" if run.git_dirty else "")))
    took = f", took {duration(seconds_between(run.started_at, run.finished_at) * 1000)}" if run.finished_at else ""
    lines = [
        ("run", run.uid + (", pinned" if run.pinned else "")),
        ("name", run.name),
        ("experiment", f"{run.experiment} ({run.type})"),
        ("status", run.status + (f": {run.stopped or run.error}" if run.stopped or run.error else "")),
        ("started", f"{minute(run.started_at)} UTC{took}"),
        ("cases", ", ".join(f"{number:,} {word}" for word, number in counts if number)),
        ("figures", ", ".join([*figures, cost])),
        *_trials(rows),
        *(("gate", _gate(gate)) for gate in run.gates),
        ("note", run.note),
        ("git", git),
        ("CI", " ".join(filter(None, (run.ci_provider, run.ci_url)))),
        ("host", run.host),
        ("command", shlex.join(map(str, run.params.get("command", ())))),
        ("exit status", "" if run.exit_status is None else str(run.exit_status)),
        ("selected", _selected(run, counted)),
        ("same session", ", ".join(f"{other.uid} ({other.experiment}, {other.type})" for other in beside)),
    ]
    return "\n".join(f"{name:<12} {escape(' '.join(text.split()))}" for name, text in lines if text)


def _trials(rows: list[CaseRow]) -> Iterator[tuple[str, str]]:
    from ...report.figures import pass_at_parts, trial_parts
    from ...stats import summarize

    trials = summarize(rows).trials if any(row.trials is not None for row in rows) else None
    if trials is not None:
        yield "trials", ", ".join(text for text, _ in trial_parts(trials))
        if trials.pass_at:
            yield "pass@k", ", ".join(text for text, _ in pass_at_parts(trials))


def _selected(run: StoredRun, counted: Any) -> str:
    if run.selected_cases is None or run.selected_cases == run.defined_cases:
        return ""
    return f"{run.selected_cases:,} of {counted(run.defined_cases or 0, 'case')}"


def _gate(facts: Mapping[str, Any]) -> str:
    from ...errors import GateError
    from ...model.gate import GateVerdict, Verdict
    from ...model.gate_grammar import parse_gate
    from ...report.format import observed

    text, said = facts.get("gate", ""), facts.get("verdict", "")
    reason = f" ({facts['reason']})" if facts.get("reason") else ""
    try:
        verdict = GateVerdict(parse_gate(text, suite=facts.get("suite")), Verdict(said), facts.get("observed"))
    except (GateError, ValueError):  # written by a later version
        return f"{text}: {said}{reason}"
    value = f", observed {observed(verdict)}" if verdict.observed is not None else ""
    return f"{text}: {said}{value}{reason}"


def _cases(rows: list[CaseRow]) -> str:
    from ...report.flaky import trials_line
    from ...report.format import duration, score
    from ..table import table

    cells = []
    for row in rows:
        name = f"{row.suite}::{row.case_id}" + (f"[{row.variant}]" if row.variant else "")
        latency = duration(sum(row.latencies_ms) / len(row.latencies_ms)) if row.latencies_ms else ""
        why = row.headline or (f"flaky: {trials_line(row.trials)}" if row.trials is not None and row.flaky else "")
        cells.append((row.outcome.value, score(row.score), latency, name, why))
    return table(("outcome", "score", "latency", "case", "why"), cells, right=(1, 2), width=60)
