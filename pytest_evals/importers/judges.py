"""Criteria that a model judges: where all importers turn to with one.

Another tool's judge, with its own prompt and scale, is none of ours: a person chooses one and writes ``llm_judge``. So
``judged`` gives no criterion, and what was to be judged is kept in the suite. This is the only place that decides so: a
criterion returned here stands in the imported suites of all formats.
"""

from __future__ import annotations

from dataclasses import dataclass

from .criteria import Draft

WHY = "a model judges it; choose a judge, and write it as llm_judge. The text is kept under x-not-imported"
"""What notes say of a criterion that ``judged`` does not make."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model was to judge."""

    kind: str
    """As the other tool names it: ``llm-rubric``, ``LLMJudge``, ``model_graded_qa``."""
    text: str
    """The rubric, statement or question; empty when the kind alone says it."""
    threshold: float | None = None
    model: str = ""
    """The judge, as the other tool names it."""


def judged(judgement: Judgement) -> Draft | None:
    """The criterion for a judgement; ``None`` when a person must choose one."""
    del judgement
    return None
