from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.llm.pace import BUCKETS, Pace, TokenWindow

WINDOWS = st.sampled_from([1.0, 60.0, 3600.0])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    amount=st.integers(1, 60),
    window_s=WINDOWS,
    pauses=st.lists(st.floats(0, 1), min_size=1, max_size=200),
    ways=st.lists(st.floats(0, 1), min_size=1, max_size=7),
)
def test_no_window_ever_holds_more_than_the_limit_even_at_a_server_reached_by_an_uneven_way(
    amount, window_s, pauses, ways, most_in_a_window
):
    pace = Pace.of(amount, window_s)
    spread = min(0.06 * window_s, 0.5)
    due, now, arrivals = 0.0, 1000.0, []
    for number, pause in enumerate(pauses):
        # calls come when they like: at once, a bit late, or after a while
        now = max(now, due) + (0 if pause < 0.5 else (pause - 0.5) * 2 * window_s / amount)
        due = pace.following(due, now)
        arrivals.append(now + spread * 0.999 * ways[number % len(ways)])
    assert most_in_a_window(sorted(arrivals), window_s) <= amount


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.integers(2, 1000), WINDOWS, st.lists(st.floats(0, 0.015), min_size=1, max_size=20))
def test_late_timers_do_not_lower_the_rate(amount, window_s, lateness):
    pace = Pace.of(amount, window_s)
    due, now, calls = 0.0, 0.0, 0
    while now < 10 * window_s:
        now = max(now, due + window_s * min(lateness[calls % len(lateness)], 0.1 / window_s))
        due = pace.following(due, now)
        calls += 1
    assert calls >= 0.92 * amount * 10


def test_calls_are_spaced_evenly():
    pace = Pace.of(20, 1.0)
    due, starts = 0.0, []
    for _ in range(100):
        now = max(1000.0, due)
        starts.append(now)
        due = pace.following(due, now)
    gaps = {round(b - a, 6) for a, b in pairwise(starts[1:])}
    assert gaps == {round(1.08 / 20, 6)}


COSTS = st.lists(st.tuples(st.integers(0, 1000), st.floats(0, 20)), min_size=1, max_size=150)


def window(amount):
    return TokenWindow(amount, memoryview(bytearray(8 * (1 + BUCKETS))).cast("d"))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(costs=COSTS)
def test_no_minute_ever_holds_more_tokens_than_the_limit(costs, most_in_a_window):
    tokens = window(1000)
    now, times, amounts = 5000.0, [], []
    for cost, pause in costs:
        now += pause if pause > 10 else 0
        at = tokens.free_at(now, cost)
        assert at <= now + 62
        now = max(now, at)
        assert tokens.free_at(now, cost) == at, "the time since when it is free"
        tokens.add(now, cost)
        times.append(now)
        amounts.append(cost)
    assert most_in_a_window(times, 60.0, amounts) <= 1000


def test_a_call_above_the_limit_waits_for_an_empty_minute_and_then_goes():
    tokens = window(1000)
    tokens.add(5000.0, 10)
    at = tokens.free_at(5001.0, 5000)
    assert 5060 <= at <= 5062
    assert tokens.free_at(at, 5000) <= at


def test_a_correction_frees_what_was_not_used_and_charges_what_was_used_above():
    tokens = window(1000)
    tokens.add(5000.0, 900)
    assert tokens.free_at(5010.0, 500) > 5050
    tokens.correct(5000.0, 5010.0, -600)
    assert tokens.free_at(5010.0, 500) == 0
    tokens.correct(5000.0, 5020.0, 400)  # of which nobody knows when it was used
    assert tokens.free_at(5070.0, 700) == pytest.approx(5081.5)


def test_a_correction_of_a_call_long_gone_changes_nothing():
    tokens = window(1000)
    tokens.add(5100.0, 900)
    tokens.correct(5000.0, 5100.0, -600)
    assert tokens.free_at(5101.0, 500) > 5150
