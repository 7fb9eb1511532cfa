"""The session against its baseline: resolved and compared once, before the gates are decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import EvalsError
from ..model.comparison import Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.comparison import Comparison, Key
    from ..model.result import CaseRow
    from ..store.location import Location
    from .state import State
    from .suites import SuiteIndex


def compare_with_baseline(
    state: State, index: SuiteIndex, rows: Sequence[CaseRow], location: Location | None, stopped: str
) -> tuple[Comparison | None, str]:
    """The comparison with ``--evals-baseline``, or why there is none."""
    spec = state.settings.baseline
    from ..stats.compare import compare
    from ..workflow.comparing import baseline_side

    suites = {suite.name: state.experiment(suite.experiment).name for suite in index.suites.values()}
    try:
        before = baseline_side(
            spec,
            location,
            experiments=[*suites.values(), *(row.experiment for row in rows)],
            suites={*suites, *(row.suite for row in rows)},
            folder=state.config.invocation_params.dir,
        )
        after = Side(
            "this session",
            rows,
            {one.key: one.case.definition_sha256() for one in index.selected.values()},
            _left_out(before, index, {row.key for row in rows}),
            incomplete=stopped,
        )
        return compare(before, after, allow_missing=state.settings.allow_missing), ""
    except EvalsError as error:
        return None, f"no baseline: {error}"


def _left_out(before: Side, index: SuiteIndex, ran: set[Key]) -> frozenset[Key]:
    """Cases of the baseline that are still defined, and were not selected (or never ran)."""
    defined = {(suite.name, case.id) for suite in index.suites.values() for case in suite.cases}
    selected = {one.key for one in index.selected.values()}
    variants = {suite.name: {variant.id for variant in suite.variants} for suite in index.suites.values()}

    def still_there(row: CaseRow) -> bool:
        known = variants.get(row.suite)
        return (row.suite, row.case_id) in defined and (not known or _variant(row, known) is not None)

    return frozenset(row.key for row in before.rows if row.key not in ran and (row.key in selected or still_there(row)))


def _variant(row: CaseRow, known: set[str]) -> str | None:
    from ..model.bracket import variant_in

    return row.variant_id or variant_in(row.variant, known) or None
