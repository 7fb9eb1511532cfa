"""Sessions that go on with an earlier run: ``--evals-resume``, ``--evals-retry-errors``, ``--evals-rescore``.

The controller (or the one process there is) finds the run; workers are told which it is, and each process reads its
results for itself. A case whose result still holds is reported with it and nothing of it is set up; a case that is
scored again has the earlier answers in the place of its target.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import pytest

from ..errors import EvalsError
from ..model.codec import result_from_json
from ..model.outcome import Outcome
from .beginning import EARLIER
from .options import SETTINGS_KEY
from .outcomes import AGAIN

if TYPE_CHECKING:
    from collections.abc import Container, Generator, Iterable, Iterator, Sequence
    from pathlib import Path

    from ..model.case import Suite
    from ..model.result import CaseResult, Trial
    from ..model.run import Earlier
    from ..workflow.earlier import EarlierResults, Key
    from ..workflow.resume import Source
    from .items import CaseItem

How = Literal["resumed", "errors retried", "scored again"]
_SETTINGS: dict[str, How] = {"resume": "resumed", "retry_errors": "errors retried", "rescore": "scored again"}

_TOLD = "evals_earlier"
_RESULTS = "evals_earlier_results"


def prepare_earlier(config: pytest.Config) -> None:
    """Find the run that was asked for; a mistake ends the session at its start. Raises ``pytest.UsageError``."""
    settings = config.stash[SETTINGS_KEY]
    asked = {name: settings.origin(name) for name in _SETTINGS}
    said = [(name, value, where) for name, (value, where) in asked.items() if value is not None]
    if not said:
        return
    if len(said) > 1:
        raise pytest.UsageError(f"{said[0][2]} and {said[1][2]}: give one of them")
    [(name, spec, option)] = said
    from ..workflow.resume import Source

    try:
        if told := getattr(config, "workerinput", {}).get(_TOLD):
            uids, session_id = json.loads(told)
            source = Source(tuple(uids), session_id=session_id)
        else:
            source = _find(config, name, spec, option)
    except EvalsError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[EARLIER] = EarlierAnswers(config, _SETTINGS[name], source)


def tell_earlier(config: pytest.Config, node: Any) -> None:
    """Let a worker know which run it is: the history may change meanwhile."""
    if (earlier := config.stash.get(EARLIER, None)) is not None:
        node.workerinput[_TOLD] = json.dumps([earlier.source.uids, earlier.source.session_id])
        from .hosts import is_elsewhere

        if is_elsewhere(node):  # where there may be no history
            node.workerinput[_RESULTS] = earlier.lines()


def _find(config: pytest.Config, name: str, spec: str, option: str) -> Source:
    from ..store.location import locate

    location, folder = locate(config.stash[SETTINGS_KEY].history, config.rootpath), config.invocation_params.dir
    if name == "rescore":
        from ..workflow.rescore import run_to_rescore

        return run_to_rescore(location, spec, option, folder)
    from ..workflow.resume import run_to_resume

    return run_to_resume(location, spec, errors=name == "retry_errors", option=option, folder=folder)


class EarlierAnswers:
    """What the earlier run has, as items and the session ask for it."""

    def __init__(self, config: pytest.Config, how: How, source: Source) -> None:
        self._config = config
        self._how = how
        self.source = source
        self._results: EarlierResults | None = None
        self._unreadable = ""
        self._unscored: set[str] = set()
        """Node ids of the items that were answered, and not scored before the run was stopped."""
        self._answers: Path | None = None
        self.unreported = 0
        """So many cases were answered, whose turn did not come before the run was stopped."""
        self._names: frozenset[str] = frozenset()
        self._taken: set[str] = set()
        """Node ids of the items whose result, or answers, are taken over."""
        self._why: dict[str, str] = {}
        """By node id, why another item is asked."""
        self._counted: dict[tuple[str, str, str], float | None] = {}
        self._again: dict[str, list[str]] = {}

    @property
    def scores_again(self) -> bool:
        return self._how == "scored again"

    @property
    def run(self) -> str:
        """``uid`` of the run; empty when there is none."""
        return self.source.uids[0] if self.source.uids else ""

    # -- where items are ------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None, object, object]:
        outcome = yield
        if self.source:
            self._match(config, items)
        return outcome

    def _match(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        from .items import CaseItem

        others: list[pytest.Item] = []
        for item in items:
            if not isinstance(item, CaseItem):
                continue
            why = self._why_not(item)
            if not why:
                self._taken.add(item.nodeid)
                self._tell_others(item)
                continue
            self._unscored.discard(item.nodeid)
            if self.scores_again:
                others.append(item)
            else:
                self._why[item.nodeid] = why
        if others:
            config.hook.pytest_deselected(items=others)
            gone = set(others)
            items[:] = [item for item in items if item not in gone]

    def _tell_others(self, item: CaseItem) -> None:
        """Another variant may be compared with the result that is taken over, before the item's turn."""
        others = item.state.others
        if others.keeps(item.suite.name, item.configuration.id if item.configuration is not None else ""):
            result = self.result_of(item)
            if result is not None:
                others.put(result)

    def _why_not(self, item: CaseItem) -> str:
        results = self._read()
        if results is None:
            return self._unreadable
        before = results.get(self._key(item))
        if before is not None and before.outcome is Outcome.SKIPPED:
            self._unscored.add(item.nodeid)
        if self.scores_again:
            from ..workflow.rescore import as_answered, no_target, why_not

            why = why_not(item.case, before)
            if not why and before is not None:
                item.case, item.target = as_answered(item.case, before), no_target(before.target)
            return why
        from ..workflow.resume import why_again

        retried, settings = self._how == "errors retried", item.state.settings
        return why_again(item.case, item.state.asked(item), before, errors=retried, all_trials=settings.all_trials)

    def _key(self, item: CaseItem) -> tuple[str, str, str]:
        key = (item.suite.name, item.case.id, item.variant)
        if not self.scores_again:
            return key
        from ..workflow.rescore import key_there

        return key_there(key, self._names)

    def _read(self) -> EarlierResults | None:
        if self._results is None and not self._unreadable and self.source:
            from ..store.location import locate
            from ..workflow.earlier import EarlierResults

            told: str | None = getattr(self._config, "workerinput", {}).get(_RESULTS)
            try:
                if told is not None:
                    self._results = EarlierResults.of_lines(told.split("\n") if told else [])
                else:
                    location = locate(self._config.stash[SETTINGS_KEY].history, self._config.rootpath)
                    self._results = EarlierResults.read(location, self.source.uids)
                    if self.source.session_id:
                        from ..workflow.answered import answers_file, kept_answers

                        self._answers = answers_file(location, self.source.session_id)
                        self.unreported = self._results.add_lines(kept_answers(self._answers))
            except EvalsError as error:  # it is locked, or was moved meanwhile
                self._unreadable = f"the history cannot be read: {error}"
            else:
                self._names = frozenset(key[0] for key in self._results)
        return self._results

    def lines(self) -> str:
        """All results of the run, for a worker that cannot read them itself."""
        results = self._read()
        return "\n".join(results.lines()) if results is not None else ""

    def has(self, item: CaseItem) -> bool:
        """Whether the item's whole result is taken over."""
        return not self.scores_again and item.nodeid in self._taken and item.nodeid not in self._unscored

    def result_of(self, item: CaseItem) -> CaseResult | None:
        """The result that an item takes over; what does not decide it (tags, name) is as it is now."""
        before = self._results.get(self._key(item)) if self.has(item) and self._results is not None else None
        if before is None:
            return None
        from ..engine.runner import blank_result

        same = ("trials", "score", "error", "started_at", "finished_at")
        known = {name: getattr(before, name) for name in same}
        return blank_result(item.case, before.target, item.identity(), before.outcome, **known)

    def recorded(self, item: CaseItem) -> Sequence[Trial]:
        """The trials of an item whose answers are there and are to be scored."""
        if self._results is None or not (self.scores_again or item.nodeid in self._unscored):
            return ()
        before = self._results.get(self._key(item))
        return before.trials if before is not None else ()

    def why_again(self, item: CaseItem) -> str:
        """Why the item was asked; empty when it was not."""
        return self._why.get(item.nodeid, "")

    def not_asked(self, items: Iterable[pytest.Item]) -> set[pytest.Item]:
        """Those of the items that call nothing."""
        return {item for item in items if item.nodeid in self._taken}

    # -- where the session comes together -------------------------------------------------------------------------

    def asked_again(self, report: pytest.TestReport) -> None:
        """Take from a report why its case was asked."""
        why = getattr(report, AGAIN, "")
        if why:
            delattr(report, AGAIN)
            nodes = self._again.setdefault(why, [])
            if report.nodeid not in nodes[-1:]:
                nodes.append(report.nodeid)

    def count(self, result: CaseResult) -> None:
        """Count a result if it was taken over."""
        if result.answered_in:
            self._counted[result.key] = result.cost_usd
        else:
            self._counted.pop(result.key, None)

    def summary(self, suites: Iterable[Suite]) -> Earlier:
        """What was taken over, and what not."""
        from ..model.run import Earlier

        others: dict[str, list[str]] = self._again
        if self.scores_again and (results := self._read()) is not None:
            from ..workflow.rescore import left_out

            others = left_out(results, suites)
        known = [cost for cost in self._counted.values() if cost is not None]
        return Earlier(
            run=self.run,
            how=self._how,
            cases=len(self._counted),
            cost_usd=sum(known) if known else None,
            unknown_cost=len(self._counted) - len(known),
            others=others,
            answers=self.unreported if self._read() is not None else 0,
            note=self.source.note or self._other_commit(),
        )

    def not_used(self, done: Container[Key]) -> Iterator[str]:
        """The answers that this session did not get to either, as ``workflow.answered`` keeps them."""
        if self._read() is not None and self._answers is not None:
            from ..workflow.answered import kept_answers

            yield from (line for line in kept_answers(self._answers) if result_from_json(line).key not in done)

    def used(self) -> None:
        """All of it is in the history now."""
        if self._answers is not None:
            from ..workflow.answered import forget_answers

            forget_answers(self._answers)

    def _other_commit(self) -> str:
        if self.scores_again or not self.source.commit:
            return ""
        from ..workflow.git import git_state

        state = git_state(self._config.rootpath)
        now = state.commit if state is not None else None
        if not now or now == self.source.commit:
            return ""
        return f"that run was of commit {self.source.commit[:10]}, this one is of {now[:10]}"

    def close(self) -> None:
        if self._results is not None:
            self._results.close()
            self._results = None
