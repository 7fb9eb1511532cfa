"""Sessions to look at in a browser."""

from __future__ import annotations

from dataclasses import replace

from factories import criterion, error, result, session

from pytest_evals.model.comparison import Side
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.outcome import Outcome
from pytest_evals.model.rating import POINTS
from pytest_evals.model.response import ToolCall, Usage
from pytest_evals.model.result import Attempt, CaseResult, Trial
from pytest_evals.model.run import SessionResult, TrendPoint
from pytest_evals.model.trajectory import TrajectoryRef
from pytest_evals.report.rows import row_of
from pytest_evals.stats import decide
from pytest_evals.stats.compare import compare


def of(results: list[CaseResult], **fields) -> tuple[SessionResult, list[CaseResult]]:
    """The session of these results."""
    return session([row_of(one) for one in results], **fields), results


def small() -> tuple[SessionResult, list[CaseResult]]:
    """A case of every kind, a baseline and gates."""
    late = error("timeout", "no answer within 30 s", detail="Traceback\n  bot.py:4 in answer")
    good = (criterion("contains", 1.0), criterion("tone", 0.9, 0.7, reason="Polite."))
    bad = (
        criterion("contains", 0.0, reason="'30 days' is missing"),
        criterion("tone", 0.4, 0.7, scorer="llm_judge", reason="A little curt.", detail={"rating": "fair"}),
    )
    expected = "Returns are accepted within 30 days of delivery, in the original packaging."
    results = [
        result(
            "passed", "opening-hours", score=0.95, criteria=good, latency_ms=120.0, category="hours", cost_usd=0.002
        ),
        result(
            "failed",
            "refund-window",
            score=0.2,
            threshold=0.7,
            criteria=bad,
            latency_ms=340.0,
            category="refunds",
            tags=("smoke", "legal"),
            cost_usd=0.001,
            expected_output=expected,
            output="Returns are accepted within 14 days of delivery, in any packaging.",
            attempts=(Attempt(30_000.0, late), Attempt(340.0)),
            tool_calls=(ToolCall("policy_lookup", {"topic": "returns"}),),
            usage=Usage(512, 40),
            trajectories=(
                TrajectoryRef(
                    "t1", "run", "support-agent", 3, path="atif/orders.json", calls=({"name": "lookup_order"},)
                ),
            ),
            logs={"stdout": "asked the policy", "log": "WARNING  bot:bot.py:7 no such topic"},
        ),
        result("errored", "slow", error=late, attempts=(Attempt(30_000.0, late),), category="hours", tags=("smoke",)),
        result("skipped", "later", "billing", skip_reason="not yet"),
        result("passed", "voucher", "billing", trials=_trials(), planned_trials=3, pass_if="majority", score=0.7),
    ]
    before = [row_of(replace(one, outcome=Outcome.PASSED, score=1.0, error=None)) for one in results[:3]]
    rows = [row_of(one) for one in results]
    comparison = compare(Side("last:main", before), Side("this session", rows))
    answers = {results[1].key: ("Returns are accepted within 30 days.", None)}
    rates = (0.9, 0.85, None, 0.95, 0.5)
    trend = [
        TrendPoint(
            f"r{n}",
            "bot",
            "checked",
            f"2026-01-0{n}T10:00:00Z",
            branch="main",
            pass_rate=rate,
            latency_p50_ms=100.0 + n,
            current=n == len(rates),
        )
        for n, rate in enumerate(rates, 1)
    ]
    gates = [parse_gate(text, suite="bot") for text in ("pass_rate >= 95%", "latency.p95 <= 2s")]
    fields = {"exit_status": 1, "trend": trend, "verdicts": decide(gates, rows)}
    return of(results, comparison=replace(comparison, answers=answers), **fields)


def _trials() -> tuple[Trial, ...]:
    passed, failed = (Trial(Outcome(word), word, float(word == "passed")) for word in ("passed", "failed"))
    return (replace(passed, output="It is valid."), replace(failed, output="It is void."), passed)


def variants() -> tuple[SessionResult, list[CaseResult]]:
    """Three cases by two variants: one differs in its outcome, one in its answers, one not at all."""
    said = {
        "alike": (("passed", "Yes."), ("passed", "Yes.")),
        "reworded": (("passed", "Yes, we do."), ("passed", "Of course we do.")),
        "broken": (("passed", "Within 30 days."), ("failed", "Within 14 days.")),
    }
    results = [
        result(
            outcome,
            case_id,
            variant=variant,
            variant_id=variant,
            output=output,
            score=float(outcome == "passed"),
            criteria=(criterion("contains", float(outcome == "passed")), criterion("tone", 0.9, 0.7)),
        )
        for case_id, pair in said.items()
        for variant, (outcome, output) in zip(("small", "large"), pair, strict=True)
    ]
    return of(results)


def many(number: int) -> tuple[SessionResult, list[CaseResult]]:
    """As many cases, one in ten of which failed."""
    return of(
        [
            result(
                "failed" if n % 10 == 3 else "passed",
                f"case-{n:05d}",
                score=(n % 100) / 100,
                latency_ms=100.0 + n,
                output=f"the answer number {n}" + " and so on" * 20,
            )
            for n in range(number)
        ]
    )


RATED = ("detail_completeness", "action_items_structure", "topic_organization")


def rated() -> tuple[SessionResult, list[CaseResult]]:
    """Four summaries by two variants, rated in words by a judge."""
    words = {
        "small": ("good good poor", "fair good poor", "good excellent fair", "good fair poor"),
        "large": ("excellent good good", "excellent excellent fair", "good good good", "excellent good excellent"),
    }
    results = []
    for variant, given in words.items():
        for n, line in enumerate(given, 1):
            scores = {name: _rating(word) for name, word in zip(RATED, line.split(), strict=True)}
            mean = sum(part["score"] for part in scores.values()) / len(scores)
            judge = {"asked": [{"model": "fake/judge", "prompt": "p"}], "calls": 1}
            detail = {"scale": "words", "criteria": scores, "rating": {"grade": mean * 100}, "judge": judge}
            quality = criterion("quality", mean, 0.4, scorer="llm_judge", reason="As rated.", detail=detail)
            outcome = "passed" if mean >= 0.4 else "failed"
            more = {"variant": variant, "variant_id": variant, "output": f"Summary {n} by {variant}."}
            results.append(result(outcome, f"meeting-{n}", score=mean, criteria=(quality,), **more))
    return of(results)


def _rating(word: str) -> dict:
    return {"score": (POINTS[word] - 1) / 3, "given": word, "weight": 1.0, "reason": f"It is {word}."}
