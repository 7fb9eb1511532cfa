"""Criteria that compare with another run, or with a variant of the suite."""

from __future__ import annotations

import pytest

from pytest_evals.scoring import specs

SPECS = specs()
BOTH = "variants: [{id: small}, {id: large}]\n"


def suite(criteria, variants=BOTH):
    return f"target: echo\njudge: x/m\n{variants}cases:\n  - {{id: a, input: q, criteria: [{criteria}]}}\n"


def test_a_variant_is_not_compared_with_itself(read):
    found = read(suite("contains: q, better_than: {variant: small}"), specs=SPECS)
    [case], (small, large) = found.cases, found.variants
    assert [each.name for each in small.of(case).criteria] == ["contains"]
    assert [each.name for each in large.of(case).criteria] == ["contains", "better_than"]
    assert case.judges[0].name == "x/m"


@pytest.mark.parametrize(
    ("criteria", "options"),
    [
        ("better_than: last", {"run": "last"}),
        ("better_than: {run: last@small, scale: 1-5, rubric: Short}", {"run": "last@small", "scale": "1-5", "rubric": "Short"}),
        ("not: {better_than: {run: last}}", None),
    ],
)  # fmt: skip
def test_it_is_compared_with_a_run(read, criteria, options):
    [case] = read(suite(criteria, ""), specs=SPECS).cases
    assert options is None or case.criteria[0].options == options


@pytest.mark.parametrize(
    ("criteria", "variants", "message"),
    [
        ("contains: q, better_than: {variant: smal}", BOTH, "5:47: no variant is 'smal'; did you mean 'small'?"),
        ("contains: q, better_than: {variant: small}", "", "4:47: the suite has no variants, and so none that is 'small'"),
        ("contains: q, better_than: {variant: large}", BOTH, "5:47: variant 'large' must be the first one: the others are "
         "compared with its answers"),
        ("better_than: {variant: small}", BOTH, "5:5: nothing but better_than is asked, and variant 'small' is not compared "
         "with itself; add a criterion that it has to fulfil, too"),
        ("contains: q, not: {better_than: {variant: small}}", BOTH, "better_than with a variant stands for itself"),
        ("better_than", "", "say with which answer it is compared: run or variant, and not both"),
        ("better_than: {run: last, variant: small}", BOTH, "say with which answer it is compared: run or variant"),
        ("better_than: {run: ' '}", "", "run is blank"),
        ("better_than: {run: last, preset: context_relevance}", "", "context_relevance"),
        ("better_than: {run: last, error_score: 0}", "", "error_score"),
    ],
)  # fmt: skip
def test_what_can_never_be_compared_is_said(read, criteria, variants, message):
    said = read.wrong(suite(criteria, variants), specs=SPECS)
    assert any(message in each for each in said), said
