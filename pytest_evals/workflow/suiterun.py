"""What ``run_suite`` gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from ..model.result import CaseResult
from ..model.run import SessionResult

if TYPE_CHECKING:
    from ..model.gate import GateVerdict
    from ..model.summary import Summary
    from ..store.values import StoredRun

WIDTH = 100
"""Columns of the text."""


@dataclass(frozen=True, slots=True, repr=False)
class SuiteRun:
    """What a suite came to. Printed, it is the section that ends a pytest session."""

    results: Sequence[CaseResult]
    """Every case's result, in the order of the cases."""
    session: SessionResult
    """The whole of it, as reports see it."""
    runs: Sequence[StoredRun] = ()
    """What the history keeps: a run, or one of each type if some cases have verdicts and others scores alone."""
    problems: Sequence[str] = ()
    """What went wrong besides the cases, such as a history that cannot be written; a line each."""

    @property
    def passed(self) -> bool:
        """Whether pytest would have exited with 0: no case failed or errored, and every gate held."""
        return self.session.exit_status == 0

    @property
    def exit_status(self) -> int:
        """The status pytest would have exited with: 0, 1, or 75 for «run it again»."""
        return self.session.exit_status

    @property
    def summary(self) -> Summary:
        """Counts, pass rate, scores, latencies, tokens and cost."""
        return self.session.summary

    @property
    def gates(self) -> Sequence[GateVerdict]:
        """Every gate with its verdict."""
        return self.session.verdicts

    @property
    def run(self) -> StoredRun | None:
        """The run in the history (that of the cases with verdicts); ``None`` when none is kept."""
        return next((run for run in self.runs if run.type == "checked"), self.runs[0] if self.runs else None)

    def report(self, path: str | PathLike[str]) -> None:
        """Write a report, as ``--evals-report`` does: ``"out.json"`` or ``"FORMAT:PATH"``.

        Raises ``UsageError`` for a format that is none, ``OSError`` when the file cannot be written.
        """
        from ..report.registry import formats, parse_report_option

        name, where = parse_report_option(fspath(path))
        formats()[name].write(Path(where), self.session, self.results)

    def __str__(self) -> str:
        from ..report.lines import plain_text
        from ..report.terminal import section
        from .history import run_line

        kept = [run_line(run) for run in self.runs]
        lines = section(self.session, width=WIDTH, command="", reports=self.problems, runs=kept)
        return "\n".join(plain_text(line).rstrip() for line in lines)

    def __repr__(self) -> str:
        from ..report.verdict import sentence

        word, _, facts = sentence(self.session)
        names = ", ".join(suite.name for suite in self.session.suites)
        return f"<SuiteRun {names}, {word}: {', '.join(facts)}>"
