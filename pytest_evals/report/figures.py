"""The figures of a session: counts, rates, scores, latency, tokens, cost, errors. One labelled line each."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.run import Budget, SessionResult
from ..model.summary import Summary, TrialSummary
from ..stats.intervals import wilson
from .format import UNKNOWN, count, counted, duration, percent, score, short_score, usd
from .lines import Line, Span, wrapped

MAX_NAMED = 5
"""Models without a price that are named."""

_COLUMN = len("pass rate")


def figure_lines(session: SessionResult, width: int) -> list[Line]:
    """Every figure that is known. What no case knows has no line."""
    lines: list[Line] = []
    for label, parts in figures(session):
        lines += wrapped(label, parts, width, _COLUMN)
    return lines


def figures(session: SessionResult) -> Iterator[tuple[str, list[Span]]]:
    """Each figure that is known, as a label and its parts."""
    if not session.rows:
        yield from _selected(session)
        return
    summary = session.summary
    yield "cases", list(_outcomes(session))
    yield from _selected(session)
    if summary.pass_rate is None:
        yield "pass rate", [(UNKNOWN, ""), ("no case has a verdict", "")]
    else:
        interval = wilson(summary.counts.passed, summary.counts.rated)
        sure = f" ({percent(interval.low)} to {percent(interval.high)})" if interval is not None else ""
        rate = [(percent(summary.pass_rate) + sure, "bold")]
        if summary.counts.errored:
            rate.append((f"{percent(summary.pass_rate_answered)} of those that could be scored", ""))
        yield "pass rate", rate
    if summary.score.n:
        yield "score", list(_score(summary))
    figures = summary.latency
    if figures.n:
        named = (("p50", figures.p50), ("p95", figures.p95), ("p99", figures.p99), ("max", figures.maximum))
        yield "latency", [(f"{name} {duration(value)}", "") for name, value in named]
    if summary.input_tokens.known or summary.output_tokens.known:
        yield "tokens", list(_tokens(summary))
    if summary.cached:
        yield "cached", [(f"{counted(summary.cached, 'answer')} kept from earlier calls, without latency or cost", "")]
    if summary.cost_usd.known or summary.unpriced:
        yield "cost", list(_cost(summary))
    if summary.judge_calls:
        yield "judge", list(_judge(summary))
    if session.budget:
        yield "budget", [part for limit in session.budget for part in _budget(limit)]
    if summary.trials is not None:
        yield "trials", list(trial_parts(summary.trials))
        if summary.trials.pass_at:
            yield "pass@k", list(pass_at_parts(summary.trials))
    if summary.error_kinds:
        yield "errors", [(f"{kind.value} {count(number)}", "red") for kind, number in summary.error_kinds.items()]


def _selected(session: SessionResult) -> Iterator[tuple[str, list[Span]]]:
    """Which cases were asked for, if not all."""
    if session.selection:
        selected, defined = (sum(getattr(suite, name) for suite in session.suites) for name in ("selected", "defined"))
        yield "selected", [(f"{count(selected)} of {counted(defined, 'case')}", ""), (session.selection, "")]


def _outcomes(session: SessionResult) -> Iterator[Span]:
    summary = session.summary
    counts = summary.counts
    named = (
        (counts.passed, "passed", "green"),
        (counts.warned, "warned", "yellow"),
        (counts.failed - summary.missed, "failed", "red"),
        (summary.missed, "missed", "yellow"),
        (counts.errors, "errored", "red"),
        (counts.scored, "scored", ""),
        (counts.skipped, "skipped", ""),
        (counts.xfailed, "xfailed", ""),
        (counts.xpassed, "xpassed", "yellow"),
        (len(session.not_run), "never ran", "yellow"),
    )
    for number, name, style in named:
        if number:
            yield f"{count(number)} {name}", style
    left_out = sum(suite.defined - suite.selected for suite in session.suites)
    if left_out > 0:
        yield f"{count(left_out)} not selected", "dim"


def _score(summary: Summary) -> Iterator[Span]:
    figures = summary.score
    yield f"mean {score(figures.mean, 3)}", "bold"
    if figures.minimum != figures.maximum:
        yield f"sd {score(figures.sd, 3)}", ""
        yield f"from {short_score(figures.minimum)} to {short_score(figures.maximum)}", ""
    if summary.unscored:
        yield f"{count(summary.unscored)} not scored", ""


def trial_parts(trials: TrialSummary) -> Iterator[Span]:
    """How many trials were asked, saved and errored, and how many cases are flaky."""
    yield f"{count(trials.ran)} of {count(trials.planned)}", ""
    if trials.saved:
        yield f"{count(trials.saved)} saved: they could not change a decision", ""
    if trials.errored:
        yield f"{count(trials.errored)} errored", "red"
    yield f"{count(trials.flaky)} flaky", "yellow" if trials.flaky else ""
    if trials.maybe_flaky:
        yield f"{counted(trials.maybe_flaky, 'case')} may be", "dim"


def pass_at_parts(trials: TrialSummary) -> Iterator[Span]:
    """pass@k and pass^k for one trial, and for all of them."""
    ends = [trials.pass_at[0], trials.pass_at[-1]] if len(trials.pass_at) > 1 else [trials.pass_at[0]]
    for at in ends:
        yield f"pass@{at.k} {_between(at.any_low, at.any_high)}", ""
    last = ends[-1]
    if last.k > 1:
        yield f"pass^{last.k} {_between(last.all_low, last.all_high)}", ""
    if last.cases < ends[0].cases:
        yield f"those of {last.k} over {counted(last.cases, 'case')}", "dim"


def _between(low: float, high: float) -> str:
    return percent(low) if low == high else f"{percent(low)} to {percent(high)}"


def _tokens(summary: Summary) -> Iterator[Span]:
    yield f"{count(summary.input_tokens.value)} in", ""
    yield f"{count(summary.output_tokens.value)} out", ""
    yield from _unknown(max(part.unknown for part in (summary.input_tokens, summary.output_tokens) if part.known))


def _cost(summary: Summary) -> Iterator[Span]:
    yield usd(summary.cost_usd.value), ""
    if summary.cost_usd.known:
        yield from _unknown(summary.cost_usd.unknown)
    if summary.unpriced:
        named = summary.unpriced[:MAX_NAMED]
        more = len(summary.unpriced) - len(named)
        names = " and ".join((", ".join(named), f"{more} more")) if more else ", ".join(named)
        yield f"no price is known for {names}", "yellow"


def _judge(summary: Summary) -> Iterator[Span]:
    """What judging took, which is in no other figure."""
    yield counted(summary.judge_calls, "call"), ""
    if summary.judge_tokens.known:
        yield f"{count(summary.judge_tokens.value)} tokens", ""
    if summary.judge_cost_usd.known:
        yield usd(summary.judge_cost_usd.value), ""
    yield from _unknown(summary.judge_cost_usd.unknown)


def _budget(limit: Budget) -> Iterator[Span]:
    style = "yellow" if limit.reached else ""
    match limit.name:
        case "cost_usd":
            yield f"{usd(limit.spent)} of {usd(limit.limit)}", style
        case "tokens":
            yield f"{count(limit.spent)} of {count(limit.limit)} tokens", style
        case "time_s":
            yield f"{duration(limit.spent * 1000)} of {duration(limit.limit * 1000)}", style
    if limit.unknown:
        what = "cost" if limit.name == "cost_usd" else limit.name
        calls = counted(limit.unknown, "call")
        yield f"{what} unknown for {calls}, which {'counts' if limit.unknown == 1 else 'count'} as 0", "yellow"


def _unknown(cases: int) -> Iterator[Span]:
    if cases:
        yield f"partial: unknown for {counted(cases, 'case')}", "yellow"
