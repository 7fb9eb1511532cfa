"""The value of every setting and where it comes from, without starting pytest."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..model.redaction import Redactor
from ..store.location import hide_password
from .settings import SETTINGS, Setting, find
from .where import project

ADDOPTS = "PYTEST_ADDOPTS"


@dataclass(frozen=True, slots=True)
class Said:
    """A setting as a session started here without arguments would have it."""

    name: str
    value: Any
    shown: str
    """The value without secrets."""
    origin: str
    """``default``, the ini key, the variable, or the flag with where it stands: ``--evals-cache (addopts)``."""
    problem: str = ""
    """What is wrong with what was said."""


def settings_of(start: Path, environ: Mapping[str, str] | None = None) -> list[Said]:
    """All settings, in the order of the reference."""
    environ = os.environ if environ is None else environ
    _, ini = project(start)
    # later wins: pytest puts its variable before the arguments, and addopts before that
    flags = _flags(ini.get("addopts"), "addopts") | _flags(environ.get(ADDOPTS), ADDOPTS)
    redactor = Redactor(environ)
    return [_said(setting, flags, environ, ini, redactor) for setting in SETTINGS]


def _said(
    setting: Setting,
    flags: Mapping[str, tuple[Any, str]],
    environ: Mapping[str, str],
    ini: Mapping[str, object],
    redactor: Redactor,
) -> Said:
    flag, where = flags.get(setting.name, (None, ""))
    try:
        value, origin = find(setting, flag=flag, environ=environ, ini=_of_ini(setting, ini.get(setting.key)))
    except UsageError as error:
        return Said(setting.name, None, "", "", redactor.text(str(error)))
    if where and origin == setting.option:
        origin = f"{origin} ({where})"
    return Said(setting.name, value, redactor.text(_shown(setting, value)), origin)


def _of_ini(setting: Setting, said: object) -> Any:
    """As pytest gives it: a list of lines, a truth, a text."""
    if setting.kind == "texts" and isinstance(said, str):
        return [line for line in said.splitlines() if line.strip()]
    return said


def _shown(setting: Setting, value: Any) -> str:
    if value is None:
        return ""
    if setting.kind == "flag":
        return "yes" if value else "no"
    if setting.kind == "texts":
        return "; ".join(value)
    if setting.kind == "duration":
        days, seconds = divmod(value, 86400)
        return f"{days:g}d" if days and not seconds else f"{value:g}s"
    if setting.kind == "size":
        return f"{value / 1_000_000:g}MB"
    return hide_password(str(value)) if setting.name == "history" else str(value)


def _flags(said: object, where: str) -> dict[str, tuple[Any, str]]:
    """The flags in a text of arguments, or in a list of them."""
    try:
        arguments: Sequence[str] = shlex.split(said) if isinstance(said, str) else list(said or ())  # type: ignore[call-overload]
    except ValueError:  # pytest will say so
        return {}
    by_option = {setting.option: setting for setting in SETTINGS if setting.flag}
    found: dict[str, tuple[Any, str]] = {}
    following = iter(arguments)
    for argument in following:
        option, equals, value = argument.partition("=")
        setting = by_option.get(option)
        if setting is None:
            continue
        given: Any = True if setting.kind == "flag" else value if equals else next(following, "")
        if setting.kind == "texts":
            given = [*found.get(setting.name, ([], ""))[0], given]
        found[setting.name] = (given, where)
    return found
