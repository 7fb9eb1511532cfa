"""Waiting for a score, with and without a loop that runs already."""

from __future__ import annotations

import asyncio

import pytest

from pytest_evals.model.score import Score
from pytest_evals.scoring.waiting import wait_for


async def fine():
    await asyncio.sleep(0)
    return Score(1.0)


async def broken():
    await asyncio.sleep(0)
    raise ValueError("no")


def test_a_score_is_waited_for():
    assert wait_for(fine()).value == 1


def test_also_where_a_loop_is_running_as_in_a_notebook():
    async def cell():
        return wait_for(fine())

    assert asyncio.run(cell()).value == 1


def test_an_error_comes_through_either_way():
    async def cell():
        return wait_for(broken())

    for run in (lambda: wait_for(broken()), lambda: asyncio.run(cell())):
        with pytest.raises(ValueError, match="no"):
            run()
