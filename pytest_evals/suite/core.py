"""What unquoted scalars mean where not text is expected: the core schema of YAML 1.2."""

from __future__ import annotations

import math
import re
from typing import Any

_WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_WORDS |= {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_FLOATS = {".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf, ".nan": math.nan}
_FLOATS |= {word: value for short, value in _FLOATS.items() for word in (short.upper(), short.replace("i", "I"))}
_FLOATS |= {".NaN": math.nan}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o(?P<octal>[0-7]+)|0x(?P<hex>[0-9a-fA-F]+)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_MOST_DIGITS = 600  # Python may be set to read no more than 640


def core(text: str) -> Any:
    """The value of an unquoted scalar: ``no`` and dates are texts, ``010`` is 10.

    ``nan`` for an integer too long to be read.
    """
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS else math.nan
    if _FLOAT.fullmatch(text):
        return float(text)
    if text in _FLOATS:
        return _FLOATS[text]
    if other := _OTHER_BASE.fullmatch(text):
        digits, base = (other["octal"], 8) if other["octal"] else (other["hex"], 16)
        return int(digits, base) if len(digits) <= _MOST_DIGITS else math.nan
    return str(text)
