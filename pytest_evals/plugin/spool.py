"""Results on disk while the session lives, so that memory stays flat and a killed session loses nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model.result import CaseResult
    from ..store.journal import Journal
    from .state import State


class Spool:
    """Appends result lines to a journal, made with the first line and only when somebody will read it."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._journal: Journal | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._wanted = bool(state.settings.report)

    def append(self, line: str, key: tuple[str, str, str]) -> None:
        """Keep one line of ``result_to_json``, the result of the case of this key."""
        if not self._wanted:
            return
        if self._journal is None:
            from ..store.journal import Journal

            self._temporary = tempfile.TemporaryDirectory(prefix="pytest-evals-")
            self._journal = Journal.create(Path(self._temporary.name), {})
        self._journal.append(line, key)

    def results(self) -> Iterator[CaseResult]:
        """All results, the last word of each case."""
        return self._journal.results() if self._journal is not None else iter(())

    def close(self) -> None:
        """Remove what is not needed any more."""
        if self._journal is not None:
            self._journal.finish()
        if self._temporary is not None:
            self._temporary.cleanup()
