"""Prompts of promptfoo: texts, lists of messages, and files of either."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ...errors import SuiteError
from ..foreign import parse_json, place_of, read_file, read_text
from ..imported import Folders
from ..notes import Notes
from .nunjucks import UnknownTemplateError, translated
from .values import CODE, FILE, as_text, path_of

PASSED_THROUGH = "{{ prompt }}"
"""What promptfoo asks when a file names no prompt."""

_TEXTS = (".txt", ".md", ".j2")
_FILES = (*_TEXTS, ".json", ".yaml", ".yml", ".csv", *CODE)
_SEPARATOR = re.compile(r"^---\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt."""

    label: str
    content: Any
    """A text, or a list of messages."""


def prompts_of(data: Any, folders: Folders, notes: Notes, place: str) -> list[Prompt]:
    """The prompts of a file; those that have no equivalent are noted."""
    if data in (None, [], ""):
        return [Prompt("prompt", PASSED_THROUGH)]
    listed = data if isinstance(data, list) else [data]
    found: list[Prompt] = []
    for index, given in enumerate(listed):
        where = place_of(listed, index) or place
        label = ""
        source: Any = given
        if isinstance(given, Mapping):
            if "role" in given:
                source, label = [given], ""
            else:
                label = as_text(given.get("label"))
                source = given.get("raw", given.get("id"))
                for key in given:
                    if key not in ("label", "raw", "id"):
                        notes.dropped(f"{key} of a prompt", "a prompt is a text", where, given[key])
        for name, content in _contents(source, folders, notes, where):
            made = _translated(content, notes, where)
            if made is not None:
                found.append(Prompt(label or name or f"prompt-{len(found) + 1}", made))
    return found


def _contents(source: Any, folders: Folders, notes: Notes, place: str) -> list[tuple[str, Any]]:
    """Names and contents of what a prompt says: of a file it may be several."""
    if isinstance(source, list) and _is_messages(source):
        return [("", source)]
    if not isinstance(source, (str, int, float)) or source == "":
        notes.dropped("prompt", "a prompt is a text, or a list of messages", place, source)
        return []
    text = as_text(source)
    path = path_of(text)
    suffix = PurePath(path).suffix.lower()
    named = text.startswith(FILE) or (suffix in _FILES and "\n" not in text and folders.there(path).is_file())
    if text.startswith(("exec:", "langfuse://", "portkey://", "helicone://")) or (named and suffix in CODE):
        notes.dropped(f"prompt {text}", "a prompt that is made by code or by a service", place, text)
        return []
    if not named:
        return [("", _messages(text.strip()))]
    paths = sorted(folders.base.glob(path)) if any(c in path for c in "*?[") else [folders.there(path)]
    found: list[tuple[str, Any]] = []
    for each in paths:
        try:
            if each.suffix.lower() in (".yaml", ".yml", ".json"):
                content = read_file(each)
                if not isinstance(content, str) and not _is_messages(content):
                    raise KeyError("a prompt is a text, or a list of messages")
                found.append((each.stem, content))
            elif each.suffix.lower() == ".csv":
                rows = read_file(each)
                if any("prompt" not in row for row in rows):
                    raise KeyError("it has no column 'prompt'")
                found += [(as_text(row.get("label")), _messages(row["prompt"])) for row in rows]
            else:
                parts = [part.strip() for part in _SEPARATOR.split(read_text(each)) if part.strip()]
                names = [each.stem] if len(parts) == 1 else [f"{each.stem}-{n}" for n in range(1, len(parts) + 1)]
                found += list(zip(names, map(_messages, parts), strict=True))
        except (SuiteError, KeyError) as error:
            why = error.problems[0].message if isinstance(error, SuiteError) else str(error.args[0])
            notes.dropped(f"prompt {text}", why, place, text)
    if not paths:
        notes.dropped(f"prompt {text}", "no file has such a name", place, text)
    return found


def _is_messages(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, Mapping) and "role" in part for part in value)


def _messages(text: str) -> Any:
    """A text that is a JSON list of messages as that list."""
    if not text.startswith("["):
        return text
    try:
        found = parse_json(text)
    except SuiteError:
        return text
    return found if _is_messages(found) else text


def _translated(content: Any, notes: Notes, place: str) -> Any:
    try:
        if isinstance(content, str):
            return translated(content)
        return [{key: _each(part) for key, part in message.items()} for message in content]
    except UnknownTemplateError as error:
        notes.dropped("prompt", str(error), place, content)
        return None


def _each(value: Any) -> Any:
    if isinstance(value, str):
        return translated(value)
    if isinstance(value, Mapping):
        return {key: _each(part) for key, part in value.items()}
    return [_each(part) for part in value] if isinstance(value, list) else value
