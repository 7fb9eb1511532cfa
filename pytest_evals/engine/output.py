"""What a call prints and logs, kept with the call: calls overlap, and each line belongs to its own."""

from __future__ import annotations

import contextvars
import threading

MAX_CHARACTERS = 1_000_000
"""Of one stream of one call; what is more is counted, not kept."""

CURRENT: contextvars.ContextVar[Output | None] = contextvars.ContextVar("pytest_evals_output", default=None)
"""The output of the call that runs in this context; threads started by the engine inherit it."""


class Output:
    """The streams of one call: ``stdout``, ``stderr``, ``log``.

    With ``through`` what is written goes where it would go without this class, until ``close``: calls do not overlap,
    but one that was left behind may still write under the cases that follow.
    """

    def __init__(self, *, through: bool = False) -> None:
        self.through = through
        self._parts: dict[str, list[str]] = {}
        self._left: dict[str, int] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """The call's case has its result: what comes now is too late, and shown nowhere."""
        self.through = False

    def write(self, stream: str, text: str) -> None:
        """Add to a stream, from any thread."""
        with self._lock:
            left = self._left.get(stream, MAX_CHARACTERS)
            if left > 0:
                self._parts.setdefault(stream, []).append(text[:left])
            self._left[stream] = left - len(text)

    def sections(self) -> list[tuple[str, str]]:
        """The streams that hold something, with their text."""
        with self._lock:
            return [(stream, self._text(stream)) for stream in self._parts]

    def _text(self, stream: str) -> str:
        text = "".join(self._parts[stream])
        dropped = -self._left[stream]
        return f"{text}\n… {dropped:,} more characters" if dropped > 0 else text
