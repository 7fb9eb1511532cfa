"""Which files are suites, by their names alone."""

from __future__ import annotations

SUFFIXES = (".eval.yaml", ".eval.yml", ".eval.json")
PATTERNS = tuple(f"*{suffix}" for suffix in SUFFIXES)

RESULTS = ".experiment.eval.json"
"""What evaluations of the pipeline are called, here and by other tools: they hold ratings, and no cases."""


def is_suite(name: str) -> bool:
    """Whether a file of this name is a suite."""
    return name.endswith(SUFFIXES) and not name.endswith(RESULTS)
