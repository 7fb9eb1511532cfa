"""``pytest-evals eval -d``: judging the answers of experiments and templates, as runs of the history."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from ..errors import TargetError, UsageError
from ..llm.clients import Clients
from ..llm.pricing import Prices
from ..model.gate import Verdict
from ..model.llm import ModelSpec, Reply
from ..model.outcome import Outcome
from ..model.response import Response, Usage
from ..model.text import one_line
from ..pipeline.asking.journal import Journal
from ..pipeline.asking.kept import KeptClient
from ..pipeline.asking.progress import Progress, Tell
from ..pipeline.evaluation.overview import request_for, write_overview
from ..pipeline.evaluation.subjects import QUESTIONS, Answers, Subject, find_answers, read_answers
from ..pipeline.files import now, read_json, sha256_text, shown, write_json
from ..pipeline.shapes.evaluation import SUFFIX, Evaluation, Rated, overall_rating
from ..pipeline.shapes.evaluations import CONSOLIDATED, consolidated_json, find_evaluations, read_evaluation
from ..pipeline.shapes.experiment import SUFFIX as EXPERIMENT_SUFFIX
from ..pipeline.spent import NOTHING, Spent
from .pipelineasking import AskOptions
from .replies import price_file
from .run_suite import run_suite
from .where import project

if TYPE_CHECKING:
    from ..model.result import CaseResult
    from .suiterun import SuiteRun

INPUT, OUTPUT = Path("output/experiments"), Path("output/evaluations")
EXPERIMENT = "pipeline"
"""The experiment of the history that evaluations are kept in, unless another is named."""

FAILED, TEMPORARY = 1, 75


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """What is wanted."""

    path: Path = INPUT
    truth: Path | None = None
    output: Path = OUTPUT
    force: bool = False
    write: bool = True
    """Whether files are written, and the history."""
    needs_truth: bool = False
    """An answer without an expectation fails the command."""
    overview: bool = True
    gates: tuple[str, ...] = ()
    experiment: str = EXPERIMENT
    history: str | Literal[False] | None = None
    asking: AskOptions = field(default_factory=AskOptions)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What a command did."""

    folder: Path
    made: int
    kept: int
    errors: tuple[str, ...]
    spent: Spent
    calls: int
    status: int
    told: tuple[str, ...] = ()
    unpriced: tuple[str, ...] = ()
    evaluations: tuple[Mapping[str, Any], ...] = ()
    """What the file of each experiment holds, in the order of the experiments."""


def evaluate(options: EvalOptions, tell: Tell = lambda _: None) -> Evaluated:
    """Judge what was not judged in the same way yet, and write the files and the consolidated report.

    Raises ``UsageError`` before anything is asked.
    """
    spec = options.asking.spec()
    if mistakes := [message for _, message in Clients().mistakes(spec)] if options.asking.clients is None else []:
        raise UsageError("\n".join(mistakes))
    paths = find_answers(options.path)
    found = [read_answers(path, options.truth) for path in paths]
    progress = Progress(len(found), tell)
    judging = _Judging(options, spec, progress)
    try:
        for answers in found:
            judging.evaluate(answers)
        judging.journal.finish()
    finally:
        judging.journal.close()
    if options.write:
        write_consolidated(options.output, shown(options.path))
    return judging.whole()


def write_consolidated(folder: Path, experiments: str = "") -> Path:
    """Write the report of all evaluations of a folder, whenever they were made. Raises ``UsageError``."""
    path = folder / CONSOLIDATED
    created = ""
    found = find_evaluations(folder)
    if not found:
        raise UsageError(f"{shown(folder)} has no evaluations (*.eval.json); make them with pytest-evals eval")
    if path.is_file():
        try:
            before = read_json(path)["metadata"]
            created, experiments = before["created_at"], experiments or before["experiment_directory"]
        except (UsageError, KeyError, TypeError):
            pass  # it is replaced by one that can be read
    write_json(path, consolidated_json(found, folder, experiments, now(), created))
    return path


class _Judging:
    """The output folder while it is filled."""

    def __init__(self, options: EvalOptions, spec: ModelSpec, progress: Progress) -> None:
        self.journal = Journal(options.output)
        self._options = options
        self._spec = spec
        self._progress = progress
        rootdir, ini = project(Path.cwd())
        said = ini.get("evals_prices")
        self._price_file = str(rootdir / str(said)) if said else None
        self._prices = Prices(price_file(rootdir, str(said) if said else None))
        self._told: list[str] = []
        self._errors: list[str] = []
        self._statuses: list[int] = []
        self._clients: list[KeptClient] = []
        self._unpriced: set[str] = set()
        self._made: list[Mapping[str, Any]] = []

    def evaluate(self, answers: Answers) -> None:
        """Judge the answers of a file, unless that was done in the same way."""
        target = self._target(answers)
        asked = self._asked(answers)
        what = answers.name
        if answers.unanswered:
            listed = ", ".join(answers.unanswered[:5]) + (", …" if len(answers.unanswered) > 5 else "")
            self._told.append(
                f"{shown(answers.path)}: {len(answers.unanswered)} not answered, and not judged: {listed}"
            )
        if not answers.comparative:
            without = sum(subject.expected is None for subject in answers.subjects)
            line = (
                f"{shown(answers.path)}: STANDALONE, {without} of {len(answers.subjects)} have no expectation; they "
                "are judged on their own. Name ground truth with -g to compare"
            )
            self._told.append(line)
            if self._options.needs_truth:
                self._errors.append(line)
                self._statuses.append(FAILED)
                return
        if target.is_file() and not self._options.force:
            try:
                before = read_evaluation(target)
                if before.ours.get("asked_sha256") == asked and not before.errors:
                    self._made.append(before.data)
                    self._progress.skip(what, "is there already")
                    return
            except UsageError as error:
                self._told.append(f"{error}; it is made anew")
        began = perf_counter()
        before_it = len(self._clients)
        run = self._run(answers, self._client())
        items = tuple(
            self._rated(subject, result) for subject, result in zip(answers.subjects, run.results, strict=True)
        )
        evaluation = Evaluation(
            name=answers.name,
            kind=answers.kind,
            judge=self._spec.name,
            tested=answers.metadata,
            results_file=shown(answers.path),
            truth_file=None if answers.truth is None else shown(answers.truth),
            items=items,
            threshold=answers.threshold,
            comparative=answers.comparative,
            inference=answers.spent,
            unanswered=answers.unanswered,
            ours={"asked_sha256": asked, "runs": [stored.uid for stored in run.runs]},
        )
        evaluation = self._with_overview(evaluation)
        evaluation = replace(evaluation, took_s=perf_counter() - began)
        data = evaluation.to_json(now())
        if self._options.write:
            write_json(target, data)
        self._made.append(data)
        broken = [item for item in items if item.error]
        for each in self._clients[before_it:]:
            if broken:
                each.forget(item.reply for item in broken if item.reply)  # the others need not be paid again
            elif self._options.write:
                each.settle()
        self._take(answers, run, evaluation)

    def _take(self, answers: Answers, run: SuiteRun, evaluation: Evaluation) -> None:
        """Count what became of a file."""
        spent = evaluation.spent + evaluation.overview_spent
        self._statuses.append(_status(run))
        self._told += [f"gate {verdict.gate.text}: {verdict.verdict.value}" for verdict in run.gates]
        self._told += run.problems
        broken = [item for item in evaluation.items if item.error]
        for item in broken:
            self._errors.append(f"{answers.name}, {item.id}: {item.error}")
        rating = evaluation.to_json(now())["overall_rating"]
        said = f"{rating['rating']}; {rating['explanation']}"
        if broken:
            self._progress.fail(answers.name, said)
        else:
            self._progress.finish(answers.name, spent, said)

    def _target(self, answers: Answers) -> Path:
        """Where the evaluation goes: the same folders as the answers have."""
        root = self._options.path if self._options.path.is_dir() else answers.path.parent
        within = PurePosixPath(answers.path.relative_to(root).as_posix())
        stem = within.name.removesuffix(EXPERIMENT_SUFFIX)
        return self._options.output / within.with_name(f"{stem}{SUFFIX}")

    def _asked(self, answers: Answers) -> str:
        spec = self._spec
        settings = [spec.name, spec.endpoint.base_url, str(spec.temperature), str(spec.max_tokens)]
        return sha256_text(answers.sha256, *settings, str(answers.threshold), str(answers.comparative))

    def _client(self) -> KeptClient:
        # connections belong to one event loop, and every run has its own
        clients = self._options.asking.clients or Clients()
        if lacking := clients.missing(self._spec.endpoint):
            raise UsageError(lacking)
        made = KeptClient(clients.client(self._spec.endpoint), self._spec.endpoint, self.journal, self._prices)
        self._clients.append(made)
        return made

    def _run(self, answers: Answers, client: KeptClient) -> SuiteRun:
        subjects = {subject.id: subject for subject in answers.subjects}

        def answer(_input: Any, case: Any) -> Response:
            subject = subjects[case.id]
            if subject.answer is None:
                raise TargetError(subject.error)
            latency_ms = None if subject.took_s is None else subject.took_s * 1000
            return Response(subject.answer, latency_ms=latency_ms)

        answer.__qualname__ = str(answers.metadata.get("model") or answers.name)
        answer.__module__ = "__main__"
        options = self._options
        return run_suite(
            [_case(subject, answers.threshold) for subject in answers.subjects],
            answer,
            name=answers.name,
            gates=options.gates,
            experiment=options.experiment,
            run_name=run_name(answers.name),
            params={"answers": shown(answers.path), "judge": self._spec.name, "comparative": answers.comparative},
            concurrency=options.asking.concurrency,
            clients={self._spec.endpoint.provider: client},
            prices=self._price_file,
            judge=self._spec.name,
            history=options.history if options.write else False,
        )

    def _rated(self, subject: Subject, result: CaseResult) -> Rated:
        made = Rated(
            subject.id,
            {},
            source_file=subject.source_file,
            query=subject.input if subject.preset == QUESTIONS else "",
            expected=subject.expected,
            answer=subject.answer,
        )
        criteria = result.trials[-1].criteria if result.trials else ()
        found = criteria[0] if criteria else None
        detail: Mapping[str, Any] = (found.detail if found is not None else None) or {}
        facts = detail.get("judge") or {}
        made = replace(made, spent=self._cost(facts), took_s=float(facts.get("latency_ms") or 0.0) / 1000)
        error = result.error or (found.error if found is not None else None)
        if result.outcome is Outcome.ERRORED or error is not None:
            said = "could not be judged" if error is None else error.message
            return replace(
                made, error=said, reply=str(error.detail or "") if error is not None and subject.answer else ""
            )
        ratings = {name: (str(part["given"]), str(part["reason"])) for name, part in detail["criteria"].items()}
        made = replace(made, ratings=ratings, reason=found.reason if found is not None else "")
        for verdict in detail.get("qa") or ():
            made = replace(made, passed=verdict["passed"], similarity=verdict["similarity"], quality=verdict["quality"])
        return made

    def _cost(self, facts: Mapping[str, Any]) -> Spent:
        """What judging took, with its dollars for input and output apart."""
        if not facts:
            return NOTHING
        read, wrote, total = facts.get("input_tokens"), facts.get("output_tokens"), facts.get("cost_usd")
        usage = Usage(read, wrote)
        cost = self._prices.cost(self._spec.endpoint, self._spec.model, Reply("", usage=usage), local=total == 0)
        if total is None or cost is None:
            if total is None:
                self._unpriced.add(self._spec.name)
            return Spent(read, wrote, None, None)
        return Spent.of(usage, cost)

    def _with_overview(self, evaluation: Evaluation) -> Evaluation:
        """The evaluation with a model's words about the whole; without them where they cannot be had.

        As long as something could not be judged there is no whole, and the words would be paid in vain.
        """
        if not self._options.overview or any(item.error for item in evaluation.items):
            return evaluation
        figures = overall_rating(evaluation.kind, evaluation.items, evaluation.threshold)
        asked = request_for(evaluation.name, evaluation.kind, evaluation.items, figures)
        client = self._client()

        async def write() -> tuple[dict[str, Any], Reply | None]:
            try:
                return await write_overview(client, self._spec, asked)
            finally:
                await client.aclose()

        began = perf_counter()
        texts, reply = asyncio.run(write())
        if problem := texts.pop("problem", ""):
            self._told.append(f"{evaluation.name}: {problem}")
            client.forget([reply.text] if reply is not None else [])
        spent = NOTHING if reply is None else client.cost(self._spec.model, reply)
        texts = {**texts, "took_s": round(perf_counter() - began, 3)}
        return replace(evaluation, overview=texts, overview_spent=spent)

    def whole(self) -> Evaluated:
        """What came of all files."""
        return Evaluated(
            self._options.output,
            self._progress.done + self._progress.failed,
            self._progress.skipped,
            tuple(self._errors),
            sum((client.spent for client in self._clients), NOTHING),
            sum(client.calls for client in self._clients),
            _worst(self._statuses),
            tuple(self._told),
            tuple(sorted(self._unpriced)),
            tuple(self._made),
        )


def _status(run: SuiteRun) -> int:
    """1 for broken gates and for what could not be judged, 75 where only a provider was in trouble.

    That a model answers wrongly is what was to be found out: it fails nothing but a gate.
    """
    if any(gate.verdict in (Verdict.BROKEN, Verdict.UNDECIDED) for gate in run.gates):
        return FAILED
    errors = [result.error for result in run.results if result.outcome is Outcome.ERRORED]
    if not errors:
        return 0
    return TEMPORARY if all(error is not None and error.kind.outside for error in errors) else FAILED


def _case(subject: Subject, threshold: float) -> dict[str, Any]:
    """A case of ``run_suite``. Summaries have a grade and no verdict; answers to questions pass or fail."""
    judged: dict[str, Any] = {"scorer": "llm_judge", "preset": subject.preset}
    case: dict[str, Any] = {"id": subject.id, "input": subject.input, "criteria": [judged]}
    if subject.preset == QUESTIONS:
        judged["similarity"] = threshold
    else:
        case["threshold"] = "unset"
    if subject.expected is not None:
        case["expected_output"] = subject.expected
    elif subject.context:
        case["context"] = subject.context
    return case


def run_name(text: str) -> str:
    """The name of an experiment as that of a run: on one line, and no word that stands for a run."""
    name = one_line(text, 120).strip() or "experiment"
    return f"{name} run" if name in ("last", "prev") else name


def _worst(statuses: Sequence[int]) -> int:
    """1 as soon as one is; else 75 as soon as one is; else 0."""
    if any(status not in (0, TEMPORARY) for status in statuses):
        return FAILED
    return TEMPORARY if TEMPORARY in statuses else 0
