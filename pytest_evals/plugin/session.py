"""Where a session comes together (alone, or on the xdist controller): results, gates, reports, exit status."""

from __future__ import annotations

import time
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ..engine.runner import now_utc
from ..model.codec import result_from_json, result_to_json
from ..model.gate import GateVerdict, Verdict
from ..model.outcome import Outcome
from ..model.run import SessionResult
from ..stats.status import INCONCLUSIVE, errors_of, exit_status
from ..workflow.spool import Spool
from .baseline import compare_with_baseline
from .beginning import SHARD
from .gates import decide_gates, report_gates
from .history import SessionHistory
from .hosts import has_own_host
from .items import CaseItem
from .outcomes import RESULTS, SHOWN, status
from .selecting import selection_words, why_nothing
from .suites import SuiteIndex

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ..model.comparison import Comparison
    from ..model.gate import Gate
    from ..model.result import CaseRow
    from .progress import Progress, ProgressLine
    from .state import State

PHASES = ("setup", "call", "teardown")


class SessionReports:
    """Gathers results as they come and finishes the session once, at its end."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.config = state.config
        self.index = SuiteIndex(state)
        self.rows: dict[tuple[str, str, str], CaseRow] = {}
        self.unreadable_suite = False
        self.result: SessionResult | None = None
        self.written: list[str] = []
        """What the terminal says of reports, a line each."""
        self.stored: list[str] = []
        """What it says of runs in the history."""
        self.session_id = uuid.uuid4().hex
        self.started_at = now_utc()
        self._history = SessionHistory(self)
        self.sharding = state.config.stash.get(SHARD, None)
        """What makes the session one part of an evaluation."""
        wanted = self._history.location is not None or bool(state.settings.report) or self.sharding is not None
        self._spool = Spool(self._history.journals, self._history.header) if wanted else None
        self._clock = time.perf_counter()
        self._ran = False
        """Whether items were run, which --collect-only, --setup-plan, --fixtures-per-test, --evals-dry-run do not."""
        self._failed_outright = False
        self._stopped = ""
        self._over_budget = ""
        """Why cases were skipped that the session had no budget left for."""
        self._stopped_at_failures = False
        self._verdicts: Sequence[GateVerdict] = ()
        self._comparison: Comparison | None = None
        self.no_baseline = ""
        """Why there is nothing to compare with, although it was asked for."""
        self._missed: dict[str, bool] = {}
        self._gate_ids: list[str] = []
        self.progress: Progress | None = None
        """How far the cases are, when a line on the terminal shows it."""
        self._line: ProgressLine | None = None
        self._others: set[str] = set()
        """Node ids of ordinary tests."""

    def show_progress(self) -> None:
        """Let a line on the terminal tell how far the cases are, where that is wanted."""
        from .progress import Progress, ProgressLine, wants_progress

        config, ledger = self.config, self.state.ledger
        if not wants_progress(config, self.state.settings):
            return
        alone = not config.pluginmanager.hasplugin("dsession")
        self.progress = Progress(
            lambda: len(self.index.selected),
            in_flight=(lambda: ledger.in_flight) if alone else None,
            waiting=(lambda: ledger.waiting) if alone else None,
        )
        self._line = ProgressLine(config, self.progress)
        config.pluginmanager.register(self._line, "evals-progress")

    # -- results as they come -------------------------------------------------------------------------------------

    @pytest.hookimpl
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.index.collected([item for item in session.items if isinstance(item, CaseItem)])

    def workers_collected(self, ids: Sequence[str]) -> None:
        """Told by xdist once per worker; all workers collect the same."""
        self.index.named(ids)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed_outright = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.nodeid in self._gate_ids:
            return
        if hasattr(report, RESULTS):
            self._take(report)
        elif report.when == "setup" and report.nodeid not in self.index.selected:
            self._others.add(report.nodeid)
        if report.when not in PHASES and report.failed:
            self._crashed(report)
        shown = getattr(report, SHOWN, None)
        if report.when != "teardown":
            if shown in ("missed", "errored"):
                self._missed[report.nodeid] = True
            elif report.when == "call" or report.failed:
                self._missed.pop(report.nodeid, None)
        if report.failed and not hasattr(report, "wasxfail") and not self._errored_outside(report.nodeid):
            self._failed_outright = True

    def _take(self, report: pytest.TestReport) -> None:
        """Keep the results a report carries, and take them off it: pytest keeps reports until the end."""
        from ..report.rows import row_of

        lines: str = getattr(report, RESULTS)
        delattr(report, RESULTS)
        if self.state.earlier is not None:
            self.state.earlier.asked_again(report)
        away = hasattr(report, "node") and has_own_host(report.node)
        for line in lines.split("\n"):
            result = result_from_json(line)
            if result.outcome is Outcome.SKIPPED and result.skip_reason in self.state.ledger.reasons:
                self._over_budget = self._over_budget or result.skip_reason or ""
            if self._spool is not None:
                self._spool.append(line, result)
            # the last word counts: reruns and failing teardowns come again
            if self.state.earlier is not None:
                self.state.earlier.count(result)
            row, before = row_of(result), self.rows.get(result.key)
            if away and result.outcome is not Outcome.SKIPPED and not result.answered_in:
                self.state.ledger.count_elsewhere(row)
            self.rows[result.key] = row
            if self.progress is not None and result.node_id in self.index.selected:
                self.progress.take(before, row)

    def _errored_outside(self, node_id: str) -> bool:
        """Whether the failure is a case's error for reasons outside the application: counted apart, at the end."""
        row = self.index.row_of_node(node_id, self.rows)
        return (
            row is not None and row.outcome is Outcome.ERRORED and row.error_kind is not None and row.error_kind.outside
        )

    def _crashed(self, report: pytest.TestReport) -> None:
        result = self.index.crashed(report)
        if result is not None:
            setattr(report, RESULTS, result_to_json(self.state.redacted(result)))
            self._take(report)

    # -- the end --------------------------------------------------------------------------------------------------

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        # with xdist -x is an interruption, alone it is a failure
        message = str(excinfo.value)
        self._stopped_at_failures = message.startswith("stopping after") and message.endswith("failures")

    def loop_ended(self, session: pytest.Session, stop: BaseException | None) -> None:
        """All items have run, or something stopped them: decide the gates."""
        from . import only_looks

        if self._line is not None:
            self._line.stop()
        option = self.config.option
        self._ran = not (option.collectonly or getattr(option, "setuponly", False) or only_looks(self.config))
        if not self._ran:
            return
        if stop is not None:
            self._stopped = _why(stop, session)
        else:
            self._stopped = self._over_budget
        rows = list(self.rows.values())
        if self.sharding is not None:
            self._verdicts = self.sharding.waiting([*self.index.gates(), *self._gates()])
            return
        if self.state.settings.baseline and (rows or self.index.suites):
            rows = self.index.in_file_order(rows)  # what broke is told in the order of the files
            self._comparison, self.no_baseline = compare_with_baseline(
                self.state, self.index, rows, self._history.location, self._stopped
            )
        self._verdicts = decide_gates(
            self.index,
            rows,
            self._stopped,
            self._gates(),
            self._comparison,
            self.no_baseline,
            self._history.location,
        )
        if stop is None:
            shown = [v for v in self._verdicts if v.verdict in (Verdict.BROKEN, Verdict.UNDECIDED)]
            self._gate_ids = [self.index.gate_id(v.gate) for v in shown]
            report_gates(self.config, self.index, shown)

    def _gates(self) -> list[Gate]:
        """The session's own gates, over the cases of all its suites."""
        from ..model.gate_grammar import parse_gate

        return [parse_gate(text) for text in self.state.settings.gate]

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        outcome = yield
        # after pytest's own and xdist's (its workers are down), before the terminal summary
        if self._ran:
            self._finish(session)
        elif self.unreadable_suite and session.exitstatus in (0, 1):
            session.exitstatus = pytest.ExitCode.INTERRUPTED
        return outcome

    def _finish(self, session: pytest.Session) -> None:
        self._remember_missed()
        rows = self.index.in_file_order(self.rows.values())
        # cases of gateless suites that never ran make a run incomplete too; a stop is told by pytest's own status
        not_run = self.index.not_run(self.rows) if not self.unreadable_suite else []
        share = self.state.settings.max_error_share
        errors = errors_of(rows, share)
        of_pytest = int(session.exitstatus)
        if self.sharding is not None and of_pytest == pytest.ExitCode.NO_TESTS_COLLECTED and self.index.suites:
            session.exitstatus = pytest.ExitCode.OK  # there are more shards than cases
        session.exitstatus = exit_status(
            int(session.exitstatus),
            failed_outright=self._failed_outright or errors.inside,
            broken_gates=sum(v.verdict is Verdict.BROKEN for v in self._verdicts),
            undecided_gates=sum(v.verdict is Verdict.UNDECIDED for v in self._verdicts),
            outside_errors=errors.beyond,
            cases=errors.ran,
            tolerated_share=share,
            not_run=len(not_run),
            budget_spent=bool(self._over_budget),
            unreadable_suite=self.unreadable_suite,
            stopped_at_failures=self._stopped_at_failures,
        )
        if not rows and not not_run and not self.index.suites:
            return
        from ..stats import pair_variants, summarize

        if self._comparison is not None and self._spool is not None:
            from ..workflow.comparing import with_answers

            self._comparison = with_answers(self._comparison, self._history.location, self._spool.results)
        self.result = SessionResult(
            session_id=self.session_id,
            started_at=self.started_at,
            finished_at=now_utc(),
            duration_s=time.perf_counter() - self._clock,
            rows=rows,
            suites=self.index.counts(),
            summary=summarize(rows),
            pairs=pair_variants(rows),
            selection=self._selection(),
            comparison=self._comparison,
            no_baseline=self.no_baseline,
            verdicts=self._verdicts,
            not_run=not_run,
            exit_status=int(session.exitstatus),
            stopped=self._stopped,
            params=self.params(),
            budget=self.state.ledger.budget(),
            earlier=self.state.earlier.summary(self.index.suites.values()) if self.state.earlier is not None else None,
        )
        self.written += self._misspelt_limits()
        in_shard = self.sharding is not None and self._write_shard(self.result, of_pytest)
        if self.sharding is not None and not in_shard:
            session.exitstatus = session.exitstatus or INCONCLUSIVE
        self._write(self.result, to_history=not in_shard or bool(self._stopped))

    def _write_shard(self, result: SessionResult, of_pytest: int) -> bool:
        from .shardend import write_shard_file

        assert self._spool is not None
        ending = {
            "pytest_status": of_pytest,
            "failed_outright": self._failed_outright,
            "unreadable_suite": self.unreadable_suite,
            "stopped_at_failures": self._stopped_at_failures,
            "budget_spent": bool(self._over_budget),
            "other_tests": len(self._others),
        }
        done, line = write_shard_file(self, self._history, self._spool, result, ending)
        self.written.append(line)
        return done

    def _write(self, result: SessionResult, *, to_history: bool) -> None:
        if self._spool is None:
            return
        from .writing import write_reports

        try:
            try:
                if to_history:
                    self.stored = self._history.record(result, self._spool)
                self._keep_unreported()
            finally:  # whatever becomes of the history
                if self.state.settings.report:
                    told = replace(result, trend=self._history.trend(result))
                    self.written += write_reports(self.state, told, self._spool)
                self.written += self._spool.complaints
        finally:
            self._spool.close()

    def _keep_unreported(self) -> None:
        """Keep the answers of cases whose turn did not come; without such, what an earlier session kept was used."""
        location = self._history.location
        if self._stopped and location is not None:
            from .unreported import keep

            folder = self.state.shared_folder()
            self.written += filter(None, [keep(self.state, location, self.session_id, folder, set(self.rows))])
        if self.state.earlier is not None:
            self.state.earlier.used()

    def _selection(self) -> str:
        words = selection_words(self.config)
        if words and not self.index.selected:
            return why_nothing(self.config, self.index.candidates()) or words
        return words

    def params(self) -> dict[str, Any]:
        """How the session was invoked, and which prices count where models are asked."""
        redactor = self.state.redactor
        args = redactor.command(map(str, self.config.invocation_params.args))
        params = {"args": args, "rootdir": str(self.config.rootpath)}
        if words := selection_words(self.config):
            params["selection"] = words
        return params | self._prices()

    def _misspelt_limits(self) -> list[str]:
        """A line for each limit whose name is nearly that of something this session calls."""
        if not self.state.settings.limits:
            return []
        from ..llm.limits import parse_limits

        suites = self.index.suites.values()
        called = {str(spec) for suite in suites for spec in (suite.target, *(v.target for v in suite.variants))}
        # a limit that is of no use here may be one for other suites
        unused = parse_limits(self.state.settings.limits).unmatched(called)
        return [f"limits: {line}" for line in unused if "did you mean" in line]

    def _prices(self) -> dict[str, Any]:
        settings = self.state.settings
        if not settings.prices and not any(suite.asks_models for suite in self.index.suites.values()):
            return {}
        from ..llm.pricing import describe
        from ..workflow.replies import price_file

        return {"prices": describe(price_file(self.config.rootpath, settings.prices))}

    def _remember_missed(self) -> None:
        """``--lf`` runs missed cases again (pytest forgets what was not *failed*), and never a gate."""
        cache = getattr(self.config, "cache", None)
        if cache is None:
            return
        before = cache.get("cache/lastfailed", {})
        after = {k: v for k, v in {**before, **self._missed}.items() if k not in self._gate_ids and "::gate[" not in k}
        if after != before:
            cache.set("cache/lastfailed", after)

    # -- the terminal ---------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> Any:
        return status(report)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.result is not None and not getattr(terminalreporter, "no_summary", False):
            from .terminal import print_section

            print_section(terminalreporter, self.result, self.written, self.stored, len(self._others))


def _why(stop: BaseException, session: pytest.Session) -> str:
    if isinstance(stop, (session.Failed, KeyboardInterrupt)):  # xdist's and pytest's own interruptions say why
        return str(stop) or "interrupted"
    return f"{type(stop).__name__}: {stop}" if str(stop) else type(stop).__name__
