"""A model that judges: how a scorer asks one, and what judging took, apart from what the target took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .llm import ModelSpec, Reply, Request
    from .result import CriterionResult

SCORER = "llm_judge"
"""The scorer that asks a judge for a score."""

BETTER = "better_than"
"""The scorer that asks a judge which of two answers is better."""

JUDGED = (SCORER, BETTER)

JUDGE = "judge"
"""The key of a score's detail under which it stands what judging took."""

NO_JUDGE = (
    "llm_judge needs a judge: write 'judge: {model: provider/name}' at the top of the suite, "
    "or name one with --evals-judge-model, PYTEST_EVALS_JUDGE_MODEL or evals_judge_model"
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge replied, with what the reply took."""

    reply: Reply
    cost_usd: float | None
    """``None`` when the price is not known."""
    latency_ms: float | None
    """``None`` for a reply that was kept from an earlier call."""


@dataclass(frozen=True, slots=True, order=True)
class JudgeKey:
    """A judge and how it is asked: what a calibration of it is filed under."""

    model: str
    """``provider/name``."""
    prompt: str
    """A hash of all that it is told beside the material of a case."""
    form: str = ""
    """For one criterion: the hash of the same prompt with whatever criterion stands there."""

    def plain(self) -> dict[str, str]:
        """In plain JSON."""
        return {"model": self.model, "prompt": self.prompt, "form": self.form}


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What came out when a judge was held against people's labels."""

    kappa: float | None
    """Cohen's kappa of the verdicts; ``None`` where it is not defined."""
    low: float | None
    """The lower end of its 95 % interval."""
    mark: float | None = None
    """The score from which on an answer passed; ``None``: it is not known, and counts for every mark."""


Calibrations = Mapping[tuple[str, str], Calibrated]
"""By model and prompt (or form)."""

ASKED = "asked"
"""The key under which the judges and prompts stand in what judging took."""


def keys_in(detail: Mapping[str, Any]) -> tuple[JudgeKey, ...]:
    """The judges that a criterion's detail tells of."""
    took = detail.get(JUDGE)
    asked = took.get(ASKED, ()) if isinstance(took, Mapping) else ()
    return tuple(JudgeKey(each["model"], each["prompt"], each.get("form", "")) for each in asked)


class AskJudge(Protocol):
    """Asks a judge once. Raises what clients raise: ``ProviderError`` for what may go well later."""

    async def __call__(self, spec: ModelSpec, request: Request) -> Judged: ...


def add_up(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What several judgements took together: a number that one of them does not know is not known."""
    given = list(parts)
    if len(given) == 1:
        return dict(given[0])
    total: dict[str, Any] = {"model": ", ".join(dict.fromkeys(str(part.get("model", "")) for part in given))}
    asked = [key for part in given for key in part.get(ASKED, ())]
    if asked:
        total[ASKED] = [key for at, key in enumerate(asked) if key not in asked[:at]]
    for key in ("calls", "cached", "input_tokens", "output_tokens", "cost_usd", "latency_ms"):
        values = [part.get(key) for part in given]
        total[key] = None if None in values else sum(value for value in values if value is not None)
    return total


def judging(criteria: Iterable[CriterionResult]) -> dict[str, Any]:
    """What judging took of a trial's criteria; empty when no judge was asked."""
    found = [criterion.detail[JUDGE] for criterion in criteria if isinstance(criterion.detail.get(JUDGE), Mapping)]
    return add_up(found) if found else {}
