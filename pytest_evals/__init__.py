"""Evaluations of LLM applications as pytest tests.

Public names are loaded on first use: importing this package costs nothing at pytest's start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import experiments as experiments
    from . import trajectory as trajectory
    from .errors import EvalsError as EvalsError
    from .errors import JudgeError as JudgeError
    from .errors import ProviderError as ProviderError
    from .errors import RejectedError as RejectedError
    from .errors import ScorerError as ScorerError
    from .errors import StoreError as StoreError
    from .errors import SuiteError as SuiteError
    from .errors import TargetError as TargetError
    from .errors import TrajectoryError as TrajectoryError
    from .errors import UsageError as UsageError
    from .llm.scripted import ScriptedClient as ScriptedClient
    from .model.case import Case as Case
    from .model.criterion import Criterion as Criterion
    from .model.llm import Endpoint as Endpoint
    from .model.llm import LlmClient as LlmClient
    from .model.llm import Reply as Reply
    from .model.llm import Request as Request
    from .model.llm import Tool as Tool
    from .model.outcome import Outcome as Outcome
    from .model.response import Response as Response
    from .model.response import ToolCall as ToolCall
    from .model.response import Usage as Usage
    from .model.result import CaseResult as CaseResult
    from .model.score import Score as Score
    from .scoring import normalise_transcript as normalise_transcript
    from .scoring import score as score
    from .scoring import word_errors as word_errors
    from .workflow.llmjudge import LLMJudge as LLMJudge
    from .workflow.run_suite import run_suite as run_suite
    from .workflow.suiterun import SuiteRun as SuiteRun

_HOMES = {
    "EvalsError": "errors",
    "JudgeError": "errors",
    "ProviderError": "errors",
    "RejectedError": "errors",
    "ScorerError": "errors",
    "StoreError": "errors",
    "SuiteError": "errors",
    "TargetError": "errors",
    "TrajectoryError": "errors",
    "UsageError": "errors",
    "Case": "model.case",
    "CaseResult": "model.result",
    "Criterion": "model.criterion",
    "Endpoint": "model.llm",
    "LLMJudge": "workflow.llmjudge",
    "LlmClient": "model.llm",
    "Outcome": "model.outcome",
    "Reply": "model.llm",
    "Request": "model.llm",
    "ScriptedClient": "llm.scripted",
    "Tool": "model.llm",
    "Response": "model.response",
    "Score": "model.score",
    "SuiteRun": "workflow.suiterun",
    "ToolCall": "model.response",
    "Usage": "model.response",
    "experiments": "experiments",
    "normalise_transcript": "scoring",
    "run_suite": "workflow.run_suite",
    "score": "scoring",
    "trajectory": "trajectory",
    "word_errors": "scoring",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - one list of names, not two


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{home}")
    return module if home == name else getattr(module, name)


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
