"""The overview: verdict, gates, figures, comparison, tables and charts, every number as the text all reports show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model.run import SessionResult
from ...model.summary import Counts
from ...stats.intervals import wilson
from ..figures import figures
from ..format import count, counted, duration, percent, score, usd
from ..text import escape
from ..verdict import sentence
from .charts import charts
from .tables import tables


def page(session: SessionResult) -> dict[str, Any]:
    """Everything but the cases."""
    said = sentence(session)
    return {
        "title": _title(session),
        "verdict": {"word": said.word, "style": said.style, "facts": [escape(fact) for fact in said.facts]},
        "incomplete": escape(session.stopped),
        "about": [[label, escape(text)] for label, text in _about(session)],
        "tiles": list(_tiles(session)),
        "outcomes": _outcomes(session),
        "figures": [[label, [[escape(text), style] for text, style in parts]] for label, parts in figures(session)],
        "tables": tables(session),
        "charts": charts(session),
        "not_run": [escape(node_id) for node_id in session.not_run],
        "no_baseline": escape(session.no_baseline),
    }


def _title(session: SessionResult) -> str:
    names = [suite.name for suite in session.suites] or sorted({row.suite for row in session.rows})
    named = ", ".join(names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return escape(f"{named}{more}") or "evaluation"


def _about(session: SessionResult) -> Iterator[tuple[str, str]]:
    experiments = dict.fromkeys(row.experiment for row in session.rows if row.experiment)
    if experiments:
        yield ("experiment" if len(experiments) == 1 else "experiments"), ", ".join(experiments)
    if session.started_at:
        yield "started", f"{session.started_at[:19].replace('T', ' ')} UTC"
    yield "took", duration(session.duration_s * 1000)
    if session.selection:
        yield "selection", session.selection
    yield "exit status", str(session.exit_status)
    yield "session", session.session_id


def _tiles(session: SessionResult) -> Iterator[dict[str, Any]]:
    """The figures that are looked at first."""
    summary = session.summary
    counts = summary.counts
    interval = wilson(counts.passed, counts.rated)
    yield {
        "label": "pass rate",
        "value": percent(summary.pass_rate),
        "note": f"{percent(interval.low)} to {percent(interval.high)}, 95% interval" if interval else "no verdicts",
        "share": summary.pass_rate,
        "between": [interval.low, interval.high] if interval else None,
    }
    if summary.score.n:
        spread = f"sd {score(summary.score.sd, 3)}"
        yield {"label": "mean score", "value": score(summary.score.mean, 3), "note": spread}
    if summary.latency.n:
        yield {
            "label": "latency",
            "value": duration(summary.latency.p50),
            "note": f"p95 {duration(summary.latency.p95)}",
        }
    if summary.cost_usd.known:
        unknown = summary.cost_usd.unknown
        note = f"unknown for {counted(unknown, 'case')}" if unknown else f"{counted(summary.cost_usd.known, 'case')}"
        yield {"label": "cost", "value": usd(summary.cost_usd.value), "note": note}
    if session.comparison is not None:
        broken = session.comparison.regressions
        yield {
            "label": "broken",
            "value": count(broken),
            "note": f"since {escape(session.comparison.before.label)}",
            "style": "red" if broken else "",
            "link": {"change": ["broken"]} if broken else None,
        }


_WORDS = ("passed", "warned", "failed", "missed", "errored", "scored", "skipped", "xfailed", "xpassed")


def _outcomes(session: SessionResult) -> list[dict[str, Any]]:
    """How many cases had which outcome, for the bar."""
    counts: Counts = session.summary.counts
    numbers = {
        "passed": counts.passed,
        "warned": counts.warned,
        "failed": counts.failed - session.summary.missed,
        "missed": session.summary.missed,
        "errored": counts.errors,
        "scored": counts.scored,
        "skipped": counts.skipped,
        "xfailed": counts.xfailed,
        "xpassed": counts.xpassed,
    }
    return [{"word": word, "n": numbers[word], "shown": count(numbers[word])} for word in _WORDS if numbers[word]]
