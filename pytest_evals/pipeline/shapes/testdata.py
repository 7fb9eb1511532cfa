"""The metadata beside generated test data: one file a folder, an entry a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..files import OURS, read_json, shown, write_json
from ..spent import NOTHING, Spent


@dataclass(frozen=True, slots=True)
class Shape:
    """How the file of one kind of test data names things."""

    folder: str
    """Below the output folder; also the command's word for the kind."""
    file: str
    entries: str
    types: str
    type: str


SHAPES: Mapping[str, Shape] = {
    shape.folder: shape
    for shape in (
        Shape("meetings", "transcript_metadata.json", "transcripts", "meeting_types", "meeting_type"),
        Shape("emails", "email_metadata.json", "emails", "email_types", "email_type"),
        Shape("documents", "document_metadata.json", "documents", "document_types", "document_type"),
    )
}
"""By folder."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One document that was generated."""

    type: str
    description: str
    filename: str
    file_path: str
    file_size_bytes: int
    estimated_tokens: int
    """Characters divided by four."""
    target_tokens: int
    model: str
    spent: Spent
    generated_date: str
    """ISO 8601."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What this kind has more: participants and minutes, roles."""
    ours: Mapping[str, Any] = field(default_factory=dict)
    """Hashes of the question and the content, and what was noticed."""

    def to_json(self, shape: Shape) -> dict[str, Any]:
        return {
            shape.type: self.type,
            "description": self.description,
            **self.about,
            "estimated_tokens": self.estimated_tokens,
            "target_tokens": self.target_tokens,
            "generated_date": self.generated_date,
            "claude_model": self.model,
            "claude_usage": self.spent.usage_json(),
            "claude_cost": self.spent.cost_json(),
            "filename": self.filename,
            "file_path": self.file_path,
            "file_size_bytes": self.file_size_bytes,
            **({OURS: dict(self.ours)} if self.ours else {}),
        }


_PLAIN = (
    *("description", "estimated_tokens", "target_tokens", "generated_date", "claude_model", "claude_usage"),
    *("claude_cost", "filename", "file_path", "file_size_bytes", OURS),
)
"""The keys of an entry that every kind has."""


@dataclass(frozen=True, slots=True)
class TestData:
    """What a folder of generated documents holds."""

    __test__ = False  # its name looks like that of a test

    shape: Shape
    entries: tuple[Entry, ...] = ()

    @property
    def spent(self) -> Spent:
        """The sum of the entries."""
        return sum((entry.spent for entry in self.entries), NOTHING)

    def to_json(self, target_tokens: int, per_type: int, model: str, when: datetime) -> dict[str, Any]:
        """The content of the file; its totals are the sums of its entries."""
        return {
            "generation_info": {
                "generated_date": when.replace(tzinfo=None).isoformat(),
                "total_files": len(self.entries),
                "target_tokens_per_file": target_tokens,
                self.shape.types: list(dict.fromkeys(entry.type for entry in self.entries)),
                "files_per_type": per_type,
                "claude_model": model,
                "total_claude_usage": self.spent.usage_json(),
                "total_claude_cost": self.spent.cost_json(),
            },
            self.shape.entries: [entry.to_json(self.shape) for entry in self.entries],
        }

    def write(self, folder: Path, target_tokens: int, per_type: int, model: str, when: datetime) -> None:
        """Write the file into the folder of the documents."""
        write_json(folder / self.shape.file, self.to_json(target_tokens, per_type, model, when))


def read_test_data(folder: Path, shape: Shape) -> TestData:
    """What the metadata of a folder says; nothing where there is none.

    Raises ``UsageError`` for a file that is not what it should be.
    """
    path = folder / shape.file
    if not path.exists():
        return TestData(shape)
    data = read_json(path)
    listed = data.get(shape.entries)
    if not isinstance(listed, list) or not all(isinstance(entry, Mapping) for entry in listed):
        raise UsageError(f"{shown(path)}: {shape.entries} must be a list of objects")
    return TestData(shape, tuple(_entries(listed, shape)))


def _entries(listed: Iterable[Mapping[str, Any]], shape: Shape) -> Iterable[Entry]:
    for entry in listed:
        yield Entry(
            type=str(entry.get(shape.type, "")),
            description=str(entry.get("description", "")),
            filename=str(entry.get("filename", "")),
            file_path=str(entry.get("file_path", "")),
            file_size_bytes=int(entry.get("file_size_bytes") or 0),
            estimated_tokens=int(entry.get("estimated_tokens") or 0),
            target_tokens=int(entry.get("target_tokens") or 0),
            model=str(entry.get("claude_model", "")),
            spent=Spent.from_json(entry.get("claude_usage"), entry.get("claude_cost")),
            generated_date=str(entry.get("generated_date", "")),
            about={key: value for key, value in entry.items() if key not in _PLAIN and key != shape.type},
            ours=entry.get(OURS) or {},
        )


def estimated_tokens(text: str) -> int:
    """How many tokens a text has, roughly: a quarter of its characters."""
    return len(text) // 4
