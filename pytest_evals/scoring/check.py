"""Options of a built-in scorer checked against its spec, for scoring without a suite file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..model.criterion import Option, ScorerSpec
from ..model.place import did_you_mean
from ..model.text import one_line


def problems(spec: ScorerSpec, options: Mapping[str, Any]) -> list[str]:
    """What is wrong with the options, a sentence each; ``None`` means that an option is not given."""
    known = {option.name: option for option in spec.options}
    found = []
    for name, value in options.items():
        if name not in known:
            found.append(f"{spec.name} has no option {name!r}{did_you_mean(name, known)}")
        elif value is not None and (wanted := _wrong(known[name], value)):
            found.append(f"{spec.name}: {name} must be {wanted}, not {one_line(repr(value), 40)}")
    found += [f"{spec.name} needs the option {name!r}" for name in spec.requires if options.get(name) is None]
    if not found and spec.check is not None:
        found += [f"{spec.name}: {message}" for message in spec.check(options)]
    return found


def _wrong(option: Option, value: Any) -> str:
    """What the value should have been, or an empty text when it is right."""
    if option.kind == "boolean":
        return "" if isinstance(value, bool) else "true or false"
    if option.kind in ("number", "integer"):
        return "" if _is_number(option, value) else _number_wanted(option)
    if option.kind == "choice":
        return "" if value in option.choices else _choice_wanted(option, value)
    if option.kind == "text":
        return "" if isinstance(value, (str, int, float)) else "a text"
    if option.kind == "texts":
        items = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
        return "" if all(isinstance(item, (str, int, float)) for item in items) else "a text or a list of texts"
    return ""


def _is_number(option: Option, value: Any) -> bool:
    kinds = (int,) if option.kind == "integer" else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not math.isfinite(value):
        return False
    above = option.minimum is None or value >= option.minimum
    return above and (option.maximum is None or value <= option.maximum)


def _number_wanted(option: Option) -> str:
    kind = "a whole number" if option.kind == "integer" else "a number"
    if option.minimum is None and option.maximum is None:
        return kind
    if option.maximum is None:
        return f"{kind} of at least {option.minimum:g}"
    if option.minimum is None:
        return f"{kind} of at most {option.maximum:g}"
    return f"{kind} from {option.minimum:g} to {option.maximum:g}"


def _choice_wanted(option: Option, value: Any) -> str:
    near = did_you_mean(value, option.choices) if isinstance(value, str) else ""
    choices = f"one of {', '.join(option.choices)}" if len(option.choices) > 1 else option.choices[0]
    return f"{choices}{near}" if not near else f"{choices} ({near.removeprefix('; ').removesuffix('?')})"
