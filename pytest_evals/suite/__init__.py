"""From a suite file to a ``Suite``, and from a file of recorded answers to responses.

The door is cheap to open; PyYAML and the reader are imported when the first file is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .defaults import RunDefaults

if TYPE_CHECKING:
    from ..model.case import Suite
    from ..model.criterion import ScorerSpec
    from ..model.response import Response

__all__ = ["RunDefaults", "read_responses", "read_suite"]


def read_suite(
    path: Path,
    *,
    specs: Mapping[str, ScorerSpec],
    defaults: RunDefaults = RunDefaults(),  # noqa: B008  (a frozen value)
    shown: str | None = None,
) -> Suite:
    """The suite in a file. Raises ``SuiteError`` with all mistakes of the file, in its order.

    ``specs`` are the built-in scorers by name, ``defaults`` what holds where the file says nothing, ``shown`` the path
    as places in messages print it.
    """
    from .reader import read

    return read(path, specs, defaults, shown or str(path))


def read_responses(path: Path, *, shown: str | None = None) -> Mapping[str, Response]:
    """Recorded answers by case id, from JSON, JSON Lines or CSV. Raises ``SuiteError`` with all mistakes."""
    from .responses import read

    return read(path, shown or str(path))
