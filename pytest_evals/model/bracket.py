"""The bracket of an item's name: the variant of its suite, and the parameters of its fixtures.

pytest joins them with ``-``: ``refund-window[m1-small]`` is variant ``small`` with parameter ``m1`` of a fixture.
"""

from __future__ import annotations

from collections.abc import Iterable


def variant_in(bracket: str, ids: Iterable[str]) -> str:
    """Which of these variants a bracket names; "" for none. Of several that could be meant, the longest."""
    fitting = [known for known in ids if rest_of(bracket, known) is not None]
    return max(fitting, key=len, default="")


def rest_of(bracket: str, variant: str) -> str | None:
    """What a bracket says besides a variant; ``None`` when it is not about that variant."""
    if bracket == variant:
        return ""
    if bracket.endswith(f"-{variant}"):  # what marks say comes after what fixtures say
        return bracket[: -len(variant) - 1]
    return bracket[len(variant) + 1 :] if bracket.startswith(f"{variant}-") else None
