from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import format_datetime, formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.llm.retry_after import MAX_RETRY_AFTER_S, retry_after

NOW = datetime(1994, 11, 6, 8, 49, 35, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2", 2.0),
        (" 2 ", 2.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 2.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 2.0),
        ("Sun Nov  6 08:49:37 1994", 2.0),
        ("Sun, 06 Nov 1994 09:49:37 +0100", 2.0),
        ("Sun, 06 Nov 1994 08:49:37 -0000", 2.0),
        ("Sun, 06 Nov 1994 08:49:30 GMT", 0.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("99999", MAX_RETRY_AFTER_S),
        ("9" * 400, MAX_RETRY_AFTER_S),
        ("Fri, 31 Dec 9999 23:59:59 GMT", MAX_RETRY_AFTER_S),
        ("soon", None),
        ("", None),
        ("-5", None),
        ("1e5", None),
        ("1_000", None),
        ("nan", None),
        ("inf", None),
        ("٢", None),
        ("2, 5", None),
        ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 08:49:37 +9999999999", None),
    ],
)
def test_every_form_of_the_value_is_read_and_garbage_is_none(text, seconds):
    assert retry_after(text, NOW) == seconds
    assert retry_after({"Retry-After": text}, NOW) == seconds


def test_headers_are_found_in_any_case_of_letters():
    assert retry_after({"RETRY-AFTER": "2"}) == 2.0
    assert retry_after({"retry-after": "2"}) == 2.0
    assert retry_after({"Content-Type": "text/plain"}) is None
    assert retry_after({}) is None
    assert retry_after(None) is None


def test_milliseconds_go_before_seconds_and_garbage_in_them_does_not_hide_the_seconds():
    assert retry_after({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert retry_after({"retry-after-ms": "x", "retry-after": "1"}) == 1.0


def test_a_date_is_taken_against_the_date_of_the_reply_and_not_a_clock_that_is_wrong_here():
    headers = {"Retry-After": formatdate(NOW + 2, usegmt=True), "Date": formatdate(NOW, usegmt=True)}
    assert retry_after(headers, NOW - 3600) == 2.0
    assert retry_after(headers | {"Date": "yesterday"}, NOW + 1) == 1.0


def test_without_a_time_given_dates_are_taken_against_the_present():
    later = datetime.now(UTC).replace(microsecond=0).timestamp() + 60
    assert retry_after(formatdate(later, usegmt=True)) == pytest.approx(60, abs=5)


def test_the_cap_can_be_lifted_to_hear_what_was_asked_for():
    assert retry_after("99999", cap_s=math.inf) == 99999.0
    assert retry_after("99999", cap_s=5) == 5.0


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d+ \d+:\d+:\d+ ?.{0,9}", fullmatch=True))
def test_whatever_a_server_writes_is_a_number_of_seconds_or_nothing(text):
    seconds = retry_after({"retry-after": text, "date": text, "retry-after-ms": text}, NOW)
    assert seconds is None or 0 <= seconds <= MAX_RETRY_AFTER_S


@given(st.datetimes(min_value=datetime(1971, 1, 2), max_value=datetime(2100, 1, 1)))
def test_any_date_is_read_back(moment):
    at = moment.replace(tzinfo=UTC, microsecond=0)
    assert retry_after(format_datetime(at, usegmt=True), at.timestamp() - 7) == 7.0
