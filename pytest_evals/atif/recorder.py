"""Recording what an agent does, while it does it, as a valid document of the newest version."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from ..model.response import Usage
from ..model.text import one_line, text_of
from ..model.trajectory import Trajectory
from ..model.wire import plain
from .collector import COLLECTOR
from .read import read
from .totals import FIELDS, total_of
from .versions import CURRENT

_CONTEXT_BOUNDARIES = ("replace", "append", "truncate")


@contextmanager
def record(
    agent: str,
    *,
    version: str = "unknown",
    model: str | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
    kind: str = "run",
    trajectory_id: str | None = None,
    session_id: str | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Iterator[Recording]:
    """Record the steps of an agent until the block ends.

    Within a target the trajectory becomes part of the case; elsewhere ``document()`` gives it. Calls that run at the
    same time do not mix. A block that raises is recorded, too, up to there. One without steps is not.

    ``tools`` are definitions in the form of OpenAI's functions; ``kind`` says what the agent is doing, in a word of
    yours; ``trajectory_id`` must not occur twice in a history, and is made when it is not given.
    """
    collector = COLLECTOR.get()
    recording = Recording(
        agent,
        version=version,
        model=model,
        tools=tools,
        trajectory_id=trajectory_id,
        session_id=session_id or (collector.session_id if collector is not None else None),
        extra=extra,
    )
    try:
        yield recording
    except BaseException as error:
        recording.note(f"ended with {type(error).__name__}: {one_line(str(error), 300)}")
        raise
    finally:
        if collector is not None and recording.number_of_steps:
            collector.recorded.append(
                Trajectory(recording.document(), kind=kind or "run", artifact_ids=tuple(recording.artifacts))
            )


class ToolUse:
    """A tool call that is being recorded."""

    def __init__(self, step: AgentStep, call_id: str) -> None:
        self._step = step
        self.id = call_id

    def result(self, content: Any = None, *, error: bool = False, extra: Mapping[str, Any] | None = None) -> None:
        """What the tool gave: text, or a JSON value, or a list of parts; ``error`` when it failed."""
        told = {**(extra or {}), **({"is_error": True} if error else {})}
        self._step.observe(content, call_id=self.id, extra=told)

    def delegated(self, subagent: Recording) -> None:
        """The tool was another agent, whose steps are in ``subagent``."""
        self._step.refer(self.id, subagent)


class AgentStep:
    """A step of the agent that is being recorded: calls of tools can be added to it."""

    def __init__(self, recording: Recording, step: dict[str, Any]) -> None:
        self._recording = recording
        self._step = step

    def call(self, name: str, arguments: Mapping[str, Any] | None = None, *, id: str | None = None) -> ToolUse:
        """The agent calls a tool. What it gives is told with ``result``."""
        with self._recording.lock:
            number = self._recording.next_call()
            call_id = id or f"call-{number}"
            given = plain({} if arguments is None else arguments)
            call = {
                "tool_call_id": call_id,
                "function_name": str(name),
                "arguments": given if isinstance(given, dict) else {"value": given},
            }
            self._step.setdefault("tool_calls", []).append(call)
        return ToolUse(self, call_id)

    def observe(
        self, content: Any = None, *, call_id: str | None = None, extra: Mapping[str, Any] | None = None
    ) -> None:
        """What the environment answered: to a call, or by itself."""
        made: dict[str, Any] = {"content": _content(content)}
        if call_id is not None:
            made["source_call_id"] = call_id
        if extra:
            made["extra"] = plain(extra)
        self._add(made)

    def refer(self, call_id: str, subagent: Recording) -> None:
        """The answer to a call is what another agent did."""
        self._add({"source_call_id": call_id, "subagent_trajectory_ref": [{"trajectory_id": subagent.trajectory_id}]})

    def _add(self, result: dict[str, Any]) -> None:
        with self._recording.lock:
            self._step.setdefault("observation", {"results": []})["results"].append(result)


class Recording:
    """A trajectory that is being recorded. Its methods may be called from several threads."""

    def __init__(
        self,
        agent: str,
        *,
        version: str = "unknown",
        model: str | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        trajectory_id: str | None = None,
        session_id: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.trajectory_id = trajectory_id or uuid4().hex
        self.artifacts: list[str] = []
        """Ids of what its steps stored or used."""
        self.lock = threading.RLock()
        self._calls = 0
        self._steps: list[dict[str, Any]] = []
        self._subagents: list[Recording] = []
        self._notes: list[str] = []
        self._about: dict[str, Any] = {"name": str(agent), "version": str(version)}
        if model:
            self._about["model_name"] = str(model)
        if tools:
            self._about["tool_definitions"] = plain(list(tools))
        self._root: dict[str, Any] = {"session_id": str(session_id)} if session_id else {}
        if extra:
            self._root["extra"] = plain(extra)

    @property
    def number_of_steps(self) -> int:
        return len(self._steps)

    def system(self, message: Any, *, extra: Mapping[str, Any] | None = None) -> None:
        """What the agent was told by its makers."""
        self._step("system", message, extra)

    def user(self, message: Any, *, extra: Mapping[str, Any] | None = None) -> None:
        """What the user said."""
        self._step("user", message, extra)

    def agent(
        self,
        message: Any = "",
        *,
        usage: Usage | None = None,
        cost_usd: float | None = None,
        model: str | None = None,
        reasoning: str | None = None,
        reasoning_effort: str | float | None = None,
        model_calls: int | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> AgentStep:
        """What the agent said, or nothing when it only calls tools, with what it took. Tool calls are added to it.

        ``model_calls`` is how often a model was asked; 0 says that rules decided, and then there is no usage.
        """
        step = self._step("agent", message, extra)
        metrics: dict[str, Any] = {}
        if usage is not None:
            metrics = {
                "prompt_tokens": usage.input_tokens,
                "completion_tokens": usage.output_tokens,
                "cached_tokens": usage.cached_tokens,
            }
        metrics["cost_usd"] = cost_usd
        known = {name: value for name, value in metrics.items() if value is not None}
        with self.lock:
            if model_calls == 0:
                step["llm_call_count"] = 0
            else:
                said = {"model_name": model, "reasoning_content": reasoning, "llm_call_count": model_calls}
                step |= {name: value for name, value in said.items() if value is not None}
                if known:
                    step["metrics"] = known
            if reasoning_effort is not None:
                step["reasoning_effort"] = reasoning_effort
        return AgentStep(self, step)

    def context(self, type: str, content: Any = None, *, boundary: str = "replace", message: str = "") -> None:
        """The agent's context was changed: a ``compaction``, ``pruning``, ``injection``.

        After the boundary ``replace`` the context is ``content`` and the steps that follow; ``append`` adds it,
        ``truncate`` takes the earlier steps away.
        """
        if boundary not in _CONTEXT_BOUNDARIES:
            raise ValueError(f"boundary must be one of {', '.join(_CONTEXT_BOUNDARIES)}, not {boundary!r}")
        step = self._step("system", message or f"context: {type}", None)
        with self.lock:
            step["extra"] = {"context_management": {"type": str(type), "boundary": boundary}}
            if content is not None:
                step["observation"] = {"results": [{"content": _content(content)}]}

    @contextmanager
    def subagent(
        self, agent: str, *, version: str = "unknown", model: str | None = None, call: ToolUse | None = None
    ) -> Iterator[Recording]:
        """Record an agent that this one lets work, within this trajectory; ``call`` is the call that started it."""
        inner = Recording(agent, version=version, model=model, session_id=self._root.get("session_id"))
        try:
            yield inner
        except BaseException as error:
            inner.note(f"ended with {type(error).__name__}: {one_line(str(error), 300)}")
            raise
        finally:
            if inner.number_of_steps:
                with self.lock:
                    self._subagents.append(inner)
                if call is not None:
                    call.delegated(inner)

    def artifact(self, id: str) -> None:
        """The id of something that the agent stored or used, for those who want to look at it."""
        with self.lock:
            self.artifacts.append(str(id))

    def note(self, text: str) -> None:
        """A remark on the whole trajectory."""
        with self.lock:
            self._notes.append(str(text))

    def next_call(self) -> int:
        """The number of a new tool call; to be asked with the lock held."""
        self._calls += 1
        return self._calls

    def document(self) -> dict[str, Any]:
        """The document as it is now, with its totals."""
        with self.lock:
            made: dict[str, Any] = {
                "schema_version": CURRENT,
                "trajectory_id": self.trajectory_id,
                **self._root,
                "agent": self._about,
                "steps": self._steps,
            }
            if self._notes:
                made["notes"] = "; ".join(self._notes)
            if self._subagents:
                made["subagent_trajectories"] = [subagent.document() for subagent in self._subagents]
            made = plain(made)
        trajectory = read(made)
        final: dict[str, Any] = {f"total_{name}": total_of(trajectory, name) for name in FIELDS if name == "cost_usd"}
        own = read({**made, "subagent_trajectories": None})
        final |= {f"total_{name}": total_of(own, name) for name in FIELDS if name != "cost_usd"}
        made["final_metrics"] = {name: value for name, value in final.items() if value is not None}
        made["final_metrics"]["total_steps"] = len(made["steps"])
        return made

    def _step(self, source: str, message: Any, extra: Mapping[str, Any] | None) -> dict[str, Any]:
        with self.lock:
            step: dict[str, Any] = {
                "step_id": len(self._steps) + 1,
                "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "source": source,
                "message": _content(message),
            }
            if extra:
                step["extra"] = plain(extra)
            self._steps.append(step)
        return step


def _content(value: Any) -> Any:
    """Text or parts as they are, anything else as text."""
    if isinstance(value, (list, tuple)) and value and all(_is_part(item) for item in value):
        return plain(list(value))
    return text_of(value)


def _is_part(value: Any) -> bool:
    return isinstance(value, Mapping) and value.get("type") in ("text", "image", "audio")
