"""Answers kept from earlier calls, and models without a price: from results to what a person reads."""

from __future__ import annotations

import pytest
from factories import result, session

from pytest_evals.model.outcome import Outcome
from pytest_evals.model.response import Response, as_response
from pytest_evals.model.result import Trial
from pytest_evals.report.figures import MAX_NAMED, figure_lines
from pytest_evals.report.lines import plain_text
from pytest_evals.report.rows import row_of
from pytest_evals.stats import summarize
from pytest_evals.stats.summarize import merge


def trial(**metadata):
    return Trial(Outcome.PASSED, "x", metadata=metadata)


def unpriced(*models, **fields):
    return result("passed", "-".join(models), trials=tuple(trial(unpriced=model) for model in models), **fields)


ONE_OF_TWO = result("passed", "half", trials=(trial(cached={"latency_ms": 3.0}), trial()))


def shown(*results, width=200):
    return [plain_text(line) for line in figure_lines(session([row_of(each) for each in results]), width)]


def test_a_row_counts_the_trials_that_were_kept_and_names_the_models_without_a_price():
    assert row_of(ONE_OF_TWO).cached == 1
    assert row_of(unpriced("b/b", "a/a", "b/b")).unpriced == ("a/a", "b/b")
    assert (row_of(result("passed")).cached, row_of(result("passed")).unpriced) == (0, ())


def test_summaries_of_parts_add_up():
    rows = [row_of(each) for each in (ONE_OF_TWO, unpriced("b/b"), unpriced("a/a"), unpriced("b/b", suite="other"))]
    whole = summarize(rows)
    assert (whole.cached, whole.unpriced) == (1, ("a/a", "b/b"))
    parts = merge([summarize(rows[:2]), summarize(rows[2:])])
    assert (parts.cached, parts.unpriced) == (whole.cached, whole.unpriced)
    assert whole.by_suite["other"].unpriced == ("b/b",)


def test_the_section_counts_kept_answers():
    assert "  cached     1 answer kept from earlier calls, without latency or cost" in shown(ONE_OF_TWO)
    assert not [line for line in shown(result("passed")) if "cached" in line]


def test_the_section_names_the_models_whose_price_is_not_known():
    assert "  cost       –, no price is known for a/a, b/b" in shown(unpriced("b/b"), unpriced("a/a"))
    priced = result("passed", "priced", cost_usd=0.12)
    assert "  cost       $0.12, partial: unknown for 1 case, no price is known for a/a" in shown(
        priced, unpriced("a/a")
    )
    many = shown(unpriced(*(f"p/{n}" for n in range(MAX_NAMED + 2))))
    assert "  cost       –, no price is known for p/0, p/1, p/2, p/3, p/4 and 2 more" in many


@pytest.mark.parametrize(
    ("metadata", "marked"), [({}, True), ({"cached": {"latency_ms": 3}}, {"latency_ms": 3}), ({"cached": False}, True)]
)
def test_an_answer_that_an_application_kept_is_marked(metadata, marked):
    assert as_response(Response("x", metadata=metadata, cached=True)).metadata == {"cached": marked}
    assert as_response(Response("x", metadata=metadata)).metadata == metadata
