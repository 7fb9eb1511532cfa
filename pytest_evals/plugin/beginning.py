"""When the session began, and what its workers are told of that. Cheap: it runs at every start of pytest."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .earlier import EarlierAnswers
    from .sharding import Sharding

STARTED: pytest.StashKey[float] = pytest.StashKey()
"""When the session began, by ``time.monotonic``; in a worker that of its controller."""

RUN_ID: pytest.StashKey[str] = pytest.StashKey()
"""What an xdist session is known by to all its processes; there is none alone."""

EARLIER: pytest.StashKey[EarlierAnswers] = pytest.StashKey()
"""What an earlier run has, in a session that goes on with one or scores it again."""

SHARD: pytest.StashKey[Sharding] = pytest.StashKey()
"""What makes the session one part of an evaluation."""

_BEGAN = "evals_began"


def begin(config: pytest.Config) -> None:
    """Remember when the session began."""
    told: dict[str, Any] = getattr(config, "workerinput", {})
    age = max(0.0, time.time() - told[_BEGAN]) if _BEGAN in told else 0.0
    config.stash[STARTED] = time.monotonic() - age
    if told:
        config.stash[RUN_ID] = told["testrunuid"]


def tell(config: pytest.Config, node: Any) -> None:
    """Let a worker that is about to start know when the session began."""
    # by the clock on the wall, the only one that two processes share everywhere
    node.workerinput[_BEGAN] = time.time() - (time.monotonic() - config.stash[STARTED])
    config.stash[RUN_ID] = node.workerinput["testrunuid"]
