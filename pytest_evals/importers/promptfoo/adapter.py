"""Python code that was written for promptfoo, as targets and criteria of an imported suite.

The file that an import writes beside a suite calls these: ``answer = provider(__file__, "../provider.py")``.
"""

from __future__ import annotations

import inspect
import json
import math
import sys
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from ...errors import ScorerError, TargetError
from ...model.case import Case
from ...model.response import Response, Usage
from ...model.score import Score

Config = Mapping[str, Any] | None


def provider(beside: str, file: str, function: str = "call_api", config: Config = None) -> Callable[..., Any]:
    """The provider in a Python file as a target. ``beside`` is the file that paths start at."""
    call_api = _function(beside, file, function)
    options = {"id": f"python:{file}", "config": dict(config or {})}

    def arguments(question: Any, case: Case) -> tuple[str, dict[str, Any], dict[str, Any]]:
        prompt = question if isinstance(question, str) else json.dumps(question, ensure_ascii=False)
        return prompt, options, {"vars": dict(case.vars), "prompt": {"raw": prompt, "label": prompt}}

    if inspect.iscoroutinefunction(call_api):

        async def answer_later(input: Any, case: Case) -> Response:
            return _response(await call_api(*arguments(input, case)))

        return answer_later

    def answer(input: Any, case: Case) -> Response:
        return _response(call_api(*arguments(input, case)))

    return answer


def check(
    beside: str,
    assertion: str | Callable[..., Any],
    function: str = "get_assert",
    config: Config = None,
    *,
    threshold: float | None = None,
    graded: bool = False,
) -> Callable[..., Any]:
    """The assertion in a Python file, or one that is a function, as a criterion.

    Its verdict is the score: what it returns with a number, its own ``pass``, and ``threshold`` say. ``graded``: the
    number itself is, for tests of which only the mean counts.
    """
    asked = _function(beside, assertion, function) if isinstance(assertion, str) else assertion

    def answered(actual: Any, case: Case, response: Response | None = None) -> Score:
        output = actual if isinstance(actual, str) else json.dumps(actual, ensure_ascii=False)
        context: dict[str, Any] = {"prompt": case.input, "vars": dict(case.vars), "test": {"vars": dict(case.vars)}}
        if config is not None:
            context["config"] = dict(config)
        metadata = dict(response.metadata) if response is not None else {}
        context |= {"metadata": metadata, "providerResponse": {"output": output, "metadata": metadata}}
        return _score(asked(output, context), threshold, graded=graded)

    return answered


def _function(beside: str, file: str, name: str) -> Callable[..., Any]:
    path = (Path(beside).parent / file).resolve()
    spec = spec_from_file_location(f"_promptfoo_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise TargetError(f"there is no Python file {path}")
    if str(path.parent) not in sys.path:  # it may import what stands beside it
        sys.path.insert(0, str(path.parent))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not callable(found):
        raise TargetError(f"{path} has no function {name}")
    return found  # type: ignore[no-any-return]


def _response(given: Any) -> Response:
    if not isinstance(given, Mapping):
        return Response(given)
    if given.get("error"):
        raise RuntimeError(str(given["error"]))
    usage = given.get("tokenUsage") or given.get("token_usage") or {}
    metadata = given.get("metadata")
    return Response(
        given.get("output"),
        usage=Usage(usage.get("prompt"), usage.get("completion"), usage.get("cached")) if usage else None,
        cost_usd=given.get("cost"),
        metadata=metadata if isinstance(metadata, Mapping) else {},
    )


def _score(given: Any, threshold: float | None, *, graded: bool) -> Score:
    reason, passes = "", None
    if not isinstance(given, (bool, int, float, Mapping)):
        names = ("pass_", "pass", "score", "reason")  # a GradingResult of a class
        given = {name: getattr(given, name) for name in names if hasattr(given, name)} or given
    if isinstance(given, Mapping):
        passes = given.get("pass", given.get("pass_"))
        reason = str(given.get("reason") or "")
        given = given.get("score", passes)
    if isinstance(given, bool):
        return Score(given if passes is None else bool(passes), reason)
    if not isinstance(given, (int, float)) or math.isnan(given):
        raise ScorerError(f"the assertion returned {type(given).__name__}, not a bool, a number or a GradingResult")
    if graded:
        return Score(given, reason)
    reached = given >= threshold if threshold is not None else given > 0 or passes is not None
    return Score(reached and passes is not False, reason, {"score": given})
