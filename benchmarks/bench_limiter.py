"""Whether calls of two processes keep to a limit and use it up, and what a slot costs.

    python benchmarks/bench_limiter.py [--seconds 10] [--processes 2] [--calls 40] [--limit 20]

A server on 127.0.0.1 answers 20 requests in any second and refuses others with 429 and ``Retry-After: 1``. Processes
with many calls each ask it for 10 s, through a limiter that knows the limit, and through one that does not and learns
from the refusals. Exits with 1 when a bound is missed: with the limit known, at most 1 % refused and at least 90 % of
the limit reached; a slot without waiting in less than 100 µs.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
import time
from collections import deque
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median

from pytest_evals.llm.limiter import SessionLimiter
from pytest_evals.llm.limits import Limit, Limits
from pytest_evals.llm.members import new_folder, remove_folder
from pytest_evals.llm.retry_after import retry_after

MOST_REFUSED = 0.01
LEAST_REACHED = 0.90
MOST_SLOT_US = 100.0
WINDOW_S = 1.0


def serve(limit: int, ready: Connection) -> None:
    """Answer ``limit`` requests in any second, each after 50 to 250 ms; in a process of its own."""
    taken: deque[float] = deque()
    random = Random(1)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                now = time.monotonic()
                while taken and now - taken[0] >= WINDOW_S:
                    taken.popleft()
                if len(taken) < limit:
                    taken.append(now)
                    await asyncio.sleep(random.uniform(0.05, 0.25))
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                else:
                    writer.write(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@dataclass(slots=True)
class Counts:
    """What one process saw."""

    answered: int = 0
    refused: int = 0


def work(port: int, calls: int, limits: Limits, folder: Path, seconds: float, parent: Connection) -> None:
    """Ask from the moment it is told until the time is over, ``calls`` at a time; in a process of its own."""
    counts = Counts()
    parent.send("ready")
    begin = parent.recv()
    until = begin + seconds
    time.sleep(max(0.0, begin - time.monotonic()))

    async def call(limiter: SessionLimiter) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while True:
            async with limiter.slot("server") as slot:
                if time.monotonic() >= until:
                    break
                writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                status = int(head[0].split()[1])
                headers = dict(line.split(": ", 1) for line in head[1:] if line)
                await reader.readexactly(int(headers["Content-Length"]))
                if status == 429:
                    counts.refused += 1
                    slot.refused(retry_after(headers), status)
                else:
                    counts.answered += 1
        writer.close()

    async def run() -> None:
        limiter = SessionLimiter(limits, folder)
        tasks = [asyncio.create_task(call(limiter)) for _ in range(calls)]
        await asyncio.sleep(until - time.monotonic())
        # those that wait for a slot wait for nothing any more
        await asyncio.wait(tasks, timeout=0.5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        limiter.close()

    asyncio.run(run())
    parent.send(counts)


def ask_for(seconds: float, processes: int, calls: int, limit: int, limits: Limits) -> list[Counts]:
    """What each process saw of a fresh server."""
    context = multiprocessing.get_context("spawn")
    folder = new_folder()
    port_here, port_there = context.Pipe(duplex=False)
    server = context.Process(target=serve, args=(limit, port_there), daemon=True)
    server.start()
    port = port_here.recv()
    pipes = [context.Pipe() for _ in range(processes)]
    workers = [
        context.Process(target=work, args=(port, calls, limits, folder, seconds, there), daemon=True)
        for _, there in pipes
    ]
    for worker in workers:
        worker.start()
    for pipe, _ in pipes:  # all begin at once: starting them takes a moment
        pipe.recv()
    begin = time.monotonic() + 0.1
    for pipe, _ in pipes:
        pipe.send(begin)
    counts = [pipe.recv() for pipe, _ in pipes]
    for worker in workers:
        worker.join()
    server.terminate()
    server.join()
    remove_folder(folder)
    return counts


async def slot_us(limiter: SessionLimiter, name: str, slots: int = 2000, rounds: int = 5) -> float:
    """Microseconds that a slot takes without waiting, median of some rounds."""
    took = []
    for _ in range(rounds):
        started = time.perf_counter()
        for _ in range(slots):
            async with limiter.slot(name):
                pass
        took.append((time.perf_counter() - started) / slots * 1e6)
    return median(took)


def row(name: str, value: str, bound: str, held: bool) -> bool:
    print(f"{name:<36}{value:>10}   {bound:<18}{'held' if held else 'MISSED'}")
    return held


def cost_row(name: str, cost_us: float) -> bool:
    return row(name, f"{cost_us:.1f} µs", f"less than {MOST_SLOT_US:.0f} µs", cost_us < MOST_SLOT_US)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--calls", type=int, default=40, help="at a time, in each process")
    parser.add_argument("--limit", type=int, default=20, help="requests that the server answers in any second")
    options = parser.parse_args()
    most = options.limit * options.seconds

    print(
        f"{options.processes} processes with {options.calls} calls each, {options.seconds:g} s, "
        f"server with {options.limit} requests in any second"
    )
    print(f"{'':<22}{'answered':>10}{'refused':>10}{'refused':>10}{'reached':>10}   by process")
    shares = {}
    for name, limits in (
        ("limit known", Limits(default=Limit(requests_per_second=options.limit))),
        ("limit not known", Limits()),
    ):
        counts = ask_for(options.seconds, options.processes, options.calls, options.limit, limits)
        answered, denied = sum(c.answered for c in counts), sum(c.refused for c in counts)
        shares[name] = denied / max(1, answered + denied), answered / most
        by_process = ", ".join(str(c.answered) for c in counts)
        print(f"{name:<22}{answered:>10}{denied:>10}{shares[name][0]:>10.1%}{shares[name][1]:>10.1%}   {by_process}")

    folder = new_folder()
    without, with_one, with_all = (
        asyncio.run(slot_us(SessionLimiter(Limits({name: limit} if limit else {}), folder), name))
        for name, limit in (("free", None), ("counted", Limit(in_flight=1000)), ("all", Limit(*[10**12] * 5)))
    )
    remove_folder(folder)

    print()
    refused, reached = shares["limit known"]
    held = [
        row("refused, limit known", f"{refused:.1%}", f"at most {MOST_REFUSED:.0%}", refused <= MOST_REFUSED),
        row("of the limit reached", f"{reached:.1%}", f"at least {LEAST_REACHED:.0%}", reached >= LEAST_REACHED),
        cost_row("a slot where nothing is limited", without),
        cost_row("a slot with a limit in flight", with_one),
        cost_row("a slot with every kind of limit", with_all),
    ]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
