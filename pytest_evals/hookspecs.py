"""The hooks this plugin calls: a conftest.py or a plugin answers them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


@pytest.hookspec(firstresult=True)
def pytest_evals_artifacts(ids: Sequence[str]) -> Sequence[Mapping[str, Any]] | None:
    """Show what steps of agents stored or used, by the ids that were recorded with them; ``None`` if none is known.

    Each artifact is a mapping with ``id``, and ``title``, ``text`` (or ``value``, any JSON value) as far as there are
    any. Ids that are left out are shown as absent. Runs on: ``pytest-evals view --plugin MODULE``.
    """


@pytest.hookspec(firstresult=True)
def pytest_evals_dataset_graph(dataset_id: str) -> Mapping[str, Any] | None:
    """Show the data set that a case ran on, as a graph; ``None`` when it is not there (any more).

    A mapping with ``nodes`` (each with ``id``, and ``label`` and ``kind`` if there are any) and ``edges`` (each with
    ``source`` and ``target``, ids of nodes, and a ``label``). Runs on: ``pytest-evals view --plugin MODULE``.
    """
