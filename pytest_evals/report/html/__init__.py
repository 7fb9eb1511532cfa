"""The HTML report: one file that needs nothing else, for people and their browsers."""

from __future__ import annotations

from .document import FORMAT, write_html

__all__ = ["FORMAT", "write_html"]
