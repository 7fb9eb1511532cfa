"""Runs to look at in the viewer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from histories import record
from reportsessions import small

from pytest_evals.model.case import ExperimentSpec
from pytest_evals.store.location import Location

NAMES = ("bot", "billing")


def record_small(location: Location, number: int = 1, **fields: Any) -> Any:
    """A run with a case of every kind, in experiment *support*."""
    results = [replace(one, experiment="support") for one in small()[1]]
    experiments = dict.fromkeys(NAMES, ExperimentSpec("support", "The support bot."))
    return record(
        location,
        results,
        session_id=f"s{number}",
        started_at=f"2026-03-{number:02}T16:00:00+00:00",
        experiments=experiments,
        **fields,
    )
