"""What experiments are about: documents and questions, from ground truth or from a folder of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ...errors import UsageError
from ..files import read_json, short_ids, shown, unique_stems
from ..shapes.consolidated import consolidated_name, is_consolidated, read_ground_truth
from ..shapes.groundtruth import SUFFIX, GroundTruth
from ..sources.reading import PDF, find_sources, read_source
from .config import Kind

TEST_DATA, TRUTH = Path("output/test_data"), Path("output/groundtruth")

ContentType = Literal["pdf", "email", "transcript"]

USUAL_QUESTIONS = (
    "What is this about, in one sentence?",
    "Who is involved, and in which role?",
    "What was decided?",
    "Who has to do what, and until when?",
    "What is still open?",
)
"""What is asked of documents without ground truth. There is nothing to hold the answers against."""

_OF_KIND: Mapping[Kind, tuple[str, ...]] = {
    "summarization": ("summarization", "email", "pdf"),
    "qa": ("qa", "rag", "email"),
}
"""The use cases whose ground truth serves which kind of experiment; the first that is there is taken."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a document."""

    query: str
    expected: str | None = None
    """``None`` without ground truth."""


@dataclass(frozen=True, slots=True)
class Item:
    """A document, with what there is to hold answers about it against."""

    id: str
    source_file: str
    text: str
    content_type: ContentType = "transcript"
    questions: tuple[Question, ...] = ()
    summaries: Mapping[str, Any] | None = None
    """Those of the ground truth; ``None`` without it."""
    problem: str = ""
    """Why nothing can be asked about it; empty when all is well."""


@dataclass(frozen=True, slots=True)
class Input:
    """The items of one kind of experiment, and where they are from."""

    path: Path
    items: tuple[Item, ...]
    from_truth: bool
    notes: tuple[str, ...] = ()
    """What a person should know of it, a line each."""


def find_input(kind: Kind, path: Path | None, *, queries: Path | None = None, most_pairs: int | None = None) -> Input:
    """What an experiment of that kind is about.

    Without ``path`` the consolidated ground truth, when it is there, else the generated documents. ``queries`` is
    ground truth whose questions are asked of documents. Raises ``UsageError`` when there is nothing, with what to do.
    """
    path = path or _usual(kind)
    asked = () if queries is None else _questions(queries, most_pairs)
    if _is_truth(path):
        found = _from_truth(kind, path, most_pairs)
        aside = f"--queries-source is for documents; the questions of {shown(path)} are asked"
        return replace(found, notes=(*found.notes, aside)) if asked and kind == "qa" else found
    sources = find_sources(path)
    root = path if path.is_dir() else path.parent
    names = short_ids(unique_stems(sources, root).values())
    ids = {source: names[stem] for source, stem in unique_stems(sources, root).items()}
    items = tuple(_of_document(ids[source], source, kind, asked or USUAL_QUESTIONS, most_pairs) for source in sources)
    return Input(path, items, False, _without_truth(kind, path, asked))


def _without_truth(kind: Kind, path: Path, asked: Sequence[str]) -> tuple[str, ...]:
    if kind == "summarization":
        return (
            f"{shown(path)} holds documents without ground truth: summaries can be judged against it with "
            "pytest-evals eval -g GROUNDTRUTH, else only on their own",
        )
    what = "the questions of --queries-source are" if asked else f"{len(USUAL_QUESTIONS)} general questions are"
    return (
        f"{shown(path)} holds documents without ground truth: {what} asked, and the answers have nothing to be held "
        "against; name ground truth of use case qa with -i to compare",
    )


def _usual(kind: Kind) -> Path:
    for use_case in _OF_KIND[kind]:
        path = TRUTH / consolidated_name(use_case)
        if path.is_file():
            return path
    if TEST_DATA.is_dir():
        return TEST_DATA
    raise UsageError(
        f"there is nothing to ask about: neither {shown(TRUTH)} nor {shown(TEST_DATA)} is there; "
        "make them with pytest-evals generate and groundtruth, or name a file or folder with -i"
    )


def _is_truth(path: Path) -> bool:
    if path.is_dir():
        return next(path.rglob(f"*{SUFFIX}"), None) is not None or any(path.glob("consolidated_*_groundtruth.json"))
    if path.suffix.lower() != ".json":
        return False
    if path.name.endswith((SUFFIX, "_groundtruth.json")):
        return True
    data = read_json(path)
    return "analysis" in data and ("metadata" in data or is_consolidated(data))


def _from_truth(kind: Kind, path: Path, most_pairs: int | None) -> Input:
    truths = read_ground_truth(path)
    fitting = [truth for truth in truths if (truth.pairs if kind == "qa" else truth.summaries)]
    if not fitting:
        if kind == "qa":
            raise UsageError(
                f"{shown(path)} has no questions: a Q&A experiment needs ground truth of use case qa, rag or email "
                "(pytest-evals groundtruth --use-case qa), or --queries-source with documents"
            )
        raise UsageError(
            f"{shown(path)} has no summaries: an experiment with summaries needs ground truth of use case "
            "summarization, email or pdf (pytest-evals groundtruth --use-case summarization), or documents"
        )
    left_out = len(truths) - len(fitting)
    notes = (f"{shown(path)}: {left_out} of {len(truths)} documents have nothing for {kind}",) if left_out else ()
    return Input(path, tuple(_of_truth(truth, path, kind, most_pairs) for truth in fitting), True, notes)


def _of_truth(truth: GroundTruth, path: Path, kind: Kind, most_pairs: int | None) -> Item:
    item = Item(truth.id, truth.source_file, "", _content_type(truth.source_file, truth.use_case))
    if kind == "qa":
        pairs = truth.pairs[:most_pairs]
        item = replace(item, questions=tuple(Question(pair.query, pair.response) for pair in pairs))
    else:
        item = replace(item, summaries=dict(truth.summaries))
    source = _find_source(truth.source_file, path)
    if source is None:
        missing = f"its document {truth.source_file or '(not named)'} is not there"
        return replace(item, problem=missing)
    try:
        return replace(item, text=read_source(source).text)
    except UsageError as error:
        return replace(item, problem=str(error))


def _find_source(name: str, truth: Path) -> Path | None:
    """The document: below the working directory, else beside or above the ground truth."""
    if not name:
        return None
    relative = Path(name.replace("\\", "/"))
    folder = truth if truth.is_dir() else truth.parent
    for root in (Path(), folder, *list(folder.resolve().parents)[:3]):
        for tail in (relative, *_tails(relative)):
            if (root / tail).is_file():
                return root / tail
    return None


def _tails(path: Path) -> list[Path]:
    """``test_data/meetings/a.txt`` and so on, of ``output/test_data/meetings/a.txt``: the folders may be elsewhere."""
    parts = [part for part in path.parts if part not in ("/", "..", ".")]
    return [Path(*parts[n:]) for n in range(1, len(parts) - 1)]


def _of_document(name: str, path: Path, kind: Kind, questions: Sequence[str], most_pairs: int | None) -> Item:
    asked = tuple(Question(query) for query in questions[:most_pairs]) if kind == "qa" else ()
    item = Item(name, shown(path), "", _content_type(path.as_posix(), ""), asked)
    try:
        return replace(item, text=read_source(path).text)
    except UsageError as error:
        return replace(item, problem=str(error))


def _questions(path: Path, most: int | None) -> tuple[str, ...]:
    found = dict.fromkeys(pair.query for truth in read_ground_truth(path) for pair in truth.pairs)
    if not found:
        raise UsageError(f"--queries-source {shown(path)} has no questions; it takes ground truth of use case qa")
    return tuple(found)[:most]


def _content_type(name: str, use_case: str) -> ContentType:
    if name.lower().endswith(PDF) or use_case == "pdf":
        return "pdf"
    return "email" if use_case == "email" or "email" in name.lower() else "transcript"
