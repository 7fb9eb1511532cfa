"""Suites run through pytest, for what only a whole run shows."""

from __future__ import annotations

import pytest
from projects import Project


@pytest.fixture
def alone(pytester: pytest.Pytester) -> Project:
    """A project that is run in one process."""
    return Project(pytester, [])
