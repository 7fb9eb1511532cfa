"""From a suite file to pytest items.

A suite is a ``pytest.Module`` with a synthetic module, and every case a real ``pytest.Function``, so that fixtures of
every scope, marks, ``-k``, ``--lf``, reruns, timeouts and JUnit work as for tests. pytest makes one template item for
each set of fixtures (through the public hook, so that other plugins see it too); the cases are clones of it that share
its fixture information: 10,000 cases collect in 2.5 s instead of 6.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import EvalsError, SuiteError
from ..model.criterion import Criterion
from ..model.gate import covers, is_absolute_pass_rate
from ..model.ids import node_name
from ..model.place import Problem, did_you_mean
from .items import CaseItem

if TYPE_CHECKING:
    from ..model.case import Case, Suite
    from .state import State

SCORER_SUFFIX = "_scorer"


class SuiteFile(pytest.Module):
    """A suite file as pytest's collector of cases."""

    state: State

    def _getobj(self) -> types.ModuleType:
        module = types.ModuleType(self.path.name.replace(".", "_"))
        module.__file__ = str(self.path)
        return module

    def funcnamefilter(self, name: str) -> bool:  # noqa: ARG002
        """Every name is a case here, whatever ``python_functions`` says."""
        return True

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """One item per case (and parameter of its fixtures). All mistakes of the file at once, a line each."""
        try:
            suite = self.state.suite(self.path)
            target = self.state.target(suite)
            items = list(self._items(suite, target))
        except SuiteError as error:
            raise self.CollectError(str(error)) from None
        except EvalsError as error:
            raise self.CollectError(f"{self.state.shown(self.path)}: {error}") from None
        self.state.collected(suite, len(items))
        return iter(items)

    def _items(self, suite: Suite, target: Any) -> Iterator[CaseItem]:
        templates: dict[tuple[str, ...], tuple[list[pytest.Function], Callable[..., None]]] = {}
        marks = _Marks(self.config)
        tolerant = not self.state.settings.strict
        gates = [gate for gate in suite.gates if tolerant and is_absolute_pass_rate(gate)]
        uses: dict[tuple[int, ...], tuple[str, ...]] = {}
        target_fixture = suite.target.value if suite.target.kind == "fixture" else None
        problems: list[Problem] = []
        for case in suite.cases:
            # cases of a suite mostly share their criteria objects
            key = tuple(id(criterion) for criterion in case.criteria)
            scorers = uses.get(key)
            if scorers is None:
                scorers = tuple(sorted({name for criterion in case.criteria for name in criterion.scorers()}))
                uses[key] = scorers
            made = templates.get(scorers)
            if made is None:
                made = self._template(case, scorers, target_fixture)
                problems += self._missing(case, scorers, target_fixture, suite, made[0])
                templates[scorers] = made
            if problems:
                continue
            gated = any(covers(gate, suite=suite.name, tags=case.tags, category=case.category) for gate in gates)
            for template in made[0]:
                yield self._clone(template, made[1], case, target, gated, scorers, marks, suite)
        if problems:
            raise SuiteError(sorted(set(problems)))

    def _template(
        self, case: Case, scorers: tuple[str, ...], target_fixture: str | None
    ) -> tuple[list[pytest.Function], Callable[..., None]]:
        names = ([target_fixture] if target_fixture else []) + [name + SCORER_SUFFIX for name in scorers]
        parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in dict.fromkeys(names)]

        def case_function(**fixtures: Any) -> None:
            """Stand-in: a case is run by its item."""

        function: Any = case_function
        function.__signature__ = inspect.Signature(parameters)
        function.__test__ = True
        function.pytestmark = [pytest.mark.evals.mark]
        name = node_name(case.id)
        setattr(self.obj, name, function)  # pytest looks its functions up in their module
        made = self.ihook.pytest_pycollect_makeitem(collector=self, name=name, obj=function)
        items = made if isinstance(made, list) else [made]
        return [item for item in items if isinstance(item, pytest.Function)], function

    def _missing(
        self,
        case: Case,
        scorers: tuple[str, ...],
        target_fixture: str | None,
        suite: Suite,
        templates: list[pytest.Function],
    ) -> Iterable[Problem]:
        """A criterion or target whose fixture is nowhere: said at collection, with what there is instead."""
        if not templates:
            return
        known = templates[0]._fixtureinfo.name2fixturedefs
        if target_fixture and target_fixture not in known and suite.target.place:
            yield Problem(suite.target.place, f"there is no fixture {target_fixture!r} for the target")
        for scorer in scorers:
            if scorer + SCORER_SUFFIX in known:
                continue
            for criterion in _leaves(case.criteria):
                place = criterion.place or case.place
                if criterion.scorer == scorer and place is not None:
                    hint = did_you_mean(scorer, self.state.scorer_names())
                    cure = hint or f"; a fixture {scorer}{SCORER_SUFFIX} in a conftest.py would answer it"
                    yield Problem(place, f"unknown criterion {scorer!r}{cure}")

    def _clone(
        self,
        template: pytest.Function,
        function: Callable[..., None],
        case: Case,
        target: Any,
        gated: bool,
        scorers: tuple[str, ...],
        marks: _Marks,
        suite: Suite,
    ) -> CaseItem:
        callspec = getattr(template, "callspec", None)
        name = node_name(case.id)
        item: CaseItem = CaseItem.from_parent(
            self,
            name=f"{name}[{callspec.id}]" if callspec is not None else name,
            callspec=callspec,
            callobj=function,
            fixtureinfo=template._fixtureinfo,
            originalname=name,
        )
        item.case = case
        item.suite = suite
        item.state = self.state
        item.target = target
        item.scorers = scorers
        item.gated = gated
        item.variant = callspec.id if callspec is not None else ""
        for tag in case.tags:
            item.add_marker(marks.tag(tag))
        if case.skip is not None:
            item.add_marker(pytest.mark.skip(reason=case.skip))
        if case.xfail is not None:
            item.add_marker(marks.xfail(case.xfail))
        return item


def _leaves(criteria: Iterable[Criterion]) -> Iterator[Criterion]:
    for criterion in criteria:
        if criterion.parts:
            yield from _leaves(criterion.parts)
        else:
            yield criterion


class _Marks:
    """Marks of tags and of expected failures, each made once."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tags: dict[str, pytest.MarkDecorator] = {}

    def tag(self, name: str) -> pytest.MarkDecorator:
        mark = self._tags.get(name)
        if mark is None:
            self._config.addinivalue_line("markers", f"{name}: a tag of evaluation cases")
            mark = self._tags[name] = getattr(pytest.mark, name)
        return mark

    def xfail(self, reason: str) -> pytest.MarkDecorator:
        from .outcomes import CaseFailed

        # an xfail forgives a miss, not an error
        return pytest.mark.xfail(reason=reason, raises=CaseFailed)
