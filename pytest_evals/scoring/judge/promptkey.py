"""What a calibration of a judge is filed under: a hash of all that it is told beside the material of a case."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence

from ...model.judge import JudgeKey
from .presets import JudgeCriterion
from .prompt import Material, Prompt, ask_for
from .scales import Scale

DIGITS = 12

_BLANK = (Material("", "", expected=""), Material("", ""))
"""With something to compare the answer with, and without: a judge is told other words."""

_ANY = JudgeCriterion("criterion")


def prompt_key(question: Callable[[Material], Prompt]) -> str:
    """12 hexadecimal digits for all that the prompts of a question say, whatever they are about; with the weights."""
    said = []
    for material in _BLANK:
        prompt = question(material)
        weights = [criterion.weight for criterion in prompt.keys.values()]
        said += [prompt.system, prompt.text, weights if len(weights) > 1 else []]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:DIGITS]


def key_for(
    model: str, criteria: Sequence[JudgeCriterion], scale: Scale, *, by: str = "", overview: bool = False
) -> JudgeKey:
    """The key of a judge that is asked by these criteria."""
    exact = prompt_key(lambda material: ask_for(material, criteria, scale, by=by, overview=overview))
    plain = len(criteria) == 1 and not by and not overview
    return JudgeKey(model, exact, key_of_any(scale) if plain else "")


def key_of_any(scale: Scale) -> str:
    """The key of the prompt with one criterion, whatever it says."""
    return prompt_key(lambda material: ask_for(material, [_ANY], scale))
