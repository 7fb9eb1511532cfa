"""Calls targets and scorers and decides outcomes. Knows nothing of pytest."""
