"""Projects made of files, in the ways a user runs pytest."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import signal
import threading

import numpy  # noqa: F401 - it cannot be imported twice in one process
import pytest
from projects import WAYS, Project

import pytest_evals

# a shell that starts this in the background has interruptions ignored, and children inherit that
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# pytester forgets what an in-process run imported; imported anew, classes of one name would not be the same class
for module in pkgutil.walk_packages(pytest_evals.__path__, "pytest_evals."):
    with contextlib.suppress(ModuleNotFoundError):  # of an extra that is not installed
        importlib.import_module(module.name)


@pytest.fixture(params=WAYS)
def project(request: pytest.FixtureRequest, pytester: pytest.Pytester) -> Project:
    """A project that is run alone and with ``-n 2``."""
    return Project(pytester, list(WAYS[request.param]))


@pytest.fixture
def alone(pytester: pytest.Pytester) -> Project:
    """A project that is run in one process."""
    return Project(pytester, [])
