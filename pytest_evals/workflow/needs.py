"""Which models the suites of a project ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import SuiteError
from ..filenames import PATTERNS, is_suite
from ..model.llm import Endpoint, ModelSpec


@dataclass(frozen=True, slots=True)
class Needs:
    """What suites need besides themselves."""

    providers: Mapping[str, Sequence[Endpoint]] = field(default_factory=dict)
    """The endpoints that are asked, by the provider's name."""
    problems: Sequence[str] = ()
    """Suites that cannot be read."""


def needs_of(paths: Iterable[Path], top: Path | None = None) -> Needs:
    """What the suites in these files and folders need; their targets are not imported. ``top`` is the rootdir."""
    from ..scoring import specs
    from ..suite import read_suite

    providers: dict[str, list[Endpoint]] = {}
    problems: list[str] = []
    for path in _files(paths):
        try:
            suite = read_suite(path, specs=specs(), shown=_shown(path), top=top)
        except SuiteError as error:
            problems += map(str, error.problems)
            continue
        for spec in (suite.target, *(variant.target for variant in suite.variants)):
            if isinstance(spec.options, ModelSpec):
                endpoints = providers.setdefault(spec.options.endpoint.provider, [])
                if spec.options.endpoint not in endpoints:
                    endpoints.append(spec.options.endpoint)
    return Needs(providers, problems)


def _files(paths: Iterable[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        inside = [path]
        if path.is_dir():
            inside = sorted(file for name in PATTERNS for file in path.rglob(name) if is_suite(file.name))
        found.update(dict.fromkeys(inside))
    return [*found]


def _shown(path: Path) -> str:
    absolute, here = path.absolute(), Path.cwd()
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(path)
