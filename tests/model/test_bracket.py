"""What a bracket says of variants."""

from __future__ import annotations

import pytest

from pytest_evals.model.bracket import rest_of, variant_in


@pytest.mark.parametrize(
    ("bracket", "found"),
    [
        ("small", "small"),
        ("m1-small", "small"),
        ("small-m1", "small"),
        ("m1-small-de", "small-de"),
        ("smaller", ""),
        ("", ""),
    ],
)
def test_the_longest_variant_that_fits_is_meant(bracket, found):
    assert variant_in(bracket, ["small", "small-de", "de", "large"]) == found


@pytest.mark.parametrize(("bracket", "rest"), [("small", ""), ("m1-small", "m1"), ("small-m1", "m1"), ("m1", None)])
def test_the_rest_is_what_fixtures_say(bracket, rest):
    assert rest_of(bracket, "small") == rest
