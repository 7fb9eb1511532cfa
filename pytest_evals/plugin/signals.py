"""SIGTERM as an orderly end: a cancelled CI job keeps what was finished."""

from __future__ import annotations

import signal
import threading
from types import FrameType


class Terminated(KeyboardInterrupt):
    """The process was asked to end."""


class TermHandler:
    """Turns SIGTERM into an interruption, if nobody else has a use for it."""

    def __init__(self) -> None:
        self._installed = False

    def install(self) -> None:
        """Only in the main thread, and only where the signal would just kill the process."""
        if threading.current_thread() is not threading.main_thread():
            return
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _interrupt)
            self._installed = True

    def remove(self) -> None:
        if self._installed:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self._installed = False


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise Terminated("terminated (SIGTERM)")
