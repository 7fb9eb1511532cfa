"""From a suite file to pytest items.

A suite is a ``pytest.Module`` with a synthetic module, and every case a real ``pytest.Function``, so that fixtures of
every scope, marks, ``-k``, ``--lf``, reruns, timeouts and JUnit work as for tests. pytest makes one template item for
each set of fixtures (through the public hook, so that other plugins see it too); the cases are clones of it that share
its fixture information: 10,000 cases collect in 2.5 s instead of 6.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ..engine.criteria import function_scorer
from ..errors import EvalsError, ScorerError, SuiteError, TargetError
from ..model.case import DRAFT, TargetSpec
from ..model.criterion import FUNCTION
from ..model.gate import covers, is_absolute_pass_rate
from ..model.ids import node_name
from ..model.judge import NO_JUDGE, SCORER
from ..model.llm import ModelSpec
from ..model.memory import collector_paused
from ..model.place import Place, Problem, did_you_mean
from .items import CaseItem

if TYPE_CHECKING:
    from ..engine.target import Target
    from ..model.case import Case, Suite, Variant
    from ..model.gate import Gate
    from .state import State

SCORER_SUFFIX = "_scorer"
VARIANT = "evals_variant"
"""The parameter, and the fixture, that tells of the variant."""
BUILT_IN = "pytest_evals.plugin.fixtures"
"""The module of the built-in scorers."""


class Configuration(NamedTuple):
    """A way in which the cases of a suite run."""

    variant: Variant | None
    """``None`` when the suite has no variants."""
    spec: TargetSpec
    target: Target | None
    """``None`` where a fixture gives it."""

    @property
    def id(self) -> str:
        return "" if self.variant is None else self.variant.id


class Template(NamedTuple):
    """An item that pytest made, and that cases are clones of."""

    item: pytest.Function
    function: Callable[..., None]
    configuration: Configuration


class SuiteFile(pytest.Module):
    """A suite file as pytest's collector of cases."""

    state: State
    shown: str
    """Its path, as places in messages have it."""

    def _getobj(self) -> types.ModuleType:
        module = types.ModuleType(self.path.name.replace(".", "_"))
        module.__file__ = str(self.path)
        return module

    def funcnamefilter(self, name: str) -> bool:  # noqa: ARG002
        """Every name is a case here, whatever ``python_functions`` says."""
        return True

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """One item per case and variant (and parameter of its fixtures). All mistakes of the file, a line each."""
        try:
            suite = self.state.suite(self)
        except SuiteError as error:
            raise self.CollectError(str(error)) from None
        except EvalsError as error:
            raise self.CollectError(f"{self.state.shown(self.path)}: {error}") from None
        with collector_paused():
            items = list(self._items(suite))
        self.state.counts[self.path] = len(items)
        return iter(items)

    def unknown_scorer(self, name: str) -> str:
        """Why nothing answers a criterion of this name here; "" if a fixture or a function does."""
        if name.startswith(FUNCTION):
            try:
                function_scorer(name, self.path.parent)
            except ScorerError as error:
                return str(error)
            return ""
        if self._has_fixture(name + SCORER_SUFFIX):
            return ""
        hint = did_you_mean(name, self.state.scorer_names())
        return hint or f"; a fixture {name}{SCORER_SUFFIX} in a conftest.py would answer it"

    def check_target(self, spec: TargetSpec) -> Iterable[Problem]:
        """What is wrong with the target besides how it is written."""
        if self.state.scores_again:
            return ()  # nobody calls it
        place = spec.place or Place(self.state.shown(self.path), 1)
        known = self.state.targets.setdefault(self.path, [])
        if spec.kind == "fixture":
            known.append((spec, None))
            return () if self._has_fixture(spec.value) else [Problem(place, f"there is no fixture {spec.value!r}")]
        if isinstance(spec.options, ModelSpec) and (problems := self.state.models.problems(spec.options, place)):
            return problems
        try:
            known.append((spec, self.state.resolve(spec)))
        except SuiteError as error:
            return error.problems
        except TargetError as error:
            return [Problem(place, str(error))]
        return ()

    def check_judge(self, judge: ModelSpec | None, place: Place) -> Iterable[Problem]:
        """What is wrong with the judge of the suite; without one, a fixture of the project's may be asked."""
        if judge is not None:
            return self.state.models.problems(judge, place)
        own = any(self._is_overridden(name) for name in ("judge_model", SCORER + SCORER_SUFFIX))
        return () if own else [Problem(place, NO_JUDGE)]

    def _has_fixture(self, name: str) -> bool:
        return bool(self._definitions(name))

    def _is_overridden(self, name: str) -> bool:
        return any(definition.func.__module__ != BUILT_IN for definition in self._definitions(name))

    def _definitions(self, name: str) -> Sequence[pytest.FixtureDef[Any]]:
        templates, _ = self._template("pytest_evals_probe", (name,))
        delattr(self.obj, "pytest_evals_probe")
        found = [template._fixtureinfo.name2fixturedefs.get(name, ()) for template in templates]
        return next((definitions for definitions in found if definitions), ())

    def _items(self, suite: Suite) -> Iterator[CaseItem]:
        templates: dict[tuple[str, ...], list[Template]] = {}
        configurations = list(self._configurations(suite))
        marks = _Marks(self.config)
        tolerant = not self.state.settings.strict
        gates = [gate for gate in suite.gates if tolerant and is_absolute_pass_rate(gate)]
        uses: dict[tuple[int, ...], tuple[str, ...]] = {}
        for case in suite.cases:
            # cases of a suite mostly share their criteria objects
            key = tuple(id(criterion) for criterion in case.criteria)
            scorers = uses.get(key)
            if scorers is None:
                scorers = tuple(sorted({name for criterion in case.criteria for name in criterion.scorers()}))
                uses[key] = scorers
            made = templates.get(scorers)
            if made is None:
                names = [name + SCORER_SUFFIX for name in scorers]
                made = templates[scorers] = self._templates(node_name(case.id), names, configurations)
            for template in made:
                yield self._clone(template, case, gates, scorers, marks, suite)

    def _configurations(self, suite: Suite) -> Iterator[Configuration]:
        """The variants of a suite with their targets; a suite without variants is one without a name."""
        if self.state.scores_again:
            from ..workflow.rescore import no_target

            for variant in suite.variants or (None,):
                yield Configuration(variant, TargetSpec("echo", "", self.path.parent), no_target())
            return
        resolved = self.state.targets[self.path]
        for variant in suite.variants or (None,):
            spec = suite.target if variant is None else variant.target
            yield Configuration(variant, spec, next(target for known, target in resolved if known == spec))

    def _templates(self, name: str, scorers: Sequence[str], configurations: Sequence[Configuration]) -> list[Template]:
        """The items that cases with these scorers are clones of, in the order of the variants."""
        groups: dict[str, list[Configuration]] = {}
        for each in configurations:
            groups.setdefault(each.spec.value if each.spec.kind == "fixture" else "", []).append(each)
        found: list[tuple[int, Template]] = []
        for fixture, group in groups.items():
            fixtures = (*((fixture,) if fixture else ()), *scorers)
            variants = [each.variant for each in group if each.variant is not None]
            items, function = self._template(name, fixtures, variants)
            for item in items:
                params: Mapping[str, Any] = item.callspec.params if variants else {}
                given = params.get(VARIANT)
                at = next(n for n, each in enumerate(configurations) if given is None or each.id == given["id"])
                found.append((at, Template(item, function, configurations[at])))
        return [template for _, template in sorted(found, key=lambda pair: pair[0])]

    def _template(
        self, name: str, fixtures: Sequence[str], variants: Sequence[Variant] = ()
    ) -> tuple[list[pytest.Function], Callable[..., None]]:
        names = dict.fromkeys([*fixtures, *([VARIANT] if variants else [])])
        parameters = [inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY) for each in names]

        def case_function(**fixtures: Any) -> None:
            pass  # a stand-in, without a docstring that pytest would show: a case is run by its item

        function: Any = case_function
        function.__signature__ = inspect.Signature(parameters)
        function.__test__ = True
        function.pytestmark = [pytest.mark.evals.mark]
        if variants:
            given, ids = [each.given() for each in variants], [each.id for each in variants]
            function.pytestmark.append(pytest.mark.parametrize(VARIANT, given, ids=ids).mark)
        setattr(self.obj, name, function)  # pytest looks its functions up in their module
        made = self.ihook.pytest_pycollect_makeitem(collector=self, name=name, obj=function)
        items = made if isinstance(made, list) else [made]
        templates = [item for item in items if isinstance(item, pytest.Function)]
        for template in templates:
            _give_way(template, fixtures)
        return templates, function

    def _clone(
        self,
        template: Template,
        case: Case,
        gates: Sequence[Gate],
        scorers: tuple[str, ...],
        marks: _Marks,
        suite: Suite,
    ) -> CaseItem:
        callspec = getattr(template.item, "callspec", None)
        name = node_name(case.id)
        item: CaseItem = CaseItem.from_parent(
            self,
            name=f"{name}[{callspec.id}]" if callspec is not None else name,
            callspec=callspec,
            callobj=template.function,
            fixtureinfo=template.item._fixtureinfo,
            originalname=name,
        )
        configuration = template.configuration
        item.case = case if configuration.variant is None else configuration.variant.of(case)
        item.suite = suite
        item.state = self.state
        item.target = configuration.target
        item.configuration = configuration.variant
        item.number = self.state.next_number()
        item.scorers = scorers
        item.gated = any(
            covers(gate, suite=suite.name, tags=case.tags, category=case.category, variant=configuration.id)
            for gate in gates
        )
        item.variant = callspec.id if callspec is not None else ""
        # set although they are defaults: a key that is new after 10,000 items costs each a dict of its own, in all 7 MB
        item.result, item.output, item.seconds = None, None, 0.0
        for tag in case.tags:
            item.add_marker(marks.tag(tag))
        if case.skip is not None:
            item.add_marker(pytest.mark.skip(reason=case.skip))
        if case.xfail is not None:
            item.add_marker(marks.xfail(case.xfail))
        return item


def _give_way(template: pytest.Function, fixtures: Iterable[str]) -> None:
    """Let scorers of other plugins override the built-in ones, also when pytest loaded those plugins first."""
    known = template._fixtureinfo.name2fixturedefs
    for name in fixtures:
        definitions = known.get(name, ())
        if len(definitions) > 1:
            known[name] = sorted(definitions, key=lambda definition: definition.func.__module__ != BUILT_IN)


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
        from .outcomes import CaseErrored, CaseFailed

        if reason == DRAFT:  # whatever it comes to, also where the project wants surprises to be failures
            return pytest.mark.xfail(reason=reason, raises=(CaseFailed, CaseErrored), strict=False)
        # an xfail forgives a miss, not an error
        return pytest.mark.xfail(reason=reason, raises=CaseFailed)
