"""Files of ground truth as data sets: a row for each question, and one for each document that has a summary.

The columns are ``id``, ``input``, ``expected_output``, ``context`` (the text of the document, where it is found),
``category`` (the document), ``status``, and for a ``map`` ``document``, ``source_file``, ``summaries`` and
``evaluation_criteria``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from .reading import DataReading
from .tree import Map, Node, Plain, Seq, is_null, said

SUMMARIZE = "Summarize the document."
"""The input of a case about a summary."""

OURS = "pytest_evals"
DRAFT = "draft"

FULL = ("detailed_summary", "executive_summary", "brief_summary")
"""Which of the summaries is the expected answer: the first that is there."""

_QUERY, _RESPONSE = ("query", "question"), ("response", "answer")
_LONGEST = 2_000_000
"""Bytes of a document that is put into cases."""


def is_ground_truth(root: Node | None) -> bool:
    """Whether a JSON file holds ground truth, of one document or of many."""
    return isinstance(root, Map) and isinstance(root.get("analysis"), Map)


def stem_of(name: str) -> str:
    """What a file of one document calls it: its name without use case and suffix."""
    return re.sub(r"(\.(summarization|qa|email|pdf|rag))?\.groundtruth\.json$|\.json$", "", name)


def rows_of(r: DataReading, root: Map) -> Iterator[tuple[int, Map]]:
    """The rows with their places. What cannot be used is reported."""
    metadata = root.get("metadata")
    metadata = metadata if isinstance(metadata, Map) else _map(root.at)
    ours, analysis = _box(metadata, OURS), root["analysis"]
    if "consolidated_from" not in metadata and "source_files" not in metadata:
        yield from _document(
            r, stem_of(r.source.path.name), _text(metadata, "source_file"), _text(ours, "status"), analysis, analysis
        )
        return
    sources = metadata.get("source_files")
    known = {_text(each, "transcript_id"): each for each in sources if isinstance(each, Map)} if sources else {}
    own = _box(ours, "documents")
    ids = dict.fromkeys((*known, *_box(analysis, "summaries"), *_box(analysis, "qa_pairs")))
    for name in ids:
        one = _map(analysis.at)
        for key in ("summaries", "qa_pairs"):
            box = _box(analysis, key)
            if name in box:
                _put(one, key, box[name], box.spot(name))
        criteria = _box(_box(ours, "evaluation_criteria"), name) or _box(analysis, "evaluation_criteria")
        _put(one, "evaluation_criteria", criteria, criteria.at)
        source = _text(known.get(name), "source_file")
        yield from _document(r, name, source, _text(_box(own, name), "status"), one, analysis)


def _document(r: DataReading, name: str, source: str, status: str, one: Map, whole: Map) -> Iterator[tuple[int, Map]]:
    summaries, pairs = one.get("summaries"), one.get("qa_pairs")
    shared: list[tuple[str, Node]] = [("category", name), ("document", name), ("source_file", source)]
    if status == DRAFT:
        shared.append(("status", DRAFT))
    if (text := _document_text(r.source.path, source)) is not None:
        shared.append(("context", text))
    shared += [(key, one[key]) for key in ("summaries", "evaluation_criteria") if one.get(key)]
    if isinstance(summaries, Map) and (full := next((key for key in FULL if _text(summaries, key)), None)):
        at = summaries.spot(full)
        yield at, _row(at, [("id", name), ("input", SUMMARIZE), ("expected_output", summaries[full]), *shared])
    elif summaries and not isinstance(summaries, Map):
        r.report(whole.at, f"the summaries of {name} must be an object, not {said(summaries)}")
    if pairs is None or (isinstance(pairs, Plain) and is_null(pairs)):
        return
    if not isinstance(pairs, Seq):
        r.report(one.spot("qa_pairs"), f"the qa_pairs of {name} must be a list, not {said(pairs)}")
        return
    for number, (at, pair) in enumerate(zip(pairs.spots, pairs, strict=True), 1):
        if not isinstance(pair, Map):
            r.report(at, f"a pair is an object with 'query' and 'response', not {said(pair)}")
            continue
        query, response = (next((pair[key] for key in keys if key in pair), None) for keys in (_QUERY, _RESPONSE))
        gone = [keys[0] for keys, value in ((_QUERY, query), (_RESPONSE, response)) if not _is_text(value)]
        if gone:
            r.report(at, f"pair {number} of {name} has no {' and no '.join(gone)}, or one that is no text")
            continue
        yield at, _row(at, [("id", f"{name}-{number}"), ("input", query), ("expected_output", response), *shared])


def _row(at: int, values: list[tuple[str, Node | None]]) -> Map:
    row = _map(at)
    for key, value in values:
        if value is not None and value != "":
            _put(row, key, value, at)
    return row


def _map(at: int) -> Map:
    made = Map()
    made.at, made.spots = at, []
    return made


def _put(box: Map, key: str, value: Node, at: int) -> None:
    box[key] = value
    box.spots.append(at)


def _box(box: Map, key: str) -> Map:
    found = box.get(key)
    return found if isinstance(found, Map) else _map(box.at)


def _text(box: Node | None, key: str) -> str:
    value = box.get(key) if isinstance(box, Map) else None
    return value if isinstance(value, str) and not isinstance(value, Plain) else ""


def _is_text(value: Node | None) -> bool:
    return isinstance(value, str) and not isinstance(value, Plain) and bool(value.strip())


def _document_text(path: Path, source: str) -> str | None:
    """The text of the document; ``None`` when it is not there, is no text (PDF), or is huge."""
    found = document_of(path, source)
    if found is None or found.suffix.lower() == ".pdf":
        return None
    try:
        return found.read_text("utf-8-sig") if found.stat().st_size <= _LONGEST else None
    except (OSError, ValueError):
        return None


def document_of(path: Path, source: str) -> Path | None:
    """The document that a file of ground truth names: its path starts at the folder of the file, or at one above it.

    ``None`` when it is not there. A path that leads elsewhere is not followed: a file from somebody else must not have
    any file of this machine read and sent to a model.
    """
    name = PurePath(source)
    if not source or name.is_absolute() or ".." in name.parts:
        return None
    try:
        return next((folder / name for folder in path.absolute().parents if (folder / name).is_file()), None)
    except (OSError, ValueError):
        return None
