"""Numbers as they are written."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.scoring.numbers import numbers


def read(text, decimal="auto"):
    return [float(number.value) for number in numbers(text, decimal)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        # separators
        ("$1,234.50", [1234.5]),
        ("1.234,5", [1234.5]),
        ("1 234,5", [1234.5]),
        ("1\u202f234,56", [1234.56]),
        ("1\u00a0234", [1234]),
        ("5 000 000", [5_000_000]),
        ("1'234.50", [1234.5]),
        ("1’234’567", [1_234_567]),
        ("1_000", [1000]),
        ("1,234", [1234]),
        ("1.234", [1.234]),
        ("0,123", [0.123]),
        ("1,5", [1.5]),
        ("1234,567", [1234.567]),
        ("1,234,567", [1_234_567]),
        ("1.234.567", [1_234_567]),
        ("12,34,567", [1_234_567]),
        ("1.000.000,25", [1_000_000.25]),
        ("12{,}345", [12345]),
        # not separators
        ("1 234", [1, 234]),
        ("1,2,3", [1, 2, 3]),
        ("1, 2, 3", [1, 2, 3]),
        ("3.14.15", [3, 14, 15]),
        ("2024-01-05", [2024, 1, 5]),
        ("12/05/2024", [12, 5, 2024]),
        ("10:30", [10, 30]),
        ("1.2,3.4", [1.2, 3.4]),
        ("18.", [18]),
        ("$1,000, please", [1000]),
        # signs
        ("−3", [-3]),
        ("–5", [-5]),
        ("-.5", [-0.5]),
        ("+7", [7]),
        ("5-3", [5, 3]),
        ("5 - 3", [5, 3]),
        ("(5)-3", [5, 3]),
        ("1–2", [1, 2]),
        ("3%-5%", [3, 5]),
        ("=-3", [-3]),
        ("-$5", [-5]),
        ("$-5", [-5]),
        # decimals, exponents, fractions
        (".5", [0.5]),
        ("...5", [5]),
        ("1e5", [100_000]),
        ("1.5E−3", [0.0015]),
        ("1e5x", [1]),
        ("1/2", [0.5]),
        ("2 1/2", [2.5]),
        ("3 16/2", [3, 8]),
        ("1/0", [1, 0]),
        ("½", [0.5]),
        ("2½", [2.5]),
        (r"\frac{3}{4}", [0.75]),
        (r"\boxed{42}", [42]),
        # what stands around
        ("US$5 R$ 6 €7 8€ EUR 9 EUR10 Rs.11", [5, 6, 7, 8, 9, 10, 11]),
        ("5km 3rd 4x", [5, 3, 4]),
        ("H2O v1.2.3 A4 x2", []),
        ("GPT-4", [4]),
        ("**18**", [18]),
        ("16 - 3 = <<16-3=13>>13", [16, 3, 16, 3, 13, 13]),
        # other digits
        ("٣٫٥", [3.5]),
        ("１２３", [123]),
        ("", []),
        ("none", []),
    ],
)
def test_numbers_are_read_as_written(text, values):
    assert read(text) == values


def test_the_decimal_mark_can_be_told_where_it_is_in_doubt():
    assert read("1,234 1.234", "point") == [1234, 1.234]
    assert read("1,234 1.234", "comma") == [1.234, 1234]
    assert read("1,5 1.5 1.234,5 1,234.5", "comma") == [1.5, 1.5, 1234.5, 1234.5]
    assert read("1,5 1.5 1.234,5 1,234.5", "point") == [1.5, 1.5, 1234.5, 1234.5]


@pytest.mark.parametrize("text", ["50%", "50 %", "50 percent", "50 per cent", "50％"])
def test_a_percent_sign_is_noticed(text):
    [number] = numbers(text)
    assert (number.value, number.percent) == (50, True)


def test_numbers_are_exact():
    assert [number.value for number in numbers("0.1 1/3 9007199254740993")] == [
        Fraction(1, 10),
        Fraction(1, 3),
        9007199254740993,
    ]


@given(st.integers(-(10**12), 10**12), st.integers(0, 3))
def test_what_python_writes_is_read_back(whole, places):
    value = Fraction(whole, 10**places)
    assert [number.value for number in numbers(f"{float(value):,.3f}")] == [Fraction(f"{float(value):.3f}")]


@given(st.text(st.sampled_from("0123456789.,/ '-+%$eE½x\\frac{}"), max_size=40))
def test_any_text_can_be_read(text):
    for number in numbers(text):
        assert isinstance(number.value, Fraction)


@pytest.mark.parametrize("piece", ["9", "1,", "1 ", "a", "1 000 ", "-", "$", ".", "1/", "½", " ", "\n"])
def test_long_texts_are_read_in_linear_time(piece):
    started = time.perf_counter()
    list(numbers(piece * 100_000))
    assert time.perf_counter() - started < 5
