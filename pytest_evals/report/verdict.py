"""The sentence a session comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..model.gate import Verdict
from ..model.run import SessionResult
from ..model.text import one_line
from .format import count, counted


class Sentence(NamedTuple):
    """``failed`` and what it rests on."""

    word: str
    """passed, failed, inconclusive, incomplete or unknown"""
    style: str
    facts: tuple[str, ...]
    """The most important first."""


def sentence(session: SessionResult, other_tests: int = 0) -> Sentence:
    """What the evaluation as a whole came to: one word, and the facts behind it."""
    if not session.rows and not session.not_run:
        return Sentence("unknown", "yellow", _nothing(session, other_tests))
    word = _word(session)
    style = "red" if word == "failed" else "green" if word == "passed" and session.exit_status == 0 else "yellow"
    return Sentence(word, style, tuple(_facts(session, word)) or ("no case has a verdict",))


def _nothing(session: SessionResult, other_tests: int) -> tuple[str, ...]:
    defined, suites = sum(s.defined for s in session.suites), len(session.suites)
    here = (
        f"none of {counted(defined, 'case')} in {counted(suites, 'suite')} was selected" if defined else "no case ran"
    )
    return (here, f"{counted(other_tests, 'other test')} ran") if other_tests else (here,)


def _word(session: SessionResult) -> str:
    summary, status = session.summary, session.exit_status
    if status == 0:
        return "passed" if summary.counts.rated or summary.counts.scored else "unknown"
    inside = sum(n for kind, n in summary.error_kinds.items() if not kind.outside)
    broken = any(v.verdict is Verdict.BROKEN for v in session.verdicts)
    if summary.counts.failed > summary.missed or inside or broken:
        return "failed"
    if status == 75:
        return "inconclusive"
    if session.not_run or session.stopped:
        return "incomplete"
    undecided = any(v.verdict is Verdict.UNDECIDED for v in session.verdicts)
    # what made pytest fail is then something else: an ordinary test, an unreadable suite, --evals-strict
    return "inconclusive" if undecided or summary.counts.errors else "passed"


def _facts(session: SessionResult, word: str) -> Iterator[str]:
    summary = session.summary
    counts = summary.counts
    failed = counts.failed - summary.missed
    gates = [v.verdict for v in session.verdicts if v.verdict is not Verdict.NOT_ASKED]
    broken, undecided = gates.count(Verdict.BROKEN), gates.count(Verdict.UNDECIDED)
    if word == "passed" and counts.rated:
        yield f"{count(counts.passed)} of {counted(counts.rated, 'case')}"
    if word == "passed" and session.exit_status:
        yield f"but pytest exits with {session.exit_status}"
    if counts.scored and (word == "passed" or not counts.rated):
        yield f"{counted(counts.scored, 'case')} scored without a verdict"
    if broken:
        yield f"{broken} of {counted(len(gates), 'gate')} broken" + (f" and {undecided} undecided" if undecided else "")
    if failed:
        yield f"{count(failed)} of {counted(counts.rated, 'case')} failed"
    if session.stopped and any(limit.reached for limit in session.budget):
        yield "budget spent"
    if undecided and not broken:
        yield f"{undecided} of {counted(len(gates), 'gate')} undecided"
    if counts.errors:
        yield f"{counted(counts.errors, 'case')} errored"
    if session.not_run:
        yield f"{counted(len(session.not_run), 'case')} never ran"
    if gates and not broken and not undecided:
        yield f"{counted(len(gates), 'gate')} held"
    if summary.missed:
        yield f"{count(summary.missed)} missed"
    if word == "unknown" and counts.skipped:
        yield f"{counted(counts.skipped, 'case')} skipped"
    if session.stopped:
        yield f"stopped early: {one_line(session.stopped, 60)}"
