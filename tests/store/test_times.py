from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.store.times import now, seconds_between, utc_or_none, utc_text


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("2026-03-02T00:30:00+09:00", "2026-03-01T15:30:00.000000+00:00"),
        ("2026-03-01T16:00:00+00:00", "2026-03-01T16:00:00.000000+00:00"),
        ("2026-03-01T16:00:00Z", "2026-03-01T16:00:00.000000+00:00"),
        ("2026-03-01T16:00:00.5+00:00", "2026-03-01T16:00:00.500000+00:00"),
        ("2026-03-01T16:00:00", "2026-03-01T16:00:00.000000+00:00"),
        ("2026-03-01", "2026-03-01T00:00:00.000000+00:00"),
        ("2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00.000000+00:00"),
    ],
)
def test_a_time_is_kept_in_utc_with_microseconds(written, kept):
    assert utc_text(written) == kept
    assert utc_text(kept) == kept


@pytest.mark.parametrize("written", ["", "yesterday", "2026-13-01", "2026-03-01T16:00:00.000000+0x:00"])
def test_what_is_no_time_is_unknown(written):
    assert utc_or_none(written) is None
    with pytest.raises(ValueError, match=r"."):
        utc_text(written)


@pytest.mark.parametrize("value", [None, 12, [], "0001-01-01T00:00:00+14:00"])
def test_what_cannot_be_a_time_in_utc_is_unknown(value):
    assert utc_or_none(value) is None


@given(
    st.lists(
        st.datetimes(timezones=st.builds(timezone, st.integers(-12, 14).map(lambda h: timedelta(hours=h)))), max_size=20
    )
)
def test_the_order_of_the_texts_is_the_order_of_the_times(times):
    times = [time for time in times if 2 <= time.year <= 9998]
    assert [utc_text(t) for t in sorted(times)] == sorted(utc_text(t) for t in times)


def test_now_is_now():
    assert abs(datetime.fromisoformat(now()) - datetime.now(UTC)) < timedelta(seconds=5)


def test_the_time_between_two_stored_times():
    assert seconds_between(utc_text("2026-03-01T16:00:00Z"), utc_text("2026-03-01T18:00:01.5+01:00")) == 3601.5
