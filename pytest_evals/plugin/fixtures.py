"""The fixtures the plugin offers: ``evals``, and one ``<name>_scorer`` for every built-in scorer.

A project changes a scorer by overriding its fixture in a conftest, and adds one by adding a fixture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ..scoring import names

if TYPE_CHECKING:
    from collections.abc import Callable

    from .check import Evals


@pytest.fixture
def evals(request: pytest.FixtureRequest) -> Evals:
    """Check and record answers of an LLM application inside an ordinary test."""
    from .activate import activate
    from .check import Evals

    return Evals(request, activate(request.config))


def _scorer_fixture(name: str, summary: str) -> Any:
    def fixture() -> Callable[..., Any]:
        from ..scoring import scorer

        return scorer(name)

    fixture.__doc__ = summary
    fixture.__name__ = f"{name}_scorer"
    return pytest.fixture(scope="session", name=f"{name}_scorer")(fixture)


for _name, _summary in names().items():
    globals()[f"{_name}_scorer"] = _scorer_fixture(_name, _summary)
