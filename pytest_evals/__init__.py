"""Evaluations of LLM applications as pytest tests."""
