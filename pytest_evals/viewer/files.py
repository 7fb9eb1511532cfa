"""Files of the pipeline: only those inside the folders the viewer was given, after links are followed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EvalsError, StoreError
from ..report.text import readable
from . import data

if TYPE_CHECKING:
    from starlette.requests import Request

    from .source import Source

KINDS = {
    "test-data": "Test data",
    "groundtruth": "Ground truth",
    "experiments": "Experiments",
    "evaluations": "Evaluations",
}
"""The folders of the pipeline by their names in addresses. Templates lie in any of them."""

TEXTS = (".txt", ".md", ".markdown", ".rst", ".html", ".htm", ".eml", ".csv", ".xml", ".log", ".yaml", ".yml", ".jsonl")
SHOWN = (*TEXTS, ".json", ".pdf")
"""The ends of the names of files that are shown."""
LARGEST = 32 * 1024 * 1024
"""Bytes of the largest file that is shown."""
MOST_FILES = 5000
LONGEST = 200_000
"""Characters of a text that a page shows."""
DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Listed:
    """A file that can be shown."""

    folder: str
    """Its key in ``KINDS``."""
    path: str
    """Below the folder, with slashes."""
    kind: str
    """What it is, by its name."""
    size: int
    modified: float
    """Seconds since 1970."""

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {"folder": self.folder, "path": self.path, "kind": self.kind, "size": self.size}


_ENDS = (
    (".groundtruth.json", "ground truth"),
    ("_groundtruth.json", "ground truth, consolidated"),
    (".experiment.json", "experiment"),
    (".eval.json", "evaluation"),
    ("consolidated_experiments_report.json", "experiments, consolidated"),
    ("consolidated_evaluations_report.json", "evaluations, consolidated"),
    ("_metadata.json", "metadata"),
    (".pdf", "PDF"),
    (".json", "JSON"),
    (".jsonl", "JSON lines"),
)


def kind_of(name: str) -> str:
    """What a file is, by its name."""
    if ".template." in name:
        return "template"
    return next((kind for end, kind in _ENDS if name.endswith(end)), "text")


def list_files(folders: Mapping[str, Path]) -> list[Listed]:
    """The files of all folders that can be shown, in order; hidden ones and links that lead out are left out."""
    found: list[Listed] = []
    for key, root in folders.items():
        for path in _walk(root.resolve(), root.resolve()):
            status = path.stat()
            below = path.relative_to(root.resolve()).as_posix()
            found.append(Listed(key, below, kind_of(path.name), status.st_size, status.st_mtime))
            if len(found) >= MOST_FILES:
                return found
    return found


def _walk(folder: Path, root: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or not entry.resolve().is_relative_to(root):
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _walk(entry, root)
        elif entry.is_file() and entry.suffix.lower() in SHOWN:
            yield entry


def find_file(folders: Mapping[str, Path], folder: str, path: str) -> Path:
    """The file of that address. Raises ``NotFoundError`` for all that is not in the folder."""
    missing = data.NotFoundError(f"there is no file {path[:200]!r} in {folder[:40]!r}")
    root = folders.get(folder)
    if root is None or "\0" in path:
        raise missing
    root = root.resolve()
    found = (root / path).resolve()
    parts = Path(path).parts
    if not found.is_relative_to(root) or any(part.startswith(".") for part in parts):
        raise missing
    if not found.is_file() or found.suffix.lower() not in SHOWN:
        raise missing
    if found.stat().st_size > LARGEST:
        raise StoreError(f"{path} is larger than {LARGEST // 1024**2} MB")
    return found


def text_of(path: Path) -> str:
    """What a document says; of a PDF its text. Raises ``UsageError``."""
    if path.suffix.lower() == ".pdf":
        from ..pipeline.sources.pdf import read_pdf

        return read_pdf(path)
    return path.read_text("utf-8", "replace")


def value_of(path: Path) -> Any:
    """A JSON file's value. Raises ``StoreError``."""
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path.name} is no JSON") from error


def content(source: Source, folder: str, path: str) -> dict[str, Any]:
    """A file as the API gives it: JSON as its value, everything else as text."""
    found = find_file(source.pipeline, folder, path)
    plain: dict[str, Any] = {"folder": folder, "path": path, "kind": kind_of(found.name)}
    if found.suffix.lower() == ".json":
        return plain | {"content": value_of(found)}
    return plain | {"text": text_of(found)}


def files_page(source: Source, _request: Request) -> Mapping[str, Any]:
    """The files of all folders."""
    listed = list_files(source.pipeline)
    return {
        "folders": [
            {"key": key, "title": KINDS[key], "path": str(root), "files": [f for f in listed if f.folder == key]}
            for key, root in source.pipeline.items()
        ],
        "cut": len(listed) >= MOST_FILES,
        "most": MOST_FILES,
    }


def file_page(source: Source, request: Request) -> Mapping[str, Any]:
    """A file, with the documents it is about beside it."""
    folder, path = request.path_params["folder"], request.path_params["path"]
    found = find_file(source.pipeline, folder, path)
    about: list[dict[str, Any]] = []
    blocks: list[dict[str, Any]] = []
    if found.suffix.lower() == ".json":
        value = value_of(found)
        blocks = list(blocks_of(value, "", 0))
        about = list(_documents(source, value))
    else:
        blocks = [{"kind": "text", "title": "text", "text": _shortened(text_of(found))}]
    title = KINDS[folder]
    return {
        "title": title,
        "path": path,
        "folder": folder,
        "what": kind_of(found.name),
        "blocks": blocks,
        "about": about,
    }


def _documents(source: Source, value: Any) -> Iterator[dict[str, Any]]:
    """The documents that a file names as its sources, where they are in one of the folders."""
    names = dict.fromkeys(_sources(value, 0))
    listed = list_files(source.pipeline) if names else []
    for name in list(names)[:20]:
        base = name.replace("\\", "/").rpartition("/")[2]
        there = next((file for file in listed if file.path.rpartition("/")[2] == base), None)
        if there is None:
            continue
        try:
            text = text_of(find_file(source.pipeline, there.folder, there.path))
        except EvalsError as error:
            text = str(error)
        yield {"folder": there.folder, "path": there.path, "text": _shortened(text)}


def _sources(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping) and depth < DEEPEST:
        for name, part in value.items():
            if name in {"source_file", "source_path"} and isinstance(part, str):
                yield part
            elif isinstance(part, (Mapping, list)):
                yield from _sources(part, depth + 1)
    elif isinstance(value, list) and depth < DEEPEST:
        for part in value[:1000]:
            yield from _sources(part, depth + 1)


def blocks_of(value: Any, title: str, depth: int) -> Iterator[dict[str, Any]]:
    """A value as facts, texts and tables, whatever its shape is."""
    if isinstance(value, Mapping):
        facts = {name: part for name, part in value.items() if _is_short(part)}
        if facts:
            yield {"kind": "facts", "title": title, "facts": [(_words(n), readable(p)) for n, p in facts.items()]}
        for name, part in value.items():
            if name not in facts:
                yield from _part(_words(name), part, depth)
    else:
        yield from _part(title, value, depth)


def _part(title: str, value: Any, depth: int) -> Iterator[dict[str, Any]]:
    rows = _rows(value)
    if rows is not None:
        yield {"kind": "table", "title": title, **rows}
    elif isinstance(value, Mapping) and depth < DEEPEST:
        yield {"kind": "group", "title": title, "blocks": list(blocks_of(value, "", depth + 1))}
    elif isinstance(value, list) and all(isinstance(part, (str, int, float)) for part in value):
        yield {"kind": "list", "title": title, "items": [_shortened(readable(part)) for part in value[:500]]}
    elif isinstance(value, list) and depth < DEEPEST and any(isinstance(part, (Mapping, list)) for part in value):
        parts = [
            {"kind": "group", "title": _title_of(part, number), "blocks": list(blocks_of(part, "", depth + 1))}
            for number, part in enumerate(value[:500], 1)
        ]
        yield {"kind": "group", "title": title, "blocks": parts}
    else:
        yield {"kind": "text", "title": title, "text": _shortened(readable(value))}


def _rows(value: Any) -> dict[str, Any] | None:
    """A list of flat objects, or an object of such, as a table; else ``None``."""
    named = isinstance(value, Mapping)
    parts: Sequence[Any] = list(value.values()) if named else value if isinstance(value, list) else ()
    if len(parts) < (2 if named else 1) or not all(isinstance(part, Mapping) for part in parts):
        return None
    columns = list(dict.fromkeys(name for part in parts for name in part))
    if not 1 <= len(columns) <= 12 or any(isinstance(p, (Mapping, list)) for part in parts for p in part.values()):
        return None
    names = list(value) if named else [str(n) for n in range(1, len(parts) + 1)]
    cells = [[_shortened(readable(part[c])) if c in part else "" for c in columns] for part in parts[:1000]]
    return {"heads": [_words(c) for c in columns], "rows": list(zip(names, cells, strict=False))}


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= 160 and "\n" not in value
    return value is None or isinstance(value, (int, float))


def _title_of(value: Any, number: int) -> str:
    if isinstance(value, Mapping):
        for name in ("id", "name", "filename", "model", "query", "question", "source_file"):
            if isinstance(value.get(name), str) and value[name]:
                return str(value[name])[:120]
    return str(number)


def _words(name: Any) -> str:
    return str(name).replace("_", " ")


def _shortened(text: str) -> str | tuple[str, int]:
    return text if len(text) <= LONGEST else (text[:LONGEST], len(text) - LONGEST)
