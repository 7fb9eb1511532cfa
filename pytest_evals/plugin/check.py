"""The ``evals`` fixture: checks inside ordinary tests that land in the same aggregate as the cases of suites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..engine.runner import Identity
from ..engine.target import Target
from ..errors import UsageError
from ..model.case import Case, ExperimentSpec
from ..model.criterion import Criterion
from ..model.outcome import Outcome
from ..model.place import Place
from ..model.response import Response, as_response
from ..model.result import CaseResult
from ..model.trajectory import given_trajectories
from .outcomes import CaseErrored, CaseFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..atif.collector import Collector
    from .state import State

CHECKS: pytest.StashKey[list[CaseResult]] = pytest.StashKey()


class Evals:
    """Scores answers inside an ordinary test. Every check counts as one case; its suite is the test's file."""

    def __init__(self, request: pytest.FixtureRequest, state: State, collector: Collector) -> None:
        """``collector`` has the trajectories that the test records; a check takes those since the one before."""
        self._collector = collector
        self._request = request
        self._state = state
        self._item: pytest.Item = request.node
        self._results = self._item.stash.setdefault(CHECKS, [])
        self._names: set[str] = set()

    def check(
        self,
        output: Any,
        expected: Any = None,
        *,
        criteria: Sequence[str | Mapping[str, Any]] = (),
        scores: Mapping[str, Any] | None = None,
        references: Iterable[str] = (),
        name: str | None = None,
        input: Any = None,
        context: Any = None,
        threshold: float | None = None,
        category: str | None = None,
        tags: Iterable[str] = (),
        metadata: Mapping[str, Any] | None = None,
    ) -> CaseResult:
        """Score an answer and fail the test when it misses its marks.

        ``output`` is the answer, or a ``Response``. ``criteria`` are written as in a suite (``"contains"``,
        ``{"levenshtein": {"threshold": 0.8}}``); ``scores`` are numbers from 0 to 1 or bools you computed yourself.
        One of both must be given. Returns the result; raises as a failed or errored test otherwise.
        """
        if not criteria and not scores:
            raise UsageError("evals.check needs `criteria` or `scores`: without one nothing is checked")
        case = self._case(
            name, input, context, expected, tuple(references), threshold, category, tags, metadata, criteria
        )
        result = self._score(case, as_response(output), scores or {})
        self._results.append(result)
        if result.outcome is Outcome.ERRORED:
            raise CaseErrored(self._state.explain(result))
        if result.outcome is Outcome.FAILED:
            raise CaseFailed(self._state.explain(result))
        return result

    def record(
        self,
        output: Any,
        *,
        scores: Mapping[str, Any] | None = None,
        expected: Any = None,
        name: str | None = None,
        input: Any = None,
        context: Any = None,
        category: str | None = None,
        tags: Iterable[str] = (),
        metadata: Mapping[str, Any] | None = None,
    ) -> CaseResult:
        """Keep an answer and the scores you computed, without a verdict: the outcome is *scored*."""
        case = self._case(name, input, context, expected, (), "unset", category, tags, metadata, ())
        result = self._score(case, as_response(output), scores or {})
        self._results.append(result)
        return result

    def _case(
        self,
        name: str | None,
        question: Any,
        context: Any,
        expected: Any,
        references: tuple[str, ...],
        threshold: Any,
        category: str | None,
        tags: Iterable[str],
        metadata: Mapping[str, Any] | None,
        criteria: Sequence[str | Mapping[str, Any]],
    ) -> Case:
        path, line, _ = self._item.location
        place = Place(path, (line or 0) + 1)
        return Case(
            id=self._name(name),
            input=question,
            criteria=_criteria(criteria, expected, references) if criteria else (),
            suite=self._item.nodeid.partition("::")[0],
            category=category,
            tags=tuple(tags),
            context=context,
            expected_output=expected,
            reference_outputs=references,
            threshold=threshold,
            metadata=dict(metadata or {}),
            place=place,
        )

    def _name(self, name: str | None) -> str:
        test = self._item.nodeid.partition("::")[2]
        wanted = f"{test}/{name}" if name else test
        unique, number = wanted, 1
        while unique in self._names:
            number += 1
            unique = f"{wanted}#{number}"
        self._names.add(unique)
        return unique

    def _score(self, case: Case, response: Response, scores: Mapping[str, Any]) -> CaseResult:
        if recorded := self._collector.take():
            response = replace(response, trajectory=[*given_trajectories(response.trajectory), *recorded])
        target = Target("test", lambda: response, passes_input=None, inline=True)
        scorers = {name: self._scorer(name) for criterion in case.criteria for name in criterion.scorers()}
        given = {f"given:{name}": value for name, value in scores.items()}
        own = tuple(Criterion(scorer=f"given:{name}", name=name) for name in scores)
        clash = {criterion.name for criterion in case.criteria} & set(scores)
        if clash:
            raise UsageError(f"{sorted(clash)[0]!r} is among `criteria` and `scores`; rename one")
        full = replace(case, criteria=case.criteria + own)
        scorers |= {name: _Given(value) for name, value in given.items()}
        identity = Identity(self._item.nodeid, experiment=self._state.experiment(ExperimentSpec()).name)
        if response.cost_usd is not None or response.usage is not None:
            self._state.ledger.count(response)  # the test spent it
        return self._state.redacted(self._state.engine.run(full, target, scorers, identity))

    def _scorer(self, name: str) -> Any:
        try:
            return self._request.getfixturevalue(f"{name}_scorer")
        except pytest.FixtureLookupError:
            raise UsageError(f"unknown criterion {name!r}: there is no fixture {name}_scorer") from None


def _criteria(
    criteria: Sequence[str | Mapping[str, Any]], expected: Any, references: tuple[str, ...]
) -> tuple[Criterion, ...]:
    """The criteria, read and checked as in a suite."""
    from ..scoring import specs
    from ..suite import suite_of

    case = {"id": "check", "input": "", "criteria": list(criteria)}
    if expected is not None:
        case["expected_output"] = expected
    if references:
        case["reference_outputs"] = list(references)
    return suite_of({"target": "echo", "cases": [case]}, specs=specs(), base=Path.cwd()).cases[0].criteria


class _Given:
    """A score the test computed itself."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __call__(self) -> Any:
        return self._value
