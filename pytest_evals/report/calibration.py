"""What came out when a judge was held against people: for a terminal, and as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..stats.agreement import Kappa, Share
from ..stats.calibration import Agreement, Calibration, Rated, by_category, disagreements
from ..stats.intervals import Interval
from .format import UNKNOWN, count, counted, percent, score, usd
from .lines import Line, line, table
from .text import fit

MOST_SHOWN = 10
"""Disagreements that are listed."""

_FEW = 30
"""Labels of a kind below which the figures say little."""


def calibration_lines(found: Calibration, width: int, most: int = MOST_SHOWN) -> list[Line]:
    """Agreement, kappa, rates, the table of verdicts, the worst disagreements, and all of it by category."""
    lines = [line(("judge ", "dim"), (found.judge, "bold"), *_about(found))]
    if not found.rated:
        return [*lines, line("  no verdict of the judge: nothing to compare"), *_unjudged(found)]
    agreement = found.agreement
    lines += _figures(found, agreement)
    lines += [line(""), *_table(agreement, width)]
    if different := disagreements(found.rated, found.mark):
        shown = different if most == 0 else different[:most]
        more = f", the worst {count(len(shown))} of {count(len(different))}" if len(shown) < len(different) else ""
        lines += [line(""), line((f"  {counted(len(different), 'disagreement')}{more}", "bold"))]
        lines += table([("answer", "people", "judge", "reason"), *map(_different, shown)], width, "lrrl")
    categories = by_category(found.rated, found.mark)
    if len(categories) > 1:
        rows = [(fit(name, 60) or UNKNOWN, *_row(part)) for name, part in categories.items()]
        lines += [
            line(""),
            *table([("category", "answers", "agreement", "kappa", "TPR", "TNR"), *rows], width, "lrrrrr"),
        ]
    return [*lines, *_unjudged(found), *_took(found.took), *_notes(found, agreement)]


def _about(found: Calibration) -> list[str]:
    prompt = f", prompt {found.prompt}" if found.prompt else ""
    return [f"{prompt}, criterion {fit(found.criterion, 60)}, passes from {score(found.mark)} on"]


def _figures(found: Calibration, agreement: Agreement) -> list[Line]:
    rows = [
        ("agreement", share_text(agreement.share), "of the answers, people and judge say the same"),
        ("kappa", kappa_text(agreement.kappa), "agreement beyond chance: 1 is perfect, 0 is chance"),
        ("TPR", share_text(agreement.true_positives), "of what people let pass, the judge lets pass"),
        ("TNR", share_text(agreement.true_negatives), "of what people let fail, the judge lets fail"),
    ]
    ordinal = found.ordinal
    if ordinal is not None:
        said = f"of the scores, on {found.levels} levels, with the distance squared"
        rows.insert(2, ("weighted kappa", kappa_text(ordinal.kappa), said))
        rows.append(("mean distance", score(ordinal.mean_distance), "of the scores of people and judge"))
    size = max(len(name) for name, _, _ in rows)
    room = max(len(value) for _, value, _ in rows)
    return [
        line(f"  {name:<{size}}  ", (f"{value:<{room}}", "bold"), (f"  {said}", "dim")) for name, value, said in rows
    ]


def share_text(share: Share) -> str:
    """``87.5% (35 of 40; 73.9% to 94.5%)``: with its 95 % interval."""
    if share.interval is None:
        return UNKNOWN
    ends = f"{percent(share.interval.low)} to {percent(share.interval.high)}"
    return f"{percent(share.value)} ({count(share.hits)} of {count(share.of)}; {ends})"


def kappa_text(kappa: Kappa | None) -> str:
    """``0.74 (0.52 to 0.96)``: with its 95 % interval."""
    if kappa is None:
        return UNKNOWN
    return f"{kappa.value:.2f} ({kappa.interval.low:.2f} to {kappa.interval.high:.2f})"


def _table(agreement: Agreement, width: int) -> list[Line]:
    (both, missed), (let, caught) = agreement.table.counts
    rows = [("", "judge: pass", "judge: fail"), ("people: pass", both, missed), ("people: fail", let, caught)]
    return table([[str(cell) for cell in row] for row in rows], width, "lrr")


def _different(each: Rated) -> tuple[str, str, str, str]:
    people = ("pass" if each.human else "fail") if each.label is None else score(each.label)
    return fit(each.id, 60), people, score(each.score), fit(each.reason, 200)


def _row(part: Agreement) -> tuple[str, ...]:
    kappa = UNKNOWN if part.kappa is None else f"{part.kappa.value:.2f}"
    shares = (part.true_positives, part.true_negatives)
    return count(part.share.of), percent(part.share.value), kappa, *(percent(share.value) for share in shares)


def _unjudged(found: Calibration) -> list[Line]:
    if not found.unjudged:
        return []
    answer, why = found.unjudged[0]
    said = f"  {counted(len(found.unjudged), 'answer')} without a verdict, left out; {fit(answer, 60)}: {fit(why, 200)}"
    return [line(""), line((said, "yellow"))]


def _took(took: Mapping[str, Any]) -> list[Line]:
    return [line(""), line((f"  {took_text(took)}", "dim"))] if took else []


def took_text(took: Mapping[str, Any]) -> str:
    """``40 calls, 12 of them kept replies, 20,480 tokens, $0.03``."""
    calls, cached = took.get("calls") or 0, took.get("cached") or 0
    kept = f", {count(cached)} answered by kept replies" if cached else ""
    tokens = [took.get("input_tokens"), took.get("output_tokens")]
    used = "" if None in tokens else f", {count(sum(number or 0 for number in tokens))} tokens"
    return f"{counted(calls, 'call')}{kept}{used}, {usd(took.get('cost_usd'))}"


def _notes(found: Calibration, agreement: Agreement) -> list[Line]:
    passing, failing = agreement.true_positives.of, agreement.true_negatives.of
    notes = []
    if agreement.kappa is None:
        notes.append("kappa is not defined: every label and every verdict is the same; label answers of both kinds")
    elif min(passing, failing) < _FEW:
        notes.append(
            f"{counted(passing, 'label')} pass and {count(failing)} fail: intervals are wide; {_FEW} of each say more"
        )
    if not found.prompt:
        notes.append("nothing is kept for gates: what the judge is told differs from answer to answer")
    return [line((f"  {note}", "yellow")) for note in notes]


def calibration_plain(found: Calibration) -> dict[str, Any]:
    """In plain JSON types: what is filed, without the texts of answers."""
    agreement, ordinal = found.agreement, found.ordinal
    return {
        "criterion": found.criterion,
        "mark": found.mark,
        **_agreement_plain(agreement),
        "table": [list(row) for row in agreement.table.counts],
        "weighted_kappa": None if ordinal is None else kappa_plain(ordinal.kappa),
        "mean_distance": None if ordinal is None else ordinal.mean_distance,
        "levels": found.levels or None,
        "categories": {name: _agreement_plain(part) for name, part in by_category(found.rated, found.mark).items()},
        "disagreements": [each.id for each in disagreements(found.rated, found.mark)],
        "unjudged": len(found.unjudged),
        "took": dict(found.took),
    }


def disagreements_plain(found: Calibration) -> list[dict[str, Any]]:
    """The disagreements with what each side says, the worst first."""
    return [
        {
            "id": each.id,
            "human": each.human,
            "label": each.label,
            "score": each.score,
            "category": each.category,
            "reason": each.reason,
        }
        for each in disagreements(found.rated, found.mark)
    ]


def _agreement_plain(part: Agreement) -> dict[str, Any]:
    return {
        "answers": part.share.of,
        "agreement": share_plain(part.share),
        "kappa": kappa_plain(part.kappa),
        "tpr": share_plain(part.true_positives),
        "tnr": share_plain(part.true_negatives),
    }


def share_plain(share: Share) -> dict[str, Any]:
    """Value, interval and what it is made of; without anything the value is unknown."""
    return {"value": share.value, "interval": _ends(share.interval), "hits": share.hits, "of": share.of}


def kappa_plain(kappa: Kappa | None) -> dict[str, Any] | None:
    """Value and interval; ``None`` where kappa is not defined."""
    return None if kappa is None else {"value": kappa.value, "interval": _ends(kappa.interval)}


def _ends(interval: Interval | None) -> Sequence[float] | None:
    return None if interval is None else [interval.low, interval.high]
