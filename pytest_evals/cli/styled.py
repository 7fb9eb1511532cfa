"""Styled lines of reports on the command line's own output."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..report.lines import Line


def terminal_width() -> int:
    """Columns of the terminal; 120 when the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 120


def echo_lines(lines: Iterable[Line]) -> None:
    """Print the lines, in colour where the output is a terminal."""
    for line in lines:
        parts = (_styled(text, style) for text, style in line)
        click.echo("".join(parts).rstrip())


def _styled(text: str, style: str) -> str:
    if not style or not text:
        return text
    if style in ("bold", "dim"):
        return click.style(text, bold=style == "bold" or None, dim=style == "dim" or None)
    return click.style(text, fg=style)
