"""Evaluation: what models said about documents is judged, graded and reported."""
