"""What a judge scores an answer by: criteria in words, as options say them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import ScorerError
from ...model.place import did_you_mean
from ...model.text import one_line
from .presets import DEFAULT, PLAIN, PRESETS, READY, JudgeCriterion, Preset
from .scales import SCALES, Scale

KEYS = ("name", "weight", "description", "rubric")

SOURCES = ("preset", "criteria", "rubric")
"""Options that say what is judged; one of them at most."""


def chosen(options: Mapping[str, Any], name: str = "", description: str = "") -> tuple[JudgeCriterion, ...]:
    """The criteria that options ask for; without any, the criterion's own description, else the default ones.

    Raises ``ScorerError`` for criteria that cannot be used.
    """
    if wrong := mistakes(options):
        raise ScorerError(f"llm_judge: {wrong[0]}")
    if options.get("criteria") is not None:
        return tuple(_made(part) for part in options["criteria"])
    if options.get("rubric") is not None:
        rubric = options["rubric"]
        return (JudgeCriterion(name or "criterion", 1.0, description or rubric, rubric if description else ""),)
    if options.get("preset") is not None:
        return PRESETS[options["preset"]]
    return (JudgeCriterion(name or "criterion", 1.0, description),) if description else PRESETS[DEFAULT]


def preset_of(options: Mapping[str, Any]) -> Preset:
    """The preset that is judged by; a plain one for criteria of one's own."""
    return READY.get(options.get("preset") or "", PLAIN)


def scale_of(options: Mapping[str, Any]) -> Scale:
    """In what the judge scores: as asked for, else as the preset says, else from 0 to 1."""
    return SCALES[options.get("scale") or preset_of(options).scale or "0-1"]


def mistakes(options: Mapping[str, Any]) -> Sequence[str]:
    """What is wrong with the options that say what is judged, a sentence each."""
    given = [key for key in SOURCES if options.get(key) is not None]
    if len(given) > 1:
        return [f"{' and '.join(given)} each say what is judged; give one of them"]
    rubric, preset = options.get("rubric"), options.get("preset")
    if rubric is not None and not str(rubric).strip():
        return ["rubric is blank; say what is judged"]
    if preset is not None and preset not in PRESETS:
        return [f"there is no preset {preset!r}{did_you_mean(str(preset), PRESETS)}"]
    wanted = preset_of(options).scale
    if options.get("scale") not in (None, wanted or options.get("scale")):
        return [f"the preset {preset} is judged in {wanted}; leave scale away"]
    if options.get("similarity") is not None and not preset_of(options).passes:
        return ["similarity is for `preset: qa_rating`"]
    return _of_list(options["criteria"]) if options.get("criteria") is not None else []


def _of_list(given: Any) -> list[str]:
    if not isinstance(given, (list, tuple)) or not given:
        return ["criteria must be a list of names, or of mappings with name, weight, description and rubric"]
    found: list[str] = []
    for number, part in enumerate(given, 1):
        found += [f"criterion {number}: {message}" for message in _of_one(part)]
    if found:
        return found
    made = [_made(part) for part in given]
    names = [criterion.name for criterion in made]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        return [f"criterion {twice[0]!r} is there twice"]
    return ["the weights are all 0"] if not any(criterion.weight for criterion in made) else []


def _of_one(part: Any) -> list[str]:
    if isinstance(part, str):
        return [] if part.strip() else ["its name is blank"]
    if isinstance(part, JudgeCriterion):
        part = {"name": part.name, "weight": part.weight}
    if not isinstance(part, Mapping):
        return [f"{one_line(repr(part), 40)} is neither a name nor a mapping"]
    found = [f"unknown key {key!r}{did_you_mean(str(key), KEYS)}" for key in part if key not in KEYS]
    name, weight = part.get("name"), part.get("weight", 1.0)
    if not isinstance(name, str) or not name.strip():
        found.append("it needs a 'name'")
    number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
    if not number or not 0 <= weight < math.inf:
        found.append(f"weight must be a number from 0 on, not {one_line(repr(weight), 40)}")
    found += [
        f"{key} must be a text, not {one_line(repr(part[key]), 40)}"
        for key in ("description", "rubric")
        if not isinstance(part.get(key, ""), str)
    ]
    return found


def _made(part: Any) -> JudgeCriterion:
    if isinstance(part, JudgeCriterion):
        return part
    if isinstance(part, str):
        return JudgeCriterion(part)
    weight = float(part.get("weight", 1.0))
    return JudgeCriterion(part["name"], weight, part.get("description", ""), part.get("rubric", ""))
