"""``llm_judge``: a model scores the answer by criteria in words; ``better_than``: it says which of two is better.

``criteria`` says what is judged, ``scales`` in what numbers, ``prompt`` how the judge is asked, ``verdict`` reads the
reply, and ``scorer`` holds them together; ``pairwise`` does the same with two answers for ``better``.
"""

from __future__ import annotations

from . import better, scorer

SCORERS = {**scorer.SCORERS, **better.SCORERS}
