"""What is wrong with settings besides how their values are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import GateError, UsageError

Origin = Callable[[str], tuple[Any, str]]
"""The value of a setting, and where it was said."""


def checks(origin: Origin, rootdir: Path) -> Iterator[Callable[[], object]]:
    """What must be tried, each of which raises an ``EvalsError`` when it is wrong. Imports only what was asked for."""

    def value(name: str) -> Any:
        return origin(name)[0]

    for asked in value("report"):
        from ..report import parse_report_option

        yield partial(parse_report_option, asked)
    for pattern in value("redact"):
        yield partial(_check_pattern, pattern, origin("redact")[1])
    for asked in value("gate"):
        yield partial(_check_gate, asked, origin("gate")[1])
    if value("limits"):
        from ..llm.limits import parse_limits

        yield partial(parse_limits, value("limits"))
    if value("history"):
        from ..store.location import locate

        yield partial(locate, value("history"), rootdir)
    if value("prices"):
        from .replies import price_file

        yield partial(price_file, rootdir, value("prices"))
    if value("judge_model"):
        from ..suite import judge_named

        yield partial(judge_named, *origin("judge_model"))
    if value("replay") and not value("record"):
        yield partial(_replay, *origin("replay"), rootdir)
    if value("experiment") or value("run_name"):
        from ..store.names import check_experiment_name, check_run_name

        yield partial(_named, check_experiment_name, *origin("experiment"))
        yield partial(_named, check_run_name, *origin("run_name"))


def _replay(said: str, where: str, rootdir: Path) -> None:
    from .replies import below

    folder = below(rootdir, said)
    if not folder.is_dir():
        raise UsageError(f"{where}: there is no folder {folder}; record replies there with --evals-record {said}")


def _named(check: Callable[[str], object], said: str | None, where: str) -> None:
    try:
        check(said or "unnamed")
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _check_pattern(pattern: str, where: str) -> None:
    try:
        empty = re.compile(pattern).search("")
    except re.error as error:
        raise UsageError(f"{where}: {pattern!r} is not a regular expression ({error})") from None
    if empty:
        raise UsageError(f"{where}: {pattern!r} matches an empty text, so it would hide everything")


def _check_gate(text: str, where: str) -> None:
    from ..model.gate_grammar import parse_gate

    try:
        parse_gate(text)
    except GateError as error:
        raise UsageError(f"{where}: {error}") from None
