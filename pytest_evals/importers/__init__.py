"""Floor 2: from other tools' files to suites.

One file a format: pure functions from what was read to the data of a suite, and notes.

The door is cheap to open; readers and formats are imported when a file is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from .imported import Imported, Wishes

__all__ = ["FORMATS", "Format", "import_file"]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that can be imported."""

    summary: str
    """As the help shows it."""
    kinds: tuple[str, ...]
    """Suffixes."""
    convert: str
    """The module whose ``convert`` makes the suite."""
    columns: tuple[str, ...] = ()
    """Columns by which the delimiter of a table is found."""
    maps: bool = False
    """Whether ``--map`` says something about it."""
    asks: bool = True
    """Whether its files name no criteria, so that ``--criterion`` does."""
    reads_files: bool = False
    """Whether its files name others, which are read as well."""


_TABLES = (".csv", ".tsv")
_DATA = (".json", ".jsonl", ".ndjson")
FORMATS: Mapping[str, Format] = {
    "promptfoo": Format(
        "a configuration, or tests in CSV",
        (".yaml", ".yml", ".json", *_TABLES),
        "promptfoo.config",
        ("__expected",),
        asks=False,
        reads_files=True,
    ),
    "deepeval": Format(
        "goldens or test cases", (*_DATA, *_TABLES), "deepeval", ("input", "expected_output"), maps=True
    ),
    "inspect": Format(
        "samples, or a log in JSON", (*_DATA, *_TABLES), "inspect_samples", ("input", "target"), maps=True
    ),
    "pydantic-evals": Format("a data set", (".yaml", ".yml", ".json"), "pydantic_evals", asks=False),
    "csv": Format("a table of questions and answers", _TABLES, "table", ("input", "expected_output"), maps=True),
}
"""By the name that the command line takes."""


def import_file(format: str, path: Path, wishes: Wishes, suite: Path) -> Imported:
    """The suite of a file, as it is to be written. Raises ``SuiteError`` or ``UsageError``."""
    from .code import Code
    from .foreign import read_file
    from .imported import Folders, stem_of
    from .notes import Notes

    chosen = FORMATS[format]
    if format == "inspect" and path.suffix.lower() == ".eval":
        raise UsageError(
            f"{path.name} is a log in inspect's own format; write it as JSON: inspect log convert --to json"
        )
    data = read_file(path, kinds=chosen.kinds, table=chosen.columns)
    convert: Callable[..., Imported] = import_module(f"{__name__}.{chosen.convert}").convert
    code = Code(f"{re.sub(r'[^A-Za-z0-9_]', '_', stem_of(suite))}_{format}.py")
    given: tuple[Any, ...] = (Folders(path.parent, suite.parent, code),) if chosen.reads_files else ()
    return convert(data, wishes, Notes(), *given)
