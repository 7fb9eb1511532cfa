from __future__ import annotations

import asyncio
import threading
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

import pytest

from pytest_evals.llm.limiter import Limiter, SessionLimiter, Slot
from pytest_evals.llm.limits import parse_limits


@dataclass
class Server:
    """Answers so many calls in any window; in virtual time."""

    limit: int
    window_s: float = 1.0
    retry_after_s: float | None = 1.0
    random: Random = field(default_factory=lambda: Random(1))
    answered: list[float] = field(default_factory=list)
    refused: int = 0
    _taken: deque[float] = field(default_factory=deque)

    async def call(self, limiter, name="server"):
        loop = asyncio.get_running_loop()
        async with limiter.slot(name) as slot:
            await asyncio.sleep(self.random.uniform(0.001, 0.03))
            while self._taken and loop.time() - self._taken[0] >= self.window_s:
                self._taken.popleft()
            if len(self._taken) < self.limit:
                self._taken.append(loop.time())
                await asyncio.sleep(self.random.uniform(0.05, 0.25))
                self.answered.append(loop.time())
            else:
                self.refused += 1
                slot.refused(self.retry_after_s)

    async def serve(self, limiters, calls, seconds):
        async def forever(limiter):
            while True:
                await self.call(limiter)

        tasks = [asyncio.ensure_future(forever(limiter)) for limiter in limiters for _ in range(calls)]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize(("number", "seed"), [(1, 1), (2, 2), (2, 3), (5, 4)])
def test_processes_with_many_calls_reach_the_limit_and_are_not_refused(loop, processes, number, seed):
    server = Server(20, random=Random(seed))
    loop.run_until_complete(server.serve(processes(number, "server: 20 rps"), 40, 30))
    assert server.refused == 0
    assert len(server.answered) >= 0.9 * 20 * 30


def test_a_limit_of_a_thousand_calls_a_second_is_reached_too(loop, processes):
    server = Server(1000)
    loop.run_until_complete(server.serve(processes(2, "server: 1000 rps"), 200, 3))
    assert server.refused == 0
    assert len(server.answered) >= 0.85 * 1000 * 3


def test_a_limit_that_nobody_told_is_learnt_from_refusals(loop, processes):
    server = Server(20)
    loop.run_until_complete(server.serve(processes(2), 40, 60))
    assert len(server.answered) >= 0.6 * 20 * 60
    assert server.refused <= 0.1 * len(server.answered)


def test_a_limit_that_was_set_too_high_is_corrected(loop, processes):
    server = Server(20)
    loop.run_until_complete(server.serve(processes(2, "server: 40 rps"), 40, 60))
    assert len(server.answered) >= 0.6 * 20 * 60
    assert server.refused <= 0.02 * len(server.answered)


def test_calls_start_in_the_order_in_which_they_asked(loop, processes):
    (limiter,) = processes(1, "*: 20 rps")
    order = []

    async def call(number):
        async with limiter.slot("x"):
            order.append(number)

    async def run():
        await asyncio.gather(*(call(number) for number in range(30)))

    loop.run_until_complete(run())
    assert order == list(range(30))


def test_calls_that_are_cancelled_while_they_wait_leave_no_hole(loop, processes):
    one, two = processes(2, "*: 20 rps")
    starts = []

    async def call(limiter):
        async with limiter.slot("x"):
            starts.append(loop.time())

    async def run():
        tasks = [asyncio.ensure_future(call(one)) for _ in range(20)]
        others = [asyncio.ensure_future(call(two)) for _ in range(10)]
        await asyncio.sleep(0.12)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *others, return_exceptions=True)

    loop.run_until_complete(run())
    assert len(starts) >= 11
    assert max(b - a for a, b in pairwise(starts)) <= 1.08 / 20 + 0.011


def test_a_process_whose_waiting_calls_were_cancelled_is_not_waited_for(loop, processes):
    one, two = processes(2, "*: 20 rps")

    async def call(limiter):
        async with limiter.slot("x"):
            return loop.time()

    async def run():
        await call(two)
        task = asyncio.ensure_future(call(one))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.sleep(0.01)
        return await call(two)

    assert loop.run_until_complete(run()) == pytest.approx(1000 + 1.08 / 20 - 0.02, abs=0.001)


def test_a_call_that_is_cancelled_under_way_gives_its_place_back(loop, processes):
    one, two = processes(2, "*: 1 in flight")

    async def hold():
        async with one.slot("x"):
            await asyncio.sleep(1000)

    async def run():
        task = asyncio.ensure_future(hold())
        await asyncio.sleep(1)
        task.cancel()
        async with asyncio.timeout(1), two.slot("x") as slot:
            return slot.waited_s

    assert loop.run_until_complete(run()) < 0.1


def test_a_call_that_raises_gives_its_place_back(loop, processes):
    (limiter,) = processes(1, "*: 1 in flight")

    async def run():
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                async with limiter.slot("x"):
                    raise ZeroDivisionError

    loop.run_until_complete(run())


def test_waiting_is_told_and_is_not_part_of_the_call(loop, processes):
    (limiter,) = processes(1, "*: 1 in flight")
    told = []

    async def call():
        async with limiter.slot("x") as slot:
            started = loop.time()
            await asyncio.sleep(2)
            told.append((round(slot.waited_s, 1), loop.time() - started))

    async def run():
        await asyncio.gather(call(), call(), call())

    loop.run_until_complete(run())
    assert told == [(0.0, 2.0), (2.0, 2.0), (4.0, 2.0)]


def test_calls_in_flight_are_kept_over_processes_with_little_lost(loop, processes):
    limiters = processes(3, "*: 7 in flight")
    now, most, done = 0, 0, 0

    async def forever(limiter):
        nonlocal now, most, done
        while True:
            async with limiter.slot("x"):
                now += 1
                most = max(most, now)
                await asyncio.sleep(0.2)
                now -= 1
                done += 1

    async def run():
        tasks = [asyncio.ensure_future(forever(limiter)) for limiter in limiters for _ in range(10)]
        await asyncio.sleep(20)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    loop.run_until_complete(run())
    assert most == 7
    assert done >= 0.95 * 7 * 20 / 0.2


@pytest.mark.parametrize("limit", ["20 rps", "1 in flight", "3 in flight"])
def test_a_process_with_one_call_is_not_starved_by_one_with_many(loop, processes, limit):
    many, few = processes(2, f"*: {limit}")
    done = {"many": 0, "few": 0}
    waits = []

    async def forever(name, limiter):
        while True:
            async with limiter.slot("x") as slot:
                await asyncio.sleep(0.1)
                done[name] += 1
                if name == "few":
                    waits.append(slot.waited_s)

    async def run():
        tasks = [asyncio.ensure_future(forever("many", many)) for _ in range(50)]
        tasks.append(asyncio.ensure_future(forever("few", few)))
        await asyncio.sleep(20)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    loop.run_until_complete(run())
    assert max(waits) <= 0.25
    assert done["few"] >= 80
    assert done["many"] >= 80


def test_a_wave_of_refusals_slows_everyone_down_once_and_nobody_wakes_with_the_others(loop, processes):
    one, two = processes(2)
    first, second = [], []

    async def call(limiter):
        async with limiter.slot("x") as slot:
            first.append(loop.time())
            await asyncio.sleep(0.01 + len(first) / 1000)
            slot.refused(2.0, 529)
        async with limiter.slot("x") as slot:
            second.append((loop.time(), slot.waited_s))

    async def run():
        await asyncio.gather(*(call(limiter) for limiter in (one, two) for _ in range(20)))

    loop.run_until_complete(run())
    assert max(first) == 1000.0
    starts = [start for start, _ in second]
    assert min(starts) >= 1002.0
    assert all(b - a > 0.01 for a, b in pairwise(starts))
    assert all(waited >= 1.9 for _, waited in second)


def test_a_name_without_limits_never_waits(loop, processes):
    one, two = processes(2, "other: 1 rps")

    async def run():
        waits = []
        for _ in range(100):
            async with one.slot("x") as slot, two.slot("x"):
                slot.used(10**9)
                waits.append(slot.waited_s)
        return waits

    assert loop.run_until_complete(run()) == [0.0] * 100
    assert loop.time() == 1000.0


def test_models_of_a_provider_share_its_limit(loop, processes):
    one, two = processes(2, "anthropic: 60 rpm")

    async def run():
        for limiter, name in ((one, "anthropic/a"), (two, "anthropic/b"), (one, "anthropic")):
            async with limiter.slot(name):
                pass
        return loop.time()

    assert loop.run_until_complete(run()) >= 1001.8


def test_tokens_that_were_not_used_let_the_next_call_go(loop, processes):
    one, two = processes(2, "*: 60k tpm")

    async def call(limiter, estimate, used):
        async with limiter.slot("x", tokens=estimate) as slot:
            await asyncio.sleep(0.5)
            slot.used(used)
            await asyncio.sleep(5)
            return slot.waited_s

    async def run():
        return await asyncio.gather(call(one, 30_000, 500), call(one, 500, 500), call(two, 500, 500))

    waits = loop.run_until_complete(run())
    assert waits[0] == 0
    assert waits[1] == pytest.approx(0.5, abs=0.05)  # of the same process: at once
    assert waits[2] <= 2


def test_a_refused_call_is_charged_no_tokens(loop, processes):
    (limiter,) = processes(1, "*: 60k tpm")

    async def run():
        async with limiter.slot("x", tokens=50_000) as slot:
            slot.refused(0.5)
        async with limiter.slot("x", tokens=50_000) as slot:
            return slot.waited_s

    assert loop.run_until_complete(run()) <= 1.0


def test_without_a_folder_on_this_machine_a_process_keeps_the_limits_by_itself(loop, tmp_path, processes):
    assert not SessionLimiter().is_shared
    assert not SessionLimiter(folder=tmp_path / "elsewhere").is_shared
    assert processes(1)[0].is_shared


def test_what_was_abandoned_on_a_loop_is_given_back(loop, processes):
    (limiter,) = processes(1, "*: 1 in flight")
    blocked = asyncio.new_event_loop()

    async def forever():
        async with limiter.slot("x"):
            await asyncio.sleep(1000)

    tasks = [blocked.create_task(forever()) for _ in range(2)]  # one holds the slot, one waits
    blocked.run_until_complete(asyncio.sleep(0.01))

    async def run():
        async with limiter.slot("x") as slot:
            return slot.waited_s

    waiting = loop.create_task(run())
    loop.call_later(5, limiter.abandon, blocked)
    assert loop.run_until_complete(waiting) == pytest.approx(5, abs=0.1)

    async def end():
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    blocked.run_until_complete(end())
    blocked.close()
    assert loop.run_until_complete(run()) == 0.0


def test_a_call_on_a_loop_that_was_closed_does_not_hold_up_those_behind_it(loop, processes):
    (limiter,) = processes(1, "*: 1 in flight")
    closed = asyncio.new_event_loop()

    async def wait():
        async with limiter.slot("x"):
            pytest.fail("the loop is closed")

    async def run():
        async with limiter.slot("x"):
            task = closed.create_task(wait())
            thread = threading.Thread(target=closed.run_until_complete, args=(asyncio.sleep(0.01),))
            thread.start()
            thread.join()
            closed.close()
            task._log_destroy_pending = False
        async with limiter.slot("x"):
            return True

    assert loop.run_until_complete(run())


def test_loops_in_several_threads_share_a_limiter():
    limiter = SessionLimiter(parse_limits("*: 3 in flight, 2000 rps"))
    lock = threading.Lock()
    now = most = done = 0

    async def call():
        nonlocal now, most, done
        async with limiter.slot("x"):
            with lock:
                now += 1
                most = max(most, now)
            await asyncio.sleep(0.001)
            with lock:
                now -= 1
                done += 1

    async def run():
        await asyncio.gather(*(call() for _ in range(60)))

    threads = [threading.Thread(target=lambda: asyncio.run(run())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert done == 180
    assert most <= 3


def test_the_limiter_is_what_the_engine_expects():
    limiter: Limiter = SessionLimiter()

    async def run():
        async with limiter.slot("x") as slot:
            typed: Slot = slot
            return typed.refused(1.0, 400)

    assert asyncio.run(run()).wait_s == pytest.approx(1.05, abs=0.06)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_cancelled_or_raises_the_limits_hold_and_nothing_is_left_waiting(
    loop, processes, most_in_a_window, seed
):
    random = Random(seed)
    limiters = processes(3, "x: 30 rps, 5 in flight, 60k tpm", seed=seed)
    starts, tokens = [], []
    now = most = 0

    async def call(limiter):
        nonlocal now, most
        estimate = random.randint(1, 500)
        async with limiter.slot("x", estimate) as slot:
            number = len(starts)
            starts.append(loop.time())
            tokens.append(estimate)
            now += 1
            most = max(most, now)
            try:
                await asyncio.sleep(random.uniform(0, 0.6))
                if random.random() < 0.2:
                    raise ValueError
                tokens[number] = random.randint(0, estimate)
                slot.used(tokens[number])
            finally:
                now -= 1

    async def run():
        tasks = []
        for _ in range(300):
            tasks.append(asyncio.ensure_future(call(random.choice(limiters))))
            await asyncio.sleep(random.choice([0, 0, 0, 0.05]))
            if random.random() < 0.3:
                random.choice(tasks).cancel()
        done, waiting = await asyncio.wait(tasks, timeout=120)
        await asyncio.gather(*done, return_exceptions=True)
        return waiting

    assert loop.run_until_complete(run()) == set()
    assert now == 0
    assert most == 5
    assert most_in_a_window(starts, 1.0) <= 30
    assert most_in_a_window(starts, 60.0, tokens) <= 60_000
    assert len(starts) > 150
