"""One part of an evaluation on one machine: ``--evals-shard 2/3`` selects it, and its results go to a file.

A case is in one shard, with all its variants; an ordinary test is, with all others of its file. What decides over the
whole (gates, the baseline) waits for ``pytest-evals merge``, and so does the history.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import EvalsError
from ..model.gate import GateVerdict, Verdict
from .beginning import SHARD
from .options import SETTINGS_KEY

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from pathlib import Path

    from ..model.gate import Gate
    from ..workflow.shards import Shard

_PLANNED = "evals_shard_plan"

WAITS = "pytest-evals merge decides it, over all shards"
"""Why no gate is decided in a shard."""


def prepare_shard(config: pytest.Config) -> None:
    """Read which shard it is, so that a mistake ends the session at its start. Raises ``pytest.UsageError``."""
    settings = config.stash[SETTINGS_KEY]
    text, where = settings.origin("shard")
    if text is None:
        said, option = settings.origin("shard_file")
        if said is not None:
            raise pytest.UsageError(f"{option}: there is no shard to write; add --evals-shard, such as 2/3")
        return
    from ..workflow.shards import parse_shard, with_plan

    try:
        shard = parse_shard(text, where)
        if told := getattr(config, "workerinput", {}).get(_PLANNED):
            shard = replace(shard, planned=json.loads(told))
        elif (plan := settings.origin("shard_plan"))[0]:
            shard = with_plan(shard, config.rootpath / plan[0], plan[1])
    except EvalsError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[SHARD] = sharding = Sharding(config, shard)
    config.pluginmanager.register(sharding, "evals-sharding")


def tell_shard(config: pytest.Config, node: Any) -> None:
    """Let a worker know how the plan deals the cases out; it may not have the file."""
    sharding = config.stash.get(SHARD, None)
    if sharding is not None and sharding.shard.planned:
        node.workerinput[_PLANNED] = json.dumps(dict(sharding.shard.planned))


class Sharding:
    """Deselects what other machines run."""

    def __init__(self, config: pytest.Config, shard: Shard) -> None:
        self._config = config
        self.shard = shard

    @property
    def file(self) -> Path:
        """Where the results go."""
        from ..workflow.shards import default_file

        name = self._config.stash[SETTINGS_KEY].shard_file or default_file(self.shard)
        return self._config.invocation_params.dir / name

    # around the selection of cases: what is left of them is divided
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None, object, object]:
        outcome = yield
        others = [item for item in items if not self._has(item)]
        if others:
            config.hook.pytest_deselected(items=others)
            gone = set(others)
            items[:] = [item for item in items if item not in gone]
        return outcome

    def _has(self, item: pytest.Item) -> bool:
        from .items import CaseItem

        if isinstance(item, CaseItem):
            return self.shard.has(item.suite.name, item.case.id)
        return self.shard.has_file(item.nodeid.partition("::")[0])

    def waiting(self, gates: Iterable[Gate]) -> Sequence[GateVerdict]:
        """The gates, which are not decided here."""
        return [GateVerdict(gate, Verdict.NOT_ASKED, reason=WAITS) for gate in gates]
