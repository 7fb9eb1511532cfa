"""What a suite adds to the calls of a model: 200 cases, against the same calls by the bare SDK.

    python benchmarks/bench_models.py               # exits 1 when a bound is missed

A server on 127.0.0.1, in a process of its own, answers each call after 200 ms; 20 calls are in flight. The suite's
time is that of its session without the start-up: of a session with one case, less that case's 200 ms. All run in turns;
the fastest of each counts, since other work on the machine only ever adds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CALLS = 200
IN_FLIGHT = 20
DELAY_S = 0.2
LIMIT = 1.3

BARE = """
import asyncio, sys, time
provider, url, calls, in_flight = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
if provider == "anthropic":
    import anthropic
    client = anthropic.AsyncAnthropic(base_url=url, api_key="k", max_retries=0)
    ask = client.messages.create
else:
    import openai
    client = openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0)
    ask = client.chat.completions.create
async def main():
    slots = asyncio.Semaphore(in_flight)
    async def one(n):
        async with slots:
            await ask(model="m-1", max_tokens=50, messages=[{"role": "user", "content": f"question {n}"}])
    await one(0)
    started = time.perf_counter()
    await asyncio.gather(*(one(n) for n in range(calls)))
    print(time.perf_counter() - started)
asyncio.run(main())
"""

USAGE = {"input_tokens": 9, "output_tokens": 3, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
CLAUDE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m-1",
    "content": [{"type": "text", "text": "an answer"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": USAGE,
}
GPT = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 0,
    "model": "m-1",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "an answer"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
}


async def serve() -> None:
    """Answer every request after the delay; print the port first."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
                await reader.readexactly(length)
                await asyncio.sleep(DELAY_S)
                body = json.dumps(CLAUDE if "/messages " in head else GPT).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ")
                writer.write(b"%d\r\n\r\n%b" % (len(body), body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def write_suite(folder: Path, name: str, provider: str, url: str, cases: int) -> str:
    rows = "".join(f"  - {{id: c{n}, input: question {n}, expected_output: answer}}\n" for n in range(cases))
    target = f"target: {{model: {provider}/m-1, base_url: '{url}', max_tokens: 50}}\n"
    (folder / f"{name}.eval.yaml").write_text(f"{target}defaults: {{criteria: [contains]}}\ncases:\n{rows}")
    return f"{name}.eval.yaml"


def bare(provider: str, url: str) -> float:
    """Seconds of the calls by the SDK alone."""
    command = [sys.executable, "-c", BARE, provider, url, str(CALLS), str(IN_FLIGHT)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def session(folder: Path, suite: str) -> float:
    """Seconds of a session."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}
    command = [sys.executable, "-m", "pytest", "-p", "pytest_evals.plugin", "-q", "-p", "no:cacheprovider", "--tb=no"]
    command += ["--evals-no-history", f"--evals-concurrency={IN_FLIGHT}", suite]
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    return time.perf_counter() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve())
        return 0
    held = True
    print(f"{CALLS} calls of {DELAY_S:g} s, {IN_FLIGHT} in flight: the limit is {CALLS / IN_FLIGHT * DELAY_S:.2f} s")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            address = f"http://127.0.0.1:{server.stdout.readline().strip()}"
            for provider, url in (("anthropic", address), ("openai", f"{address}/v1")):
                all_cases = write_suite(folder, f"{provider}-all", provider, url, CALLS)
                one_case = write_suite(folder, f"{provider}-one", provider, url, 1)
                by_sdk, by_suite, start_up = [], [], []
                for _ in range(options.repeats):
                    by_sdk.append(bare(provider, url))
                    start_up.append(session(folder, one_case) - DELAY_S)
                    by_suite.append(session(folder, all_cases))
                sdk, suite, start = min(by_sdk), min(by_suite) - min(start_up), min(start_up)
                ratio = suite / sdk
                held = held and ratio <= LIMIT
                verdict = f"{ratio:5.2f} x <= {LIMIT:g}   {'held' if ratio <= LIMIT else 'MISSED'}"
                print(
                    f"{provider:10} bare SDK {sdk:5.2f} s   suite {suite:5.2f} s   start-up {start:5.2f} s   {verdict}"
                )
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
