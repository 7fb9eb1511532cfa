"""What stands in a template: the questions of ground truth, or documents nobody has said anything about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...errors import UsageError
from ...model.answertemplate import THRESHOLD, AnswerTemplate, TemplateItem
from ...suite.groundtruth import document_of
from ..files import short_ids, shown, unique_stems
from ..shapes.consolidated import read_ground_truth
from ..shapes.groundtruth import SUFFIX, GroundTruth
from ..shapes.items import items_of
from ..sources.reading import find_sources, read_source


def template_of(path: Path, use_case: str = "", threshold: float = THRESHOLD) -> AnswerTemplate:
    """A template of ground truth (a file of one document or of many, a folder), or of documents.

    ``use_case`` chooses among the ground truth of a folder. Raises ``UsageError``.
    """
    if not path.exists():
        raise UsageError(f"there is no file or folder {shown(path)}")
    if not _is_truth(path):
        return _of_documents(path, use_case or "summarization", threshold)
    truths = _chosen(read_ground_truth(path), path, use_case)
    items = tuple(
        TemplateItem(
            test_id=item.id,
            input_text=item.question if item.is_pair else _text_of(item.truth, item.question),
            ground_truth=item.expected,
            evaluation_criteria=dict(item.truth.criteria),
            source_file=item.truth.source_file,
        )
        for item in items_of(truths)
    )
    return AnswerTemplate(truths[0].use_case, shown(path), items, threshold)


def file_stem(path: Path, use_case: str) -> str:
    """The name of a template without ``.template.json``: ``standup_meeting.qa``, ``consolidated_qa``, ``meetings``."""
    name = path.resolve().name
    for end in (SUFFIX, "_groundtruth.json"):
        if name.endswith(end):
            return name.removesuffix(end)
    return f"{Path(name).stem if path.is_file() else name}.{use_case}"


def _is_truth(path: Path) -> bool:
    if path.is_dir():
        return any(True for end in (f"*{SUFFIX}", "consolidated_*_groundtruth.json") for _ in path.rglob(end))
    return path.suffix == ".json"


def _chosen(truths: list[GroundTruth], path: Path, use_case: str) -> Sequence[GroundTruth]:
    there = sorted({truth.use_case for truth in truths})
    if not use_case and len(there) > 1:
        raise UsageError(f"{shown(path)} has ground truth for {', '.join(there)}; choose one with --use-case")
    found = [truth for truth in truths if use_case in ("", truth.use_case)]
    if not found:
        raise UsageError(f"{shown(path)} has no ground truth for {use_case}, but for {', '.join(there)}")
    if not items_of(found):
        raise UsageError(f"{shown(path)} has no questions and no summaries")
    return found


def _text_of(truth: GroundTruth, otherwise: str) -> str:
    """The text that is to be summarized, where the document is found."""
    found = None if truth.path is None else document_of(truth.path, truth.source_file)
    return otherwise if found is None else read_source(found).text


def _of_documents(path: Path, use_case: str, threshold: float) -> AnswerTemplate:
    sources = find_sources(path)
    stems = unique_stems(sources, path if path.is_dir() else path.parent)
    ids = short_ids(stems.values())
    items = tuple(
        TemplateItem(ids[stems[source]], read_source(source).text, source_file=shown(source)) for source in sources
    )
    return AnswerTemplate(use_case, shown(path), items, threshold)
