"""Data sets of a case's own: named for one run of it, and kept with its result."""

from __future__ import annotations

import re
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from .beginning import RUN_ID

if TYPE_CHECKING:
    from ..model.result import CaseResult
    from .items import CaseItem

_ID: pytest.StashKey[str] = pytest.StashKey()
_NAME: pytest.StashKey[str] = pytest.StashKey()

KEY = "dataset_id"
"""In the metadata of an answer."""


def name_dataset(request: pytest.FixtureRequest) -> str:
    """A name that is safe as one of a file or table; all processes of a session give the same id."""
    config = request.config
    known = config.stash.get(RUN_ID, None) or config.stash.get(_ID, None) or uuid.uuid4().hex
    config.stash[_ID] = known
    item = cast("CaseItem", request.node)
    case = getattr(item, "case", None)
    parts = [item.name if case is None else case.id, getattr(item, "variant", "")]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", "_".join(filter(None, parts))).strip("-.") or "case"
    item.stash[_NAME] = f"{name[:120]}_run{known[:12]}"
    return item.stash[_NAME]


def with_dataset(item: CaseItem, result: CaseResult) -> CaseResult:
    """The result, whose answers say which data set they came from, if the case asked for one."""
    name = item.stash.get(_NAME, None)
    if name is None:
        return result
    trials = (replace(trial, metadata={**trial.metadata, KEY: name}) for trial in result.trials)
    return replace(result, trials=tuple(trials))
