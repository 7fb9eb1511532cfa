"""The pytest plugin's front: options, markers, and the first look at file names.

Everything here runs at every start of pytest in every project, so it imports nothing but pytest and cheap modules of
the standard library; the rest wakes up with the first suite (``activate``).
"""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

import pytest

from .. import filenames
from ..errors import UsageError
from .beginning import EARLIER, SHARD, begin, tell
from .fixtures import *  # noqa: F403 - pytest finds fixtures in the plugin's namespace
from .options import SETTINGS_KEY, Settings, add_options
from .selecting import prepare, tell_worker

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from .session import SessionReports

FOLDER_FILES = ("evals.defaults.yaml", "evals.defaults.yml")


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    from .. import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "evals: a case of an evaluation suite (every case carries it)")
    settings = config.stash[SETTINGS_KEY] = Settings(config)
    try:
        settings.check()
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None
    prepare(config)
    _prepare_parts(config)
    begin(config)
    if only_looks(config):
        # one process has all items; xdist's controller would have none
        config.option.dist, config.option.tx = "no", []
        config.pluginmanager.register(Looker(), "evals-looker")
    config.pluginmanager.register(Front(config), "evals-front")


def _prepare_parts(config: pytest.Config) -> None:
    """Prepare what few sessions are asked for."""
    settings = config.stash[SETTINGS_KEY]

    def asked(*names: str) -> bool:
        return any(settings.origin(name)[0] is not None for name in names)

    if asked("shard", "shard_file"):
        from .sharding import prepare_shard

        prepare_shard(config)
    if asked("resume", "retry_errors", "rescore"):
        from .earlier import prepare_earlier

        prepare_earlier(config)


def only_looks(config: pytest.Config) -> bool:
    """Whether the session collects and runs nothing: ``--evals-dry-run``, ``--evals-explain``."""
    settings = config.stash[SETTINGS_KEY]
    return bool(settings.dry_run) or settings.explain is not None


def is_suite(config: pytest.Config, name: str) -> bool:
    """Whether a file is a suite, by its name alone."""
    if filenames.is_suite(name):
        return True
    if name.endswith(
        (*FOLDER_FILES, filenames.RESULTS)
    ):  # what holds for the suites of a folder, whatever patterns there are
        return False
    patterns: Sequence[str] = config.getini("evals_files") or ()
    return any(fnmatch(name, pattern) or fnmatch(name, "*/" + pattern) for pattern in patterns)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not is_suite(parent.config, file_path.name) and not is_suite(parent.config, file_path.as_posix()):
        return None
    from .activate import activate

    return activate(parent.config).file(file_path, parent)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    # the plugin may wake up inside the loop (a controller hears of suites from its workers), so the front waits here
    try:
        result = yield
    except BaseException as stop:
        _loop_ended(session, stop)
        raise
    _loop_ended(session, None)
    return result


def _loop_ended(session: pytest.Session, stop: BaseException | None) -> None:
    from .activate import SESSION

    reports = session.config.stash.get(SESSION, None)
    if reports is not None:
        reports.loop_ended(session, stop)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    # with one call at a time, xdist's own way is as good and fairer
    if config.getvalue("dist") != "load" or config.stash[SETTINGS_KEY].concurrency <= 1:
        return None
    from .scheduling import CaseScheduling

    return CaseScheduling(config, log, lambda file: is_suite(config, file))


class Looker:
    """In the place of the loop that runs the items."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        from .looking import look

        return look(session) or None


class Front:
    """Hooks that are told no config: they wake the plugin up on an xdist controller, which collects nothing itself."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._worker = hasattr(config, "workerinput")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self._worker and is_suite(self._config, report.nodeid):
            self._reports().unreadable_suite = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # later reports reach the session by themselves; the first one of a controller wakes it up
        if hasattr(report, "evals_results") and not self._worker and not self._awake():
            self._reports().pytest_runtest_logreport(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        tell(self._config, node)
        tell_worker(self._config, node)
        if EARLIER in self._config.stash:
            from .earlier import tell_earlier

            tell_earlier(self._config, node)
        if SHARD in self._config.stash:
            from .sharding import tell_shard

            tell_shard(self._config, node)
        from .hosts import tell_host

        tell_host(self._config, node)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        if any(is_suite(self._config, file) for file in {node_id.partition("::")[0] for node_id in ids}):
            self._reports().workers_collected(ids)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        # a worker whose cases were all deselected names none of its suites before
        counts = getattr(node, "workeroutput", {}).get("evals_suites")
        if counts:
            self._reports().index.counted(counts)

    def _awake(self) -> bool:
        from .activate import SESSION

        return SESSION in self._config.stash

    def _reports(self) -> SessionReports:
        from .activate import SESSION, activate

        activate(self._config)
        return self._config.stash[SESSION]
