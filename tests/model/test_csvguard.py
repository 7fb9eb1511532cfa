from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.model.csvguard import guard, unguard

FORMULAS = [
    '=HYPERLINK("http://127.0.0.1","x")', "+1", "-Infinity", "@SUM(A1)", "\t=1+1", "\u200b=1", "-5.5", " =1", "\n=1",
    "\ufeff=1", "\t1", "\r1", "＝1",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_o07_a_text_that_would_be_calculated_gets_an_apostrophe(text):
    assert guard(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "30 days", "a=1", "it's", "'tis", "1-2", " x", "'"])
def test_other_texts_stay_as_they_are(text):
    assert guard(text) == unguard(text) == text


@given(st.text(st.sampled_from("'=+-@ \t\r\n\u200bax")) | st.text())
def test_what_was_guarded_comes_back(text):
    assert unguard(guard(text)) == text
