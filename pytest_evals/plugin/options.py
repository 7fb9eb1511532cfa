"""Command-line options, ini keys and environment variables, and the settings they add up to.

Later wins: default, ini ``evals_*``, environment ``PYTEST_EVALS_*``, flag ``--evals-*``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

from ..errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Kind = Literal["text", "texts", "number", "usd", "whole", "duration", "flag"]


class Setting(NamedTuple):
    """One setting with its three spellings: ``--evals-x-y``, ``evals_x_y``, ``PYTEST_EVALS_X_Y``."""

    name: str
    kind: Kind
    help: str
    default: Any = None
    metavar: str = ""
    flag: bool = True
    """Whether there is a command-line option."""
    ini: bool = True
    """Whether there is an ini key and an environment variable."""
    choices: tuple[str, ...] = ()
    """The words a text may be; any when there are none."""

    @property
    def option(self) -> str:
        return "--evals-" + self.name.replace("_", "-")

    @property
    def key(self) -> str:
        return "evals_" + self.name

    @property
    def variable(self) -> str:
        return "PYTEST_EVALS_" + self.name.upper()


SETTINGS = (
    Setting(
        "files", "texts", "more file names (glob patterns) that are suites, besides *.eval.yaml|yml|json", flag=False
    ),
    Setting(
        "report", "texts", "write a report when the session ends: FORMAT:PATH, or PATH by its suffix", metavar="REPORT"
    ),
    Setting("threshold", "number", "weighted mean a case must reach, where its suite states none", metavar="SCORE"),
    Setting("warn", "number", "cases that reach this score but not their threshold are warned", metavar="SCORE"),
    Setting("timeout", "duration", "limit of one attempt of the target: 30s, 500ms, 2m; 0 = none", 60.0, "TIME"),
    Setting("retries", "whole", "extra attempts after an error or timeout of the target", 1, "N"),
    Setting("concurrency", "whole", "calls in flight in a process; 1 = strictly in turn", 16, "N"),
    Setting("limits", "texts", "limits of calls: 'NAME: 50 rpm, 40000 tpm, 8 in flight'", flag=False),
    Setting(
        "ignore_fixtures", "texts", "function-scoped fixtures that do not keep calls from starting early", flag=False
    ),
    Setting("max_cost", "usd", "dollars the session may spend; cases that are left are then skipped", metavar="USD"),
    Setting("max_tokens", "whole", "tokens the session may use; cases that are left are then skipped", metavar="N"),
    Setting(
        "max_time",
        "duration",
        "time after which no case is begun any more: 10m, 90s; the rest is skipped",
        None,
        "TIME",
    ),
    Setting("dry_run", "flag", "call nothing: show how many calls there would be, to what, at what price", ini=False),
    Setting(
        "explain",
        "text",
        "run nothing: show how a case would run (an id, a node id, a glob)",
        metavar="CASE",
        ini=False,
    ),
    Setting(
        "progress",
        "text",
        "the live progress line: auto, on (also in CI, and with -q, -v, -s) or off",
        "auto",
        "WHEN",
        choices=("auto", "on", "off"),
    ),
    Setting("max_error_share", "number", "share of errored cases to tolerate: 0.02 or 2%%", 0.0, "SHARE"),
    Setting(
        "history", "text", "where runs are kept: a file (relative to the rootdir) or a database URL", metavar="WHERE"
    ),
    Setting("no_history", "flag", "keep no run of this session", False),
    Setting(
        "experiment", "text", "the experiment that the session's runs belong to, whatever suites say", metavar="NAME"
    ),
    Setting("experiment_desc", "text", "what the experiment is about", metavar="TEXT"),
    Setting("run_name", "text", "a name for the session's runs", metavar="NAME"),
    Setting("strict", "flag", "warned, missed and tolerated errored cases fail the session", False),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


def add_options(parser: pytest.Parser) -> None:
    """Declare every setting to pytest."""
    group = parser.getgroup("evals", "evaluations (pytest-evals)")
    for setting in SETTINGS:
        if setting.flag:
            if setting.kind == "flag":
                group.addoption(setting.option, action="store_true", default=None, help=setting.help)
            else:
                action = "append" if setting.kind == "texts" else "store"
                group.addoption(setting.option, action=action, default=None, metavar=setting.metavar, help=setting.help)
        if setting.ini:
            ini_type: Any = {"texts": "linelist", "flag": "bool"}.get(setting.kind, "string")
            parser.addini(setting.key, setting.help.replace("%%", "%"), type=ini_type, default=None)


class Settings:
    """The settings of a session, each read from where it was said last. Raises ``UsageError`` for a bad value."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._known: dict[str, tuple[Any, str]] = {}

    def __getattr__(self, name: str) -> Any:
        setting = BY_NAME.get(name)
        if setting is None:
            raise AttributeError(name)
        return self.origin(name)[0]

    def origin(self, name: str) -> tuple[Any, str]:
        """The value of a setting and where it comes from: the flag, the variable, the ini key or ``default``."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._find(BY_NAME[name])
        return known

    def _find(self, setting: Setting) -> tuple[Any, str]:
        if setting.flag:
            said = self._config.getoption(setting.option.lstrip("-").replace("-", "_"), None)
            if said is not None:
                return _read(setting, said, setting.option), setting.option
        if setting.ini:
            said = os.environ.get(setting.variable)
            if said is not None:
                parts = [part for part in said.splitlines() if part.strip()] if setting.kind == "texts" else said
                return _read(setting, parts, setting.variable), setting.variable
            said = self._config.getini(setting.key)
            if said not in (None, "", []):
                return _read(setting, said, setting.key), setting.key
        return ([] if setting.kind == "texts" else setting.default), "default"

    def said(self) -> dict[str, Any]:
        """The settings that were said somewhere, by name."""
        found = {setting.name: self.origin(setting.name) for setting in SETTINGS}
        return {name: value for name, (value, origin) in found.items() if origin != "default"}

    def check(self) -> None:
        """Read every setting once, so that a bad value is a usage error at the start."""
        for setting in SETTINGS:
            getattr(self, setting.name)
        for asked in self.report:
            from ..report import parse_report_option

            parse_report_option(asked)
        if self.limits:
            from ..llm.limits import parse_limits

            parse_limits(self.limits)
        if self.history:
            from ..store.location import locate

            locate(self.history, self._config.rootpath)
        if self.experiment or self.run_name:
            self._check_names()

    def _check_names(self) -> None:
        from ..store.names import check_experiment_name, check_run_name

        for name, check in (("experiment", check_experiment_name), ("run_name", check_run_name)):
            value, origin = self.origin(name)
            try:
                check(value or name)
            except UsageError as error:
                raise UsageError(f"{origin}: {error}") from None


def _read(setting: Setting, said: Any, where: str) -> Any:
    try:
        value = _READERS[setting.kind](said)
        if setting.choices and value not in setting.choices:
            raise ValueError(f"{value!r} is not one of {', '.join(setting.choices)}")
        return value
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from None


def _number(said: Any) -> float:
    text = str(said).strip()
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number from 0 to 1 (or a percentage)") from None
    if not 0 <= value <= 1:
        raise ValueError(f"{text!r} is not between 0 and 1")
    return value


def _usd(said: Any) -> float:
    text = str(said).strip()
    try:
        value = float(text.removeprefix("$"))
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ValueError(f"{text!r} is not a sum of dollars such as 0.50 or 20")
    return value


def _whole(said: Any) -> int:
    text = str(said).strip()
    if not text.isdecimal():
        raise ValueError(f"{text!r} is not a whole number from 0 on")
    return int(text)


_UNITS = (("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0))


def _duration(said: Any) -> float:
    text = str(said).strip()
    number, factor = text, 1.0
    for unit, seconds in _UNITS:
        if text.endswith(unit):
            number, factor = text[: -len(unit)].strip(), seconds
            break
    try:
        value = float(number) * factor
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ValueError(f"{text!r} is not a time such as 30s, 500ms or 2m")
    return value


def _flag(said: Any) -> bool:
    if isinstance(said, bool):
        return said
    word = str(said).strip().lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off", ""):
        return False
    raise ValueError(f"{said!r} is neither true nor false")


def _texts(said: Sequence[str]) -> list[str]:
    return [text.strip() for text in said if text.strip()]


_READERS: dict[Kind, Callable[[Any], Any]] = {
    "text": str,
    "texts": _texts,
    "number": _number,
    "usd": _usd,
    "whole": _whole,
    "duration": _duration,
    "flag": _flag,
}

SETTINGS_KEY: pytest.StashKey[Settings] = pytest.StashKey()
