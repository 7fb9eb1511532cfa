"""Experiments: the same documents and questions, put to several models."""
