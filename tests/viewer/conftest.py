"""A viewer over a history, asked without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from histories import history
from viewer_records import record_small

pytest.importorskip("starlette", reason="needs the extra: pip install 'pytest-evals-suite[view]'")

from starlette.testclient import TestClient

from pytest_evals.viewer.app import make_app
from pytest_evals.viewer.source import Source


@pytest.fixture
def source(tmp_path) -> Iterator[Source]:
    location = history(tmp_path)
    made = Source(location, tmp_path / ".evals" / "atif", author="Ada")
    yield made
    made.live.close()


@pytest.fixture
def client_of() -> Callable[..., TestClient]:
    """``client_of(source)``: asks the viewer of a source as a browser of this machine would."""

    def made(source: Source, **options: Any) -> TestClient:
        return TestClient(make_app(source, **options), base_url="http://127.0.0.1:3000", follow_redirects=False)

    return made


@pytest.fixture
def client(source, client_of) -> TestClient:
    """The viewer of a history with two runs."""
    record_small(source.location, 1)
    record_small(source.location, 2, run_name="second")
    return client_of(source)
