"""The fixtures the plugin offers: ``evals``, and one ``<name>_scorer`` for every built-in scorer.

A project changes a scorer by overriding its fixture in a conftest, and adds one by adding a fixture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ..scoring import WITH_EMBEDDER, WITH_JUDGE, names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..model.embedding import Embedder
    from ..model.llm import LlmClient
    from .check import Evals


@pytest.fixture
def evals(request: pytest.FixtureRequest) -> Evals:
    """Check and record answers of an LLM application inside an ordinary test."""
    from .activate import activate
    from .check import Evals

    return Evals(request, activate(request.config))


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
def judge_model(pytestconfig: pytest.Config) -> str | LlmClient:
    """What answers `llm_judge` where neither the suite nor a setting names a judge: `provider/name`, or a client."""
    from .options import SETTINGS_KEY

    named: str | None = pytestconfig.stash[SETTINGS_KEY].judge_model
    return named or ""


def _with_judge_fixture(name: str, summary: str) -> Any:
    def fixture(judge_model: str | LlmClient, pytestconfig: pytest.Config) -> Callable[..., Any]:
        from ..workflow.judging import judge_scorer
        from .activate import activate

        made: Callable[..., Any] = judge_scorer(name, judge_model, activate(pytestconfig).judges)
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
