"""Floor 1: pure arithmetic over results: summaries, gates, exit statuses. No clock, no randomness, no files."""

from .decide import decide
from .pairs import pair_variants
from .status import exit_status
from .summarize import merge, summarize

__all__ = ["decide", "exit_status", "merge", "pair_variants", "summarize"]
