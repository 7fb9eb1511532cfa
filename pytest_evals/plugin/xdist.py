"""Life with xdist: the controller's side, the worker's side, and how cases are handed out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from .beginning import RUN_ID
from .inflight import Suspicion
from .outcomes import SHOWN

if TYPE_CHECKING:
    from .state import State


class WorkerSide:
    """Tells the controller what only a worker knows."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._unreadable = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            from . import is_suite

            self._unreadable |= is_suite(self._state.config, report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        # alone pytest runs nothing after a collection error; xdist would run the rest
        if self._unreadable and not config.option.continue_on_collection_errors:
            items[:] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self._state.stop_calls()
        left = self._state.unreported or exitstatus == pytest.ExitCode.INTERRUPTED
        if left and (folder := self._state.shared_folder()) is not None:
            from .unreported import leave

            leave(self._state, folder, self._state.config.workerinput["workerid"])  # type: ignore[attr-defined]
        output: dict[str, Any] = self._state.config.workeroutput  # type: ignore[attr-defined]
        root = self._state.config.rootpath
        counts = {
            path.relative_to(root).as_posix(): number
            for path, number in self._state.counts.items()
            if path.is_relative_to(root)
        }
        output["evals_suites"] = json.dumps(counts)


class ControllerSide:
    """Finds out which case killed a worker."""

    def __init__(self) -> None:
        self._suspicion = Suspicion()

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport, sched: Any) -> None:
        node: Any = report.node
        run_id, worker_id = node.workerinput["testrunuid"], node.workerinput["workerid"]
        self._suspicion.watch(run_id)
        others = self._suspicion.others_in_flight(run_id, worker_id, crashitem)
        if not others:
            return  # it ran alone: the blame is right
        self._suspicion.suspect(run_id, {crashitem, *others})
        try:
            sched.mark_test_pending(crashitem)
        except NotImplementedError:  # loadscope, loadfile and loadgroup hand the item out again by themselves
            report.longrepr = f"{report.longrepr}\nother calls ran in that worker: {', '.join(sorted(others))}"
            return
        report.outcome = "rerun"  # type: ignore[assignment]
        setattr(report, SHOWN, "suspect")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._suspicion.watch(node.workerinput["testrunuid"])

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        self._suspicion.watch(config.stash[RUN_ID])  # of an interrupted session no worker is reported down
        self._suspicion.close()
