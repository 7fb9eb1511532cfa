"""Suites checked as they are written: what collection would say of them, without importing the application."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import SuiteError, UsageError
from ..filenames import PATTERNS, RESULTS
from ..model.case import Suite, TargetSpec
from ..model.criterion import FUNCTION
from ..model.llm import ModelSpec
from ..model.place import Place, Problem, did_you_mean
from .settings import BY_NAME, find
from .where import project

_SKIPPED = re.compile(r"\..*|build|dist|node_modules|venv|__pycache__|CVS|_darcs|.*\.egg")
"""Folders that pytest does not look into either."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One suite file."""

    path: str
    """As shown: relative to the current directory when below it."""
    suite: str = ""
    """Its name; empty when it cannot be read."""
    cases: int = 0
    problems: tuple[Problem, ...] = ()
    unchecked: tuple[str, ...] = ()
    """What only collection can tell: targets and functions to import, fixtures of the project."""


def validate(paths: Sequence[Path]) -> list[Checked]:
    """Check the suites in files and folders. Raises ``UsageError`` when there is none."""
    rootdir, ini = project(_common(paths))
    patterns, _ = find(BY_NAME["files"], ini=_lines(ini.get("evals_files")))
    files = list(dict.fromkeys(_files(paths, [*PATTERNS, *patterns])))
    if not files:
        raise UsageError(f"there is no suite in {', '.join(map(str, paths))}; they are named {', '.join(PATTERNS)}")
    checker = _Checker(rootdir, ini)
    return [checker.check(path) for path in files]


def _lines(said: Any) -> list[str] | None:
    if isinstance(said, str):
        return said.splitlines()
    return [str(each) for each in said] if isinstance(said, list) else None


def _common(paths: Sequence[Path]) -> Path:
    """The folder in which pytest would start to look for its ini file."""
    absolute = [_absolute(path) for path in paths]
    folders = [path if path.is_dir() else path.parent for path in absolute]
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  (without `..`, which resolve() would need links for)


def _files(paths: Iterable[Path], patterns: Sequence[str]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            for folder, folders, names in os.walk(_absolute(path)):
                folders[:] = sorted(name for name in folders if not _SKIPPED.fullmatch(name))
                for name in sorted(names):
                    file = Path(folder, name)
                    if name.endswith(RESULTS):
                        continue
                    if any(fnmatch(name, each) or fnmatch(file.as_posix(), f"*/{each}") for each in patterns):
                        yield file
        elif path.exists():
            yield _absolute(path)
        else:
            raise UsageError(f"there is no file or folder {path}")


def shown(path: Path) -> str:
    """The path relative to the current directory when below it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


class _Checker:
    """Checks one file after the other; names of suites must differ between them."""

    def __init__(self, rootdir: Path, ini: Any) -> None:
        from ..scoring import specs
        from ..suite import RunDefaults, judge_named

        self._rootdir = rootdir
        self._specs = specs()
        names = ("threshold", "warn", "trials", "pass_if")
        settings = {name: find(BY_NAME[name], ini=ini.get(BY_NAME[name].key))[0] for name in names}
        judge, where = find(BY_NAME["judge_model"], ini=ini.get(BY_NAME["judge_model"].key))
        self._defaults = RunDefaults(**settings, judge=judge_named(judge, where) if judge else None)
        self._names: dict[str, Path] = {}

    def check(self, path: Path) -> Checked:
        from ..suite import read_suite

        look = _Look(path, self._rootdir, [*self._specs])
        try:
            suite = read_suite(
                path,
                specs=self._specs,
                defaults=self._defaults,
                shown=shown(path),
                unknown_scorer=look.unknown_scorer,
                check_target=look.check_target,
                check_judge=look.check_judge,
                top=self._rootdir,
            )
        except SuiteError as error:
            return Checked(shown(path), problems=error.problems, unchecked=look.unchecked)
        other = self._names.setdefault(suite.name, path)
        problems = () if other == path else (_same_name(suite, path, other),)
        return Checked(shown(path), suite.name, len(suite.cases), problems, look.unchecked)


def _same_name(suite: Suite, path: Path, other: Path) -> Problem:
    message = f"suite {suite.name!r} is also the name of {shown(other)}; give one of them another `suite:`"
    return Problem(Place(shown(path), 1), message)


@dataclass
class _Look:
    """What can be seen around a suite without running anything."""

    path: Path
    rootdir: Path
    builtin: Sequence[str]
    _unchecked: dict[str, None] = field(default_factory=dict)

    @property
    def unchecked(self) -> tuple[str, ...]:
        return tuple(self._unchecked)

    def unknown_scorer(self, name: str) -> str:
        """Why nothing can answer a criterion of this name; "" if something does, or may."""
        if name.startswith(FUNCTION):
            reference = name.removeprefix(FUNCTION)
            return self._named(reference, self.path.parent, f"criterion 'python: {reference}'", "function")
        if f"{name}_scorer" in self._fixtures:
            return ""
        near = did_you_mean(name, self.builtin)
        if not near:
            self._unchecked[f"scorer {name}: a fixture {name}_scorer"] = None
        return near

    def check_target(self, spec: TargetSpec) -> Iterable[Problem]:
        """What is wrong with the target besides how it is written."""
        place = spec.place or Place(shown(self.path), 1)
        if spec.kind == "callable":
            message = self._named(spec.value, spec.base, f"target {spec.value!r}", "target")
            return [Problem(place, message)] if message else ()
        if spec.kind == "fixture":
            if spec.value not in self._fixtures:
                self._unchecked[f"target fixture {spec.value}"] = None
            return ()
        if spec.kind == "responses":
            return self._answers(spec)
        if isinstance(spec.options, ModelSpec):
            from ..engine.model import Models

            return Models().problems(spec.options, place)
        return ()

    def check_judge(self, judge: ModelSpec | None, place: Place) -> Iterable[Problem]:
        """What is wrong with the judge; where none is named, a fixture may give one."""
        if judge is None:
            self._unchecked["the judge of llm_judge: a fixture judge_model"] = None
            return ()
        from ..engine.model import Models

        return Models().problems(judge, place)

    def _answers(self, spec: TargetSpec) -> Iterable[Problem]:
        from ..suite import read_responses

        answers = (spec.base / spec.value).resolve()
        try:
            read_responses(answers, shown=shown(answers))
        except SuiteError as error:
            return error.problems
        return ()

    def _named(self, reference: str, base: Path, what: str, kind: str) -> str:
        """What is wrong with ``file.py:name``, as far as the file tells; a module is left to collection."""
        where, _, name = reference.rpartition(":")
        if not where.endswith(".py"):
            self._unchecked[f"{kind} {reference}"] = None
            return ""
        path = (base / where).resolve()
        if not path.is_file():
            return f"{what}: there is no file {path}"
        first = name.partition(".")[0]
        names = _top_names(path)
        if names is None:
            self._unchecked[f"{kind} {reference}"] = None
        if names is None or first in names:
            return ""
        return f"{what}: {where} has no {first!r}{did_you_mean(first, [n for n in names if not n.startswith('_')])}"

    @cached_property
    def _fixtures(self) -> set[str]:
        """Names that conftest.py files from the rootdir down to the suite hold: among them are all their fixtures."""
        found: set[str] = set()
        for folder in (self.path.parent, *self.path.parent.parents):
            file = folder / "conftest.py"
            if file.is_file():
                found |= set(re.findall(r"\w+", file.read_text("utf-8", "replace")))
            if folder == self.rootdir:
                break
        return found


def _top_names(path: Path) -> set[str] | None:
    """The names that a module defines or imports; ``None`` when that cannot be told without running it."""
    try:
        body = ast.parse(path.read_bytes()).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    names: set[str] = set()
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Import() | ast.ImportFrom():
                if any(alias.name == "*" for alias in node.names):
                    return None
                names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                names |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            case ast.Expr() | ast.Pass():
                pass
            case _:  # an `if`, a `try`: anything may be defined inside
                names |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
                names |= {
                    part.name
                    for part in ast.walk(node)
                    if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
                }
                if any(isinstance(part, (ast.Import, ast.ImportFrom)) for part in ast.walk(node)):
                    return None
    return None if names & {"globals", "setattr", "__getattr__"} else names
