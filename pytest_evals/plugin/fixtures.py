"""The fixtures the plugin offers: ``evals``, and one ``<name>_scorer`` for every built-in scorer.

A project changes a scorer by overriding its fixture in a conftest, and adds one by adding a fixture.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from ..scoring import WITH_EMBEDDER, WITH_JUDGE, names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from ..atif.recorder import Recording
    from ..model.embedding import Embedder
    from ..model.llm import LlmClient
    from .check import Evals


@pytest.fixture
def evals(request: pytest.FixtureRequest) -> Iterator[Evals]:
    """Check and record answers of an LLM application inside an ordinary test."""
    from ..atif.collector import COLLECTOR, Collector
    from .activate import activate
    from .check import Evals

    collector = Collector()
    token = COLLECTOR.set(collector)
    yield Evals(request, activate(request.config), collector)
    with suppress(ValueError):  # a plugin may tear it down in another context
        COLLECTOR.reset(token)


@pytest.fixture(scope="session")
def record_trajectory() -> Callable[..., AbstractContextManager[Recording]]:
    """Record what an agent does while it answers: a context manager, called with the name of the agent."""
    from ..atif.recorder import record

    return record


@pytest.fixture
def evals_dataset(request: pytest.FixtureRequest) -> str:
    """The name of a data set for this run of the case, `<case>_run<id>`: another one in every session."""
    from .datasets import name_dataset

    return name_dataset(request)


@pytest.fixture(scope="session")
def evals_variant() -> Mapping[str, Any]:
    """The variant that a case runs with: its id and what it states; empty where a suite has no variants."""
    return {}


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """What makes vectors of texts for `embedding_similarity`: a callable that takes a list of texts."""
    from ..scoring.localmodel import LocalModel

    return LocalModel()


@pytest.fixture(scope="session")
def judge_model(pytestconfig: pytest.Config) -> str | LlmClient | Sequence[str | LlmClient]:
    """What answers `llm_judge` where neither suite nor setting names a judge: `provider/name`, a client, or a list."""
    from .options import SETTINGS_KEY

    named: str | None = pytestconfig.stash[SETTINGS_KEY].judge_model
    return named or ""


def _with_judge_fixture(name: str, summary: str) -> Any:
    def fixture(judge_model: Any, pytestconfig: pytest.Config) -> Callable[..., Any]:
        from ..workflow.judging import judge_scorer
        from .activate import activate

        state = activate(pytestconfig)
        made: Callable[..., Any] = judge_scorer(name, judge_model, state.judges, lambda: state.find_others)
        return made

    fixture.__doc__ = summary
    fixture.__name__ = f"{name}_scorer"
    return pytest.fixture(scope="session", name=f"{name}_scorer")(fixture)


def _with_embedder_fixture(name: str, summary: str) -> Any:
    def fixture(embedder: Embedder) -> Callable[..., Any]:
        from ..workflow.embedding import scorer_with_models

        return scorer_with_models(name, embedder)

    fixture.__doc__ = summary
    fixture.__name__ = f"{name}_scorer"
    return pytest.fixture(scope="session", name=f"{name}_scorer")(fixture)


def _scorer_fixture(name: str, summary: str) -> Any:
    def fixture() -> Callable[..., Any]:
        from ..scoring import scorer

        return scorer(name)

    fixture.__doc__ = summary
    fixture.__name__ = f"{name}_scorer"
    return pytest.fixture(scope="session", name=f"{name}_scorer")(fixture)


for _name, _summary in names().items():
    _make = _scorer_fixture
    if _name in WITH_EMBEDDER:
        _make = _with_embedder_fixture
    elif _name in WITH_JUDGE:
        _make = _with_judge_fixture
    globals()[f"{_name}_scorer"] = _make(_name, _summary)
