"""The application under test as something that can be called."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import TargetError
from ..model.case import Case, TargetSpec
from ..model.llm import ModelSpec
from ..model.place import did_you_mean
from ..model.remote import CommandSpec, HttpSpec
from ..model.response import Response
from ..model.template import OF_CASE, OF_VARIANT
from .importing import import_named, raised

if TYPE_CHECKING:
    from .model import Models

EXTRAS = ("context", "case", "session_id", "variant", "trial")
"""What a target may ask for besides its input, by the name of a parameter."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something that answers cases."""

    label: str
    """How results name it."""
    call: Callable[..., Any]
    """Called with what ``arguments`` gives; returns an answer or an awaitable."""
    passes_input: str | None = ""
    """The parameter the input goes to; "" = the first positional one, None = none."""
    extras: tuple[str, ...] = ()
    is_async: bool = False
    inline: bool = False
    """Answers at once and cannot hang: called without a thread, a limit of time or a second attempt."""
    takes_messages: bool = False
    """Asked with all messages of a conversation; other targets remember by the session's id."""
    prepare: Callable[..., Awaitable[Response | None]] | None = None
    """Awaited before each attempt with the arguments of the call, outside its time; may know the answer already."""

    def arguments(
        self, case: Case, session_id: str, variant: Mapping[str, Any], trial: int = 1
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of one call. ``variant`` is what is told of it: its id and what it states."""
        values = {
            "context": case.context,
            "case": case,
            "session_id": session_id,
            "variant": variant,
            "trial": trial,
        }
        keywords = {name: values[name] for name in self.extras}
        if self.passes_input is None:
            return (), keywords
        if self.passes_input:
            keywords[self.passes_input] = case.input
            return (), keywords
        return (case.input,), keywords


def resolve(spec: TargetSpec, answers: Mapping[str, Response] | None = None, models: Models | None = None) -> Target:
    """Make the target a suite names ready to be called.

    ``answers`` are those of a ``responses`` target, by case id; ``models`` speaks to the model of a ``model`` target.
    Raises ``TargetError`` when a callable cannot be imported or asks for arguments it cannot get, or a model is asked
    for what its provider does not take.
    """
    if spec.kind == "echo":
        return Target("echo", _echo, inline=True)
    if spec.kind == "responses":
        return Target(str(spec), _recorded(spec.value, answers or {}), passes_input=None, extras=("case",), inline=True)
    if isinstance(spec.options, HttpSpec):
        from .http import http_target

        return http_target(spec.options, str(spec))
    if isinstance(spec.options, CommandSpec):
        from .command import command_target

        return command_target(spec.options, str(spec), spec.base)
    if isinstance(spec.options, ModelSpec):
        from .model import Models

        return (models or Models()).target(spec.options)
    if spec.kind == "fixture":
        raise ValueError("a fixture target is made by the front that has fixtures: use from_callable")
    return from_callable(import_named(spec.value, spec.base, f"target {spec.value!r}"), str(spec))


def from_callable(value: Any, label: str) -> Target:
    """A target from a function, an instance with ``__call__``, or a class, which is made once."""
    if inspect.isclass(value):
        try:
            value = value()
        except Exception as error:
            raise TargetError(f"target {label!r}: making {value.__name__}() raised {raised(error)}") from error
    if not callable(value):
        raise TargetError(f"target {label!r} is a {type(value).__name__}, which cannot be called")
    passes_input, extras = _parameters(value, label)
    is_async = inspect.iscoroutinefunction(value) or inspect.iscoroutinefunction(getattr(value, "__call__", None))  # noqa: B004
    return Target(label, value, passes_input, extras, is_async)


def given(case: Case, session_id: str, variant: Mapping[str, Any]) -> dict[str, Any]:
    """What a template can insert, by the names of ``model.template.NAMES``, ``vars.<name>`` and ``variant.<key>``."""
    of_case = {"input": case.input, "context": case.context, "case.id": case.id, "session_id": session_id}
    if case.vars:
        of_case |= {OF_CASE + name: value for name, value in case.vars.items()}
    return of_case | {OF_VARIANT + key: value for key, value in variant.items()} if variant else of_case


def _echo(value: Any) -> Any:
    return value


def _recorded(file: str, answers: Mapping[str, Response]) -> Callable[..., Response]:
    def answer(*, case: Case) -> Response:
        try:
            return answers[case.id]
        except KeyError:
            hint = did_you_mean(case.id, answers)
            raise TargetError(f"{file} has no answer for case {case.id!r} (it has {len(answers)}){hint}") from None

    return answer


def _parameters(function: Callable[..., Any], label: str) -> tuple[str | None, tuple[str, ...]]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # built-in functions tell nothing: the input alone
        return "", ()
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    extras = tuple(p.name for p in named if p.name in EXTRAS)
    others = [p for p in named if p.name not in EXTRAS]
    passes_input: str | None = None
    for parameter in others:
        if parameter.name == "input" or (passes_input is None and parameter.kind is not parameter.KEYWORD_ONLY):
            chosen = parameter
            passes_input = "" if parameter.kind is parameter.POSITIONAL_ONLY else parameter.name
            if parameter.name == "input":
                break
    if passes_input is None:
        if any(p.kind is p.VAR_POSITIONAL for p in parameters):
            return "", extras
        if not extras:
            raise TargetError(f"target {label!r} takes no argument; it must take the input of a case")
        return None, extras
    needed = [p.name for p in others if p is not chosen and p.default is p.empty]
    if needed:
        known = ", ".join(("the input", *EXTRAS))
        raise TargetError(f"target {label!r} asks for {needed[0]!r}; a target can ask for {known}")
    return passes_input, extras
