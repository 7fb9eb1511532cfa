"""Asking the scorers: every criterion of a case gets a score, or the reason why there is none."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import JudgeError, ProviderError, ScorerError, TargetError
from ..model.case import Case
from ..model.conversation import USER, turn_responses, turns_of
from ..model.criterion import FUNCTION, Criterion
from ..model.judge import JUDGE, add_up
from ..model.outcome import ErrorKind
from ..model.response import Response
from ..model.result import CaseError, CriterionResult
from ..model.score import GRADED_MARK, YES_NO_MARK, Score, as_score
from .call import Ended, Identity
from .failure import case_error
from .importing import import_named

ARGUMENTS = ("actual", "expected", "references", "case", "response", "options", "criterion", "trial", "identity")
"""What a scorer may ask for, by the names of its parameters."""

Resolve = Callable[[Awaitable[Any]], Any]
"""Waits for what an asynchronous scorer returned."""


@dataclass(frozen=True, slots=True)
class _Scored:
    score: Score
    graded: bool
    mark: float
    """To be reached where no threshold is stated."""


def answer_criteria(
    case: Case,
    response: Response,
    scorers: Mapping[str, Callable[..., Any]],
    resolve: Resolve,
    ahead: Mapping[int, Ended] | None = None,
    passthrough: tuple[type[BaseException], ...] = (),
    trial: int = 1,
    identity: Identity = Identity(),  # noqa: B008  (a frozen value)
) -> tuple[CriterionResult, ...]:
    """Score the response by each criterion of the case. One that cannot be scored does not stop the others.

    ``ahead`` holds what scorers said already, by the identity of the criterion; ``trial`` is which one answered, and
    ``identity`` what is known of the case beyond its definition.
    """
    results = []
    said = ahead or {}
    for criterion in case.criteria:
        try:
            score = _score if criterion.turn is None else _score_turns
            scored = score(criterion, case, response, scorers, resolve, said, trial, identity)
        except passthrough:
            raise
        except Exception as error:
            results.append(_failed(criterion, error))
        else:
            results.append(_result(criterion, scored))
    return tuple(results)


def _result(criterion: Criterion, scored: _Scored) -> CriterionResult:
    return CriterionResult(
        name=criterion.name,
        scorer=criterion.scorer,
        mark=scored.mark if criterion.threshold is None else criterion.threshold,
        score=float(scored.score.value),
        weight=criterion.weight,
        threshold=criterion.threshold,
        reason=scored.score.reason,
        detail=scored.score.detail,
    )


def _failed(criterion: Criterion, error: Exception) -> CriterionResult:
    later = isinstance(error, ProviderError)  # a service that a scorer asks, and that says nothing of the answer
    prefix = "" if isinstance(error, ScorerError) else f"scorer {criterion.scorer!r} raised "
    if later:
        prefix = f"scorer {criterion.scorer!r}: "
    unread = isinstance(error, JudgeError)
    kind = ErrorKind.PROVIDER if later else ErrorKind.JUDGE if unread else ErrorKind.SCORER
    cause: CaseError = case_error(kind, error, prefix)
    return CriterionResult(
        name=criterion.name,
        scorer=criterion.scorer,
        mark=criterion.threshold,
        weight=criterion.weight,
        threshold=criterion.threshold,
        detail={JUDGE: error.facts} if isinstance(error, JudgeError) and error.facts else {},
        error=cause,
    )


def _score(
    criterion: Criterion,
    case: Case,
    response: Response,
    scorers: Mapping[str, Callable[..., Any]],
    resolve: Resolve,
    said: Mapping[int, Ended],
    trial: int,
    identity: Identity,
) -> _Scored:
    if criterion.parts:
        parts = [_score(part, case, response, scorers, resolve, said, trial, identity) for part in criterion.parts]
        return _combine(criterion, parts)
    scorer = scorer_of(criterion, scorers)
    if id(criterion) in said:
        value = said[id(criterion)].result()
    else:
        value = scorer(**scorer_arguments(scorer, criterion, case, response, trial, identity))
        if inspect.isawaitable(value):
            value = resolve(value)
    score = as_score(value, criterion.scorer)
    spec = getattr(scorer, "spec", None)
    if spec is not None:
        return _Scored(score, spec.graded, spec.mark)
    graded = not isinstance(score.value, bool)
    return _Scored(score, graded, GRADED_MARK if graded else YES_NO_MARK)


def _score_turns(
    criterion: Criterion,
    case: Case,
    response: Response,
    scorers: Mapping[str, Callable[..., Any]],
    resolve: Resolve,
    said: Mapping[int, Ended],
    trial: int,
    identity: Identity,
) -> _Scored:
    """Score the reply of one turn of a conversation; of all turns the worst."""
    replies, turns = turn_responses(response), turns_of(case.input)
    if not replies:
        raise ScorerError(f"turn: {criterion.turn} asks for a turn of a conversation, and the answer is none")
    numbers = range(1, len(replies) + 1)
    if criterion.turn != "all":
        number = criterion.turn if isinstance(criterion.turn, int) else len(replies)
        if number not in numbers:
            raise ScorerError(f"turn: {criterion.turn} was not played; the conversation has {len(replies)}")
        numbers = range(number, number + 1)
    scored = []
    for number in numbers:
        reply = replies[number - 1]
        expected = turns[number - 1].expected_output if number <= len(turns) else None
        asked = replace(
            case,
            input=reply.metadata.get(USER),
            expected_output=case.expected_output if expected is None else expected,
        )
        scored.append(_score(criterion, asked, reply, scorers, resolve, said, trial, identity))
    position = min(range(len(scored)), key=lambda n: scored[n].score.value)
    worst = scored[position]
    judged = [one.score.detail[JUDGE] for one in scored if isinstance(one.score.detail.get(JUDGE), Mapping)]
    took = {JUDGE: add_up(judged)} if judged else {}
    reason = f"turn {numbers[position]}: {worst.score.reason}"
    return replace(worst, score=Score(worst.score.value, reason, {**worst.score.detail, **took}))


def scorer_arguments(
    scorer: Callable[..., Any],
    criterion: Criterion,
    case: Case,
    response: Response,
    trial: int = 1,
    identity: Identity = Identity(),  # noqa: B008  (a frozen value)
) -> dict[str, Any]:
    """What the scorer's signature asks for."""
    offered = {
        "actual": response.output,
        "expected": case.expected_output,
        "references": case.reference_outputs,
        "case": case,
        "response": response,
        "options": criterion.options,
        "criterion": criterion,
        "trial": trial,
        "identity": identity,
    }
    return {name: offered[name] for name in _asked(scorer)}


def scorer_of(criterion: Criterion, scorers: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
    """The scorer that answers a criterion. Raises ``ScorerError`` when there is none that could be called."""
    if criterion.scorer.startswith(FUNCTION):
        return function_scorer(criterion.scorer, criterion.base)
    scorer = scorers[criterion.scorer]
    if not callable(scorer):
        raise ScorerError(f"scorer {criterion.scorer!r} is a {type(scorer).__name__}, which cannot be called")
    return scorer


@lru_cache(maxsize=512)
def function_scorer(scorer: str, base: Path | None) -> Callable[..., Any]:
    """The function that ``python:pkg.mod:function`` names. Raises ``ScorerError`` when it cannot answer criteria."""
    name = scorer.removeprefix(FUNCTION)
    what = f"criterion 'python: {name}'"
    try:
        found = import_named(name, base or Path.cwd(), what)
    except TargetError as error:
        raise ScorerError(str(error)) from error.__cause__
    if inspect.isclass(found) or not callable(found):
        kind = "class" if inspect.isclass(found) else type(found).__name__
        raise ScorerError(f"{what} is a {kind}; name a function")
    try:
        _asked(found)
    except (ScorerError, ValueError) as error:  # a built-in function may not tell what it takes
        raise ScorerError(f"{what}: {error}") from None
    scorer_function: Callable[..., Any] = found
    return scorer_function


def leaves(criteria: Iterable[Criterion]) -> Iterator[Criterion]:
    """The criteria that scorers answer, out of combinations too."""
    for criterion in criteria:
        if criterion.parts:
            yield from leaves(criterion.parts)
        else:
            yield criterion


def _combine(criterion: Criterion, parts: list[_Scored]) -> _Scored:
    graded = any(part.graded for part in parts)
    # yes/no parts reach every mark or none
    mark = max((part.mark for part in parts if part.graded), default=YES_NO_MARK)
    if criterion.scorer == "not":
        inner = parts[0].score
        value: float | bool = 1.0 - inner.value if graded else not inner.value
        reason = f"not: {inner.reason}" if inner.reason else ""
        return _Scored(Score(value, reason, inner.detail), graded, mark)
    pick = min if criterion.scorer == "all_of" else max
    chosen = pick(range(len(parts)), key=lambda i: parts[i].score.value)
    inner = parts[chosen].score
    value = float(inner.value) if graded else bool(inner.value)
    name = criterion.parts[chosen].name
    reason = f"{name}: {inner.reason}" if inner.reason else name
    detail = {part.name: float(scored.score.value) for part, scored in zip(criterion.parts, parts, strict=True)}
    judged = [scored.score.detail[JUDGE] for scored in parts if isinstance(scored.score.detail.get(JUDGE), Mapping)]
    took = {JUDGE: add_up(judged)} if judged else {}
    return _Scored(Score(value, reason, {"scores": detail, **took}), graded, mark)


@lru_cache(maxsize=512)
def _asked_by_key(scorer: Callable[..., Any]) -> tuple[str, ...]:
    parameters = inspect.signature(scorer).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return ARGUMENTS
    for parameter in parameters:
        if (
            parameter.name not in ARGUMENTS
            and parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL,)
        ):
            raise ScorerError(
                f"a scorer asks for {parameter.name!r}; a scorer can ask for {', '.join(ARGUMENTS)}",
            )
    return tuple(p.name for p in parameters if p.name in ARGUMENTS)


def _asked(scorer: Callable[..., Any]) -> tuple[str, ...]:
    try:
        return _asked_by_key(scorer)
    except TypeError:  # an unhashable scorer object
        return _asked_by_key.__wrapped__(scorer)
