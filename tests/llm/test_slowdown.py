from __future__ import annotations

import random
from itertools import pairwise

import pytest

from pytest_evals.llm.account import Account
from pytest_evals.llm.limits import Limit
from pytest_evals.llm.page import Page
from pytest_evals.llm.slowdown import MAX_BACKOFF_S, RECOVER_S


class Steady(random.Random):
    """No jitter."""

    def random(self) -> float:
        return 0.0


def account(limit=None, rng=None):
    return Account(limit, Page(), None, rng or Steady())


def starts(account, begin, end):
    """When calls start of which there are always enough; ends early when they need not ask any more."""
    found, now = [], begin
    while now < end and not account.is_free:
        again = account.ask(now, 0.0, others=True)
        if again is None:
            found.append(now)
        else:
            assert again > now
            now = again
    return found


def rate(account, begin, seconds=1.0):
    return len(starts(account, begin, begin + seconds)) / seconds


LIMIT = Limit(requests_per_second=20)


def test_a_wave_of_refusals_pauses_and_halves_once():
    calls = account(LIMIT)
    assert rate(calls, 1000.0) == pytest.approx(19, abs=1)
    for number in range(16):
        pause = calls.refuse(1001.0 + number / 100, 0.0, 2.0, 429)
    assert pause.wait_s == pytest.approx(2.0)
    assert starts(calls, 1001.2, 1003.1) == []
    assert rate(calls, 1003.15) == pytest.approx(10, abs=1.5)
    assert calls.epoch == 1


def test_a_refusal_after_the_pause_is_a_wave_of_its_own():
    calls = account(LIMIT)
    starts(calls, 1000.0, 1001.0)
    calls.refuse(1001.0, 0.0, 1.0, 429)
    assert rate(calls, 1008.0) == pytest.approx(16.5, abs=1.5)
    calls.refuse(1009.0, calls.epoch, 1.0, 429)
    assert calls.epoch == 2
    assert rate(calls, 1010.0) == pytest.approx(9, abs=1)


def test_a_pause_does_not_undo_what_was_regained():
    calls = account(LIMIT)
    starts(calls, 1000.0, 1001.0)
    calls.refuse(1001.0, 0.0, 1.0, 429)
    calls.refuse(1008.0, 0.0, 1.0, 429)  # a straggler of the first wave
    assert rate(calls, 1009.0) == pytest.approx(16, abs=1.5)


def test_it_speeds_up_again_until_the_limit():
    calls = account(LIMIT)
    starts(calls, 1000.0, 1001.0)
    calls.refuse(1001.0, 0.0, 1.0, 429)
    rates = [rate(calls, 1002.0 + second) for second in range(15)]
    assert rates[0] < 12
    assert all(later >= earlier - 1 for earlier, later in pairwise(rates))
    assert rates[int(RECOVER_S) // 2] == pytest.approx(14.5, abs=1.5)
    assert rates[-1] == pytest.approx(18.5, abs=1)
    assert calls.refuse(1020.0, calls.epoch, None, 500).wait_s == 0


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_an_error_of_the_server_changes_nothing(status):
    calls = account(LIMIT)
    before = rate(calls, 1000.0)
    assert calls.refuse(1001.0, 0.0, None, status).wait_s == 0
    assert calls.refuse(1001.0, 0.0, 0.0, status).wait_s == 0
    assert rate(calls, 1001.0) >= before - 1
    assert calls.epoch == 0


def test_an_error_of_the_server_that_asks_for_a_pause_gets_it_without_a_slower_pace():
    calls = account(LIMIT)
    starts(calls, 1000.0, 1001.0)
    assert calls.refuse(1001.0, 0.0, 2.0, 503).wait_s == 2.0
    assert starts(calls, 1001.0, 1003.0) == []
    assert rate(calls, 1003.0) >= 18


def test_after_a_pause_for_an_unlimited_name_not_all_wake_at_once():
    calls = account()
    for number in range(10):
        calls.start(1000.0 + number / 10)
    calls.refuse(1001.0, 0.0, 2.0, 503)
    assert 8 <= len(starts(calls, 1003.0, 1004.0)) <= 12


def test_retry_after_is_honoured_with_jitter_that_only_lengthens_it():
    waits = {account(LIMIT, random.Random(seed)).refuse(1000.0, 0.0, 2.0, 429).wait_s for seed in range(50)}
    assert len(waits) == 50
    assert min(waits) >= 2.0
    assert max(waits) <= 2.2


def test_a_later_refusal_of_the_wave_can_lengthen_the_pause_and_not_shorten_it():
    calls = account(LIMIT)
    calls.refuse(1000.0, 0.0, 5.0, 429)
    assert calls.refuse(1000.5, 0.0, 1.0, 429).wait_s == pytest.approx(4.5)
    assert calls.refuse(1000.5, 0.0, 9.0, 429).wait_s == pytest.approx(9.0)
    assert calls.epoch == 1


def test_a_pause_of_hours_is_cut_and_that_is_said():
    pause = account(LIMIT).refuse(1000.0, 0.0, 99999.0, 429)
    assert pause.wait_s == 120
    assert pause.note == "the service asked to wait 99999 s; waiting 120 s"
    assert account(LIMIT).refuse(1000.0, 0.0, 120.0, 429).note == ""


@pytest.mark.parametrize("unhelpful", [None, 0.0])
def test_without_a_usable_retry_after_the_pause_doubles_as_long_as_nothing_is_answered(unhelpful):
    calls = account(LIMIT)
    now, waits = 1000.0, []
    for _ in range(8):
        pause = calls.refuse(now, calls.epoch, unhelpful, 429)
        waits.append(pause.wait_s)
        now += pause.wait_s + 6
        assert starts(calls, now, now + 0.001), "one call finds out"
    assert waits == pytest.approx([1, 2, 4, 8, 16, MAX_BACKOFF_S, MAX_BACKOFF_S, MAX_BACKOFF_S])
    calls.give_back(now, True, calls.epoch - 1)  # a call from before the pause tells nothing
    assert calls.refuse(now, calls.epoch, unhelpful, 429).wait_s == pytest.approx(MAX_BACKOFF_S)
    calls.give_back(now, True, calls.epoch)
    assert calls.refuse(now, calls.epoch, unhelpful, 429).wait_s >= 1
    assert calls.refuse(now + 40, calls.epoch, unhelpful, 429).wait_s == pytest.approx(2)


def test_however_often_it_is_refused_in_a_row_it_comes_back_to_what_it_was():
    calls = account(LIMIT)
    starts(calls, 1000.0, 1001.0)
    now = 1001.0
    for _ in range(6):
        now += calls.refuse(now, calls.epoch, 1.0, 529).wait_s
    assert calls.epoch == 6
    assert rate(calls, now, 2.0) <= 2
    assert rate(calls, now + 25.0) >= 18


def test_an_unlimited_name_that_starts_with_too_much_goes_on_with_what_was_answered():
    calls = account()
    assert calls.is_free
    for _ in range(100):
        calls.start(1000.01)
    for _ in range(80):
        calls.refuse(1000.1, 0.0, 1.0, 429)
    assert not calls.is_free
    assert starts(calls, 1000.1, 1001.1) == []
    assert rate(calls, 1001.2) == pytest.approx(20, abs=2)


def test_an_unlimited_name_goes_free_again_when_nobody_waits():
    calls = account()
    for _ in range(20):
        calls.start(1000.01)
    calls.refuse(1000.1, 0.0, 1.0, 429)
    assert rate(calls, 1001.1) == pytest.approx(10, abs=1.5)
    assert rate(calls, 1001.1 + 2.9 * RECOVER_S) == pytest.approx(39, abs=3)
    assert rate(calls, 1001.1 + 4 * RECOVER_S) == pytest.approx(80, abs=8)
    assert rate(calls, 1001.1 + 6 * RECOVER_S) == pytest.approx(320, abs=32)
    assert not calls.is_free, "all that wait would start at once"
    calls.refuse(1062.5, calls.epoch, 1.0, 503)
    assert rate(calls, 1063.6) == pytest.approx(350, abs=40)
    calls.ask(1100.0, 0.0, others=False)  # the last that waited
    calls.ask(1100.1, 0.0, others=False)
    assert calls.is_free


def test_a_refusal_of_a_name_that_is_hardly_called_does_not_make_it_fast():
    calls = account(LIMIT)
    starts(calls, 1000.0, 1000.01)
    calls.refuse(1000.5, 0.0, 1.0, 429)
    assert rate(calls, 1001.5, 2.0) <= 1.5
