"""``pytest-evals import gaia``: results of the pipeline, of this package or another tool, into the history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..experiments import runs, start
from ..model.rating import named_now, points
from ..pipeline.evaluation.subjects import written
from ..pipeline.files import sha256_file, shown
from ..pipeline.shapes.evaluations import EvaluationFile, find_evaluations
from ..pipeline.shapes.experiment import SUFFIX, SUMMARIES, ExperimentFile, read_experiment
from .evaluating import run_name

if TYPE_CHECKING:
    from .openrun import Run

EXPERIMENT = "pipeline"


@dataclass(frozen=True, slots=True)
class Brought:
    """What came of a folder."""

    runs: tuple[str, ...]
    """``uid`` of each new run."""
    there: tuple[str, ...]
    """Files that the history has already."""
    unjudged: tuple[str, ...]
    """Experiments without an evaluation: they have no verdicts, and are left out."""


def import_results(folder: Path, *, experiment: str = EXPERIMENT, history: str | None = None) -> Brought:
    """Bring the evaluations of a folder into the history, a run for each. Raises ``UsageError`` and ``StoreError``."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder {shown(folder)}")
    evaluations = [file for each in _folders(folder) for file in find_evaluations(each)]
    answers = _experiments(folder)
    judged = {
        PurePosixPath(str(f.metadata.get("original_results_file", "")).replace("\\", "/")).name for f in evaluations
    }
    unjudged = [shown(file.path) for file in answers if file.path.name not in judged and not file.is_part]
    if not evaluations:
        more = f"; pytest-evals eval -d {shown(folder)} judges its experiments" if unjudged else ""
        raise UsageError(f"{shown(folder)} has no evaluations (*.eval.json){more}")
    kept = runs(experiment, history=history)
    known = {run.params.get("sha256") for run in kept}
    uids = {run.uid for run in kept}
    made, there = [], []
    for file in evaluations:
        digest = sha256_file(file.path)
        own = file.ours.get("runs")
        if digest in known or (isinstance(own, list) and any(uid in uids for uid in own)):
            there.append(shown(file.path))
            continue
        known.add(digest)
        made.append(_bring(file, answers, experiment, history, digest))
    return Brought(tuple(made), tuple(there), tuple(unjudged))


def _folders(folder: Path) -> list[Path]:
    """The folders that hold evaluations at their top; parts are told from wholes within each."""
    tops = {path.parent for path in folder.rglob("*.eval.json")}
    return sorted(top for top in tops if not any(parent in tops for parent in top.parents))


def _experiments(folder: Path) -> list[ExperimentFile]:
    found = []
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        try:
            found.append(read_experiment(path))
        except UsageError:
            continue  # a file that only has such a name
    return found


def _bring(
    file: EvaluationFile, answers: list[ExperimentFile], experiment: str, history: str | None, digest: str
) -> str:
    source = _results_name(file)
    own = next((each for each in answers if each.path.name == source), None)
    summaries = list(own.rows) if own is not None and own.key == SUMMARIES else []
    run = start(
        experiment,
        type="checked" if file.kind == "qa" else "judged",
        params={"imported": shown(file.path), "sha256": digest, "timestamp": file.metadata.get("timestamp")},
        run_name=run_name(file.name),
        subject_model=str(file.metadata.get("tested_model") or "") or None,
        judge_model=str(file.metadata.get("evaluator_model") or "") or None,
        history=history,
    )
    with run:
        for number, item in enumerate(file.items):
            row = summaries[number] if number < len(summaries) else {}
            _record(run, file, item, number, row)
        stored = run.finish()
    return stored.uid


def _results_name(file: EvaluationFile) -> str:
    """The name of the file whose answers were judged."""
    return PurePosixPath(str(file.metadata.get("original_results_file", "")).replace("\\", "/")).name


def _record(run: Run, file: EvaluationFile, item: Mapping[str, Any], number: int, row: Mapping[str, Any]) -> None:
    inputs = _box(item.get("qa_inputs"))
    given = item if file.kind == "qa" else _box(item.get("analysis"))
    named = {n: r for n, r in given.items() if isinstance(r, Mapping) and "rating" in r}
    ratings = named if file.kind == "qa" else named_now(named)
    scores = dict(_scores(ratings))
    error = item.get("error")
    if not error and not scores and inputs.get("is_pass") is None:
        error = "it was not rated"
    source = str(item.get("source_file") or "")
    stem = PurePosixPath(source.replace("\\", "/")).stem
    judged = _box(item.get("cost"))
    took = item.get("processing_time_seconds")
    passed = inputs.get("is_pass")
    expected = inputs.get("ground_truth", row.get("groundtruth_summaries"))
    summaries = row.get("generated_summaries")
    run.record(
        file.name,
        f"{number + 1}-{stem}" if stem else str(number + 1),
        answer=inputs.get("response") or (written(summaries) if isinstance(summaries, Mapping) else summaries),
        problems=[str(inputs.get("reasoning") or "it did not pass")] if passed is False else [],
        passed_checks=["passes"] if passed else [],
        scores=scores,
        score=None if error or not scores else sum(scores.values()) / len(scores),
        error=str(error) if error else None,
        input=inputs.get("query") or source or None,
        expected_output=written(expected) if isinstance(expected, Mapping) else expected,
        reason="; ".join(f"{name}: {part.get('explanation', '')}" for name, part in ratings.items())[:2000],
        judge_cost_usd=judged.get("total_cost"),
        metadata={"judged_in_s": took} if took is not None else None,
    )


def _box(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _scores(ratings: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, part in ratings.items():
        number = points(part.get("rating"))
        if number is not None:
            yield name, (number - 1) / 3
