"""Accepting drafts: in suites, and in the ground truth that they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import SuiteError, UsageError
from ..suite.groundtruth import document_of
from ..suite.jsontree import read_json as read_json_tree
from ..suite.reading import Reading
from ..suite.source import load
from ..suite.tree import Map, Seq
from ..suite.yamlerrors import read_yaml
from .files import OURS, read_json, shown, write_json, write_text
from .shapes.consolidated import is_consolidated, read_ground_truth
from .shapes.groundtruth import ACCEPTED, DRAFT, SUFFIX
from .suites import unsigned

SUITES = (".eval.yaml", ".eval.yml", ".eval.json")
_CONSOLIDATED = "_groundtruth.json"


@dataclass(slots=True)
class Accepted:
    """What was changed."""

    suites: list[Path] = field(default_factory=list)
    documents: dict[Path, list[str]] = field(default_factory=dict)
    """By file of ground truth, the documents whose drafts were accepted; consolidated files too."""


def accept(path: Path) -> Accepted:
    """Accept every draft of a suite, a file of ground truth, or all of them in a folder.

    What belongs together is accepted together: the ground truth that a suite names, the files of the documents of a
    consolidated one, and their place in it. Raises ``UsageError``, before anything is written.
    """
    if not path.exists():
        raise UsageError(f"there is no file or folder {shown(path)}")
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    suites = [each for each in files if each.name.endswith(SUITES)]
    truths = [each for each in files if _is_truth(each)]
    if not suites and not truths:
        what = "has no suites and no ground truth" if path.is_dir() else "is no suite and no ground truth"
        raise UsageError(f"{shown(path)} {what}; name *.eval.yaml, *{SUFFIX}, or a folder of them")
    done = Accepted()
    changed: dict[Path, str] = {}
    for suite in suites:
        text, sets = _suite(suite)
        if text:
            changed[suite] = text
        truths += [each for each in sets if each.is_file() and _is_truth(each)]
    for truth in _together(truths):
        read_ground_truth(truth)  # what cannot be read is not accepted, and nothing else is
    for suite, text in changed.items():
        write_text(suite, text)
        done.suites.append(suite)
    for truth in _together(truths):
        if names := _accept_truth(truth, None):
            done.documents[truth] = names
    for each in list(done.documents):
        _accept_in_consolidated(each, done)
    return done


def _is_truth(path: Path) -> bool:
    return path.name.endswith((SUFFIX, _CONSOLIDATED))


def _together(truths: list[Path]) -> list[Path]:
    """The files, and those of the documents that consolidated ones among them name."""
    found = list(truths)
    for path in truths:
        if path.name.endswith(_CONSOLIDATED):
            listed = (read_json(path).get("metadata") or {}).get("source_files")
            for entry in listed if isinstance(listed, list) else ():
                found += [own for own in (_beside(path, entry),) if own is not None]
    return list({each.resolve(): each for each in found}.values())


def _beside(path: Path, entry: Any) -> Path | None:
    """The file of a document that a consolidated file names."""
    name = entry.get("file_path") if isinstance(entry, Mapping) else None
    if not isinstance(name, str) or not name:
        return None
    found = document_of(path, name)
    return found if found is not None and _is_truth(found) else None


def _accept_truth(path: Path, only: str | None) -> list[str]:
    """Write a file with its drafts accepted, if there are any; ``only`` that document of a consolidated one."""
    data = read_json(path)
    metadata = data.get("metadata") or {}
    if is_consolidated(data):
        documents: dict[str, Any] = (metadata.get(OURS) or {}).get("documents") or {}
        boxes = {name: box for name, box in documents.items() if only in (None, name) and isinstance(box, dict)}
    else:
        boxes = {path.name.removesuffix(SUFFIX): metadata.get(OURS) or {}}
    drafts = [name for name, box in boxes.items() if box.get("status") == DRAFT]
    for name in drafts:
        boxes[name]["status"] = ACCEPTED
    if drafts:
        write_json(path, data)
    return drafts


def _accept_in_consolidated(path: Path, done: Accepted) -> None:
    """Accept a document in the consolidated files above it, which name its file."""
    for folder in list(path.absolute().parents)[:3]:
        for many in sorted(folder.glob(f"consolidated_*{_CONSOLIDATED}")):
            listed = (read_json(many).get("metadata") or {}).get("source_files") or ()
            for entry in listed:
                own = _beside(many, entry)
                if own is None or own.resolve() != path.resolve():
                    continue
                if names := _accept_truth(many, str(entry.get("transcript_id"))):
                    done.documents.setdefault(many, []).extend(names)


def _suite(path: Path) -> tuple[str, list[Path]]:
    """The text of a suite with its drafts accepted, empty if nothing changes, and the data sets it names.

    Raises ``UsageError`` for a file that cannot be read.
    """
    try:
        source = load(path, shown(path))
        r = Reading(source)
        root = (read_json_tree if path.suffix == ".json" else read_yaml)(source, r.report)
        r.finish()
    except SuiteError as error:
        raise UsageError(str(error)) from None
    text, spots, sets = source.text, [], []
    for box in _boxes(root):
        if box.get("status") == DRAFT:
            spots.append(box.spot("status"))
        if isinstance(name := box.get("file"), str):
            sets.append(path.parent / name)
    for spot in sorted(spots, reverse=True):
        at = text.index(DRAFT, spot)
        text = text[:at] + ACCEPTED + text[at + len(DRAFT) :]
    plain = unsigned(text)
    if plain != text:  # what the header says is not true any more
        text = plain[plain.index("suite:") :]
    return (text if text != source.text else ""), sets


def _boxes(root: Any) -> Iterator[Map]:
    """Where a suite can say that cases are drafts."""
    if not isinstance(root, Map):
        return
    if isinstance(defaults := root.get("defaults"), Map):
        yield defaults
    if isinstance(cases := root.get("cases"), Seq):
        yield from (case for case in cases if isinstance(case, Map))
