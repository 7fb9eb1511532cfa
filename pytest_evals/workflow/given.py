"""The suite, the target and the scorers that a program means by what it gives ``run_suite``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..engine.criteria import function_scorer
from ..engine.judging import Judges
from ..engine.model import Models
from ..engine.target import Target, from_callable, resolve
from ..errors import ScorerError, UsageError
from ..model.case import Case, ExperimentSpec, Suite, TargetSpec
from ..model.criterion import FUNCTION
from ..model.gate import Gate
from ..model.gate_grammar import parse_gate
from ..model.judge import NO_JUDGE, SCORER
from ..model.llm import ModelSpec
from ..model.place import IN_NO_FILE, Place, Problem, did_you_mean
from ..scoring import WITH_JUDGE, names, specs
from ..store.names import check_experiment_name
from ..suite import read_responses, read_suite, suite_of
from .asked import AskedHashes
from .embedding import scorer_with_models
from .judging import Own, judge_scorer
from .others import FindOthers
from .where import project

Cases = str | os.PathLike[str] | Suite | Iterable[Case | Mapping[str, Any]]
"""A suite file, a suite, or cases: ``Case``s, or mappings with the keys a case has in a suite file."""

GivenTarget = Callable[..., Any] | str | Mapping[str, Any] | TargetSpec | None
"""A callable, or what stands under ``target`` in a suite file; ``None``: the target of the suite."""

Scorer = Callable[..., Any]

_ANY_CASE = {"id": "any", "input": "any", "expected_output": "any", "criteria": ["exact_match"]}


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to run."""

    suite: Suite
    targets: Mapping[str, Target]
    """By the variant's id; by "" in a suite without variants."""
    scorers: Mapping[str, Scorer]
    """Those that the cases ask for, by name."""
    file: str
    """The suite file as shown; empty for a suite that is in no file."""
    asked: AskedHashes = field(default_factory=AskedHashes)


def read_work(
    cases: Cases,
    target: GivenTarget,
    *,
    name: str | None,
    scorers: Mapping[str, Scorer],
    criteria: Sequence[Any],
    defaults: Mapping[str, Any],
    gates: Iterable[str],
    experiment: str | Mapping[str, Any] | None,
    models: Models | None = None,
    judge: Any = None,
    judges: Callable[[Sequence[Own]], Judges] | None = None,
    others: Callable[[], FindOthers] | None = None,
) -> Work:
    """Read and check all of it. Raises ``SuiteError`` for mistakes in a file, ``UsageError`` for others."""
    base = Path(cases).absolute().parent if isinstance(cases, (str, os.PathLike)) else Path.cwd()
    own = _Scorers(scorers, base, judge, judges, models, others)
    gates = [gates] if isinstance(gates, str) else [*gates]
    file = ""
    if isinstance(cases, (str, os.PathLike, Suite)):
        if name is not None or criteria or defaults:
            raise UsageError("name, criteria and defaults are for cases given as mappings; a suite states its own")
        if isinstance(cases, Suite):
            suite, file = cases, shown(cases.path)
        else:
            path = Path(cases).absolute()
            file = shown(path)
            suite = read_suite(
                path,
                specs=specs(),
                shown=file,
                unknown_scorer=own.why_unknown,
                check_judge=own.check_judge,
                top=project(path.parent)[0],
            )
    else:
        suite, gates = _of_cases(cases, target, name or "suite", own, criteria, defaults, gates)
    suite = replace(
        suite,
        gates=(*suite.gates, *(parse_gate(text, suite=suite.name) for text in gates)),
        experiment=_experiment(suite.experiment, experiment),
    )
    _check(suite.cases, own)
    return Work(suite, _targets(target, suite, models), own.used(suite.cases), file)


def shown(path: Path) -> str:
    """The path relative to the current directory when below it."""
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)


def _of_cases(
    cases: Iterable[Any],
    target: GivenTarget,
    name: str,
    own: _Scorers,
    criteria: Sequence[Any],
    defaults: Mapping[str, Any],
    gates: list[str],
) -> tuple[Suite, list[str]]:
    """The suite of a list of cases, and the gates that are not in it yet."""
    if isinstance(cases, Mapping):
        raise UsageError("cases are given as a list: [case, …]")
    listed = [*cases]
    written = [case for case in listed if isinstance(case, Mapping)]
    if target is None:
        raise UsageError("cases need a target: run_suite(cases, target)")
    if len(written) == len(listed):
        return _of_mappings(written, target, name, own, criteria, defaults, gates), []
    if written or not all(isinstance(case, Case) for case in listed):
        kinds = ", ".join(dict.fromkeys(type(case).__name__ for case in listed))
        raise UsageError(f"cases are either all Case objects or all mappings, not {kinds}")
    if criteria or defaults:
        raise UsageError("criteria and defaults are for cases given as mappings; a Case has its own criteria")
    made = tuple(replace(case, suite=name, name=case.name or case.id) for case in listed)
    return Suite(name, Path.cwd() / name, TargetSpec("echo", "", Path.cwd()), made), gates


def _of_mappings(
    cases: Sequence[Mapping[str, Any]],
    target: GivenTarget,
    name: str,
    own: _Scorers,
    criteria: Sequence[Any],
    defaults: Mapping[str, Any],
    gates: Sequence[str],
) -> Suite:
    beneath = dict(defaults)
    if criteria:
        listed = [criteria] if isinstance(criteria, (str, Mapping)) else [*criteria]
        beneath["criteria"] = [*beneath.get("criteria", ()), *listed]
    # of a target that only answers from a file, cases need no input: the reader must know
    known = target if isinstance(target, (str, Mapping)) else "echo"
    data = {"suite": name, "target": known, "cases": cases, "gates": gates}
    if beneath:
        data["defaults"] = beneath
    suite = suite_of(data, specs=specs(), base=Path.cwd(), unknown_scorer=own.why_unknown, check_judge=own.check_judge)
    return replace(
        suite,
        cases=tuple(_placed(case) for case in suite.cases),
        gates=tuple(_placeless(gate) for gate in suite.gates),
        target=replace(suite.target, place=None),
    )


def _placed(case: Case) -> Case:
    """The case with a place if it is a row of a data file; others stand in no file."""
    return replace(case, place=None) if case.place is not None and case.place.path == IN_NO_FILE else case


def _placeless(gate: Gate) -> Gate:
    return replace(gate, place=None)


def _experiment(stated: ExperimentSpec, given: str | Mapping[str, Any] | None) -> ExperimentSpec:
    if given is None:
        return stated
    if isinstance(given, str):
        return replace(stated, name=check_experiment_name(given))
    data = {"target": "echo", "cases": [_ANY_CASE], "experiment": given}
    return suite_of(data, specs=specs(), base=Path.cwd()).experiment


def _targets(given: GivenTarget, suite: Suite, models: Models | None) -> dict[str, Target]:
    """The target of each variant; a target that is given stands in the place of all of them."""
    if given is not None or not suite.variants:
        target = _target(given if given is not None else suite.target, suite, models)
        return dict.fromkeys([variant.id for variant in suite.variants] or [""], target)
    made: list[tuple[TargetSpec, Target]] = []
    targets: dict[str, Target] = {}
    for variant in suite.variants:
        known = next((target for spec, target in made if spec == variant.target), None)
        if known is None:
            known = _target(variant.target, suite, models)
            made.append((variant.target, known))
        targets[variant.id] = known
    return targets


def _target(
    given: Callable[..., Any] | str | Mapping[str, Any] | TargetSpec, suite: Suite, models: Models | None
) -> Target:
    spec: TargetSpec
    if isinstance(given, TargetSpec):
        spec = given
    elif isinstance(given, (str, Mapping)):
        spec = suite_of({"target": given, "cases": [_ANY_CASE]}, specs=specs(), base=Path.cwd()).target
    elif callable(given):
        return _asked(from_callable(given, _label(given)), suite.cases)
    else:
        kind = type(given).__name__
        raise UsageError(f"the target is of type {kind}; give a callable, or what stands under target in a suite file")
    if spec.kind == "fixture":
        raise UsageError(f"target {spec}: fixtures are pytest's; give run_suite a callable in its place")
    if spec.kind == "responses":
        answers = (spec.base / spec.value).resolve()
        return resolve(spec, read_responses(answers, shown=shown(answers)))
    return _asked(resolve(spec, models=models), suite.cases)


def _asked(target: Target, cases: Iterable[Case]) -> Target:
    """The target, which is asked something: a suite of recorded answers may have cases without an input."""
    without = next((case.id for case in cases if case.input is None and case.user is None), None)
    if without is not None:
        raise UsageError(f"case {without!r} has no input; give what the target is asked ('' for the empty text)")
    return target


def _label(function: Callable[..., Any]) -> str:
    """How results name a callable: ``my_app.bot:answer``."""
    while hasattr(function, "func"):  # functools.partial
        function = function.func
    named = function if hasattr(function, "__qualname__") else type(function)
    name: str = named.__qualname__
    module = getattr(named, "__module__", None)
    return name if module in (None, "__main__") else f"{module}:{name}"


def _check(cases: Sequence[Case], own: _Scorers) -> None:
    """What the reader of suite files checks, for ``Case``s that a program made."""
    wrong = [] if cases else ["the suite has no cases; give at least one"]
    wrong += [f"two cases have the id {i!r}; change one" for i, n in Counter(c.id for c in cases).items() if n > 1]
    unknown: dict[str, str] = {}
    for case in cases:
        if not case.id.strip():
            wrong.append("a case needs an id that is not blank")
        if not case.criteria:
            wrong.append(f"case {case.id!r} has no criterion")
        elif not any(criterion.weight for criterion in case.criteria):
            wrong.append(f"case {case.id!r}: the weights of all criteria are 0; give one a weight above 0")
        unknown |= {name: own.why_unknown(name) for criterion in case.criteria for name in criterion.scorers()}
    wrong += [f"unknown criterion {name!r}{why}" for name, why in unknown.items() if why]
    if wrong:
        raise UsageError("; ".join(wrong))


class _Scorers:
    """The scorers by name: those given first, then the built-in ones."""

    def __init__(
        self,
        given: Mapping[str, Scorer],
        base: Path,
        judge: Any = None,
        judges: Callable[[Sequence[Own]], Judges] | None = None,
        models: Models | None = None,
        others: Callable[[], FindOthers] | None = None,
    ) -> None:
        self._given = given
        self._others = others
        self._judge = judge or ""
        self._judges = judges
        self._models = models
        self._base = base
        """The folder that files of functions start from."""
        self._known = {*given, *names()}
        for name, function in given.items():
            if not callable(function):
                raise UsageError(f"scorer {name!r} cannot be called: it is of type {type(function).__name__}")

    def why_unknown(self, name: str) -> str:
        """Why there is no scorer of this name; "" if there is one."""
        if name.startswith(FUNCTION):
            try:
                function_scorer(name, self._base)
            except ScorerError as error:
                return str(error)
            return ""
        if name in self._known:
            return ""
        return did_you_mean(name, self._known) or f"; give one with scorers={{{name!r}: …}}"

    def check_judge(self, judge: ModelSpec | None, place: Place) -> Iterable[Problem]:
        """What is wrong with the judge of a suite; without one, that given to the run is asked."""
        if judge is not None:
            return self._models.problems(judge, place) if self._models is not None else ()
        return () if self._judge or SCORER in self._given else [Problem(place, f"{NO_JUDGE}; here: judge=…")]

    def _built_in(self, name: str) -> Scorer:
        if name in WITH_JUDGE and self._judges is not None and self._others is not None:
            made: Scorer = judge_scorer(name, self._judge, self._judges, self._others)
            return made
        return scorer_with_models(name)

    def used(self, cases: Iterable[Case]) -> dict[str, Scorer]:
        """Those the cases ask for."""
        return {name: self._given[name] if name in self._given else self._built_in(name) for name in _asked_for(cases)}


def _asked_for(cases: Iterable[Case]) -> Iterator[str]:
    yield from dict.fromkeys(name for case in cases for criterion in case.criteria for name in criterion.scorers())
