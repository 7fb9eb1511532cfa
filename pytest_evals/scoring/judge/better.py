"""The scorer ``better_than``: asks the judge which of two answers is better, this one or another run's or variant's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import ScorerError
from ...model.criterion import Option, ScorerSpec
from ...model.judge import BETTER, JUDGE, NO_JUDGE, add_up
from ...model.score import Score
from ..builtin import Asked, Function, define, named
from .criteria import chosen, mistakes, preset_of, scale_of
from .pairwise import Preference, Winner, preferred
from .presets import READY
from .scales import SCALES
from .scorer import RETRIES, LlmJudgeScorer, material_of

if TYPE_CHECKING:
    from ...model.case import Case

WORTH: Mapping[Winner, float] = {"a": 1.0, "tie": 0.5, "b": 0.0}
"""The score by who wins; ``a`` is the answer that is scored."""

_ABOUT_ANSWERS = tuple(name for name, preset in READY.items() if not preset.hides_answer)


@dataclass(frozen=True, slots=True)
class Other:
    """The answer that one is compared with."""

    name: str
    """Whose it is: ``run k3f9x0c2m4ab``, ``variant small``."""
    output: Any


class FindOther(Protocol):
    """Finds the other answer to a case, in the same trial. Raises ``ScorerError`` when there is none."""

    async def __call__(self, case: Case, identity: Any, trial: int, *, run: str, variant: str) -> Other: ...


class BetterThanScorer(LlmJudgeScorer):
    """Asks which answer is better. It must be told how to ask (``with_judge``) and where the others are."""

    __slots__ = ("_find",)

    def __init__(self, spec: ScorerSpec, function: Function | None) -> None:
        super().__init__(spec, function)
        self._find: FindOther | None = None

    def with_others(self, find: FindOther) -> BetterThanScorer:
        """The scorer itself (one of ``with_judge``), told what finds the other answers."""
        self._find = find
        return self

    async def prepare(self, case: Case, identity: Any, trial: int, options: Mapping[str, Any], **_: Any) -> None:
        """Wait for an answer that is under way. What is wrong with it is said when it is asked for."""
        if self._find is not None and options.get("variant"):
            await self._find(case, identity, trial, **_where(options))

    async def respond(self, asked: Asked) -> Score:
        case, ask, find = asked.case, self._ask, self._find
        if ask is None or case is None or find is None:
            raise ScorerError("better_than compares the answers of suites; in Python LLMJudge.compare does")
        models = case.judges or self._models
        if not models:
            raise ScorerError(NO_JUDGE)
        options, preset = asked.options, preset_of(asked.options)
        material = replace(material_of(asked), evidence={}).seen_by(preset)
        other = await find(case, asked.identity, asked.trial, **_where(options))
        found = [
            await preferred(
                ask,
                model,
                material,
                other.output,
                _criteria(asked),
                scale_of(options),
                options["retries"],
                by=preset.by,
                names=("this", other.name),
                trial=asked.trial,
            )
            for model in models
        ]
        return _score(found, [model.name for model in models], other)


def _criteria(asked: Asked) -> Any:
    criterion = asked.criterion
    if criterion is None:
        return chosen(asked.options)
    return chosen(asked.options, "" if criterion.name == BETTER else criterion.name, criterion.description)


def _score(found: Sequence[Preference], models: Sequence[str], other: Other) -> Score:
    """What the judges say together: the answer wins that more than half of them prefer. An error is no winner."""
    for each in found:
        if each.error is not None:
            raise each.error
    detail: dict[str, Any] = {"against": other.name, "other_output": other.output}
    if len(found) == 1:
        [one] = found
        assert one.winner is not None
        return Score(WORTH[one.winner], one.reason, {**detail, **one.detail})
    votes = Counter(each.winner for each in found)
    winner: Winner = next((who for who in ("a", "b") if 2 * votes[who] > len(found)), "tie")
    said = ", ".join(f"{name} {_named(each.winner, other)}" for name, each in zip(models, found, strict=True))
    judges = [
        {"model": name, **{key: value for key, value in each.detail.items() if key != JUDGE}}
        for name, each in zip(models, found, strict=True)
    ]
    took = add_up(each.detail[JUDGE] for each in found if JUDGE in each.detail)
    reason = f"{_named(winner, other)} by {votes[winner]} of {len(found)} judges: {said}"
    return Score(WORTH[winner], reason, {**detail, "winner": winner, "judges": judges, JUDGE: took})


def _named(winner: Winner | None, other: Other) -> str:
    return {"a": "this is better", "b": f"{other.name} is better"}.get(winner or "", "a tie")


def _where(options: Mapping[str, Any]) -> dict[str, str]:
    return {"run": options.get("run") or "", "variant": options.get("variant") or ""}


def _mistakes(options: Mapping[str, Any]) -> Sequence[str]:
    given = [name for name in ("run", "variant") if options.get(name) is not None]
    if len(given) != 1:
        return ["say with which answer it is compared: run or variant, and not both"]
    if not str(options[given[0]]).strip():
        return [f"{given[0]} is blank"]
    return mistakes(options)


SCORERS = named(
    define(
        BETTER,
        None,
        Option("run", "text", "The run that has the other answer: an id, a name, `last`, `last:main`, `last@small`."),
        Option("variant", "text", "The variant of the suite that gives the other answer; it stands before this one."),
        Option("rubric", "text", "By what the answers are compared, in words."),
        Option("preset", "choice", "Criteria that are ready made.", choices=_ABOUT_ANSWERS),
        Option(
            "criteria",
            "json",
            "A list of criteria: names, or mappings with `name`, `weight` (default 1), `description` and `rubric`.",
        ),
        Option("scale", "choice", "In what the judge scores both answers. Default: `0-1`.", choices=(*SCALES,)),
        Option(
            "retries", "integer", "Extra calls when the judge fails or its reply is no verdict.", RETRIES, minimum=0
        ),
        graded=True,
        mark=1.0,
        main="run",
        check=_mistakes,
        made=BetterThanScorer,
    ),
)
