"""What an editor needs that lists tests without running them."""

from __future__ import annotations

import pytest

from .items import CaseItem


class VSCode:
    """Keeps the list of tests of VS Code whole.

    Its plugin looks for ``.py`` in the node id of every item that has a ``callspec``, and shows no test at all when it
    is not there (vscode-python, ``process_parameterized_test``). Without one a variant is listed like any other case.
    """

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not session.config.option.collectonly:
            return
        for item in session.items:  # nothing will be run any more
            if isinstance(item, CaseItem):
                vars(item).pop("callspec", None)
