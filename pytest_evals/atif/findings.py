"""What a check of a document finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["error", "warning"]

MOST = 1000
"""Findings of one document that are kept."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong at a place of a document."""

    path: str
    """``$.steps[1].tool_calls[0].arguments``."""
    message: str
    severity: Severity = "error"

    def __str__(self) -> str:
        return f"{self.path}: {'' if self.severity == 'error' else 'warning: '}{self.message}"

    def plain(self) -> dict[str, Any]:
        return {"path": self.path, "severity": self.severity, "message": self.message}


class Findings(list[Finding]):
    """Findings as they are made, a thousand at most."""

    agents = 0
    """Trajectories that were looked at."""

    def error(self, path: str, message: str) -> None:
        self._add(path, message, "error")

    def warn(self, path: str, message: str) -> None:
        self._add(path, message, "warning")

    def _add(self, path: str, message: str, severity: Severity) -> None:
        if len(self) < MOST:
            self.append(Finding(path, message, severity))
