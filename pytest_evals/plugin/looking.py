"""Sessions that only look: ``--evals-dry-run`` and ``--evals-explain`` collect, print, and run nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ..errors import UsageError
from .items import CaseItem
from .options import SETTINGS_KEY

if TYPE_CHECKING:
    from ..report.lines import Line

_MARKUP = {"dim": "light"}


def look(session: pytest.Session) -> bool:
    """Print what was asked for in the place of running the items.

    Raises ``pytest.UsageError`` when there is nothing of the name that was asked for.
    """
    config = session.config
    settings = config.stash[SETTINGS_KEY]
    if session.testsfailed and not config.option.continue_on_collection_errors:
        return False  # pytest ends with its own «errors during collection»
    cases = [item for item in session.items if isinstance(item, CaseItem)]
    width = config.get_terminal_writer().fullwidth if config.pluginmanager.hasplugin("terminalreporter") else 80
    if settings.explain is not None:
        from .explain import explanation

        try:
            lines = explanation(cases, settings.explain, config, width)
        except UsageError as error:
            raise pytest.UsageError(str(error)) from None
    else:
        from .dryrun import plan

        lines = plan(cases, len(session.items) - len(cases), width)
    _print(config, lines)
    return True


def _print(config: pytest.Config, lines: list[Line]) -> None:
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    if reporter is None:
        return
    reporter.ensure_newline()
    reporter.section("evaluation: nothing is run")
    writer = config.get_terminal_writer()
    for line in lines:
        for text, style in line:
            writer.write(text, **({_MARKUP.get(style, style): True} if style else {}))
        writer.line()
