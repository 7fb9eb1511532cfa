"""``pytest-evals experiment``: which questions are still to be asked of which models, asking them, and the files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from ..errors import EvalsError, ProviderError, UsageError
from ..pipeline.asking.asker import Asker
from ..pipeline.asking.progress import Progress, Tell
from ..pipeline.experiments.asking import ask, content_hash, failed, result_key
from ..pipeline.experiments.config import Config, Experiment, Kind, read_config
from ..pipeline.experiments.inputs import Input, Item, find_input
from ..pipeline.experiments.samples import config_for, sample_config
from ..pipeline.files import now, shown, write_json
from ..pipeline.shapes.consolidated import read_ground_truth
from ..pipeline.shapes.experiment import (
    CONSOLIDATED,
    QA,
    SUFFIX,
    ItemResult,
    consolidated_json,
    items_of,
    part_path,
    read_experiment,
    safe_names,
    to_json,
)
from ..pipeline.spent import Spent
from .pipelineasking import FAILED, AskOptions, asker_for, exit_status, make_all

OUTPUT = Path("output/experiments")


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """What is wanted."""

    config: Path
    input: Path | None = None
    """Ground truth, or documents; ``None``: the usual places."""
    queries: Path | None = None
    """Ground truth whose questions are asked of documents."""
    output: Path = OUTPUT
    delay_s: float = 0.0
    """Before each item, for servers that want to be left alone in between."""
    force: bool = False
    asking: AskOptions = field(default_factory=AskOptions)


@dataclass(frozen=True, slots=True)
class ExperimentsMade:
    """What a command did."""

    folder: Path
    made: int
    """Items that were asked about."""
    kept: int
    """Items that were there already, asked in the same way."""
    errors: tuple[str, ...]
    spent: Spent
    """In this process, on what led to nothing too."""
    calls: int
    status: int
    told: tuple[str, ...] = ()
    unpriced: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    """One of each experiment."""


@dataclass(slots=True)
class _Running:
    """An experiment while it runs."""

    experiment: Experiment
    safe: str
    about: Input
    results: dict[str, ItemResult] = field(default_factory=dict)
    wanted: list[Item] = field(default_factory=list)

    @property
    def key(self) -> str:
        return result_key(self.experiment, from_truth=self.about.from_truth)

    @property
    def complete(self) -> bool:
        return all(item.id in self.results for item in self.about.items)

    def items(self) -> list[ItemResult]:
        return [self.results[item.id] for item in self.about.items]

    def facts(self) -> dict[str, Any]:
        experiment, spec = self.experiment, self.experiment.spec
        return {
            "experiment_name": experiment.name,
            "experiment_type": experiment.kind,
            "llm_type": experiment.llm_type,
            "model": spec.model,
            "inference_type": "local" if experiment.local else "cloud",
            "system_prompt": spec.system,
            "max_tokens": spec.max_tokens,
            "temperature": spec.temperature,
            "parameters": dict(experiment.parameters),
        }


def run_experiments(options: ExperimentOptions, tell: Tell = lambda _: None) -> ExperimentsMade:
    """Ask what was not asked yet in the same way, and write the files.

    Raises ``UsageError`` before anything is asked: a configuration that cannot be read, nothing to ask about.
    """
    return run_config(read_config(options.config), options, tell)


def run_config(
    config: Config, options: ExperimentOptions, tell: Tell = lambda _: None, *, truth: bool = True
) -> ExperimentsMade:
    """The same for a configuration that is read. Without ``truth`` nobody minds that there is no ground truth."""
    began = perf_counter()
    inputs = _inputs(config, options)
    told = [*config.warnings, *(note for each in inputs.values() for note in each.notes if truth)]
    names = safe_names([experiment.name for experiment in config.experiments])
    running = [
        _Running(experiment, names[experiment.name], inputs[experiment.kind]) for experiment in config.experiments
    ]
    progress = Progress(sum(len(each.about.items) for each in running), tell)
    for each in running:
        told += _take_over(each, options, progress)
    asker = asker_for(options.output, options.asking.clients)
    making = _Making(options, asker, progress)
    for each in running:
        if not each.wanted:
            making.write(each)
    wanted = [(each, item) for each in running for item in each.wanted]
    found = make_all(
        asker,
        [each.experiment.spec for each in running if each.wanted],
        wanted,
        making.make,
        options.asking.concurrency,
    )
    _consolidate(running, making.written, options, perf_counter() - began)
    unwritten = tuple(dict.fromkeys(str(each) for each in found if isinstance(each, UsageError)))
    errors = [
        f"{each.experiment.name}: {error}" for each in running for r in each.results.values() for error in r.errors
    ]
    status = FAILED if making.unanswered or unwritten else exit_status(found)
    return ExperimentsMade(
        options.output,
        progress.done,
        progress.skipped,
        (*errors, *unwritten),
        asker.spent,
        asker.calls,
        status,
        tuple(told),
        tuple(sorted(asker.unpriced)),
        tuple(options.output / f"{each.safe}{SUFFIX}" for each in running),
    )


def write_sample(path: Path) -> None:
    """A configuration to begin with. Raises ``UsageError`` when there is a file already."""
    _write_new(path, sample_config())


def write_config_for(truth: Path, path: Path | None = None) -> Path:
    """A configuration for ground truth, beside it unless ``path`` says where. Raises ``UsageError``."""
    path = path or truth.with_name(f"{truth.stem}.config.json")
    _write_new(path, config_for(read_ground_truth(truth)))
    return path


def _write_new(path: Path, content: Mapping[str, Any]) -> None:
    if path.exists():
        raise UsageError(f"{shown(path)} is there already; remove it or name another file")
    write_json(path, content)


def _inputs(config: Config, options: ExperimentOptions) -> dict[Kind, Input]:
    kinds: Sequence[Kind] = list(dict.fromkeys(experiment.kind for experiment in config.experiments))
    return {
        kind: find_input(kind, options.input, queries=options.queries, most_pairs=config.num_qa_pairs) for kind in kinds
    }


def _take_over(running: _Running, options: ExperimentOptions, progress: Progress) -> list[str]:
    """Take over what an earlier command asked in the same way; returns what a person should be told."""
    path = options.output / f"{running.safe}{SUFFIX}"
    before: dict[str, ItemResult] = {}
    told = []
    if path.is_file() and not options.force:
        try:
            before = items_of(read_experiment(path))
        except UsageError as error:
            told.append(f"{error}; it is made anew")
    for item in running.about.items:
        known = before.get(item.id)
        same = known is not None and not known.errors and known.sha256 == content_hash(running.experiment, item)
        if known is not None and same:
            running.results[item.id] = known
            progress.skip(f"{running.experiment.name}, {item.id}", "is there already")
        else:
            running.wanted.append(item)
    return told


class _Making:
    """The output folder while it is filled."""

    def __init__(self, options: ExperimentOptions, asker: Asker, progress: Progress) -> None:
        self.written: dict[str, dict[str, Any]] = {}
        """What the file of each experiment holds, by its path below the folder."""
        self.unanswered = False
        """Whether there is something that no provider in trouble excuses."""
        self._options = options
        self._asker = asker
        self._progress = progress

    async def make(self, wanted: tuple[_Running, Item]) -> None:
        """Ask about one item; when it is the experiment's last, write its files."""
        running, item = wanted
        experiment, from_truth = running.experiment, running.about.from_truth
        what = f"{experiment.name}, {item.id}"
        if self._options.delay_s:
            await asyncio.sleep(self._options.delay_s)
        trouble: EvalsError | None = None
        try:
            result = await ask(self._asker, experiment, item, from_truth=from_truth)
        except ProviderError as error:
            trouble = error
            result = failed(experiment, item, str(error), from_truth=from_truth)
        running.results[item.id] = result
        if result.errors:
            self.unanswered |= trouble is None
            self._progress.fail(what, result.errors[0])
        else:
            self._progress.finish(what, result.spent)
        if running.complete:
            self.write(running)
        if trouble is not None:
            raise trouble

    def write(self, running: _Running) -> None:
        """The file of an experiment, and one for each document where documents are what it is about."""
        items, facts, when = running.items(), running.facts(), now()
        output = self._options.output
        more: dict[str, Any] = {}
        if running.key != QA:
            parts = {part_path(item, running.safe).as_posix(): item for item in items}
            more = {"consolidated_from": len(items), "individual_files": sorted(parts)}
            for path, item in parts.items():
                own = {"source_item": item.id, "source_file": item.source_file}
                write_json(output / path, to_json(facts, running.key, [item], when, more=own))
        name = f"{running.safe}{SUFFIX}"
        data = to_json(facts, running.key, items, when, more=more)
        write_json(output / name, data)
        self.written[name] = data


def _consolidate(
    running: Sequence[_Running], written: Mapping[str, Mapping[str, Any]], options: ExperimentOptions, took_s: float
) -> None:
    if len(running) < 2:
        return
    files = [(name, written[name]) for each in running if (name := f"{each.safe}{SUFFIX}") in written]
    source = ", ".join(dict.fromkeys(shown(each.about.path) for each in running))
    write_json(options.output / CONSOLIDATED, consolidated_json(files, source, shown(options.output), now(), took_s))
