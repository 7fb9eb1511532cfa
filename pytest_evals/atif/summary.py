"""The steps of an agent as a judge reads them: whole where they are short, shortened by rule where they are long.

The rule: first long texts are cut, all to the same length; if that is not enough, steps in the middle are left out.
What was cut and left out is said in its place, and once at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..model.text import text_of
from .calls import error_of
from .read import Step, Trajectory

LIMIT = 24_000
"""Characters of the text, about."""

_LENGTHS = (4000, 1500, 600, 250)
"""To these a message, a result or arguments are cut, one after the other, until the whole is short enough."""


def summary(trajectories: Iterable[Trajectory], limit: int = LIMIT) -> str:
    """The trajectories as text of at most about ``limit`` characters."""
    each = [trajectory for root in trajectories for trajectory in root.everyone()]
    if not each:
        return "no steps were recorded"
    share = max(1000, limit // len(each))
    return "\n\n".join(_one(trajectory, share) for trajectory in each)


def _one(trajectory: Trajectory, limit: int) -> str:
    title = f"Agent {trajectory.agent_name or 'without a name'}, {len(trajectory.steps)} steps"
    blocks: list[str] = []
    for length in _LENGTHS:
        cuts: list[int] = []
        blocks = [_block(step, length, cuts) for step in trajectory.steps]
        if sum(map(len, blocks)) <= limit:
            break
    note = f"\n[{len(cuts)} texts were cut to {length} characters]" if cuts else ""
    kept = _ends(blocks, limit)
    if len(kept) == len(blocks):
        return f"{title}\n" + "\n".join(blocks) + note
    gone = [step for position, step in enumerate(trajectory.steps) if position not in kept]
    first = [blocks[n] for n in sorted(kept) if n < len(blocks) // 2]
    last = [blocks[n] for n in sorted(kept) if n >= len(blocks) // 2]
    return "\n".join([title, *first, _left_out(gone), *last]) + note


def _ends(blocks: list[str], limit: int) -> set[int]:
    """The positions that fit, from both ends inwards."""
    kept: set[int] = set()
    room = limit
    for k in range(len(blocks)):
        position = k // 2 if k % 2 == 0 else len(blocks) - 1 - k // 2
        room -= len(blocks[position])
        if room < 0 and kept:
            break
        kept.add(position)
    return kept


def _left_out(steps: list[Step]) -> str:
    calls = Counter(call.name for step in steps for call in step.calls)
    failed = sum(bool(error_of(result)) for step in steps for result in step.results)
    said = ", ".join(f"{name} {number}x" for name, number in calls.most_common(10))
    errors = f", {failed} of them failed" if failed else ""
    numbers = f"{steps[0].number} to {steps[-1].number}"
    return f"[{len(steps)} steps are left out, {numbers}; tools called in them: {said or 'none'}{errors}]"


def _block(step: Step, length: int, cuts: list[int]) -> str:
    lines = [f"{step.number}. {step.source}: {_cut(step.text, length, cuts)}"]
    for call in step.calls:
        lines.append(f"   calls {call.name} {_cut(text_of(call.arguments), length, cuts)}")
        lines += [f"   gets {_cut(result.text, length, cuts)}" for result in step.results_of(call)]
    known = {call.id for call in step.calls}
    lines += [f"   gets {_cut(r.text, length, cuts)}" for r in step.results if r.call_id not in known]
    return "\n".join(lines)


def _cut(text: str, length: int, cuts: list[int]) -> str:
    if len(text) <= length:
        return text
    cuts.append(len(text) - length)
    return f"{text[:length]}… [{len(text) - length} more characters]"
