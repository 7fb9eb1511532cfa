"""Selecting cases: ``--evals-filter``, ``--evals-first``, ``--evals-sample``, ``--evals-from``.

What is left after ``-k``, ``-m`` and ``--lf`` is chosen from, and what is left out is deselected as pytest does it.
Ordinary tests stay. An xdist worker is told by its controller what the history says, for it may change meanwhile.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import EvalsError
from .options import SETTINGS_KEY

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ..workflow.fromrun import FromRun
    from ..workflow.selection import Candidate, Selection

SELECTION: pytest.StashKey[Selection] = pytest.StashKey()

_FROM = "evals_from"


def prepare(config: pytest.Config) -> None:
    """Read what is to be selected, so that a mistake in it ends the session at its start.

    Raises ``pytest.UsageError``.
    """
    settings = config.stash[SETTINGS_KEY]
    asked = [*settings.filter, *(settings.origin(name)[0] for name in ("first", "sample", "seed", "from"))]
    if all(value is None for value in asked):
        return
    from ..workflow.selection import Selection, parse_filters

    try:
        past = _past(config)
        config.stash[SELECTION] = Selection(
            filters=parse_filters(settings.filter),
            chosen=past,
            source=past.source if past is not None else "",
            sample=_number(config, "sample"),
            seed=_seed(config),
            first=_number(config, "first"),
        )
    except EvalsError as error:
        raise pytest.UsageError(str(error)) from None


def tell_worker(config: pytest.Config, node: Any) -> None:
    """Let a worker know which cases the history names."""
    selection = config.stash.get(SELECTION, None)
    chosen: Any = selection.chosen if selection is not None else None
    if chosen is not None:
        node.workerinput[_FROM] = json.dumps(chosen.plain())


def selection_words(config: pytest.Config) -> str:
    """What was asked for, for people; empty when nothing was."""
    return str(config.stash.get(SELECTION, ""))


def why_nothing(config: pytest.Config, candidates: Sequence[Candidate]) -> str:
    """Which filters fit none of these cases, and what was perhaps meant; empty when each of them fits one."""
    selection = config.stash.get(SELECTION, None)
    found = [each.near(candidates) for each in selection.filters] if selection is not None else []
    return "; ".join(filter(None, found))


def _past(config: pytest.Config) -> FromRun | None:
    text = config.stash[SETTINGS_KEY].origin("from")[0]
    if text is None:
        return None
    from ..workflow.fromrun import FromRun, from_run, parse_from

    parse_from(text)
    if hasattr(config, "workerinput"):
        return FromRun.read(json.loads(config.workerinput[_FROM]))
    from ..store.location import locate

    return from_run(locate(config.stash[SETTINGS_KEY].history, config.rootpath), text)


def _number(config: pytest.Config, name: str) -> int | None:
    value: int | None
    value, origin = config.stash[SETTINGS_KEY].origin(name)
    if value == 0:
        raise pytest.UsageError(f"{origin}: at least 1 case must be selected")
    return value


def _seed(config: pytest.Config) -> int:
    value, origin = config.stash[SETTINGS_KEY].origin("seed")
    if value is not None and config.stash[SETTINGS_KEY].sample is None:
        raise pytest.UsageError(f"{origin}: it is the seed of a sample; add --evals-sample N")
    return value or 0


class Selecting:
    """Deselects the cases that were not asked for."""

    # around all others: --lf and plugins that shuffle have done their part
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None, object, object]:
        outcome = yield
        selection = config.stash.get(SELECTION, None)
        if selection is not None:
            _select(config, items, selection)
        return outcome


def _select(config: pytest.Config, items: list[pytest.Item], selection: Selection) -> None:
    from ..workflow.selection import Candidate
    from .items import CaseItem

    cases = sorted((item for item in items if isinstance(item, CaseItem)), key=lambda item: item.number)
    candidates = [
        Candidate(item.suite.name, item.case, item.configuration.id if item.configuration else "", item.variant)
        for item in cases
    ]
    stays = dict(zip(cases, selection.choose(candidates), strict=True))
    left_out = [item for item in items if not stays.get(item, True)]  # type: ignore[call-overload]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if stays.get(item, True)]  # type: ignore[call-overload]
