"""What overlapping calls print and log goes to their own items.

The streams themselves are taught to ask whose output it is: pytest's capturing installs the same objects again at every
phase, so there is no moment at which an untaught stream is installed. (Exchanging ``sys.stdout`` around each phase
raced: one run in eight showed lines under the wrong case.)
"""

from __future__ import annotations

import logging
import sys
from contextlib import nullcontext
from typing import Any

import pytest

from ..engine.output import CURRENT, Output

FORMAT = "%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"
"""That of pytest's own log sections."""

_TAUGHT = "_pytest_evals_taught"


def teach_real_streams(config: pytest.Config) -> None:
    """Teach the streams behind pytest's capturing, which are in place between the phases of items."""
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture is not None else nullcontext():
        teach_streams()


def teach_streams() -> None:
    """Make the present standard streams and log handlers send a call's output to the call."""
    _teach(sys.stdout, "stdout")
    _teach(sys.stderr, "stderr")
    for handler in logging.getLogger().handlers:
        if not isinstance(handler, CallLogHandler) and _is_nobodys not in handler.filters:
            handler.addFilter(_is_nobodys)


def _teach(stream: Any, name: str) -> None:
    if stream is None or getattr(stream, _TAUGHT, False):
        return
    original = stream.write

    def write(text: str) -> int:
        output = _kept()
        if output is None:
            return int(original(text) or 0)
        output.write(name, text)
        return len(text)

    try:
        stream.write = write
        setattr(stream, _TAUGHT, True)
    except AttributeError:  # a stream that cannot be taught: its output stays where it goes
        return


def _is_nobodys(record: logging.LogRecord) -> bool:  # noqa: ARG001
    """Whether a record belongs to no call: pytest's handlers show only those under the current item."""
    return _kept() is None


def _kept() -> Output | None:
    """Where the present call's output is kept; ``None`` if it is left where it goes."""
    output = CURRENT.get()
    return None if output is None or output.through else output


class CallLogHandler(logging.Handler):
    """Gives log records of a call to the call."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter(FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        output = _kept()
        if output is not None:
            output.write("log", self.format(record) + "\n")
