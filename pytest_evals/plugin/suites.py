"""Which cases a session should have run, and what is known of those that left no result."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..engine.runner import Identity, blank_result, now_utc
from ..errors import EvalsError
from ..model.bracket import variant_in
from ..model.case import Case, Suite, Variant
from ..model.gate import Gate, covers, is_absolute_pass_rate
from ..model.ids import node_name
from ..model.outcome import ErrorKind
from ..model.result import CaseError, CaseResult, CaseRow
from ..model.run import SuiteCount
from ..stats.decide import ScopedCase
from ..workflow.configurations import configurations
from ..workflow.selection import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    import pytest

    from .items import CaseItem
    from .state import State

Key = tuple[str, str, str]


class Chosen(NamedTuple):
    """An item of a session: a case, once for each variant and set of its fixtures' parameters."""

    suite: Suite
    case: Case
    bracket: str
    variant: Variant | None

    @property
    def key(self) -> Key:
        return (self.suite.name, self.case.id, self.bracket)

    @property
    def variant_id(self) -> str:
        return self.variant.id if self.variant is not None else ""

    def scoped(self) -> ScopedCase:
        return ScopedCase.of(self.case, self.variant_id)


class SuiteIndex:
    """The suites of a session, their selected cases by node id, and the order of the files.

    Alone the items tell; an xdist controller collects nothing, so it reads the suite files its workers name.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self.suites: dict[str, Suite] = {}
        """By the file's node id."""
        self.selected: dict[str, Chosen] = {}
        """By node id."""
        self._defined: dict[str, int] = {}
        self._paths: dict[str, str] = {}

    def collected(self, items: Iterable[CaseItem]) -> None:
        """Take the items that are left after deselection, and the suites that were collected."""
        for path, suite in self._state.suites.items():
            node = self._node_of(path)
            self.suites[node] = suite
            self._defined[node] = self._state.counts.get(path, _size(suite))
        for item in items:
            self.selected[item.nodeid] = Chosen(item.suite, item.case, item.variant, item.configuration)

    def named(self, ids: Sequence[str]) -> None:
        """Take the node ids that workers collected; reads the suite files they are from."""
        from . import is_suite

        config = self._state.config
        cases: dict[str, dict[str, Case]] = {}
        for node_id in ids:
            if node_id in self.selected:
                continue
            file, _, name = node_id.partition("::")
            if file not in cases:
                cases[file] = self._read(file) if is_suite(config, file) else {}
            case = cases[file].get(name)
            bracket = ""
            if case is None and name.endswith("]"):
                name, _, bracket = name[:-1].partition("[")
                case = cases[file].get(name)
            if case is not None:
                self.selected[node_id] = _chosen(self.suites[file], case, bracket)

    def _read(self, file: str) -> dict[str, Case]:
        try:
            suite = self._state.read(self._state.config.rootpath / file)
        except (EvalsError, OSError):
            return {}  # the workers could read it a moment ago; their cases are still counted by their results
        self.suites[file] = suite
        return {node_name(case.id): case for case in suite.cases}

    def counted(self, counts: str) -> None:
        """Take the numbers of defined cases that a worker sent."""
        for node, number in json.loads(counts).items():
            self._defined[node] = number
            if node not in self.suites:
                self._read(node)

    def _node_of(self, path: Path) -> str:
        root = self._state.config.rootpath
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else self._state.shown(path)

    def counts(self) -> list[SuiteCount]:
        """The suites with what they define and what was selected."""
        chosen: dict[str, int] = {}
        for one in self.selected.values():
            chosen[one.suite.name] = chosen.get(one.suite.name, 0) + 1
        return [
            SuiteCount(
                suite.name,
                node,
                max(self._defined.get(node, _size(suite)), chosen.get(suite.name, 0)),
                chosen.get(suite.name, 0),
                configurations(suite, self._state.redactor),
            )
            for node, suite in sorted(self.suites.items())
        ]

    def gates(self) -> list[Gate]:
        """The gates of all suites, in the order of the files."""
        return [gate for _, suite in sorted(self.suites.items()) for gate in suite.gates]

    def gate_id(self, gate: Gate) -> str:
        """The node id under which a gate is reported."""
        file = next((node for node, suite in self.suites.items() if suite.name == gate.suite), "evals")
        return f"{file}::gate[{gate.text}]"

    def not_run(self, rows: Mapping[Key, CaseRow]) -> list[str]:
        """Node ids of selected cases without a result."""
        return [node for node, one in self.selected.items() if one.key not in rows]

    def without_result(self, rows: Collection[Key]) -> list[ScopedCase]:
        """Selected cases without a result, as gates ask about them."""
        return [one.scoped() for one in self.selected.values() if one.key not in rows]

    def deselected(self) -> list[ScopedCase]:
        """Cases of the session's suites that were not selected, once for each variant."""
        chosen = {(one.suite.name, one.case.id, one.variant_id) for one in self.selected.values()}
        return [
            ScopedCase.of(case, variant)
            for suite in self.suites.values()
            for case in suite.cases
            for variant in ([each.id for each in suite.variants] or [""])
            if (suite.name, case.id, variant) not in chosen
        ]

    def candidates(self) -> list[Candidate]:
        """Every case of the session's suites with every variant, as far as selections ask about them."""
        return [
            Candidate(suite.name, case, variant, variant)
            for suite in self.suites.values()
            for case in suite.cases
            for variant in ([each.id for each in suite.variants] or [""])
        ]

    def row_of_node(self, node_id: str, rows: Mapping[Key, CaseRow]) -> CaseRow | None:
        known = self.selected.get(node_id)
        return rows.get(known.key) if known else None

    def in_file_order(self, rows: Iterable[CaseRow]) -> list[CaseRow]:
        """By file, as cases and variants stand in it; checks of ordinary tests after, by node id."""
        return sorted(rows, key=self.places())

    def places(self) -> Callable[[CaseRow | CaseResult], tuple[int, int, int, str, str, str]]:
        """Tells where a case stands in that order."""
        place: dict[tuple[str, str], tuple[int, int]] = {}
        variants: dict[tuple[str, str], int] = {}
        for number, (_, suite) in enumerate(sorted(self.suites.items())):
            for line, case in enumerate(suite.cases):
                place[suite.name, case.id] = (number, line)
            variants.update({(suite.name, variant.id): n for n, variant in enumerate(suite.variants)})
        last = (len(self.suites), 0)

        def order(row: CaseRow | CaseResult) -> tuple[int, int, int, str, str, str]:
            line = place.get((row.suite, row.case_id), last)
            return (*line, variants.get((row.suite, row.variant_id), 0), row.variant, row.node_id, row.case_id)

        return order

    def crashed(self, report: pytest.TestReport) -> CaseResult | None:
        """The result of a case whose worker died while it ran; ``None`` if the report is not about a case."""
        known = self.selected.get(report.nodeid)
        if known is None:
            return None
        suite, case, bracket, variant = known
        at = known.scoped()
        gated = any(
            is_absolute_pass_rate(gate)
            and covers(gate, suite=suite.name, tags=at.tags, category=at.category, variant=at.variant_id)
            for gate in suite.gates
        )
        identity = Identity(report.nodeid, bracket, self._state.experiment(suite.experiment).name, gated, variant)
        target = str(suite.target if variant is None else variant.target)
        now = now_utc()
        error = CaseError(
            ErrorKind.CRASH, "the worker crashed while it ran this case", "WorkerCrash", str(report.longrepr)
        )
        return replace(blank_result(case, target, identity), error=error, started_at=now, finished_at=now)


def _chosen(suite: Suite, case: Case, bracket: str) -> Chosen:
    wanted = variant_in(bracket, [variant.id for variant in suite.variants]) if suite.variants else ""
    variant = next((each for each in suite.variants if each.id == wanted), None)
    return Chosen(suite, case if variant is None else variant.of(case), bracket, variant)


def _size(suite: Suite) -> int:
    return len(suite.cases) * max(1, len(suite.variants))
