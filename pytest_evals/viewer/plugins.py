"""What a project shows of its own: artifacts by their ids, and data sets as graphs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..model.text import one_line
from ..store.results import dataset_of_result
from . import data

if TYPE_CHECKING:
    from starlette.requests import Request

    from .source import Source

ARTIFACTS, GRAPH = "pytest_evals_artifacts", "pytest_evals_dataset_graph"
MOST_NODES = 400


class Plugins:
    """The modules that a person named, with the functions that answer the hooks."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._modules = [_module(name) for name in names]

    def has(self, hook: str) -> bool:
        """Whether a module answers a hook."""
        return any(hasattr(module, hook) for module in self._modules)

    def artifacts(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        """Every id with what is known of it; ``absent`` where nothing is."""
        found = self._ask(ARTIFACTS, ids=list(ids))
        given = [each for each in found or () if isinstance(each, Mapping)]
        known = {str(each.get("id")): dict(each) for each in given}
        return [known.get(name, {"id": name}) | {"id": name, "absent": name not in known} for name in ids]

    def graph(self, dataset_id: str) -> dict[str, Any] | None:
        """The graph of a data set; ``None`` when it is absent."""
        found = self._ask(GRAPH, dataset_id=dataset_id)
        if not isinstance(found, Mapping):
            return None
        nodes = [
            {
                "id": str(node.get("id")),
                "label": str(node.get("label") or node.get("id")),
                "kind": str(node.get("kind") or ""),
            }
            for node in found.get("nodes") or ()
            if isinstance(node, Mapping)
        ]
        edges = [
            {name: str(edge.get(name) or "") for name in ("source", "target", "label")}
            for edge in found.get("edges") or ()
            if isinstance(edge, Mapping)
        ]
        return {"dataset_id": dataset_id, "nodes": nodes, "edges": edges}

    def _ask(self, hook: str, **given: Any) -> Any:
        for module in self._modules:
            function = getattr(module, hook, None)
            if function is None:
                continue
            try:
                found = function(**given)
            except Exception as error:  # of a project's own code: a mistake there, said in one line
                raise UsageError(f"{hook} raised {type(error).__name__}: {one_line(str(error), 300)}") from error
            if found is not None:
                return found
        return None


def _module(name: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(name)
    except Exception as error:  # whatever a module does when it is imported
        raise UsageError(f"--plugin {name}: {type(error).__name__}: {one_line(str(error), 300)}") from error
    if not any(hasattr(module, hook) for hook in (ARTIFACTS, GRAPH)):
        raise UsageError(f"--plugin {name}: it has neither {ARTIFACTS} nor {GRAPH}")
    return module


def graph_of(source: Source, number: int) -> dict[str, Any]:
    """The graph of the data set that a result came from. Raises ``NotFoundError`` with the reason why there is none."""
    with source.read() as connection:
        dataset = dataset_of_result(connection, number)
    if dataset is None:
        raise data.NotFoundError(f"result {number} names no data set")
    if not source.plugins.has(GRAPH):
        raise data.NotFoundError(f"nothing shows data sets here: name a --plugin that has {GRAPH}")
    found = source.plugins.graph(dataset)
    if found is None:
        raise data.NotFoundError(f"data set {dataset} is not there (any more)")
    return found


def artifacts_of(source: Source, ids: Sequence[str]) -> list[dict[str, Any]]:
    """What is known of artifacts. Raises ``UsageError`` without ids, ``NotFoundError`` when nothing shows any."""
    wanted = [name for name in dict.fromkeys(ids) if name][:200]
    if not wanted:
        raise UsageError("write ?id=ARTIFACT")
    if not source.plugins.has(ARTIFACTS):
        raise data.NotFoundError(f"nothing shows artifacts here: name a --plugin that has {ARTIFACTS}")
    return source.plugins.artifacts(wanted)


def graph_page(source: Source, request: Request) -> Mapping[str, Any]:
    """The data set of a result: nodes on a circle, and the same as lists."""
    from .asked import number_of

    number = number_of(request)
    found = graph_of(source, number)
    nodes = found["nodes"][:MOST_NODES]
    places = {}
    for place, node in enumerate(nodes):
        turn = 2 * pi * place / max(1, len(nodes))
        places[node["id"]] = (round(400 + 300 * cos(turn), 1), round(340 + 300 * sin(turn), 1))
    lines = [
        {**edge, "from": places[edge["source"]], "to": places[edge["target"]]}
        for edge in found["edges"]
        if edge["source"] in places and edge["target"] in places
    ]
    return {"number": number, "graph": found, "nodes": nodes, "places": places, "lines": lines, "most": MOST_NODES}


def artifacts_page(source: Source, request: Request) -> Mapping[str, Any]:
    """Artifacts by their ids."""
    return {"artifacts": artifacts_of(source, request.query_params.getlist("id"))}
