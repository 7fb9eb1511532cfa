"""``llm_judge``: a model scores the answer by criteria in words.

``criteria`` says what is judged, ``scales`` in what numbers, ``prompt`` how the judge is asked, ``verdict`` reads the
reply, and ``scorer`` holds them together.
"""

from __future__ import annotations

from .scorer import SCORERS as SCORERS
