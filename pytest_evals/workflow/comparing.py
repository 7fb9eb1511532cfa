"""From what a person names to the two sides of a comparison: runs of the history, variants of them, baseline files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import EvalsError, UsageError
from ..model.bracket import rest_of
from ..model.comparison import Change, Comparison, Key, Side
from ..model.place import did_you_mean
from ..stats.compare import compare
from .baseline import read_baseline

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..model.result import CaseResult
    from ..store.location import Location
    from ..store.values import StoredRun


def is_file(spec: str) -> bool:
    """Whether this names a baseline file rather than a run."""
    return spec.endswith(".json")


def sides(specs: Iterable[str], location: Location | None, *, experiment: str | None = None) -> list[Side]:
    """What each of these names.

    A run (id, beginning of one, name, ``last``, ``last:BRANCH``), the newest run of an experiment, a variant of one of
    these (``RUN@small``), or a baseline file (``*.json``).
    Raises ``UsageError`` when there is no such thing. The history is opened once, and only if a run is named.
    """
    found = []
    with ExitStack() as stack:
        connection: Connection | None = None
        for spec in specs:
            if is_file(spec):
                found.append(read_baseline(Path(spec), spec))
                continue
            if connection is None:
                if location is None or location.missing:
                    where = f" at {location}" if location else ""
                    raise UsageError(f"there is no history{where} to look for run {spec!r} in")
                from ..store import connect

                connection = stack.enter_context(connect.reading(location))
            found.append(side_of(connection, spec, experiment=experiment))
    return found


def side_of(connection: Connection, spec: str, *, experiment: str | None = None) -> Side:
    """A run of the history, or a variant of one. Raises ``UsageError`` when there is none."""
    name, variant, run = _find(connection, spec, experiment)
    side = _together(connection, name, [run])
    return variant_of(side, variant) if variant else side


def baseline_side(
    spec: str, location: Location | None, *, experiments: Iterable[str], suites: Collection[str], folder: Path
) -> Side:
    """What a session is compared with: a baseline file (relative to ``folder``), or runs of the history.

    ``last`` and ``last:BRANCH`` mean the newest finished run of each of the session's experiments, and rather one of
    all cases than of a selection. A run that is named brings the others of its own session. Cases of suites that the
    session does not have are left out. Raises ``UsageError`` when there is nothing to compare with.
    """
    if is_file(spec):
        side = read_baseline(folder / spec, spec)
    else:
        if location is None or location.missing:
            raise UsageError("there is no history yet")
        from ..store import connect

        with connect.reading(location) as connection:
            side = _of_history(connection, spec, list(dict.fromkeys(experiments)))
    rows = [row for row in side.rows if row.suite in suites]
    if not rows:
        raise UsageError(f"baseline {side.label} has no case of these suites")
    return replace(side, rows=rows)


def _of_history(connection: Connection, spec: str, experiments: Sequence[str]) -> Side:
    from ..store.runs import runs_beside

    if spec != "last" and not spec.startswith("last:"):
        named, variant, run = _find(connection, spec, None)
        if variant:
            return side_of(connection, spec)
        return _together(connection, named, [run, *runs_beside(connection, run)])
    branch = spec.removeprefix("last").removeprefix(":") or None
    found = [run for name in experiments for run in _newest(connection, name, branch)]
    if not found:
        of_branch = f" of branch {branch!r}" if branch else ""
        raise UsageError(f"there is no finished run{of_branch} of {', '.join(experiments)} yet")
    return _together(connection, spec, found)


def answers_before(side: Side, location: Location | None, keys: Sequence[Key]) -> dict[Key, str]:
    """What these cases answered in the runs of a side, as far as the history knows."""
    if not side.runs or not keys or location is None or location.missing:
        return {}
    from ..store import connect
    from ..store.results import answers
    from ..store.runs import run_by_uid

    found: dict[Key, str] = {}
    with connect.reading(location) as connection:
        for uid in side.runs:
            run = run_by_uid(connection, uid)
            if run is not None:
                found |= answers(connection, run, keys)
    return found


MOST_ANSWERS = 200
"""So many changed cases are told with what they answered before and now."""

MOST_CHARACTERS = 20_000
"""Of each of these answers."""


def with_answers(
    comparison: Comparison, location: Location | None, results: Callable[[Sequence[Key]], Iterable[CaseResult]]
) -> Comparison:
    """With what changed cases answered before, where the history has it, and now; broken ones first."""
    from ..report.text import readable

    kinds = (Change.BROKEN, Change.WORSE, Change.ERRORED, Change.FIXED, Change.BETTER)
    changed = (case for kind in kinds for case in comparison.of(kind) if case.after is not None)
    keys = [case.key for case in islice(changed, MOST_ANSWERS)]
    if not keys:
        return comparison
    try:
        before = {k: _cut(text) for k, text in answers_before(comparison.before, location, keys).items()}
    except EvalsError:  # the verdict is known without them
        before = {}
    after = {
        result.key: _cut(readable(result.output))
        for result in islice(results(keys), len(keys))
        if result.output is not None
    }
    return replace(comparison, answers={key: (before.get(key), after.get(key)) for key in keys})


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + " …"


LOOKED_AT = 50
"""So many runs back a whole one is looked for."""


def _newest(connection: Connection, experiment: str, branch: str | None) -> list[StoredRun]:
    """The newest finished run of an experiment, with the one of the other type of the same session."""
    from ..store.runs import list_runs

    runs = list_runs(connection, experiment=experiment, branch=branch, limit=LOOKED_AT)
    finished = [run for run in runs if run.core_status not in ("running", "cancelled")]
    chosen = next((run for run in finished if not _incomplete(run)), finished[0] if finished else None)
    return [] if chosen is None else [run for run in finished if run.session_id == chosen.session_id]


def _together(connection: Connection, named: str, runs: Sequence[StoredRun]) -> Side:
    from ..store.results import case_definitions, case_rows

    rows = [row for run in runs for row in case_rows(connection, run)]
    definitions = {key: value for run in runs for key, value in case_definitions(connection, run).items()}
    about = ", ".join(filter(None, (runs[0].git_branch, runs[0].started_at[:16].replace("T", " "))))
    return Side(
        f"{named} ({about})" if named == runs[0].uid else f"{named} ({runs[0].uid}, {about})",
        rows,
        definitions,
        incomplete=_incomplete(runs[0]),
        runs=tuple(run.uid for run in runs),
    )


def variant_of(side: Side, variant: str) -> Side:
    """The cases of one variant, as if the suite had no variants: so that two of them can be compared.

    Raises ``UsageError`` when the run has no such variant.
    """
    rows, definitions = [], {}
    for row in side.rows:
        rest = rest_of(row.variant, variant)
        # older runs know the bracket alone
        if rest is not None and (row.variant_id or variant) == variant:
            rows.append(replace(row, variant=rest, variant_id=""))
            if row.key in side.definitions:
                definitions[rows[-1].key] = side.definitions[row.key]
    if not rows:
        known = sorted({row.variant_id or row.variant for row in side.rows if row.variant})
        there = f"; it has {', '.join(known)}" if known else "; it has no variants"
        raise UsageError(f"{side.label} has no variant {variant!r}{did_you_mean(variant, known) or there}")
    return replace(side, label=f"{side.label} variant {variant}", rows=rows, definitions=definitions)


def compare_sides(before: Side, after: Side, *, partial: bool, allow_missing: bool = False) -> Comparison:
    """Compare them. ``partial``: the second run was a selection or was cut off, of which cases is not known."""
    if partial and not after.left_out:
        after = replace(after, left_out=missing(before, after))
    return compare(before, after, allow_missing=allow_missing)


def missing(before: Side, after: Side) -> frozenset[Key]:
    """Cases of the first that the second does not have."""
    return frozenset(row.key for row in before.rows) - {row.key for row in after.rows}


def compare_specs(
    first: str, second: str, location: Location | None, *, experiment: str | None = None, allow_missing: bool = False
) -> Comparison:
    """Compare two things a person names, see ``sides``."""
    before, after = sides((first, second), location, experiment=experiment)
    return compare_sides(before, after, partial=bool(after.incomplete), allow_missing=allow_missing)


def _find(connection: Connection, spec: str, experiment: str | None) -> tuple[str, str, StoredRun]:
    """The name without the variant, the variant, and the run; a name may hold an ``@`` itself."""
    from ..store.runs import find_run

    try:
        return spec, "", find_run(connection, spec, experiment=experiment)
    except UsageError as error:
        name, at, variant = spec.rpartition("@")
        if at and name:
            return name, variant, _run(connection, name, experiment, error)
        return spec, "", _run(connection, spec, experiment, error)


def _run(connection: Connection, name: str, experiment: str | None, error: UsageError) -> StoredRun:
    """The run of that name, else the newest of the experiment of that name."""
    from ..store.runs import find_run, list_runs

    try:
        return find_run(connection, name, experiment=experiment)
    except UsageError:
        newest = list_runs(connection, experiment=name, limit=2) if experiment is None else []
        if not newest:
            raise error from None
        return next((run for run in newest if run.type == "checked"), newest[0])


def _incomplete(run: StoredRun) -> str:
    """Why the run does not stand for all cases of its suites; empty when it does."""
    if run.core_status in ("running", "cancelled"):
        return run.stopped or run.status
    if run.selected_cases is not None and run.defined_cases is not None and run.selected_cases < run.defined_cases:
        return f"{run.selected_cases:,} of {run.defined_cases:,} cases were selected"
    return ""
