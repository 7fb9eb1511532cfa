"""A judge that answers from a script, and what comes of it."""

from __future__ import annotations

import asyncio

import pytest

from pytest_evals import Endpoint, ScriptedClient
from pytest_evals.model.judge import Judged
from pytest_evals.model.llm import ModelSpec
from pytest_evals.scoring.judge.judged import judged


class Bench:
    """Judges with a script each. ``bench.judge(material, options…)``: the score that they give."""

    def __init__(self, *scripts):
        self.clients = [ScriptedClient(script if callable(script) else list(script)) for script in scripts]
        self.models = [ModelSpec(Endpoint("x"), f"m{number}") for number, _ in enumerate(self.clients, 1)]

    async def ask(self, spec, request):
        return Judged(await self.clients[self.models.index(spec)].complete(request), 0.01, 5.0)

    def judge(self, material, *, mark=0.7, **options):
        return asyncio.run(judged(self.ask, self.models, material, {"retries": 0, **options}, mark=mark))

    @property
    def sent(self):
        """What the first judge was sent last."""
        return self.clients[0].requests[-1].messages[0]["content"]


@pytest.fixture
def bench():
    return Bench
