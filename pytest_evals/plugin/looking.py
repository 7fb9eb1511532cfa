"""Sessions that only look: ``--evals-dry-run`` and ``--evals-explain`` collect, print, and run nothing at all."""

from __future__ import annotations

import pytest

from ..errors import UsageError
from .items import CaseItem
from .options import SETTINGS_KEY
from .terminal import print_lines


def look(session: pytest.Session) -> bool:
    """Print what was asked for in the place of running the items; ``False`` leaves the end of the session to pytest.

    Raises ``pytest.UsageError`` when no case is what ``--evals-explain`` asks for.
    """
    config = session.config
    settings = config.stash[SETTINGS_KEY]
    if session.testsfailed and not config.option.continue_on_collection_errors:
        return False  # pytest says that there were errors during collection, and exits with 2
    reporter = config.pluginmanager.getplugin("terminalreporter")
    width = config.get_terminal_writer().fullwidth if reporter is not None else 80
    cases = [item for item in session.items if isinstance(item, CaseItem)]
    others = len(session.items) - len(cases)
    if cases and settings.explain is None and (earlier := cases[0].state.earlier) is not None:
        taken = earlier.not_asked(cases)
        cases = [item for item in cases if item not in taken]
    if settings.explain is not None:
        from .explain import explanation

        try:
            lines = explanation(cases, settings.explain, config, width)
        except UsageError as error:
            raise pytest.UsageError(str(error)) from None
    else:
        from .dryrun import plan
        from .models import pricing_of

        lines = plan(cases, others, width, lambda spec: pricing_of(spec, config))
    if reporter is not None:
        reporter.section("evaluation: nothing is run")
        print_lines(config, lines)
    return True
