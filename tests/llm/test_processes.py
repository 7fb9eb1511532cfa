"""The limiter with real processes, a real clock and real signals."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest

from pytest_evals.llm.limiter import SessionLimiter
from pytest_evals.llm.limits import parse_limits
from pytest_evals.llm.members import CAN_SHARE, Member, new_folder, remove_folder

pytestmark = pytest.mark.skipif(not CAN_SHARE, reason="no flock")

HOLD = """
import asyncio, sys
from pathlib import Path
from pytest_evals.llm.limiter import SessionLimiter
from pytest_evals.llm.limits import parse_limits

async def hold(limiter):
    async with limiter.slot("x"):
        print("holds", flush=True)
        await asyncio.sleep(60)

async def main():
    limiter = SessionLimiter(parse_limits(sys.argv[2]), Path(sys.argv[1]))
    await asyncio.gather(*(hold(limiter) for _ in range(int(sys.argv[3]))))

asyncio.run(main())
"""

COUNT = """
import asyncio, sys, time
from pathlib import Path
from pytest_evals.llm.limiter import SessionLimiter
from pytest_evals.llm.limits import parse_limits

async def main():
    limiter = SessionLimiter(parse_limits(sys.argv[2]), Path(sys.argv[1]))
    print("ready", flush=True)
    until = float(sys.stdin.readline())

    async def call():
        while True:
            async with limiter.slot("x"):
                now = time.monotonic()
                if now >= until:
                    return
                print(now, flush=True)

    tasks = [asyncio.create_task(call()) for _ in range(20)]
    await asyncio.wait(tasks, timeout=until - time.monotonic())
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    limiter.close()

asyncio.run(main())
"""


@pytest.fixture
def folder():
    folder = new_folder()
    yield folder
    remove_folder(folder)


@pytest.fixture
def start(folder):
    started = []

    def start(program, *arguments):
        command = [sys.executable, "-c", program, str(folder), *arguments]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(child)
        assert child.stdout.readline()
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


def wait_for_a_slot(folder, limits):
    async def run():
        limiter = SessionLimiter(parse_limits(limits), folder)
        try:
            async with asyncio.timeout(10), limiter.slot("x") as slot:
                return slot.waited_s
        finally:
            limiter.close()

    return asyncio.run(run())


def test_a_killed_process_does_not_leave_the_others_waiting(folder, start):
    holder = start(HOLD, "*: 2 in flight", "2")
    holder.stdout.readline()
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(_slot(folder, "*: 2 in flight"), 0.3))
    holder.kill()  # and not waited for: a zombie
    assert wait_for_a_slot(folder, "*: 2 in flight") <= 2


async def _slot(folder, limits):
    limiter = SessionLimiter(parse_limits(limits), folder)
    try:
        async with limiter.slot("x"):
            pass
    finally:
        limiter.close()


def test_a_process_killed_while_it_waits_does_not_keep_its_turn(folder, start):
    holder = start(HOLD, "*: 5 rps", "30")
    time.sleep(0.5)
    holder.kill()
    assert wait_for_a_slot(folder, "*: 5 rps") <= 1


def test_a_stopped_process_keeps_what_it_holds_and_not_its_turn(folder, start):
    holder = start(HOLD, "*: 5 rps, 100 in flight", "30")
    time.sleep(0.3)
    os.kill(holder.pid, signal.SIGSTOP)
    try:
        assert wait_for_a_slot(folder, "*: 5 rps, 100 in flight") <= 1
        with pytest.raises(TimeoutError):
            asyncio.run(asyncio.wait_for(_slot(folder, "*: 1 in flight"), 0.6))
    finally:
        os.kill(holder.pid, signal.SIGCONT)


def test_processes_share_a_limit_evenly_and_never_exceed_it(folder, start, most_in_a_window):
    children = [start(COUNT, "*: 50 rps") for _ in range(2)]
    until = time.monotonic() + 2.0
    for child in children:
        child.stdin.write(f"{until}\n")
        child.stdin.flush()
    starts = [[float(line) for line in child.communicate()[0].split()] for child in children]
    together = sorted(starts[0] + starts[1])
    assert most_in_a_window(together, 1.0) <= 50
    assert len(together) >= 0.8 * 100
    assert min(map(len, starts)) >= 0.35 * len(together)


def test_who_is_dead_is_known_by_its_lock_and_by_its_number(folder):
    alive, gone = Member(folder), Member(folder)
    assert gone.lives(alive.token, alive.pid)
    token = gone.token
    gone.leave()
    assert not alive.lives(token, gone.pid)
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert not gone.lives(alive.token, child.pid)


def test_the_folder_is_private_and_goes_away():
    folder = new_folder()
    assert folder.stat().st_mode & 0o077 == 0
    Member(folder)
    remove_folder(folder)
    assert not folder.exists()
    remove_folder(folder)
