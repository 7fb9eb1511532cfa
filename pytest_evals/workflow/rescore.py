"""Scoring the answers of a stored run again, with the criteria that a suite has now. No target is called."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.target import Target
from ..errors import TargetError, UsageError
from ..model.bracket import rest_of
from ..model.outcome import Outcome
from ..model.trials import DEFAULT_PASS_IF
from ..model.wire import plain
from .asked import question_hash
from .earlier import EarlierResults, Key, named_run, session_runs
from .resume import Source

if TYPE_CHECKING:
    from ..model.case import Case, Suite
    from ..model.result import CaseResult
    from ..store.location import Location

NEW = "not in the run"
GONE = "of the run, not in the suite any more"
OTHER = "the answer is to another question"
UNASKED = "skipped in the run, or never asked"


def run_to_rescore(location: Location, spec: str, option: str, folder: Path) -> Source:
    """The run a person named, with the others of its session. Raises ``UsageError`` when there is none."""
    from ..store.connect import reading

    if location.missing:
        raise UsageError(f"{option}: there is no history yet at {location}")
    with reading(location) as connection:
        run = named_run(connection, spec, option, folder)
        return Source(tuple(session_runs(connection, run)), run.git_commit or "")


def key_there(key: Key, suites: Collection[str]) -> Key:
    """The case's key in a run with these suites: a run of one suite is scored with whatever suite has its cases."""
    return (next(iter(suites)), *key[1:]) if len(suites) == 1 else key


def why_not(case: Case, before: CaseResult | None) -> str:
    """Why a case has no answer that can be scored again; "" when it has one."""
    if before is None:
        return NEW
    if before.outcome is Outcome.SKIPPED or not before.trials:
        return UNASKED
    asked = before.trials[0].asked.partition(".")[0]
    same = asked == question_hash(case) if asked else _same(case.input, before.input)
    return "" if same else OTHER


def _same(now: object, before: object) -> bool:
    return now is None or bool(plain(now) == before)


def as_answered(case: Case, before: CaseResult) -> Case:
    """The case with as many trials as it was asked there: no other answers can be had."""
    planned = max(before.planned_trials, len(before.trials))
    if case.trials == planned:
        return case
    # "3 of 5" says nothing of a case that was asked 4 times
    pass_if = (before.pass_if or DEFAULT_PASS_IF) if " of " in case.pass_if else case.pass_if
    return replace(case, trials=planned, pass_if=pass_if)


@cache
def no_target(label: str = "") -> Target:
    """What stands in the place of the application; it is asked for a trial that the run has not."""

    def missing(*, trial: int) -> None:
        raise TargetError(
            f"trial {trial} was not asked in that run, which had decided the case before; "
            "to score it otherwise, run the suite with --evals-all-trials"
        )

    return Target(label, missing, passes_input=None, extras=("trial",), inline=True)


def left_out(results: EarlierResults, suites: Iterable[Suite]) -> dict[str, list[str]]:
    """The cases that are not scored, those of the suites and those of the run, by the reason."""
    there: dict[tuple[str, str], list[Key]] = {}
    for key in results:
        there.setdefault(key[:2], []).append(key)
    names = {suite for suite, _ in there}
    found: dict[str, list[str]] = {}
    seen: set[Key] = set()
    asked_about: set[str] = set()
    for suite in suites:
        asked_about.add(key_there((suite.name, "", ""), names)[0])
        for case in suite.cases:
            keys = there.get(key_there((suite.name, case.id, ""), names)[:2], [])
            for variant in suite.variants or (None,):
                name = "" if variant is None else variant.id
                fitting = [key for key in keys if not name or rest_of(key[2], name) is not None]
                seen.update(fitting)
                asked = case if variant is None else variant.of(case)
                reasons = [why_not(asked, results.get(key)) for key in fitting] or [NEW]
                if reason := next(filter(None, reasons), ""):
                    found.setdefault(reason, []).append(_named((suite.name, case.id, name)))
    for keys in there.values():
        for key in keys:
            if key not in seen and key[0] in asked_about:
                found.setdefault(GONE, []).append(_named(key))
    return found


def _named(key: Key) -> str:
    """A case that may have no node any more: ``support-bot::refund-window[small]``."""
    suite, case_id, bracket = key
    return f"{suite}::{case_id}[{bracket}]" if bracket else f"{suite}::{case_id}"
