"""``pytest-evals gate RUN``: decide gates over a stored run, without calling anything."""

from __future__ import annotations

from pathlib import Path

import click

from .history.options import experiment_option, history_option, print_json, run_argument
from .lazy import example


@click.command(
    "gate",
    epilog=example(
        "pytest-evals gate last",
        "pytest-evals gate last --gate 'pass_rate >= 90%' --gate 'latency.p95 <= 2s'",
        "pytest-evals gate last --baseline last:main --gate 'regressions == 0'",
    ),
)
@run_argument
@click.option("--gate", "-g", "texts", multiple=True, metavar="GATE", help="Decide this gate, not those of the run.")
@click.option("--baseline", metavar="WHAT", help="Compare with a run, RUN@VARIANT or baseline file (*.json).")
@click.option("--allow-missing", is_flag=True, help="A case that is gone from its suite is no regression.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@experiment_option
@history_option
def gate_command(
    run: str,
    texts: tuple[str, ...],
    baseline: str | None,
    allow_missing: bool,
    as_json: bool,
    experiment: str | None,
    where: str | None,
) -> None:
    """Decide gates over a run of the history.

    They are its own, or those given with --gate. Exits with 0 when all hold, 1 when one is broken, 75 when one
    cannot be decided. The run's own gates make the exit
    status that its session had: a case that failed outright makes it 1.
    """
    from ..report.gates import gate_lines
    from ..report.json import gate_plain
    from ..store.judges import with_judges
    from ..store.runs import find_run
    from ..workflow.comparing import compare_sides, side_of, sides
    from ..workflow.gating import decide_run, named_gates, stored_gates
    from ..workflow.judgetrustfile import calibrations_for
    from ..workflow.where import find_history
    from .history.options import reading
    from .styled import echo_lines, terminal_width

    with reading(where) as connection:
        found = find_run(connection, run, experiment=experiment)
        after = side_of(connection, found.uid)
    comparison = None
    if baseline is not None:
        [before] = sides([baseline], find_history(where, start=Path.cwd()), experiment=experiment)
        comparison = compare_sides(before, after, partial=bool(after.incomplete), allow_missing=allow_missing)
    gates = named_gates(texts, after.rows) if texts else stored_gates(found)
    location = find_history(where, start=Path.cwd())
    known, rows = calibrations_for(gates, location), after.rows
    if known is not None:
        with reading(where) as connection:
            rows = with_judges(connection, found, rows)
    decided = decide_run(found, rows, gates, alone=bool(texts), comparison=comparison, calibrations=known)
    if as_json:
        print_json(
            run=found.uid,
            exit_status=decided.exit_status,
            gates=[gate_plain(verdict) for verdict in decided.verdicts],
        )
    elif decided.verdicts:
        echo_lines(gate_lines(decided.verdicts, terminal_width(), verbose=1))
    else:
        click.echo(f"run {found.uid} has no gates; give some with --gate")
    raise SystemExit(decided.exit_status)
