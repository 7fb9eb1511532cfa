"""The hooks this plugin calls: a conftest.py or a plugin answers them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .model.llm import Endpoint, LlmClient


@pytest.hookspec(firstresult=True)
def pytest_evals_llm_connect(endpoint: Endpoint, config: pytest.Config) -> LlmClient | None:
    """Give the client that asks the models of an endpoint; ``None`` leaves it to other plugins and the built-in ones.

    ``endpoint`` is what the suite says: ``endpoint.provider`` is the text before the slash of ``model``,
    ``endpoint.base_url`` and ``endpoint.api_key`` are empty when the suite states none. The client has
    ``async def complete(request)``, see ``LlmClient``. Also asked for built-in providers, which can so be replaced.

    Called once for each endpoint, when the first suite that names it is collected: make connections later, in
    ``complete`` or ``prepare``. Runs on: each process that runs cases (an xdist worker, or the only process).
    """
