"""The application under test as something that can be called."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import TargetError
from ..model.case import Case, TargetSpec
from ..model.place import did_you_mean
from ..model.remote import CommandSpec, HttpSpec
from ..model.response import Response
from ..model.text import one_line

EXTRAS = ("context", "case", "session_id", "variant")
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

    def arguments(self, case: Case, session_id: str, variant: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of one call."""
        values = {"context": case.context, "case": case, "session_id": session_id, "variant": variant}
        keywords = {name: values[name] for name in self.extras}
        if self.passes_input is None:
            return (), keywords
        if self.passes_input:
            keywords[self.passes_input] = case.input
            return (), keywords
        return (case.input,), keywords


def resolve(spec: TargetSpec, answers: Mapping[str, Response] | None = None) -> Target:
    """Make the target a suite names ready to be called.

    ``answers`` are those of a ``responses`` target, by case id. Raises ``TargetError`` when a callable cannot be
    imported or asks for arguments it cannot get.
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
    if spec.kind == "fixture":
        raise ValueError("a fixture target is made by the front that has fixtures: use from_callable")
    return from_callable(_import(spec), str(spec))


def from_callable(value: Any, label: str) -> Target:
    """A target from a function, an instance with ``__call__``, or a class, which is made once."""
    if inspect.isclass(value):
        try:
            value = value()
        except Exception as error:
            raise TargetError(f"target {label!r}: making {value.__name__}() raised {_said(error)}") from error
    if not callable(value):
        raise TargetError(f"target {label!r} is a {type(value).__name__}, which cannot be called")
    passes_input, extras = _parameters(value, label)
    is_async = inspect.iscoroutinefunction(value) or inspect.iscoroutinefunction(getattr(value, "__call__", None))  # noqa: B004
    return Target(label, value, passes_input, extras, is_async)


def given(case: Case, session_id: str) -> dict[str, Any]:
    """What a template can insert, by the names of ``model.template.NAMES``."""
    return {"input": case.input, "context": case.context, "case.id": case.id, "session_id": session_id}


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


def _import(spec: TargetSpec) -> Any:
    where, _, name = spec.value.rpartition(":")
    module = _load_file(spec, where) if where.endswith(".py") else _load_module(spec, where)
    value: Any = module
    for part in name.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            public = [n for n in dir(value) if not n.startswith("_")]
            raise TargetError(f"target {spec.value!r}: {where} has no {part!r}{did_you_mean(part, public)}") from None
    return value


def _load_module(spec: TargetSpec, name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            looked = ", ".join(sys.path[:4]) + (" …" if len(sys.path) > 4 else "")
            raise TargetError(
                f"target {spec.value!r}: there is no module {error.name!r} in {looked}; "
                "add its folder to pytest's `pythonpath`, or name the file: '../bot.py:answer'"
            ) from None
        raise TargetError(_import_failed(spec, error)) from error
    except Exception as error:
        raise TargetError(_import_failed(spec, error)) from error


def _load_file(spec: TargetSpec, where: str) -> ModuleType:
    path = (spec.base / where).resolve()
    if not path.is_file():
        raise TargetError(f"target {spec.value!r}: there is no file {path}")
    known = sys.modules.get(path.stem)
    if known is not None and _file_of(known) == path:
        return known  # a test or conftest imported it already: one module, not two
    # as with `python bot.py`, a file can import its neighbours
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    name = path.stem if known is None else f"{path.stem}__{zlib.crc32(str(path).encode()):x}"
    if name in sys.modules and _file_of(sys.modules[name]) == path:
        return sys.modules[name]
    module_spec = importlib.util.spec_from_file_location(name, path)
    if module_spec is None or module_spec.loader is None:
        raise TargetError(f"target {spec.value!r}: {path} cannot be imported")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    try:
        module_spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise TargetError(_import_failed(spec, error)) from error
    return module


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if file else None


def _import_failed(spec: TargetSpec, error: Exception) -> str:
    return f"target {spec.value!r}: importing it raised {_said(error)}"


def _said(error: Exception) -> str:
    """``ValueError: boom (bot.py:12)``: the exception with its last place."""
    place = ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f" ({error.filename}:{error.lineno})"
    else:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is not None:
            place = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})"
    return f"{type(error).__name__}: {one_line(str(error), 300)}{place}"
