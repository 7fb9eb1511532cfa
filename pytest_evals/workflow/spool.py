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
    ``header`` gives the journal's first line, when it is needed.
    """

    def __init__(self, folder: Path | None, header: Any) -> None:
        self.journal: Journal | None = None
        self._complaints: list[str] = []
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
            self._complaints.append(str(error))

    def _open(self, header: Mapping[str, Any]) -> Journal:
        from ..store.journal import Journal

        if self._folder is not None:
            try:
                return Journal.create(self._folder, header)
            except StoreError as error:
                self._complaints.append(str(error))
        self._temporary = tempfile.TemporaryDirectory(prefix="pytest-evals-")
        try:
            return Journal.create(Path(self._temporary.name), header)
        except StoreError as error:
            self._complaints.append(str(error))
            return Journal.in_memory(header)

    @property
    def complaints(self) -> list[str]:
        """What went wrong, a line each."""
        return list(self._complaints)

    def not_stored(self, error: StoreError) -> None:
        """Complain that the history could not be written, and of nothing else: the line says what became of the run."""
        why = str(error)
        if self._temporary is not None or self.journal is None or self.journal.path is None:
            # a journal that is not beside the history is no journal to recover from
            why = f"{error.__cause__ or error}; and the run's journal cannot be kept either"
        self._complaints = [f"history: {why}"]

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
