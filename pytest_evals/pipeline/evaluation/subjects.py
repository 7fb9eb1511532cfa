"""What is judged: the answers in files of experiments and filled templates, as cases with their expectations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import SuiteError, UsageError
from ...model.rating import QA_SIMILARITY
from ...suite import read_template
from ..files import sha256_file, shown
from ..shapes.consolidated import read_ground_truth
from ..shapes.experiment import DOCUMENTS_QA, QA, SUFFIX, SUMMARIES, ExperimentFile, read_experiment
from ..shapes.groundtruth import GroundTruth
from ..sources.reading import read_source
from ..spent import NOTHING, Spent

TEMPLATES = (".template.json", ".template.csv", ".template.jsonl", ".template.xml")
"""The ends of the names of templates."""

HOW = "make experiments with pytest-evals experiment -c CONFIG"

QUESTIONS, SUMMARY, DOCUMENT = "qa_rating", "summary_rating", "document_rating"
"""What is judged by: ready-made criteria of ``llm_judge``."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One answer, or the summaries of one document."""

    id: str
    preset: str
    input: str
    """The question, or what was to be summarised."""
    answer: str | None
    """``None``: there is none, and ``error`` says why."""
    expected: str | None = None
    context: str | None = None
    """The document."""
    error: str = ""
    source_file: str = ""
    took_s: float | None = None
    index: int = 0
    """Which row of the file it is, and for documents with several questions which of them."""


@dataclass(frozen=True, slots=True)
class Answers:
    """All answers of one file."""

    path: Path
    name: str
    """Of the experiment."""
    subjects: tuple[Subject, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """As the file has it; of a template what is known."""
    spent: Spent = NOTHING
    """What the answers cost."""
    unanswered: tuple[str, ...] = ()
    """Ids of a template that are still to be filled in: they are not judged."""
    threshold: float = QA_SIMILARITY
    truth: Path | None = None
    """The ground truth that was given besides."""

    @property
    def comparative(self) -> bool:
        """Whether every answer has something to be held against."""
        return bool(self.subjects) and all(subject.expected is not None for subject in self.subjects)

    @property
    def kind(self) -> str:
        """``qa`` or ``summarization``."""
        return "qa" if any(subject.preset == QUESTIONS for subject in self.subjects) else "summarization"

    @property
    def sha256(self) -> str:
        """Of the file, and of the ground truth beside it."""
        truth = sha256_file(self.truth) if self.truth is not None and self.truth.is_file() else ""
        return f"{sha256_file(self.path)}{truth[:16]}"


def find_answers(path: Path) -> list[Path]:
    """The files of a folder that hold answers: experiments as a whole, and filled templates; of a file itself.

    The file of one document is left out where the experiment has a file for all. Raises ``UsageError``.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(
            f"there is no file or folder {shown(path)}; make experiments with pytest-evals experiment -c CONFIG"
        )
    experiments = sorted(path.rglob(f"*{SUFFIX}"))
    parts: set[str] = set()
    wholes = []
    for each in experiments:
        file = read_experiment(each)
        if file.is_part:
            continue
        wholes.append(each)
        listed = file.metadata.get("individual_files")
        names = map(str, listed) if isinstance(listed, list) else ()
        parts |= {normpath(each.parent / name) for name in names}
    alone = [each for each in experiments if each not in wholes and normpath(each) not in parts]
    templates = sorted(each for end in TEMPLATES for each in path.rglob(f"*{end}"))
    found = [*wholes, *alone, *templates]
    if not found:
        raise UsageError(
            f"{shown(path)} has neither experiments (*{SUFFIX}) nor templates (*.template.json, csv, jsonl, xml); {HOW}"
        )
    return sorted(found)


def read_answers(path: Path, truth: Path | None = None) -> Answers:
    """The answers of a file, with ``truth`` beside them where the file has no expectations of its own.

    Raises ``UsageError`` for a file that is none, and for ground truth that is about none of its documents.
    """
    if path.name.endswith(TEMPLATES) or path.suffix.lower() not in (".json",):
        return _template(path)
    try:
        file = read_experiment(path)
    except UsageError as error:
        try:
            return _template(path)
        except UsageError:
            raise error from None
    truths = [] if truth is None else read_ground_truth(truth)
    subjects = tuple(_subjects(file, truths))
    if truths and not any(subject.expected is not None for subject in subjects):
        known = ", ".join(sorted({each.source_file or each.id for each in truths})[:5])
        raise UsageError(
            f"-g {shown(truth or path)}: it is about none of the documents of {shown(path)}; it has {known}"
        )
    spent = Spent.from_json(file.metadata.get("total_usage"), file.metadata.get("total_cost"))
    stated = file.metadata.get("similarity_threshold")
    threshold = float(stated) if isinstance(stated, (int, float)) else QA_SIMILARITY
    return Answers(path, file.name, subjects, file.metadata, spent, threshold=threshold, truth=truth)


def _subjects(file: ExperimentFile, truths: Sequence[GroundTruth]) -> Iterator[Subject]:
    texts = _Texts(file.path)
    for index, row in enumerate(file.rows):
        source = str(row.get("source_file") or file.metadata.get("source_file") or "")
        name = PurePosixPath(source.replace("\\", "/")).stem
        if file.key == SUMMARIES:
            yield _summaries(row, index, source, name, texts, truths)
        elif file.key == QA:
            yield _question(row, index, f"{index + 1}-{name}" if name else str(index + 1), source, texts, row, truths)
        elif file.key == DOCUMENTS_QA:
            for number, part in enumerate(row.get("qa_results") or (), 1):
                named = f"{index + 1}-{name or 'document'}-{number}"
                yield _question(part, index, named, source, texts, row, truths)


def _question(
    part: Mapping[str, Any],
    index: int,
    name: str,
    source: str,
    texts: _Texts,
    row: Mapping[str, Any],
    truths: Sequence[GroundTruth],
) -> Subject:
    query = str(part.get("query") or part.get("question") or "")
    expected = part.get("ground_truth")
    if expected is None:
        pairs = [pair for truth in truths if _about(truth, source) for pair in truth.pairs]
        expected = next((pair.response for pair in pairs if pair.query == query), None)
    answer, error = _answer(part.get("response"), part.get("error"))
    took = part.get("processing_time_seconds")
    return Subject(
        name,
        QUESTIONS,
        query,
        answer,
        None if expected is None else str(expected),
        texts.of(source, str(row.get("transcript") or "")),
        error,
        source,
        float(took) if isinstance(took, (int, float)) else None,
        index,
    )


def _summaries(
    row: Mapping[str, Any], index: int, source: str, name: str, texts: _Texts, truths: Sequence[GroundTruth]
) -> Subject:
    summaries = row.get("generated_summaries")
    expected = row.get("groundtruth_summaries")
    if not expected:
        expected = next((truth.summaries for truth in truths if _about(truth, source)), None)
    answer, error = _answer(written(summaries) if isinstance(summaries, Mapping) else summaries, row.get("error"))
    took = row.get("processing_time_seconds")
    preset = DOCUMENT if row.get("content_type") == "pdf" else SUMMARY
    return Subject(
        f"{index + 1}-{name or 'document'}",
        preset,
        f"Summarise {source or 'the document'}.",
        answer,
        written(expected) if isinstance(expected, Mapping) else expected,
        texts.of(source, str(row.get("transcript") or "")),
        error,
        source,
        float(took) if isinstance(took, (int, float)) else None,
        index,
    )


def _answer(given: Any, error: Any) -> tuple[str | None, str]:
    """The answer, or why there is none. A text that begins as other tools write errors is no answer."""
    if isinstance(given, str) and given.strip() and not given.startswith("ERROR:"):
        return given, ""
    if isinstance(given, str) and given.startswith("ERROR:"):
        return None, given.removeprefix("ERROR:").strip() or "it failed"
    return None, str(error or "there is no answer")


def written(summaries: Mapping[str, Any]) -> str:
    """Summaries as one text, with a heading for each, lists as lists."""
    parts = []
    for key, value in summaries.items():
        body = "\n".join(f"- {item}" for item in value) if isinstance(value, list) else str(value)
        parts.append(f"## {key}\n{body}".rstrip())
    return "\n\n".join(parts)


def _about(truth: GroundTruth, source: str) -> bool:
    """Whether ground truth is about a document: the same path, or the same one from another working directory."""
    one, other = (PurePosixPath(text.replace("\\", "/")) for text in (truth.source_file, source))
    if not truth.source_file or not source:
        return bool(source) and truth.id == PurePosixPath(source).stem
    shared = min(len(one.parts), len(other.parts))
    return one == other or (shared > 1 and one.parts[-shared:] == other.parts[-shared:])


class _Texts:
    """The documents that answers are about, read once; what a file repeats of one where it is not there."""

    def __init__(self, path: Path) -> None:
        self._roots = [Path(), *list(path.resolve().parents)[:4]]
        self._known: dict[str, str | None] = {}

    def of(self, source: str, excerpt: str) -> str | None:
        if source not in self._known:
            self._known[source] = self._read(source) if source else None
        return self._known[source] or excerpt or None

    def _read(self, source: str) -> str | None:
        for root in self._roots:
            path = root / source.replace("\\", "/")
            if path.is_file():
                try:
                    return read_source(path).text
                except UsageError:
                    return None
        return None


def _template(path: Path) -> Answers:
    try:
        template = read_template(path, shown=shown(path))
    except SuiteError as error:
        raise UsageError("\n".join(map(str, error.problems))) from None
    texts = _Texts(path)
    subjects = []
    for index, item in enumerate(template.items):
        if not item.answered:
            continue
        truth = item.ground_truth
        summaries = isinstance(truth, Mapping) or template.use_case in ("summarization", "pdf")
        expected = written(truth) if isinstance(truth, Mapping) else (str(truth) if truth not in ("", None) else None)
        preset = (DOCUMENT if template.use_case == "pdf" else SUMMARY) if summaries else QUESTIONS
        subjects.append(
            Subject(
                item.test_id,
                preset,
                item.input_text,
                item.response,
                expected,
                texts.of(item.source_file, item.input_text if summaries else ""),
                source_file=item.source_file,
                index=index,
            )
        )
    name = next((path.name.removesuffix(end) for end in TEMPLATES if path.name.endswith(end)), path.stem)
    if not subjects:
        raise UsageError(f"{shown(path)}: none of its {len(template.items)} answers is filled in")
    metadata = {"experiment_name": name, "model": name, "llm_type": "answers", "inference_type": "unknown"}
    return Answers(path, name, tuple(subjects), metadata, unanswered=template.unanswered, threshold=template.threshold)
