"""Where the history of a project is, when pytest is not there to say it."""

from __future__ import annotations

import configparser
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..store.location import DEFAULT_FILE, locate

if TYPE_CHECKING:
    from ..store.location import Location

VARIABLE = "PYTEST_EVALS_HISTORY"
INI_KEY = "evals_history"

_INI_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_SECTIONS = {"setup.cfg": "tool:pytest"}


def find_history(
    said: str | Path | None = None, *, start: Path | None = None, environ: Mapping[str, str] | None = None
) -> Location:
    """The history a session started here would use: what was said, else the variable, the ini key, the default.

    A relative path that was said starts at the current directory, all others at pytest's rootdir. Without any of them,
    a ``.evals/history.db`` in this directory or one above it is preferred to the rootdir's. Raises ``UsageError``.
    """
    start = (start or Path.cwd()).absolute()
    environ = os.environ if environ is None else environ
    if said is not None:
        return locate(said, start)
    rootdir, ini = _rootdir(start)
    if named := environ.get(VARIABLE) or ini:
        return locate(named, rootdir)
    for folder in (start, *start.parents):
        if (folder / DEFAULT_FILE).exists():
            return locate(None, folder)
        if folder == rootdir:
            break
    return locate(None, rootdir)


def elsewhere(start: Path | None = None, file: str = DEFAULT_FILE) -> str:
    """``"; there is one at evals/.evals/history.db"`` when a folder here has such a file, else an empty text.

    Where no ini file says what the rootdir is, ``pytest evals`` keeps its runs below ``evals``.
    """
    start = (start or Path.cwd()).absolute()
    found = sorted(start.glob(f"*/{file}"))
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"; there is one at {found[0].relative_to(start)}{more}" if found else ""


def project(start: Path) -> tuple[Path, Mapping[str, object]]:
    """The rootdir pytest would use if started here without arguments, and the settings of its ini file."""
    for folder in (start, *start.parents):
        for name in _INI_FILES:
            settings = _settings(folder / name)
            if settings is not None:
                return folder, settings
    for folder in (start, *start.parents):
        if (folder / "setup.py").exists():
            return folder, {}
    return start, {}


def _rootdir(start: Path) -> tuple[Path, str | None]:
    """The rootdir, and the ini key's value there."""
    folder, settings = project(start)
    value = settings.get(INI_KEY)
    return folder, str(value) if value else None


def _settings(file: Path) -> Mapping[str, object] | None:
    """The settings for pytest in a file; ``None`` when it has none."""
    if not file.is_file():
        return None
    try:
        if file.suffix == ".toml":
            data = tomllib.loads(file.read_text("utf-8"))
            if file.name != "pyproject.toml":
                return _table(data.get("pytest", {}))
            tool = _table(data.get("tool", {})) or {}
            pytest = _table(tool.get("pytest", None))
            return None if pytest is None else _table(pytest.get("ini_options", pytest))
        parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
        parser.read_string(file.read_text("utf-8"))
    except (OSError, ValueError, configparser.Error) as error:
        raise UsageError(f"{file}: cannot be read ({' '.join(str(error).split())})") from error
    section = _SECTIONS.get(file.name, "pytest")
    if parser.has_section(section):
        return dict(parser[section])
    return {} if file.name in ("pytest.ini", ".pytest.ini") else None


def _table(value: object) -> Mapping[str, object] | None:
    return value if isinstance(value, Mapping) else None
