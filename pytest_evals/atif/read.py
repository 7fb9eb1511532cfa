"""Reading a trajectory of any version: what is not known is kept, what cannot be is unknown and said.

Only what leaves nothing to read is an error: no JSON, no object, no list of steps, a tool call that is none. Nothing
that a document refers to is opened.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ..errors import TrajectoryError
from ..model.text import one_line, text_of
from .parts import Part, parts_of, text_of_parts
from .values import amount_of, count_of, is_list, kind_of, mapping_of, number_of, time_of
from .versions import CURRENT, NEWEST, minor_of

LARGEST = 64 * 1024 * 1024
"""Bytes of the largest document that is read."""

DEEPEST = 40
"""Levels of subagents within subagents that are read."""

MOST_AGENTS = 2000
"""Trajectories within one document that are read."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a step's calls of a model took. ``None`` is unknown."""

    prompt_tokens: int | None = None
    """All input, what came from a cache included."""
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool."""

    id: str
    name: str
    arguments: Any
    """The object, or what was there in its place."""
    raw: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What the environment answered: to a call, or by itself."""

    call_id: str | None
    parts: tuple[Part, ...] = ()
    subagents: tuple[Mapping[str, Any], ...] = ()
    """References to the trajectories of agents that did the work."""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return text_of_parts(self.parts)


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of system, user or agent."""

    number: int
    source: str
    parts: tuple[Part, ...] = ()
    time: datetime | None = None
    model: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    metrics: Metrics | None = None
    model_calls: int | None = None
    """How often a model was asked; 0 says that none was. ``None``: not said."""
    copied: bool = False
    """Taken over from an earlier trajectory: it happened, and was paid for, there."""
    raw: Mapping[str, Any] = field(default_factory=dict)
    """The whole step as it was written."""

    @property
    def text(self) -> str:
        """The message as text."""
        return text_of_parts(self.parts)

    def results_of(self, call: Call) -> list[Result]:
        """What the call gave."""
        return [result for result in self.results if result.call_id == call.id]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What one agent did, and what the agents did that it called."""

    steps: tuple[Step, ...]
    version: str = CURRENT
    trajectory_id: str = ""
    session_id: str = ""
    agent_name: str = ""
    agent_version: str = ""
    model: str = ""
    notes: str = ""
    continued: str = ""
    """The reference to the trajectory that goes on where this one ends."""
    final: Metrics = Metrics()
    """Its totals, as far as they are stated."""
    subagents: tuple[Trajectory, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict)
    """The whole document, unknown fields included."""
    warnings: tuple[str, ...] = ()
    """What could not be read, with its place: ``$.steps[1].metrics.cost_usd: …``. Those of subagents are there, too."""

    @property
    def agent_steps(self) -> tuple[Step, ...]:
        """The agent's own steps, without those taken over from an earlier trajectory."""
        return tuple(step for step in self.steps if step.source == "agent" and not step.copied)

    def everyone(self) -> Iterator[Trajectory]:
        """The trajectory itself, and all within it."""
        yield self
        for subagent in self.subagents:
            yield from subagent.everyone()


def load(path: Path | str) -> Trajectory:
    """The trajectory in a file. Raises ``TrajectoryError``, also when the file cannot be read."""
    try:
        return read(load_document(path))
    except TrajectoryError as error:
        where = str(path) if error.path in ("", str(path)) else f"{path}: {error.path}"
        raise TrajectoryError(where, error.message) from None


def load_document(path: Path | str) -> Any:
    """The JSON value in a file of at most 64 MB. Raises ``TrajectoryError``."""
    file = Path(path)
    try:
        if not file.is_file():
            raise TrajectoryError(str(path), "no such file" if not file.exists() else "not a file")
        if file.stat().st_size > LARGEST:
            raise TrajectoryError(str(path), f"larger than {LARGEST // 1024**2} MB")
        content = file.read_bytes()
    except (OSError, ValueError) as error:
        raise TrajectoryError(str(path), f"cannot be read ({getattr(error, 'strerror', None) or error})") from None
    try:
        return parse(content)
    except TrajectoryError as error:
        raise TrajectoryError(str(path), error.message) from None


def parse(content: str | bytes) -> Any:
    """The JSON value in a text. Raises ``TrajectoryError``."""
    try:
        if isinstance(content, bytes):
            content = content.decode("utf-8-sig")
        return json.loads(content)
    except RecursionError:
        raise TrajectoryError("", "nested too deeply to be read") from None
    except ValueError as error:
        raise TrajectoryError("", f"not JSON ({one_line(str(error), 120)})") from None


def read(document: Any) -> Trajectory:
    """The trajectory that a JSON value is. Raises ``TrajectoryError`` when it is none."""
    warnings: list[str] = []
    found = _Reader(warnings).trajectory(document, "$", 0)
    object.__setattr__(found, "warnings", tuple(warnings))  # it is not in anyone's hands yet
    return found


class _Reader:
    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings
        self._agents = 0

    def _warn(self, path: str, message: str) -> None:
        if len(self._warnings) < 200:
            self._warnings.append(f"{path}: {message}")

    def trajectory(self, value: Any, path: str, depth: int) -> Trajectory:
        if not isinstance(value, Mapping):
            raise TrajectoryError(path, f"a trajectory is an object, not {kind_of(value)}")
        self._agents += 1
        if self._agents > MOST_AGENTS:
            raise TrajectoryError(path[:200], f"more than {MOST_AGENTS} agents are in the document")
        steps = value.get("steps")
        if not is_list(steps):
            said = "missing" if "steps" not in value else kind_of(steps)
            raise TrajectoryError(f"{path}.steps", f"must be the list of steps, here {said}")
        agent = mapping_of(value.get("agent"))
        if not agent:
            self._warn(f"{path}.agent", "the agent is not named")
        return Trajectory(
            steps=tuple(self._step(step, n, f"{path}.steps[{n}]") for n, step in enumerate(steps)),
            version=self._version(value, path),
            trajectory_id=self._text(value, "trajectory_id", path),
            session_id=self._text(value, "session_id", path),
            agent_name=self._text(agent, "name", f"{path}.agent"),
            agent_version=self._text(agent, "version", f"{path}.agent"),
            model=self._text(agent, "model_name", f"{path}.agent"),
            notes=self._text(value, "notes", path),
            continued=self._text(value, "continued_trajectory_ref", path),
            final=self._metrics(value, "final_metrics", path, "total_") or Metrics(),
            subagents=self._subagents(value, path, depth),
            raw=value,
        )

    def _version(self, value: Mapping[str, Any], path: str) -> str:
        tag = value.get("schema_version")
        minor = minor_of(tag)
        if tag is None:
            self._warn(f"{path}.schema_version", f"missing; read as {CURRENT}")
            return CURRENT
        if minor is None:
            raise TrajectoryError(f"{path}.schema_version", f"{one_line(tag, 40)!r} is not ATIF-v1.x")
        if minor > NEWEST:
            self._warn(f"{path}.schema_version", f"{tag} is newer than {CURRENT}; what is new in it is not understood")
        return str(tag)

    def _subagents(self, value: Mapping[str, Any], path: str, depth: int) -> tuple[Trajectory, ...]:
        inside = value.get("subagent_trajectories")
        if inside is None:
            return ()
        where = f"{path}.subagent_trajectories"
        if not is_list(inside):
            self._warn(where, f"must be a list, not {kind_of(inside)}")
            return ()
        if depth >= DEEPEST:
            self._warn(where, f"agents within agents are read {DEEPEST} levels deep")
            return ()
        return tuple(self.trajectory(sub, f"{where}[{n}]", depth + 1) for n, sub in enumerate(inside))

    def _step(self, value: Any, index: int, path: str) -> Step:
        if not isinstance(value, Mapping):
            raise TrajectoryError(path, f"a step is an object, not {kind_of(value)}")
        source = value.get("source")
        if source not in ("system", "user", "agent"):
            self._warn(f"{path}.source", f"must be system, user or agent, not {one_line(source, 40) or 'missing'}")
        stamp = value.get("timestamp")
        time = time_of(stamp)
        if stamp is not None and time is None:
            self._warn(f"{path}.timestamp", f"{one_line(stamp, 40)!r} is no time in ISO 8601")
        number = count_of(value.get("step_id"))
        return Step(
            number=number if number is not None else index + 1,
            source=text_of(source) or "unknown",
            parts=parts_of(value.get("message")),
            time=time,
            model=self._text(value, "model_name", path),
            reasoning=self._text(value, "reasoning_content", path),
            calls=self._calls(value, path),
            results=self._results(value, path),
            metrics=self._metrics(value, "metrics", path),
            model_calls=count_of(value.get("llm_call_count")),
            copied=value.get("is_copied_context") is True,
            raw=value,
        )

    def _calls(self, value: Mapping[str, Any], path: str) -> tuple[Call, ...]:
        calls = value.get("tool_calls")
        if calls is None:
            return ()
        if not is_list(calls):
            raise TrajectoryError(f"{path}.tool_calls", f"must be a list, not {kind_of(calls)}")
        return tuple(self._call(call, f"{path}.tool_calls[{n}]") for n, call in enumerate(calls))

    def _call(self, value: Any, path: str) -> Call:
        if not isinstance(value, Mapping):
            raise TrajectoryError(path, f"a tool call is an object, not {kind_of(value)}")
        name = value.get("function_name")
        if not isinstance(name, str) or not name:
            raise TrajectoryError(
                f"{path}.function_name", f"must name the tool, here {one_line(name, 40) or 'missing'}"
            )
        if not isinstance(value.get("arguments"), Mapping):
            self._warn(f"{path}.arguments", f"must be an object, not {kind_of(value.get('arguments'))}")
        return Call(text_of(value.get("tool_call_id")), name, value.get("arguments"), value)

    def _results(self, value: Mapping[str, Any], path: str) -> tuple[Result, ...]:
        observation = value.get("observation")
        if observation is None:
            return ()
        results = observation.get("results") if isinstance(observation, Mapping) else None
        if not is_list(results):
            self._warn(f"{path}.observation", "must be an object with a list of results")
            return ()
        found = []
        for n, result in enumerate(results):
            if not isinstance(result, Mapping):
                self._warn(f"{path}.observation.results[{n}]", f"a result is an object, not {kind_of(result)}")
                continue
            call, references = result.get("source_call_id"), result.get("subagent_trajectory_ref")
            single = [references] if isinstance(references, Mapping) else references
            found.append(
                Result(
                    None if call is None else text_of(call),
                    parts_of(result.get("content")),
                    tuple(ref for ref in single if isinstance(ref, Mapping)) if is_list(single) else (),
                    mapping_of(result.get("extra")),
                )
            )
        return tuple(found)

    def _metrics(self, value: Mapping[str, Any], name: str, path: str, prefix: str = "") -> Metrics | None:
        given = value.get(name)
        if given is None:
            return None
        where = f"{path}.{name}"
        if not isinstance(given, Mapping):
            self._warn(where, f"must be an object, not {kind_of(given)}")
            return None
        counts = {
            key: self._known(given, f"{prefix}{key}", where, count_of)
            for key in ("prompt_tokens", "completion_tokens", "cached_tokens")
        }
        return Metrics(**counts, cost_usd=self._known(given, f"{prefix}cost_usd", where, amount_of))

    def _known(self, value: Mapping[str, Any], name: str, path: str, reading: Any) -> Any:
        given = value.get(name)
        found = None if given is None else reading(given)
        if given is not None and found is None:
            negative = (number_of(given) or 0) < 0
            self._warn(f"{path}.{name}", f"{one_line(given, 40)} is {'negative' if negative else 'no number'}: unknown")
        return found

    def _text(self, value: Mapping[str, Any], name: str, path: str) -> str:
        given = value.get(name)
        if given is not None and not isinstance(given, str):
            self._warn(f"{path}.{name}", f"must be text, not {kind_of(given)}")
            return ""
        return given or ""
