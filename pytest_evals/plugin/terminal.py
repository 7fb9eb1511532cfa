"""The evaluation section of pytest's terminal summary."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pytest

    from ..model.run import SessionResult
    from ..report.lines import Line

_MARKUP = {"dim": "light"}


def print_section(
    reporter: Any, result: SessionResult, written: Sequence[str], runs: Sequence[str], other_tests: int
) -> None:
    """Print the section through pytest's own writer, which knows about colour and width."""
    from ..report.terminal import section

    reporter.section("evaluation")
    config: pytest.Config = reporter.config
    lines = section(
        result,
        width=config.get_terminal_writer().fullwidth,
        verbose=reporter.verbosity,
        reports=written,
        runs=runs,
        other_tests=other_tests,
        prefix=_prefix(config),
    )
    print_lines(config, lines)


def print_lines(config: pytest.Config, lines: Iterable[Line]) -> None:
    """Print styled lines through pytest's own writer."""
    writer = config.get_terminal_writer()
    for line in lines:
        for text, style in line:
            writer.write(text, **({_MARKUP.get(style, style): True} if style else {}))
        writer.line()


def _prefix(config: pytest.Config) -> str:
    """What node ids, which are relative to the rootdir, need in front where pytest was started."""
    start, root = config.invocation_params.dir, config.rootpath
    return "" if start == root else os.path.relpath(root, start) + os.sep
