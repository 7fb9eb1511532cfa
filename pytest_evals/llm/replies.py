"""Looking into the JSON of a reply, whatever a server put there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .refused import no_answer


def mapping_of(content: bytes, who: str) -> Mapping[str, Any]:
    """The JSON object in a body. Raises ``ProviderError`` when there is none."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        shown = content.decode("utf-8", "replace")
        raise no_answer(who, "the reply is not JSON" if shown.strip() else "the reply is empty", shown) from None
    if not isinstance(value, Mapping):
        raise no_answer(who, "the reply is no JSON object", str(value))
    return value


def text_in(box: Any, key: str) -> str:
    """A text under a key; empty when there is none."""
    value = box.get(key) if isinstance(box, Mapping) else None
    return value if isinstance(value, str) else ""


def count(box: Any, *path: str) -> int | None:
    """A number of tokens; ``None`` when it is not told."""
    for key in path:
        box = box.get(key) if isinstance(box, Mapping) else None
    return box if isinstance(box, int) and not isinstance(box, bool) and box >= 0 else None


def total(first: int | None, *more: int | None) -> int | None:
    """A sum of numbers of tokens, unknown if the first one is."""
    return None if first is None else first + sum(number or 0 for number in more)
