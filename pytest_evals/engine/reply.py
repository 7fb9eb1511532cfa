"""The answer in what a server or a program wrote."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import TargetError
from ..model.fieldpath import FieldPath
from ..model.text import one_line

_CHARSET = re.compile(r"charset=\"?([\w.:-]+)", re.IGNORECASE)


def answer_in(text: str, path: FieldPath | None, *, is_json: bool = False) -> Any:
    """The answer at the path of a JSON text, or the whole text, read as JSON when it says that it is JSON.

    Raises ``TargetError`` when there is no answer there.
    """
    if path is None and not is_json:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        shown = one_line(text, 120)
        raise TargetError("the reply is empty, not JSON" if not shown else f"the reply is not JSON: {shown}") from None
    if path is None:
        return value
    try:
        found = path.find(value)
    except LookupError as error:
        raise TargetError(f"no answer at {path.text!r}: {error.args[0]}", json.dumps(value, indent=2)[:2000]) from None
    if found is None:
        raise TargetError(f"the answer at {path.text!r} is null")
    return found


def decoded(content: bytes, content_type: str = "") -> str:
    """Bytes as text: UTF-8 unless they say otherwise; what cannot be read becomes U+FFFD."""
    named = _CHARSET.search(content_type)
    try:
        return content.decode(named[1] if named else "utf-8", "replace")
    except LookupError:  # a character set that nobody knows
        return content.decode("utf-8", "replace")
