from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.errors import EvalsError
from pytest_evals.llm.account import CHECK_S, FIRST_TOKENS, GRACE_S, LONGEST_S, Account
from pytest_evals.llm.limits import Limit
from pytest_evals.llm.members import Member
from pytest_evals.llm.page import MAX_PROCESSES, Page


@pytest.fixture
def accounts(tmp_path):
    """Accounts of several processes with one name."""

    def make(number, **limit):
        members = [Member(tmp_path) for _ in range(number)]
        path = members[0].page("x")
        return [Account(Limit(**limit), Page.open(path), member, Random(1)) for member in members]

    return make


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    amount=st.integers(1, 30),
    schedule=st.lists(st.tuples(st.integers(0, 2), st.floats(0, 0.1)), min_size=1, max_size=150),
)
def test_processes_together_never_start_more_than_the_limit_in_any_second(
    tmp_path_factory, most_in_a_window, amount, schedule
):
    folder = tmp_path_factory.mktemp("limits")
    members = [Member(folder) for _ in range(3)]
    path = members[0].page("x")
    limit = Limit(requests_per_second=amount)
    accounts = [Account(limit, Page.open(path), member, Random(1)) for member in members]
    now, starts = 1000.0, []
    for process, pause in schedule:
        now += pause
        if accounts[process].ask(now, 0.0, others=True) is None:
            starts.append(now)
    for account, member in zip(accounts, members, strict=True):
        account.close()
        member.leave()
    assert most_in_a_window(starts, 1.0) <= amount


def test_a_call_that_comes_too_early_is_told_when_to_ask_again(accounts):
    (calls,) = accounts(1, requests_per_second=20)
    assert calls.ask(1000.0, 0.0, others=False) is None
    again = calls.ask(1000.0, 0.0, others=False)
    assert again == pytest.approx(1000.0 + 1.08 / 20 - 0.02)
    assert calls.ask(again, 0.0, others=False) is None


def test_the_strictest_of_several_limits_decides(accounts):
    (calls,) = accounts(1, requests_per_second=20, requests_per_hour=60)
    assert calls.ask(1000.0, 0.0, others=False) is None
    assert calls.ask(1000.0, 0.0, others=False) == pytest.approx(1060.0, abs=0.1)


def test_processes_that_wait_take_turns(accounts):
    both = accounts(2, requests_per_second=20)
    order, now = [], 1000.0
    again = [now, now]
    for _ in range(400):
        process = min((0, 1), key=lambda n: again[n])
        now = again[process]
        answer = both[process].ask(now, 0.0, others=True)
        if answer is None:
            order.append(process)
        else:
            again[process] = answer
    assert len(order) > 50
    assert all(one != next_ for one, next_ in pairwise(order[2:]))


def test_one_that_does_not_come_in_its_turn_is_passed_over(accounts):
    punctual, late = accounts(2, requests_per_second=20)
    assert punctual.ask(1000.0, 0.0, others=True) is None
    due = late.ask(1000.0, 0.0, others=False)
    again = punctual.ask(1000.0, 0.0, others=True)
    assert again == pytest.approx(due + GRACE_S)
    assert punctual.ask(again, 0.0, others=True) is None
    # what that took is made up for, and it is not waited for a second time
    following = punctual.ask(again, 0.0, others=True)
    assert following == pytest.approx(due + 1.08 / 20)
    assert punctual.ask(following, 0.0, others=True) is None


def test_passing_over_works_with_a_limit_of_tokens_too(accounts):
    punctual, late = accounts(2, tokens_per_minute=60_000)
    assert punctual.ask(1000.0, 1000, others=True) is None
    due = late.ask(1000.0, 1000, others=False)
    assert punctual.ask(due, 1000, others=True) == pytest.approx(due + GRACE_S)
    assert punctual.ask(due + GRACE_S, 1000, others=True) is None


def test_calls_that_end_do_not_put_off_passing_over(accounts):
    punctual, late = accounts(2, requests_per_second=20, in_flight=100)
    assert punctual.ask(1000.0, 0.0, others=True) is None
    due = late.ask(1000.0, 0.0, others=False)
    punctual.give_back(due + GRACE_S / 2, True, 0)
    assert punctual.ask(due + GRACE_S, 0.0, others=True) is None


def test_one_whose_calls_no_longer_wait_is_not_waited_for(accounts):
    one, other = accounts(2, requests_per_second=20)
    assert one.ask(1000.0, 0.0, others=True) is None
    due = other.ask(1000.0, 0.0, others=False)
    other.leave_queue()
    assert one.ask(1000.0, 0.0, others=True) == pytest.approx(due)


def test_calls_closer_than_a_timer_is_sharp_need_not_wait_for_every_turn(accounts):
    punctual, late = accounts(2, requests_per_second=1000)
    while punctual.ask(1000.0, 0.0, others=True) is None:
        pass
    now, started = late.ask(1000.0, 0.0, others=False), 0
    while now < 1000.0 + GRACE_S:
        again = punctual.ask(now, 0.0, others=True)
        started += again is None
        now = again or now
    assert started >= 5


def test_one_that_begins_to_wait_has_no_claim_to_turns_of_the_past(accounts):
    old, new = accounts(2, requests_per_second=1000)
    now = 1000.0
    for _ in range(500):
        assert old.ask(now, 0.0, others=True) is None
        now += 0.002
    got = {"old": 0, "new": 0}
    again = {"old": now, "new": now}
    while now < 1002.0:
        name = min(again, key=again.__getitem__)
        now = again[name]
        answer = (old if name == "old" else new).ask(now, 0.0, others=True)
        got[name] += answer is None
        if answer is not None:
            again[name] = max(answer, now + 0.001)
    assert got["old"] > 300
    assert got["new"] > 300


def test_calls_in_flight_are_counted_over_all_processes(accounts):
    one, two = accounts(2, in_flight=3)
    assert [one.ask(1000.0, 0.0, False), one.ask(1000.0, 0.0, False), two.ask(1000.0, 0.0, False)] == [None] * 3
    assert one.ask(1000.0, 0.0, False) is not None
    two.give_back(1000.1, True, 0)
    assert one.ask(1000.1, 0.0, False) is None


def test_who_only_waits_for_its_own_calls_does_not_poll(accounts):
    (calls,) = accounts(1, in_flight=1)
    assert calls.ask(1000.0, 0.0, False) is None
    assert calls.ask(1000.0, 0.0, False) == 1000.0 + LONGEST_S


def test_a_process_that_holds_fewer_gets_what_is_given_back(accounts):
    greedy, modest = accounts(2, in_flight=4)
    for _ in range(4):
        assert greedy.ask(1000.0, 0.0, True) is None
    assert modest.ask(1000.0, 0.0, True) is not None
    greedy.give_back(1000.1, True, 0)
    assert greedy.ask(1000.1, 0.0, True) is not None
    assert modest.ask(1000.1, 0.0, True) is None
    greedy.give_back(1000.2, True, 0)
    assert greedy.ask(1000.2, 0.0, True) is not None
    assert modest.ask(1000.2, 0.0, True) is None
    # both have their share: what one gives back it may take again at once
    greedy.give_back(1000.3, True, 0)
    assert greedy.ask(1000.3, 0.0, True) is None


def test_what_a_dead_process_held_is_free_again(tmp_path):
    dead, alive = Member(tmp_path), Member(tmp_path)
    path = dead.page("x")
    limit = Limit(in_flight=2)
    holder = Account(limit, Page.open(path), dead, Random(1))
    waiter = Account(limit, Page.open(path), alive, Random(1))
    assert [holder.ask(1000.0, 0.0, True), holder.ask(1000.0, 0.0, True)] == [None, None]
    assert waiter.ask(1000.0, 0.0, True) is not None
    dead.leave()  # without giving back
    assert waiter.ask(1000.1, 0.0, True) is not None, "not looked at all the time"
    waiter.ask(1000.1 + CHECK_S, 0.0, True)
    assert waiter.ask(1000.2 + CHECK_S, 0.0, True) is None


def test_a_row_is_used_again_when_its_process_is_dead(tmp_path):
    path = tmp_path / "x.page"
    for _ in range(3):
        member = Member(tmp_path)
        page = Page.open(path)
        Account(None, page, member, Random(1))
        member.leave()
    assert page.rows_used == 1


def test_more_processes_than_there_are_rows_is_an_error_in_one_line(tmp_path):
    page = Page.open(tmp_path / "x.page")
    for _ in range(MAX_PROCESSES):
        page.new_row().owner = 1.0
    with pytest.raises(EvalsError, match="more than 512 processes"):
        page.new_row()


def test_closing_gives_back_and_leaves_late_calls_to_themselves(accounts):
    one, two = accounts(2, in_flight=1)
    assert one.ask(1000.0, 0.0, False) is None
    one.close()
    assert two.ask(1000.0, 0.0, False) is None
    one.give_back(1000.1, True, 0)
    assert two.ask(1000.2, 0.0, False) is not None


def test_tokens_are_taken_as_estimated_and_corrected_to_what_was_used(accounts):
    (calls,) = accounts(1, tokens_per_minute=60_000)
    assert calls.ask(1000.0, 6000, True) is None
    assert calls.ask(1000.0, 1000, True) == pytest.approx(1006.0, abs=0.2)
    calls.correct(1000.0, 1001.0, taken=6000, used=1000)
    assert calls.ask(1001.0, 1000, True) is None
    calls.correct(1001.0, 1001.0, taken=1000, used=30_000)
    assert calls.ask(1001.0, 1000, True) == pytest.approx(1031.0, abs=0.5)


def test_an_estimate_that_is_not_given_is_what_calls_used_of_late(accounts):
    calls, elsewhere = accounts(2, tokens_per_minute=60_000)
    assert calls.estimate(7) == 7
    assert calls.estimate(None) == FIRST_TOKENS
    for _ in range(50):
        calls.correct(1000.0, 1000.0, taken=300, used=300)
    assert elsewhere.estimate(None) == pytest.approx(300)
    assert calls.estimate(0) == 0


def test_without_a_limit_of_tokens_no_call_is_charged_any(accounts):
    (calls,) = accounts(1, in_flight=5)
    assert calls.estimate(7) == 0
    calls.correct(1000.0, 1000.0, taken=0, used=10**9)
    assert calls.ask(1000.0, 0.0, False) is None


def test_a_refusal_is_felt_by_the_other_processes(tmp_path):
    members = [Member(tmp_path) for _ in range(2)]
    one, two = (Account(None, Page.open(members[0].page("x")), member, Random(1)) for member in members)
    assert two.is_free
    one.start(1000.0)
    one.refuse(1000.1, 0.0, 3.0, 429)
    assert not two.is_free
    assert two.ask(1000.2, 0.0, False) >= 1003.0
