"""Results on disk while the session lives: a killed session loses none, reports are written from them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import StoreError
from ..model.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from ..model.result import CaseResult
    from ..store.journal import Journal

Key = tuple[str, str, str]


class Spool:
    """Appends result lines to a journal, which is made for the first case that was executed.

    ``folder`` is where journals of the history lie; ``None`` keeps the lines in a folder of their own for reports.
    ``header`` gives the journal's first line, when it is needed. What goes wrong is said once in ``complaints``.
    """

    def __init__(self, folder: Path | None, header: Any) -> None:
        self.journal: Journal | None = None
        self.complaints: list[str] = []
        self._folder = folder
        self._header = header
        self._early: list[tuple[str, Key]] = []
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def append(self, line: str, result: CaseResult) -> None:
        """Keep one line of ``result_to_json``."""
        if self.journal is None:
            if result.outcome is Outcome.SKIPPED:  # no run yet: nothing is made for it
                self._early.append((line, result.key))
                return
            self.journal = self._open(self._header())
        for waiting in self._early:
            self._add(*waiting)
        self._early.clear()
        self._add(line, result.key)

    def _add(self, line: str, key: Key) -> None:
        assert self.journal is not None
        try:
            self.journal.append(line, key)
        except StoreError as error:
            self.complaints.append(str(error))

    def _open(self, header: Mapping[str, Any]) -> Journal:
        from ..store.journal import Journal

        if self._folder is not None:
            try:
                return Journal.create(self._folder, header)
            except StoreError as error:
                self.complaints.append(str(error))
        self._temporary = tempfile.TemporaryDirectory(prefix="pytest-evals-")
        try:
            return Journal.create(Path(self._temporary.name), header)
        except StoreError as error:
            self.complaints.append(str(error))
            return Journal.in_memory(header)

    @property
    def recoverable(self) -> bool:
        """Whether the journal lies where the history looks for it."""
        return self._temporary is None and self.journal is not None and self.journal.path is not None

    def complain(self, error: StoreError) -> None:
        """Take the reason why the history could not be written among the complaints."""
        # a journal that is not beside the history is no journal to recover from
        self.complaints.append(f"history: {error if self.recoverable else error.__cause__ or error}")

    def results(self, order: Iterable[Key]) -> Iterator[CaseResult]:
        """All results, the last word of each case, those of ``order`` first."""
        if self.journal is None:
            from ..model.codec import result_from_json

            return (result_from_json(line) for line, _ in self._early)
        return self.journal.results(order)

    def close(self) -> None:
        """Remove what is not needed any more."""
        if self.journal is not None:
            self.journal.finish()
        if self._temporary is not None:
            self._temporary.cleanup()
