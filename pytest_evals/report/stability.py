"""How steady a judge is when it is asked the same again: for a terminal, and as plain data."""

from __future__ import annotations

from typing import Any

from ..stats.calibration import Stability, Steadiness
from .calibration import took_text
from .format import UNKNOWN, count, counted, percent, score
from .lines import Line, line, table
from .text import fit

MOST_SHOWN = 20
"""Unsteady answers that are listed."""


def stability_lines(found: Stability, width: int, most: int = MOST_SHOWN) -> list[Line]:
    """How often verdicts changed, between which scores, and of which answers."""
    prompt = f", prompt {found.prompt}" if found.prompt else ""
    about = f"{prompt}, criterion {fit(found.criterion, 60)}, passes from {score(found.mark)} on"
    lines = [line(("judge ", "dim"), (found.judge, "bold"), about)]
    known, flipped = len(found.known), found.flipped
    share = percent(len(flipped) / known) if known else UNKNOWN
    asked = f"asked {count(found.times)} times about each answer"
    lines.append(
        line(
            "  verdict changes  ", (f"{share} ({count(len(flipped))} of {count(known)})", "bold"), (f"  {asked}", "dim")
        )
    )
    lines.append(
        line(
            "  flip rate        ",
            (percent(found.flip_rate), "bold"),
            ("  of the verdicts, against the majority", "dim"),
        )
    )
    if found.band is not None:
        low, high = found.band
        band = score(low) if low == high else f"{score(low)} to {score(high)}"
        lines.append(
            line("  borderline       ", (band, "bold"), ("  mean scores whose verdict is a matter of luck", "dim"))
        )
    if flipped:
        shown = flipped if most == 0 else flipped[:most]
        rows = [("answer", "flip rate", "passed", "mean", "scores"), *map(_row, shown)]
        lines += [line(""), *table(rows, width, "lrrrl")]
        if len(shown) < len(flipped):
            lines.append(line((f"  and {count(len(flipped) - len(shown))} more; all of them with --worst 0", "dim")))
    errors = sum(each.unjudged for each in found.answers)
    if errors:
        said = f"  {counted(errors, 'time')} without a verdict: {fit(found.first_error, 200)}"
        lines += [line(""), line((said, "yellow"))]
    return [*lines, line(""), line((f"  {took_text(found.took)}", "dim"))] if found.took else lines


def _row(each: Steadiness) -> tuple[str, str, str, str, str]:
    passed = f"{count(each.passed)} of {count(len(each.scores))}"
    scores = " ".join(map(score, each.scores))
    return fit(each.id, 60), percent(each.flip_rate), passed, score(each.mean), scores


def stability_plain(found: Stability) -> dict[str, Any]:
    """In plain JSON types: what is filed."""
    return {
        "criterion": found.criterion,
        "mark": found.mark,
        "times": found.times,
        "answers": len(found.known),
        "flipped": len(found.flipped),
        "flip_rate": found.flip_rate,
        "borderline": None if found.band is None else list(found.band),
        "cases": [
            {
                "id": each.id,
                "scores": list(each.scores),
                "passed": each.passed,
                "flip_rate": each.flip_rate,
                "mean": each.mean,
                "spread": each.spread,
                "unjudged": each.unjudged,
            }
            for each in found.answers
        ],
        "took": dict(found.took),
    }
