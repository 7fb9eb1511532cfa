"""What the plugin keeps in one process: settings, suites, targets, and the engine."""

from __future__ import annotations

import itertools
import logging
import os
import time
from collections import deque
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import SuiteError
from ..model.case import DEFAULT_EXPERIMENT
from ..model.place import Place, Problem
from .beginning import EARLIER, RUN_ID, STARTED
from .budget import Ledger
from .collect import SCORER_SUFFIX, SuiteFile
from .datasets import with_dataset
from .hosts import Attendance, host
from .options import SETTINGS_KEY, Settings
from .signals import TermHandler

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..engine.answer import Watch
    from ..engine.asking import Asking
    from ..engine.judging import Judges
    from ..engine.model import Models
    from ..engine.others import OtherVariants
    from ..engine.runner import Engine
    from ..engine.steps import Keeper
    from ..engine.target import Target
    from ..llm.limiter import SessionLimiter
    from ..model.case import ExperimentSpec, Suite, TargetSpec
    from ..model.judge import Judged
    from ..model.llm import LlmClient, ModelSpec, Request
    from ..model.redaction import Redactor
    from ..model.result import CaseResult
    from ..workflow.asked import AskedHashes
    from ..workflow.others import FindOthers
    from .ahead import LookAhead
    from .earlier import EarlierAnswers
    from .inflight import InFlight
    from .items import CaseItem


RECENT = 50
"""So many of the last results a worker remembers."""


class State:
    """Made when the first suite (or check) is met; until then the plugin does nothing."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.settings: Settings = config.stash[SETTINGS_KEY]
        self.suites: dict[Path, Suite] = {}
        self.counts: dict[Path, int] = {}
        """How many items each suite file has."""
        self.next_number = itertools.count().__next__
        self._names: dict[str, Path] = {}
        self.targets: dict[Path, list[tuple[TargetSpec, Target | None]]] = {}
        """Of each suite file; ``None`` where a fixture gives the target. Imported once a process."""
        self._models: Models | None = None
        self._engine: Engine | None = None
        self._limiter: SessionLimiter | None = None
        self._ahead: LookAhead | None = None
        self._log_handler: logging.Handler | None = None
        self._term = TermHandler()
        self._term.install()
        self.in_flight: InFlight | None = None
        """In an xdist worker: what it tells the controller of the calls that run."""
        self.earlier: EarlierAnswers | None = config.stash.get(EARLIER, None)
        """What an earlier run has answered already, when the session goes on with one or scores it again."""
        self.unreported: list[CaseResult] = []
        """What cases came to, or were answered, whose turn did not come before the session was stopped."""
        self.last_result: CaseResult | None = None
        """The one that was made last: a session may be stopped before it is reported."""
        self.recent: deque[str] = deque(maxlen=RECENT)
        """In a worker the last results: the controller may be stopped before it reads them."""
        self._asked: AskedHashes | None = None
        self.host = host(config)
        """Where this process runs, in a session of several hosts."""
        self._attendance: Attendance | None = None
        self.ledger = Ledger(
            self.settings,
            config.stash[STARTED],
            self.shared_folder(),
            worker=hasattr(config, "workerinput"),
            share=float(self.host.share),
        )
        """What the session may spend, and has spent."""

    @property
    def tolerates_errors(self) -> bool:
        return bool(self.settings.max_error_share) and not self.settings.strict

    @property
    def start(self) -> Path:
        """Where pytest was started, in the folders of this host."""
        if not self.host.start:
            return self.config.invocation_params.dir
        return Path(os.path.normpath(self.config.rootpath / self.host.start))

    def shown(self, path: Path) -> str:
        """The path as messages show it: relative to where pytest was started when below it."""
        start = self.start
        return str(path.relative_to(start)) if path.is_relative_to(start) else str(path)

    def file(self, path: Path, parent: pytest.Collector) -> SuiteFile:
        """The collector of a suite file."""
        file: SuiteFile = SuiteFile.from_parent(parent, path=path)
        file.state, file.shown = self, self.shown(path)
        return file

    def suite(self, file: SuiteFile) -> Suite:
        """The suite in a file, read and checked together with its target and scorers. Raises ``SuiteError``."""
        path = file.path
        if path in self.suites:
            return self.suites[path]
        suite = self.read(path, file)
        other = self._names.setdefault(suite.name, path)
        if other != path:
            message = f"suite {suite.name!r} is also the name of {self.shown(other)}; give one of them another `suite:`"
            raise SuiteError([Problem(Place(self.shown(path), 1), message)])
        self.suites[path] = suite
        self.others.want(suite)
        return suite

    def read(self, path: Path, file: SuiteFile | None = None) -> Suite:
        """Read a suite file with the session's defaults; ``file`` knows the fixtures around it."""
        from ..scoring import specs
        from ..suite import RunDefaults, read_suite

        settings = self.settings
        trials, said_by = settings.origin("trials")
        defaults = RunDefaults(
            threshold=settings.threshold,
            warn=settings.warn,
            timeout_s=settings.timeout,
            retries=settings.retries,
            trials=trials,
            pass_if=settings.pass_if,
            judge=self.judge,
            only_trials=trials if said_by.startswith("--") else None,
        )
        return read_suite(
            path,
            specs=specs(),
            defaults=defaults,
            shown=self.shown(path),
            unknown_scorer=file.unknown_scorer if file else None,
            check_target=file.check_target if file else None,
            check_judge=file.check_judge if file else None,
            top=self.config.rootpath,
        )

    def resolve(self, spec: TargetSpec) -> Target:
        """A suite's target, ready to be called. Raises ``TargetError``, or ``SuiteError`` for a file of answers."""
        from ..engine.target import resolve

        if spec.kind != "responses":
            return resolve(spec, models=self.models if spec.kind == "model" else None)
        from ..suite import read_responses

        answers = (spec.base / spec.value).resolve()
        return resolve(spec, read_responses(answers, shown=self.shown(answers)))

    @property
    def models(self) -> Models:
        """The models that suites name, each endpoint with one client."""
        if self._models is None:
            from .models import session_models

            self._models = session_models(self.config)
        return self._models

    @property
    def judge(self) -> ModelSpec | None:
        """The judge that settings name."""
        from ..suite import judge_named

        said, where = self.settings.origin("judge_model")
        return judge_named(said, where) if said else None

    def judges(self, own: Sequence[tuple[ModelSpec, LlmClient]] = ()) -> Judges:
        """What asks judges, within the limits and the budget of the session."""
        from ..engine.judging import Judges

        return Judges(self.models, lambda: self.limiter, self.ledger.count, own)

    @cached_property
    def others(self) -> OtherVariants:
        """The answers of variants that criteria compare with."""
        from ..engine.others import OtherVariants

        return OtherVariants()

    @cached_property
    def find_others(self) -> FindOthers:
        """What finds the answers of variants and of stored runs."""
        from ..store.location import locate
        from ..workflow.others import FindOthers

        return FindOthers(self.others, lambda: locate(self.settings.history, self.config.rootpath))

    def scorer_names(self) -> Iterable[str]:
        """Names a criterion may have: the built-in ones and those of loaded conftests and plugins."""
        from ..scoring import names

        found = set(names())
        for plugin in self.config.pluginmanager.get_plugins():
            # older versions of pluggy list blocked plugins too, as None
            members = getattr(plugin, "__dict__", ())
            found.update(n.removesuffix(SCORER_SUFFIX) for n in members if n.endswith(SCORER_SUFFIX))
        return found

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            from ..engine.runner import Engine
            from .capture import CallLogHandler, teach_real_streams

            teach_real_streams(self.config)
            self._log_handler = CallLogHandler()
            logging.getLogger().addHandler(self._log_handler)
            worker = getattr(self.config, "workerinput", None)
            if worker is not None and self.concurrency > 1:
                from .inflight import InFlight

                self.in_flight = InFlight(worker["testrunuid"], worker["workerid"])
            steering = (pytest.skip.Exception, pytest.exit.Exception)
            self._engine = Engine(
                concurrency=self.concurrency,
                passthrough=steering,
                watch=self._watch(),
                limiter=self.limiter,
                others=self.others,
                keeper=self._keeper(),
                users=self._ask_user,
            )
        return self._engine

    async def _ask_user(self, spec: ModelSpec, request: Request) -> Judged:
        """Ask the model that plays the user of a conversation."""
        return await self.judges()(spec, request)

    def _keeper(self) -> Keeper | None:
        """Where the trajectories of cases are kept; ``None`` when no run of the session is kept."""
        from ..workflow.trajectories import session_folder

        return session_folder(self.settings, self.config.rootpath, self.redactor.value)

    def shared_folder(self) -> Path | None:
        """Where the processes of an xdist session leave word for each other; ``None`` when there is one process."""
        from .inflight import session_folder

        run_id = self.config.stash.get(RUN_ID, "")
        if not run_id:
            return None
        folder = session_folder(run_id)
        place = self.host.meeting_place(folder)
        if self.host.is_away and self._attendance is None:
            self._attendance = Attendance(folder, place, self.config.workerinput["workerid"])  # type: ignore[attr-defined]
        return place

    def _watch(self) -> Watch:
        if self.in_flight is None:
            return self.ledger
        from .inflight import Both

        return Both(self.ledger, self.in_flight)

    @property
    def limiter(self) -> SessionLimiter:
        """What keeps calls within ``evals_limits``, those of targets and those of judges."""
        if self._limiter is None:
            self._limiter = self._make_limiter()
        return self._limiter

    def _make_limiter(self) -> SessionLimiter:
        """What keeps calls within ``evals_limits``, together with the other workers of the session on this machine."""
        from ..llm.limiter import SessionLimiter
        from ..llm.limits import parse_limits

        folder = None
        limits = parse_limits(self.settings.limits)
        if hasattr(self.config, "workerinput") and (shared := self.shared_folder()) is not None:
            folder = shared / "limits"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            limits = limits.shared(self.host.share)
        return SessionLimiter(limits, folder)

    @property
    def ahead(self) -> LookAhead:
        """What starts calls before their turn."""
        if self._ahead is None:
            from .ahead import LookAhead

            self._ahead = LookAhead(self, self.concurrency)
        return self._ahead

    @property
    def concurrency(self) -> int:
        wanted: int = self.settings.concurrency
        return max(1, wanted)

    @property
    def scores_again(self) -> bool:
        """Whether the answers are those of an earlier run, and no target is called."""
        return self.earlier is not None and self.earlier.scores_again

    def asked(self, item: CaseItem) -> str:
        """Hashes of the question, the target and the judge of an item."""
        from ..workflow.asked import AskedHashes, target_hash

        if self._asked is None:
            self._asked = AskedHashes()
        spec, configuration = item.spec, item.configuration

        def target() -> str:
            function = item.target.call if item.target is not None and spec.kind == "callable" else None
            if spec.kind == "fixture" and (definitions := item._fixtureinfo.name2fixturedefs.get(spec.value)):
                function = definitions[-1].func
            return target_hash(spec, configuration, function)

        return self._asked.of(item.case, (item.path, configuration.id if configuration is not None else ""), target)

    def admit(self, item: CaseItem) -> None:
        """Skip a case that was not begun before the budget was spent."""
        if self.ledger.spent and not (self._ahead is not None and self._ahead.keep(item, self.ledger.began)):
            self.ledger.check()

    def run(self, item: CaseItem) -> CaseResult:
        """Ask and score the case of an item whose fixtures are set up."""
        started = time.perf_counter()
        call: Asking | None = None
        try:
            call = self.ahead.call(item)
            funcargs: dict[str, Any] = item.funcargs
            result = self.engine.finish(call, {name: funcargs[name + SCORER_SUFFIX] for name in item.scorers})
        except KeyboardInterrupt:
            if call is not None:
                self.ahead.put_back(item, call)
            raise
        finally:
            item.seconds = time.perf_counter() - started
            if call is not None:
                self._over(call, item)
        self.last_result = self.redacted(with_dataset(item, result))
        return self.last_result

    def _over(self, call: Asking, item: CaseItem) -> None:
        self.ledger.finished(call)
        if call.output is not None:
            if not call.output.through:
                item.output = call.output
            call.output.close()

    @cached_property
    def redactor(self) -> Redactor:
        """What takes secrets out of all that is shown or written."""
        from ..model.redaction import Redactor

        return Redactor(patterns=self.settings.redact, prose=True)

    def redacted(self, result: CaseResult) -> CaseResult:
        """The result without secrets; scorers have seen the whole."""
        from ..model.redacting import redacted

        return redacted(result, self.redactor)

    def explain(self, result: CaseResult) -> str:
        """What a person reads of a case that did not pass; the first line is the headline."""
        from ..report.explain import explain

        return explain(result)

    def experiment(self, stated: ExperimentSpec) -> ExperimentSpec:
        """The experiment of a suite that states this one; ``--evals-experiment`` has the last word."""
        settings = self.settings
        name, origin = settings.origin("experiment")
        if not name or (origin == "evals_experiment" and stated.name != DEFAULT_EXPERIMENT):
            return stated
        return replace(stated, name=name, description=settings.experiment_desc or stated.description)

    def stop_calls(self) -> None:
        """Cancel the calls that nobody will wait for, and keep what they have answered already."""
        for call in self._ahead.stop() if self._ahead is not None else ():
            if (result := self.engine.salvage(call)) is not None:
                self.unreported.append(self.redacted(result))

    def close(self) -> None:
        """Stop the engine."""
        self._term.remove()
        self.ledger.close()
        if self.earlier is not None:
            self.earlier.close()
        if "find_others" in self.__dict__:
            self.find_others.close()
        if self._log_handler is not None:
            logging.getLogger().removeHandler(self._log_handler)
        if self._engine is not None:
            self._engine.close()
            self._engine = self._limiter = None
        if self._attendance is not None:
            if self.in_flight is not None:
                self.in_flight.remove()
            self._attendance.leave()
