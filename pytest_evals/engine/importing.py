"""Functions and classes that a suite names, by module or by file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import TargetError
from ..model.place import did_you_mean
from ..model.text import one_line


def import_named(value: str, base: Path, what: str) -> Any:
    """What ``pkg.mod:name`` or ``../file.py:name`` stands for; relative files start at ``base``.

    Raises ``TargetError``, whose message starts with ``what``.
    """
    where, _, name = value.rpartition(":")
    module = _load_file(base / where, what) if where.endswith(".py") else _load_module(where, what)
    found: Any = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            public = [n for n in dir(found) if not n.startswith("_")]
            raise TargetError(f"{what}: {where} has no {part!r}{did_you_mean(part, public)}") from None
    return found


def _load_module(name: str, what: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            looked = ", ".join(sys.path[:4]) + (" …" if len(sys.path) > 4 else "")
            raise TargetError(
                f"{what}: there is no module {error.name!r} in {looked}; "
                "add its folder to pytest's `pythonpath`, or name the file: '../bot.py:answer'"
            ) from None
        raise TargetError(_import_failed(what, error)) from error
    except Exception as error:
        raise TargetError(_import_failed(what, error)) from error


def _load_file(path: Path, what: str) -> ModuleType:
    path = path.resolve()
    if not path.is_file():
        raise TargetError(f"{what}: there is no file {path}")
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
        raise TargetError(f"{what}: {path} cannot be imported")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    try:
        module_spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise TargetError(_import_failed(what, error)) from error
    return module


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if file else None


def _import_failed(what: str, error: Exception) -> str:
    return f"{what}: importing it raised {raised(error)}"


def raised(error: Exception) -> str:
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
