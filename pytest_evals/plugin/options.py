"""Command-line options, ini keys and environment variables, and the settings they add up to.

The table of settings is in ``workflow.settings``. Later wins: default, ini ``evals_*``, environment
``PYTEST_EVALS_*``, flag ``--evals-*``.
"""

from __future__ import annotations

from typing import Any

import pytest

from ..workflow.checking import checks
from ..workflow.settings import BY_NAME, SETTINGS, Setting, find


def add_options(parser: pytest.Parser) -> None:
    """Declare every setting to pytest."""
    group = parser.getgroup("evals", "evaluations (pytest-evals)")
    for setting in SETTINGS:
        if setting.flag:
            if setting.kind == "flag":
                group.addoption(setting.option, action="store_true", default=None, help=setting.help)
            else:
                action = "append" if setting.kind == "texts" else "store"
                more: Any = {"nargs": "?", "const": ""} if setting.alone else {}
                group.addoption(
                    setting.option, action=action, default=None, metavar=setting.metavar, help=setting.help, **more
                )
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
        config = self._config
        flag = config.getoption(setting.option.lstrip("-").replace("-", "_"), None) if setting.flag else None
        return find(setting, flag=flag, ini=config.getini(setting.key) if setting.ini else None)

    def said(self) -> dict[str, Any]:
        """The settings that were said somewhere, by name."""
        found = {setting.name: self.origin(setting.name) for setting in SETTINGS}
        return {name: value for name, (value, origin) in found.items() if origin != "default"}

    def check(self) -> None:
        """Read every setting once, so that a bad value is a usage error at the start."""
        for setting in SETTINGS:
            getattr(self, setting.name)
        for check in checks(self.origin, self._config.rootpath):
            check()


SETTINGS_KEY: pytest.StashKey[Settings] = pytest.StashKey()
