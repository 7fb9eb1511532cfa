"""The fenced blocks of the documentation: files to write and commands to run.

A block whose first line is a comment with a path (``# evals/bot.py``) is that file. In a ``console`` block a line
``$ command`` is run; the lines below it must appear in its output, in order. ``...`` stands for anything, within a line
and for any number of lines; times and ids of runs may differ, and so may the number of spaces.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"# (?P<path>[\w./-]+\.(?:py|ya?ml|jsonl?|csv|toml|ini))\n")


@dataclass(frozen=True, slots=True)
class File:
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    line: str
    expected: str


def blocks(page: Path) -> Iterator[File | Command]:
    """The files and commands of a page, in their order."""
    for match in _FENCE.finditer(page.read_text("utf-8")):
        body = match["body"]
        named = _PATH.match(body)
        if match["language"] == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, _, expected = part.partition("\n")
                yield Command(line, expected)
        elif named:
            # JSON has no comments: there the line only names the file
            text = body[named.end() :] if named["path"].endswith((".json", ".jsonl", ".csv")) else body
            yield File(named["path"], text)


def write(folder: Path, file: File) -> None:
    path = folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(file.text, encoding="utf-8")


def run(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a page as a person would, in an 80 column terminal without colours."""
    program, *arguments = shlex.split(line)
    beside = Path(sys.executable).parent / program
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PYTEST-"))}
    environment |= {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"}
    # the plugins a reader has: ours and xdist, whatever else is installed for the tests
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_evals.plugin,xdist.plugin"}
    return subprocess.run(
        [str(beside), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


_PLACEHOLDERS = {
    r"\.\.\.": ".*",
    r" {2,}": " +",
    r" *\d[\d.]* ?(?:ms|s)\b": r" *\d[\d.]* ?(?:ms|s)\b",
    r"\brun [a-z0-9]{12}\b": r"run [a-z0-9]{12}",
}
"""What in an expected line stands for something that differs from run to run, and what that may be."""

_SPLIT = re.compile("|".join(f"({found})" for found in _PLACEHOLDERS))


def _pattern(wanted: str) -> re.Pattern[str]:
    meant = list(_PLACEHOLDERS.values())
    parts, position = [], 0
    for match in _SPLIT.finditer(wanted):
        parts += [re.escape(wanted[position : match.start()]), meant[(match.lastindex or 1) - 1]]
        position = match.end()
    return re.compile("".join([*parts, re.escape(wanted[position:])]))


def shows(expected: str, output: str) -> str | None:
    """The first expected line that the output does not have where it should, or ``None``."""
    lines = [line.rstrip() for line in output.splitlines()]
    position, anywhere = 0, True
    for wanted in (line.rstrip() for line in expected.splitlines()):
        if wanted == "...":
            anywhere = True
            continue
        pattern = _pattern(wanted)
        places = range(position, len(lines) if anywhere else min(position + 1, len(lines)))
        found = next((n for n in places if pattern.fullmatch(lines[n])), None)
        if found is None:
            return wanted
        position, anywhere = found + 1, False
    return None
